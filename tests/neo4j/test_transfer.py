"""What a memory in SQLite holds goes to Neo4j and back, row for row; and what stands in its way."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from benchmarks.stories import read
from graphmem import Memory
from graphmem.adapters.neo4j import scopes, transfer
from graphmem.adapters.neo4j.store import Neo4jStore
from graphmem.adapters.sqlite import SqliteStore
from graphmem.errors import TransferError
from graphmem.model.changes import ChangeSet, Erased
from graphmem.model.rows import Row
from graphmem.model.scope import Scope
from graphmem.ports.graph_store import GraphStore
from graphmem.testing.builders import ANA, BOB, a_fact, an_entity, an_episode, told
from graphmem.testing.clock import FrozenClock
from graphmem.testing.embedders import HashEmbedder
from graphmem.testing.graph_store.base import begin, write
from tests.engine.kit import the
from tests.services.neo4j_server import Address
from tests.services.stores import connect

STORIES = [story for story in read(None) if len(story["turns"]) > 1][::40]
"""Some dated stories."""
LIVED = Scope("default", "lived")


@pytest.fixture(scope="module")
def memory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a memory in which some users told a good deal."""
    folder = tmp_path_factory.mktemp("told") / "memory"
    clock = FrozenClock()
    with Memory(folder, clock=clock, embedder=HashEmbedder()) as mem:
        for story in STORIES:
            for turn in story["turns"]:
                clock.advance()
                mem.add(turn["text"], user=story["id"], session="s", occurred_at=turn["at"])
        _live(mem, clock)
    return folder


def _live(mem: Memory, clock: FrozenClock) -> None:
    """Tell what leaves a row of every kind behind."""
    user = LIVED.user
    for turn in (
        "I'm allergic to mango and I live in Hangzhou. 𐐀 is a letter.",
        "I've moved to Lisbon.",
        "My sister Tilda lives in Cork.",
        "I no longer live in Lisbon.",
    ):
        clock.advance()
        mem.add(turn, user=user, session="s1", agent="guide")
    (sister,) = mem.facts(user=user, predicate="lives_in", subject="Tilda").items
    mem.correct(sister.id, user=user, object="Porto")
    (gone, kept) = [the(mem.add_fact("me", "likes", what, user=user)) for what in ("opera", "tea")]
    mem.retract(gone.id, user=user, reason="a joke")
    mem.retract(kept.id, user=user)
    mem.restore(kept.id, user=user)
    clock.advance()
    mem.add_fact("Tilda Berg", "visited", "Riga", user=user)
    mem.add_fact("Tilda", "visited", "Riga", user=user)
    mem.merge(["Tilda Berg"], into="Tilda", user=user)


@pytest.fixture
def sqlite(memory: Path) -> Iterator[SqliteStore]:
    """Return the store of that memory."""
    store = SqliteStore.open(memory / "graph.sqlite3", FrozenClock())
    yield store
    asyncio.run(store.close())


async def exported(store: GraphStore, scope: Scope) -> list[str]:
    """Return a scope as the lines of an export."""
    return [json.dumps(row, ensure_ascii=False) async for row in store.export(scope)]


async def moved(rows: list[str], store: GraphStore, scope: Scope, *, seed: int) -> int:
    """Load rows in batches of any size; return how many were new."""
    sizes = Random(seed)  # noqa: S311 - an order, not a secret
    new = start = 0
    while start < len(rows):
        size = sizes.choice((1, 7, 500))
        new += await store.load(scope, [json.loads(row) for row in rows[start : start + size]])
        start += size
    return new


@pytest.mark.anyio
async def test_there_and_back(sqlite: SqliteStore, store: Neo4jStore, tmp_path: Path) -> None:
    """Exports of both stores are equal to the byte, wherever the rows have been."""
    back = SqliteStore.open(tmp_path / "back.sqlite3", FrozenClock())
    kinds: set[str] = set()
    for seed, scope in enumerate(await sqlite.scopes()):
        rows = await exported(sqlite, scope)
        kinds |= {json.loads(row)["kind"] for row in rows}
        assert await moved(rows, store, scope, seed=seed) == len(rows)
        assert await exported(store, scope) == rows
        assert await moved(rows, back, scope, seed=seed + 1) == len(rows)
        assert await exported(back, scope) == rows
    assert kinds == {"scope", *transfer.KINDS}
    assert await store.check() == []
    await back.close()


@pytest.mark.anyio
async def test_a_load_goes_on(sqlite: SqliteStore, store: Neo4jStore) -> None:
    """Rows that came twice, in other batches, are there once, and the counts agree."""
    rows = await exported(sqlite, LIVED)
    half = len(rows) * 2 // 3
    await moved(rows[:half], store, LIVED, seed=1)
    assert await moved(rows, store, LIVED, seed=2) == len(rows) - half
    assert await exported(store, LIVED) == rows
    assert await store.check() == []


@pytest.mark.anyio
@pytest.mark.parametrize("tries", [0, 2], ids=["their writers wait", "they go on"])
async def test_an_export_while_others_write(
    store: Neo4jStore, monkeypatch: pytest.MonkeyPatch, tries: int
) -> None:
    """An export is of one instant, whether its readings meet changes or keep them waiting."""
    await begin(store, told("1"))
    monkeypatch.setattr(transfer, "_BATCH", 1)
    monkeypatch.setattr(scopes, "_TRIES", tries)
    number = 0
    rows: list[Row] = []

    async def keep_writing() -> None:
        nonlocal number
        while True:
            number += 1
            await write(store, told(f"w{number}"))

    task = asyncio.create_task(keep_writing())
    try:
        async with asyncio.timeout(60):
            rows = [row async for row in store.export(ANA)]
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
    last = rows[0]["number"]
    assert [row["number"] for row in rows if row["kind"] == "change"] == [*range(1, last + 1)]
    count = len([row for row in rows if row["kind"] == "episode"])
    for kind in ("claim", "link", "fact", "rests"):
        assert len([row for row in rows if row["kind"] == kind]) == count


@pytest.mark.anyio
@pytest.mark.parametrize(
    "row",
    [
        {"kind": "entity", "id": "other", "key": "self"},
        {"kind": "fact", "record": "f1/9"},
        {"kind": "link", "created_at": 5},
        {"kind": "episode", "id": "e8", "key": "k1"},
        {"kind": "suggestion", "id": "s9", "first": "nobody"},
        {"kind": "rests", "created_at": 9, "expired_at": 9},
    ],
    ids=lambda row: str(row["kind"]),
)
async def test_what_does_not_fit(store: Neo4jStore, row: Row) -> None:
    """A row that contradicts what is there is refused, and nothing of its batch is written."""
    suggestion = {"kind": "suggestion", "second": "self", "reason": "", "state": "open"}
    episode = an_episode("e9", key="k1")
    await begin(store, told("1"), ChangeSet(episodes=(episode,)))
    rows = [json.loads(line) for line in await exported(store, ANA)]
    like = next(
        (one for one in rows if one["kind"] == row["kind"]), {**suggestion, "created_at": 1}
    )
    change = {"kind": "change", "number": 99, "at": 99, "change_id": None}
    with pytest.raises(TransferError, match="does not fit"):
        await store.load(ANA, [change, {**like, **row}])
    assert [json.loads(line) for line in await exported(store, ANA)] == rows


@pytest.mark.anyio
async def test_check_finds_what_is_wrong(store: Neo4jStore, neo4j: Address) -> None:
    """What somebody broke by hand is told in words, of each kind."""
    rosa = an_entity("rosa", "Rosa")
    await begin(store, ChangeSet(entities=(rosa,)), told("1"), told("2"), told("3"))
    await begin(store, told("1"), scope=BOB)
    assert await store.check() == []
    connection = connect(neo4j)
    for text in (
        "MATCH (f:Fact {id: 'f1'})-[r:RESTS_ON]->() DELETE r",
        "MATCH (c:Claim {id: 'c2'})-[k:ABOUT]->() DELETE k",
        "MATCH (f:Fact {id: 'f2'}) REMOVE f.terms",
        "MATCH (f:Fact {id: 'f3'})<-[r:SUBJECT_OF]-() DELETE r",
        "MATCH (n:Name)-[r:NAMES]->(:Entity {id: 'rosa'}) DELETE r",
        "MATCH (:Chunk)-[r:PART_OF]->(:Episode {id: 'e3'}) DELETE r",
        "MATCH (a:Entity {id: 'rosa'}) CREATE (a)-[:RELATES_TO {fact_id: 'f9'}]->(a)",
        "MATCH (s:Scope) SET s.points = s.points + 1",
        "MATCH (t:Term) WITH t LIMIT 1 SET t.records = 77",
        "CREATE (:Entity {sid: 'gone', id: 'stray', key: 'stray'})",
    ):
        await connection.execute(text)
    await connection.close()
    found = "\n".join(await store.check())
    for words in (
        "the fact f1 rests on no claim",
        "the claim c2 has no live link",
        "the record f2/1 has no keywords",
        "the fact f3 lies between other things",
        "the entity rosa is found by other names",
        "is of nothing",
        "the episode e3 has no keywords",
        "the keywords of e3#0 are of something",
        "the fact f9 has a relationship",
        "0 facts should have a relationship between their things, and 1 have one",
        "records with keywords where there are",
        "a scope counts a term 77 times",
        "things of a scope that is not there",
    ):
        assert words in found


@pytest.mark.anyio
async def test_an_erasure_that_was_cut_off(
    store: Neo4jStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An erased scope of more than one batch, cut off in its middle, is told and removed whole."""
    monkeypatch.setattr("graphmem.adapters.neo4j.sweep._BATCH", 2)
    await begin(store, *(told(str(number)) for number in range(5)))
    await write(store, ChangeSet(facts=(a_fact("f1", record="f1/2"),)))
    await store.settle([row.seq for row in await store.outbox(1000)])

    async def cut(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("graphmem.adapters.neo4j.sweep._tell_all", cut)
        with pytest.raises(KeyboardInterrupt):
            await store.erase_scope(ANA)
    assert await store.scopes() == []
    assert await store.backlog() == 2
    swept = await store.sweep()
    rows = await store.outbox(1000)
    assert {point for row in rows for point in row.removed} == {
        *(f"f{number}/1" for number in range(5)),
        *("f1/2", "self"),
        *(f"e{number}#{0}" for number in range(5)),
    }
    assert len(rows) == 11
    assert len(swept.waiting) == 2
    await store.settle([row.seq for row in rows])
    assert len((await store.sweep()).waiting) == 1
    left = await store.connection.execute(
        "MATCH (n) WHERE NOT n:Migration AND NOT n:Meta AND NOT n:GraphmemTests RETURN n"
    )
    assert left == []


@pytest.mark.anyio
async def test_an_erased_turn_is_not_said_to_be_gone(store: Neo4jStore) -> None:
    """After an erasure of any size each sweep says that the server may keep it, for good."""
    await begin(store, told("1"))
    assert (await store.sweep()).waiting == ()
    await write(store, ChangeSet(erased=Erased(episodes=("e1",), facts=("f1",), claims=("c1",))))
    first = (await store.sweep()).waiting
    assert len(first) == 1
    await store.erase_scope(ANA)
    await store.settle([row.seq for row in await store.outbox(1000)])
    assert (await store.sweep()).waiting == first == (await store.sweep()).waiting
