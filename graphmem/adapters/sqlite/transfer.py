"""A scope as flat rows, out and in."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from itertools import islice

from graphmem.adapters.sqlite import documents, outbox, scopes
from graphmem.adapters.sqlite.database import Database
from graphmem.adapters.sqlite.errors import translated
from graphmem.adapters.sqlite.records import insert_fact
from graphmem.adapters.sqlite.rows import link_columns
from graphmem.adapters.sqlite.statements import sql
from graphmem.errors import TransferError
from graphmem.model.rows import (
    FlatRow,
    Row,
    claim_from,
    claim_row,
    entity_from,
    entity_row,
    episode_from,
    episode_row,
    fact_from,
    link_from,
    suggestion_from,
    suggestion_row,
    take_in,
)
from graphmem.model.scope import Scope
from graphmem.model.search import PointKind
from graphmem.model.touched import Touched

KINDS = (
    "scope",
    "episode",
    "entity",
    "claim",
    "link",
    "withdrawal",
    "fact",
    "rests",
    "successor",
    "suggestion",
    "change",
)
BATCH = 500


class Export:
    """One export: all its batches are read in one read transaction, so they fit together."""

    def __init__(self, database: Database, scope: Scope) -> None:
        self._database = database
        self._scope = scope
        self._stack = ExitStack()
        self._rows: Iterator[Row] | None = None
        # A cancelled caller may close this while a thread still reads the last batch.
        self._lock = threading.Lock()

    def next_batch(self) -> list[Row]:
        """Return the next rows; empty at the end."""
        with self._lock, translated(self._database.path):
            if self._rows is None:
                connection = self._stack.enter_context(self._database.reading())
                self._rows = _rows(connection, self._scope)
            return list(islice(self._rows, BATCH))

    def close(self) -> None:
        """End the read transaction."""
        with self._lock:
            self._rows = iter(())
            self._stack.close()


def _rows(connection: sqlite3.Connection, scope: Scope) -> Iterator[Row]:
    place = scopes.find(connection, scope)
    if place is None:
        return
    for kind in KINDS:
        for row in connection.execute(sql(f"export.{kind}"), {"sid": place.sid}):
            yield {"kind": kind, **dict(zip(row.keys(), row, strict=True))}


def load(connection: sqlite3.Connection, scope: Scope, rows: Sequence[Row]) -> int:
    """Write exported rows; those already there are left. Return how many were new.

    Raises:
        TransferError: a row cannot be read, or does not fit what is there.
    """
    if not rows:
        return 0
    loader = _Loader(connection, scope)
    new = sum(loader.put(row) for row in rows)
    loader.finish()
    return new


class _Loader:
    """Writes rows into one scope, in the order of an export."""

    def __init__(self, connection: sqlite3.Connection, scope: Scope) -> None:
        self._connection = connection
        self._touched = Touched()
        self._place = scopes.find(connection, scope)
        self._scope = scope
        self._puts: Mapping[str, Callable[[Row], int | None]] = {
            "scope": self._scope_row,
            "episode": self._episode,
            "entity": self._entity,
            "claim": self._claim,
            "link": self._link,
            "withdrawal": self._withdrawal,
            "fact": self._fact,
            "rests": self._rests,
            "successor": self._successor,
            "suggestion": self._suggestion,
            "change": self._change,
        }

    def put(self, row: Row) -> bool:
        """Write one row; return whether it was new."""
        if self._place is None and row.get("kind") != "scope":
            self._put_scope(0, 0)
        try:
            return take_in(row, self._puts) is not None
        except sqlite3.IntegrityError as error:
            raise TransferError(
                f"a row of kind {row.get('kind')!r} does not fit what is in the scope: {error}"
            ) from error

    def finish(self) -> None:
        """Write the outbox rows of what was new."""
        if self._place is not None:
            outbox.write(self._connection, self._place.sid, self._place.number, self._touched)

    def _scope_row(self, row: Row) -> int | None:
        return 1 if self._put_scope(row["at"], row["number"]) else None

    def _put_scope(self, at: int, number: int) -> bool:
        if self._place is None:
            self._place = scopes.create(self._connection, self._scope, at, number)
            return True
        self._place = scopes.Place(
            self._place.sid, max(at, self._place.at), max(number, self._place.number)
        )
        self._connection.execute(
            sql("scope.advance"),
            {"sid": self._place.sid, "at": self._place.at, "number": self._place.number},
        )
        return False

    @property
    def _sid(self) -> int:
        return scopes.NOWHERE if self._place is None else self._place.sid

    def _insert(self, kind: str, name: str, values: FlatRow) -> int | None:
        """Insert a row and return its number, or None if it is there."""
        columns = {"sid": self._sid, **values}
        if self._connection.execute(sql(f"load.has_{kind}"), columns).fetchone() is not None:
            return None
        return self._connection.execute(sql(name), columns).lastrowid

    def _episode(self, row: Row) -> int | None:
        episode = episode_from(row)
        number = self._insert("episode", "episode.insert", episode_row(episode))
        if number is not None:
            documents.put_episode(self._connection, self._sid, number, episode)
            self._touched.add(PointKind.CHUNK, episode.id)
        return number

    def _entity(self, row: Row) -> int | None:
        entity = entity_from(row)
        number = self._insert("entity", "entity.insert", entity_row(entity))
        if number is not None:
            documents.name_entity(self._connection, self._sid, number, entity)
            self._touched.add(PointKind.ENTITY, entity.id)
        return number

    def _claim(self, row: Row) -> int | None:
        return self._insert("claim", "claim.insert", claim_row(claim_from(row), row["created_at"]))

    def _link(self, row: Row) -> int | None:
        claim = self._connection.execute(
            sql("claim.get"), {"sid": self._sid, "id": row["claim"]}
        ).fetchone()
        if claim is None:
            raise TransferError(f"a link names the claim {row['claim']!r}, which is not there")
        columns = link_columns(
            claim_from(claim), link_from(row), row["created_at"], row["expired_at"]
        )
        return self._insert("link", "link.insert", columns)

    def _withdrawal(self, row: Row) -> int | None:
        names = ("claim", "reason", "created_at", "expired_at")
        return self._insert("withdrawal", "withdrawal.insert", {name: row[name] for name in names})

    def _fact(self, row: Row) -> int | None:
        fact = fact_from(row)
        key = {"sid": self._sid, "record": fact.record}
        if self._connection.execute(sql("load.has_fact"), key).fetchone() is not None:
            return None
        insert_fact(self._connection, self._sid, fact)
        self._touched.add(PointKind.FACT, fact.id)
        return 1

    def _rests(self, row: Row) -> int | None:
        names = ("fact", "claim", "created_at", "expired_at")
        number = self._insert("rests", "rest.insert", {name: row[name] for name in names})
        if number is not None:
            self._touched.add(PointKind.FACT, row["fact"])
        return number

    def _successor(self, row: Row) -> int | None:
        names = ("fact", "successor", "created_at")
        return self._insert("successor", "successor.put", {name: row[name] for name in names})

    def _suggestion(self, row: Row) -> int | None:
        columns = suggestion_row(suggestion_from(row))
        return self._insert("suggestion", "suggestion.put", columns)

    def _change(self, row: Row) -> int | None:
        names = ("number", "at", "change_id")
        return self._insert("change", "change.insert", {name: row[name] for name in names})
