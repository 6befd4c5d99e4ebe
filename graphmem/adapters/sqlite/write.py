"""One change: find the scope, run the decision, write what it returns."""

from __future__ import annotations

import sqlite3

from graphmem.adapters.sqlite.apply import Writer
from graphmem.adapters.sqlite.scopes import NOWHERE, create, find
from graphmem.adapters.sqlite.snapshot import Reader
from graphmem.adapters.sqlite.statements import sql
from graphmem.model.changes import Changed, ChangeSet, Decide
from graphmem.model.scope import Scope
from graphmem.ports.clock import Clock
from graphmem.ports.graph_store import Due


def change(
    connection: sqlite3.Connection,
    clock: Clock,
    scope: Scope,
    decide: Decide,
    change_id: str | None,
) -> tuple[Changed, Due | None]:
    """Run a decision and write what it returns, inside the caller's transaction.

    Returns:
        The change, and all that waits for the index, where that is what it wrote and not much.
    """
    place = find(connection, scope)
    if place is not None and change_id is not None:
        done = connection.execute(
            sql("change.find"), {"sid": place.sid, "change_id": change_id}
        ).fetchone()
        if done is not None:
            return Changed(done["number"], done["at"], ChangeSet()), None
    last_at, last_number = (0, 0) if place is None else (place.at, place.number)
    now = clock.now() if place is None else max(clock.now(), last_at + 1)
    number = last_number + 1
    sid = NOWHERE if place is None else place.sid
    changes = _decide(Reader(connection, sid, now, number), decide)
    if changes.empty:
        return Changed(last_number, last_at, changes), None
    if place is None:
        place = create(connection, scope, now, number)
    else:
        connection.execute(sql("scope.advance"), {"sid": sid, "at": now, "number": number})
    writer = Writer(connection, place.sid, now, number)
    writer.apply(changes)
    connection.execute(
        sql("change.insert"),
        {"sid": place.sid, "number": number, "at": now, "change_id": change_id},
    )
    return Changed(number, now, changes), writer.left(scope)


def _decide(reader: Reader, decide: Decide) -> ChangeSet:
    decision = decide()
    try:
        wanted = next(decision)
        while True:
            wanted = decision.send(reader.snapshot(wanted))
    except StopIteration as done:
        changes: ChangeSet = done.value
        return changes
    finally:
        decision.close()
