"""Opening the file: schema, ownership, settings, and errors with a way out."""

from __future__ import annotations

import re
import sqlite3
import stat
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path

import pytest

from graphmem.adapters.sqlite import SqliteStore
from graphmem.adapters.sqlite.database import Synchronous
from graphmem.adapters.sqlite.errors import translate
from graphmem.adapters.sqlite.migration import known_version
from graphmem.adapters.sqlite.statements import migrations, names, sql
from graphmem.errors import (
    GraphmemError,
    InputError,
    SchemaVersionError,
    StoreCorruptError,
    StoreUnavailableError,
)
from graphmem.model.changes import ChangeSet
from graphmem.testing.builders import T0, an_episode, told
from graphmem.testing.clock import FrozenClock
from graphmem.testing.graph_store import closing as opened
from graphmem.testing.graph_store.base import begin, listed, write

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "graph.db"


@pytest.fixture
async def store(path: Path) -> AsyncIterator[SqliteStore]:
    store = SqliteStore.open(path, FrozenClock(T0), busy_timeout=0.2)
    yield store
    await store.close()


def run(path: Path, statement: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        return connection.execute(statement).fetchall()


async def test_reopened(path: Path) -> None:
    """What was committed is there after closing and opening again."""
    first = SqliteStore.open(path, FrozenClock())
    await begin(first, told("1"))
    await first.close()
    again = SqliteStore.open(path, FrozenClock())
    assert await listed(again) == ["f1"]
    await again.close()


async def test_new_folder(tmp_path: Path) -> None:
    """A folder that is not there is made."""
    store = SqliteStore.open(tmp_path / "new" / "folder" / "graph.db", FrozenClock())
    assert await store.scopes() == []
    await store.close()


async def test_private(store: SqliteStore, path: Path) -> None:
    """The file can be read by its owner alone."""
    await begin(store)
    for file in path.parent.iterdir():
        assert stat.S_IMODE(file.stat().st_mode) & 0o077 == 0


async def test_name(store: SqliteStore, path: Path) -> None:
    """The name says what and where the store is."""
    assert store.name == f"sqlite:{path}"


async def test_ledger(store: SqliteStore, path: Path) -> None:
    """Every migration is in the ledger, with when it was applied."""
    rows = run(path, "SELECT number, name, applied_at FROM ledger ORDER BY number")
    assert rows == [(number, name, T0) for number, name, _ in migrations()]


async def test_strict_tables(store: SqliteStore, path: Path) -> None:
    """All tables check the types of what they are given."""
    loose = "SELECT name FROM pragma_table_list WHERE type = 'table' AND strict = 0"
    assert {name for (name,) in run(path, loose)} <= {"sqlite_schema", "sqlite_sequence"} | {
        "sqlite_temp_schema"
    }


@pytest.mark.parametrize(("synchronous", "value"), [("FULL", 2), ("NORMAL", 1)])
async def test_settings(path: Path, synchronous: Synchronous, value: int) -> None:
    """The writer waits for the disk unless told otherwise, and overwrites what it deletes."""
    store = SqliteStore.open(path, FrozenClock(), synchronous=synchronous)
    with store.database.alone() as connection:
        found = [
            connection.execute(f"PRAGMA {name}").fetchone()[0]
            for name in ("synchronous", "secure_delete", "foreign_keys", "journal_mode")
        ]
    await store.close()
    assert found == [value, 1, 1, "wal"]


def test_newer_schema(path: Path) -> None:
    """A file of a newer graphmem is refused with the two versions."""
    SqliteStore.open(path, FrozenClock()).database.close()
    run(path, "PRAGMA user_version = 99")
    with pytest.raises(SchemaVersionError, match=rf"schema 99.*knows {known_version()}.*upgrade"):
        SqliteStore.open(path, FrozenClock())


def test_other_program(path: Path) -> None:
    """A SQLite file of another program is refused and left as it is."""
    run(path, "CREATE TABLE theirs (a)")
    before = path.read_bytes()
    with pytest.raises(StoreCorruptError, match="another program"):
        SqliteStore.open(path, FrozenClock())
    assert path.read_bytes() == before


def test_no_database(path: Path) -> None:
    """A file that is no database is refused, by name."""
    path.write_bytes(b"not a database at all, but long enough to look" * 50)
    with pytest.raises(StoreCorruptError, match=r"graph\.db"):
        SqliteStore.open(path, FrozenClock())


def test_folder_as_file(tmp_path: Path) -> None:
    """A path that cannot be opened says so, with the way out."""
    with pytest.raises(StoreUnavailableError, match="cannot be opened"):
        SqliteStore.open(tmp_path, FrozenClock())


def test_folder_that_cannot_be_made(tmp_path: Path) -> None:
    """So does one whose folder cannot be made."""
    (tmp_path / "file").write_text("x")
    with pytest.raises(StoreUnavailableError, match="file"):
        SqliteStore.open(tmp_path / "file" / "graph.db", FrozenClock())


def damage(path: Path) -> None:
    """Overwrite the head of every page but the first two."""
    content = bytearray(path.read_bytes())
    for start in range(4096 * 2, len(content), 4096):
        content[start : start + 64] = b"\xff" * 64
    path.write_bytes(content)


async def test_damaged_page(path: Path) -> None:
    """A damaged page is reported as damage, with the way out."""
    store = SqliteStore.open(path, FrozenClock())
    await begin(store, *(told(str(number)) for number in range(50)))
    await store.close()
    damage(path)
    with pytest.raises(StoreCorruptError, match="restore it"):
        async with opened(SqliteStore.open(path, FrozenClock())) as again:
            await listed(again)


async def test_busy(store: SqliteStore, path: Path) -> None:
    """A writer that another process keeps out gives up after the timeout, whole."""
    await begin(store)
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreUnavailableError, match="busy timeout") as caught:
            await write(store, told("1"))
        assert caught.value.retryable
        assert await listed(store) == []
    await write(store, told("1"))
    assert await listed(store) == ["f1"]


async def test_closed(path: Path) -> None:
    """A closed store says that it is closed."""
    store = SqliteStore.open(path, FrozenClock())
    await store.close()
    with pytest.raises(StoreUnavailableError, match="closed"):
        await listed(store)
    with pytest.raises(StoreUnavailableError, match="closed"):
        await begin(store)


async def test_integer_too_large(store: SqliteStore) -> None:
    """An instant beyond what a column holds is an input error, and nothing is written."""
    with pytest.raises(InputError, match="integer"):
        await write(store, ChangeSet(episodes=(an_episode("e1", occurred_at=2**70),)))
    assert await store.scopes() == []


async def test_lone_surrogate(store: SqliteStore) -> None:
    """Text that is no text is an input error."""
    with pytest.raises(InputError, match="UTF-8"):
        await write(store, ChangeSet(episodes=(an_episode("e1", speaker="\ud800"),)))
    assert await store.scopes() == []


SQLITE_CODES = sorted(
    {
        value & 0xFF
        for name, value in vars(sqlite3).items()
        if name.startswith("SQLITE_") and isinstance(value, int) and 0 < value & 0xFF < 27
    }
)


@pytest.mark.parametrize("code", SQLITE_CODES)
def test_every_code_is_mapped(code: int) -> None:
    """Every error code of SQLite becomes an error of ours that names the path."""
    error = sqlite3.OperationalError("it failed")
    error.sqlite_errorcode = code
    translated = translate(error, Path("/somewhere/graph.db"))
    assert isinstance(translated, GraphmemError)


def test_statements_are_used() -> None:
    """Every statement in the files is named in the adapter, whole or by a fixed part."""
    folder = Path(sql.__code__.co_filename).parent
    code = "".join(path.read_text() for path in folder.glob("*.py"))
    made = [one for one in re.findall(r'f"([a-z_.{}]+)"', code) if "." in one and "{" in one]
    patterns = [re.compile(re.sub(r"\{[^}]*\}", "[a-z_]+", one)) for one in made]
    unused = [
        name
        for name in names()
        if f'"{name}"' not in code
        and not name.startswith("check.")
        and not any(pattern.fullmatch(name) for pattern in patterns)
    ]
    assert unused == []
