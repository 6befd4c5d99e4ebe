"""What answering a question reads of a scope, a step at a time: much of little, little of much."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from graphmem.model.claim import Polarity, Qualifiers, Said
from graphmem.model.entity import Entity
from graphmem.model.episode import Episode, Role
from graphmem.model.fact import Fact
from graphmem.model.search import FactFilter, Source, TermCounts


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

    @classmethod
    def of(cls, fact: Fact) -> FactOutline:
        """Return the outline of a fact that was read whole."""
        start, value = fact.interval.start, fact.object
        return cls(
            record=fact.record,
            id=fact.id,
            subject=fact.subject.key,
            subject_text=fact.subject.text,
            predicate=fact.predicate,
            object=None if value is None else value.key,
            object_text="" if value is None else value.text,
            ends=fact.ends,
            polarity=fact.polarity,
            qualifiers=fact.qualifiers,
            statement=fact.statement,
            start=0 if start is None else start.latest,
            importance=fact.importance,
            said_at=fact.said.at,
            said_turn=fact.said.turn,
            said_place=fact.said.place,
            claims=len(fact.claims),
            last_said=fact.said.at,
        )

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
    role: Role
    speaker: str | None
    content: str
    facts: tuple[str, ...]
    quoted: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Sought:
    """Which candidates to look at.

    Attributes:
        filter: which facts may be among them.
        records, turns, entities: their ids; with a turn come the facts that rest on it.
        beside: turns with which come, of those that pass, the two said before and the two said
            after them in their session, in the order of when they were said, place and id.
        around, relations: also facts of these predicates that join one of these entities, at most
            ``limit``, newest said first.
    """

    filter: FactFilter = field(default_factory=FactFilter)
    records: Sequence[str] = ()
    turns: Sequence[str] = ()
    beside: Sequence[str] = ()
    entities: Sequence[str] = ()
    around: frozenset[str] = frozenset()
    relations: frozenset[str] = frozenset()
    limit: int = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Outlines:
    """Candidates for an answer, in no order.

    Attributes:
        facts: records that pass the filter, asked for by id, by turn or by relation.
        turns, entities: those asked for, and turns beside those; no entity that was merged away.
    """

    facts: Sequence[FactOutline] = ()
    turns: Sequence[TurnOutline] = ()
    entities: Sequence[Entity] = ()


class Ground(NamedTuple):
    """What a fact rests on, or was ended by, as far as it is shown.

    Attributes:
        claim: its id. statement: its sentence. said: when it was said.
        source: the turn it quotes from.
    """

    claim: str
    statement: str
    said: Said
    source: Source


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """All that is shown of an answer.

    Attributes:
        facts: by record id, with the claims they rested on at the instant asked about.
        grounds: what they rested on, by fact id, in said order.
        causes: what ended facts, by the claim's id.
        turns: by id.
    """

    facts: Mapping[str, Fact]
    grounds: Mapping[str, Sequence[Ground]]
    causes: Mapping[str, Ground]
    turns: Mapping[str, Episode]
