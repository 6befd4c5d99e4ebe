"""How several indexers share the outbox: each takes scopes in hand for a while."""

from __future__ import annotations

import sqlite3
import time

from graphmem.adapters.sqlite import outbox, things
from graphmem.adapters.sqlite.scopes import find
from graphmem.adapters.sqlite.statements import sql
from graphmem.model.scope import Scope
from graphmem.ports.graph_store import Due, OutboxRow

_ALL = 0
"""Stands for every scope; no scope has this number."""
_MICROS = 1_000_000


def lease(connection: sqlite3.Connection, limit: int, owner: str, seconds: float) -> Due:
    """Give ``owner`` the oldest rows of scopes that nobody else has in hand."""
    values = {**_now(owner, seconds), "limit": limit}
    if connection.execute(sql("lease.barred"), values).fetchone()[0]:
        return Due((), {}, barred=True)
    connection.execute(sql("lease.release_scopes"), values)
    found = connection.execute(sql("lease.rows"), values).fetchall()
    sids = dict.fromkeys(row["sid"] for row in found)
    connection.executemany(sql("lease.take"), [{**values, "sid": sid} for sid in sids])
    held = connection.execute(sql("lease.held"), values)
    rows = [outbox.row_of(row) for row in found]
    return Due(
        tuple(rows),
        things.named_by(connection, rows),
        held=frozenset(Scope(row["tenant"], row["user"]) for row in held),
    )


def hold(connection: sqlite3.Connection, scope: Scope | None, owner: str, seconds: float) -> bool:
    """Take a scope, or all, in hand; return whether nobody else has any of it."""
    values = _now(owner, seconds)
    if scope is None:
        if connection.execute(sql("lease.barred"), values).fetchone()[0]:
            return False
        connection.execute(sql("lease.take"), {**values, "sid": _ALL})
        return not connection.execute(sql("lease.others"), values).fetchone()[0]
    place = find(connection, scope)
    if place is None:
        return True
    values["sid"] = place.sid
    if connection.execute(sql("lease.other"), values).fetchone()[0]:
        return False
    connection.execute(sql("lease.take"), values)
    return True


def renew(connection: sqlite3.Connection, owner: str, seconds: float) -> int:
    """Let what ``owner`` has in hand last from now; return how many scopes that are."""
    return connection.execute(sql("lease.renew"), _now(owner, seconds)).rowcount


def release(connection: sqlite3.Connection, owner: str) -> None:
    """Let go of what ``owner`` has in hand, and of what has run out."""
    connection.execute(sql("lease.release"), _now(owner, 0))


def park(connection: sqlite3.Connection, seq: int, reason: str) -> None:
    """Put a row aside."""
    connection.execute(sql("outbox.park"), {"seq": seq, "reason": reason})


def parked(connection: sqlite3.Connection, limit: int) -> list[OutboxRow]:
    """Return the oldest rows that were put aside."""
    rows = connection.execute(sql("outbox.parked"), {"limit": limit})
    return [outbox.row_of(row) for row in rows]


def unpark(connection: sqlite3.Connection, scope: Scope | None) -> int:
    """Bring rows back that were put aside; return how many."""
    if scope is None:
        return connection.execute(sql("outbox.unpark")).rowcount
    place = find(connection, scope)
    if place is None:
        return 0
    return connection.execute(sql("outbox.unpark_scope"), {"sid": place.sid}).rowcount


def _now(owner: str, seconds: float) -> dict[str, str | int]:
    now = time.time_ns() // 1000
    return {"owner": owner, "now": now, "until": now + round(seconds * _MICROS)}
