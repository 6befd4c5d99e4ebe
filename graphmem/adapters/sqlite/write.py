"""One change: find the scope, run the decision, write what it returns."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass

from graphmem.adapters.sqlite.apply import Writer
from graphmem.adapters.sqlite.snapshot import Reader
from graphmem.adapters.sqlite.statements import sql
from graphmem.model.changes import Changed, ChangeSet, Decide
from graphmem.model.scope import Scope
from graphmem.ports.clock import Clock

NOWHERE = 0
"""The row of no scope: nothing is found there."""


@dataclass(frozen=True, slots=True)
class Place:
    """A scope's row: its id, last record time and last change number."""

    sid: int
    at: int
    number: int


def find(connection: sqlite3.Connection, scope: Scope) -> Place | None:
    """Return the row of a scope, if it holds anything."""
    row = connection.execute(
        sql("scope.find"), {"tenant": scope.tenant, "user": scope.user}
    ).fetchone()
    return None if row is None else Place(row["sid"], row["at"], row["number"])


def alive(connection: sqlite3.Connection, scope: Scope | None) -> list[int]:
    """Return the row ids of a scope, or of all."""
    if scope is None:
        return [row[0] for row in connection.execute(sql("scope.sids"))]
    found = find(connection, scope)
    return [] if found is None else [found.sid]


def create(connection: sqlite3.Connection, scope: Scope, at: int, number: int) -> Place:
    """Make the row of a scope."""
    sid = connection.execute(
        sql("scope.create"),
        {"tenant": scope.tenant, "user": scope.user, "at": at, "number": number},
    ).lastrowid
    return Place(sid or NOWHERE, at, number)


def change(
    connection: sqlite3.Connection,
    clock: Clock,
    scope: Scope,
    decide: Decide,
    change_id: str | None,
) -> Changed:
    """Run a decision and write what it returns, inside the caller's transaction."""
    place = find(connection, scope)
    if place is not None and change_id is not None:
        done = connection.execute(
            sql("change.find"), {"sid": place.sid, "change_id": change_id}
        ).fetchone()
        if done is not None:
            return Changed(done["number"], done["at"], ChangeSet())
    last_at, last_number = (0, 0) if place is None else (place.at, place.number)
    now = clock.now() if place is None else max(clock.now(), last_at + 1)
    number = last_number + 1
    sid = NOWHERE if place is None else place.sid
    changes = _decide(Reader(connection, sid, now, number), decide)
    if changes.empty:
        return Changed(last_number, last_at, changes)
    if place is None:
        place = create(connection, scope, now, number)
    else:
        connection.execute(sql("scope.advance"), {"sid": sid, "at": now, "number": number})
    Writer(connection, place.sid, now, number).apply(changes)
    connection.execute(
        sql("change.insert"),
        {"sid": place.sid, "number": number, "at": now, "change_id": change_id},
    )
    return Changed(number, now, changes)


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
