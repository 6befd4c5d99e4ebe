"""Questions and answers: filters, points of the index, hits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Generic, NamedTuple, TypeVar

from graphmem.model.claim import Modality, Polarity
from graphmem.model.entity import Entity
from graphmem.model.episode import Episode
from graphmem.model.fact import Fact, Status
from graphmem.model.time import FOREVER, Certainty

T = TypeVar("T")

HELD_ONLY: frozenset[Status] = frozenset({Status.HELD})


@dataclass(frozen=True, slots=True, kw_only=True)
class FactFilter:
    """Which fact records a read may return; it is part of every store query, before any limit.

    Attributes:
        valid: ``(first, last)`` instants asked about; None for any time.
        upcoming: also plans whose date lies after ``valid``.
        uncertain: also what only may hold then.
        known_at: record time; None for the newest records.
        statuses: which statuses.
        polarity, modality: only these; None for all.
        predicates: canonical slugs; None for all.
        sessions, agents: labels of the episodes a fact rests on; None for all.
    """

    valid: tuple[int, int] | None = None
    upcoming: bool = False
    uncertain: bool = False
    known_at: int | None = None
    statuses: frozenset[Status] = HELD_ONLY
    polarity: Polarity | None = None
    modality: Modality | None = None
    predicates: frozenset[str] | None = None
    sessions: frozenset[str] | None = None
    agents: frozenset[str] | None = None

    def admits(self, fact: Fact) -> bool:
        """Say whether ``fact`` passes, sessions and agents apart (those need its episodes)."""
        if self.known_at is None:
            if fact.expired_at < FOREVER:
                return False
        elif not fact.created_at <= self.known_at < fact.expired_at:
            return False
        if fact.status not in self.statuses:
            return False
        if self.polarity is not None and fact.polarity is not self.polarity:
            return False
        if self.modality is not None and fact.modality is not self.modality:
            return False
        if self.predicates is not None and fact.predicate not in self.predicates:
            return False
        if self.valid is None:
            return True
        first, last = self.valid
        if fact.reads_until <= first:
            return False
        if fact.reads_from <= last:
            return True
        if self.upcoming and fact.modality is Modality.PLANNED:
            return True
        return self.uncertain and fact.interval.may_from <= last


@dataclass(frozen=True, slots=True, kw_only=True)
class FactQuery:
    """A listing of facts, newest said first.

    Attributes:
        filter: which records.
        subjects, objects: entity ids or value keys; None for all. ``either`` lets a subject also
            stand as object, of any predicate or only of those in ``either_of``.
        limit: at most this many. cursor: where the last page ended.
    """

    filter: FactFilter = field(default_factory=FactFilter)
    subjects: frozenset[str] | None = None
    objects: frozenset[str] | None = None
    either: bool = False
    either_of: frozenset[str] | None = None
    limit: int = 100
    cursor: str | None = None


@dataclass(frozen=True, slots=True)
class Page(Generic[T]):
    """Part of a listing.

    Attributes:
        items: the rows of this page.
        total: how many there are in all.
        cursor: pass it back for the next page; None at the end.
    """

    items: tuple[T, ...]
    total: int
    cursor: str | None = None

    @property
    def truncated(self) -> bool:
        """Whether there is more."""
        return self.cursor is not None


class PointKind(StrEnum):
    """What a point of the index stands for."""

    FACT = "fact"
    CHUNK = "chunk"
    ENTITY = "entity"


class PointRef(NamedTuple):
    """The record behind a point: a fact record's id, a chunk's id, an entity's id."""

    kind: PointKind
    id: str


class Scored(NamedTuple):
    """A record found by one channel, with the channel's own score (higher is better)."""

    ref: PointRef
    score: float


@dataclass(frozen=True, slots=True)
class TermCounts:
    """How telling terms are in one scope.

    Attributes:
        points: how many records of the scope hold terms.
        frequency: in how many of them each asked term occurs.
    """

    points: int
    frequency: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Chunk:
    """A piece of a turn, as indexed: ``id`` is ``EPISODE#N``, ``text`` is "speaker: words"."""

    id: str
    episode: str
    text: str


@dataclass(frozen=True, slots=True)
class Source:
    """Where a hit comes from: the turn, its speaker, the words, when and in which zone."""

    episode: str
    speaker: str
    quote: str
    occurred_at: int
    zone: str = "UTC"


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """One answer.

    Attributes:
        kind: a fact, or a chunk of a turn as something said.
        fact, episode: which (one of them is set). text: the statement or the words.
        score: 0 to 1, six places. parts: what it is made of, by channel and boost.
        label: how it stands at the instant asked about ("current", "planned", "ended",
            "happened", "disputed", "retracted", "said").
        certainty: how surely it holds then.
        path: the walked chain of statements that leads to it, if it was walked to.
        sources: the turns it rests on, said order.
        turn: the one of them whose words answer beyond what the fact says; its source quotes them.
        why: a sentence on why it is returned as it is.
    """

    kind: PointKind
    text: str
    score: float
    fact: Fact | None = None
    episode: Episode | None = None
    parts: Mapping[str, float] = field(default_factory=dict[str, float])
    label: str = "current"
    certainty: Certainty = Certainty.HOLDS
    path: tuple[Fact, ...] = ()
    sources: tuple[Source, ...] = ()
    turn: str | None = None
    why: str = ""

    @property
    def id(self) -> str:
        """The fact's or episode's id."""
        if self.fact is not None:
            return self.fact.id
        return self.episode.id if self.episode is not None else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchResult:
    """Answers to a question.

    Attributes:
        hits: best first.
        hidden: how many of what was looked at fell below a floor. What is mere noise is looked at
            only where there is no hit.
        notes: what the reader should know ("the vector index is held by another process").
        channels: names of the channels that took part.
    """

    hits: tuple[Hit, ...]
    hidden: int = 0
    notes: tuple[str, ...] = ()
    channels: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """Facts and their source turns packed for a prompt.

    Attributes:
        text: fenced as data; at most ``max_tokens`` by our estimate.
        tokens: estimated tokens of ``text``.
        hits: what is in it. omitted: how many did not fit.
        notes: as in ``SearchResult``.
    """

    text: str
    tokens: int
    hits: tuple[Hit, ...]
    omitted: int = 0
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityView:
    """An entity with how many live facts touch it."""

    entity: Entity
    facts: int
