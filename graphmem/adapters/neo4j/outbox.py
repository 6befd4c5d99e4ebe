"""The outbox, and how several indexers share it: each takes scopes in hand for a while.

Who takes one in hand or lets go holds the lock of one common node for a moment; writers do not.
"""

from __future__ import annotations

import time
from collections.abc import Sequence

from graphmem.adapters.neo4j.connection import Connection
from graphmem.adapters.neo4j.scopes import alive, find
from graphmem.adapters.neo4j.things import things
from graphmem.adapters.neo4j.touched import first_seq
from graphmem.adapters.neo4j.tx import Found, Tx
from graphmem.model.scope import Scope
from graphmem.model.search import PointKind
from graphmem.ports.graph_store import Due, OutboxRow, Things, named

_ALL = "*"
"""Stands for every scope; no scope's node has this id."""
_MICROS = 1_000_000
_BATCH = 2000
_REASON = 2000
"""Characters of a reason that are kept."""
_EACH = (("episodes", PointKind.CHUNK), ("entities", PointKind.ENTITY), ("facts", PointKind.FACT))


async def read(tx: Tx, limit: int, after: int) -> list[OutboxRow]:
    """Return the oldest rows behind ``after`` that wait."""
    return [_row(found["row"]) for found in await tx.run("outbox/read", limit=limit, after=after)]


async def count(tx: Tx) -> int:
    """Return how many rows wait."""
    (found,) = await tx.run("outbox/count", since=0)
    return found["rows"] - found["parked"]


async def settle(tx: Tx, seqs: Sequence[int]) -> None:
    """Remove rows that were applied."""
    await tx.run("outbox/settle", seqs=list(seqs))


async def requeue(connection: Connection, scope: Scope | None) -> int:
    """Write a row for every episode, entity and fact; return how many.

    Cut off half-way it has written some, and may be done again.
    """
    sids = await connection.read(lambda tx: alive(tx, scope))
    await connection.write(lambda tx: unpark(tx, scope))
    return sum([await _requeue(connection, sid) for sid in sids])


async def _requeue(connection: Connection, sid: str) -> int:
    await connection.direct("outbox/drop", sid=sid, batch=_BATCH)
    (scope,) = await connection.read(lambda tx: tx.run("scope/numbers", sid=sid))
    written = 0
    for name, kind in _EACH:
        # Numbers of one run follow each other, behind a place taken by lot.
        (found,) = await connection.direct(
            f"outbox/requeue_{name}",
            sid=sid,
            kind=kind.value,
            first=first_seq(1),
            change=scope["number"],
            at=scope["at"],
            removed=[],
            batch=_BATCH,
        )
        written += found["count"]
    return written


async def lease(tx: Tx, limit: int, owner: str, seconds: float) -> Due:
    """Give ``owner`` the oldest rows of scopes that nobody else has in hand."""
    (found,) = await tx.run("outbox/lease", **_taking(owner, seconds), after=0, limit=limit)
    if found["barred"]:
        return Due((), {}, barred=True)
    rows = [_row(row) for row in found["rows"]]
    held = frozenset(Scope(row["tenant"], row["user"]) for row in found["held"])
    return Due(tuple(rows), await named_by(tx, rows), held=held)


async def named_by(tx: Tx, rows: Sequence[OutboxRow]) -> dict[Scope, Things]:
    """Return by scope what outbox rows name."""
    found: dict[Scope, Things] = {}
    for scope, ids in named(rows).items():
        place = await find(tx, scope)
        found[scope] = await things(
            tx,
            "" if place is None else place.sid,
            ids[PointKind.FACT],
            ids[PointKind.CHUNK],
            ids[PointKind.ENTITY],
        )
    return found


async def hold(tx: Tx, scope: Scope | None, owner: str, seconds: float) -> bool:
    """Take a scope, or all, in hand; return whether nobody else has any of it."""
    if scope is None:
        (found,) = await tx.run("outbox/hold_all", **_taking(owner, seconds))
        return found["taken"]
    place = await find(tx, scope)
    if place is None:
        return True
    (found,) = await tx.run("outbox/hold", **_taking(owner, seconds), sid=place.sid)
    return found["taken"]


async def renew(tx: Tx, owner: str, seconds: float) -> int:
    """Let what ``owner`` has in hand last from now; return how many scopes that are."""
    (found,) = await tx.run("outbox/renew", **_taking(owner, seconds))
    return found["count"]


async def release(tx: Tx, owner: str) -> None:
    """Let go of what ``owner`` has in hand, and of what has run out."""
    await tx.run("outbox/release", all=_ALL, owner=owner, now=_now())


async def park(tx: Tx, seq: int, reason: str) -> None:
    """Put a row aside."""
    await tx.run("outbox/park", seq=seq, reason=reason[:_REASON], at=_now())


async def parked(tx: Tx, limit: int) -> list[OutboxRow]:
    """Return the oldest rows that were put aside."""
    return [_row(found["row"]) for found in await tx.run("outbox/parked", limit=limit, since=0)]


async def unpark(tx: Tx, scope: Scope | None) -> int:
    """Bring rows back that were put aside; return how many."""
    place = None if scope is None else await find(tx, scope)
    if scope is not None and place is None:
        return 0
    sid = None if place is None else place.sid
    (found,) = await tx.run("outbox/unpark", since=0, sid=sid)
    return found["count"]


def _row(found: Found) -> OutboxRow:
    return OutboxRow(
        found["seq"],
        Scope(found["tenant"], found["user"]),
        PointKind(found["kind"]),
        found["id"],
        found["change"],
        tuple(found["removed"]),
        found["at"] or 0,
        found.get("parked"),
    )


def _taking(owner: str, seconds: float) -> Found:
    now = _now()
    return {"all": _ALL, "owner": owner, "now": now, "until": now + round(seconds * _MICROS)}


def _now() -> int:
    return time.time_ns() // 1000
