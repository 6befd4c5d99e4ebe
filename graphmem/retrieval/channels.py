"""Asking the channels: nearness of meaning and shared terms, over facts, turns and entities.

Where the index cannot be used, keywords come from the graph store; where the embedder cannot,
nearness abstains. Both are said in the notes, and nothing fails.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from graphmem.errors import EmbedderError, IndexUnavailableError
from graphmem.model.keys import predicate_key
from graphmem.model.predicate import Ontology
from graphmem.model.scope import Scope, opaque
from graphmem.model.search import FactFilter, PointKind, Scored, TermCounts
from graphmem.model.terms import CJK, idf, sparse
from graphmem.ports.embedder import Embedder, Vector
from graphmem.ports.graph_store import GraphStore
from graphmem.ports.vector_index import PointFilter, Probe, VectorIndex
from graphmem.retrieval.question import ALL_HITS

log = logging.getLogger(__name__)

NAMES = frozenset({PointKind.ENTITY})
ENTITIES = 12
"""So many entities are asked of each channel."""
OTHERS = 50
"""How telling terms are is counted as if so many records of other things were there: in a scope of
three records, everything would seem to be said all the time."""
GUESSED = 0.3
"""What a pair of Han characters that the scope does not know counts: most pairs are no words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    """What the channels found; scores are the channels' own.

    Attributes:
        vector: of the question; None where nearness abstains.
        dense, keyword: facts and turns. names: entities by keyword.
        best_keyword: the keyword score of a record of usual length that holds every telling term
            once.
        weights: how telling each term of the question is in this scope.
        notes: what kept a channel away.
    """

    vector: Vector | None
    dense: Sequence[Scored]
    keyword: Sequence[Scored]
    names: Sequence[Scored]
    best_keyword: float
    weights: Mapping[str, float]
    notes: tuple[str, ...]


def point_filter(
    scope: Scope, filter: FactFilter, kinds: frozenset[PointKind], ontology: Ontology
) -> PointFilter:
    """Return a filter of facts as a filter of points: predicates and labels as opaque keys."""

    def keys(kind: str, values: frozenset[str] | None) -> frozenset[str] | None:
        return None if values is None else frozenset(opaque(scope, kind, v) for v in values)

    predicates = filter.predicates
    if predicates is not None:
        predicates = frozenset(predicate_key(scope, slug, ontology) for slug in predicates)
    return PointFilter(
        scope=scope.key,
        kinds=kinds,
        valid=filter.valid,
        upcoming=filter.upcoming,
        uncertain=filter.uncertain,
        known_at=filter.known_at,
        statuses=frozenset(status.value for status in filter.statuses),
        polarity=filter.polarity.value if filter.polarity else None,
        modality=filter.modality.value if filter.modality else None,
        predicates=predicates,
        sessions=keys("session", filter.sessions),
        agents=keys("agent", filter.agents),
    )


class Channels:
    """The index, if there is one, with the graph store behind it."""

    def __init__(
        self,
        store: GraphStore,
        index: VectorIndex | None,
        embedder: Embedder | None,
        ontology: Ontology,
    ) -> None:
        self._store = store
        self._index = index
        self._embedder = embedder
        self._ontology = ontology

    async def ask(
        self,
        scope: Scope,
        text: str,
        terms: Mapping[str, int],
        counts: TermCounts,
        filter: FactFilter,
        limit: int,
    ) -> Heard:
        """Ask every channel for at most ``limit`` facts and turns, and a few entities."""
        notes: list[str] = []
        weights, best = _weights(terms, counts)
        vector = await self._vector(text, notes)
        answered = await self._from_index(scope, vector, weights, filter, limit, notes)
        if answered is None:
            vector, dense = None, []
            keyword = await self._store.keyword(scope, weights, filter, ALL_HITS, limit)
            names = await self._store.keyword(scope, weights, FactFilter(), NAMES, ENTITIES)
        else:
            dense, keyword, names = answered
        return Heard(
            vector=vector,
            dense=dense,
            keyword=keyword,
            names=names,
            best_keyword=best,
            weights=weights,
            notes=tuple(notes),
        )

    async def _from_index(
        self,
        scope: Scope,
        vector: Vector | None,
        weights: Mapping[str, float],
        filter: FactFilter,
        limit: int,
        notes: list[str],
    ) -> tuple[list[Scored], list[Scored], list[Scored]] | None:
        """Return what is near, what shares terms, and names; None if the index is away."""
        if self._index is None:
            notes.append("there is no vector index; answered by keyword and graph")
            return None
        wanted = point_filter(scope, filter, ALL_HITS, self._ontology)
        names = point_filter(scope, FactFilter(), NAMES, self._ontology)
        hashed = sparse(weights)
        probes = [Probe(hashed, wanted, limit), Probe(hashed, names, ENTITIES)]
        if vector is not None:
            probes.append(Probe(vector, wanted, limit))
        try:
            keyword, named, *near = await self._index.search(probes)
        except IndexUnavailableError as error:
            log.info("vector index away, reading by keyword and graph")
            notes.append(f"{error}; answered by keyword and graph")
            return None
        return (near[0] if near else []), keyword, named

    async def _vector(self, text: str, notes: list[str]) -> Vector | None:
        if self._embedder is None:
            notes.append("there is no embedder; nearness of meaning took no part")
            return None
        if self._index is None:
            return None
        try:
            return (await self._embedder.queries([text]))[0]
        except EmbedderError as error:
            log.info("embedder failed, reading without nearness of meaning")
            notes.append(f"the embedder failed ({error}); nearness of meaning took no part")
            return None


def _weights(terms: Mapping[str, int], counts: TermCounts) -> tuple[dict[str, float], float]:
    """Return how telling each term is that the scope holds, and what all are worth together."""
    weights: dict[str, float] = {}
    best = 0.0
    for term in sorted(terms):
        frequency = counts.frequency.get(term, 0)
        weight = idf(counts.points + OTHERS, frequency)
        if frequency:
            weights[term] = weight
        best += weight * (GUESSED if not frequency and CJK.match(term) else 1.0)
    return weights, best
