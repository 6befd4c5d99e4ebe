"""Processes that begin a new memory at the same moment begin one."""

from __future__ import annotations

from multiprocessing.queues import Queue
from multiprocessing.synchronize import Barrier
from pathlib import Path

import pytest

from graphmem import Memory
from graphmem.testing.embedders import HashEmbedder
from tests.crashes.processes import context
from tests.faults.kills import PRELOADED
from tests.faults.place import Place
from tests.index.qdrant_http import QdrantServer
from tests.services.neo4j_server import Address

PROCESSES = 4
LIMIT = 120.0

Where = Path | Address
Said = tuple[int, tuple[str, ...]]
"""How many hits a process found, and what it was told beside its receipts."""


def opened(where: Where, qdrant: str) -> Memory:
    """Open the memory in a folder or on a server; its index is on a server."""
    if isinstance(where, Path):
        return Memory(where, qdrant=qdrant, embedder=HashEmbedder())
    return Place(where, qdrant).opened(embedder=HashEmbedder())


def begin(where: Where, qdrant: str, number: int, together: Barrier, said: Queue[Said]) -> None:
    """Open it with the others, and remember something."""
    with opened(where, qdrant) as memory:
        together.wait(LIMIT)
        one = memory.add("I live in Riga.", user=f"user {number}")
        together.wait(LIMIT)
        other = memory.add("I collect stamps.", user="all of them")
        hits = memory.search("Where do I live?", user=f"user {number}").hits
        said.put((len(hits), (*one.notes, *other.notes)))


@pytest.fixture(params=["sqlite", "neo4j"])
def where(request: pytest.FixtureRequest, tmp_path: Path) -> Where:
    if request.param == "sqlite":
        return tmp_path / "memory"
    address: Address = request.getfixturevalue("neo4j")
    return address


def test_it_has_one_owner_and_one_index(where: Where) -> None:
    """None is told that the index is another memory's, all find, and nothing differs."""
    forking = context("tests.faults.child", *PRELOADED)
    together, said = forking.Barrier(PROCESSES), forking.Queue()
    with QdrantServer() as qdrant:
        children = [
            forking.Process(target=begin, args=(where, qdrant.url, number, together, said))
            for number in range(PROCESSES)
        ]
        for child in children:
            child.start()
        answers = [said.get(timeout=LIMIT) for _ in children]
        for child in children:
            child.join(LIMIT)
        with opened(where, qdrant.url) as memory:
            memory.search("stamps", user="all of them")
            report = memory.verify()
            assert report.clean, report
            (fact,) = memory.facts(user="all of them").items
            assert len(fact.claims) == PROCESSES
        assert len(qdrant.local.get_collections().collections) == 1
    assert answers == [(1, ())] * PROCESSES
