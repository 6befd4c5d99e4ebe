"""A decision that takes long keeps nobody but its own scope waiting."""

from __future__ import annotations

import asyncio
import threading
import time

import anyio
import pytest

from graphmem.adapters.neo4j.store import Neo4jStore
from graphmem.model.changes import Decision, Wanted
from graphmem.model.scope import Scope
from graphmem.testing.builders import ANA, told, writing
from graphmem.testing.graph_store.base import begin, listed

pytestmark = pytest.mark.anyio

LONG = 1.0
LIMIT = 30.0


class Slow:
    """A decision that goes on when it may, or as long as its work takes."""

    def __init__(self, seconds: float | None = None) -> None:
        self.seconds = seconds
        self.begun, self.go_on = threading.Event(), threading.Event()
        self.ends = 0

    def __call__(self) -> Decision:
        try:
            yield Wanted(entity_keys=("rosa",))
            self.begun.set()
            if self.seconds is None:
                self.go_on.wait(LIMIT)
            else:
                until = time.monotonic() + self.seconds
                while time.monotonic() < until:
                    pass
            return told("1")
        finally:
            self.ends += 1


async def began(slow: Slow) -> None:
    await asyncio.to_thread(slow.begun.wait, LIMIT)


async def test_other_scopes_are_read_and_written_meanwhile(store: Neo4jStore) -> None:
    """Its store answers all other calls."""
    await begin(store)
    slow = Slow()
    bob = Scope("default", "bob")
    async with anyio.create_task_group() as group:
        group.start_soon(store.change, ANA, slow)
        await began(slow)
        with anyio.fail_after(LIMIT / 2):
            await store.change(bob, writing(told("2")))
            assert await store.number(bob) == 1
            assert await listed(store) == []
        slow.go_on.set()
    assert await listed(store) == ["f1"]


async def test_a_read_beside_a_busy_decision(store: Neo4jStore) -> None:
    """It does not wait for the end of a second's work."""
    await begin(store)
    slow = Slow(LONG)
    reads = 0
    async with anyio.create_task_group() as group:
        group.start_soon(store.change, ANA, slow)
        await began(slow)
        while not slow.ends:
            await store.number(Scope("default", "bob"))
            reads += not slow.ends
    assert reads >= 2


async def test_a_decision_that_is_cancelled(store: Neo4jStore) -> None:
    """It is waited for, nothing is written, and the scope is free."""
    await begin(store)
    slow = Slow()
    task = asyncio.create_task(store.change(ANA, slow))
    await began(slow)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    slow.go_on.set()
    await store.change(ANA, writing(told("2")))
    assert await listed(store) == ["f2"]
    assert slow.ends == 1


async def test_a_decision_that_fails(store: Neo4jStore) -> None:
    """Its error is the caller's, and nothing is written."""
    await begin(store)

    def decide() -> Decision:
        yield Wanted()
        raise KeyError("undecided")

    with pytest.raises(KeyError, match="undecided"):
        await store.change(ANA, decide)
    assert await listed(store) == []
