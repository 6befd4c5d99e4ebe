"""The outbox, and how several indexers share it: each takes scopes in hand for a while.

Who takes one in hand or lets go holds the lock of one common node for a moment; writers do not. The
server's clock tells what has run out.
"""

from __future__ import annotations

from collections.abc import Iterable

from graphmem.adapters.neo4j.connection import Connection
from graphmem.adapters.neo4j.scopes import alive, find
from graphmem.adapters.neo4j.things import named_by
from graphmem.adapters.neo4j.touched import first_seq
from graphmem.adapters.neo4j.tx import Found, Tx
from graphmem.model.scope import Scope
from graphmem.model.search import PointKind
from graphmem.ports.graph_store import Due, OutboxRow

_ALL = "*"
"""Stands for every scope; no scope's node has this id."""
_MILLIS = 1000
_BATCH = 2000
_REASON = 2000
"""Characters of a reason that are kept."""
_REQUEUE = (
    ("outbox/requeue_episodes", PointKind.CHUNK),
    ("outbox/requeue_entities", PointKind.ENTITY),
    ("outbox/requeue_facts", PointKind.FACT),
)


async def read(tx: Tx, limit: int, after: int) -> list[OutboxRow]:
    """Return the oldest rows behind ``after`` that wait."""
    (found,) = await tx.run("outbox/read", limit=limit, after=after)
    return [_row(row) for row in found["rows"]]


async def due(tx: Tx, limit: int) -> Due:
    """Return the oldest rows that wait, and what they name."""
    rows = await read(tx, limit, after=0)
    return Due(tuple(rows), await named_by(tx, rows))


async def count(tx: Tx) -> int:
    """Return how many rows wait."""
    (found,) = await tx.run("outbox/count")
    return found["rows"] - found["parked"]


async def settle(connection: Connection, seqs: Iterable[int]) -> None:
    """Remove rows that were applied."""
    await connection.single("outbox/settle", seqs=list(seqs))


async def requeue(connection: Connection, scope: Scope | None) -> int:
    """Write a row for every episode, entity and fact; return how many.

    Cut off half-way it has written some, and may be done again.
    """
    sids = await connection.read(lambda tx: alive(tx, scope))
    await unpark(connection, scope)
    return sum([await _requeue(connection, sid) for sid in sids])


async def _requeue(connection: Connection, sid: str) -> int:
    await connection.direct("outbox/drop", sid=sid, batch=_BATCH)
    (scope,) = await connection.read(lambda tx: tx.run("scope/numbers", sid=sid))
    written = 0
    for name, kind in _REQUEUE:
        # Numbers of one run follow each other, behind a place taken by lot.
        (found,) = await connection.direct(
            name,
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


async def lease(connection: Connection, limit: int, owner: str, seconds: float) -> Due:
    """Give ``owner`` the oldest rows of scopes that nobody else has in hand."""
    (found,) = await connection.single("outbox/lease", **_taking(owner, seconds), limit=limit)
    if found["barred"]:
        return Due((), {}, barred=True)
    rows = [_row(row) for row in found["rows"]]
    held = frozenset(Scope(row["tenant"], row["user"]) for row in found["held"])
    return Due(tuple(rows), await connection.read(lambda tx: named_by(tx, rows)), held=held)


async def hold(connection: Connection, scope: Scope | None, owner: str, seconds: float) -> bool:
    """Take a scope, or all, in hand; return whether nobody else has any of it."""
    taking = _taking(owner, seconds)
    if scope is None:
        (found,) = await connection.single("outbox/hold_all", **taking)
    else:
        (found,) = await connection.single("outbox/hold", **taking, key=scope.key)
    return found["taken"]


async def renew(connection: Connection, owner: str, seconds: float) -> int:
    """Let what ``owner`` has in hand last from now; return how many scopes that are."""
    (found,) = await connection.single("outbox/renew", **_taking(owner, seconds))
    return found["count"]


async def release(connection: Connection, owner: str, settled: Iterable[int]) -> None:
    """Let go of what ``owner`` has in hand, and of what has run out, and remove applied rows."""
    await connection.single("outbox/release", all=_ALL, owner=owner, seqs=list(settled))


async def park(connection: Connection, seq: int, reason: str) -> None:
    """Put a row aside."""
    await connection.single("outbox/park", seq=seq, reason=reason[:_REASON])


async def parked(tx: Tx, limit: int) -> list[OutboxRow]:
    """Return the oldest rows that were put aside."""
    (found,) = await tx.run("outbox/parked", limit=limit)
    return [_row(row) for row in found["rows"]]


async def unpark(connection: Connection, scope: Scope | None) -> int:
    """Bring rows back that were put aside; return how many."""
    sid = None
    if scope is not None:
        place = await connection.read(lambda tx: find(tx, scope))
        if place is None:
            return 0
        sid = place.sid
    (found,) = await connection.single("outbox/unpark", sid=sid)
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
    return {"all": _ALL, "owner": owner, "millis": round(seconds * _MILLIS)}
