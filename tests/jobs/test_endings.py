"""What becomes of jobs when too many come, the memory closes, a loop ends, or the process dies."""

from __future__ import annotations

import asyncio
import gc
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from graphmem import AsyncMemory
from graphmem.adapters.sqlite import SqliteStore
from graphmem.client import background
from graphmem.errors import InputError, StoreUnavailableError
from graphmem.model.changes import Changed
from graphmem.model.time import SECOND
from graphmem.settings import Settings
from graphmem.testing.clock import FrozenClock
from graphmem.usecases import later
from tests.engine.kit import a_memory, values
from tests.jobs.conftest import Make
from tests.jobs.kit import LIMIT, SCRIPT, Reader, threads, until
from tests.services.deployments import opening


@pytest.mark.usefixtures("few")
def test_too_many_jobs_wait_in_the_store(make: Make, reader: Reader) -> None:
    """Each turn is stored, read once, and after what was said before it; jobs say so at once."""
    mem = make()
    reader.gate.clear()
    texts = [f"I visited Town{n}." for n in range(6)]
    first = mem.add(texts[0], user="ana", wait=False)
    until(lambda: first.state == "running")
    jobs = [mem.add(text, user="ana", wait=False) for text in texts[1:]]
    assert [job.state for job in jobs] == ["queued", "queued", "done", "done", "done"]
    (turn,) = jobs[-1].result().turns
    assert (turn.state, turn.reason) == ("pending", background.FULL)
    assert len(mem.jobs()) == 7  # one of them is for those that wait in the store
    reader.gate.set()
    assert mem.flush(LIMIT)
    assert reader.begun == texts
    assert mem.facts(user="ana").total == 6


@pytest.mark.usefixtures("few")
def test_many_turns_that_wait_in_the_store_are_read_in_portions(
    make: Make, reader: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many there are, a part of them is in memory."""
    monkeypatch.setattr(later, "PORTION", 3)
    mem = make(settings=Settings.load({}, workers=1))
    reader.gate.clear()
    first = mem.add("I like tea.", user="ana", wait=False)
    until(lambda: first.state == "running")
    for user in ("bob", "eva"):
        mem.add("I like tea.", user=user, wait=False)
    texts = [f"I visited Town{n}." for n in range(8)]
    refused = mem.add(texts, user="ida", wait=False)
    reader.gate.set()
    assert len(refused.result(0).pending) == 8
    assert mem.flush(LIMIT)
    assert reader.begun[3:] == texts
    assert mem.facts(user="ida").total == 8


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let few jobs wait in memory."""
    monkeypatch.setattr(background, "MOST_QUEUED", 2)


def test_closing_goes_on_for_a_while(
    make: Make, reader: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A program that ends after its last call need not wait by itself."""
    monkeypatch.setattr(background, "GRACE", LIMIT)
    mem = make()
    reader.gate.clear()
    jobs = [mem.add(f"I visited Town{n}.", user="ana", wait=False) for n in range(3)]
    reader.gate.set()
    mem.close()
    assert [job.result(0).pending for job in jobs] == [()] * 3
    assert make().facts(user="ana").total == 3
    assert threads() == []


@pytest.mark.usefixtures("short")
def test_closing_leaves_the_rest_in_the_store(make: Make, reader: Reader) -> None:
    """What runs is cut off; who waits is told; the next memory reads it."""
    mem = make()
    reader.gate.clear()
    jobs = [mem.add(f"I visited Town{n}.", user="ana", wait=False) for n in range(3)]
    until(lambda: jobs[0].state == "running")
    mem.close()
    assert threads() == []
    for job in jobs:
        (turn,) = job.result(0).pending
        assert turn.reason == background.CLOSED
    with pytest.raises(InputError, match="closed"):
        mem.add("I like tea.", user="ana", wait=False)
    again = make()
    assert again.jobs() == []
    reader.gate.set()
    assert len(again.retry_pending().added) == 3
    assert reader.read == [f"I visited Town{n}." for n in range(3)]


@pytest.mark.usefixtures("short")
def test_a_transcript_cut_off_tells_what_of_it_was_read(make: Make, reader: Reader) -> None:
    """Session by session."""
    mem = make()
    talk = [{"content": f"I visited Town{n}.", "session": f"s{n}"} for n in range(3)]
    reader.held.add("I visited Town1.")
    job = mem.ingest(talk, user="ana", wait=False)
    until(lambda: "I visited Town1." in reader.begun)
    mem.close()
    receipt = job.result(0)
    assert [turn.state for turn in receipt.turns] == ["stored", "pending", "pending"]
    assert values(receipt.added) == {"Town0"}


@pytest.mark.usefixtures("short")
def test_closing_ends_a_job_that_reads_what_was_left_behind(
    make: Make, reader: Reader, clock: FrozenClock
) -> None:
    """At once; it does not go on to its own turns."""
    mem = make()
    reader.held.add("I live in Riga.")
    mem.add("I live in Riga.", user="ana", wait=False)
    until(lambda: reader.begun)  # a server that plans at first takes longer than the grace
    mem.close()
    clock.advance(660 * SECOND)
    again = make()
    job = again.add("I like tea.", user="ana", wait=False)
    until(lambda: len(reader.begun) == 2)
    began = time.monotonic()
    again.close()
    assert time.monotonic() - began < background.LET_GO
    assert reader.begun == ["I live in Riga."] * 2
    assert len(job.result(0).pending) == 1


def test_turns_left_behind_are_read_with_the_users_next_job(
    make: Make, reader: Reader, clock: FrozenClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Once they are old enough that no living process can be about to read them."""
    monkeypatch.setattr(background, "GRACE", 0.05)
    mem = make()
    reader.gate.clear()
    mem.add("I live in Riga.", user="ana", wait=False)
    mem.add("I like rice.", user="eva", wait=False)
    mem.close()
    reader.gate.set()
    del reader.begun[:]
    again = make()
    again.add("I like tea.", user="ana", wait=False).result(LIMIT)
    assert reader.begun == ["I like tea."]
    clock.advance(660 * SECOND)
    last = again.add("I like rye.", user="ana", wait=False)
    assert values(last.result(LIMIT).added) == {"rye"}
    assert reader.begun == ["I like tea.", "I live in Riga.", "I like rye."]
    assert len(again.jobs()) == 3
    assert values(again.facts(user="ana")) == {"Riga", "tea", "rye"}


def test_a_transcript_that_was_stored_in_part_can_be_sent_again(
    tmp_path: Path, reader: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No job has taken what was stored before the store failed."""
    talk = [{"content": f"I visited Town{n}.", "session": f"s{n}"} for n in range(2)]
    change, changes = SqliteStore.change, 0

    # Any: passed on as it comes
    async def failing(store: SqliteStore, *args: Any, **named: Any) -> Changed:
        nonlocal changes
        changes += 1
        if changes == 2:
            raise StoreUnavailableError("no room")
        return await change(store, *args, **named)

    with a_memory(tmp_path / "memory", extractor=reader) as memory:
        monkeypatch.setattr(SqliteStore, "change", failing)
        with pytest.raises(StoreUnavailableError):
            memory.ingest(talk, user="ana", wait=False)
        job = memory.ingest(talk, user="ana", wait=False)
        assert [turn.state for turn in job.result(LIMIT).turns] == ["duplicate", "stored"]
        assert reader.begun == ["I visited Town0.", "I visited Town1."]


def test_a_killed_process_leaves_its_turns_to_the_next(tmp_path: Path) -> None:
    """Nothing acknowledged is lost; it is counted, and read once."""
    with subprocess.Popen(
        [sys.executable, SCRIPT, tmp_path / "memory"],
        cwd=SCRIPT.parents[2],
        env={**os.environ, "PYTHONPATH": str(SCRIPT.parents[2])},
        stdout=subprocess.PIPE,
        text=True,
    ) as child:
        assert child.stdout is not None
        acknowledged = [child.stdout.readline().strip() for _ in range(3)]
        child.send_signal(signal.SIGKILL)
    with a_memory(tmp_path / "memory", clock=None) as memory:
        assert any(f.value.startswith("3;") for f in memory.doctor().findings)
        assert memory.jobs() == []
        receipt = memory.retry_pending()
        assert [turn.episode for turn in receipt.turns] == acknowledged
        assert values(memory.facts(user="ana")) == {"Riga", "Cork", "Oslo"}
        assert memory.retry_pending().turns == ()


_FORGETFUL = """
import sys
from graphmem import Memory
from tests.jobs.kit import Reader
memory = Memory(sys.argv[1], embedder="none", extractor=Reader(is_open=False))
memory.add("I live in Riga.", user="ana", wait=False)
memory.add("I like tea.", user="ana", wait=False)
"""


def test_a_program_that_forgets_to_close_ends(tmp_path: Path) -> None:
    """Nothing waits for the jobs, nothing is said, and the turns are there."""
    root = SCRIPT.parents[2]
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", _FORGETFUL, tmp_path / "memory"],
        cwd=root,
        capture_output=True,
        text=True,
        timeout=LIMIT,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    with a_memory(tmp_path / "memory", clock=None) as memory:
        assert values(memory.retry_pending(user="ana").added) == {"Riga", "tea"}


def test_jobs_outlive_the_loop_they_were_given_in(tmp_path: Path, reader: Reader) -> None:
    """An awaited memory may be used from one loop after the other."""
    memory = AsyncMemory(**opening(tmp_path / "memory", extractor=reader))
    reader.gate.clear()

    async def tell() -> str:
        return (await memory.add("I live in Riga.", user="ana", wait=False)).id

    async def wait() -> None:
        (job,) = await memory.jobs(user="ana")
        assert job.id == given
        waiting = asyncio.create_task(job.result())
        await asyncio.sleep(0.01)
        waiting.cancel()  # who stops waiting does not stop the job
        with pytest.raises(TimeoutError):
            await job.result(0.01)
        reader.gate.set()
        assert values((await job.result(LIMIT)).added) == {"Riga"}
        assert await memory.flush()
        await memory.close()

    given = asyncio.run(tell())
    asyncio.run(wait())
    assert threads() == []


def test_a_memory_that_is_dropped_leaves_no_thread(tmp_path: Path, reader: Reader) -> None:
    """Its jobs end first."""

    async def use() -> None:
        memory = AsyncMemory(**opening(tmp_path / "memory", extractor=reader))
        job = await memory.add("I live in Riga.", user="ana", wait=False)
        await job.result(LIMIT)
        await memory._parts.close()  # pyright: ignore[reportPrivateUsage]

    asyncio.run(use())

    def gone() -> bool:
        gc.collect()
        return not threads()

    until(gone)


def test_a_forked_child_is_told_to_open_its_own(tmp_path: Path) -> None:
    """The thread that would read is not in it."""
    memory = AsyncMemory(**opening(tmp_path / "memory"))

    async def tell() -> None:
        await memory.add("I live in Riga.", user="ana", wait=False)
        await memory.flush()

    asyncio.run(tell())
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            asyncio.run(tell())
        except InputError as error:
            os.write(write, str(error).encode())
        os._exit(0)
    os.close(write)
    with os.fdopen(read, "rb") as pipe:
        said = pipe.read().decode()
    os.waitpid(child, 0)
    assert "fork" in said
    asyncio.run(memory.close())
