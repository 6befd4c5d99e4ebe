"""What extraction gives: drafts of claims, in words and phrases only, never ids or dates."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from graphmem.model.claim import Correction, Form, Mention, Modality, Polarity, Qualifiers
from graphmem.model.episode import Episode


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """One thing a turn says, before names are linked and phrases are dated.

    Attributes:
        turn: id of the episode it was said in.
        quote: the exact words of the turn it rests on.
        subject, predicate, object, polarity, modality, form, qualifiers, beside, correction:
            as in ``Claim``; ``predicate`` may be any name the registry knows, or free words.
        start, end: time phrases of the turn ("last May", "六月底"), undated.
        start_hint: set if the phrase for the start was written elsewhere than in this turn
            (an earlier turn's "since then"): a date in ISO form, or the first day of a span and
            the first after it ("2021-03-01/2021-04-01").
        confidence: 0 to 1. importance: 1 to 10.
        statement: a sentence in the speaker's language; empty lets code make one.
        rule: what made it, for diagnosis ("en.lives_in", "model").
    """

    turn: str
    quote: str
    subject: Mention
    predicate: str
    object: Mention | None
    polarity: Polarity = Polarity.POSITIVE
    modality: Modality = Modality.ASSERTED
    form: Form = Form.STATE
    start: str | None = None
    end: str | None = None
    start_hint: str | None = None
    qualifiers: Qualifiers = ()
    beside: bool = False
    correction: Correction | None = None
    confidence: float = 1.0
    importance: int = 5
    statement: str = ""
    rule: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """What extraction may be shown of the memory, for reference resolution.

    Attributes:
        me: names by which the scope's own user goes.
        people: names of entities that may matter, with their role if they have one
            ("Tilda" -> "sister").
        facts: statements of live facts that may matter, by a small label ("F1").
    """

    me: tuple[str, ...] = ()
    people: Mapping[str, str | None] = field(default_factory=dict[str, str | None])
    facts: Mapping[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """Turns to read, with earlier turns of the same session shown for reference only."""

    turns: tuple[Episode, ...]
    earlier: tuple[Episode, ...] = ()
    known: Known = field(default_factory=Known)


@dataclass(frozen=True, slots=True)
class Usage:
    """What reading cost."""

    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            self.calls + other.calls,
            self.prompt_tokens + other.prompt_tokens,
            self.completion_tokens + other.completion_tokens,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Extraction:
    """What came of reading a batch.

    Attributes:
        drafts: in said order.
        unmatched: per turn id, how many sentences gave nothing though they may assert something.
        refused: why drafts were dropped, counted by kind ("ungrounded", "question").
        failed: turn ids that could not be read, with the reason; they stay pending.
        usage: model calls and tokens.
    """

    drafts: tuple[Draft, ...] = ()
    unmatched: Mapping[str, int] = field(default_factory=dict[str, int])
    refused: Mapping[str, int] = field(default_factory=dict[str, int])
    failed: Mapping[str, str] = field(default_factory=dict[str, str])
    usage: Usage = field(default_factory=Usage)
