"""Reading from the memory."""

from __future__ import annotations

from collections.abc import Sequence

from graphmem.client.aio_base import Labels
from graphmem.client.sync_base import Base
from graphmem.model.explanation import Explanation
from graphmem.model.fact import Fact
from graphmem.model.instants import When
from graphmem.model.search import Context, EntityView, Page, SearchResult
from graphmem.retrieval.recipes import Recipe


class Reading(Base):
    """Searches, lists, explains."""

    def search(
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
        """Answer a question with facts and turns, best first, each with its reasons."""
        return self._run(
            self._memory.search(
                question,
                user=user,
                tenant=tenant,
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
        )

    def context(
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
        return self._run(
            self._memory.context(
                question,
                user=user,
                tenant=tenant,
                max_tokens=max_tokens,
                valid_at=valid_at,
                known_at=known_at,
                include_ended=include_ended,
                session=session,
                agent=agent,
            )
        )

    def facts(
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
        return self._run(
            self._memory.facts(
                user=user,
                tenant=tenant,
                subject=subject,
                predicate=predicate,
                object=object,
                valid_at=valid_at,
                known_at=known_at,
                include_ended=include_ended,
                include_disputed=include_disputed,
                include_retracted=include_retracted,
                polarity=polarity,
                modality=modality,
                session=session,
                agent=agent,
                limit=limit,
                cursor=cursor,
            )
        )

    def get(self, fact_id: str, *, user: str, tenant: str = "default") -> Fact:
        """Return a fact by id."""
        return self._run(
            self._memory.get(
                fact_id,
                user=user,
                tenant=tenant,
            )
        )

    def history(
        self,
        fact_id: str,
        *,
        user: str,
        tenant: str = "default",
        limit: int = 100,
        cursor: str | None = None,
    ) -> Page[Fact]:
        """Return every record of what can end a fact, and of it, newest record first."""
        return self._run(
            self._memory.history(
                fact_id,
                user=user,
                tenant=tenant,
                limit=limit,
                cursor=cursor,
            )
        )

    def explain(self, fact_id: str, *, user: str, tenant: str = "default") -> Explanation:
        """Return a fact's evidence, what ended it, and what it ended."""
        return self._run(
            self._memory.explain(
                fact_id,
                user=user,
                tenant=tenant,
            )
        )

    def entities(
        self,
        *,
        user: str,
        tenant: str = "default",
        limit: int = 100,
        cursor: str | None = None,
    ) -> Page[EntityView]:
        """List what the facts are about, newest first."""
        return self._run(
            self._memory.entities(
                user=user,
                tenant=tenant,
                limit=limit,
                cursor=cursor,
            )
        )
