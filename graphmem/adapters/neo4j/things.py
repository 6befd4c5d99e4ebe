"""What outbox rows name, read as it is now for the index."""

from __future__ import annotations

from collections.abc import Sequence

from graphmem.adapters.neo4j.rows import Node
from graphmem.adapters.neo4j.tx import Tx
from graphmem.model.fact import Fact
from graphmem.model.rows import entity_from, episode_from, fact_from
from graphmem.ports.graph_store import Label, Things


async def things(
    tx: Tx, sid: str, facts: Sequence[str], episodes: Sequence[str], entities: Sequence[str]
) -> Things:
    """Return things by id, in one statement."""
    wanted = list(dict.fromkeys(facts))
    (found,) = await tx.run(
        "outbox/things",
        sid=sid,
        facts=wanted,
        episodes=list(dict.fromkeys(episodes)),
        entities=list(dict.fromkeys(entities)),
    )
    records: dict[str, list[Fact]] = {fact: [] for fact in wanted}
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
