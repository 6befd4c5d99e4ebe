"""Rows of this store read into values and written from them."""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Iterable

from graphmem.adapters.sqlite.filters import as_list
from graphmem.adapters.sqlite.statements import sql
from graphmem.model.claim import Claim, Link, LinkedClaim, Polarity
from graphmem.model.entity import Value, ValueKind
from graphmem.model.fact import Fact
from graphmem.model.rows import FlatRow, claim_from, fact_from, fact_row, link_row
from graphmem.model.tail import manner, reach
from graphmem.model.time import FOREVER, PRESENT, clamp


def fact_columns(fact: Fact) -> FlatRow:
    """Return ``fact`` as a row with the derived columns that filters compare."""
    return {
        **fact_row(fact),
        "reads_from": clamp(fact.reads_from),
        "reads_until": clamp(fact.reads_until),
        "may_from": clamp(fact.interval.may_from),
    }


def facts_of(
    connection: sqlite3.Connection, rows: Iterable[sqlite3.Row], known_at: int | None = None
) -> list[Fact]:
    """Return the facts of record rows, each with its claims, in the order of the rows.

    The claims are those of ``known_at``, else those of the end of each record's interval.
    """
    records = list(rows)
    rests: defaultdict[int, list[str]] = defaultdict(list)
    if records:
        found = connection.execute(
            sql("facts.rests"),
            {
                "rows": as_list(record["row"] for record in records),
                "known_at": None if known_at is None else clamp(known_at),
            },
        )
        for row, claim in found:
            rests[row].append(claim)
    return [
        fact_from(record, tuple(rests.get(record["row"], ())), record["successor"])
        for record in records
    ]


def link_columns(claim: Claim, link: Link, created_at: int, expired_at: int) -> FlatRow:
    """Return the link of a claim as a row, with what families are found and read by."""
    return {
        **link_row(link, created_at, expired_at),
        "corrects": int(claim.correction is not None),
        "manner": manner(claim, link),
        "reach": min(reach(claim), FOREVER),
    }


def linked_of(row: sqlite3.Row) -> LinkedClaim:
    """Return the linked claim of a row of ``claims.linked``."""
    kind = row["k_object_kind"]
    value = (
        None if kind is None else Value(ValueKind(kind), row["k_object_key"], row["k_object_text"])
    )
    link = Link(row["id"], row["k_subject"], row["k_predicate"], value, Polarity(row["k_polarity"]))
    return LinkedClaim(claim_from(row), link, bool(row["withdrawn"]))


def linked_claims(
    connection: sqlite3.Connection, sid: int, ids: Iterable[str], at: int = PRESENT
) -> tuple[LinkedClaim, ...]:
    """Return claims by id with what their words mean at ``at`` (record time), in said order."""
    wanted = sorted(set(ids))
    if not wanted:
        return ()
    found = connection.execute(sql("claims.linked"), {"sid": sid, "ids": as_list(wanted), "at": at})
    return tuple(linked_of(row) for row in found)
