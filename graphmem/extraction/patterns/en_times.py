"""Time phrases of an English sentence, as far as the form of a claim depends on them."""

from __future__ import annotations

import re
from dataclasses import dataclass

from graphmem.extraction.normalize import (
    Anchor,
    Tense,
    TimeReading,
    TimeRole,
    find_times,
    read_time,
)
from graphmem.extraction.patterns.headers import in_header
from graphmem.extraction.patterns.then import points_back
from graphmem.model.episode import Episode
from graphmem.model.time import DAY

_RANGE = re.compile(r"(?:from|between) (.+) (?:to|until|till|through|and) (.+)", re.IGNORECASE)
_BARE_YEAR = re.compile(r"(?:back )?(?:in |during |around )?(?:the year )?\d{4}", re.IGNORECASE)
_HAS_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_CLOCK = re.compile(
    r"(?:(?:at|around|by|after|before|until) )?"
    r"(?:\d{1,2}(?::\d\d)?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|noon"
    r"|midnight|lunch|dinner)(?: o'clock)? ?(?:[ap]\.?m\.?)?",
    re.IGNORECASE,
)
_YEAR = 366 * DAY


@dataclass(frozen=True, slots=True)
class TimePhrase:
    """A time phrase: ``text[begin:stop]``.

    Attributes:
        phrase: its words.
        role: what it says of an interval.
        ahead: it lies after the turn.
        news: told of a change, it is news rather than history: relative, without a year, or
            within twelve months of the turn and finer than a year.
        halves: the two ends of a range, where each can be read by itself.
        clock: it is only a time of day.
        open: a range that can be read to end after the turn.
    """

    begin: int
    stop: int
    phrase: str
    role: TimeRole
    ahead: bool = False
    news: bool = False
    halves: tuple[str, str] | None = None
    clock: bool = False
    open: bool = False


def time_phrases(text: str, turn: Episode) -> list[TimePhrase]:
    """Return the time phrases of a sentence that can be read, in order."""
    anchor = Anchor(turn.occurred_at, turn.zone)
    found = [
        _phrase(each.begin, each.stop, each.phrase, anchor)
        for each in find_times(text)
        if not in_header(text, each.begin) and not _is_model(text, each.begin, each.stop)
    ]
    return [phrase for phrase in found if phrase is not None]


_MODEL = re.compile(r"\b(?:an?|my|our|his|her|their) \Z", re.IGNORECASE)


def _is_model(text: str, begin: int, stop: int) -> bool:
    """Whether a year only tells things apart: "a 2014 Fiesta"."""
    bare = stop - begin == 4 and text[begin:stop].isdigit()
    return bare and bool(_MODEL.search(text[:begin])) and text[stop : stop + 2].strip().isalpha()


def _phrase(begin: int, stop: int, phrase: str, anchor: Anchor) -> TimePhrase | None:
    reading = read_time(phrase, anchor, Tense.PAST)
    later = read_time(phrase, anchor, Tense.FUTURE)
    if points_back(phrase):  # dated from what was told before
        return TimePhrase(begin, stop, phrase, TimeRole.START, news=True)
    if reading is None and later is None:
        return _roughly(begin, stop, phrase)
    role = (reading or later or TimeReading(TimeRole.AT)).role
    span = (reading.start or reading.end) if reading else None
    ahead = _begins(later) > anchor.at and (reading is None or _begins(reading) > anchor.at)
    if role is TimeRole.START and not phrase.lower().startswith("since"):
        # "From 1 March", said in February: the nearer of the two.
        ahead = 0 < _begins(later) - anchor.at < anchor.at - _begins(reading)
    first = span.first if span else None
    halves = _halves(phrase, role, anchor)
    end = read_time(halves[1], anchor, Tense.FUTURE) if halves else None
    return TimePhrase(
        begin,
        stop,
        phrase,
        role,
        ahead=ahead,
        news=_is_news(phrase, first, anchor.at),
        halves=halves,
        open=_begins(end) > anchor.at,
        clock=_CLOCK.fullmatch(phrase) is not None,
    )


_ROUGHLY_AGO = re.compile(r"\b(?:years|months|weeks|days) (?:ago|back)\Z", re.IGNORECASE)


def _roughly(begin: int, stop: int, phrase: str) -> TimePhrase | None:
    """Keep "about five years ago": told as done, at a time that is not computed."""
    if not _ROUGHLY_AGO.search(phrase):
        return None
    return TimePhrase(begin, stop, phrase, TimeRole.AT, news=True)


def _begins(reading: TimeReading | None) -> int:
    span = (reading.start or reading.end) if reading else None
    return span.first if span else 0


def _halves(phrase: str, role: TimeRole, anchor: Anchor) -> tuple[str, str] | None:
    match = _RANGE.fullmatch(phrase) if role is TimeRole.RANGE else None
    if match is None:
        return None
    first, second = match.groups()
    if read_time(first, anchor) is None or read_time(second, anchor) is None:
        return None
    return first, second


def _is_news(phrase: str, first: int | None, at: int) -> bool:
    if _BARE_YEAR.fullmatch(phrase):
        return False
    if not _HAS_YEAR.search(phrase):
        return True
    return first is not None and first >= at - _YEAR
