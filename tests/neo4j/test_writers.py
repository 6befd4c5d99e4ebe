"""Many writers at once, and what becomes of a change whose acknowledgement is lost."""

from __future__ import annotations

import asyncio
import threading
from dataclasses import replace

import anyio
import pytest

from graphmem.adapters.neo4j.looking import look
from graphmem.adapters.neo4j.store import Neo4jStore
from graphmem.adapters.neo4j.tx import Tx
from graphmem.adapters.system.clock import SystemClock
from graphmem.model.changes import Changed, ChangeSet, Decision, Wanted
from graphmem.model.scope import Scope
from graphmem.testing.builders import ANA, T0, an_entity, told, writing
from graphmem.testing.graph_store.base import begin, listed
from tests.services.neo4j_server import Address
from tests.services.proxy import COMMIT, Proxy
from tests.services.stores import open_store

pytestmark = pytest.mark.anyio

WRITERS = 16


def counting(number: int) -> ChangeSet:
    """Return a change that touches what all the others of its scope touch too."""
    people = (an_entity(), an_entity("rosa", aliases=(f"Rosa {number}",)))
    return replace(told(str(number), said=T0 + number), entities=people)


async def test_writers_of_one_scope(neo4j: Address) -> None:
    """Writers of one scope, from several stores, queue; none is lost, doubled or begun anew."""
    stores = [open_store(neo4j, SystemClock()) for _ in range(4)]
    for store in stores:  # none is to wait for the schema, nor to repeat what makes it
        await store.scopes()
    before = sum(store.connection.counts.retries for store in stores)
    done: list[Changed] = []

    async def run(number: int) -> None:
        for turn in range(2):
            store = stores[number % len(stores)]
            done.append(await store.change(ANA, writing(counting(2 * number + turn))))

    async with anyio.create_task_group() as group:
        for number in range(WRITERS):
            group.start_soon(run, number)
    assert sorted(one.number for one in done) == list(range(1, 2 * WRITERS + 1))
    assert len({one.at for one in done}) == 2 * WRITERS
    assert sum(store.connection.counts.retries for store in stores) == before
    for store in stores:
        await store.close()


async def test_writers_of_many_scopes(store: Neo4jStore) -> None:
    """Writers of different scopes share no lock."""
    scopes = [Scope("default", f"user {number}") for number in range(40)]

    async def run(first: int) -> None:
        for scope in scopes[first::WRITERS]:
            for number in range(2):
                await store.change(scope, writing(counting(number)))

    async with anyio.create_task_group() as group:
        for first in range(WRITERS):
            group.start_soon(run, first)
    assert len(await store.scopes()) == len(scopes)
    assert store.connection.counts.retries == 0


async def test_a_scope_does_not_wait_for_another(store: Neo4jStore, neo4j: Address) -> None:
    """While one scope's change is open, another's is committed."""
    other = open_store(neo4j, SystemClock())
    await begin(store)
    holds, done = anyio.Event(), threading.Event()
    loop = asyncio.get_running_loop()

    async def hold() -> None:
        async def work(tx: Tx) -> None:
            await look(tx, ANA, Wanted())
            loop.call_soon_threadsafe(holds.set)
            await asyncio.to_thread(done.wait, 20)

        await store.connection.write(work)

    async with anyio.create_task_group() as group:
        group.start_soon(hold)
        await holds.wait()
        with anyio.fail_after(10):
            await other.change(Scope("default", "bob"), writing(counting(1)))
        done.set()
    await other.close()


async def test_an_empty_change_leaves_nothing(store: Neo4jStore) -> None:
    """A scope at which somebody only looked has no node."""

    def decide() -> Decision:
        yield Wanted(entity_keys=("rosa",))
        return ChangeSet()

    await store.change(ANA, decide)
    assert await store.connection.execute("MATCH (s:Scope) RETURN s.key AS key") == []


@pytest.mark.parametrize("change_id", [None, "once"])
async def test_lost_acknowledgement(neo4j: Address, change_id: str | None) -> None:
    """A change whose acknowledgement is lost is applied once, and its result is the same."""
    with Proxy(neo4j.url) as proxy:
        store = open_store(replace(neo4j, url=proxy.url), SystemClock())
        await begin(store)
        proxy.cut(COMMIT, late=True)
        changed = await store.change(ANA, writing(told("1")), change_id=change_id)
        assert proxy.cuts == 1
        assert (changed.number, changed.changes) == (2, told("1"))
        assert await listed(store) == ["f1"]
        await store.close()


async def test_lost_commit(neo4j: Address) -> None:
    """A change whose commit never arrived is applied by the next try."""
    with Proxy(neo4j.url) as proxy:
        store = open_store(replace(neo4j, url=proxy.url), SystemClock())
        await begin(store)
        proxy.cut(COMMIT, late=False)
        assert (await store.change(ANA, writing(told("1")))).number == 2
        assert (proxy.cuts, await listed(store)) == (1, ["f1"])
        await store.close()
