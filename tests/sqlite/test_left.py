"""What a change leaves for the index is handed on as it was written, and is what is read."""

from __future__ import annotations

from pathlib import Path

import pytest

from graphmem import Memory
from graphmem.adapters.sqlite import SqliteStore
from graphmem.ports.graph_store import Due
from graphmem.testing.builders import ANA, BOB, T0, told
from graphmem.testing.clock import FrozenClock
from graphmem.testing.embedders import HashEmbedder
from graphmem.testing.graph_store.base import begin, write

pytestmark = pytest.mark.anyio

MANY = 100


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


def opened(folder: Path) -> SqliteStore:
    return SqliteStore.open(folder / "s.sqlite", FrozenClock(T0))


def test_what_is_handed_on_is_what_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Through a life of turns, corrections, merges and erasures, another reader sees the same."""
    handed: list[Due] = []
    read = SqliteStore.due

    async def compared(store: SqliteStore, limit: int) -> Due:
        due = await read(store, limit)
        other = SqliteStore.open(store.database.path, FrozenClock(T0))
        assert await read(other, limit) == due
        await other.close()
        handed.append(due)
        return due

    memory = Memory(tmp_path / "m", embedder=HashEmbedder(8), clock=FrozenClock(T0))
    monkeypatch.setattr(SqliteStore, "due", compared)
    memory.add("I live in Cork.", user="ana")
    memory.add("I live in Cork.", user="ana", session="s1", agent="helper")
    memory.add("I have moved to Riga. Wanda Elm likes chess.", user="ana", session="s2")
    memory.add(["I like tea.", "Good morning!", "Wanda Elm lives in Ghent."], user="ana")
    kept = memory.add_fact("me", "works_at", "Larch", user="ana").added[0]
    memory.correct(kept.id, object="Heron", user="ana")
    other = memory.add_fact("me", "likes", "rowing", user="ana", session="s1").added[0]
    memory.retract(other.id, user="ana")
    memory.restore(other.id, user="ana")
    memory.add("W. Elm speaks Welsh.", user="ana")
    memory.merge(["W. Elm"], into="Wanda Elm", user="ana")
    memory.erase(user="ana", fact=other.id)
    memory.close()
    assert sum(len(due.rows) for due in handed) > 20


async def test_it_is_handed_on_once(tmp_path: Path) -> None:
    """What was settled does not come again."""
    store = opened(tmp_path)
    await begin(store, told("1"))
    first = await store.due(64)
    await store.settle(row.seq for row in first.rows)
    assert (await store.due(64)).rows == ()
    await store.close()


async def test_others_that_write_are_seen(tmp_path: Path) -> None:
    """Rows that this or another process wrote since are among what is due."""
    store, other = opened(tmp_path), opened(tmp_path)
    await begin(store, told("1"))
    await begin(other, told("2"), scope=BOB)
    assert {row.scope for row in (await store.due(64)).rows} == {ANA, BOB}
    await store.settle(row.seq for row in (await store.due(64)).rows)
    await write(store, told("3"))
    await other.set_meta("anything", "new")
    assert {row.id for row in (await store.due(64)).rows} == {"e3", "f3"}
    await store.close()
    await other.close()


async def test_what_waited_before_is_not_forgotten(tmp_path: Path) -> None:
    """Rows of earlier changes come first, and no more than were asked for."""
    store = opened(tmp_path)
    await begin(store, told("1"), *(told(str(n)) for n in range(2, MANY)))
    rows = (await store.due(64)).rows
    assert len(rows) == 64
    assert rows == tuple(await store.outbox(64))
    await store.close()


async def test_an_outbox_known_to_be_empty_is_not_read(tmp_path: Path) -> None:
    """After what was left is settled, or nothing was found, nobody looks again until somebody
    writes."""
    store, other = opened(tmp_path), opened(tmp_path)
    await begin(store, told("1"))
    await store.settle(row.seq for row in (await store.due(64)).rows)
    seen: list[str] = []
    with store.database.reading() as connection:
        connection.set_trace_callback(seen.append)  # the one reader there is
    seen.clear()
    assert (await store.due(64)).rows == ()
    assert seen == []
    await write(other, told("2"))
    due = await store.due(64)
    assert {row.id for row in due.rows} == {"e2", "f2"}
    assert seen != []
    await store.settle(row.seq for row in due.rows)
    assert (await store.due(64)).rows == ()
    seen.clear()
    assert (await store.due(64)).rows == ()
    assert seen == []
    await store.close()
    await other.close()
