"""The outbox: what the index has yet to learn."""

from __future__ import annotations

import json
import sqlite3

from graphmem.adapters.sqlite.filters import as_list
from graphmem.adapters.sqlite.statements import sql
from graphmem.model.scope import Scope
from graphmem.model.search import PointKind
from graphmem.model.touched import Touched
from graphmem.ports.graph_store import OutboxRow


def write(connection: sqlite3.Connection, sid: int, number: int, touched: Touched) -> None:
    """Write one row a thing; an unsent row that only asked to write it gives way."""
    rows = [
        {"sid": sid, "kind": kind.value, "id": name, "change": number, "removed": as_list(gone)}
        for kind, name, gone in touched
    ]
    connection.executemany(sql("outbox.drop_unsent"), rows)
    connection.executemany(sql("outbox.insert"), rows)


def read(connection: sqlite3.Connection, limit: int, after: int) -> list[OutboxRow]:
    """Return the oldest rows behind ``after``."""
    rows = connection.execute(sql("outbox.read"), {"limit": limit, "after": after})
    return [row_of(row) for row in rows]


def row_of(row: sqlite3.Row) -> OutboxRow:
    """Return an outbox row as the statements select it."""
    return OutboxRow(
        row["seq"],
        Scope(row["tenant"], row["user"]),
        PointKind(row["kind"]),
        row["id"],
        row["change"],
        tuple(json.loads(row["removed"])),
        row["at"] or 0,
        row["parked"],
    )


def requeue(connection: sqlite3.Connection, sid: int) -> int:
    """Write a row for every episode, entity and fact of a scope; return how many."""
    connection.execute(sql("outbox.unpark_scope"), {"sid": sid})
    connection.execute(sql("outbox.drop_scope"), {"sid": sid})
    return sum(
        connection.execute(sql(f"outbox.requeue_{kind}"), {"sid": sid}).rowcount
        for kind in ("episodes", "entities", "facts")
    )


def forget(connection: sqlite3.Connection, sid: int, number: int) -> None:
    """Write rows that remove every point of a scope."""
    connection.execute(sql("outbox.drop_scope"), {"sid": sid})
    for kind in ("episodes", "entities", "facts"):
        connection.execute(sql(f"outbox.forget_{kind}"), {"sid": sid, "change": number})
