"""The walk around entities, in one statement."""

from __future__ import annotations

from graphmem.adapters.neo4j.filters import fact_parameters
from graphmem.adapters.neo4j.rows import Node, fact_of
from graphmem.adapters.neo4j.tx import Tx
from graphmem.model.entity import ValueKind
from graphmem.model.rows import entity_from
from graphmem.model.walk import ASTRAY, CUE, MEANING, PLACES, WORDS, Around, Reach


async def neighbourhood(tx: Tx, key: str, reach: Reach) -> Around:
    """Walk from the seeds, breadth first; see ``Reach`` for where it goes."""
    lean = reach.lean
    (found,) = await tx.run(
        "walk/around",
        key=key,
        seeds=list(dict.fromkeys(reach.seeds)),
        known=list(dict.fromkeys(reach.known)),
        hops=list(range(reach.hops)),
        fanout=reach.fanout,
        beam=reach.beam,
        beside=reach.beside,
        limit=reach.limit,
        relations=sorted(reach.relations),
        related=reach.related,
        cues=dict(lean.cues),
        words=dict(lean.words),
        near=dict(lean.near),
        own=lean.own,
        around=sorted(lean.around),
        kin=sorted(lean.kin),
        cue=CUE,
        word=WORDS,
        meaning=MEANING,
        astray=ASTRAY,
        places=PLACES,
        thing=ValueKind.ENTITY.value,
        **fact_parameters(reach.filter),
    )
    return Around(
        facts=[fact_of(row["fact"], row["evidence"], row["successor"]) for row in found["facts"]],
        walked=[entity_from(Node(row)) for row in found["walked"]],
    )
