"""Writes points of records as they are now; vectors that are there already are not made again."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from graphmem.errors import IndexUnavailableError
from graphmem.model.predicate import Ontology
from graphmem.model.scope import Scope
from graphmem.model.search import PointKind, PointRef
from graphmem.ports.embedder import Vector
from graphmem.ports.graph_store import GraphStore, Things
from graphmem.ports.vector_index import VectorIndex
from graphmem.usecases.embedding import Embedding
from graphmem.usecases.hand import Hand
from graphmem.usecases.points import Draft, chunk_drafts, entity_drafts, fact_draft

log = logging.getLogger(__name__)

Thing = tuple[PointKind, str]
"""What an outbox row names: a fact, an episode, an entity."""


@dataclass(slots=True)
class Run:
    """What one run of an indexer works with, and what it counts.

    Attributes:
        index, embedding: where points are written, and what makes their vectors.
        hand: what is kept from other indexers meanwhile.
        lender: another index of the same records by the same embedder.
        points, unembedded: points that were written, and those of them without a dense vector.
        parked: rows that were put aside.
    """

    index: VectorIndex
    embedding: Embedding
    hand: Hand
    lender: VectorIndex | None = None
    points: int = 0
    unembedded: int = 0
    parked: int = 0


class PointWriter:
    """Makes the points of things, and writes them."""

    def __init__(self, store: GraphStore, ontology: Ontology) -> None:
        self._store = store
        self._ontology = ontology

    async def named(self, scope: Scope, things: Sequence[Thing]) -> Things:
        """Return things as they are now."""
        ids = {kind: [name for of, name in things if of is kind] for kind in PointKind}
        return await self._store.things(
            scope,
            facts=ids[PointKind.FACT],
            episodes=ids[PointKind.CHUNK],
            entities=ids[PointKind.ENTITY],
        )

    def drafts(
        self, scope: Scope, things: Sequence[Thing], found: Things
    ) -> dict[Thing, list[Draft]]:
        """Return the points that things have; none for what is not there."""
        drafts: dict[Thing, list[Draft]] = {thing: [] for thing in things}
        for entity in found.entities:
            drafts[PointKind.ENTITY, entity.id] = entity_drafts(scope, entity)
        for episode in found.episodes:
            drafts[PointKind.CHUNK, episode.id] = chunk_drafts(scope, episode)
        for fact, records in found.records.items():
            drafts[PointKind.FACT, fact] = [
                fact_draft(scope, record, self._ontology, found.labels.get(record.record, ()))
                for record in records
            ]
        return drafts

    async def write(
        self,
        run: Run,
        drafts: Mapping[Thing, Sequence[Draft]],
        changes: Mapping[Thing, int],
        gone: AbstractSet[PointRef] = frozenset(),
        born: Mapping[Thing, int] | None = None,
    ) -> int:
        """Write the points of things, and remove ``gone``; return how many have no dense vector.

        ``changes`` are the change numbers to write at, by thing; what entered the store at the
        record time in ``born`` is new to the index.

        Raises:
            TakenError: another indexer has it in hand by now.
        """
        wanted = [(draft, change) for thing, change in changes.items() for draft in drafts[thing]]
        # An entity that was merged away has no point any more, whatever the row says.
        entities = {PointRef(*thing) for thing in changes if thing[0] is PointKind.ENTITY}
        leaving = (gone | entities) - {draft.ref for draft, _ in wanted}
        new = {
            draft.ref
            for thing, at in (born or {}).items()
            for draft in drafts[thing]
            if draft.payload.created_at == at
        }
        vectors = await self._vectors(run, [draft for draft, _ in wanted], new)
        await run.hand.keep()
        points = [draft.point(vectors.get(draft.payload.text), n) for draft, n in wanted]
        await run.index.upsert(points)
        if leaving:
            await run.index.remove([*leaving])
        bare = sum(draft.payload.text not in vectors for draft, _ in wanted)
        run.points += len(wanted)
        run.unembedded += bare
        return bare

    async def _vectors(
        self, run: Run, drafts: Sequence[Draft], new: AbstractSet[PointRef]
    ) -> dict[str, Vector]:
        """Return vectors by text key; those the index has already are not made again.

        That a fact ended gives it a new record with the old words, so most changes of what is
        there need no embedding. What is ``new`` is not looked for.
        """
        known = [draft.ref for draft in drafts if draft.ref not in new]
        vectors = await _there(run.index, known)
        if run.lender is not None:
            lacking = [d.ref for d in drafts if d.payload.text not in vectors]
            try:
                vectors |= await _there(run.lender, lacking)
            except IndexUnavailableError as error:
                log.info("no more vectors are taken from the other index: %s", error)
                run.lender = None
        missing = {d.payload.text: d.text for d in drafts if d.payload.text not in vectors}
        if not missing:
            return vectors
        made = await run.hand.during(lambda: run.embedding.embed(missing.values()))
        return vectors | {key: made[text] for key, text in missing.items() if text in made}


async def _there(index: VectorIndex, refs: Sequence[PointRef]) -> dict[str, Vector]:
    """Return the vectors that an index has of points, by text key."""
    found = await index.points(refs) if refs else []
    return {point.payload.text: point.dense for point in found if point.dense is not None}
