"""Reads by keywords."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence

from graphmem.adapters.sqlite import filters
from graphmem.adapters.sqlite.filters import Clauses, as_list, as_map
from graphmem.adapters.sqlite.statements import sql
from graphmem.model.search import FactFilter, PointKind, PointRef, Scored, TermCounts


def keyword(
    connection: sqlite3.Connection,
    sid: int,
    weights: Mapping[str, float],
    asked: FactFilter,
    kinds: frozenset[PointKind],
    limit: int,
) -> list[Scored]:
    """Return the records that share most of the weighted terms, best first, ties by id."""
    ways: dict[PointKind, tuple[str, Clauses]] = {
        PointKind.FACT: ("keyword.facts", filters.fact_clauses(asked)),
        PointKind.CHUNK: ("keyword.chunks", filters.chunk_clauses(asked)),
        PointKind.ENTITY: ("keyword.entities", filters.entity_clauses(asked)),
    }
    found: list[Scored] = []
    for kind in sorted(kinds):
        name, clauses = ways[kind]
        rows = connection.execute(
            clauses.after(name, filters.BY_DOCUMENT, filters.BEST_FIRST),
            {"sid": sid, "weights": as_map(weights), "limit": limit, **clauses.values},
        )
        found.extend(Scored(PointRef(kind, row["ref"]), row["score"]) for row in rows)
    found.sort(key=lambda scored: (-scored.score, scored.ref.id))
    return found[:limit]


def term_counts(connection: sqlite3.Connection, sid: int, terms: Sequence[str]) -> TermCounts:
    """Count in how many of the scope's records each term occurs."""
    row = connection.execute(sql("terms.points"), {"sid": sid}).fetchone()
    counted = connection.execute(
        sql("terms.frequency"), {"sid": sid, "terms": as_list(dict.fromkeys(terms))}
    )
    return TermCounts(0 if row is None else row[0], dict(counted))
