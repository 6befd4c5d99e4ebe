"""Keywords: what a thing is found by, kept beside the thing in the same transaction."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable

from graphmem.adapters.sqlite.statements import sql
from graphmem.model.chunks import chunks
from graphmem.model.entity import Entity
from graphmem.model.episode import Episode
from graphmem.model.fact import Fact
from graphmem.model.search import PointKind
from graphmem.model.weights import weights_of


def put_fact(connection: sqlite3.Connection, sid: int, row: int, fact: Fact) -> None:
    """Write the terms of a new fact record."""
    _put(connection, sid, PointKind.FACT, row, [(fact.record, fact.statement)])


def put_episode(
    connection: sqlite3.Connection, sid: int, row: int, episode: Episode
) -> frozenset[str]:
    """Write the terms of an episode's chunks; return the chunks' ids."""
    pieces = [(chunk.id, chunk.text) for chunk in chunks(episode)]
    _put(connection, sid, PointKind.CHUNK, row, pieces)
    return frozenset(ref for ref, _ in pieces)


def name_entity(connection: sqlite3.Connection, sid: int, row: int, entity: Entity) -> None:
    """Write the keys and terms an entity is found by."""
    connection.executemany(
        sql("entity_name.insert"),
        [{"sid": sid, "key": key, "entity": row} for key in sorted(entity.keys)],
    )
    # One that was merged away is found by what took its place.
    if entity.merged_into is None:
        text = "\n".join((entity.name, *entity.aliases))
        _put(connection, sid, PointKind.ENTITY, row, [(entity.id, text)])
        connection.executemany(
            sql("entity_word.insert"),
            [(sid, word, row, weight) for word, weight in weights_of(text).items()],
        )


def clear(connection: sqlite3.Connection, sid: int, kind: PointKind, row: int) -> list[str]:
    """Remove a thing's terms; return the ids of the points they stood for."""
    found = connection.execute(
        sql("document.clear"), {"sid": sid, "kind": kind.value, "target": row}
    )
    return [ref for (ref,) in found]


def _put(
    connection: sqlite3.Connection,
    sid: int,
    kind: PointKind,
    row: int,
    texts: Iterable[tuple[str, str]],
) -> None:
    for ref, text in texts:
        weights = weights_of(text)
        document = connection.execute(
            sql("document.insert"),
            {"sid": sid, "kind": kind.value, "target": row, "ref": ref, "terms": len(weights)},
        ).lastrowid
        connection.executemany(
            sql("posting.insert"),
            [(sid, term, document, weight) for term, weight in weights.items()],
        )
