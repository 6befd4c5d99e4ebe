"""What reads turns in a benchmark: the patterns, a live endpoint, or answers recorded from one.

An answer is recorded under the name of what was read and the number of the call for it, with a hash
of what was asked. So a changed prompt still finds the answers, and how many were asked otherwise is
told with the figures.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import tempfile
from collections import Counter
from collections.abc import Awaitable, Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

import anyio

from benchmarks.running import Figures, lines, share
from graphmem import AsyncMemory
from graphmem.adapters.models.openai import OpenAIModel
from graphmem.errors import ModelError, SettingsError
from graphmem.extraction.metered import Metered
from graphmem.extraction.model import ModelExtractor
from graphmem.extraction.patterns import PatternExtractor
from graphmem.model.draft import Batch, Extraction, Usage
from graphmem.model.ontology import default_ontology
from graphmem.model.receipt import Receipt, TurnState
from graphmem.model.tokens import estimate
from graphmem.ports.extractor import Extractor, wants_facts
from graphmem.ports.language_model import Completion, Json, LanguageModel, Message
from graphmem.testing.clock import FrozenClock
from graphmem.testing.models import Asked, Scripted, ScriptedModel

T = TypeVar("T")
R = TypeVar("R")

_UNREAD = (TurnState.PENDING, TurnState.FAILED)
_name: ContextVar[str | None] = ContextVar("name of what is read", default=None)


@contextmanager
def reading(name: str) -> Generator[None]:
    """Let turns added inside be read, and answers belong to ``name``."""
    token = _name.set(name)
    try:
        yield
    finally:
        _name.reset(token)


class Reader:
    """An ``Extractor`` that reads only inside ``reading``: turns added outside are just kept."""

    def __init__(self, inner: Extractor) -> None:
        self._inner = inner

    @property
    def identity(self) -> str:
        """What reads."""
        return self._inner.identity

    @property
    def wants_facts(self) -> bool:
        """Whether it wants facts that may matter."""
        return wants_facts(self._inner)

    async def extract(self, batch: Batch) -> Extraction:
        """Read, or find nothing."""
        return Extraction() if _name.get() is None else await self._inner.extract(batch)


def asked(messages: Sequence[Message]) -> str:
    """Return the hash of what a model is asked."""
    text = json.dumps([[m.role, m.content] for m in messages], ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


class Numbered:
    """Numbers the calls made for each thing that is read."""

    def __init__(self) -> None:
        self._calls: Counter[str] = Counter()

    def next(self) -> tuple[str, int]:
        """Return what is read now, and the number of this call for it."""
        name = _name.get() or ""
        self._calls[name] += 1
        return name, self._calls[name]


class Recorder:
    """A ``LanguageModel`` that writes each answer of another to a file of JSON Lines."""

    def __init__(self, inner: LanguageModel, file: Path) -> None:
        self._inner = inner
        self._file = file
        self._numbers = Numbered()
        file.write_text("", encoding="utf-8")

    @property
    def name(self) -> str:
        """The other model's name."""
        return self._inner.name

    async def complete(
        self,
        messages: Sequence[Message],
        *,
        step: str,
        schema: Json | None = None,
        max_tokens: int | None = None,
    ) -> Completion:
        """Ask the other model and note what it says; an error is passed on and not noted."""
        name, call = self._numbers.next()
        answer = await self._inner.complete(
            messages, step=step, schema=schema, max_tokens=max_tokens
        )
        row = {
            "name": name,
            "call": call,
            "step": step,
            "model": self.name,
            "request": asked(messages),
            "text": answer.text,
            "truncated": answer.truncated,
            "tokens": [answer.usage.prompt_tokens, answer.usage.completion_tokens],
        }
        with self._file.open("a", encoding="utf-8") as file:
            file.write(json.dumps(row, ensure_ascii=False) + "\n")
        return answer


class Replay:
    """What a ``Recorder`` wrote, and how well it fits what is asked now.

    Attributes:
        changed: how many answers were to something else than is asked now.
        missing: how many calls have no answer; these fail.
    """

    def __init__(self, file: Path) -> None:
        self.changed = 0
        self.missing = 0
        self._file = file
        self._rows = {(row["name"], row["call"]): row for row in lines(file)}
        self._model = next((row["model"] for row in self._rows.values()), "replay")
        self._numbers = Numbered()

    def model(self) -> ScriptedModel:
        """Return a model of the recorded one's name that answers as it did."""
        return ScriptedModel(self._answer, self._model)

    def _answer(self, call: Asked) -> Scripted:
        name, number = self._numbers.next()
        row = self._rows.get((name, number))
        if row is None:
            self.missing += 1
            return ModelError(
                f"no answer to call {number} for {name!r} is recorded in {self._file.name}",
                step=call.step,
                model=self._model,
            )
        self.changed += row["request"] != asked(call.messages)
        return Completion(row["text"], row["truncated"], Usage(1, *row["tokens"]))


class Weighed:
    """A ``LanguageModel`` that weighs how much of what another is asked is the same each time.

    What comes first and never changes can be kept by an endpoint, and costs less or nothing.
    """

    def __init__(self, inner: LanguageModel) -> None:
        self._inner = inner
        self._fixed = 0
        self._whole = 0
        self._tokens = (0, 0)

    @property
    def name(self) -> str:
        """The other model's name."""
        return self._inner.name

    async def complete(
        self,
        messages: Sequence[Message],
        *,
        step: str,
        schema: Json | None = None,
        max_tokens: int | None = None,
    ) -> Completion:
        """Weigh the messages and ask the other model."""
        fixed = messages[0].content if messages and messages[0].role == "system" else ""
        texts = [message.content for message in messages]
        self._fixed += len(fixed)
        self._whole += sum(map(len, texts))
        tokens = (estimate(fixed), sum(map(estimate, texts)))
        self._tokens = (self._tokens[0] + tokens[0], self._tokens[1] + tokens[1])
        return await self._inner.complete(messages, step=step, schema=schema, max_tokens=max_tokens)

    def figures(self) -> Figures:
        """Return the share that is fixed, of characters and of estimated tokens."""
        return {
            "static_share": share(self._fixed, self._whole),
            "static_share_tokens": share(*self._tokens),
        }


@dataclass(frozen=True, slots=True)
class Chosen:
    """What reads the turns of a benchmark, by its options; ``replay`` if answers are recorded.

    ``weighed`` is what a model was asked, if one reads.
    """

    reader: Reader
    jobs: int
    replay: Replay | None = None
    weighed: Weighed | None = None

    def figures(self) -> Figures:
        """Return who reads, and of recorded answers how many fit."""
        told: Figures = {"reader": self.reader.identity}
        if self.replay is not None:
            told |= {"changed": self.replay.changed, "missing": self.replay.missing}
        if self.weighed is not None:
            told |= self.weighed.figures()
        return told


@dataclass(slots=True)
class Cost:
    """What reading took, what was refused by kind, and how many turns could not be read."""

    usage: Usage = field(default_factory=Usage)
    refused: Counter[str] = field(default_factory=Counter[str])
    unread: int = 0

    def add(self, receipt: Receipt) -> None:
        """Add what a write took."""
        self.usage += receipt.usage
        self.refused.update({refusal.kind: refusal.count for refusal in receipt.refused})
        self.unread += sum(turn.state in _UNREAD for turn in receipt.turns)

    def figures(self) -> Figures:
        """Return it by name."""
        return {
            "refused": dict(self.refused.most_common()),
            "unread": self.unread,
            "calls": self.usage.calls,
            "prompt_tokens": self.usage.prompt_tokens,
            "completion_tokens": self.usage.completion_tokens,
        }


async def tell_each(
    chosen: Chosen,
    things: Mapping[str, T],
    now: int,
    tell: Callable[[AsyncMemory, T, Cost], Awaitable[R]],
) -> tuple[dict[str, R], Cost]:
    """Tell each thing to one new memory, as many at once as is chosen.

    Args:
        chosen: what reads.
        things: what is told, by id.
        now: the memory's time, microseconds UTC.
        tell: tells one thing, adds what that took, and returns what came of it.
    """
    found: dict[str, R] = {}
    cost = Cost()
    limit = anyio.CapacityLimiter(chosen.jobs)
    clock = FrozenClock(now)
    with tempfile.TemporaryDirectory() as place:
        async with AsyncMemory(
            place, extractor=chosen.reader, embedder="none", clock=clock
        ) as memory:

            async def one(name: str, thing: T) -> None:
                async with limit:
                    found[name] = await tell(memory, thing, cost)

            async with anyio.create_task_group() as group:
                for name, thing in things.items():
                    group.start_soon(one, name, thing)
    return found, cost


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that say what reads the turns."""
    group = parser.add_argument_group("what reads the turns")
    group.add_argument("--patterns", action="store_true", help="the built-in patterns (default)")
    group.add_argument("--base-url", metavar="URL", help="an OpenAI-compatible endpoint")
    group.add_argument("--model", metavar="NAME", help="the model to ask there")
    group.add_argument("--key-env", metavar="VAR", help="the environment variable with its key")
    group.add_argument("--timeout", type=float, default=600.0, help="seconds for one answer")
    group.add_argument("--jobs", type=int, default=1, help="how many are read at once")
    group.add_argument("--record", type=Path, metavar="FILE", help="write its answers there")
    group.add_argument("--replay", type=Path, metavar="FILE", help="answers recorded before")


def choose(parser: argparse.ArgumentParser, given: argparse.Namespace) -> Chosen:
    """Return what the options ask for; end with a clear error if they make no sense."""
    live = given.base_url is not None
    if sum((given.patterns, live, given.replay is not None)) > 1:
        parser.error("choose one of --patterns, --base-url and --replay")
    if live != (given.model is not None):
        parser.error("--base-url and --model go together")
    if given.record is not None and not live:
        parser.error("--record needs --base-url: only a live endpoint's answers are new")
    if given.replay is not None and not given.replay.is_file():
        parser.error(f"--replay: there is no file {str(given.replay)!r}")
    if given.jobs < 1:
        parser.error(f"--jobs must be at least 1, not {given.jobs}")
    if given.replay is not None:
        replay = Replay(given.replay)
        weighed = Weighed(replay.model())
        reader = Reader(ModelExtractor(weighed, default_ontology()))
        return Chosen(reader, given.jobs, replay, weighed)
    if not live:
        return Chosen(Reader(PatternExtractor()), given.jobs)
    model: LanguageModel
    try:
        model = OpenAIModel(given.model, given.base_url, _key(parser, given), timeout=given.timeout)
    except SettingsError as error:
        parser.error(str(error))
    if given.record is not None:
        model = Recorder(model, given.record)
    weighed = Weighed(model)
    reader = Reader(ModelExtractor(Metered(weighed, at_once=given.jobs), default_ontology()))
    return Chosen(reader, given.jobs, weighed=weighed)


def _key(parser: argparse.ArgumentParser, given: argparse.Namespace) -> str | None:
    if given.key_env is None:
        return None
    key = os.environ.get(given.key_env, "").strip()
    if not key:
        parser.error(f"--key-env: the environment variable {given.key_env!r} is empty")
    return key
