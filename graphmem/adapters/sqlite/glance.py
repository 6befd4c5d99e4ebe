"""What a write looks around for: what was said and named lately, and names that are alike."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence

from graphmem.adapters.sqlite.filters import as_list
from graphmem.adapters.sqlite.reads import self_entity
from graphmem.adapters.sqlite.statements import sql
from graphmem.model.changes import NameQuery
from graphmem.model.entity import Entity
from graphmem.model.episode import Episode
from graphmem.model.rows import Scalar, entity_from, episode_from, names_of
from graphmem.model.time import clamp
from graphmem.ports.graph_store import Glance, GlanceQuery


def glance(connection: sqlite3.Connection, sid: int, query: GlanceQuery) -> Glance:
    """Return what was said and named lately."""
    statements = connection.execute(
        sql("glance.statements"), {"sid": sid, "limit": query.statements}
    )
    named = connection.execute(sql("glance.named"), {"sid": sid, "limit": query.named})
    return Glance(
        own=self_entity(connection, sid),
        named=tuple((name, names_of(types)) for name, types in named),
        statements=tuple(statement for (statement,) in statements),
        earlier=_earlier(connection, sid, query),
        there=_there(connection, sid, query.keys),
    )


def _there(connection: sqlite3.Connection, sid: int, keys: Sequence[str]) -> bool:
    if not keys:
        return False
    values = {"sid": sid, "keys": as_list(keys)}
    return connection.execute(sql("glance.there"), values).fetchone() is not None


def _earlier(connection: sqlite3.Connection, sid: int, query: GlanceQuery) -> tuple[Episode, ...]:
    if query.session is None:
        return ()
    values = {
        "sid": sid,
        "session": query.session,
        "before": clamp(query.before),
        "limit": query.episodes,
    }
    return tuple(map(episode_from, connection.execute(sql("glance.episodes"), values)))


def alike(
    connection: sqlite3.Connection, sid: int, names: Sequence[NameQuery]
) -> list[tuple[Entity, ...]]:
    """Return, for each query, the things it finds, each once."""
    newest: dict[int, tuple[Entity, ...]] = {}
    return [_alike(connection, sid, query, newest) for query in names]


def _alike(
    connection: sqlite3.Connection,
    sid: int,
    query: NameQuery,
    newest: dict[int, tuple[Entity, ...]],
) -> tuple[Entity, ...]:
    found: list[Entity] = []
    if query.words:
        values = {
            "sid": sid,
            "words": as_list(query.words),
            "most": query.most,
            "limit": query.limit,
        }
        found += _entities(connection, "alike.words", values)
    if query.keys:
        found += _entities(connection, "alike.keys", {"sid": sid, "keys": as_list(query.keys)})
    if query.newest:
        if query.newest not in newest:
            newest[query.newest] = _entities(
                connection, "glance.entities", {"sid": sid, "limit": query.newest}
            )
        found += newest[query.newest]
    return tuple({entity.id: entity for entity in found}.values())


def _entities(
    connection: sqlite3.Connection, name: str, values: Mapping[str, Scalar]
) -> tuple[Entity, ...]:
    return tuple(map(entity_from, connection.execute(sql(name), values)))
