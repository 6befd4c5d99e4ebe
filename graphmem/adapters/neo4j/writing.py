"""Takes the lock of a scope, and writes what was planned under it."""

from __future__ import annotations

import secrets

from graphmem.adapters.neo4j.documents import Counts
from graphmem.adapters.neo4j.planned import Plan, Rows
from graphmem.adapters.neo4j.touched import outbox_rows
from graphmem.adapters.neo4j.tx import Found, Tx
from graphmem.model.scope import Scope
from graphmem.model.time import FOREVER
from graphmem.model.touched import Touched


async def lock(tx: Tx, scope: Scope, change_key: str | None) -> Found:
    """Take the lock of a scope, whose node is made if there is none; return what the statement
    ``change/lock`` does, and whether the node is ``fresh``."""
    sid = secrets.token_hex(16)
    (locked,) = await tx.run(
        "change/lock",
        key=scope.key,
        sid=sid,
        tenant=scope.tenant,
        user=scope.user,
        change_key=change_key,
    )
    return {**locked, "fresh": locked["sid"] == sid}


async def write(
    tx: Tx,
    sid: str,
    plan: Plan,
    counts: Counts,
    touched: Touched,
    *,
    changes: Rows,
    number: int,
    at: int,
) -> None:
    """Write a plan with its counts and outbox rows, note ``changes``, and move the scope on to
    ``number`` and ``at``."""
    if not plan.said.empty:
        await tx.run("change/said", sid=sid, **plan.said.values())
    if not plan.believed.empty:
        await tx.run("change/believed", sid=sid, forever=FOREVER, **plan.believed.values())
    await tx.run(
        "change/close",
        sid=sid,
        terms=counts.rows(),
        points=counts.points,
        outbox=outbox_rows(touched, number, at),
        changes=changes,
        number=number,
        at=at,
        **plan.named.values(),
    )
