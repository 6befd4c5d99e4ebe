"""What reading long conversations with a model would cost, beside their own tokens: a dry run.

``python -m benchmarks.cost [--data FOLDER] [--json] [--only NAME]``

The folder holds conversations (every ``locomo*.json``). Without one, a small conversation of our
own is read. No model is asked: the prompts are those that would be sent, with nothing known yet of
the people, and tokens are estimated (see docs/models.md). A turn's own tokens are those of its
words.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import anyio

from benchmarks.conversations import Message, locomo
from benchmarks.running import SAMPLES, Figures, options, share, source, tell
from graphmem import AsyncMemory
from graphmem.model.estimate import Estimate
from graphmem.model.tokens import estimate as tokens_of
from graphmem.testing.models import ScriptedModel

NAME = "cost"


async def estimated(name: str, said: Sequence[Message]) -> Estimate:
    """Return what a conversation would cost in a new memory."""
    with tempfile.TemporaryDirectory() as place:
        model = ScriptedModel([])  # never asked
        async with AsyncMemory(place, model=model, embedder="none") as memory:
            return await memory.estimate(said, user=name)


def row(name: str, cost: Estimate, said: Sequence[Message]) -> Figures:
    """Return the figures of a conversation, or of all."""
    own = sum(tokens_of(turn["content"]) for turn in said)
    turns = max(1, len(said))
    return {
        "name": name,
        "turns": len(said),
        "calls": cost.calls,
        "own_per_turn": round(own / turns, 1),
        "prompt_per_turn": round(cost.prompt_tokens / turns, 1),
        "answer_per_turn": round(cost.completion_tokens / turns, 1),
        "times_own": round(cost.tokens / max(1, own), 2),
        "static_share": share(cost.static_tokens, cost.prompt_tokens),
    }


def measure(folder: Path, *, only: str | None = None) -> Figures:
    """Estimate every conversation of the folder, or only one, and return the figures."""
    began = time.perf_counter()
    talks = [(name, said) for name, said in locomo(folder) if only in (None, name)]
    costs = [anyio.run(estimated, name, said) for name, said in talks]
    every = [turn for _, said in talks for turn in said]
    return {
        "n": len(talks),
        "seconds": round(time.perf_counter() - began, 1),
        **row("all", sum(costs, Estimate()), every),
        "conversations": [
            row(name, cost, said) for (name, said), cost in zip(talks, costs, strict=True)
        ],
    }


def rows(figures: Figures) -> Iterator[list[object]]:
    """Yield the figures as rows of a table."""
    names = [name for name in figures["conversations"][0] if name != "name"]
    yield ["conversation", *(name.replace("_", " ") for name in names)]
    for one in (*figures["conversations"], figures):
        yield [one["name"], *(one[name] for name in names)]


def main(arguments: Sequence[str] | None = None) -> None:
    """Estimate and print."""
    parser = options(NAME, __doc__)
    parser.add_argument("--only", metavar="CONVERSATION", help="one of them")
    given = parser.parse_args(arguments)
    sample = SAMPLES / "locomo"
    read = source(parser, given, name=NAME, corpus="locomo", sample=sample, files=("locomo*.json",))
    names = [name for name, _ in locomo(read.folder)]
    if given.only not in (None, *names):
        parser.error(f"--only: there is no {given.only!r}; there are {', '.join(names)}")
    figures = measure(read.folder, only=given.only)
    tell({"corpus": read.corpus, **figures}, rows(figures), as_json=given.json)


if __name__ == "__main__":
    main()
