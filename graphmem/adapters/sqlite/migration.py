"""Brings a file to the schema this graphmem knows."""

from __future__ import annotations

import hashlib
import logging
import sqlite3
from collections.abc import Callable
from pathlib import Path

from graphmem.adapters.sqlite.statements import migrations, split
from graphmem.errors import SchemaVersionError, StoreCorruptError
from graphmem.ports.clock import Clock

log = logging.getLogger(__name__)

APPLICATION_ID = 0x67726D65
"""What marks a SQLite file as ours ("grme")."""

_LEDGER = """
CREATE TABLE IF NOT EXISTS ledger (
    number     INTEGER PRIMARY KEY,
    name       TEXT    NOT NULL,
    digest     TEXT    NOT NULL,
    applied_at INTEGER NOT NULL
) STRICT
"""


def known_version() -> int:
    """Return the newest schema this graphmem knows."""
    return max(number for number, _, _ in migrations())


def migrate(
    connection: sqlite3.Connection,
    path: Path,
    clock: Clock,
    use_wal: Callable[[sqlite3.Connection], None],
) -> None:
    """Apply what is missing, in one transaction that other processes wait for.

    Raises:
        StoreCorruptError: the file belongs to something else.
        SchemaVersionError: a newer graphmem wrote it.
    """
    # One read transaction, or another process's migration could fall between two of its reads.
    connection.execute("BEGIN")
    try:
        have = _version(connection, path)
    finally:
        connection.rollback()
    use_wal(connection)
    if have == known_version():
        return
    connection.execute("BEGIN IMMEDIATE")
    try:
        have = _version(connection, path)  # another process may have been first
        connection.execute(_LEDGER)
        for number, name, script in migrations():
            if number <= have:
                continue
            for statement in split(script):
                connection.execute(statement)
            connection.execute(
                "INSERT INTO ledger (number, name, digest, applied_at) VALUES (?, ?, ?, ?)",
                (number, name, hashlib.sha256(script.encode()).hexdigest(), clock.now()),
            )
            log.info("applied migration %s to %s", name, path)
        # A pragma takes no parameters; both values are our own integers.
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID:d}")
        connection.execute(f"PRAGMA user_version = {known_version():d}")
        connection.execute("COMMIT")
    finally:
        if connection.in_transaction:
            connection.rollback()


def _version(connection: sqlite3.Connection, path: Path) -> int:
    """Return the file's schema version, 0 for a new file."""
    version: int = connection.execute("PRAGMA user_version").fetchone()[0]
    owner: int = connection.execute("PRAGMA application_id").fetchone()[0]
    if owner != APPLICATION_ID:
        if connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0] or owner:
            raise StoreCorruptError(
                f"{str(path)!r} is a SQLite file of another program, not a graphmem store; choose "
                "another path"
            )
        return 0
    if version > known_version():
        raise SchemaVersionError(
            f"the store {str(path)!r} was written by a newer graphmem (schema {version}; this one "
            f"knows {known_version()}): upgrade graphmem"
        )
    return version
