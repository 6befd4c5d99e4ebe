"""Asking the channels: nearness of meaning and shared terms, over facts, turns and entities.

Where the index cannot be used, keywords come from the graph store; where the embedder cannot,
nearness abstains. Both are said in the notes, and nothing fails.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from graphmem.errors import EmbedderError, IndexUnavailableError
from graphmem.model.keys import predicate_key
from graphmem.model.predicate import Ontology
from graphmem.model.scope import Scope, opaque
from graphmem.model.search import FactFilter, PointKind, Scored, TermCounts
from graphmem.model.terms import CJK, idf, sparse
from graphmem.ports.embedder import Embedder, Vector
from graphmem.ports.graph_store import GraphStore
from graphmem.ports.vector_index import PointFilter, Probe, VectorIndex
from graphmem.retrieval.calibration import SENTENCES, Background, Script, cosine, failed
from graphmem.retrieval.question import ALL_HITS
from graphmem.retrieval.recipes import DENSE, KEYWORD

log = logging.getLogger(__name__)

NAMES = frozenset({PointKind.ENTITY})
ENTITIES = 10
"""So many entities are asked for. With one that is better than many equals, such as a whole name
beside namesakes, no index has to follow those equals (see ``VectorIndex.search``)."""
OTHERS = 50
"""How telling terms are is counted as if so many records of other things were there: in a scope of
three records, everything would seem to be said all the time."""
SLACK = 0.001
"""Engines count in single precision: what just reaches a floor must not be lost to them."""
GUESSED = 0.3
"""What a pair of Han characters that the scope does not know counts: most pairs are no words."""


@dataclass(frozen=True, slots=True)
class Meaning:
    """What nearness to a question is measured by.

    Attributes:
        vector: of the question; None where nearness abstains.
        levels: by script, how near to it unrelated text is.
        notes: what kept nearness away.
    """

    vector: Vector | None
    levels: Mapping[Script, float]
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Senses:
    """What a question is compared by.

    Attributes:
        vector, levels, notes: as in ``Meaning``.
        weights: how telling each term of the question is in this scope.
        best_keyword: the keyword score of a record of usual length that holds every telling term
            once.
    """

    vector: Vector | None
    levels: Mapping[Script, float]
    weights: Mapping[str, float]
    best_keyword: float
    notes: tuple[str, ...]


def senses_of(meaning: Meaning, terms: Mapping[str, int], counts: TermCounts) -> Senses:
    """Return what a question is compared by in a scope that counts its terms so."""
    weights, best = _weights(terms, counts)
    return Senses(
        vector=meaning.vector,
        levels=meaning.levels,
        weights=weights,
        best_keyword=best,
        notes=meaning.notes,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    """What the channels found; scores are the channels' own.

    Attributes:
        senses: what they went by.
        dense, keyword: facts and turns. names: entities by keyword.
        notes: what kept a channel away.
    """

    senses: Senses
    dense: Sequence[Scored]
    keyword: Sequence[Scored]
    names: Sequence[Scored]
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
        background: Background | None,
        ontology: Ontology,
    ) -> None:
        self._store = store
        self._index = index
        self._embedder = embedder
        self._background = background
        self._ontology = ontology

    async def meaning(self, text: str) -> Meaning:
        """Return what nearness to a question is measured by."""
        notes: list[str] = []
        vector = await self._vector(text, notes)
        levels = await self._levels(vector, notes)
        return Meaning(vector, levels, tuple(notes))

    async def ask(
        self,
        scope: Scope,
        senses: Senses,
        filter: FactFilter,
        limit: int,
        floors: Mapping[str, float],
    ) -> Heard:
        """Ask every channel for at most ``limit`` facts and turns, and a few entities.

        What lies below the floor of a channel is not asked for.
        """
        notes = [*senses.notes]
        least = _least(senses, floors)
        answered = await self._from_index(scope, senses, filter, limit, least, notes)
        if answered is None:
            dense: Sequence[Scored] = []
            weights = senses.weights
            keyword = await self._store.keyword(scope, weights, filter, ALL_HITS, limit)
            keyword = [found for found in keyword if found.score >= least.keyword]
            names = await self._store.keyword(scope, weights, FactFilter(), NAMES, ENTITIES)
        else:
            dense, keyword, names = answered
        return Heard(senses=senses, dense=dense, keyword=keyword, names=names, notes=tuple(notes))

    async def _from_index(
        self,
        scope: Scope,
        senses: Senses,
        filter: FactFilter,
        limit: int,
        least: _Least,
        notes: list[str],
    ) -> tuple[list[Scored], list[Scored], list[Scored]] | None:
        """Return what is near, what shares terms, and names; None if the index is away."""
        if self._index is None:
            notes.append("there is no vector index; answered by keyword and graph")
            return None
        wanted = point_filter(scope, filter, ALL_HITS, self._ontology)
        names = point_filter(scope, FactFilter(), NAMES, self._ontology)
        hashed = sparse(senses.weights)
        probes = [
            Probe(hashed, wanted, limit, least.keyword),
            Probe(hashed, names, ENTITIES),
        ]
        if senses.vector is not None:
            probes.append(Probe(senses.vector, wanted, limit, least.dense))
        try:
            keyword, named, *near = await self._index.search(probes)
        except IndexUnavailableError as error:
            log.info("vector index away, reading by keyword and graph")
            notes.append(f"{error}; answered by keyword and graph")
            return None
        return (near[0] if near else []), keyword, named

    async def _levels(self, vector: Vector | None, notes: list[str]) -> dict[Script, float]:
        if vector is None or self._background is None:
            return dict.fromkeys(Script, 0.0)
        try:
            return await self._background.levels(vector, SENTENCES, Script)
        except EmbedderError as error:
            notes.append(_failed(error))
            return dict.fromkeys(Script, 1.0)  # nothing is near, rather than everything

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
            notes.append(_failed(error))
            return None


def _failed(error: EmbedderError) -> str:
    return f"{failed(error)}; nearness of meaning took no part"


class _Least(NamedTuple):
    """The lowest scores that are asked for, in the channels' own numbers."""

    dense: float
    keyword: float


def _least(senses: Senses, floors: Mapping[str, float]) -> _Least:
    level = min(senses.levels.values())  # how near something is, its own script will tell
    return _Least(
        dense=cosine(floors.get(DENSE, 0.0), level) - SLACK,
        keyword=floors.get(KEYWORD, 0.0) * senses.best_keyword - SLACK,
    )


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
