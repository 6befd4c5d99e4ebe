"""What answering a question reads of a scope, a step at a time: much of little, little of much."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from graphmem.model.claim import LinkedClaim, Polarity, Qualifiers
from graphmem.model.entity import Entity
from graphmem.model.episode import Episode
from graphmem.model.fact import Fact
from graphmem.model.search import FactFilter, TermCounts


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """What a question's words mean in a scope.

    Attributes:
        own: the scope's own user, if anything was ever written.
        named: entities by the names asked for, newest first; none that was merged away.
        counts: how telling the terms are.
    """

    own: Entity | None
    named: Sequence[Entity]
    counts: TermCounts


class FactOutline(NamedTuple):
    """What ranking needs of a fact record; those that are shown are then read whole.

    Attributes:
        record, id, predicate, polarity, qualifiers, statement, importance: as in ``Fact``.
        subject, object: their keys. subject_text, object_text: their words; "" for no object.
        ends: ids of the entities it joins.
        start: the latest reading of its start; 0 if that is unknown.
        said_at, said_turn, said_place: its said order.
        claims: how many claims it rests on. last_said: when the last of them was said.
    """

    record: str
    id: str
    subject: str
    subject_text: str
    predicate: str
    object: str | None
    object_text: str
    ends: tuple[str, ...]
    polarity: Polarity
    qualifiers: Qualifiers
    statement: str
    start: int
    importance: int
    said_at: int
    said_turn: int
    said_place: int
    claims: int
    last_said: int

    @property
    def role(self) -> str | None:
        """The role its object has for its subject, if it was told by one."""
        return dict(self.qualifiers).get("role") if self.qualifiers else None


class TurnOutline(NamedTuple):
    """What ranking needs of a turn.

    Attributes:
        id, session, occurred_at, place, role, speaker, content: as in ``Episode``.
        facts: ids of the facts that rest on it now, or did at the instant asked about.
        quoted: whether a claim quotes from it.
    """

    id: str
    session: str | None
    occurred_at: int
    place: int
    role: str
    speaker: str | None
    content: str
    facts: tuple[str, ...]
    quoted: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Sought:
    """Which candidates to look at.

    Attributes:
        filter: which facts may be among them.
        records, turns, entities: their ids.
        around, relations: also facts of these predicates that join one of these entities, at most
            ``limit``, newest said first.
    """

    filter: FactFilter = field(default_factory=FactFilter)
    records: Sequence[str] = ()
    turns: Sequence[str] = ()
    entities: Sequence[str] = ()
    around: frozenset[str] = frozenset()
    relations: frozenset[str] = frozenset()
    limit: int = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Outlines:
    """Candidates for an answer, in no order.

    Attributes:
        facts: records that pass the filter, asked for by id or by relation.
        turns, entities: those asked for; no entity that was merged away.
    """

    facts: Sequence[FactOutline] = ()
    turns: Sequence[TurnOutline] = ()
    entities: Sequence[Entity] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """All that is shown of an answer.

    Attributes:
        facts: by record id, with the claims they rested on at the instant asked about.
        claims: those claims by fact id, in said order.
        causes: claims that ended facts, by id.
        episodes: by id: those asked for, and those of all these claims.
    """

    facts: Mapping[str, Fact]
    claims: Mapping[str, tuple[LinkedClaim, ...]]
    causes: Mapping[str, LinkedClaim]
    episodes: Mapping[str, Episode]
