"""Several indexers on one index, and rows that cannot be applied."""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import anyio
import anyio.to_thread
import pytest

from graphmem.adapters.qdrant.server import ServerIndex
from graphmem.adapters.sqlite.store import SqliteStore
from graphmem.model.changes import ChangeSet, Erased
from graphmem.model.ontology import default_ontology
from graphmem.model.scope import Scope
from graphmem.model.search import PointKind
from graphmem.ports.embedder import Vector
from graphmem.testing.builders import ANA, BOB, an_entity, told, writing
from graphmem.testing.clock import FrozenClock
from graphmem.testing.embedders import HashEmbedder
from graphmem.usecases.erase import erase_user
from graphmem.usecases.indexing import MOST_IN_A_ROW, Indexer, IndexState
from graphmem.usecases.upkeep import reindex, repair, verify
from graphmem.wiring import assemble
from tests.index.qdrant_http import QdrantServer, Request

pytestmark = pytest.mark.anyio

LONG = 600.0
OTHER = "an indexer of another process"


class Picky(QdrantServer):
    """Refuses to store points that are found by so many terms, or all."""

    def __init__(self) -> None:
        super().__init__()
        self.refused: set[int] = set()
        self.refuses_all = False
        self.meanwhile: dict[str, Callable[[], None]] = {}
        """By the end of a path, what is done once before the answer arrives."""

    def answer(self, request: Request) -> tuple[int, bytes]:
        answer = self._answered(request)
        for end in [end for end in self.meanwhile if request.path.endswith(end)]:
            self.meanwhile.pop(end)()
        return answer

    def _answered(self, request: Request) -> tuple[int, bytes]:
        if request.path.endswith("/points/batch") and (
            self.refuses_all or self.refused & _weighed(request)
        ):
            return 400, b'{"status": {"error": "Wrong input: this cannot be stored"}}'
        return super().answer(request)


def _weighed(request: Request) -> set[int]:
    """Return in how many terms the points of an upsert can be found."""
    points = [
        point
        for one in request.body["operations"]
        for point in one.get("upsert", {}).get("points", ())
    ]
    return {
        len(vector["indices"])
        for point in points
        for vector in point["vector"].values()
        if "indices" in vector
    }


@dataclass
class Slow(HashEmbedder):
    """Does something before it embeds."""

    meanwhile: list[Callable[[], Awaitable[object]]] = field(default_factory=list)  # pyright: ignore[reportUnknownVariableType]

    def __post_init__(self) -> None:
        super().__init__()

    async def documents(self, texts: Sequence[str]) -> list[Vector]:
        while self.meanwhile:
            await self.meanwhile.pop()()
        return await super().documents(texts)


@dataclass
class Shared:
    """A store, and an index that other processes may write to."""

    path: Path
    store: SqliteStore
    index: ServerIndex
    embedder: Slow

    @property
    def indexer(self) -> Indexer:
        return Indexer(self.store, self.index, self.embedder, default_ontology())

    async def write(self, *changes: ChangeSet, scope: Scope = ANA) -> None:
        for change in changes:
            await self.store.change(scope, writing(change))

    async def taken(self, limit: int = 100) -> set[Scope]:
        """Let the other indexer take what it can, and return whose it is."""
        due = await self.store.lease(limit, owner=OTHER, seconds=LONG)
        return {row.scope for row in due.rows}

    async def points(self) -> set[str]:
        return {ref.id async for ref, _, _ in self.index.listing()}


@pytest.fixture(autouse=True)
def _in_haste(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("graphmem.usecases.hand.PATIENCE", 0.3)


@pytest.fixture
def server() -> Iterator[Picky]:
    with Picky() as server:
        yield server


@pytest.fixture
async def shared(tmp_path: Path, server: Picky) -> AsyncIterator[Shared]:
    embedder = Slow()
    path = tmp_path / "graph.db"
    store = SqliteStore.open(path, FrozenClock())
    shared = Shared(path, store, ServerIndex(server.url, embedder), embedder)
    for scope in (ANA, BOB):
        self_first = ChangeSet(entities=(an_entity(f"self-{scope.user}", is_self=True),))
        await shared.write(self_first, scope=scope)
    await shared.indexer.drain()
    yield shared
    await shared.index.close()
    await store.close()


def said(id: str, scope: Scope = ANA) -> ChangeSet:
    return told(id, subject=f"self-{scope.user}", statement="Ana drinks green tea.")


async def test_what_another_has_in_hand_is_left_to_it(shared: Shared) -> None:
    """Everything else is applied, at once."""
    await shared.write(said("1"))
    assert await shared.taken() == {ANA}
    await shared.write(said("2", BOB), scope=BOB)
    began = time.monotonic()
    state = await shared.indexer.drain(seconds=30, scope=BOB)
    assert time.monotonic() - began < 0.3
    assert state.applied == 2
    assert {"f2/1", "e2#0"} <= await shared.points()
    assert {row.scope for row in await shared.store.outbox(10)} == {ANA}


async def test_what_is_asked_for_is_waited_for(shared: Shared) -> None:
    """A scope that another has in hand is free in a moment."""
    await shared.write(said("1"))
    await shared.taken()

    states: list[IndexState] = []

    async def let_go() -> None:
        await anyio.sleep(0.1)
        await shared.store.release(OTHER)

    async with anyio.create_task_group() as group:
        group.start_soon(let_go)
        states.append(await shared.indexer.drain(seconds=30, scope=ANA))
    assert [(state.applied, state.backlog) for state in states] == [(2, 0)]
    assert "f1/1" in await shared.points()


async def test_what_is_waited_for_in_vain_is_said(shared: Shared) -> None:
    """Another indexer may have ended without a word; its rows wait until its lease runs out."""
    await shared.write(said("1"))
    await shared.taken()
    for state in (await shared.indexer.drain(scope=ANA), await shared.indexer.drain()):
        assert (state.applied, state.backlog) == (0, 2)


async def test_nothing_stays_in_hand(shared: Shared, server: Picky) -> None:
    """Neither after a drain, nor after one that failed."""
    await shared.write(said("1"))
    await shared.indexer.drain()
    await shared.write(said("2"))
    server.stop()
    assert (await shared.indexer.drain()).notes != ()
    assert await shared.taken() == {ANA}
    await shared.store.release(OTHER)
    server.start()


async def test_what_takes_long_stays_in_hand(
    shared: Shared, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A lease is renewed while texts are embedded."""
    monkeypatch.setattr("graphmem.usecases.hand.LEASE", 0.3)
    monkeypatch.setattr("graphmem.usecases.hand._RENEW_AFTER", 0.1)
    tried: list[set[Scope]] = []

    async def another() -> None:
        await anyio.sleep(0.6)
        tried.append(await shared.taken())

    shared.embedder.meanwhile.append(another)
    await shared.write(said("1"))
    assert (await shared.indexer.drain()).applied == 2
    assert tried == [set()]


async def test_what_was_taken_over_is_not_written(
    shared: Shared, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who was away for longer than a lease leaves it to the one who has it by now."""
    monkeypatch.setattr("graphmem.usecases.hand._RENEW_AFTER", -1)

    async def another() -> None:
        with sqlite3.connect(shared.path) as connection:
            connection.execute("UPDATE leases SET owner = 'gone', until = 0")
        connection.close()
        assert await shared.taken() == {ANA}

    shared.embedder.meanwhile.append(another)
    before = await shared.points()
    await shared.write(said("1"))
    state = await shared.indexer.drain(seconds=30)
    assert state.applied == 0
    assert await shared.points() == before
    await shared.store.release(OTHER)
    assert (await shared.indexer.drain()).applied == 2


async def test_rebuilding_keeps_others_off(shared: Shared) -> None:
    """What is written meanwhile waits, and is in the new index in the end."""
    await shared.write(said("1"))
    await shared.indexer.drain()
    seen: list[object] = []

    async def another() -> None:
        await shared.write(said("2"))
        seen.append((await shared.store.lease(9, owner=OTHER, seconds=LONG)).barred)
        seen.append(await shared.store.backlog())

    shared.embedder.meanwhile.append(another)
    state = await reindex(shared.indexer)
    assert (seen, state.backlog) == ([True, 2], 0)
    assert {"f1/1", "f2/1"} <= await shared.points()
    assert (await verify(shared.indexer)).clean


async def test_while_another_rebuilds_nobody_waits(shared: Shared) -> None:
    """A drain says why rows wait."""
    await shared.write(said("1"))
    assert await shared.store.hold(None, owner=OTHER, seconds=LONG)
    state = await shared.indexer.drain(scope=ANA)
    assert (state.applied, state.backlog) == (0, 2)
    assert state.notes == ("another process builds the vector index anew",)


async def test_a_record_that_is_refused_is_put_aside(shared: Shared, server: Picky) -> None:
    """The rest goes on; verify names it with the reason, and repair brings it back."""
    server.refused = {7}
    bad = "Seven words make this one quite terrible."
    await shared.write(said("1"), told("2", subject="self-ana", statement=bad), said("3"))
    state = await shared.indexer.drain()
    assert state.backlog == 0
    assert "cannot be indexed" in " ".join(state.notes)
    assert {"f1/1", "e1#0", "f3/1", "e3#0"} <= await shared.points()
    parked = await shared.store.parked(10)
    assert "f2" in {row.id for row in parked}
    report = await verify(shared.indexer)
    assert not report.clean
    assert [*report.parked] == parked
    assert all(not one.faults for one in report.scopes)
    assert "cannot be stored" in (report.parked[0].parked or "")
    assert (await repair(shared.indexer)).parked != ()
    server.refused = set()
    assert (await repair(shared.indexer)).clean
    assert "f2/1" in await shared.points()


async def test_a_record_that_cannot_be_read_is_put_aside(shared: Shared) -> None:
    """Damage of one row stops no other."""
    await shared.write(said("1"), said("2"))
    with sqlite3.connect(shared.path) as connection:
        connection.execute("UPDATE fact_records SET qualifiers = '{' WHERE id = 'f1'")
    connection.close()
    await shared.indexer.drain()
    assert {"e1#0", "f2/1", "e2#0"} <= await shared.points()
    report = await verify(shared.indexer)
    assert [(row.kind, row.id) for row in report.parked] == [(PointKind.FACT, "f1")]
    assert [one for one in report.findings if "f1" in one]


async def test_where_all_is_refused_nothing_is_put_aside(shared: Shared, server: Picky) -> None:
    """The index is unwell then, and everything waits."""
    server.refuses_all = True
    await shared.write(*(said(str(number)) for number in range(MOST_IN_A_ROW)))
    waiting = await shared.store.backlog()
    state = await shared.indexer.drain()
    assert (state.applied, state.backlog) == (0, waiting)
    assert "record after record" in " ".join(state.notes)
    server.refuses_all = False
    assert (await shared.indexer.drain()).backlog == 0


async def test_what_others_do_meanwhile_is_no_fault(
    shared: Shared, server: Picky, tmp_path: Path
) -> None:
    """While verify lists the points another process adds one, while it compares one removes one."""
    await shared.write(said("1"))
    await shared.indexer.drain()

    async def add(store: SqliteStore) -> None:
        await store.change(ANA, writing(said("2")))

    async def erase(store: SqliteStore) -> None:
        await store.change(
            ANA, writing(ChangeSet(erased=Erased(episodes=("e1",), claims=("c1",), facts=("f1",))))
        )

    server.meanwhile = {
        "/points/scroll": lambda: elsewhere(shared.path, server.url, add),
        "/points": lambda: elsewhere(shared.path, server.url, erase),
    }
    report = await verify(shared.indexer)
    assert server.meanwhile == {}
    assert report.clean
    assert (await repair(shared.indexer)).clean
    assert {"f2/1", "e2#0"} <= await shared.points()


async def test_many_at_once(shared: Shared, server: Picky) -> None:
    """Four indexers on two scopes: in the end each record has its point, and nothing is over."""
    for number in range(12):
        await shared.write(said(str(number)))
        await shared.write(said(f"b{number}", BOB), scope=BOB)
    await shared.write(ChangeSet(erased=Erased(episodes=("e1",), claims=("c1",), facts=("f1",))))

    async def nothing(store: SqliteStore) -> None:
        pass

    threads = [
        threading.Thread(target=elsewhere, args=(shared.path, server.url, nothing, f"other{place}"))
        for place in range(3)
    ]
    for thread in threads:
        thread.start()
    await shared.indexer.drain()
    for thread in threads:
        await anyio.to_thread.run_sync(thread.join)
    assert (await shared.indexer.drain()).backlog == 0
    report = await verify(shared.indexer)
    assert report.clean
    assert len(await shared.points()) == 2 * (1 + 12 * 2) - 2


def elsewhere(
    path: Path, url: str, work: Callable[[SqliteStore], Awaitable[None]], name: str = "other"
) -> None:
    """Work as another process would, by another way to the same store, and index what is due."""

    async def run() -> None:
        link = path.parent / name
        link.symlink_to(path.parent)
        store = SqliteStore.open(link / path.name, FrozenClock())
        index = ServerIndex(url, HashEmbedder())
        try:
            await work(store)
            await Indexer(store, index, HashEmbedder(), default_ontology()).drain()
        finally:
            await index.close()
            await store.close()
            link.unlink()

    anyio.run(run)


async def test_what_another_indexes_does_not_make_an_erasure_unclean(
    shared: Shared,
) -> None:
    """Another user's records that another process has in hand are not waited for."""
    parts = assemble(store=shared.store, index=shared.index, embedder=shared.embedder)
    await erase_user(parts.services, ANA)  # whatever the first one has to do
    await shared.write(said("1"), scope=BOB)
    assert await shared.taken() == {BOB}
    await shared.write(said("1"), scope=ANA)
    receipt = await erase_user(parts.services, ANA)
    assert (receipt.clean, receipt.waiting) == (True, ())
    assert await shared.store.backlog() == 2
    assert not [point for point in await shared.points() if point.startswith("f1")]
