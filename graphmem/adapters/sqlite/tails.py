"""The ends of families that are too large to be read whole for every claim."""

from __future__ import annotations

import sqlite3

from graphmem.adapters.sqlite.rows import linked_claims
from graphmem.adapters.sqlite.statements import sql
from graphmem.model.changes import Family
from graphmem.model.rows import FlatRow, fact_from
from graphmem.model.tail import Tail
from graphmem.model.time import FOREVER

_FAMILY = ("tail.first", "tail.last")
_OBJECT = ("tail.first_object", "tail.last_object")


def tail_of(connection: sqlite3.Connection, sid: int, family: Family, few: int) -> Tail | None:
    """Return the tail of a family, by a few seeks of an index.

    None where it holds no more than ``few`` claims, where its claims are not all of one manner or
    some may bear on what is said later, and where not exactly one live fact rests on the last.
    """
    values: FlatRow = {"sid": sid, "subject": family.subject, "predicate": family.predicate}
    if not _large(connection, values, family.object, few):
        return None
    last = (
        _of_pair(connection, values, family)
        if family.either
        else _last(connection, values, family.object)
    )
    if last is None or last["reach"] >= FOREVER:
        return None
    facts = connection.execute(sql("tail.facts"), {"sid": sid, "claim": last["claim"]}).fetchall()
    linked = linked_claims(connection, sid, [last["claim"]])
    if len(facts) != 1 or len(linked) != 1:
        return None
    return Tail(
        subject=family.subject,
        predicate=family.predicate,
        object=family.object,
        either=family.either,
        manner=last["manner"],
        reach=last["reach"],
        last=linked[0],
        fact=fact_from(facts[0], (last["claim"],), facts[0]["successor"]),
    )


def _of_pair(connection: sqlite3.Connection, values: FlatRow, family: Family) -> sqlite3.Row | None:
    """Return the same of a pair, if all is told from one side and nothing goes beyond it."""
    pair: FlatRow = {**values, "object": family.object}
    if family.object is None or connection.execute(sql("tail.beyond_pair"), pair).fetchone():
        return None
    return _run(connection, pair, _OBJECT)


def _large(
    connection: sqlite3.Connection, values: FlatRow, object_key: str | None, few: int
) -> bool:
    name = "tail.size" if object_key is None else "tail.size_object"
    size = connection.execute(sql(name), {**values, "object": object_key, "limit": few + 1})
    return size.fetchone()[0] > few


def _last(
    connection: sqlite3.Connection, values: FlatRow, object_key: str | None
) -> sqlite3.Row | None:
    """Return the claim that reaches furthest, if all the family's are of one manner."""
    if object_key is None:
        return _run(connection, values, _FAMILY)
    if connection.execute(sql("tail.corrected"), values).fetchone() is not None:
        return None
    own = _run(connection, {**values, "object": object_key}, _OBJECT)
    none = {**values, "object": None}
    if connection.execute(sql("tail.first_object"), none).fetchone() is None:
        return own
    whole = _run(connection, none, _OBJECT)
    if own is None or whole is None or own["manner"] != whole["manner"]:
        return None
    return max(own, whole, key=lambda row: row["reach"])


def _run(
    connection: sqlite3.Connection, values: FlatRow, names: tuple[str, str]
) -> sqlite3.Row | None:
    first, last = (connection.execute(sql(name), values).fetchone() for name in names)
    same = first is not None and last is not None and first["manner"] == last["manner"]
    return last if same else None
