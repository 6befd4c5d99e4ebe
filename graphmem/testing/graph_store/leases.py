"""Several indexers: what one has in hand, another is not given."""

from __future__ import annotations

import time

import anyio

from graphmem.model.changes import ChangeSet
from graphmem.model.scope import Scope
from graphmem.model.search import PointKind
from graphmem.ports.graph_store import GraphStore
from graphmem.testing.builders import ANA, BOB, a_fact, an_entity, told
from graphmem.testing.graph_store.base import StoreTests, begin, write

CAS = Scope("default", "cas")
ONE, OTHER = "one", "other"
LONG = 600.0
SHORT = 0.6


async def practise(store: GraphStore) -> None:
    """Let a store do once what a server does slowly the first time, before moments count."""
    await store.lease(100, owner=ONE, seconds=LONG)
    await store.lease(100, owner=OTHER, seconds=LONG)
    await store.renew(owner=ONE, seconds=LONG)
    await store.release(ONE)
    await store.release(OTHER)


async def given(store: GraphStore, owner: str, limit: int = 100) -> set[Scope]:
    """Return the scopes whose rows an indexer gets."""
    due = await store.lease(limit, owner=owner, seconds=LONG)
    return {row.scope for row in due.rows}


class LeaseTests(StoreTests):
    """What indexers in several processes rely on."""

    async def test_rows_and_things(self, store: GraphStore) -> None:
        """An indexer is given the oldest rows of all scopes, with what they name."""
        await begin(store, told("1"))
        await begin(store, scope=BOB)
        due = await store.lease(100, owner=ONE, seconds=LONG)
        plain = await store.due(100)
        assert (due.rows, due.things) == (plain.rows, plain.things)
        assert (due.held, due.barred) == (frozenset(), False)
        assert (await store.lease(2, owner=ONE, seconds=LONG)).rows == plain.rows[:2]

    async def test_a_scope_in_hand(self, store: GraphStore) -> None:
        """Rows of a scope that one has in hand, later ones too, are not given to another."""
        await begin(store)
        assert await given(store, ONE) == {ANA}
        await write(store, told("1"))
        await begin(store, scope=BOB)
        due = await store.lease(100, owner=OTHER, seconds=LONG)
        assert {row.scope for row in due.rows} == {BOB}
        assert due.held == {ANA}
        assert await given(store, ONE) == {ANA}

    async def test_only_what_was_given(self, store: GraphStore) -> None:
        """Scopes whose rows did not fit the limit, or were settled before, are free."""
        await begin(store)
        await begin(store, scope=BOB)
        assert await given(store, ONE, limit=1) == {ANA}
        assert await given(store, OTHER) == {BOB}
        await store.settle([row.seq for row in await store.outbox(100) if row.scope == ANA])
        await begin(store, scope=CAS)
        assert await given(store, ONE) == {CAS}
        await write(store, told("1"))
        assert await given(store, OTHER) == {ANA, BOB}

    async def test_release(self, store: GraphStore) -> None:
        """What is let go of is given to others at once, and nothing else is."""
        await begin(store)
        await begin(store, scope=BOB)
        await given(store, ONE, limit=1)
        await given(store, OTHER)
        await store.release(OTHER)
        assert await given(store, "third") == {BOB}
        await store.release("third")
        await store.release(ONE)
        assert await given(store, "third") == {ANA, BOB}

    async def test_release_and_settle(self, store: GraphStore) -> None:
        """What was applied can be settled at the same go."""
        await begin(store, told("1"))
        due = await store.lease(2, owner=ONE, seconds=LONG)
        rows = await store.outbox(100)
        await store.release(ONE, settled=[row.seq for row in due.rows])
        assert await store.outbox(100) == rows[2:]
        assert await given(store, OTHER) == {ANA}

    async def test_running_out(self, store: GraphStore) -> None:
        """What was taken for a while is free afterwards, and its holder learns that it lost it."""
        await begin(store)
        await practise(store)
        await store.lease(100, owner=ONE, seconds=SHORT)
        assert await given(store, OTHER) == set()
        time.sleep(2 * SHORT)  # noqa: ASYNC251 - the store's clock is a real one
        assert await given(store, OTHER) == {ANA}
        await store.release(OTHER)
        assert await store.renew(owner=ONE, seconds=LONG) == 0

    async def test_renew(self, store: GraphStore) -> None:
        """What is renewed lasts from then on, also if it had run out and nobody took it."""
        await begin(store)
        await begin(store, scope=BOB)
        await practise(store)
        await store.lease(100, owner=ONE, seconds=SHORT)
        time.sleep(2 * SHORT)  # noqa: ASYNC251 - the store's clock is a real one
        assert await store.renew(owner=ONE, seconds=LONG) == 2
        assert await given(store, OTHER) == set()

    async def test_many_at_once(self, store: GraphStore) -> None:
        """However many ask at once, a scope is in one hand, and each row is given out once."""
        for number in range(8):
            await begin(store, told("1"), scope=Scope("default", f"user{number}"))
        wanted = {row.seq for row in await store.outbox(1000)}
        held: set[Scope] = set()
        applied: list[int] = []

        async def work(owner: str) -> None:
            while await store.backlog():
                due = await store.lease(4, owner=owner, seconds=LONG)
                scopes = {row.scope for row in due.rows}
                assert not scopes & held
                held.update(scopes)
                await anyio.sleep(0.001)
                held.difference_update(scopes)
                seqs = [row.seq for row in due.rows]
                applied.extend(seqs)
                await store.release(owner, settled=seqs)

        async with anyio.create_task_group() as group:
            for number in range(5):
                group.start_soon(work, f"indexer {number}")
        assert sorted(applied) == sorted(wanted)

    async def test_hold_a_scope(self, store: GraphStore) -> None:
        """A scope can be taken in hand without a row, if nobody else has it."""
        await begin(store)
        assert await store.hold(ANA, owner=ONE, seconds=LONG)
        assert await store.hold(ANA, owner=ONE, seconds=LONG)
        assert not await store.hold(ANA, owner=OTHER, seconds=LONG)
        assert await given(store, OTHER) == set()
        assert await store.hold(BOB, owner=OTHER, seconds=LONG)  # holds nothing
        await store.release(ONE)
        assert await store.hold(ANA, owner=OTHER, seconds=LONG)

    async def test_hold_all(self, store: GraphStore) -> None:
        """All scopes are kept from others at once, and are there when those have let go."""
        await begin(store)
        await begin(store, scope=BOB)
        assert await given(store, OTHER, limit=1) == {ANA}
        assert not await store.hold(None, owner=ONE, seconds=LONG)
        due = await store.lease(100, owner=OTHER, seconds=LONG)
        assert (due.rows, due.barred) == ((), True)
        assert not await store.hold(BOB, owner=OTHER, seconds=LONG)
        assert not await store.hold(None, owner=OTHER, seconds=LONG)
        await store.release(OTHER)
        assert await store.hold(None, owner=ONE, seconds=LONG)
        assert await given(store, ONE) == {ANA, BOB}
        assert await store.renew(owner=ONE, seconds=LONG) == 3
        assert await given(store, OTHER) == set()
        await store.release(ONE)
        assert await given(store, OTHER) == {ANA, BOB}

    async def test_erased_scope(self, store: GraphStore) -> None:
        """Rows that remove the points of an erased scope are given out like others."""
        await begin(store, told("1"))
        await store.erase_scope(ANA)
        due = await store.lease(100, owner=ONE, seconds=LONG)
        assert {row.scope for row in due.rows} == {ANA}
        assert {name for row in due.rows for name in row.removed} >= {"f1/1", "self"}
        assert await given(store, OTHER) == set()

    async def test_parked(self, store: GraphStore) -> None:
        """A parked row is passed over and says why; the rest goes on."""
        await begin(store, told("1"))
        rows = await store.outbox(100)
        bad = rows[1]
        await store.park(bad.seq, "it bites")
        rest = [row for row in rows if row != bad]
        assert await store.outbox(100) == rest
        assert [*(await store.due(100)).rows] == rest
        assert [*(await store.lease(100, owner=ONE, seconds=LONG)).rows] == rest
        assert await store.backlog() == len(rest)
        (parked,) = await store.parked(100)
        assert (parked.seq, parked.id, parked.parked) == (bad.seq, bad.id, "it bites")

    async def test_unpark(self, store: GraphStore) -> None:
        """Parked rows are brought back, of one scope or of all."""
        await begin(store)
        await begin(store, scope=BOB)
        rows = await store.outbox(100)
        for row in rows:
            await store.park(row.seq, "why not")
        assert len(await store.parked(1)) == 1
        assert await store.unpark(BOB) == 1
        assert [row.scope for row in await store.outbox(100)] == [BOB]
        assert await store.unpark() == 1
        assert await store.outbox(100) == rows
        assert await store.parked(100) == []

    async def test_parked_thing_that_changes(self, store: GraphStore) -> None:
        """A thing that changes, or is queued anew, is tried again."""
        await begin(store, told("1"), ChangeSet(entities=(an_entity("rosa"),)))
        for row in await store.outbox(100):
            await store.park(row.seq, "why not")
        await write(store, ChangeSet(facts=(a_fact(record="f1/2"),)))
        assert [(row.kind, row.id) for row in await store.outbox(100)] == [(PointKind.FACT, "f1")]
        assert len(await store.parked(100)) == 3
        await store.requeue()
        assert await store.parked(100) == []
        assert await store.backlog() == 4
