"""What outbox rows name, read as it is now for the index."""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Sequence

from graphmem.adapters.sqlite.filters import as_list
from graphmem.adapters.sqlite.scopes import NOWHERE, find
from graphmem.adapters.sqlite.statements import sql
from graphmem.model.fact import Fact
from graphmem.model.rows import entity_from, episode_from, fact_from
from graphmem.model.scope import Scope
from graphmem.model.search import PointKind
from graphmem.ports.graph_store import Label, OutboxRow, Things, named


def things(
    connection: sqlite3.Connection,
    sid: int,
    facts: Sequence[str],
    episodes: Sequence[str],
    entities: Sequence[str],
) -> Things:
    """Return things by id, each kind in one statement."""
    values = {"sid": sid, "facts": as_list(facts)}
    records: dict[str, list[Fact]] = {fact: [] for fact in facts}
    if facts:
        for row in connection.execute(sql("things.records"), values):
            records[row["id"]].append(fact_from(row))
    return Things(
        entities=tuple(map(entity_from, _rows(connection, "things.entities", sid, entities))),
        episodes=tuple(map(episode_from, _rows(connection, "things.episodes", sid, episodes))),
        records={fact: tuple(found) for fact, found in records.items()},
        labels=_labels(connection, sid, facts),
    )


def named_by(connection: sqlite3.Connection, rows: Iterable[OutboxRow]) -> dict[Scope, Things]:
    """Return by scope what outbox rows name."""
    found: dict[Scope, Things] = {}
    for scope, ids in named(rows).items():
        place = find(connection, scope)
        found[scope] = things(
            connection,
            NOWHERE if place is None else place.sid,
            ids[PointKind.FACT],
            ids[PointKind.CHUNK],
            ids[PointKind.ENTITY],
        )
    return found


def _rows(
    connection: sqlite3.Connection, name: str, sid: int, ids: Sequence[str]
) -> list[sqlite3.Row]:
    if not ids:
        return []
    return connection.execute(sql(name), {"sid": sid, "ids": as_list(ids)}).fetchall()


def _labels(
    connection: sqlite3.Connection, sid: int, facts: Sequence[str]
) -> dict[str, tuple[Label, ...]]:
    """Return labels by record; gathered only in scopes that have some, over all the evidence."""
    if not facts or not connection.execute(sql("things.labelled"), {"sid": sid}).fetchone()[0]:
        return {}
    found: defaultdict[str, list[Label]] = defaultdict(list)
    values = {"sid": sid, "facts": as_list(facts)}
    for record, session, agent in connection.execute(sql("things.labels"), values):
        found[record].append(Label(session, agent))
    return {record: tuple(labels) for record, labels in found.items()}
