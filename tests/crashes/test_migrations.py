"""A process killed in the middle of bringing a file to a newer schema leaves the old one, whole."""

from __future__ import annotations

import signal
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from graphmem.adapters.sqlite import migration
from graphmem.adapters.sqlite.statements import migrations
from graphmem.errors import StoreError
from tests.crashes.places import GRAPH, in_child, opened

FIRST = "CREATE TABLE weather (a TEXT) STRICT;\nCREATE INDEX wet ON weather (a);"
SECOND = "ALTER TABLE weather ADD COLUMN b TEXT;\nINSERT INTO weather VALUES ('x', 'y');"
LATER = [(9001, "9001_weather", FIRST), (9002, "9002_wind", SECOND)]
"""What graphmem may need one day."""

# Dies by SIGKILL before the n-th statement of the later migrations, or before the commit.
MIGRATE = """
import os, signal, sys
from pathlib import Path
from graphmem.adapters.sqlite import migration
from graphmem.adapters.sqlite.database import Database
from graphmem.adapters.sqlite.statements import migrations, split
from graphmem.testing.clock import FrozenClock
from tests.crashes.test_migrations import LATER

left = [int(sys.argv[2])]

def dying(script):
    for statement in split(script):
        if left[0] == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        left[0] -= 1
        yield statement
    if left[0] == 0 and script == LATER[-1][2]:
        os.kill(os.getpid(), signal.SIGKILL)

migration.split = dying
if sys.argv[3] == "later":
    migration.migrations = lambda: [*migrations(), *LATER]
Database(Path(sys.argv[1]), FrozenClock(), busy_timeout=5, synchronous="FULL").close()
"""


def _schema(file: Path) -> list[tuple[str, ...]]:
    with closing(sqlite3.connect(file)) as connection:
        rows = connection.execute("SELECT name, sql FROM sqlite_master ORDER BY name").fetchall()
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        return [*rows, ("version", str(version))]


@pytest.mark.parametrize("step", range(5))
def test_killed_at_any_step_the_older_schema_is_there_whole(
    step: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It opens as before, with all it held; the next graphmem begins the change anew."""
    with opened(tmp_path) as memory:
        memory.add("I live in Riga.", user="ana")
    before = _schema(tmp_path / GRAPH)
    ran = in_child(MIGRATE, tmp_path / GRAPH, str(step), "later")
    assert ran.returncode == -signal.SIGKILL, ran.stderr
    with opened(tmp_path) as memory:
        assert memory.facts(user="ana").total == 1
        assert memory.verify().clean
    assert _schema(tmp_path / GRAPH) == before
    monkeypatch.setattr(migration, "migrations", lambda: [*migrations(), *LATER])
    with opened(tmp_path) as memory:
        assert memory.facts(user="ana").total == 1
        assert memory.verify().clean
    assert ("version", "9002") in _schema(tmp_path / GRAPH)


@pytest.mark.parametrize("step", [0, 1, 20])
def test_killed_while_it_is_made_a_store_is_made_by_the_next(step: int, tmp_path: Path) -> None:
    """A file without a schema is a new one."""
    ran = in_child(MIGRATE, tmp_path / GRAPH, str(step), "now")
    assert ran.returncode == -signal.SIGKILL, ran.stderr
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
