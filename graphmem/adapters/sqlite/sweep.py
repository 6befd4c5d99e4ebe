"""Physical removal: rows of erased scopes in batches, then the text in the files."""

from __future__ import annotations

import logging
import sqlite3
from collections import Counter

from graphmem.adapters.sqlite import outbox
from graphmem.adapters.sqlite.database import Database
from graphmem.adapters.sqlite.erase import UNCLEAN
from graphmem.adapters.sqlite.statements import sql
from graphmem.ports.graph_store import Sweep

log = logging.getLogger(__name__)

BATCH = 500
"""Rows removed in one transaction: milliseconds, so that other writers come in between."""

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
_CHECKPOINT_WAIT_MS = 250


def kill(connection: sqlite3.Connection, sid: int, number: int) -> dict[str, int]:
    """Make a scope invisible; its points are to leave the index. Return what it held, by kind."""
    counts = connection.execute(sql("scope.counts"), {"sid": sid}).fetchone()
    outbox.forget(connection, sid, number)
    connection.execute(sql("scope.kill"), {"sid": sid})
    connection.execute(sql("meta.put"), {"key": UNCLEAN, "value": "1"})
    return {kind: counts[kind] for kind in counts.keys()}  # noqa: SIM118 a Row iterates its values


def sweep(database: Database) -> Sweep:
    """Remove the rows of dead scopes and rewrite the files that still hold what was erased."""
    with database.reading() as connection:
        if not _unclean(connection):
            return Sweep({})
        dead = [row[0] for row in connection.execute(sql("sweep.dead"))]
    removed: Counter[str] = Counter()
    for sid in dead:
        for table in _TABLES:
            _empty(database, sid, table, removed)
    waiting: list[str] = []
    for sid in dead:
        with database.writing() as connection:
            if not connection.execute(sql("sweep.scope"), {"sid": sid}).rowcount:
                rows = connection.execute(sql("sweep.unsettled"), {"sid": sid}).fetchone()[0]
                waiting.append(f"the vector index ({rows} outbox rows of an erased scope)")
    if not _rewrite(database):
        waiting.append(READERS)
    if not waiting:
        with database.writing() as connection:
            connection.execute(sql("meta.drop"), {"key": UNCLEAN})
    log.info("swept: %d rows removed, waiting for %d things", removed.total(), len(waiting))
    return Sweep(dict(removed), tuple(waiting))


def _unclean(connection: sqlite3.Connection) -> bool:
    return connection.execute(sql("meta.get"), {"key": UNCLEAN}).fetchone() is not None


def _empty(database: Database, sid: int, table: str, removed: Counter[str]) -> None:
    while True:
        with database.writing() as connection:
            gone = connection.execute(sql(f"sweep.{table}"), {"sid": sid, "batch": BATCH}).rowcount
        removed[table] += gone
        if gone < BATCH:
            return


def _rewrite(database: Database) -> bool:
    """Write the whole file anew and empty the write-ahead log; False while others read.

    ``secure_delete`` zeroes what is deleted where it lies, but copies that SQLite made while it
    moved rows between pages are not deleted rows; only writing the file anew is rid of them.
    """
    with database.alone() as connection:
        connection.execute("VACUUM")
        before: int = connection.execute("PRAGMA busy_timeout").fetchone()[0]
        connection.execute(f"PRAGMA busy_timeout = {_CHECKPOINT_WAIT_MS:d}")
        try:
            busy = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
        finally:
            connection.execute(f"PRAGMA busy_timeout = {before:d}")
    return not busy
