"""Reads for retrieval: keywords and the neighbourhood of entities."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence

from graphmem.adapters.sqlite import filters
from graphmem.adapters.sqlite.filters import Clauses, as_list, as_map
from graphmem.adapters.sqlite.rows import facts_of
from graphmem.adapters.sqlite.statements import sql
from graphmem.model.entity import ValueKind
from graphmem.model.fact import Fact
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


def neighbourhood(
    connection: sqlite3.Connection,
    sid: int,
    seeds: Sequence[str],
    hops: int,
    fanout: int,
    asked: FactFilter,
) -> list[Fact]:
    """Walk from the seeds, breadth first; see the port for what is returned.

    Hop by hop rather than by one recursive statement, because the limit of each entity's facts
    must come after the filter and before the next hop.
    """
    clauses = filters.fact_clauses(asked)
    statements = {
        name: clauses.after(name, filters.NEWEST_SAID)
        for name in ("walk.entities", "walk.literals")
    }

    def leaving(name: str, entity: str) -> list[sqlite3.Row]:
        values = {"sid": sid, "entity": entity, "limit": fanout, **clauses.values}
        return connection.execute(statements[name], values).fetchall()

    found: dict[str, None] = {}  # records, in the order they are met
    reached = set(seeds)
    frontier = list(dict.fromkeys(seeds))
    for hop in range(hops + 1):
        following: list[str] = []
        for entity in frontier:
            found.update((row["record"], None) for row in leaving("walk.literals", entity))
            if hop == hops:
                continue
            for row in leaving("walk.entities", entity):
                found[row["record"]] = None
                for end in _ends(row):
                    if end not in reached:
                        reached.add(end)
                        following.append(end)
        frontier = following
    rows = connection.execute(sql("facts.by_records"), {"sid": sid, "ids": as_list(found)})
    return facts_of(connection, rows, asked.known_at)


def _ends(row: sqlite3.Row) -> tuple[str, ...]:
    if row["subject_kind"] != ValueKind.ENTITY:
        return (row["object_key"],)
    return (row["subject_key"], row["object_key"])
