"""No search goes without the index unsaid, whatever a Qdrant server does at whichever request."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from pathlib import Path

import anyio
import pytest
from qdrant_client import models

from graphmem import Memory
from graphmem.adapters.qdrant.server import ServerIndex
from graphmem.adapters.sqlite.store import SqliteStore
from graphmem.adapters.system.clock import SystemClock
from graphmem.errors import EmbedderError
from graphmem.model.search import SearchResult
from graphmem.ports.embedder import Vector
from graphmem.retrieval.calibration import SENTENCES, Script
from graphmem.testing.embedders import HashEmbedder
from graphmem.wiring import GRAPH_FILE
from tests.index.qdrant_http import QdrantServer, Request, Trouble

QUESTION = "Does she live in Riga still?"
LINKED = "The company where my sister works is located where?"
"""Walks, and asks the index for names near those that it met."""
TIMEOUT = 1.0
ALWAYS = 12
"""More requests than a search makes."""

TROUBLES = {
    "not found": Trouble(status=404),
    "forbidden": Trouble(status=403),
    "refused": Trouble(status=400),
    "broken": Trouble(status=500),
    "busy": Trouble(status=503),
    "too many": Trouble(status=429),
    "hangs": Trouble(delay=2 * TIMEOUT),
    "cut before": Trouble(cut="before"),
    "cut after": Trouble(cut="after"),
    "a page": Trouble(body=b"<html>welcome</html>"),
    "half an answer": Trouble(body=b'{"result": [{"points": [{"id": 1, "ver'),
    "another kind": Trouble(body=b'{"result": 7}'),
    "no result": Trouble(body=b'{"result": null}'),
    "nothing": Trouble(body=b"{}"),
    "null": Trouble(body=b"null"),
    "no lists": Trouble(body=b'{"result": []}'),
    "a list too few": Trouble(body=b'{"result": [{"points": []}]}'),
    "hits of nothing": Trouble(
        body=b'{"result": ['
        + b",".join([b'{"points": [{"id": 1, "version": 1, "score": 1}]}'] * 3)
        + b"]}"
    ),
    "hits of something else": Trouble(
        body=b'{"result": ['
        + b",".join(
            [b'{"points": [{"id": 1, "version": 1, "score": 1, "payload": {"kind": "x"}}]}'] * 3
        )
        + b"]}"
    ),
}

PASSING = {"broken", "busy", "too many", "hangs", "cut before", "cut after"}
"""Those that are tried again."""


@pytest.fixture(autouse=True)
def _in_haste(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("graphmem.adapters.qdrant.calls.PAUSE", 0.001)
    monkeypatch.setattr("graphmem.adapters.qdrant.calls.REST", 0.0)
    monkeypatch.setattr("graphmem.adapters.qdrant.calls.LONGEST_REST", 0.0)


@pytest.fixture
def told(tmp_path: Path, server: QdrantServer) -> Iterator[Memory]:
    """Return a memory that was told something, and is indexed."""
    with a_memory(tmp_path, server, timeout=30) as memory:
        memory.add("I live in Riga. My sister is Tilda. Tilda works at Larch.", user="ana")
        memory.add("Larch is in Cork.", user="ana")
        assert asked(memory, QUESTION).notes == ()
        yield memory


def a_memory(folder: Path, server: QdrantServer, timeout: float = TIMEOUT) -> Memory:
    embedder = HashEmbedder()
    index = ServerIndex(server.url, embedder, timeout=timeout)
    return Memory(folder, embedder=embedder, index=index)


def asked(memory: Memory, question: str) -> SearchResult:
    """Search."""
    return memory.search(question, user="ana")


def alike(one: SearchResult, other: SearchResult) -> bool:
    """Return whether two results come from the same channels with the same hits."""
    return (one.channels, [h.text for h in one.hits]) == (
        other.channels,
        [h.text for h in other.hits],
    )


@pytest.mark.parametrize("name", TROUBLES)
def test_a_search_is_whole_or_says_what_it_went_without(
    name: str, tmp_path: Path, told: Memory, server: QdrantServer
) -> None:
    """At each request of a memory that opens and searches, once or for long."""
    calm = asked(told, LINKED)
    assert calm.notes == ()
    assert "dense" in calm.channels
    told.close()
    with a_memory(tmp_path, server) as memory:
        server.requests.clear()
        asked(memory, LINKED)
    steps = len(server.requests)
    assert len(server.sent("/query/batch")) == 2
    times = (1, ALWAYS) if name in PASSING else (1,)
    for step, many in itertools.product(range(steps), times):
        with a_memory(tmp_path, server) as memory:
            # What comes before meets a trouble that is none.
            server.troubles.extend([*[Trouble()] * step, *[TROUBLES[name]] * many])
            found = asked(memory, LINKED)
            assert found.hits
            assert found.notes or alike(found, calm), (step, many, found)
            server.troubles.clear()
            found = asked(memory, LINKED)
            assert found.notes == ()
            assert alike(found, calm)


def test_an_index_that_was_lost_is_missed_and_filled_again(
    told: Memory, server: QdrantServer
) -> None:
    """By the memory that was open meanwhile: it says so once, and then all is there."""
    calm = asked(told, QUESTION)
    server.local.delete_collection("graphmem-1")
    lost = asked(told, QUESTION)
    assert any("is gone" in note for note in lost.notes)
    assert lost.hits
    found = asked(told, QUESTION)
    assert found.notes == ()
    assert alike(found, calm)
    assert told.verify().clean


def test_a_repair_makes_up_for_a_lost_index(told: Memory, server: QdrantServer) -> None:
    """At the first try, though nobody had missed it before."""
    server.local.delete_collection("graphmem-1")
    assert told.repair().clean
    assert asked(told, QUESTION).notes == ()


def test_an_index_is_lost_to_a_writer_too(told: Memory, server: QdrantServer) -> None:
    """What is written then does not become all that is indexed."""
    calm = asked(told, QUESTION)
    server.local.delete_collection("graphmem-1")
    receipt = told.add("I play chess.", user="ana")
    assert any("is gone" in note for note in receipt.notes)
    found = asked(told, QUESTION)
    assert found.notes == ()
    assert found.hits[0].text == calm.hits[0].text
    assert told.verify().clean


def test_an_index_that_lost_its_alias_is_missed(told: Memory, server: QdrantServer) -> None:
    """Also where a reindex has given it another name: none is made in its place unseen."""
    calm = asked(told, QUESTION)
    told.reindex()
    (one,) = server.local.get_collections().collections
    assert one.name != "graphmem-1"
    gone = models.DeleteAlias(alias_name="graphmem")
    server.local.update_collection_aliases([models.DeleteAliasOperation(delete_alias=gone)])
    lost = asked(told, QUESTION)
    assert any("is gone" in note for note in lost.notes)
    found = asked(told, QUESTION)
    assert found.notes == ()
    assert alike(found, calm)


def test_an_index_made_anew_is_never_found_empty_with_nothing_waiting(
    tmp_path: Path, told: Memory, server: QdrantServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before it is made, everything waits to be written; so another process that searches meanwhile
    is told."""
    server.local.delete_collection("graphmem-1")
    told.close()
    waiting: list[int] = []

    store = SqliteStore.open(tmp_path / GRAPH_FILE, SystemClock())
    create = QdrantServer.answer

    def answer(server: QdrantServer, request: Request) -> tuple[int, bytes]:
        if request.method == "PUT" and request.path == "/collections/graphmem-1":
            waiting.append(anyio.run(store.backlog))
        return create(server, request)

    monkeypatch.setattr(QdrantServer, "answer", answer)
    with a_memory(tmp_path, server, timeout=30) as memory:
        assert asked(memory, QUESTION).notes == ()
    anyio.run(store.close)
    assert waiting
    assert all(waiting)


class Halting(HashEmbedder):
    """Answers questions, and fails for the texts that nearness is measured against."""

    async def documents(self, texts: Sequence[str]) -> list[Vector]:
        if tuple(texts) in (SENTENCES[Script.SPACED], SENTENCES[Script.CJK]):
            raise EmbedderError("no background")
        return await super().documents(texts)


def test_nearness_that_cannot_be_measured_is_said(tmp_path: Path, server: QdrantServer) -> None:
    """It takes no part then, though the question was embedded."""
    with Memory(tmp_path, embedder=Halting(), qdrant=server.url) as memory:
        memory.add("I live in Riga.", user="ana")
        found = asked(memory, QUESTION)
        assert any("no background" in note for note in found.notes)


def test_what_is_packed_says_that_records_wait(told: Memory, server: QdrantServer) -> None:
    """As a search does."""
    server.stop()
    told.add("I play chess.", user="ana")
    packed = told.context(QUESTION, user="ana")
    assert any("is away" in note for note in packed.notes)
    assert len(packed.notes) == len(set(packed.notes))
