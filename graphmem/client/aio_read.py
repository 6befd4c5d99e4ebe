"""Reading from the memory, awaited."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from graphmem.client.aio_base import AsyncBase, Labels
from graphmem.client.border import filter_of
from graphmem.client.checks import checked
from graphmem.errors import InputError
from graphmem.model.explanation import Explanation
from graphmem.model.fact import Fact
from graphmem.model.instants import When
from graphmem.model.scope import Scope
from graphmem.model.search import Context, EntityView, Page, SearchResult
from graphmem.retrieval.recipes import Recipe
from graphmem.usecases import read


class AsyncReading(AsyncBase):
    """Searches, lists, explains."""

    @checked
    async def search(
        self,
        question: str,
        *,
        user: str,
        tenant: str = "default",
        limit: int = 10,
        valid_at: When | None = None,
        known_at: When | None = None,
        include_ended: bool = False,
        include_disputed: bool = False,
        include_retracted: bool = False,
        predicate: str | Sequence[str] | None = None,
        polarity: str | None = None,
        modality: str | None = None,
        session: Labels = None,
        agent: Labels = None,
        kinds: Sequence[str] | None = None,
        recipe: str | Recipe = "default",
    ) -> SearchResult:
        """Answer a question with facts and turns, best first, each with its reasons.

        Args:
            question: the question, in words.
            user, tenant: whose memory.
            limit: at most this many hits.
            valid_at: the instant or period asked about; None is now.
            known_at: what was recorded by then; None is everything.
            include_ended, include_disputed, include_retracted: also those, labelled.
            predicate, polarity, modality, session, agent: only these.
            kinds: "fact", "chunk" (what was said in turns), or both.
            recipe: how to rank.
        """
        parts = await self._open()
        scope = Scope(tenant, user)
        asked = self._question(
            question,
            limit=limit,
            valid_at=valid_at,
            known_at=known_at,
            include_ended=include_ended,
            include_disputed=include_disputed,
            include_retracted=include_retracted,
            predicate=predicate,
            polarity=polarity,
            modality=modality,
            session=session,
            agent=agent,
            kinds=kinds,
            recipe=recipe,
        )
        notes = [*self._cut(question), *await parts.services.catch_up(scope)]
        result = await parts.services.retriever.search(scope, asked)
        return replace(result, notes=_together(result.notes, notes))

    @checked
    async def context(
        self,
        question: str,
        *,
        user: str,
        tenant: str = "default",
        max_tokens: int = 800,
        valid_at: When | None = None,
        known_at: When | None = None,
        include_ended: bool = False,
        session: Labels = None,
        agent: Labels = None,
    ) -> Context:
        """Pack what matters for a task into at most ``max_tokens``, fenced as data."""
        parts = await self._open()
        asked = self._question(
            question,
            limit=10,
            valid_at=valid_at,
            known_at=known_at,
            include_ended=include_ended,
            session=session,
            agent=agent,
        )
        if max_tokens < 1:
            raise InputError(f"max_tokens must be at least 1, not {max_tokens!r}")
        scope = Scope(tenant, user)
        notes = [*self._cut(question), *await parts.services.catch_up(scope)]
        packed = await parts.services.retriever.context(scope, asked, max_tokens=max_tokens)
        return replace(packed, notes=_together(packed.notes, notes))

    @checked
    async def facts(
        self,
        *,
        user: str,
        tenant: str = "default",
        subject: str | None = None,
        predicate: str | None = None,
        object: str | None = None,
        valid_at: When | None = None,
        known_at: When | None = None,
        include_ended: bool = False,
        include_disputed: bool = False,
        include_retracted: bool = False,
        polarity: str | None = None,
        modality: str | None = None,
        session: Labels = None,
        agent: Labels = None,
        limit: int = 100,
        cursor: str | None = None,
    ) -> Page[Fact]:
        """List facts, newest said first."""
        parts = await self._open()
        wanted = filter_of(
            now=parts.services.clock.now(),
            zone=parts.services.zone,
            valid_at=valid_at,
            known_at=known_at,
            include_ended=include_ended,
            include_disputed=include_disputed,
            include_retracted=include_retracted,
            polarity=polarity,
            modality=modality,
            session=session,
            agent=agent,
        )
        listing = read.Listing(
            subject=subject,
            predicate=predicate,
            object=object,
            filter=wanted,
            limit=limit,
            cursor=cursor,
        )
        return await read.facts(parts.services, Scope(tenant, user), listing)

    @checked
    async def get(self, fact_id: str, *, user: str, tenant: str = "default") -> Fact:
        """Return a fact by id."""
        parts = await self._open()
        return await read.get(parts.services, Scope(tenant, user), fact_id)

    @checked
    async def history(
        self,
        fact_id: str,
        *,
        user: str,
        tenant: str = "default",
        limit: int = 100,
        cursor: str | None = None,
    ) -> Page[Fact]:
        """Return every record of what can end a fact, and of it, newest record first."""
        parts = await self._open()
        return await read.history(
            parts.services, Scope(tenant, user), fact_id, limit=limit, cursor=cursor
        )

    @checked
    async def explain(self, fact_id: str, *, user: str, tenant: str = "default") -> Explanation:
        """Return a fact's evidence, what ended it, and what it ended."""
        parts = await self._open()
        return await read.explain(parts.services, Scope(tenant, user), fact_id)

    @checked
    async def entities(
        self,
        *,
        user: str,
        tenant: str = "default",
        limit: int = 100,
        cursor: str | None = None,
    ) -> Page[EntityView]:
        """List what the facts are about, newest first."""
        parts = await self._open()
        if limit < 1:
            raise InputError(f"limit must be at least 1, not {limit!r}")
        return await parts.services.store.entities(Scope(tenant, user), limit=limit, cursor=cursor)


def _together(told: Sequence[str], notes: Sequence[str]) -> tuple[str, ...]:
    # What kept the index from being brought up to date kept it from answering, and says so there.
    more = [note for note in notes if not any(known.startswith(note) for known in told)]
    return tuple(dict.fromkeys((*told, *more)))
