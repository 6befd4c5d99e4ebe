"""What extraction gives: drafts of claims, in words and phrases only, never ids or dates."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
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
        said_by: whose words the speaker passes on ("Tom says he lives in Oslo"); None for the
            speaker's own.
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
    said_by: str | None = None
    statement: str = ""
    rule: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownFact:
    """A live fact as extraction is shown it: in names, without ids.

    Attributes:
        statement, predicate, polarity, modality: as in ``Fact``.
        subject, object: what it joins, by the names they go by; ``object`` is None in "no pets".
        ending: whether it holds, and its end is announced.
    """

    statement: str
    subject: Mention
    predicate: str
    object: Mention | None = None
    polarity: Polarity = Polarity.POSITIVE
    modality: Modality = Modality.ASSERTED
    ending: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """What extraction may be shown of the memory, for reference resolution.

    Attributes:
        me: names by which the scope's own user goes.
        people: names of entities that may matter, with their role if they have one
            ("Tilda" -> "sister").
        aliases: what else those are called, by name.
        statements: of the facts said last, newest first.
        facts: live facts that may matter, by a small label ("F1"); only for an extractor that
            ``wants_facts``.
    """

    me: tuple[str, ...] = ()
    people: Mapping[str, str | None] = field(default_factory=dict[str, str | None])
    aliases: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    statements: tuple[str, ...] = ()
    facts: Mapping[str, KnownFact] = field(default_factory=dict[str, KnownFact])


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """Turns to read, with earlier turns of the same session shown for reference only."""

    turns: tuple[Episode, ...]
    earlier: tuple[Episode, ...] = ()
    known: Known = field(default_factory=Known)


@dataclass(frozen=True, slots=True)
class Usage:
    """What calls of a model cost.

    Attributes:
        calls: how many requests were sent; the endpoint's refusals of a format count, and what was
            sent again after it was busy does not.
        prompt_tokens, completion_tokens: as the endpoint tells, else estimated.
        cached_tokens: of those of the prompt, the ones that the endpoint had read before.
        estimated: of how many calls the tokens are an estimate.
        seconds: waited for answers; not compared.
    """

    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cached_tokens: int = 0
    estimated: int = 0
    seconds: float = field(default=0.0, compare=False)

    @property
    def tokens(self) -> int:
        """Those of prompts and answers."""
        return self.prompt_tokens + self.completion_tokens

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            self.calls + other.calls,
            self.prompt_tokens + other.prompt_tokens,
            self.completion_tokens + other.completion_tokens,
            self.cached_tokens + other.cached_tokens,
            self.estimated + other.estimated,
            self.seconds + other.seconds,
        )


Steps = Mapping[str, Usage]
"""What each step cost ("extract", "repair"); together they are the whole."""


def steps_together(parts: Iterable[Steps]) -> dict[str, Usage]:
    """Return what each step cost over all the parts."""
    whole: dict[str, Usage] = {}
    for part in parts:
        for step, usage in part.items():
            whole[step] = whole.get(step, Usage()) + usage
    return whole


@dataclass(frozen=True, slots=True)
class Cap:
    """The most that may be spent on a model; None is no limit."""

    calls: int | None = None
    tokens: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Extraction:
    """What came of reading a batch.

    Attributes:
        drafts: in said order.
        unmatched: per turn id, how many sentences gave nothing though they may assert something.
        refused: why drafts were dropped, counted by kind ("ungrounded", "question").
        failed: turn ids that could not be read, with the reason; they stay pending.
        usage: model calls and tokens. steps: the same, step by step.
    """

    drafts: tuple[Draft, ...] = ()
    unmatched: Mapping[str, int] = field(default_factory=dict[str, int])
    refused: Mapping[str, int] = field(default_factory=dict[str, int])
    failed: Mapping[str, str] = field(default_factory=dict[str, str])
    usage: Usage = field(default_factory=Usage)
    notes: tuple[str, ...] = ()
    steps: Steps = field(default_factory=dict[str, Usage])
