"""What one episode says: claims, their words and their links."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from graphmem.model.entity import Value, ValueKind
from graphmem.model.time import Stated

Qualifiers = tuple[tuple[str, str], ...]
"""Sorted pairs of name and value."""


class Polarity(StrEnum):
    """Whether something is affirmed or denied."""

    POSITIVE = "+"
    NEGATIVE = "-"

    @property
    def flipped(self) -> Polarity:
        """The other one."""
        return Polarity.NEGATIVE if self is Polarity.POSITIVE else Polarity.POSITIVE


class Modality(StrEnum):
    """How it was put: as so, as intended, as conceivable."""

    ASSERTED = "asserted"
    PLANNED = "planned"
    POSSIBLE = "possible"


class Form(StrEnum):
    """What a claim's source witnesses (docs/concepts.md gives examples of each)."""

    STATE = "state"
    SINCE = "since"
    CHANGE = "change"
    PAST = "past"
    END = "end"
    CANCEL = "cancel"


class SourceClass(StrEnum):
    """Who said it."""

    USER = "user"
    DOCUMENT = "document"
    TOOL = "tool"
    ASSISTANT = "assistant"
    INFERRED = "inferred"


DEFAULT_AUTHORITY = {
    SourceClass.USER: 100,
    SourceClass.DOCUMENT: 80,
    SourceClass.TOOL: 80,
    SourceClass.ASSISTANT: 50,
    SourceClass.INFERRED: 40,
}


@dataclass(frozen=True, slots=True, order=True)
class Said:
    """Said order: when, then when its turn was recorded, then the place in the turn.

    ``at`` and ``turn`` are microseconds UTC. Turns of one call have times of their own, so
    ``turn`` decides only between calls that give the same time.
    """

    at: int
    turn: int = 0
    place: int = 0


@dataclass(frozen=True, slots=True)
class Mention:
    """Words that stand for an entity, or a literal.

    Attributes:
        text: the words ("Tilda", "my landlord", "1.82 m").
        kind: ENTITY, or the literal's type.
        types: entity types the words imply.
        role: set if the words are a role of the speaker's relation ("landlord"), not a name.
        is_self: the words mean the speaker's own user.
    """

    text: str
    kind: ValueKind = ValueKind.ENTITY
    types: tuple[str, ...] = ()
    role: str | None = None
    is_self: bool = False


@dataclass(frozen=True, slots=True)
class Correction:
    """What a claim takes back.

    Attributes:
        claims: ids of the claims it corrects, from ``correct()``.
        value: the words of the value it names as wrong ("not Riga"), in talk.
        Both empty: the value last said in that slot in the session.
    """

    claims: tuple[str, ...] = ()
    value: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """One thing one episode says; immutable.

    Attributes:
        id, episode, session: where it is, and the session label it was said in.
        subject, predicate, object: as said; ``predicate`` is the registry's slug or the words
            made one. ``object`` is None in "no pets", "quit my job".
        polarity, modality, form: how it was put.
        start, end: stated bounds.
        qualifiers: what narrows it ("work", "weekends").
        beside: said to hold beside another value ("and", "also", 还, 兼).
        correction: set if it takes something back.
        quote: the words of the episode it rests on; empty once blanked.
        said: its place in said order.
        source, authority, confidence (0 to 1), importance (1 to 10): what it weighs.
        statement: a sentence in the speaker's language.
    """

    id: str
    episode: str
    session: str | None
    subject: Mention
    predicate: str
    object: Mention | None
    polarity: Polarity = Polarity.POSITIVE
    modality: Modality = Modality.ASSERTED
    form: Form = Form.STATE
    start: Stated | None = None
    end: Stated | None = None
    qualifiers: Qualifiers = ()
    beside: bool = False
    correction: Correction | None = None
    quote: str
    said: Said
    source: SourceClass = SourceClass.USER
    authority: int = 100
    confidence: float = 1.0
    importance: int = 5
    statement: str


@dataclass(frozen=True, slots=True)
class Link:
    """What a claim's words mean now: entities, and the registry's predicate in stored direction.

    Attributes:
        claim: the claim's id.
        subject: entity id.
        predicate: canonical slug; of two opposites, the one that carries the slot.
        object: entity or literal; None if the claim names none.
        polarity: the claim's, flipped if it was said with the opposite predicate.
    """

    claim: str
    subject: str
    predicate: str
    object: Value | None
    polarity: Polarity


@dataclass(frozen=True, slots=True)
class LinkedClaim:
    """A claim with its live link, and whether it is withdrawn."""

    claim: Claim
    link: Link
    withdrawn: bool = False
