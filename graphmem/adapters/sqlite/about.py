"""What the file is, and whether every index of its schema is there."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from functools import cache

from graphmem.adapters.sqlite.database import Database
from graphmem.adapters.sqlite.filters import register
from graphmem.adapters.sqlite.migration import known_version
from graphmem.adapters.sqlite.statements import migrations, split, sql
from graphmem.model.about import About, Part


def about(database: Database) -> About:
    """Look at the file's schema."""
    with database.reading() as connection:
        schema: int = connection.execute("PRAGMA user_version").fetchone()[0]
        there = _indexes(connection)
    return About(
        kind="SQLite",
        place=str(database.path),
        version=sqlite3.sqlite_version,
        schema=schema,
        known_schema=known_version(),
        parts=tuple(there),
        missing=tuple(sorted(wanted() - {part.name for part in there})),
    )


@cache
def wanted() -> frozenset[str]:
    """Return the names of all indexes of the schema."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        connection.row_factory = sqlite3.Row
        register(connection)
        for _, _, script in migrations():
            for statement in split(script):
                connection.execute(statement)
        return frozenset(part.name for part in _indexes(connection))


def _indexes(connection: sqlite3.Connection) -> list[Part]:
    rows = connection.execute(sql("about.indexes"))
    return [Part(row["name"], unique=bool(row["unique"])) for row in rows]
