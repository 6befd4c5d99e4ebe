"""A scope as flat rows, out (``loading`` takes them in).

All is read into a file of our own first, since only at its end it is known whether it is of one
instant.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import AsyncGenerator, AsyncIterator, Iterable, Sequence
from typing import IO, Any

from graphmem.adapters.neo4j.connection import Connection
from graphmem.adapters.neo4j.rows import Node, Properties, withdrawals_of
from graphmem.adapters.neo4j.scopes import Place, at_rest
from graphmem.adapters.neo4j.tx import Tx
from graphmem.model.rows import Row
from graphmem.model.scope import Scope

Key = tuple[Any, ...]  # Any: a time, then ids

KINDS = {
    "episode": (
        *("id", "key", "session", "agent", "place", "role", "speaker", "content", "occurred_at"),
        *("zone", "time_given", "created_at", "channel", "digest", "reading", "reason"),
    ),
    "entity": ("id", "name", "key", "types", "aliases", "is_self", "merged_into", "created_at"),
    "claim": (
        *("id", "episode", "session", "subject", "predicate", "object", "polarity", "modality"),
        *("form", "start", "end", "qualifiers", "beside", "correction", "quote", "said_at"),
        *("said_turn", "said_place", "source", "authority", "confidence", "importance"),
        *("statement", "created_at"),
    ),
    "link": (
        *("claim", "subject", "predicate", "object_kind", "object_key", "object_text", "polarity"),
        *("created_at", "expired_at"),
    ),
    "withdrawal": ("claim", "reason", "created_at", "expired_at"),
    "fact": (
        *("record", "id", "subject_kind", "subject_key", "subject_text", "predicate"),
        *("object_kind", "object_key", "object_text", "polarity", "modality", "qualifiers"),
        *("statement", "start", "end", "status", "event", "confidence", "importance", "said_at"),
        *("said_turn", "said_place", "cause_rule", "cause_claim", "cause_reason", "created_at"),
        "expired_at",
    ),
    "rests": ("fact", "claim", "created_at", "expired_at"),
    "successor": ("fact", "successor", "created_at"),
    "suggestion": ("id", "first", "second", "reason", "state", "created_at"),
    "change": ("number", "at", "change_id"),
}
"""The columns of each kind of row, in the order of an export."""

_PAGE = 10_000
"""Keys that are read at one go."""
_BATCH = 1000
"""Whole rows that are read at one go."""
_IN_MEMORY = 8 << 20
"""Bytes of an export that are held in memory; a longer one is in a file without a name."""


async def export(connection: Connection, scope: Scope) -> AsyncGenerator[Row]:
    """Yield every row of a scope, of one instant; keys are held in memory, one kind at a time.

    Raises:
        StoreUnavailableError: the store is away, or the scope too large to be read while its
            writers wait, which is done when changes keep coming.
    """
    with tempfile.SpooledTemporaryFile(_IN_MEMORY, "w+", encoding="utf-8", newline="\n") as file:
        await at_rest(connection, scope, lambda tx, place: _write(tx, scope, place, file))
        file.seek(0)
        for line in file:
            yield json.loads(line)


async def _write(tx: Tx, scope: Scope, place: Place | None, file: IO[str]) -> None:
    file.seek(0)
    file.truncate()
    if place is None:
        return
    head = {"tenant": scope.tenant, "user": scope.user, "at": place.at, "number": place.number}
    _put(file, "scope", [head])
    async for kind, rows in _rows(tx, place.sid):
        columns = KINDS[kind]
        _put(file, kind, ({name: row[name] for name in columns} for row in rows))


def _put(file: IO[str], kind: str, rows: Iterable[Properties]) -> None:
    for row in rows:
        if "confidence" in row:  # a number of this kind in every store
            row["confidence"] = float(row["confidence"])
        file.write(json.dumps({"kind": kind, **row}, ensure_ascii=False) + "\n")


async def _rows(tx: Tx, sid: str) -> AsyncIterator[tuple[str, list[Node]]]:
    """Yield rows in the order of an export, so many of one kind at a time."""
    keys = await _paged(tx, "transfer/keys_episodes", sid)
    async for rows in _whole(tx, sid, "episodes", keys):
        yield "episode", rows
    keys = await _paged(tx, "transfer/keys_entities", sid)
    async for rows in _whole(tx, sid, "entities", keys):
        yield "entity", rows
    keys, links, withdrawals = await _claim_keys(tx, sid)
    async for rows in _whole(tx, sid, "claims", keys):
        yield "claim", rows
    async for rows in _whole(tx, sid, "links", links):
        yield "link", rows
    yield "withdrawal", _named("withdrawal", withdrawals)
    keys = await _paged(tx, "transfer/keys_records", sid)
    async for rows in _whole(tx, sid, "records", keys):
        yield "fact", rows
    rests, successors = await _evidence(tx, sid)
    yield "rests", _named("rests", rests)
    yield "successor", _named("successor", successors)
    suggestions = await _suggestions(tx, sid)
    yield "suggestion", suggestions
    yield "change", _named("change", await _changes(tx, sid))


async def _whole(tx: Tx, sid: str, kind: str, keys: Sequence[Key]) -> AsyncIterator[list[Node]]:
    """Yield what keys (a time, then what names a thing) stand for, in order of the keys."""
    wanted: dict[str, list[Any]] = {  # Any: ids, or pairs
        name: [] for name in ("episodes", "entities", "claims", "links", "records")
    }
    for start in range(0, len(keys), _BATCH):
        some = keys[start : start + _BATCH]
        pairs = kind == "links"
        named = [[claim, at] for at, claim in some] if pairs else [name for _, name in some]
        (found,) = await tx.run("transfer/rows", sid=sid, **{**wanted, kind: named})
        own = {"links": "claim", "records": "record"}.get(kind, "id")
        by_key = {(row["created_at"], row[own]): Node(row) for row in found[kind]}
        # What was erased since its key was read is missing; then the scope's number has moved.
        yield [by_key[key] for key in some if key in by_key]


async def _pages(
    tx: Tx, name: str, sid: str, last: str | int, first: str | int = ""
) -> AsyncIterator[list[Any]]:  # Any: rows, as the statement gives them
    """Yield pages of rows in the order of their part ``last``, all behind ``first``."""
    after = first
    while True:
        (found,) = await tx.run(name, sid=sid, after=after, limit=_PAGE)
        rows = found["rows"]
        yield rows
        if len(rows) < _PAGE:
            return
        after = rows[-1][last]


async def _paged(tx: Tx, name: str, sid: str) -> list[Key]:
    return sorted([(at, key) async for rows in _pages(tx, name, sid, 1) for at, key in rows])


async def _claim_keys(tx: Tx, sid: str) -> tuple[list[Key], list[Key], list[Key]]:
    """Return the keys of claims and of links, and withdrawals whole."""
    claims: list[Key] = []
    links: list[Key] = []
    withdrawals: list[Key] = []
    async for rows in _pages(tx, "transfer/keys_claims", sid, "id"):
        for row in rows:
            claims.append((row["created_at"], row["id"]))
            links.extend((at, row["id"]) for at in row["links"])
            withdrawals.extend((one.created_at, row["id"], one) for one in withdrawals_of(row))
    rows = [(name, one.reason, at, one.expired_at) for at, name, one in sorted(withdrawals)]
    return sorted(claims), sorted(links), rows


async def _evidence(tx: Tx, sid: str) -> tuple[list[Key], list[Key]]:
    """Return what facts rest on, and what they gave way to."""
    rests: list[Key] = []
    successors: list[Key] = []
    async for rows in _pages(tx, "transfer/keys_facts", sid, "id"):
        for row in rows:
            rests.extend((at, row["id"], claim, ended) for at, claim, ended in row["rests"])
            successors.extend((at, row["id"], successor) for at, successor in row["successors"])
    return (
        [(fact, claim, at, ended) for at, fact, claim, ended in sorted(rests)],
        [(fact, successor, at) for at, fact, successor in sorted(successors)],
    )


async def _suggestions(tx: Tx, sid: str) -> list[Node]:
    found = [
        Node(row) async for rows in _pages(tx, "transfer/suggestions", sid, "id") for row in rows
    ]
    return sorted(found, key=lambda row: (row["created_at"], row["id"]))


async def _changes(tx: Tx, sid: str) -> list[Key]:
    changes = [
        (number, at, key)
        async for rows in _pages(tx, "transfer/changes", sid, 1, first=-1)
        for at, number, key in rows
    ]
    return sorted(changes, key=lambda row: (row[1], row[0]))


def _named(kind: str, rows: Iterable[Key]) -> list[Node]:
    return [Node(zip(KINDS[kind], row, strict=True)) for row in rows]
