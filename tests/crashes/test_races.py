"""Short races; ``races.py`` runs long ones."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.queues import Queue
from pathlib import Path
from threading import Barrier

import pytest

from graphmem import Memory
from graphmem.testing.embedders import HashEmbedder
from tests.crashes.processes import context
from tests.crashes.races import race
from tests.services.deployments import a_memory

LIMIT = 240.0
POOL = 3


def test_sixteen_threads_lose_and_double_nothing(tmp_path: Path) -> None:
    """Adding to one user and to many, with searches, erasures and exports beside it."""
    done = race(tmp_path, threads=16, processes=0, turns=1, limit=LIMIT)
    assert done.problems == []
    assert done.adds == 16 * 5
    assert done.held == 0


def test_processes_that_do_not_have_the_index_say_so_and_lose_nothing(tmp_path: Path) -> None:
    """Whoever has it takes up what they wrote with the next search."""
    done = race(tmp_path, threads=1, processes=3, turns=2, limit=LIMIT)
    assert done.problems == []
    assert done.adds == 4 * 2 * 5
    assert done.held == 3 * 2 * 5


@pytest.mark.usefixtures("stores")
def test_threads_that_state_one_new_fact_at_once_make_one(tmp_path: Path) -> None:
    """The check whether it is known is made where it is written, not before."""
    with a_memory(tmp_path, embedder="none") as memory, ThreadPoolExecutor(8) as pool:
        together = Barrier(8)

        def state(_: int) -> None:
            together.wait(30)
            memory.add_fact("me", "collects", "stamps", user="ana")

        assert len(list(pool.map(state, range(8)))) == 8
        (fact,) = memory.facts(user="ana", predicate="collects", include_ended=True).items
        assert len(fact.claims) == 8


@pytest.mark.usefixtures("stores")
def test_a_memory_made_in_one_thread_serves_any_other(tmp_path: Path) -> None:
    """As web servers use it; and it may be closed in yet another."""
    memory = a_memory(tmp_path)
    found: list[int] = []

    def use() -> None:
        memory.add("I live in Riga.", user="ana")
        found.append(len(memory.search("Where do I live?", user="ana").hits))

    for target in (use, memory.close):
        thread = threading.Thread(target=target)
        thread.start()
        thread.join(60)
    assert found == [1]


def _read(folder: str, said: Queue[list[tuple[int, int]]]) -> None:
    counts: list[tuple[int, int]] = []
    for _ in range(4):
        with Memory(folder, embedder=HashEmbedder()) as memory:
            result = memory.search("Which towns have I visited?", user="ana")
            counts.append((memory.facts(user="ana").total, len(result.hits)))
    said.put(counts)


def test_readers_open_again_and_again_beside_a_writer(tmp_path: Path) -> None:
    """No lock of the writer, or of another reader, is an error of theirs."""
    with Memory(tmp_path, embedder=HashEmbedder()) as memory:
        memory.add("I visited Turku.", user="ana")
        forking = context()
        said: Queue[list[tuple[int, int]]] = forking.Queue()
        readers = [forking.Process(target=_read, args=(str(tmp_path), said)) for _ in range(2)]
        for reader in readers:
            reader.start()
        n = 0
        while any(reader.is_alive() for reader in readers):
            memory.add(f"I visited Town{n}.", user="ana")
            n += 1
        for _ in readers:
            counts = said.get(timeout=10)
            assert counts == sorted(counts)
            assert all(hits for _, hits in counts)
        assert [reader.exitcode for reader in readers] == [0, 0]


def test_a_thousand_searches_leave_the_number_of_threads_as_it_is(tmp_path: Path) -> None:
    """Nothing is started for a search that outlives it."""
    with Memory(tmp_path, embedder=HashEmbedder()) as memory:
        memory.add("I live in Riga.", user="ana")
        for _ in range(20):
            memory.search("Where do I live?", user="ana")
        # The pool of threads that wait for the disk has one or two at work, now one, now the other.
        before = threading.active_count()
        for _ in range(1000):
            memory.search("Where do I live?", user="ana")
            assert threading.active_count() <= before + POOL
