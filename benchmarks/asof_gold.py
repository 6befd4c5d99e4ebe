"""Terms of office and renamed places: what is told of them, and what held when.

Rules, each from the notes beside the data: an end after the day the data were taken is no end yet;
a row that is there twice is told twice; a name that two people share is not used, since it tells
nothing, and who has no other is told apart by the day of birth; a place had its old name on the day
before it got the new one, which is all we know.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path

from benchmarks.running import Json, lines
from graphmem.model.text import normal_key

PEOPLE = "us_officeholders_entities.jsonl"
TERMS = "us_officeholders_facts.jsonl"
PLACES = "cn_admin_changes.jsonl"
FILES = (PEOPLE, TERMS, PLACES)
TAKEN = date(2026, 6, 15)
"""The day on which the data were taken."""

PERIODS = 0.2
"""The share of bounds whose day and year are asked about."""
_SECOND = timedelta(seconds=1)
_NOON = timedelta(hours=12)


@dataclass(frozen=True, slots=True)
class Telling:
    """One fact as it is told, by whichever name of its subject; days are ISO, None is unsaid."""

    subject: str
    predicate: str
    object: str
    valid_from: str | None = None
    valid_to: str | None = None
    occurred_at: str | None = None


@dataclass(frozen=True, slots=True)
class Term:
    """What held from one day up to another; ``end`` is None while it goes on."""

    value: str
    start: datetime
    end: datetime | None


@dataclass(slots=True)
class Slot:
    """What is known of one thing in one relation: its names, and terms that do not overlap."""

    names: list[str]
    predicate: str
    terms: list[Term] = field(default_factory=list[Term])

    def held(self, first: datetime, last: datetime) -> set[str]:
        """Return the values that held at some time in ``[first, last]``."""
        return {t.value for t in self.terms if t.start <= last and (t.end is None or t.end > first)}


@dataclass(frozen=True, slots=True)
class Asked:
    """A question about one slot at an instant, or over a day or year given as ISO text."""

    subject: str
    predicate: str
    at: datetime | str | None
    want: frozenset[str]


@dataclass(frozen=True, slots=True)
class World:
    """Who goes by which names (told first), what is told, and what holds."""

    names: tuple[Telling, ...]
    told: tuple[Telling, ...]
    slots: tuple[Slot, ...]


def midnight(day: str) -> datetime:
    """Return the first instant of a day, UTC."""
    return datetime.combine(date.fromisoformat(day), time(), tzinfo=UTC)


def load(folder: Path, seed: int) -> World:
    """Read a folder; ``seed`` says by which of its names each thing is told of."""
    rng = random.Random(seed)  # noqa: S311 - a choice to repeat, no secret
    people = _names(lines(folder / PEOPLE))
    told: list[Telling] = []
    slots: dict[tuple[str, str], Slot] = {}
    for row in lines(folder / TERMS):
        names = people[row["s"]]
        end = row["end"] if date.fromisoformat(row["end"]) <= TAKEN else None
        told.append(Telling(rng.choice(names), row["p"], row["o"], row["start"], end))
        slot = slots.setdefault((row["s"], row["p"]), Slot(names, row["p"]))
        slot.terms.append(Term(row["o"], midnight(row["start"]), midnight(end) if end else None))
    for row in lines(folder / PLACES):
        old, new = "".join(row["old"]), "".join(row["new"])
        before = str(date.fromisoformat(row["date"]) - timedelta(days=1))
        told.append(Telling(old, "has_name", old, occurred_at=before))
        told.append(Telling(old, "has_name", new, valid_from=row["date"]))
        if (old, "") not in slots:
            changed = midnight(row["date"])
            terms = [Term(old, midnight(before), changed), Term(new, changed, None)]
            slots[old, ""] = Slot([old, new], "has_name", terms)
    shared = Counter(name for slot in slots.values() for name in set(slot.names))
    for (_, place), slot in slots.items():
        if not place:
            slot.names = [name for name in slot.names if shared[name] == 1]
    names = [
        Telling(names[0], "also_known_as", other)
        for names in people.values()
        for other in names[1:]
    ]
    return World(tuple(names), tuple(told), tuple(slots.values()))


def _names(people: Sequence[Json]) -> dict[str, list[str]]:
    """Return the names of each person that are nobody else's, the main one first."""
    every = {row["id"]: [row["name"], *row["aliases"]] for row in people}
    by_key: defaultdict[str, set[str]] = defaultdict(set)
    for who, names in every.items():
        for name in names:
            by_key[normal_key(name)].add(who)
    own = {
        who: [name for name in dict.fromkeys(names) if len(by_key[normal_key(name)]) == 1]
        for who, names in every.items()
    }
    for row in people:
        own[row["id"]] = own[row["id"]] or [f"{row['name']} (born {row['birthday']})"]
    return own


def questions(world: World, seed: int) -> Iterator[Asked]:
    """Ask each slot around each of its bounds, now, and by lot over the day and year of a bound."""
    rng = random.Random(seed)  # noqa: S311 - a choice to repeat, no secret
    for slot in world.slots:
        first = min(term.start for term in slot.terms)
        bounds = {bound for term in slot.terms for bound in (term.start, term.end) if bound}
        for bound in sorted(bounds):
            for at in (bound - _SECOND, bound, bound + _NOON):
                if slot.predicate != "has_name" or at >= first:
                    yield _asked(slot, rng, at, at, at)
            if rng.random() >= PERIODS:
                continue
            day = bound.date().isoformat()
            last = timedelta(days=1) - timedelta(microseconds=1)
            yield _asked(slot, rng, day, bound, bound + last)
            year = datetime(bound.year, 1, 1, tzinfo=UTC)
            after = datetime(bound.year + 1, 1, 1, tzinfo=UTC) - timedelta(microseconds=1)
            yield _asked(slot, rng, day[:4], year, after)
        now = datetime.combine(TAKEN, time(12), tzinfo=UTC)
        yield _asked(slot, rng, None, now, now)


def _asked(
    slot: Slot, rng: random.Random, at: datetime | str | None, first: datetime, last: datetime
) -> Asked:
    return Asked(rng.choice(slot.names), slot.predicate, at, frozenset(slot.held(first, last)))
