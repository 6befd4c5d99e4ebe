"""Fixtures and shorthands of the contract suite."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

import pytest

from graphmem.model.changes import Changed, ChangeSet, Snapshot, Wanted
from graphmem.model.fact import Fact, Status
from graphmem.model.scope import Scope
from graphmem.model.search import FactFilter, FactQuery
from graphmem.ports.clock import Clock
from graphmem.ports.graph_store import GraphStore
from graphmem.testing.builders import ANA, T0, an_entity, reading, writing
from graphmem.testing.clock import FrozenClock

EVERY_STATUS = frozenset(Status)
"""For reads that hide nothing."""


class StoreTests(ABC):
    """What every part of the suite starts with: an empty store and a clock that stands at T0."""

    pytestmark = pytest.mark.anyio

    @abstractmethod
    def opened(self, folder: Path, clock: Clock) -> AbstractAsyncContextManager[GraphStore]:
        """Open an empty store that may keep files in ``folder``, and close it at the end."""

    @pytest.fixture
    def anyio_backend(self) -> str:
        """Run the suite's coroutines on asyncio."""
        return "asyncio"

    @pytest.fixture
    def clock(self) -> FrozenClock:
        """Return the store's clock."""
        return FrozenClock(T0)

    @pytest.fixture
    async def store(self, tmp_path: Path, clock: FrozenClock) -> AsyncIterator[GraphStore]:
        """Open an empty store."""
        async with self.opened(tmp_path, clock) as store:
            yield store


async def write(store: GraphStore, changes: ChangeSet, scope: Scope = ANA) -> Changed:
    """Commit ``changes``."""
    return await store.change(scope, writing(changes))


async def begin(store: GraphStore, *changes: ChangeSet, scope: Scope = ANA) -> list[Changed]:
    """Write the scope's own user, then each of ``changes``."""
    first = ChangeSet(entities=(an_entity(),))
    return [await write(store, one, scope) for one in (first, *changes)]


async def look(store: GraphStore, wanted: Wanted, scope: Scope = ANA) -> Snapshot:
    """Return what a decision is sent for ``wanted``."""
    seen: list[Snapshot] = []
    await store.change(scope, reading(wanted, seen))
    return seen[-1]


async def listed(
    store: GraphStore, filter: FactFilter | None = None, scope: Scope = ANA
) -> list[str]:
    """Return the ids of the facts that pass, in the store's order."""
    page = await store.facts(scope, FactQuery(filter=filter or FactFilter()))
    return [fact.id for fact in page.items]


async def the_fact(store: GraphStore, id: str = "f1", known_at: int | None = None) -> Fact:
    """Return the one record of a fact that is known."""
    asked = FactFilter(known_at=known_at, statuses=EVERY_STATUS)
    page = await store.facts(ANA, FactQuery(filter=asked))
    (fact,) = [fact for fact in page.items if fact.id == id]
    return fact


@asynccontextmanager
async def closing(store: GraphStore) -> AsyncGenerator[GraphStore]:
    """Give ``store`` and close it at the end."""
    try:
        yield store
    finally:
        await store.close()
