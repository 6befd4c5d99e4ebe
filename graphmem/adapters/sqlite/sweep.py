"""Physical removal: rows of erased scopes in batches, then the text in the files.

``secure_delete`` zeroes deleted rows where they lie, but not the copies SQLite leaves behind when
it moves rows between pages. So after an erasure the whole file is written anew (VACUUM), and the
write-ahead log, which holds the old pages, is emptied. Three counters in the meta table say how far
that went: erasures made, erasures the file was rewritten after, erasures no file holds any more.
"""

from __future__ import annotations

import logging
import sqlite3
from collections import Counter

from graphmem.adapters.sqlite import outbox
from graphmem.adapters.sqlite.database import Database
from graphmem.adapters.sqlite.erase import ERASURES
from graphmem.adapters.sqlite.statements import sql
from graphmem.ports.graph_store import Sweep

log = logging.getLogger(__name__)

BATCH = 1000
"""Rows removed in one transaction: a quarter of a second at most, so that other writers come in
between; smaller batches write the same pages again and again."""

# Children before what they refer to.
_TABLES = (
    "documents",
    "fact_claims",
    "fact_records",
    "withdrawals",
    "claim_links",
    "claims",
    "episodes",
    "entities",
    "suggestions",
    "successors",
    "changes",
)
READERS = "readers of the write-ahead log"
_REWRITTEN = "sqlite.rewritten"
_CLEAN = "sqlite.clean"
_CHECKPOINT_WAIT_MS = 250


def kill(connection: sqlite3.Connection, sid: int, number: int) -> dict[str, int]:
    """Make a scope invisible; its points are to leave the index. Return what it held, by kind."""
    counts = connection.execute(sql("scope.counts"), {"sid": sid}).fetchone()
    outbox.forget(connection, sid, number)
    connection.execute(sql("scope.kill"), {"sid": sid})
    connection.execute(sql("meta.bump"), {"key": ERASURES})
    return dict(zip(counts.keys(), counts, strict=True))


def sweep(database: Database) -> Sweep:
    """Remove the rows of dead scopes and rewrite the files that still hold what was erased."""
    with database.reading() as connection:
        if _counter(connection, _CLEAN) == _counter(connection, ERASURES):
            return Sweep({})
        dead = [row[0] for row in connection.execute(sql("sweep.dead"))]
    removed: Counter[str] = Counter()
    waiting: list[str] = []
    for sid in dead:
        for table in _TABLES:
            _empty(database, sid, table, removed)
        waiting.extend(_forget_scope(database, sid))
    with database.reading() as connection:
        erasures = _counter(connection, ERASURES)
        rewritten = _counter(connection, _REWRITTEN) == erasures
    if not rewritten:
        _rewrite(database)
        _raise(database, _REWRITTEN, erasures)
    if not _empty_log(database):
        waiting.append(READERS)
    if not waiting:
        _raise(database, _CLEAN, erasures)
    log.info("swept: %d rows removed, waiting for %d things", removed.total(), len(waiting))
    return Sweep(dict(removed), tuple(waiting))


def _counter(connection: sqlite3.Connection, key: str) -> int:
    row = connection.execute(sql("meta.counter"), {"key": key}).fetchone()
    return 0 if row is None else row[0]


def _raise(database: Database, key: str, value: int) -> None:
    with database.writing() as connection:
        connection.execute(sql("meta.raise"), {"key": key, "value": str(value)})


def _empty(database: Database, sid: int, table: str, removed: Counter[str]) -> None:
    while True:
        with database.writing() as connection:
            gone = connection.execute(sql(f"sweep.{table}"), {"sid": sid, "batch": BATCH}).rowcount
        if gone:
            removed[table] += gone
        if gone < BATCH:
            return


def _forget_scope(database: Database, sid: int) -> list[str]:
    """Remove the row of a dead scope, with its names, or say what still needs it."""
    with database.writing() as connection:
        if connection.execute(sql("sweep.scope"), {"sid": sid}).rowcount:
            connection.execute(sql("meta.bump"), {"key": ERASURES})  # its names were in the file
            return []
        rows = connection.execute(sql("sweep.unsettled"), {"sid": sid}).fetchone()[0]
        return [f"the vector index ({rows} outbox rows of an erased scope)"] if rows else []


def _rewrite(database: Database) -> None:
    """Write the whole file anew; readers go on meanwhile, writers wait."""
    with database.alone() as connection:
        # The new copy holds nothing erased, and a large one has no place in memory.
        connection.execute("PRAGMA temp_store = FILE")
        try:
            connection.execute("VACUUM")
        finally:
            connection.execute("PRAGMA temp_store = MEMORY")


def _empty_log(database: Database) -> bool:
    """Move the write-ahead log into the file and empty it; False while others read."""
    with database.alone() as connection:
        before: int = connection.execute("PRAGMA busy_timeout").fetchone()[0]
        connection.execute(f"PRAGMA busy_timeout = {_CHECKPOINT_WAIT_MS:d}")
        try:
            busy = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
        finally:
            connection.execute(f"PRAGMA busy_timeout = {before:d}")
    return not busy
