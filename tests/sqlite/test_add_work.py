"""What the graph store does for one added turn, counted in statements."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from graphmem import Memory
from graphmem.adapters.sqlite.database import Database
from graphmem.testing.clock import FrozenClock
from graphmem.testing.embedders import HashEmbedder

TOWNS = ("Cork", "Riga", "Ghent", "Turin", "Porto", "Leeds")
SOME, LOTS = 3, 25
MOST = 50
"""Statements of a turn with one fact; some of them write a term or a name each."""


class Counted:
    """Opens a memory, and counts the statements of its graph store."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self._count = 0
        connect = Database._connect  # pyright: ignore[reportPrivateUsage] - to see statements

        def traced(database: Database) -> sqlite3.Connection:
            connection = connect(database)
            connection.set_trace_callback(self._see)
            return connection

        monkeypatch.setattr(Database, "_connect", traced)
        self.memory = Memory(folder, embedder=HashEmbedder(8), clock=FrozenClock(1))

    def _see(self, statement: str) -> None:
        # What runs once for each term of a text tells how long texts are.
        single = ("-- ", "INSERT INTO postings", "INSERT INTO entity_words")
        self._count += not statement.startswith(single)

    def add(self, text: str) -> int:
        """Add a turn; return how many statements that took."""
        self._count = 0
        self.memory.add(text, user="ana")
        return self._count


def test_a_turn_takes_few_statements_however_much_there_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Adding to what is known takes as many statements among many facts as among a few."""
    counted = Counted(tmp_path / "m", monkeypatch)
    work: list[int] = []
    for size in (SOME, LOTS):
        for number in range(size):
            for town in TOWNS:
                counted.add(f"Person{number} Elm likes {town}.")
        counted.add("Wanda Birch likes chess.")
        told = [f"Wanda Birch likes the {thing} of {size}." for thing in ("book", "song", "play")]
        # Once a second there is one look more, at what the index is owed.
        work.append(min(counted.add(text) for text in told))
    counted.memory.close()
    assert work[0] == work[1] <= MOST


def test_likely_names_are_suggested_in_the_change_that_brings_them(tmp_path: Path) -> None:
    """A name that may be one that is there, or of the same call, takes no second change."""
    memory = Memory(tmp_path / "m", embedder=HashEmbedder(8), clock=FrozenClock(1))
    memory.add("Wanda Birch likes chess.", user="ana")
    told = ["W. Birch likes tea.", "Nora Alder likes tea.", "N. Alder likes rowing."]
    added = memory.add(told, user="ana")
    suggested = memory.suggestions(user="ana")
    memory.close()
    assert {s.created_at for s in suggested} == {fact.created_at for fact in added.added}
    assert {frozenset(s.reason.split("'")[1::2]) for s in suggested} == {
        frozenset({"W. Birch", "Wanda Birch"}),
        frozenset({"N. Alder", "Nora Alder"}),
    }
