"""A whole memory on Neo4j and Qdrant: looked at by the doctor, and migrated to and from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from graphmem import Memory, Settings
from graphmem.errors import RefusedError, StoreUnavailableError, TransferError
from graphmem.testing.embedders import HashEmbedder
from graphmem.usecases.doctor import Finding
from tests.index.qdrant_http import QdrantServer
from tests.services.neo4j_server import Address
from tests.services.proxy import Proxy
from tests.services.stores import settings_of


def opened(settings: Settings, qdrant: str | None = None) -> Memory:
    """Open a memory with a cheap embedder."""
    return Memory(settings=settings, qdrant=qdrant, embedder=HashEmbedder())


@pytest.fixture
def qdrant() -> Iterator[QdrantServer]:
    """Return an empty Qdrant server."""
    with QdrantServer() as server:
        yield server


def found(mem: Memory) -> dict[str, Finding]:
    """Return the doctor's findings by their names."""
    return {finding.name: finding for finding in mem.doctor().findings}


def test_the_doctor_names_both_servers(neo4j: Address, qdrant: QdrantServer) -> None:
    """Versions, edition, every index and constraint, and the way to each, with no secret."""
    with opened(settings_of(neo4j), qdrant.url) as mem:
        mem.add("I live in Riga.", user="ana")
        report = found(mem)
        assert [name for name, finding in report.items() if not finding.well] == []
    assert report["store"].value.startswith("Neo4j 5.26.")
    assert " community: bolt://127.0.0.1:" in report["store"].value
    assert "missing" not in report["indexes of the store"].value
    assert report["index kept by"].value.startswith("Qdrant ")
    for server in ("store", "index", "embedder"):
        assert " ms, median of 5" in report[f"round trip to the {server}"].value
    assert report["round trip to the store"].value.endswith("; 0 calls begun anew")
    told = " ".join(finding.value for finding in report.values())
    assert neo4j.password == "" or neo4j.password not in told


def test_a_store_that_is_away_is_a_finding(neo4j: Address, qdrant: QdrantServer) -> None:
    """The rest is looked at all the same, and the store is asked once only."""
    with Proxy(neo4j.url) as proxy:
        settings = settings_of(neo4j, proxy.url, neo4j_timeout=1.0)
        with opened(settings, qdrant.url) as mem:
            proxy.down()
            report = found(mem)
            assert not report["store"].well
            assert "127.0.0.1" in report["store"].value
            assert report["index kept by"].well
            with pytest.raises(StoreUnavailableError):
                mem.facts(user="ana")


def test_an_index_that_is_away_is_a_finding(neo4j: Address, qdrant: QdrantServer) -> None:
    """And so is what waits for it."""
    with opened(settings_of(neo4j, qdrant_timeout=0.5), qdrant.url) as mem:
        mem.add("I live in Riga.", user="ana")
        qdrant.stop()
        mem.add("I've moved to Cork.", user="ana")
        report = found(mem)
        assert not report["vector index"].well
        assert not report["records waiting to be indexed"].well
        qdrant.start()


def lived(mem: Memory) -> None:
    """Tell a life that leaves rows of every kind."""
    mem.add(["I live in Hangzhou and I'm allergic to mango.", "I've moved to Lisbon."], user="ana")
    mem.add("My sister Tilda lives in Cork.", user="ana", session="s1")
    gone = mem.add_fact("me", "likes", "opera", user="ana").facts[0]
    mem.retract(gone.id, user="ana", reason="a joke")
    mem.add_fact("Tilda Berg", "visited", "Riga", user="ana")
    mem.merge(["Tilda Berg"], into="Tilda", user="ana")
    mem.add_fact("me", "lives_in", "Riga", user="bob", tenant="other")


def exported(mem: Memory, file: Path) -> bytes:
    """Return a whole memory as a file."""
    mem.export(file)
    return file.read_bytes()


def test_a_folder_is_migrated_to_the_servers_and_back(
    neo4j: Address, qdrant: QdrantServer, tmp_path: Path
) -> None:
    """Each is the same as the one before, byte by byte, and answers alike."""
    question = "where does Tilda live?"
    with opened(Settings.load({}, path=tmp_path / "one")) as one:
        lived(one)
        whole = exported(one, tmp_path / "one.jsonl")
        hits = one.search(question, user="ana").hits
        to = one.migrate(neo4j.url, qdrant=qdrant.url, settings=_cheap(settings_of(neo4j)))
        assert (to.scopes, to.new) == (2, to.rows)
    with opened(settings_of(neo4j), qdrant.url) as servers:
        assert exported(servers, tmp_path / "servers.jsonl") == whole
        assert servers.search(question, user="ana").hits == hits
        servers.reindex()
        assert servers.verify().clean
        back = servers.migrate(tmp_path / "two")
        assert (back.rows, back.notes) == (to.rows, ())
    with opened(Settings.load({}, path=tmp_path / "two")) as two:
        assert exported(two, tmp_path / "two.jsonl") == whole
        assert two.search(question, user="ana").hits == hits
        assert two.verify().clean


def test_a_migration_to_a_server_goes_on(
    neo4j: Address, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Cut off by a server that went away, it is finished by the same call."""
    monkeypatch.setattr("graphmem.usecases.migrate.BATCH", 5)
    with opened(Settings.load({}, path=tmp_path / "one")) as one, Proxy(neo4j.url) as proxy:
        lived(one)
        short = _cheap(settings_of(neo4j, proxy.url, neo4j_timeout=1.0))

        def cut(done: int, total: int) -> None:
            if done > 10:
                proxy.down()

        with pytest.raises(StoreUnavailableError):
            one.migrate(proxy.url, settings=short, progress=cut)
        done = one.migrate(neo4j.url, settings=_cheap(settings_of(neo4j)))
        assert 0 < done.new < done.rows
        with opened(settings_of(neo4j)) as there:
            assert exported(there, tmp_path / "b") == exported(one, tmp_path / "a")
            there.add("I like tea.", user="ana")
            again = one.migrate(neo4j.url, settings=_cheap(settings_of(neo4j)))
            assert again.new == 0
        one.add("I like opera.", user="ana")
        with pytest.raises(TransferError, match="written to here since"):
            one.migrate(neo4j.url, settings=_cheap(settings_of(neo4j)))


def test_a_server_is_not_migrated_into_itself(neo4j: Address) -> None:
    """Nothing would be gained, and a half of it could be lost."""
    with opened(settings_of(neo4j)) as mem:
        lived(mem)
        with pytest.raises(RefusedError, match="itself"):
            mem.migrate(neo4j.url, settings=_cheap(settings_of(neo4j)))


def _cheap(settings: Settings) -> Settings:
    """Leave the real embedder out."""
    return replace(settings, embedder="none")
