"""Values kept with the store by key."""

from __future__ import annotations

import sqlite3

from graphmem.adapters.sqlite.statements import sql


def get(connection: sqlite3.Connection, key: str) -> str | None:
    """Return the value that is kept."""
    row = connection.execute(sql("meta.get"), {"key": key}).fetchone()
    return None if row is None else row[0]


def put(connection: sqlite3.Connection, key: str, value: str) -> None:
    """Keep a value."""
    connection.execute(sql("meta.put"), {"key": key, "value": value})


def first(connection: sqlite3.Connection, key: str, value: str) -> str:
    """Keep a value unless there is one; return the one that is kept."""
    connection.execute(sql("meta.first"), {"key": key, "value": value})
    return get(connection, key) or ""


def swap(connection: sqlite3.Connection, key: str, before: str, value: str) -> bool:
    """Keep a value if another is kept still; return whether it is kept now."""
    connection.execute(sql("meta.swap"), {"key": key, "before": before, "value": value})
    return get(connection, key) == value
