"""Which date "since then" means: the one told right before, by the same speaker."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from graphmem.extraction.normalize import (
    Anchor,
    TimeReading,
    TimeRole,
    find_times,
    read_time,
    written_dates,
)
from graphmem.extraction.patterns.headers import in_header
from graphmem.model.draft import Draft
from graphmem.model.episode import Episode
from graphmem.model.time import Span

_BACK = re.compile(
    r"(?:ever )?since(?: then| that (?:time|day))?|from (?:then|that (?:time|day|point)) on"
    r"|[从從自打]?那(?:时候?|時候?|年|天)?(?:以后|以後|之后|之後|起|开始|開始)"
    r"|(?:从|從|自)?此(?:以后|以後|之后|之後|后|後)?",
    re.IGNORECASE,
)


def points_back(phrase: str | None) -> bool:
    """Whether a phrase counts from a date told before it."""
    return phrase is not None and _BACK.fullmatch(phrase) is not None


@dataclass(frozen=True, slots=True)
class Before:
    """A sentence, of a turn, that may tell the date which "since then" after it means.

    It is looked through only where that is said, which is seldom. ``handed_on`` is the date told
    before it, if its words may mean that one.
    """

    text: str
    turn: Episode
    handed_on: str | None = None

    def date(self) -> str | None:
        """Return the one date it tells, or hands on."""
        return told_date(self.text, self.turn, self.handed_on)


def said_last(text: str, turn: Episode, before: Before | None) -> Before:
    """Return a sentence as what stands before the next, itself said after ``before``."""
    handed_on = before.date() if before is not None and _BACK.search(text) else None
    return Before(text, turn, handed_on)


def told_date(text: str, turn: Episode, before: str | None = None) -> str | None:
    """Return the one date that a text tells of the past, for ``Draft.start_hint``.

    ``before`` is the date told before the text, which "since then" in it hands on. Nothing if it
    tells no date, or several: then nobody can say which of them "then" is.
    """
    anchor = Anchor(turn.occurred_at, turn.zone)
    phrases = [each.phrase for each in find_times(text) if not in_header(text, each.begin)]
    if any(points_back(phrase) for phrase in phrases):
        return before
    spans = {_end_of(read_time(phrase, anchor)) for phrase in phrases} - {None}
    if len(spans) != 1:
        return None
    (span,) = spans
    if span is None or span.first >= turn.occurred_at:
        return None
    return written_dates(span, turn.zone)


def _end_of(reading: TimeReading | None) -> Span | None:
    """Where what a phrase dates has come to: the end of a range, else its date or its start."""
    if reading is None or reading.role in (TimeRole.LENGTH, TimeRole.LASTING):
        return None
    return reading.end if reading.role in (TimeRole.RANGE, TimeRole.END) else reading.start


def with_dates(
    drafts: Sequence[Draft], sentence: str, turn: Episode, before: Before | None
) -> list[Draft]:
    """Give drafts that begin "since then" the date told earlier in the sentence, or before it."""
    dated: list[Draft] = []
    for draft in drafts:
        if not points_back(draft.start):
            dated.append(draft)
            continue
        place = sentence.find(str(draft.start))
        hint = told_date(sentence[:place], turn) if place > 0 else None
        hint = hint or (before.date() if before else None)
        dated.append(replace(draft, start_hint=hint))
    return dated
