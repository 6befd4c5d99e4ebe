"""Two users, or two tenants, never meet."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from graphmem import Memory
from graphmem.testing.clock import FrozenClock
from tests.engine.kit import NOW, a_memory

Who = dict[str, Any]  # Any: user and tenant, passed on
_ANA: Who = {"user": "ana"}
_OTHERS: list[Who] = [
    {"user": "bob"},
    {"user": "ana", "tenant": "other"},
    {"user": "Ana"},
    {"user": "ana "},
    {"user": "an%"},
]
_TURNS = ["I'm allergic to mango.", "My sister Tilda lives in Cork.", "I live in Riga."]


def _seen(mem: Memory, who: Who) -> Sequence[object]:
    """Return everything a scope can be asked for, scores included."""
    results = [
        mem.search(question, include_ended=True, **who)
        for question in ("what am I allergic to?", "where does my sister live?", "Tilda", "mango")
    ]
    return [
        [(h.id, h.score, h.parts, [f.id for f in h.path]) for h in r.hits] + [r.hidden]
        for r in results
    ] + [
        [f.id for f in mem.facts(include_ended=True, include_retracted=True, **who).items],
        [(v.entity.id, v.facts) for v in mem.entities(**who).items],
        mem.suggestions(**who),
        mem.context("plan dinner with Tilda", **who).text,
    ]


def test_equal_words_of_others_are_in_no_answer(mem: Memory) -> None:
    """Each scope's answers are its own, whatever others said."""
    for who in (_ANA, *_OTHERS):
        mem.add(_TURNS, **who)
    ids: dict[str, str] = {}
    for who in (_ANA, *_OTHERS):
        for row in (*mem.facts(**who).items, *(v.entity for v in mem.entities(**who).items)):
            assert ids.setdefault(row.id, repr(who)) == repr(who)
        assert mem.facts(**who).total == 4
        for hit in mem.search("who lives in Cork?", **who).hits:
            assert ids.get(hit.id, repr(who)) == repr(who)


def test_one_scope_is_not_starved_by_another(mem: Memory) -> None:
    """A single fact is found beside a neighbour with many that fit better."""
    mem.add("I'm allergic to mango.", user="ana")
    mem.add([f"I like mango number {n}." for n in range(60)], user="bob")
    (hit, *_) = mem.search("mango", user="ana", limit=3).hits
    assert hit.fact is not None
    assert hit.fact.predicate == "allergic_to"


@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    others=st.lists(
        st.tuples(
            st.integers(0, len(_OTHERS) - 1),
            st.sampled_from([*_TURNS, "I like mango and Tilda.", "Tilda Berg is my boss."]),
            st.booleans(),
        ),
        max_size=5,
    )
)
def test_others_change_no_score_and_no_order(others: list[tuple[int, str, bool]]) -> None:
    """Whatever others add or erase, a scope's answers stay as they are, to the last digit."""
    with tempfile.TemporaryDirectory() as folder:
        mem = a_memory(Path(folder), clock=FrozenClock(NOW))
        mem.add(_TURNS, **_ANA)
        before = _seen(mem, _ANA)
        for number, turn, erase in others:
            mem.add(turn, **_OTHERS[number])
            if erase:
                mem.erase(**_OTHERS[number])
        assert _seen(mem, _ANA) == before
        mem.close()
