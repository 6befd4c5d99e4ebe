"""What is kept in mind of records that were written without an index, or without vectors."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from graphmem.adapters.qdrant.server import ServerIndex
from graphmem.adapters.sqlite.store import SqliteStore
from graphmem.errors import StoreUnavailableError
from graphmem.model.changes import ChangeSet
from graphmem.model.ontology import default_ontology
from graphmem.model.scope import Scope
from graphmem.ports.graph_store import OutboxRow
from graphmem.testing.builders import ANA, an_entity, told, writing
from graphmem.testing.clock import FrozenClock
from graphmem.testing.embedders import HashEmbedder
from graphmem.usecases import owed
from graphmem.usecases.indexing import SPARED, Indexer
from graphmem.usecases.owed import OWED, Owed, What
from tests.index.qdrant_http import QdrantServer

pytestmark = pytest.mark.anyio

Work = Callable[[], Awaitable[None]]


class Watched(SqliteStore):
    """Counts what is asked of it, and does something while everything is written anew."""

    asked: Counter[str]
    before: Work | None = None
    after: Work | None = None

    async def outbox(self, limit: int, after: int = 0) -> list[OutboxRow]:
        self.asked["outbox"] += 1
        return await super().outbox(limit, after)

    async def set_meta(self, key: str, value: str) -> None:
        self.asked["note"] += 1
        await super().set_meta(key, value)

    async def swap_meta(self, key: str, before: str, value: str) -> bool:
        self.asked["note"] += 1
        return await super().swap_meta(key, before, value)

    async def requeue(self, scope: Scope | None = None) -> int:
        if self.before is not None:
            await self.before()
        written = await super().requeue(scope)
        if self.after is not None:
            await self.after()
        self.before = self.after = None
        return written


@dataclass
class Both:
    """A store; the same as another process has it, without an index; and an index."""

    store: Watched
    other: SqliteStore
    index: ServerIndex
    embedder: HashEmbedder

    @property
    def indexer(self) -> Indexer:
        """Return one that has an index."""
        return Indexer(self.store, self.index, self.embedder, default_ontology())

    async def points(self) -> set[str]:
        return {ref.id async for ref, _, _ in self.index.listing()}

    async def write_elsewhere(self, id: str) -> None:
        """Write a fact in the other process, which drops what the outbox tells of it."""
        await write(self.other, id)
        await bare(self.other).drain()
        assert await self.other.backlog() == 0  # removed with this look at the latest


def bare(store: SqliteStore) -> Indexer:
    """Return an indexer without an index."""
    return Indexer(store, None, None, default_ontology())


async def write(store: SqliteStore, id: str) -> None:
    """Write a turn with a fact."""
    if await store.self_entity(ANA) is None:
        await store.change(ANA, writing(ChangeSet(entities=(an_entity(),))))
    await store.change(ANA, writing(told(id)))


@pytest.fixture
async def both(tmp_path: Path, server: QdrantServer) -> AsyncIterator[Both]:
    path = tmp_path / "graph.db"
    store = Watched.open(path, FrozenClock())
    assert isinstance(store, Watched)
    store.asked = Counter()
    link = tmp_path / "other"
    link.symlink_to(tmp_path)
    other = SqliteStore.open(link / path.name, FrozenClock())
    embedder = HashEmbedder()
    both = Both(store, other, ServerIndex(server.url, embedder), embedder)
    yield both
    await both.index.close()
    await other.close()
    await store.close()


async def test_a_writer_without_an_index_notes_it_once(both: Both) -> None:
    """Else writers of all scopes would meet at one note; and they seldom ask for anything."""
    indexer = bare(both.store)
    for number in range(2 * (SPARED + 1)):
        await write(both.store, str(number))
        await indexer.drain(seconds=30, scope=ANA)
    assert both.store.asked == {"note": 1, "outbox": 2}
    assert await both.store.backlog() == SPARED * 2
    await indexer.drain()
    assert await both.store.backlog() == 0
    assert both.store.asked["note"] == 1
    assert await both.store.get_meta(OWED) == What.EVERYTHING
    await both.indexer.drain()
    assert len(await both.points()) == 1 + 2 * 2 * (SPARED + 1)


async def test_another_process_that_begins_drops_what_was_left(both: Both) -> None:
    """Programs that write once and end leave nothing that grows."""
    for number in range(5):
        await write(both.store, str(number))
        await bare(both.store).drain(seconds=30, scope=ANA)
        assert await both.store.backlog() == 0


@pytest.mark.parametrize("when", ["before", "after"])
async def test_what_is_dropped_while_everything_is_written_anew_is_owed_again(
    both: Both, when: str
) -> None:
    """Before or after its own rows would have been written."""
    await write(both.store, "0")
    await both.indexer.drain()  # an empty index would be filled anyway
    await both.write_elsewhere("1")
    setattr(both.store, when, lambda: both.write_elsewhere("2"))
    indexer = both.indexer
    await indexer.drain()
    await indexer.drain()
    assert {"f1/1", "f2/1"} <= await both.points()
    assert await both.store.get_meta(OWED) == ""


async def test_vectors_owed_while_everything_is_written_anew_are_owed_again(both: Both) -> None:
    """And what is owed besides stays so until it is done."""
    await both.write_elsewhere("1")

    async def owe() -> None:
        await Owed(both.other).add(What.VECTORS)
        assert await both.store.get_meta(OWED) == What.EVERYTHING

    both.store.after = owe
    await both.indexer.drain()
    assert await both.store.get_meta(OWED) == What.EVERYTHING


async def test_everything_that_is_owed_is_not_taken_for_vectors_alone(both: Both) -> None:
    """The greater debt stays, whichever was noted first."""
    await Owed(both.store).add(What.VECTORS)
    await Owed(both.other).add(What.EVERYTHING)
    await Owed(both.store).add(What.VECTORS)
    assert await both.store.get_meta(OWED) == What.EVERYTHING


async def test_who_is_cut_off_while_making_up_for_it_begins_again(both: Both) -> None:
    """Nothing is taken for done."""
    await both.write_elsewhere("1")

    async def fail() -> None:
        raise StoreUnavailableError("away")

    both.store.before = fail
    indexer = both.indexer
    with pytest.raises(StoreUnavailableError):
        await indexer.drain()
    both.store.before = None
    await indexer.drain()
    assert "f1/1" in await both.points()
    assert await both.store.get_meta(OWED) == ""


async def test_another_that_is_making_up_for_it_is_left_alone_unless_it_ended(
    both: Both, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two would write everything anew in turn; one that was killed is replaced."""
    await both.write_elsewhere("1")
    assert await Owed(both.other).begin(What.EVERYTHING, shared=True)
    monkeypatch.setattr("graphmem.usecases.indexing.LOOK_FOR_OWED", 0.0)
    indexer = both.indexer
    await indexer.drain()
    await indexer.drain()
    assert await both.store.get_meta(OWED) not in ("", What.EVERYTHING)
    monkeypatch.setattr(owed, "LEASE", 0.0)
    await indexer.drain()
    assert "f1/1" in await both.points()
    assert await both.store.get_meta(OWED) == ""
