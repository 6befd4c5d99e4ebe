"""The doctor: what each part of a memory is, and what is not well."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from pathlib import Path

import pytest

from graphmem import Memory
from graphmem.errors import EmbedderError
from graphmem.ports.embedder import Vector
from graphmem.testing.embedders import HashEmbedder
from graphmem.usecases import doctor as examining
from graphmem.usecases.doctor import Finding
from tests.engine.conftest import Make


class Away(HashEmbedder):
    """An embedder whose endpoint is away."""

    async def queries(self, texts: Sequence[str]) -> list[Vector]:
        raise EmbedderError("nobody answers")


def found(mem: Memory) -> dict[str, Finding]:
    """Return the findings by their names."""
    return {finding.name: finding for finding in mem.doctor().findings}


@pytest.mark.embedded("looks into, or changes, its file")
def test_each_part_is_named_with_its_version(mem: Memory, tmp_path: Path) -> None:
    """Store, schema, indexes, embedder and index, and that they agree."""
    mem.add("I live in Riga.", user="ana")
    report = found(mem)
    assert mem.doctor().well
    place = tmp_path / "memory"
    assert report["store"].value == f"SQLite {sqlite3.sqlite_version}: {place / 'graph.sqlite3'}"
    assert report["schema"].value.startswith("version ")
    assert " online" in report["indexes of the store"].value
    assert report["index kept by"].value.startswith("Qdrant Edge ")
    assert report["round trip to the embedder"].value.endswith(" ms, median of 5")
    assert report["drift"].value == "none"


@pytest.mark.embedded("looks into, or changes, its file")
def test_a_lost_index_of_the_store_is_named(mem: Memory, tmp_path: Path) -> None:
    """Somebody dropped it; reads would be right, and slow."""
    mem.add("I live in Riga.", user="ana")
    with sqlite3.connect(tmp_path / "memory" / "graph.sqlite3") as connection:
        connection.execute("DROP INDEX episodes_by_reading")
    connection.close()
    finding = found(mem)["indexes of the store"]
    assert finding.value.endswith("missing: episodes_by_reading")
    assert not finding.well


def test_turns_not_read_are_counted_over_all_users(make: Make) -> None:
    """And what reads them is told."""
    mem = make("memory", extractor="none")
    for user in ("ana", "bob"):
        mem.add("I live in Riga.", user=user)
    finding = found(mem)["turns not read yet"]
    assert (finding.value.split(";")[0], finding.well) == ("2", False)


def test_an_embedder_that_is_away_is_a_finding(make: Make) -> None:
    """With its reason; the rest is looked at all the same."""
    report = found(make("memory", embedder=Away()))
    assert not report["embedder"].well
    assert "nobody answers" in report["embedder"].value
    assert report["store"].well


@pytest.mark.embedded("looks into, or changes, its file")
def test_drift_is_found(make: Make, tmp_path: Path) -> None:
    """A point whose record says something else is counted."""
    mem = make("memory")
    mem.add("I live in Riga.", user="ana")
    mem.close()
    with sqlite3.connect(tmp_path / "memory" / "graph.sqlite3") as connection:
        connection.execute("UPDATE fact_records SET statement = 'I live in Rome.'")
    connection.close()
    finding = found(make("memory"))["drift"]
    assert (finding.value, finding.well) == ("1 points; repair mends them", False)


def test_a_large_index_is_left_to_verify(mem: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    """The doctor comes quickly, and says what it did not look for."""
    mem.add("I live in Riga.", user="ana")
    monkeypatch.setattr(examining, "COMPARED", 1)
    assert "verify does" in found(mem)["drift"].value
