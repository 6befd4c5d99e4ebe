"""From the outbox to the index."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Sequence
from dataclasses import replace

import anyio
import pytest

from graphmem.adapters.qdrant.edge import EdgeIndex
from graphmem.errors import EmbedderError
from graphmem.model.changes import Blanked, ChangeSet, Erased
from graphmem.model.ontology import default_ontology
from graphmem.model.scope import opaque
from graphmem.model.search import PointKind, PointRef
from graphmem.model.time import FOREVER, Bound, Interval
from graphmem.ports.embedder import Vector
from graphmem.testing.builders import ANA, BOB, T0, T1, an_entity, an_episode, told
from graphmem.testing.embedders import HashEmbedder
from graphmem.testing.points import everything, ids
from graphmem.usecases.indexing import Indexer
from tests.index.house import House

pytestmark = pytest.mark.anyio

TEA = "Ana drinks green tea."
CHESS = "Ana plays chess."


def said(id: str, statement: str, **changes: object) -> ChangeSet:
    """Return a turn with a fact whose records are ``fID/1``, ``fID/2``."""
    return told(id, subject="self-ana", statement=statement, **changes)  # pyright: ignore[reportArgumentType]


def again(change: ChangeSet, record: str, **changes: object) -> ChangeSet:
    """Return the change that gives the fact of ``change`` a new record."""
    (fact,) = change.facts
    return ChangeSet(facts=(replace(fact, record=record, **changes),))


async def test_what_is_written_is_found_by_vector_and_by_word(house: House) -> None:
    """A fact, its turn and an entity are points after one drain."""
    await house.write(said("1", TEA), said("2", CHESS))
    await house.write(ChangeSet(entities=(an_entity("rosa", "Rosa Quill"),)))
    state = await house.indexer.drain()
    assert (state.backlog, state.unembedded, state.notes) == (0, 0, ())
    assert await house.near("who drinks tea?") == ["f1/1", "f2/1"]
    assert await house.by_word("green tea") == ["f1/1", "e1#0"]
    assert await house.by_word("quill") == ["rosa"]


async def test_a_record_that_left_stays_and_is_filtered(house: House) -> None:
    """Old records are points too, found when asked as of then."""
    change = said("1", TEA)
    await house.write(change)
    then = house.clock.at
    ended = Interval(Bound(T0, T0), Bound(T1, T1))
    await house.write(again(change, "f1/2", interval=ended))
    await house.indexer.drain()
    (vector,) = await house.embedder.queries(["tea"])
    facts = everything(kinds=frozenset({PointKind.FACT}))
    assert ids(await house.index.dense(vector, facts, 9)) == ["f1/2"]
    assert ids(await house.index.dense(vector, replace(facts, known_at=then), 9)) == ["f1/1"]
    assert ids(await house.index.dense(vector, replace(facts, valid=(T1, T1)), 9)) == []


async def test_known_words_are_not_embedded_again(house: House) -> None:
    """A new record with the old statement uses the vector that is there."""
    change = said("1", TEA)
    await house.write(change)
    await house.indexer.drain()
    house.embedder.embedded.clear()
    await house.write(again(change, "f1/2", confidence=0.5))
    await house.indexer.drain()
    assert house.embedder.embedded == []
    assert await house.near("tea") == ["f1/2"]


async def test_applying_twice_changes_nothing(house: House) -> None:
    """Rows may be lost after they were applied."""
    await house.write(said("1", TEA))
    await house.indexer.drain()
    before = sorted(await house.index.points([*await house.listed()]), key=lambda p: p.ref.id)
    await house.store.requeue()
    await house.indexer.drain()
    after = sorted(await house.index.points([*await house.listed()]), key=lambda p: p.ref.id)
    assert [p.ref for p in after] == [p.ref for p in before]
    assert [replace(p.payload, change=0) for p in after] == [
        replace(p.payload, change=0) for p in before
    ]


async def test_payloads_hold_no_words(house: House) -> None:
    """Of labels, names and unknown predicates only opaque keys are stored."""
    words = "zanzibar"
    change = said("1", f"Ana {words}.", predicate=f"likes_{words}", session=words, agent=words)
    await house.write(change)
    await house.indexer.drain()
    await house.index.close()
    files = [path for path in (house.folder / "index").rglob("*") if path.is_file()]
    assert files
    assert not [path for path in files if words.encode() in path.read_bytes()]


async def test_labels_can_be_filtered(house: House) -> None:
    """A fact carries the sessions and agents of the turns it rests on."""
    await house.write(said("1", TEA, session="s1", agent="a1"), said("2", CHESS, session="s2"))
    await house.indexer.drain()
    (vector,) = await house.embedder.queries(["tea"])
    facts = everything(kinds=frozenset({PointKind.FACT}))
    by_session = replace(facts, sessions=frozenset({opaque(ANA, "session", "s1")}))
    by_agent = replace(facts, agents=frozenset({opaque(ANA, "agent", "a1")}))
    assert ids(await house.index.dense(vector, by_session, 9)) == ["f1/1"]
    assert ids(await house.index.dense(vector, by_agent, 9)) == ["f1/1"]


async def test_scopes_never_mix(house: House) -> None:
    """Each point belongs to the scope of its record."""
    await house.write(said("1", TEA))
    await house.write(told("2", subject="self-bob", statement=TEA), scope=BOB)
    await house.indexer.drain()
    assert await house.near("tea", ANA) == ["f1/1"]
    assert await house.near("tea", BOB) == ["f2/1"]


async def test_erased_things_leave_the_index(house: House) -> None:
    """Points of what was erased are removed, shortened turns are written anew."""
    turn = an_episode("long", "I drink tea. " * 60)
    await house.write(said("1", TEA), said("2", CHESS), ChangeSet(episodes=(turn,)))
    await house.indexer.drain()
    assert PointRef(PointKind.CHUNK, "long#1") in await house.listed()
    erased = Erased(
        facts=("f1",), claims=("c1",), episodes=("e1",), blanked=(Blanked("long", "x"),)
    )
    await house.write(ChangeSet(erased=erased))
    await house.indexer.drain()
    left = {ref.id for ref in await house.listed()}
    assert left == {"f2/1", "e2#0", "long#0", "self-ana"}


async def test_an_erased_scope_leaves_the_index(house: House) -> None:
    """Nothing of an erased user is a point; others stay."""
    await house.write(said("1", TEA))
    await house.write(told("2", subject="self-bob", statement=TEA), scope=BOB)
    await house.indexer.drain()
    await house.store.erase_scope(ANA)
    await house.indexer.drain()
    assert {ref.id for ref in await house.listed()} == {"f2/1", "e2#0", "self-bob"}


async def test_a_merged_entity_has_no_point(house: House) -> None:
    """What was merged away is found under what took its place."""
    rosa, rosie = an_entity("rosa", "Rosa"), an_entity("rosie", "Rosie")
    await house.write(ChangeSet(entities=(rosa, rosie)))
    await house.indexer.drain()
    merged = replace(rosie, merged_into="rosa"), replace(rosa, aliases=("Rosie",))
    await house.write(ChangeSet(entities=merged))
    await house.indexer.drain()
    assert await house.by_word("Rosie") == ["rosa"]


async def test_while_the_embedder_is_down_records_are_found_by_word(house: House) -> None:
    """Nothing waits for the embedder, and the state says what is missing."""
    await house.indexer.drain()
    await house.index.count()
    house.embedder.down = True
    await house.write(said("1", TEA))
    state = await house.indexer.drain()
    assert (state.backlog, state.unembedded) == (0, 3)
    assert "the embedder is down" in state.notes[0]
    assert await house.by_word("green tea") == ["f1/1", "e1#0"]


async def test_what_was_written_without_vectors_gets_them_by_itself(house: House) -> None:
    """Once the embedder answers again, the next drain embeds what is owed, in any process."""
    await house.index.count()
    house.embedder.down = True
    indexer = house.indexer
    await house.write(said("1", TEA), said("2", CHESS))
    await indexer.drain()
    house.embedder.down = False
    await indexer.drain()
    assert await house.near("tea") == []  # it is left alone for a while
    other = house.indexer
    await other.drain()
    assert await house.near("tea") == ["f1/1", "f2/1"]
    house.embedder.embedded.clear()
    await other.drain()
    assert house.embedder.embedded == []


async def test_what_was_written_without_an_embedder_is_embedded_by_the_next_one(
    house: House,
) -> None:
    """A process that has none owes the vectors to one that has."""
    await house.write(said("1", TEA))
    await house.indexer.drain()
    await house.write(said("2", CHESS))
    await Indexer(house.store, house.index, None, default_ontology()).drain()
    assert await house.near("chess") == ["f1/1"]
    await house.indexer.drain()
    assert await house.near("chess") == ["f2/1", "f1/1"]


class Picky(HashEmbedder):
    """Fails for one word."""

    async def documents(self, texts: Sequence[str]) -> list[Vector]:
        if any("chess" in text for text in texts):
            raise EmbedderError("no chess")
        return await super().documents(texts)


async def test_one_text_that_cannot_be_embedded_does_not_stop_the_others(house: House) -> None:
    """The rest of its batch has vectors."""
    await house.write(said("1", TEA), said("2", CHESS), said("3", "Ana swims."))
    picky = Indexer(house.store, house.index, Picky(), default_ontology())
    state = await picky.drain()
    assert (state.backlog, state.unembedded) == (0, 2)
    assert await house.near("swims") == ["f3/1", "f1/1"]


async def test_while_the_index_is_away_rows_wait(house: House) -> None:
    """The state says why, and the next drain catches up."""
    (house.folder / "index").write_text("in the way")
    await house.write(said("1", TEA))
    state = await house.indexer.drain()
    assert (state.applied, state.backlog) == (0, 3)
    assert "cannot be opened" in state.notes[0]
    (house.folder / "index").unlink()
    assert (await house.indexer.drain()).applied == 3
    assert await house.near("tea") == ["f1/1"]


async def test_an_index_that_comes_later_is_filled(house: House) -> None:
    """A memory of keywords and graph alone owes nothing; the first index gets everything."""
    await house.write(said("1", TEA))
    state = await Indexer(house.store, None, None, default_ontology()).drain()
    assert (state.applied, state.backlog, state.notes) == (0, 0, ("there is no vector index",))
    assert (await house.indexer.drain()).applied == 3
    assert await house.near("tea") == ["f1/1"]


async def test_an_index_whose_folder_was_lost_is_filled_again(house: House) -> None:
    """Where nothing waits and the index is empty, everything is written anew."""
    await house.write(said("1", TEA))
    await house.indexer.drain()
    await house.index.close()
    shutil.rmtree(house.folder / "index")
    house.index = EdgeIndex(house.folder / "index", house.embedder)
    state = await house.indexer.drain()
    assert (state.applied, state.backlog) == (3, 0)
    assert await house.near("tea") == ["f1/1"]


async def test_a_drain_can_be_limited(house: House) -> None:
    """Long backlogs are applied piece by piece."""
    await house.write(*(said(str(number), TEA) for number in range(4)))
    state = await house.indexer.drain(limit=3)
    assert (state.applied, state.backlog) == (3, 6)
    state = await house.indexer.drain(seconds=0)
    assert (state.applied, state.backlog) == (6, 0)


async def test_drains_from_several_threads_and_loops_do_not_disturb_each_other(
    house: House,
) -> None:
    """Each waits for its turn, and all rows are applied."""
    await house.write(*(said(str(number), f"Ana drinks tea {number}.") for number in range(30)))
    threads = [threading.Thread(target=anyio.run, args=(house.indexer.drain,)) for _ in range(4)]
    for thread in threads:
        thread.start()
    async with anyio.create_task_group() as group:
        for _ in range(4):
            group.start_soon(house.indexer.drain)
    for thread in threads:
        await anyio.to_thread.run_sync(thread.join)
    assert await house.store.backlog() == 0
    assert len(await house.near("tea")) == 30


async def test_a_waiting_drain_can_be_cancelled(house: House) -> None:
    """Who gives up waiting holds nobody up."""
    async with house.indexer.turn():
        with anyio.move_on_after(0.05) as scope:
            await house.indexer.drain()
    assert scope.cancelled_caught
    assert (await house.indexer.drain()).backlog == 0


async def test_live_records_have_no_end_in_the_index(house: House) -> None:
    """Instants beyond what the index tells apart are clamped."""
    await house.write(said("1", TEA))
    await house.indexer.drain()
    (point,) = await house.index.points([PointRef(PointKind.FACT, "f1/1")])
    assert FOREVER > 2**53
    assert (point.payload.expired_at, point.payload.reads_until) == (2**53, 2**53)
    assert point.payload.reads_from == T0
