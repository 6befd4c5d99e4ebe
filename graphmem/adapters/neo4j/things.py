"""What outbox rows name, read as it is now for the index."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from graphmem.adapters.neo4j.rows import Node
from graphmem.adapters.neo4j.tx import Found, Tx
from graphmem.model.fact import Fact
from graphmem.model.rows import entity_from, episode_from, fact_from
from graphmem.model.scope import Scope
from graphmem.model.search import PointKind
from graphmem.ports.graph_store import Label, OutboxRow, Things, named

Ids = Mapping[PointKind, Sequence[str]]


async def named_by(tx: Tx, rows: Iterable[OutboxRow]) -> dict[Scope, Things]:
    """Return by scope what outbox rows name."""
    return await things(tx, named(rows))


async def things(tx: Tx, wanted: Mapping[Scope, Ids]) -> dict[Scope, Things]:
    """Return things by scope and id, all in one statement."""
    by_key = {scope.key: _distinct(ids) for scope, ids in wanted.items()}
    if not by_key:
        return {}
    asked = [
        {
            "key": key,
            "facts": ids[PointKind.FACT],
            "episodes": ids[PointKind.CHUNK],
            "entities": ids[PointKind.ENTITY],
        }
        for key, ids in by_key.items()
    ]
    (found,) = await tx.run("outbox/things", wanted=asked)
    there = {row["key"]: row for row in found["found"]}
    return {
        scope: _things(by_key[scope.key][PointKind.FACT], there.get(scope.key)) for scope in wanted
    }


def _things(facts: Sequence[str], found: Found | None) -> Things:
    records: dict[str, list[Fact]] = {fact: [] for fact in facts}
    if found is None:  # the scope holds nothing
        return Things(records=dict.fromkeys(facts, ()), labels={})
    labels: dict[str, tuple[Label, ...]] = {}
    for row in found["records"]:
        fact = fact_from(Node(row["record"]))
        records[fact.id].append(fact)
        if row["labels"]:
            labels[fact.record] = tuple(Label(*label) for label in row["labels"])
    return Things(
        entities=tuple(entity_from(Node(row)) for row in found["entities"]),
        episodes=tuple(episode_from(Node(row)) for row in found["episodes"]),
        records={fact: tuple(each) for fact, each in records.items()},
        labels=labels,
    )


def _distinct(ids: Ids) -> dict[PointKind, list[str]]:
    return {kind: list(dict.fromkeys(ids.get(kind, ()))) for kind in PointKind}
