"""Changing what the memory knows."""

from __future__ import annotations

from collections.abc import Mapping

from graphmem.client.border import Whole
from graphmem.client.sync_base import Base
from graphmem.model.instants import When
from graphmem.model.receipt import ErasureReceipt, Receipt


class Writing(Base):
    """States, corrects, takes back, erases."""

    def add_fact(
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
        """State a fact by its parts; "me" is the user."""
        return self._run(
            self._memory.add_fact(
                subject,
                predicate,
                object,
                user=user,
                tenant=tenant,
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
        )

    def correct(
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
        return self._run(
            self._memory.correct(
                fact_id,
                user=user,
                tenant=tenant,
                object=object,
                valid_from=valid_from,
                valid_to=valid_to,
                occurred_at=occurred_at,
                polarity=polarity,
                source=source,
                statement=statement,
                qualifiers=qualifiers,
            )
        )

    def retract(
        self, fact_id: str, *, user: str, tenant: str = "default", reason: str | None = None
    ) -> Receipt:
        """Take a fact back: it was never true. ``restore`` undoes it."""
        return self._run(
            self._memory.retract(
                fact_id,
                user=user,
                tenant=tenant,
                reason=reason,
            )
        )

    def restore(self, fact_id: str, *, user: str, tenant: str = "default") -> Receipt:
        """Let a retracted fact stand again."""
        return self._run(
            self._memory.restore(
                fact_id,
                user=user,
                tenant=tenant,
            )
        )

    def erase(
        self,
        *,
        user: str,
        tenant: str = "default",
        fact: str | Whole = Whole.USER,
        episode: str | Whole = Whole.USER,
    ) -> ErasureReceipt:
        """Remove a fact, a turn, or everything of the user, physically and for good."""
        return self._run(
            self._memory.erase(
                user=user,
                tenant=tenant,
                fact=fact,
                episode=episode,
            )
        )
