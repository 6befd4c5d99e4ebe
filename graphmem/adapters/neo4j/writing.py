"""Writes what was planned under the lock of a scope."""

from __future__ import annotations

from graphmem.adapters.neo4j.documents import Counts
from graphmem.adapters.neo4j.planned import Plan, Rows
from graphmem.adapters.neo4j.touched import outbox_rows
from graphmem.adapters.neo4j.tx import Tx
from graphmem.model.time import FOREVER
from graphmem.model.touched import Touched


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
    await tx.run(
        "change/write",
        sid=sid,
        forever=FOREVER,
        terms=counts.rows(),
        points=counts.points,
        outbox=outbox_rows(touched, number, at),
        changes=changes,
        number=number,
        at=at,
        **plan.values(),
    )
