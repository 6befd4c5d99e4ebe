"""Both axes of time: what was known then, about when."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from graphmem import Memory
from graphmem.errors import GraphmemError
from graphmem.model.fact import Fact
from graphmem.testing.clock import FrozenClock
from tests.engine.kit import NOW, a_memory, day, iso

Asked = dict[str, Any]  # Any: filters of facts(), by name
Step = tuple[Any, ...]  # Any: steps of several shapes

_THINGS = st.sampled_from(["Riga", "Cork", "Oslo"])
_DAYS = st.integers(-40, 20)
_STEP = st.one_of(
    st.tuples(
        st.just("add"),
        st.sampled_from(["lives_in", "likes", "dislikes", "visited"]),
        _THINGS,
        st.one_of(st.none(), _DAYS),
        st.one_of(st.none(), _DAYS),
        st.sampled_from(["+", "-"]),
        st.integers(-60, 0),
    ),
    st.tuples(st.just("correct"), st.integers(0, 9), _THINGS),
    st.tuples(st.just("retract"), st.integers(0, 9)),
    st.tuples(st.just("restore"), st.integers(0, 9)),
    st.tuples(st.just("merge"), _THINGS, _THINGS),
)
_SMALL = settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])
_EVERYTHING: Asked = {"include_ended": True, "include_retracted": True, "include_disputed": True}
_ASKED: list[Asked] = [{"valid_at": day(-20)}, {"valid_at": day(0)}, {"valid_at": day(30)}]
_ASKED.append({"valid_at": day(30), **_EVERYTHING})


def _do(mem: Memory, step: Step) -> None:
    """Take one step; what is refused is refused whole."""
    try:
        if step[0] == "add":
            _, predicate, thing, start, end, polarity, said = step
            mem.add_fact(
                "me",
                predicate,
                thing,
                user="ana",
                valid_from=None if start is None else day(start),
                valid_to=None if end is None else day(end),
                polarity=polarity,
                occurred_at=day(said),
            )
        elif step[0] == "merge":
            mem.merge([step[1]], into=step[2], user="ana")
        else:
            facts = mem.facts(
                user="ana", include_ended=True, include_retracted=True, valid_at=day(30)
            ).items
            if not facts:
                return
            fact = facts[int(step[1]) % len(facts)].id
            if step[0] == "correct":
                mem.correct(fact, user="ana", object=step[2])
            elif step[0] == "retract":
                mem.retract(fact, user="ana")
            else:
                mem.restore(fact, user="ana")
    except GraphmemError:
        pass


def _shown(facts: tuple[Fact, ...]) -> Sequence[object]:
    """Return what a reader of facts sees, apart from when the record was replaced later."""
    return sorted(
        (
            f.id,
            f.record,
            f.subject.text,
            f.predicate,
            f.object.text if f.object else "",
            f.polarity.value,
            f.status.value,
            repr(f.interval),
            f.statement,
            f.claims,
            f.created_at,
        )
        for f in facts
    )


@_SMALL
@given(steps=st.lists(_STEP, min_size=2, max_size=7))
def test_a_past_view_never_changes(steps: list[Step]) -> None:
    """What was listed at a record time is listed for ever when asked as known then."""
    with tempfile.TemporaryDirectory() as folder:
        clock = FrozenClock(NOW)
        mem = a_memory(Path(folder), clock=clock, embedder="none")
        views: list[tuple[int, list[Sequence[object]]]] = []
        for step in steps:
            clock.advance(60_000_000)
            _do(mem, step)
            seen = [_shown(mem.facts(user="ana", **asked).items) for asked in _ASKED]
            views.append((clock.at + 30_000_000, seen))
        for at, seen in views:
            known = iso(at)
            later = [mem.facts(user="ana", known_at=known, **asked).items for asked in _ASKED]
            assert [_shown(facts) for facts in later] == seen
        assert mem.verify().findings == ()
        mem.close()


@_SMALL
@given(steps=st.lists(_STEP, min_size=2, max_size=6))
def test_a_single_valued_slot_has_one_value_at_any_two_instants(
    steps: list[Step],
) -> None:
    """Of what surely holds, there is at most one home at any time, at any record time."""
    with tempfile.TemporaryDirectory() as folder:
        clock = FrozenClock(NOW)
        mem = a_memory(Path(folder), clock=clock, embedder="none")
        times: list[int] = []
        for step in steps:
            times.append(clock.advance(60_000_000))
            _do(mem, step)
        for known in times:
            for about in (-50, -20, -1, 0, 15):
                homes = mem.facts(
                    user="ana",
                    predicate="lives_in",
                    polarity="+",
                    modality="asserted",
                    valid_at=day(about),
                    known_at=iso(known + 1_000_000),
                )
                assert homes.total <= 1
        mem.close()


def test_both_axes_at_once(mem: Memory, clock: FrozenClock) -> None:
    """What was believed in May about March may differ from what is believed now."""
    mem.add_fact("me", "lives_in", "Riga", user="ana", valid_from="2024-01-01")
    may = clock.at
    clock.advance()
    mem.add_fact("me", "lives_in", "Cork", user="ana", valid_from="2024-02-01")
    march = mem.facts(user="ana", valid_at="2024-03")
    assert [f.object.text for f in march.items if f.object] == ["Cork"]
    march = mem.facts(user="ana", valid_at="2024-03", known_at=iso(may))
    assert [f.object.text for f in march.items if f.object] == ["Riga"]


def test_a_clock_that_steps_back_hides_nothing(mem: Memory, clock: FrozenClock) -> None:
    """What was recorded last is read last, whatever the clock says."""
    mem.add_fact("me", "speaks", "Twi", user="ana", occurred_at=day(-9))
    clock.at -= 3_600_000_000
    mem.add_fact("me", "speaks", "Thai", user="ana", occurred_at=day(-8))
    records = mem.facts(user="ana").items
    assert len(records) == 2
    assert records[0].created_at > records[1].created_at
