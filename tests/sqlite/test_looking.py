"""A write looks around on the writer's own connection, where that is free."""

from __future__ import annotations

import sqlite3
import threading
from pathlib import Path

import pytest

from graphmem.adapters.sqlite.database import Database
from graphmem.adapters.system.clock import SystemClock
from graphmem.errors import StoreUnavailableError


def _open(path: Path) -> Database:
    return Database(path / "graph.sqlite3", SystemClock(), busy_timeout=5.0, synchronous="FULL")


def test_it_sees_what_is_committed_and_writes_nothing(tmp_path: Path) -> None:
    """What was committed is there, and nothing that is done while looking stays."""
    database = _open(tmp_path)
    with database.writing() as connection:
        connection.execute("INSERT INTO meta (key, value) VALUES ('one', '1')")
    with database.looking() as connection:
        assert connection.execute("SELECT value FROM meta WHERE key = 'one'").fetchone()[0] == "1"
        connection.execute("UPDATE meta SET value = '2' WHERE key = 'one'")
    with database.reading() as connection:
        assert connection.execute("SELECT value FROM meta WHERE key = 'one'").fetchone()[0] == "1"
    with database.writing() as connection:  # the writer is free again
        connection.execute("DELETE FROM meta WHERE key = 'one'")
    database.close()


def test_it_waits_for_no_writer(tmp_path: Path) -> None:
    """While somebody writes, a reader looks, at what was committed before."""
    database = _open(tmp_path)
    seen: list[sqlite3.Row | None] = []

    def look() -> None:
        with database.looking() as connection:
            seen.append(connection.execute("SELECT 1 FROM meta WHERE key = 'late'").fetchone())

    with database.writing() as connection:
        connection.execute("INSERT INTO meta (key, value) VALUES ('late', '1')")
        looking = threading.Thread(target=look)
        looking.start()
        looking.join(5)
        assert seen == [None]
    database.close()


def test_an_error_while_looking_leaves_the_writer_free(tmp_path: Path) -> None:
    """Whatever breaks a look, the next write goes on."""
    database = _open(tmp_path)
    with pytest.raises(LookupError), database.looking():
        raise LookupError
    with database.writing() as connection:
        connection.execute("INSERT INTO meta (key, value) VALUES ('on', '1')")
    database.close()


def test_a_closed_store_says_so(tmp_path: Path) -> None:
    """Nobody looks into what was closed."""
    database = _open(tmp_path)
    database.close()
    with pytest.raises(StoreUnavailableError, match="is closed"), database.looking():
        pass
