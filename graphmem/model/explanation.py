"""Why a fact is what it is."""

from __future__ import annotations

from dataclasses import dataclass

from graphmem.model.claim import LinkedClaim
from graphmem.model.fact import Fact
from graphmem.model.search import Source


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """A fact with its evidence, what ended it and what it ended.

    Attributes:
        fact: its live (or last) record.
        why: a sentence on how it stands and by which rule.
        claims, sources: what it rests on, said order: the claims and the turns they quote.
        ended_by: the turn that ended it or took it back, if one did.
        replaced_by: the fact that took its place.
        ended: facts that a claim of this one ended or took back.
    """

    fact: Fact
    why: str
    claims: tuple[LinkedClaim, ...] = ()
    sources: tuple[Source, ...] = ()
    ended_by: Source | None = None
    replaced_by: Fact | None = None
    ended: tuple[Fact, ...] = ()
