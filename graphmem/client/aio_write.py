"""Changing what the memory knows, awaited."""

from __future__ import annotations

from collections.abc import Mapping

from graphmem.client.aio_base import AsyncBase
from graphmem.client.border import Whole, member
from graphmem.client.checks import checked
from graphmem.errors import InputError
from graphmem.model.claim import Polarity
from graphmem.model.instants import When
from graphmem.model.receipt import ErasureReceipt, Receipt
from graphmem.model.scope import Scope
from graphmem.usecases import add_fact as stating
from graphmem.usecases import erase as erasing
from graphmem.usecases import retract as retracting
from graphmem.wiring import Assembly


class AsyncWriting(AsyncBase):
    """States, corrects, takes back, erases."""

    @checked
    async def add_fact(
        self,
        subject: str,
        predicate: str,
        object: str | None = None,
        *,
        user: str,
        tenant: str = "default",
        valid_from: When | None = None,
        valid_to: When | None = None,
        occurred_at: When | None = None,
        polarity: str = "+",
        modality: str = "asserted",
        source: str = "user",
        source_name: str | None = None,
        statement: str | None = None,
        qualifiers: Mapping[str, str] | None = None,
        confidence: float = 1.0,
        importance: int = 5,
        session: str | None = None,
        agent: str | None = None,
    ) -> Receipt:
        """State a fact by its parts; "me" is the user.

        Without dates it is a state, true when it was said; with ``valid_from`` it began then;
        with both it is over (or will be); with ``valid_to`` alone it ended then.
        """
        parts = await self._open()
        given = self._statement(
            subject=subject,
            predicate=predicate,
            object=object,
            valid_from=valid_from,
            valid_to=valid_to,
            occurred_at=occurred_at,
            polarity=polarity,
            modality=modality,
            source=source,
            source_name=source_name,
            statement=statement,
            qualifiers=qualifiers,
            confidence=confidence,
            importance=importance,
            session=session,
            agent=agent,
        )
        return await stating.add_fact(parts.services, Scope(tenant, user), given)

    @checked
    async def correct(
        self,
        fact_id: str,
        *,
        user: str,
        tenant: str = "default",
        object: str | None = None,
        valid_from: When | None = None,
        valid_to: When | None = None,
        occurred_at: When | None = None,
        polarity: str | None = None,
        source: str = "user",
        statement: str | None = None,
        qualifiers: Mapping[str, str] | None = None,
    ) -> Receipt:
        """Put another value or other dates in the place of a fact's, for all its time."""
        parts = await self._open()
        given = self._statement(
            subject="",
            predicate="",
            object=object,
            valid_from=valid_from,
            valid_to=valid_to,
            occurred_at=occurred_at,
            polarity="+",
            source=source,
            statement=statement,
            qualifiers=qualifiers,
        )
        return await stating.correct(
            parts.services,
            Scope(tenant, user),
            fact_id,
            given,
            polarity=None if polarity is None else member(Polarity, polarity, "polarity"),
        )

    @checked
    async def retract(
        self, fact_id: str, *, user: str, tenant: str = "default", reason: str | None = None
    ) -> Receipt:
        """Take a fact back: it was never true. ``restore`` undoes it."""
        parts = await self._open()
        return await retracting.retract(parts.services, Scope(tenant, user), fact_id, reason=reason)

    @checked
    async def restore(self, fact_id: str, *, user: str, tenant: str = "default") -> Receipt:
        """Let a retracted fact stand again."""
        parts = await self._open()
        return await retracting.restore(parts.services, Scope(tenant, user), fact_id)

    @checked
    async def erase(
        self,
        *,
        user: str,
        tenant: str = "default",
        fact: str | Whole = Whole.USER,
        episode: str | Whole = Whole.USER,
    ) -> ErasureReceipt:
        """Remove a fact, a turn, or everything of the user, physically and for good."""
        parts = await self._open()
        scope = Scope(tenant, user)
        if isinstance(fact, str) and isinstance(episode, str):
            raise InputError("erase a fact or an episode, not both in one call")
        try:
            return await self._erase(parts, scope, fact, episode)
        finally:
            self._background.forget(scope)

    async def _erase(
        self, parts: Assembly, scope: Scope, fact: str | Whole, episode: str | Whole
    ) -> ErasureReceipt:
        if isinstance(fact, str):
            return await erasing.erase_fact(parts.services, scope, fact)
        if isinstance(episode, str):
            return await erasing.erase_episode(parts.services, scope, episode)
        return await erasing.erase_user(parts.services, scope)
