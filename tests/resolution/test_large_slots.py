"""One claim more costs the same where a slot, or a relation, holds many as where it holds some."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from telling import tell

from graphmem.adapters.sqlite import write
from graphmem.adapters.sqlite.database import Database
from graphmem.model.changes import Decision
from graphmem.model.claim import LinkedClaim
from graphmem.model.predicate import Cardinality, Ontology, Predicate
from graphmem.model.scope import Scope
from graphmem.resolution.recompute import FEW, Overlay, Touched, recompute
from graphmem.testing.builders import T0, an_episode
from graphmem.testing.clock import FrozenClock
from graphmem.usecases.believe import written
from tests.counting import calls

ONE = Ontology([Predicate(slug="p", cardinality=Cardinality.ONE)])
MANY = Ontology([Predicate(slug="p")])
PAIRS = Ontology([Predicate(slug="p", symmetric=True)])
SOME, LOTS = 2 * FEW, 10 * FEW


def again(_: int) -> str:
    """Say one thing."""
    return "A"


def by_turns(number: int) -> str:
    """Say one of three things in turn."""
    return "ABC"[number % 3]


def ever_other(number: int) -> str:
    """Say another thing each time."""
    return f"thing {number}"


def work_of_one_more(folder: Path, many: int, value: Callable[[int], str], one: Ontology) -> int:
    """Tell ``many`` claims, and return the work of the next."""
    clock = FrozenClock(T0)
    database = Database(folder / str(many), clock, busy_timeout=1, synchronous="NORMAL")
    scope = Scope("t", "ana")

    def add(claims: Sequence[LinkedClaim]) -> None:
        def decide() -> Decision:
            overlay = Overlay(claims={c.claim.id: c for c in claims})
            touched = sorted({Touched.by(c.link) for c in claims}, key=repr)
            change = yield from recompute(one, touched, overlay, few=FEW)
            return written(
                change,
                episodes=tuple(an_episode(c.claim.episode, key=None) for c in claims),
                claims=tuple(c.claim for c in claims),
                links=tuple(c.link for c in claims),
            )

        with database.writing() as connection:
            write.change(connection, clock, scope, decide, None)

    told = [tell(f"c{n}", value(n), said=n, place=n) for n in range(many + 1)]
    told = [replace(c, claim=replace(c.claim, episode=f"e{c.claim.id}")) for c in told]
    add(told[:-1])
    try:
        return calls(lambda: add(told[-1:]))
    finally:
        database.close()


@pytest.mark.parametrize(
    ("value", "ontology"),
    [
        (again, ONE),
        (again, MANY),
        (again, PAIRS),
        (by_turns, ONE),
        (by_turns, MANY),
        (ever_other, MANY),
        (ever_other, PAIRS),
    ],
)
def test_one_more_costs_no_more(
    tmp_path: Path, value: Callable[[int], str], ontology: Ontology
) -> None:
    """Ten times as many claims before it leave the work of a claim as it is."""
    some = work_of_one_more(tmp_path, SOME, value, ontology)
    lots = work_of_one_more(tmp_path, LOTS, value, ontology)
    assert lots < 1.1 * some
