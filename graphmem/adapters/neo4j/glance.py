"""What a write looks around for: what was said and named lately, and names that are alike."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from graphmem.adapters.neo4j.names import indexed
from graphmem.adapters.neo4j.rows import Node, Properties
from graphmem.adapters.neo4j.search import PLACES
from graphmem.adapters.neo4j.tx import Found, Tx
from graphmem.model.changes import NameQuery
from graphmem.model.entity import Entity
from graphmem.model.fact import Status
from graphmem.model.rows import entity_from, episode_from, names_of
from graphmem.model.time import FOREVER, clamp
from graphmem.ports.graph_store import Glance, GlanceQuery


async def glance(tx: Tx, key: str, query: GlanceQuery) -> Glance:
    """Return what was said and named lately, in one statement."""
    (found,) = await tx.run(
        "glance/lately",
        key=key,
        held=Status.HELD.value,
        forever=FOREVER,
        statements=query.statements,
        named=query.named,
        episodes=query.episodes,
        session=query.session,
        session_key=None if query.session is None else indexed(query.session),
        before=clamp(query.before),
        keys=[indexed(key) for key in query.keys],
    )
    return Glance(
        own=next(iter(_entities(found["own"])), None),
        named=tuple((name, names_of(types)) for name, types in found["named"]),
        statements=tuple(found["statements"]),
        earlier=tuple(episode_from(Node(row)) for row in found["earlier"]),
        there=found["there"],
    )


async def alike(tx: Tx, key: str, names: Sequence[NameQuery]) -> list[tuple[Entity, ...]]:
    """Return, for each query, the things it finds, each once; in one statement."""
    if not names:
        return []
    (found,) = await tx.run(
        "glance/alike",
        key=key,
        queries=[
            {"words": list(query.words), "most": query.most, "keys": list(query.keys)}
            for query in names
        ],
        limit=max(query.limit for query in names),
        newest=max(query.newest for query in names),
        places=PLACES,
    )
    newest = _entities(found["newest"])
    return [_alike(query, row, newest) for query, row in zip(names, found["found"], strict=True)]


def _alike(query: NameQuery, found: Found, newest: Sequence[Entity]) -> tuple[Entity, ...]:
    things = (
        *_entities(found["words"][: query.limit]),
        *_entities(found["keys"]),
        *newest[: query.newest],
    )
    return tuple({entity.id: entity for entity in things}.values())


def _entities(rows: Iterable[Properties]) -> tuple[Entity, ...]:
    return tuple(entity_from(Node(row)) for row in rows)
