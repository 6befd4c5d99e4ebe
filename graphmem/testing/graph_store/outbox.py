"""The outbox: what the index has yet to learn."""

from __future__ import annotations

from graphmem.model.changes import ChangeSet, GaveWay, Rests
from graphmem.model.search import PointKind
from graphmem.ports.graph_store import GraphStore
from graphmem.testing.builders import ANA, BOB, a_fact, an_entity, told
from graphmem.testing.graph_store.base import StoreTests, begin, write


async def pending(store: GraphStore) -> list[tuple[PointKind, str]]:
    """Return what the rows name, oldest first."""
    return [(row.kind, row.id) for row in await store.outbox(1000)]


async def settle_all(store: GraphStore) -> None:
    """Apply every row."""
    await store.settle([row.seq for row in await store.outbox(10_000)])


class OutboxTests(StoreTests):
    """What the indexer relies on."""

    async def test_one_row_a_thing(self, store: GraphStore) -> None:
        """Every episode, entity and fact of a change has a row with its scope and number."""
        number = (await begin(store, told("1")))[-1].number
        rows = await store.outbox(10)
        assert {(row.kind, row.id) for row in rows} == {
            (PointKind.ENTITY, "self"),
            (PointKind.CHUNK, "e1"),
            (PointKind.FACT, "f1"),
        }
        assert {row.change for row in rows if row.kind is PointKind.FACT} == {number}
        assert {row.scope for row in rows} == {ANA}

    async def test_touched_facts(self, store: GraphStore) -> None:
        """A revision, a corroboration and a fact that gave way are rows too."""
        await begin(store, told("1"), told("2"), told("3"))
        await settle_all(store)
        change = ChangeSet(
            facts=(a_fact("f1", record="f1/2"),),
            rests=(Rests("f2", ("c2", "c1")),),
            gave_way=(GaveWay("f3", None),),
        )
        await write(store, change)
        assert {name for _, name in await pending(store)} == {"f1", "f2", "f3"}

    async def test_coalesced(self, store: GraphStore) -> None:
        """A thing that changes again before it was indexed has one row, the newest."""
        await begin(store, told("1"))
        last = await write(store, ChangeSet(facts=(a_fact(record="f1/2"),)))
        rows = [row for row in await store.outbox(10) if row.kind is PointKind.FACT]
        assert [(row.id, row.change) for row in rows] == [("f1", last.number)]

    async def test_refused_change(self, store: GraphStore) -> None:
        """An empty change writes no row."""
        await begin(store)
        before = await store.backlog()
        await write(store, ChangeSet())
        assert await store.backlog() == before

    async def test_pages(self, store: GraphStore) -> None:
        """Rows are read oldest first, behind a number, so many at most."""
        await begin(store, told("1"), told("2"))
        rows = await store.outbox(100)
        assert [row.seq for row in rows] == sorted(row.seq for row in rows)
        assert await store.outbox(2) == rows[:2]
        assert await store.outbox(100, after=rows[1].seq) == rows[2:]

    async def test_due(self, store: GraphStore) -> None:
        """The oldest rows come with what they name in their own scope, gone things apart."""
        await begin(store, told("1"))
        await settle_all(store)
        await begin(store, told("2"), scope=BOB)
        await write(store, ChangeSet(entities=(an_entity("rosa"),)))
        rows = await store.outbox(100)
        due = await store.due(100)
        assert [*due.rows] == rows
        assert (await store.due(1)).rows == due.rows[:1]
        assert due.things.keys() == {ANA, BOB}
        for scope, things in due.things.items():
            of = {
                kind: [r.id for r in rows if (r.scope, r.kind) == (scope, kind)]
                for kind in PointKind
            }
            assert things == await store.things(
                scope,
                facts=of[PointKind.FACT],
                episodes=of[PointKind.CHUNK],
                entities=of[PointKind.ENTITY],
            )
        await store.erase_scope(BOB)
        assert (await store.due(100)).things[BOB].episodes == ()

    async def test_settle(self, store: GraphStore) -> None:
        """A settled row is gone; one written since stays."""
        await begin(store, told("1"))
        rows = await store.outbox(100)
        await write(store, ChangeSet(facts=(a_fact(record="f1/2"),)))
        await store.settle([row.seq for row in rows])
        assert await pending(store) == [(PointKind.FACT, "f1")]
        assert await store.backlog() == 1

    async def test_numbers_are_not_reused(self, store: GraphStore) -> None:
        """A new row's number is above all that ever were."""
        await begin(store)
        last = (await store.outbox(10))[-1].seq
        await settle_all(store)
        await write(store, ChangeSet(entities=(an_entity("rosa"),)))
        assert (await store.outbox(10))[0].seq > last

    async def test_requeue(self, store: GraphStore) -> None:
        """Requeueing writes a row for every record, once, of one scope or of all."""
        await begin(store, told("1"), ChangeSet(facts=(a_fact(record="f1/2"),)))
        await begin(store, scope=BOB)
        await settle_all(store)
        assert await store.requeue(ANA) == 3
        assert await store.backlog() == 3
        assert await store.requeue() == 4
        assert await store.backlog() == 4
