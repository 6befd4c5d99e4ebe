"""The rows of scopes."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass

from graphmem.adapters.sqlite.statements import sql
from graphmem.model.scope import Scope

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
