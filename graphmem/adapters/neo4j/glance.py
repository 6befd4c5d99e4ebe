"""What a write looks around for: what was said and named lately, and names that are alike."""

from __future__ import annotations

from collections.abc import Sequence

from graphmem.adapters.neo4j.names import indexed
from graphmem.adapters.neo4j.rows import Node, clamp
from graphmem.adapters.neo4j.search import PLACES
from graphmem.adapters.neo4j.tx import Tx
from graphmem.model.entity import Entity
from graphmem.model.fact import Status
from graphmem.model.rows import entity_from, episode_from, names_of
from graphmem.model.time import FOREVER
from graphmem.ports.graph_store import Glance, GlanceQuery, NameQuery


async def glance(tx: Tx, sid: str, query: GlanceQuery) -> Glance:
    """Return what was said and named lately."""
    (found,) = await tx.run(
        "glance/glance",
        sid=sid,
        named=query.named,
        statements=query.statements,
        episodes=query.episodes,
        held=Status.HELD.value,
        forever=FOREVER,
        session=query.session,
        session_key=None if query.session is None else indexed(query.session),
        before=clamp(query.before),
        known_as=[indexed(key) for key in query.keys],
    )
    own = found["own"]
    return Glance(
        own=None if own is None else entity_from(Node(own)),
        named=tuple((name, names_of(types)) for name, types in found["named"]),
        statements=tuple(found["statements"]),
        earlier=tuple(episode_from(Node(row)) for row in found["earlier"]),
        there=found["there"],
    )


async def alike(tx: Tx, sid: str, names: Sequence[NameQuery]) -> list[tuple[Entity, ...]]:
    """Return, for each query, the things it finds, each once."""
    (found,) = await tx.run(
        "glance/alike",
        sid=sid,
        names=[
            {
                "words": list(dict.fromkeys(name.words)),
                "keys": list(dict.fromkeys(name.keys)),
                "limit": name.limit,
                "most": name.most,
            }
            for name in names
        ],
        newest=max((name.newest for name in names), default=0),
        places=PLACES,
    )
    rows = sorted(found["names"], key=lambda row: row["place"])
    things: list[tuple[Entity, ...]] = []
    for name, row in zip(names, rows, strict=True):
        each = [*row["by_words"], *row["by_keys"], *found["newest"][: name.newest]]
        things.append(tuple({one["id"]: entity_from(Node(one)) for one in each}.values()))
    return things
