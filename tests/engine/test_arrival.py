"""Whatever arrives first, the memory believes the same."""

from __future__ import annotations

import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from graphmem import Memory
from graphmem.adapters.system.clock import SystemClock
from graphmem.model.fact import Fact
from tests.engine.kit import a_memory

DAYS = 60


@dataclass(frozen=True)
class Telling:
    """One call of ``add_fact``; days are counted from 1 January 2024."""

    subject: str
    predicate: str
    object: str | None
    said: int
    start: int | None
    end: int | None
    polarity: str
    modality: str
    source: str


def date(day: int) -> str:
    """Write a day."""
    return f"2024-{1 + day // 28:02}-{1 + day % 28:02}"


THINGS = {
    "lives_in": ("Leeds", "York", "England"),
    "likes": ("tea", "opera"),
    "dislikes": ("tea", "opera"),
    "married_to": ("Ben", "Cal"),
    "located_in": ("England", "Europe"),
    "has_pet": ("Miso", "Nori", None),
    "visited": ("Rome",),
    "employs": ("Mo",),
}


@st.composite
def telling(draw: st.DrawFn) -> Telling:
    """Draw one."""
    predicate = draw(st.sampled_from(sorted(THINGS)))
    subject = draw(st.sampled_from(("me", "Ben", "Leeds", "Larch")))
    thing = draw(st.sampled_from([t for t in THINGS[predicate] if t != subject]))
    start = draw(st.one_of(st.none(), st.integers(0, DAYS)))
    end = draw(st.one_of(st.none(), st.none(), st.integers(0, DAYS)))
    if start is not None and end is not None and end <= start:
        end = None
    negative = thing is None or draw(st.integers(0, 4)) == 0
    return Telling(
        subject=subject,
        predicate=predicate,
        object=thing,
        said=draw(st.integers(0, DAYS)),
        start=start,
        end=end,
        polarity="-" if negative else "+",
        modality=draw(st.sampled_from(("asserted", "asserted", "planned"))),
        source=draw(st.sampled_from(("user", "user", "assistant"))),
    )


def tell(memory: Memory, told: Telling, place: int) -> None:
    """Tell it; every telling has an instant of its own."""
    memory.add_fact(
        told.subject,
        told.predicate,
        told.object,
        user="ana",
        valid_from=None if told.start is None else date(told.start),
        valid_to=None if told.end is None else date(told.end),
        occurred_at=f"{date(told.said)}T12:{place:02}",
        polarity=told.polarity,
        modality=told.modality,
        source=told.source,
    )


def view(memory: Memory) -> list[object]:
    """Return all that is believed, ids and record times apart."""
    page = memory.facts(
        user="ana",
        valid_at="2030",
        include_ended=True,
        include_disputed=True,
        include_retracted=True,
        limit=500,
    )
    return sorted((_shown(fact) for fact in page.items), key=repr)


def _shown(fact: Fact) -> tuple[object, ...]:
    return (
        fact.subject.text,
        fact.predicate,
        fact.object.text if fact.object else None,
        fact.polarity.value,
        fact.modality.value,
        fact.status.value,
        fact.interval,
        fact.statement,
        len(fact.claims),
        fact.cause.rule if fact.cause else None,
    )


@contextmanager
def two_memories() -> Generator[tuple[Memory, Memory]]:
    """Open two empty memories."""
    with (
        tempfile.TemporaryDirectory() as one,
        tempfile.TemporaryDirectory() as two,
        a_memory(Path(one), embedder="none", clock=SystemClock()) as first,
        a_memory(Path(two), embedder="none", clock=SystemClock()) as second,
    ):
        yield first, second


@given(st.lists(telling(), min_size=2, max_size=7), st.randoms(use_true_random=False))
@settings(max_examples=25, deadline=None)
def test_any_order_of_arrival_gives_the_same_beliefs(
    tellings: list[Telling], random: Random
) -> None:
    """Two memories told the same in different orders hold the same facts."""
    placed = list(enumerate(tellings))
    other = list(placed)
    random.shuffle(other)
    with two_memories() as (first, second):
        for place, told in placed:
            tell(first, told, place)
        for place, told in other:
            tell(second, told, place)
        assert view(first) == view(second)


@given(st.lists(telling(), min_size=2, max_size=6), st.integers(0, 5))
@settings(max_examples=20, deadline=None)
def test_a_retracted_telling_leaves_the_beliefs_of_the_others(
    tellings: list[Telling], index: int
) -> None:
    """Held and disputed facts are as if what was retracted had never been said."""
    gone = index % len(tellings)
    with two_memories() as (first, second):
        for place, told in enumerate(tellings):
            tell(first, told, place)
            if place != gone:
                tell(second, told, place)
        everything = first.facts(
            user="ana", valid_at="2030", include_ended=True, include_disputed=True, limit=500
        )
        minute = f"T12:{gone:02}"
        for fact in everything.items:
            claims = first.explain(fact.id, user="ana").sources
            if len(claims) == 1 and claims[0].occurred_at // 60_000_000 % 60 == gone:
                first.retract(fact.id, user="ana", reason=minute)
                assert _standing(first) == _standing(second)
                return


def _standing(memory: Memory) -> list[object]:
    page = memory.facts(
        user="ana", valid_at="2030", include_ended=True, include_disputed=True, limit=500
    )
    return sorted((_shown(fact) for fact in page.items), key=repr)
