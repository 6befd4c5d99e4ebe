"""Writes fact records as they are given."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable

from graphmem.adapters.sqlite import documents
from graphmem.adapters.sqlite.filters import as_list
from graphmem.adapters.sqlite.rows import fact_columns
from graphmem.adapters.sqlite.statements import sql
from graphmem.errors import RefusedError
from graphmem.model.fact import Fact
from graphmem.model.search import PointKind
from graphmem.model.touched import Touched


def insert_fact(connection: sqlite3.Connection, sid: int, fact: Fact) -> None:
    """Write a fact record as it is, with its terms."""
    row = connection.execute(sql("fact.insert"), {"sid": sid, **fact_columns(fact)}).lastrowid
    if row is not None:
        documents.put_fact(connection, sid, row, fact)


def insert_rebuilt(
    connection: sqlite3.Connection, sid: int, records: Iterable[Fact], touched: Touched
) -> None:
    """Write rebuilt records with their own record times; they rested on their claims throughout.

    Raises:
        RefusedError: a record is there already, or rests on a claim that is not.
    """
    for fact in records:
        try:
            insert_fact(connection, sid, fact)
        except sqlite3.IntegrityError as error:
            raise RefusedError(
                f"the rebuilt record {fact.record!r} of the fact {fact.id!r} is there already, is "
                "a second live one, or has an empty record interval"
            ) from error
        touched.keep(PointKind.FACT, fact.id, fact.record)
        require_claims(connection, sid, fact.id, fact.claims)
        for claim in dict.fromkeys(fact.claims):
            connection.execute(
                sql("rest.insert"),
                {
                    "sid": sid,
                    "fact": fact.id,
                    "claim": claim,
                    "created_at": fact.created_at,
                    "expired_at": fact.expired_at,
                },
            )


def require_claims(
    connection: sqlite3.Connection, sid: int, fact: str, claims: Iterable[str]
) -> None:
    """Check that the claims a fact is to rest on are in the scope.

    Raises:
        RefusedError: one is not.
    """
    unknown = connection.execute(
        sql("claim.unknown"), {"sid": sid, "ids": as_list(claims)}
    ).fetchone()
    if unknown is not None:
        raise RefusedError(
            f"the fact {fact!r} rests on the claim {unknown[0]!r}, which is not in this scope"
        )
