"""Whether what gets on stays, and what changes ends, in every order of arrival.

``python -m benchmarks.endings [--pairs N] [--seed N] [--wrong N] [--json]``; it reads no folder:
``endings_pairs`` makes pairs (and some triples), half that get on with each other, half of which
the later ends the earlier, in English and Chinese.

Each is told to a memory of its own in every order of arrival, with its own dates. *False* is the
share of the first half in which a fact is over, or otherwise not there, that is there if only its
own sentence is told; *missed* the share of the second half in which the old value still holds or
the new one does not. Of a pair whose sentence gives no fact by itself neither is counted: it is
*unread*.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import count, permutations
from pathlib import Path

import anyio

from benchmarks.endings_cases import Case, Said, Side
from benchmarks.endings_pairs import cases
from benchmarks.running import Figures, options, share, tell
from graphmem import AsyncMemory, Settings
from graphmem.extraction.patterns import PatternExtractor
from graphmem.model.draft import Batch, Extraction
from graphmem.model.fact import Fact
from graphmem.model.time import to_micros
from graphmem.testing.clock import FrozenClock

NAME = "endings"
REGISTRY = Path(__file__).resolve().parent / "endings.toml"
FIRST = datetime(2024, 1, 22, 9, tzinfo=UTC)
"""When the first thing of each case is said."""
NOW = FIRST + timedelta(days=400)

Belief = tuple[str, str, str, str]
"""Subject, predicate, object, polarity."""


@dataclass(slots=True)
class Counted:
    """How many cases of a kind there are, how many went wrong, how many could not be read."""

    n: int = 0
    wrong: int = 0
    unread: int = 0
    change: bool = False


class Heard:
    """The pattern extractor, which keeps count of what it takes."""

    def __init__(self) -> None:
        self._reader = PatternExtractor()
        self.drafts = 0

    @property
    def identity(self) -> str:
        """What read the turns."""
        return self._reader.identity

    async def extract(self, batch: Batch) -> Extraction:
        """Read turns; as ``Extractor`` says."""
        extraction = await self._reader.extract(batch)
        self.drafts += len(extraction.drafts)
        return extraction


@dataclass(slots=True)
class Teller:
    """Tells a memory things, each time of a new user."""

    memory: AsyncMemory
    heard: Heard
    numbers: Iterator[int] = field(default_factory=count)
    alone: dict[Side, frozenset[Belief]] = field(default_factory=dict[Side, frozenset[Belief]])

    async def told(self, sides: Sequence[Side]) -> tuple[frozenset[Belief], bool]:
        """Tell things in this order; return what holds now, and whether each of them was read."""
        user = f"user{next(self.numbers)}"
        read = True
        for side in sides:
            self.heard.drafts = 0
            await self._tell(side, user)
            if isinstance(side, Said) and not side.silent:
                read = read and self.heard.drafts > 0
        page = await self.memory.facts(user=user, limit=1000)
        return frozenset(_belief(fact, user) for fact in page.items), read

    async def _tell(self, side: Side, user: str) -> None:
        when = FIRST + timedelta(days=side.day)
        if isinstance(side, Said):
            await self.memory.add(
                side.text, user=user, session="s", occurred_at=when, role=side.role
            )
            return
        await self.memory.add_fact(
            side.subject,
            side.predicate,
            side.object,
            user=user,
            occurred_at=when,
            valid_from=_day(side.valid_from),
            valid_to=_day(side.valid_to),
            qualifiers=dict(side.qualifiers),
        )

    async def by_itself(self, side: Side) -> frozenset[Belief]:
        """Return what holds now if only this is told."""
        if side not in self.alone:
            self.alone[side], _ = await self.told([side])
        return self.alone[side]

    async def faults(self, case: Case) -> list[str] | None:
        """Return what is wrong in any order of arrival, in words; None if it cannot be read.

        What refers to what went before ("no, I meant …") can only be read after it; an order in
        which it comes first is left out.
        """
        natural, read = await self.told(case.sides)
        wanted = frozenset[Belief]()
        if not case.change:
            wanted = wanted.union(*[await self.by_itself(side) for side in case.sides])
        elif case.ends:
            began = wanted.union(*[await self.by_itself(side) for side in case.sides[:-1]])
            read = read and _has(began, *case.ends)
        if not read:
            return None
        wrong = _judged(case, natural, wanted)
        for order in permutations(case.sides):
            if order != case.sides:
                held, read = await self.told(order)
                if read:
                    wrong += _judged(case, held, wanted)
        return wrong


def _judged(case: Case, held: frozenset[Belief], wanted: frozenset[Belief]) -> list[str]:
    wrong = [f"{' '.join(lost)} is not there" for lost in sorted(wanted - held)]
    if case.ends and _has(held, *case.ends):
        wrong.append(f"{' '.join(case.ends)} still holds")
    if case.holds and not _has(held, *case.holds):
        wrong.append(f"{' '.join(case.holds)} does not hold")
    return wrong


def _has(held: Iterable[Belief], predicate: str, value: str) -> bool:
    return any(one[1:] == (predicate, value, "+") for one in held)


def _belief(fact: Fact, user: str) -> Belief:
    subject = "me" if fact.subject.text == user else fact.subject.text
    value = fact.object.text if fact.object else ""
    return subject, fact.predicate, value, fact.polarity.value


def _day(after: int | None) -> str | None:
    return None if after is None else (FIRST + timedelta(days=after)).date().isoformat()


async def tell_all(number: int, seed: int) -> tuple[dict[str, Counted], list[str]]:
    """Tell a memory every case; return what became of each kind, and what was wrong."""
    kinds: dict[str, Counted] = {}
    shown: list[str] = []
    heard = Heard()
    with tempfile.TemporaryDirectory() as place:
        async with AsyncMemory(
            place,
            extractor=heard,
            embedder="none",
            ontology=REGISTRY,
            clock=FrozenClock(to_micros(NOW)),
            settings=Settings(durability="normal"),
        ) as memory:
            teller = Teller(memory, heard)
            for case in cases(number, seed):
                counted = kinds.setdefault(f"{case.kind} ({case.language})", Counted())
                counted.n += 1
                counted.change = case.change
                wrong = await teller.faults(case)
                counted.unread += wrong is None
                counted.wrong += bool(wrong)
                if wrong is None or wrong:
                    what = "unread" if wrong is None else "; ".join(dict.fromkeys(wrong))
                    shown.append(f"{case.kind}: {_words(case)}: {what}")
    return kinds, shown


def _words(case: Case) -> str:
    return " | ".join(
        side.text
        if isinstance(side, Said)
        else f"{side.subject} {side.predicate} {side.object} from {side.valid_from}"
        for side in case.sides
    )


def measure(number: int, seed: int) -> tuple[Figures, list[str]]:
    """Return the figures, and what was wrong or unread."""
    began = time.perf_counter()
    kinds, shown = anyio.run(tell_all, number, seed)

    def part(*, change: bool) -> tuple[float, int]:
        mine = [counted for counted in kinds.values() if counted.change is change]
        read = sum(counted.n - counted.unread for counted in mine)
        return share(sum(counted.wrong for counted in mine), read), read

    false, compatible = part(change=False)
    missed, changes = part(change=True)
    figures: Figures = {
        "n": number,
        "seconds": round(time.perf_counter() - began, 1),
        "false": false,
        "missed": missed,
        "compatible": compatible,
        "changes": changes,
        "unread": number - compatible - changes,
        "by_kind": {
            kind: {"n": c.n, "wrong": c.wrong, "unread": c.unread} for kind, c in kinds.items()
        },
    }
    return figures, shown


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print."""
    parser = options(NAME, __doc__, data=False)
    parser.add_argument("--pairs", type=int, default=2400, help="how many")
    parser.add_argument("--seed", type=int, default=1, help="of the lot that makes them")
    parser.add_argument("--wrong", type=int, default=0, metavar="N", help="show N wrong or unread")
    given = parser.parse_args(arguments)
    if given.pairs < 1:
        parser.error(f"--pairs: there is nothing to measure in {given.pairs}")
    figures, shown = measure(given.pairs, given.seed)
    rows: list[Sequence[object]] = [
        ("", "n", "wrong", "unread"),
        ("false endings", figures["compatible"], figures["false"], ""),
        ("missed endings", figures["changes"], figures["missed"], ""),
    ]
    rows += [
        (f"  {kind}", row["n"], row["wrong"], row["unread"])
        for kind, row in sorted(figures["by_kind"].items())
    ]
    tell({"corpus": "generated", **figures}, rows, as_json=given.json)
    if not given.json:
        print(*shown[: given.wrong], sep="\n")


if __name__ == "__main__":
    main()
