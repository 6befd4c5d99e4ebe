"""A memory whose Qdrant server goes away for a while: nothing is lost, and the reader is told."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from qdrant_client.http.models import CollectionDescription

from graphmem import Memory
from graphmem.testing.embedders import HashEmbedder
from tests.index.qdrant_http import QdrantServer, Trouble

REST = 0.2


@pytest.fixture(autouse=True)
def _in_haste(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("graphmem.adapters.qdrant.calls.PAUSE", 0.01)
    monkeypatch.setattr("graphmem.adapters.qdrant.calls.REST", REST)


def a_memory(folder: Path, server: QdrantServer) -> Memory:
    return Memory(folder, embedder=HashEmbedder(), qdrant=server.url)


def found(memory: Memory, question: str) -> list[str]:
    return [hit.text for hit in memory.search(question, user="ana").hits]


def test_writes_and_reads_go_on_without_the_server_and_catch_up_by_themselves(
    tmp_path: Path, server: QdrantServer
) -> None:
    """Both say so while it is away; afterwards one call brings the index up to date."""
    with a_memory(tmp_path, server) as memory:
        memory.add("I live in Riga.", user="ana")
        server.stop()
        receipt = memory.add("I'm allergic to mango.", user="ana")
        assert len(receipt.added) == 1
        assert any("is away" in note for note in receipt.notes)
        asked = memory.search("what is she allergic to?", user="ana")
        assert "mango" in asked.hits[0].text
        assert any("answered by keyword and graph" in note for note in asked.notes)
        assert any("Riga" in text for text in found(memory, "where does she live?"))
        assert memory.verify().backlog > 0
        server.start()
        time.sleep(REST)
        asked = memory.search("what is she allergic to?", user="ana")
        assert (asked.notes, "mango" in asked.hits[0].text) == ((), True)
        assert memory.verify().clean


def test_a_memory_begins_while_the_server_is_away(tmp_path: Path, server: QdrantServer) -> None:
    """The index is made when it can be, with everything in it."""
    server.stop()
    with a_memory(tmp_path, server) as memory:
        memory.add("I live in Riga.", user="ana")
        memory.add("I play chess.", user="bob")
    server.start()
    with a_memory(tmp_path, server) as memory:
        memory.search("chess", user="bob")
        assert memory.verify().clean


def test_a_server_that_lost_everything_is_filled_again(
    tmp_path: Path, server: QdrantServer
) -> None:
    """Only the graph needs a backup."""
    with a_memory(tmp_path, server) as memory:
        memory.add("I live in Riga.", user="ana")
    server.local.delete_collection("graphmem-1")
    with a_memory(tmp_path, server) as memory:
        assert any("Riga" in text for text in found(memory, "where does she live?"))
        assert memory.verify().clean


def test_an_erasure_waits_for_the_server_and_says_so(tmp_path: Path, server: QdrantServer) -> None:
    """It is clean once the index was written anew without what was erased."""
    with a_memory(tmp_path, server) as memory:
        memory.add("I live in Riga.", user="ana")
        memory.add("I play chess.", user="bob")
        server.stop()
        receipt = memory.erase(user="ana")
        assert not receipt.clean
        assert any("is away" in note for note in receipt.waiting)
        server.start()
        time.sleep(REST)
        assert memory.erase(user="bob").clean
        assert memory.verify().clean
    assert [server.local.count(one.name).count for one in _collections(server)] == [0]


def test_reindex_and_repair_work_on_a_server(tmp_path: Path, server: QdrantServer) -> None:
    """What differs is found and mended; a rebuild takes the old one's place."""
    with a_memory(tmp_path, server) as memory:
        memory.add("I live in Riga.", user="ana")
        memory.add("I'm allergic to mango.", user="ana")
        (before,) = _collections(server)
        points, _ = server.local.scroll(before.name, limit=2)
        server.local.delete(before.name, [point.id for point in points])
        assert not memory.verify().clean
        assert memory.repair().clean
        memory.reindex()
        (after,) = _collections(server)
        assert after.name != before.name
        assert memory.verify().clean


def test_a_reindex_that_is_cut_off_leaves_the_old_index(
    tmp_path: Path, server: QdrantServer
) -> None:
    """The next one starts over, and what is left of this one goes."""
    with a_memory(tmp_path, server) as memory:
        memory.add("I live in Riga.", user="ana")
        server.troubles.append(Trouble(on="/points/batch", status=422))
        with pytest.raises(Exception, match="422"):
            memory.reindex()
        assert any("Riga" in text for text in found(memory, "where does she live?"))
        memory.reindex()
        assert memory.verify().clean
    assert len(_collections(server)) == 1


def test_two_memories_do_not_share_a_collection(tmp_path: Path, server: QdrantServer) -> None:
    """Each would repair away what the other wrote; the second is told, and goes on without."""
    with a_memory(tmp_path / "first", server) as first:
        first.add("I live in Riga.", user="ana")
        with a_memory(tmp_path / "second", server) as second:
            receipt = second.add("I live in Cork.", user="ana")
            assert any("belongs to another memory" in note for note in receipt.notes)
            assert not second.repair().clean
        assert first.verify().clean
    with a_memory(tmp_path / "first", server) as again:
        assert again.search("Riga", user="ana").notes == ()
        assert again.erase(user="ana").clean
        assert again.search("Riga", user="ana").notes == ()
    with a_memory(tmp_path / "second", server) as second:
        second.reindex()
        assert second.verify().clean


def _collections(server: QdrantServer) -> list[CollectionDescription]:
    return server.local.get_collections().collections
