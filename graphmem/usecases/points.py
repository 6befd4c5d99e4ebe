"""Records as points of the index, their dense vectors apart."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from graphmem.model.chunks import chunks
from graphmem.model.entity import Entity
from graphmem.model.episode import Episode
from graphmem.model.fact import Fact
from graphmem.model.keys import predicate_key
from graphmem.model.predicate import Ontology
from graphmem.model.scope import Scope, opaque
from graphmem.model.search import PointKind, PointRef
from graphmem.model.terms import sparse
from graphmem.model.time import FOREVER
from graphmem.model.weights import weights_of
from graphmem.ports.embedder import Vector
from graphmem.ports.graph_store import Label
from graphmem.ports.vector_index import Payload, Point

LIMIT = 2**53
"""Payload integers are compared as doubles; beyond this they cannot be told apart."""


@dataclass(frozen=True, slots=True)
class Draft:
    """A point to be: what it stands for, what it can be filtered by, and its words."""

    ref: PointRef
    payload: Payload
    text: str

    def point(self, dense: Vector | None, change: int = 0) -> Point:
        """Return the point with its vectors, as of a change of the scope."""
        payload = replace(self.payload, change=change) if change else self.payload
        return Point(self.ref, payload, dense, sparse(weights_of(self.text)))


def clamped(micros: int) -> int:
    """Return ``micros`` inside ±2^53."""
    return max(-LIMIT, min(LIMIT, micros))


def fact_draft(
    scope: Scope, fact: Fact, ontology: Ontology, labels: Iterable[Episode | Label]
) -> Draft:
    """Return the point of a fact record; ``labels`` are those of the episodes it rests on."""
    said_in = [*labels]
    payload = Payload(
        kind=PointKind.FACT,
        scope=scope.key,
        sessions=_labels(scope, "session", (episode.session for episode in said_in)),
        agents=_labels(scope, "agent", (episode.agent for episode in said_in)),
        predicate=predicate_key(scope, fact.predicate, ontology),
        polarity=fact.polarity.value,
        modality=fact.modality.value,
        status=fact.status.value,
        reads_from=clamped(fact.reads_from),
        reads_until=clamped(fact.reads_until),
        may_from=clamped(fact.interval.may_from),
        created_at=clamped(fact.created_at),
        expired_at=clamped(fact.expired_at),
        text=_text_key(scope, fact.statement),
    )
    return Draft(PointRef(PointKind.FACT, fact.record), payload, fact.statement)


def chunk_drafts(scope: Scope, episode: Episode) -> list[Draft]:
    """Return the points of a turn's pieces."""
    return [
        Draft(
            PointRef(PointKind.CHUNK, chunk.id),
            Payload(
                kind=PointKind.CHUNK,
                scope=scope.key,
                sessions=_labels(scope, "session", [episode.session]),
                agents=_labels(scope, "agent", [episode.agent]),
                created_at=clamped(episode.created_at),
                expired_at=clamped(FOREVER),
                text=_text_key(scope, chunk.text),
            ),
            chunk.text,
        )
        for chunk in chunks(episode)
    ]


def entity_drafts(scope: Scope, entity: Entity) -> list[Draft]:
    """Return the point of an entity; none if another took its place."""
    if entity.merged_into is not None:
        return []
    text = "\n".join((entity.name, *entity.aliases))
    payload = Payload(
        kind=PointKind.ENTITY,
        scope=scope.key,
        created_at=clamped(entity.created_at),
        expired_at=clamped(FOREVER),
        text=_text_key(scope, text),
    )
    return [Draft(PointRef(PointKind.ENTITY, entity.id), payload, text)]


def _labels(scope: Scope, kind: str, labels: Iterable[str | None]) -> tuple[str, ...]:
    return tuple(sorted({opaque(scope, kind, label) for label in labels if label is not None}))


def _text_key(scope: Scope, text: str) -> str:
    return opaque(scope, "text", text)
