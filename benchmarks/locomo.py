"""How often a search brings the turn that holds the answer, on long conversations.

``python -m benchmarks.locomo [--data FOLDER] [--json] [--episodes] [--apart] [--only NAME]
[--recipe NAME]`` and what reads the turns, as ``benchmarks.extraction`` has it.

The folder holds conversations (every ``locomo*.json``) and ``qa_normalised.jsonl``. Without one, a
small conversation of our own is read, which only shows that the machinery works.

Counted is evidence-turn recall: of the turns that hold the answer, the share among the first 5 and
10 turns returned, averaged over questions of categories 1 to 4 that have evidence. BM25 over the
same turns runs beside. The pattern extractor, or a model, reads the turns, and what it took facts
from is found through those; with ``--episodes`` nothing is read, and every turn is found as a turn.
With ``--apart`` each question is also asked of the facts alone and of the turns alone.
"""

from __future__ import annotations

import math
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import anyio

from benchmarks.conversations import Message, locomo
from benchmarks.readers import Chosen, Cost, add_options, choose, reading
from benchmarks.running import SAMPLES, Figures, lines, options, share, source, tell
from graphmem import AsyncMemory
from graphmem.model.instants import instant_of
from graphmem.model.search import SearchResult
from graphmem.model.terms import query_terms, terms
from graphmem.model.time import DAY

NAME = "locomo"
QUESTIONS = "qa_normalised.jsonl"
CATEGORIES = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop"}
DEPTHS = (5, 10)
HITS = 3 * max(DEPTHS)
"""So many hits are asked for, since several may rest on one turn."""
METHODS = ("", "bm25_")
"""What stands before the names of figures: ours, and BM25's."""
APART = {"facts_": ["fact"], "turns_": ["chunk"]}
"""The same for searches among one kind, with the kind."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question with the ids of the turns that hold its answer."""

    text: str
    category: int
    evidence: frozenset[str]


@dataclass(slots=True)
class Recall:
    """Sums of recall, by method and category: questions, then one sum for each depth."""

    sums: dict[tuple[str, int], list[float]] = field(
        default_factory=dict[tuple[str, int], list[float]]
    )

    def count(self, method: str, asked: Asked, found: Sequence[str]) -> None:
        """Count one question's answer: ids of turns, best first."""
        row = self.sums.setdefault((method, asked.category), [0.0] * (len(DEPTHS) + 1))
        row[0] += 1
        for place, depth in enumerate(DEPTHS, start=1):
            row[place] += len(asked.evidence.intersection(found[:depth])) / len(asked.evidence)

    def of(self, categories: Iterable[int]) -> Figures:
        """Return mean recall over the questions of some categories."""
        figures: Figures = {}
        for method in dict.fromkeys((*METHODS, *(method for method, _ in self.sums))):
            rows = [self.sums[method, c] for c in categories if (method, c) in self.sums]
            for place, depth in enumerate(DEPTHS, start=1):
                whole = sum(row[place] for row in rows)
                figures[f"{method}rec@{depth}"] = share(whole, sum(row[0] for row in rows))
        return figures


def questions(folder: Path) -> dict[str, list[Asked]]:
    """Return the questions that count, by conversation."""
    found: dict[str, list[Asked]] = {}
    for row in lines(folder / QUESTIONS):
        if row["category"] in CATEGORIES and row["evidence"]:
            asked = Asked(row["question"], row["category"], frozenset(row["evidence"]))
            found.setdefault(row["conv"], []).append(asked)
    return found


def conversations(folder: Path, only: str | None) -> Iterator[tuple[str, list[Message]]]:
    """Yield conversations, or the one of that name."""
    return ((name, said) for name, said in locomo(folder) if only in (None, name))


class Later:
    """A clock that stands a day after the last turn, so that it never matters when this is run."""

    def __init__(self, turns: Iterable[Message]) -> None:
        said = (instant_of(turn["occurred_at"], "UTC", "occurred_at") for turn in turns)
        self._at = max(said) + DAY

    def now(self) -> int:
        """Return a microsecond more each time."""
        self._at += 1
        return self._at


class Bm25:
    """Plain BM25 (k1 1.2, b 0.75) over whole turns."""

    def __init__(self, turns: Iterable[Message]) -> None:
        self._counts = {turn["id"]: terms(f"{turn['name']}: {turn['content']}") for turn in turns}
        self._frequency = Counter(term for counts in self._counts.values() for term in counts)
        self._mean = sum(c.total() for c in self._counts.values()) / max(1, len(self._counts))

    def __call__(self, text: str) -> list[str]:
        """Return ids of turns, best first."""
        asked = query_terms(text)
        scores = {turn: self._score(asked, counts) for turn, counts in self._counts.items()}
        best = sorted(scores, key=lambda turn: (-scores[turn], turn))
        return [turn for turn in best[: max(DEPTHS)] if scores[turn] > 0]

    def _score(self, asked: Iterable[str], counts: Counter[str]) -> float:
        total = 0.0
        damping = 1.2 * (0.25 + 0.75 * counts.total() / self._mean)
        for term in asked:
            held = self._frequency[term]
            telling = math.log(1 + (len(self._counts) - held + 0.5) / (held + 0.5))
            total += telling * counts[term] * 2.2 / (counts[term] + damping)
        return total


@dataclass(slots=True)
class Measured:
    """What is summed over conversations."""

    recall: Recall = field(default_factory=Recall)
    turns: int = 0
    questions: int = 0
    facts: int = 0
    adding: float = 0.0
    asking: float = 0.0
    cost: Cost = field(default_factory=Cost)


async def ask_all(
    measured: Measured,
    name: str,
    said: Sequence[Message],
    asked: Sequence[Asked],
    *,
    reader: Chosen | None,
    recipe: str,
    apart: bool,
) -> None:
    """Add one conversation to a new memory, and ask every question about it."""
    bm25 = Bm25(said)
    extractor = reader.reader if reader is not None else "none"
    with tempfile.TemporaryDirectory() as place:
        async with AsyncMemory(place, extractor=extractor, clock=Later(said)) as memory:
            began = time.perf_counter()
            with reading(name):
                receipt = await memory.ingest(said, user=name)
            measured.cost.add(receipt)
            measured.adding += time.perf_counter() - began
            ids = {
                state.episode: turn["id"]
                for state, turn in zip(receipt.turns, said, strict=True)
                if state.episode
            }
            measured.facts += (await memory.facts(user=name, include_ended=True, limit=1)).total
            for question in asked:
                began = time.perf_counter()
                result = await memory.search(question.text, user=name, limit=HITS, recipe=recipe)
                measured.asking += time.perf_counter() - began
                measured.recall.count("", question, _turn_ids(result, ids))
                measured.recall.count("bm25_", question, bm25(question.text))
                for method, kinds in APART.items() if apart else ():
                    result = await memory.search(
                        question.text, user=name, limit=HITS, recipe=recipe, kinds=kinds
                    )
                    measured.recall.count(method, question, _turn_ids(result, ids))
    measured.turns += len(said)
    measured.questions += len(asked)


def _turn_ids(result: SearchResult, ids: Mapping[str, str]) -> list[str]:
    said = (ids[source.episode] for hit in result.hits for source in hit.sources)
    return list(dict.fromkeys(said))


def measure(
    folder: Path,
    *,
    reader: Chosen | None,
    recipe: str = "default",
    only: str | None = None,
    apart: bool = False,
) -> Figures:
    """Run every conversation of the folder, or only one, and return the figures."""
    measured, about = Measured(), questions(folder)
    began = time.perf_counter()

    async def run() -> None:
        for name, said in conversations(folder, only):
            asked = about.get(name, ())
            await ask_all(measured, name, said, asked, reader=reader, recipe=recipe, apart=apart)

    anyio.run(run)
    by_category: Figures = {}
    for category, called in CATEGORIES.items():
        asked = int(measured.recall.sums.get(("", category), [0])[0])
        row = measured.recall.of([category])
        by_category[str(category)] = {"name": called, "n": asked, **row}
    return {
        "n": measured.questions,
        "seconds": round(time.perf_counter() - began, 1),
        **measured.recall.of(CATEGORIES),
        "by_category": by_category,
        "turns": measured.turns,
        "facts": measured.facts,
        **(reader.figures() if reader is not None else {}),
        **measured.cost.figures(),
        "ms_per_turn": round(1000 * measured.adding / max(1, measured.turns), 1),
        "ms_per_search": round(1000 * measured.asking / max(1, measured.questions), 1),
    }


def rows(figures: Figures) -> Iterator[list[object]]:
    """Yield the figures as rows of a table."""
    names = [name for name in figures if "rec@" in name]
    yield ["category", "n", *names]
    yield ["all", figures["n"], *(figures[name] for name in names)]
    for row in figures["by_category"].values():
        yield [row["name"], row["n"], *(row[name] for name in names)]


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print."""
    parser = options(NAME, __doc__)
    parser.add_argument("--episodes", action="store_true", help="take no facts from the turns")
    parser.add_argument(
        "--apart", action="store_true", help="ask the facts alone and the turns alone too"
    )
    parser.add_argument("--recipe", default="default", help="how to rank")
    parser.add_argument("--only", metavar="CONVERSATION", help="one of them, for a quick look")
    add_options(parser)
    given = parser.parse_args(arguments)
    read = source(
        parser,
        given,
        name=NAME,
        corpus="locomo",
        sample=SAMPLES / NAME,
        files=("locomo*.json", QUESTIONS),
    )
    names = [name for name, _ in locomo(read.folder)]
    if given.only not in (None, *names):
        parser.error(f"--only: there is no {given.only!r}; there are {', '.join(names)}")
    figures = measure(
        read.folder,
        reader=None if given.episodes else choose(parser, given),
        recipe=given.recipe,
        only=given.only,
        apart=given.apart,
    )
    tell({"corpus": read.corpus, **figures}, rows(figures), as_json=given.json)
    if not given.json:
        print(
            f"{figures['turns']} turns, {figures['facts']} facts; {figures['ms_per_turn']} ms a "
            f"turn, {figures['ms_per_search']} ms a search"
        )


if __name__ == "__main__":
    main()
