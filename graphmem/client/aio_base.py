"""What the parts of the awaited memory share: its opened parts, and callers' words read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from graphmem.client.background import Background
from graphmem.client.border import filter_of, member, stated
from graphmem.model.claim import Modality, Polarity, SourceClass
from graphmem.model.instants import When, instant_of, zone_given
from graphmem.model.search import PointKind
from graphmem.retrieval.question import ALL_HITS, Question
from graphmem.retrieval.recipes import Recipe
from graphmem.usecases import add_fact as stating
from graphmem.wiring import Assembly

Labels = str | Sequence[str] | None
"""One label or several; None is all."""
QUESTION_LIMIT = 10_000
"""Characters of a question that are read; what a prompt says beyond them is left out."""


class AsyncBase:
    """Holds the parts of a memory."""

    _parts: Assembly
    _background: Background

    def _cut(self, question: str) -> list[str]:
        """Say what of a question is not read."""
        size = len(question)
        if size <= QUESTION_LIMIT:
            return []
        return [f"only the first {QUESTION_LIMIT:,} of the question's {size:,} characters count"]

    async def _open(self) -> Assembly:
        await self._parts.ready()
        return self._parts

    def _statement(
        self,
        *,
        valid_from: When | None,
        valid_to: When | None,
        occurred_at: When | None,
        polarity: str,
        source: str,
        qualifiers: Mapping[str, str] | None,
        modality: str = "asserted",
        **rest: Any,  # Any: passed on to a dataclass that names and types them
    ) -> stating.Statement:
        zone = self._parts.services.zone
        at = None if occurred_at is None else instant_of(occurred_at, zone, "occurred_at")
        return stating.Statement(
            start=stated(valid_from, zone, "valid_from"),
            end=stated(valid_to, zone, "valid_to"),
            occurred_at=at,
            zone=zone if occurred_at is None else zone_given(occurred_at, zone),
            polarity=member(Polarity, polarity, "polarity"),
            modality=member(Modality, modality, "modality"),
            source=member(SourceClass, source, "source"),
            qualifiers=dict(qualifiers or {}),
            **rest,
        )

    def _question(
        self,
        text: str,
        *,
        limit: int,
        valid_at: When | None,
        predicate: str | Sequence[str] | None = None,
        kinds: Sequence[str] | None = None,
        recipe: str | Recipe = "default",
        **rest: Any,  # Any: passed on to ``filter_of``, which names and types them
    ) -> Question:
        services = self._parts.services
        now = services.clock.now()
        wanted = filter_of(now=now, zone=services.zone, valid_at=valid_at, **rest)
        if predicate is not None:
            names = [predicate] if isinstance(predicate, str) else list(predicate)
            slugs = {services.ontology.resolve(name).predicate.slug for name in names}
            wanted = replace(wanted, predicates=frozenset(slugs))
        chosen = (
            ALL_HITS
            if kinds is None
            else frozenset(member(PointKind, kind, "kinds") for kind in kinds)
        )
        return Question(
            text=text[:QUESTION_LIMIT],
            filter=wanted,
            now=now,
            limit=limit,
            kinds=chosen,
            explicit_valid=valid_at is not None,
            recipe=recipe,
        )
