"""The reads that answer a question do not touch other users' rows."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from graphmem.adapters.sqlite import SqliteStore, asking, scopes
from graphmem.model.changes import ChangeSet
from graphmem.model.outline import Sought
from graphmem.model.scope import Scope
from graphmem.model.search import FactFilter
from graphmem.model.terms import terms
from graphmem.testing.builders import ANA, BOB, T0, an_entity, told
from graphmem.testing.clock import FrozenClock
from graphmem.testing.graph_store.base import begin

pytestmark = pytest.mark.anyio

FACTS = [str(number) for number in range(12)]


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


async def fill(store: SqliteStore, scope: Scope, times: int = 1) -> None:
    """Write the same facts, or more like them, for a scope."""
    rosa = ChangeSet(entities=(an_entity("rosa", "Rosa"),))
    facts = [
        told(f"{fact}.{again}", said=T0 + int(fact)) for fact in FACTS for again in range(times)
    ]
    await begin(store, rosa, *facts, scope=scope)


def steps(store: SqliteStore, scope: Scope, read: Callable[..., object], *asked: object) -> int:
    """Return how many steps SQLite's machine takes for a read."""
    count = 0

    def step() -> None:
        nonlocal count
        count += 1

    with store.database.reading() as connection:
        place = scopes.find(connection, scope)
        assert place is not None
        connection.set_progress_handler(step, 1)
        read(connection, place.sid, *asked)
        connection.set_progress_handler(None, 1)
    return count


async def test_other_users_cost_no_steps(tmp_path: Path) -> None:
    """A second user with ten times as much leaves the steps of mine as they were."""
    store = SqliteStore.open(tmp_path / "s.sqlite", FrozenClock(T0))
    await fill(store, ANA)
    sought = Sought(
        filter=FactFilter(valid=(T0, T0 + 99)),
        records=[f"f{fact}.0/1" for fact in FACTS],
        turns=[f"e{fact}.0" for fact in FACTS],
        entities=["rosa"],
        around=frozenset({"self"}),
        relations=frozenset({"drinks"}),
    )

    def work() -> list[int]:
        return [
            steps(store, ANA, asking.words, ["rosa"], [*terms("the user drinks tea")]),
            steps(store, ANA, asking.outlines, sought),
            steps(store, ANA, asking.shown, sought.records, sought.turns, None),
        ]

    before = work()
    await fill(store, BOB, times=10)
    # A step or two differ with where rows lie in their pages.
    assert all(now < 1.05 * then for now, then in zip(work(), before, strict=True))
    await store.close()
