"""Reading one phrase, and finding phrases in a text."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import cast

from graphmem.extraction.normalize import calendar, chinese_phrases, english_phrases, finder
from graphmem.extraction.normalize.grammar import Grammar, Reader
from graphmem.extraction.normalize.nodes import Here
from graphmem.extraction.normalize.phrases import Phrase
from graphmem.extraction.normalize.respell import respellings
from graphmem.extraction.normalize.telling import beginnings
from graphmem.extraction.normalize.text import tokenize
from graphmem.extraction.normalize.types import Anchor, FoundTime, Tense, TimeReading

_SOUTH = ("Australia/", "Antarctica/", "Pacific/Auckland", "America/Argentina/",
          "America/Sao_Paulo", "America/Santiago", "America/Montevideo", "America/Asuncion",
          "Africa/Johannesburg", "Africa/Maputo",
          "Africa/Harare", "Africa/Windhoek")  # fmt: skip
_LONGEST = 120
"""Characters: no phrase is longer, so a longer one is not read at all."""


@cache
def _grammars() -> tuple[Grammar, ...]:
    return english_phrases.grammar(), chinese_phrases.grammar()


@cache
def _vocabulary() -> frozenset[str]:
    return frozenset[str]().union(*(grammar.vocabulary() for grammar in _grammars()))


def _phrases(reader: Reader, place: int) -> dict[int, Phrase]:
    """Return every end of a phrase that begins at a place: what the category's actions make."""
    return cast("dict[int, Phrase]", reader.read("phrase", place))


def read_time(phrase: str, anchor: Anchor, tense: Tense = Tense.PAST) -> TimeReading | None:
    """Read exactly one time phrase, as it was said at ``anchor``.

    ``tense`` chooses between the readings of an open date ("in May", "on Friday"). The clock is
    never looked at. Returns None, rather than a guess, where the words are not one time phrase,
    where people would disagree, where a date does not exist, or where the zone is unknown.
    """
    zone = calendar.zone_of(anchor.zone)
    if zone is None or len(phrase) > _LONGEST:
        return None
    here = Here(
        calendar.local(anchor.at, zone),
        zone,
        tense,
        south=anchor.zone.startswith(_SOUTH),
        then=calendar.stretch(anchor.then, zone) if anchor.then else None,
    )
    found = _whole(phrase)
    try:
        if found is not None:
            return found.read(here)
        readings = {other.read(here) for other in _otherwise(phrase)} - {None}
    except (ValueError, OverflowError):  # a date outside the years 1 to 9999
        return None
    return readings.pop() if len(readings) == 1 else None


@lru_cache(maxsize=512)
def _whole(phrase: str) -> Phrase | None:
    """Return what a whole phrase is, unread; the same words are asked for more than once."""
    tokens = tokenize(phrase)
    for grammar in _grammars():
        found = _phrases(grammar.reader(tokens), 0).get(len(tokens))
        if found is not None:
            return found
    return None


@lru_cache(maxsize=512)
def _otherwise(phrase: str) -> tuple[Phrase, ...]:
    """Return what the other ways to write a phrase are, if it is none as it stands."""
    ways = respellings(phrase, _vocabulary())
    return tuple(found for way in ways if (found := _whole(way)) is not None)


@lru_cache(maxsize=64)  # each sentence is looked through for its facts and for what it dates
def find_times(text: str) -> tuple[FoundTime, ...]:
    """Find the time phrases of a text, in order, longest first, without overlap.

    Words that carry a role ("since", "until", 从…起) belong to the phrase. It may be one that
    ``read_time`` declines ("recently", 小时候). Time grows linearly with the text.
    """
    tokens = tokenize(text)
    readers = [grammar.reader(tokens) for grammar in _grammars()]
    found: list[FoundTime] = []
    may_begin = beginnings(tokens, _vocabulary())
    place = 0
    while place < len(tokens):
        if not may_begin[place] or finder.inside_number(
            tokens, place, found[-1].stop if found else 0
        ):
            place += 1
            continue
        ends = {
            end: phrase
            for reader in reversed(readers)
            for end, phrase in _phrases(reader, place).items()
        }
        stop = next(
            (
                end
                for end in sorted(ends, reverse=True)
                if finder.acceptable(tokens, place, end, ends[end])
            ),
            None,
        )
        if stop is None:
            place += 1
            continue
        first, last = tokens[place].begin, tokens[stop - 1].stop
        found.append(FoundTime(first, last, text[first:last]))
        place = stop
    return tuple(found)
