"""A process killed in the middle of bringing a file to a newer schema leaves the old one, whole."""

from __future__ import annotations

import os
import signal
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from graphmem.adapters.sqlite import migration
from graphmem.adapters.sqlite.database import Database
from graphmem.adapters.sqlite.statements import migrations, split
from graphmem.errors import StoreError
from graphmem.testing.clock import FrozenClock
from tests.crashes.places import GRAPH, opened
from tests.crashes.processes import context

FIRST = "CREATE TABLE weather (a TEXT) STRICT;\nCREATE INDEX wet ON weather (a);"
SECOND = "ALTER TABLE weather ADD COLUMN b TEXT;\nINSERT INTO weather VALUES ('x', 'y');"
LATER = [(9001, "9001_weather", FIRST), (9002, "9002_wind", SECOND)]
"""What graphmem may need one day."""


def _migrate(file: str, step: int, later: list[tuple[int, str, str]]) -> None:
    """Bring a file up to date; die before the statement ``step``, or before the commit."""
    left = [step]

    def dying(script: str) -> Iterator[str]:
        for statement in split(script):
            if left[0] == 0:
                os.kill(os.getpid(), signal.SIGKILL)
            left[0] -= 1
            yield statement
        if left[0] == 0 and script == SECOND:
            os.kill(os.getpid(), signal.SIGKILL)

    known = [*migrations(), *later]
    migration.split = dying
    migration.migrations = lambda: known
    Database(Path(file), FrozenClock(), busy_timeout=5, synchronous="FULL").close()


def _killed(file: Path, step: int, later: list[tuple[int, str, str]]) -> bool:
    process = context().Process(target=_migrate, args=(str(file), step, later))
    process.start()
    process.join(60)
    return process.exitcode == -signal.SIGKILL


def _schema(file: Path) -> list[tuple[str, ...]]:
    with closing(sqlite3.connect(file)) as connection:
        rows = connection.execute("SELECT name, sql FROM sqlite_master ORDER BY name").fetchall()
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        return [*rows, ("version", str(version))]


@pytest.mark.parametrize("step", [0, 2, 4])
def test_killed_at_any_step_the_older_schema_is_there_whole(
    step: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It opens as before, with all it held; the next graphmem begins the change anew."""
    with opened(tmp_path) as memory:
        memory.add("I live in Riga.", user="ana")
    before = _schema(tmp_path / GRAPH)
    assert _killed(tmp_path / GRAPH, step, LATER)
    with opened(tmp_path) as memory:
        assert memory.facts(user="ana").total == 1
        assert memory.verify().clean
    assert _schema(tmp_path / GRAPH) == before
    monkeypatch.setattr(migration, "migrations", lambda: [*migrations(), *LATER])
    with opened(tmp_path) as memory:
        assert memory.facts(user="ana").total == 1
        assert memory.verify().clean
    assert ("version", "9002") in _schema(tmp_path / GRAPH)


@pytest.mark.parametrize("step", [0, 20])
def test_killed_while_it_is_made_a_store_is_made_by_the_next(step: int, tmp_path: Path) -> None:
    """A file without a schema is a new one."""
    assert _killed(tmp_path / GRAPH, step, [])
    with opened(tmp_path) as memory:
        memory.add("I live in Riga.", user="ana")
        assert memory.verify().clean


def test_what_a_failed_migration_did_is_taken_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An error in the middle of it leaves the file as it was, and says which file it is."""
    with opened(tmp_path) as memory:
        memory.add("I live in Riga.", user="ana")
    before = _schema(tmp_path / GRAPH)
    wrong = (9003, "9003_wrong", "CREATE TABLE fog (a TEXT) STRICT;\nINSERT INTO mist VALUES (1);")
    with monkeypatch.context() as patch:
        patch.setattr(migration, "migrations", lambda: [*migrations(), wrong])
        with pytest.raises(StoreError, match=GRAPH):
            opened(tmp_path)
    assert _schema(tmp_path / GRAPH) == before
