"""Several processes, threads and cancelled callers on one file."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import threading
from pathlib import Path

import anyio
import pytest

from graphmem.adapters.sqlite import SqliteStore
from graphmem.model.changes import ChangeSet, Decision, Wanted
from graphmem.testing.builders import ANA, an_entity, told
from graphmem.testing.clock import FrozenClock
from graphmem.testing.graph_store.base import begin, listed, write

pytestmark = pytest.mark.anyio

WRITER = """
import sys, anyio
from graphmem.adapters.sqlite import SqliteStore
from graphmem.testing.builders import ANA, told
from graphmem.testing.clock import FrozenClock
from graphmem.testing.graph_store.base import write

async def main():
    store = SqliteStore.open(sys.argv[1], FrozenClock())
    for number in range(20):
        await write(store, told(f"{sys.argv[2]}-{number}"))
    await store.close()

anyio.run(main)
"""


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "graph.db"


def writer(path: Path, name: str) -> subprocess.Popen[bytes]:
    """Start a process that writes twenty facts."""
    return subprocess.Popen([sys.executable, "-c", WRITER, str(path), name])


def test_processes_open_at_once(path: Path) -> None:
    """Processes that create the same file at once all write, and nothing is lost."""
    processes = [writer(path, name) for name in "abc"]
    assert [process.wait(timeout=120) for process in processes] == [0, 0, 0]

    async def look() -> None:
        store = SqliteStore.open(path, FrozenClock())
        assert len(await listed(store)) == 60
        findings = [one for one in await store.check() if "an entity that is not there" not in one]
        assert findings == []
        await store.close()

    anyio.run(look)


async def test_reading_while_another_writes(path: Path) -> None:
    """One process lists in a loop while another adds; each list is one that was committed."""
    store = SqliteStore.open(path, FrozenClock())
    process = writer(path, "a")
    counts: list[int] = []
    while process.poll() is None:
        counts.append(len(await listed(store)))
        await asyncio.sleep(0.005)
    counts.append(len(await listed(store)))
    assert process.returncode == 0
    assert counts == sorted(counts)
    assert counts[-1] == 20
    await store.close()


async def test_reads_do_not_wait_for_a_write(path: Path) -> None:
    """While a decision takes its time, reads go on and see the state before it."""
    store = SqliteStore.open(path, FrozenClock())
    await begin(store, told("1"))
    deciding, go_on = threading.Event(), threading.Event()

    def slowly() -> Decision:
        yield Wanted()
        deciding.set()
        go_on.wait(10)
        return told("2")

    async with anyio.create_task_group() as group:
        group.start_soon(store.change, ANA, slowly)
        await anyio.to_thread.run_sync(deciding.wait, 10)
        assert await listed(store) == ["f1"]
        go_on.set()
    assert await listed(store) == ["f1", "f2"]
    await store.close()


async def test_many_writers_leave_room_for_reads(path: Path) -> None:
    """However many changes wait in one event loop, a read does not wait with them."""
    store = SqliteStore.open(path, FrozenClock())
    await begin(store, told("1"))
    go_on = threading.Event()

    def slowly() -> Decision:
        yield Wanted()
        go_on.wait(10)
        return ChangeSet()

    async with anyio.create_task_group() as group:
        for _ in range(100):
            group.start_soon(store.change, ANA, slowly)
        await asyncio.sleep(0.05)
        with anyio.fail_after(5):
            assert await listed(store) == ["f1"]
        go_on.set()
    await store.close()


@pytest.mark.parametrize("steps", range(4))
async def test_cancelled_change(path: Path, steps: int) -> None:
    """A caller cancelled at any step leaves no half change and no held lock."""
    store = SqliteStore.open(path, FrozenClock(), busy_timeout=5)
    await begin(store)
    task = asyncio.ensure_future(write(store, told("1")))
    for _ in range(steps):
        await asyncio.sleep(0.0005)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    await write(store, told("2"))
    assert await store.check() == []
    assert "f2" in await listed(store)
    await store.close()


async def test_abandoned_export(path: Path) -> None:
    """An export that is given up gives its connection back."""
    store = SqliteStore.open(path, FrozenClock())
    await begin(store, *(told(str(number)) for number in range(150)))
    rows = store.export(ANA)
    assert (await anext(rows))["kind"] == "scope"
    await rows.aclose()
    await store.erase_scope(ANA)
    await store.settle([row.seq for row in await store.outbox(10_000)])
    assert (await store.sweep()).waiting == ()
    await store.close()


async def test_close_during_reads(path: Path) -> None:
    """Closing while others read breaks no read."""
    store = SqliteStore.open(path, FrozenClock())
    await begin(store, told("1"))
    results = await asyncio.gather(
        *(listed(store) for _ in range(20)), store.close(), return_exceptions=True
    )
    lists = [one for one in results if isinstance(one, list)]
    assert all(one == ["f1"] for one in lists)


async def test_threads_write_at_once(path: Path) -> None:
    """Threads with event loops of their own write to one store, one after the other."""
    store = SqliteStore.open(path, FrozenClock())
    await begin(store)

    def work(name: str) -> None:
        async def add() -> None:
            for number in range(10):
                await write(store, ChangeSet(entities=(an_entity(f"{name}{number}"),)))

        asyncio.run(add())

    async with anyio.create_task_group() as group:
        for name in "abcd":
            group.start_soon(anyio.to_thread.run_sync, work, name)
    assert (await store.entities(ANA)).total == 41
    assert (await write(store, told("1"))).number == 42
    await store.close()
