"""Whether a reading says what the gold says."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

from benchmarks.dates_gold import Case
from graphmem.extraction.normalize import Anchor, TimeReading, TimeRole, read_time
from graphmem.model.time import Grain, Span, from_micros, to_micros

WORDS = ("right", "coarser", "wrong", "declined")
"""The verdicts; "coarser" is right too, by the unit that was said."""

_DAY = timedelta(days=1)
_MINUTE = timedelta(minutes=1)
_UNITS = {
    Grain.WEEK: re.compile(r"week|fortnight|周|星期|礼拜|\dw", re.IGNORECASE),
    Grain.MONTH: re.compile(r"month|月|year|年", re.IGNORECASE),
    Grain.YEAR: re.compile(r"year|年", re.IGNORECASE),
}
_SECONDS = {"century": 3153600000, "decade": 315360000, "year": 31536000, "quarter": 7776000,
            "month": 2592000, "fortnight": 1209600, "week": 604800, "weekend": 172800,
            "day": 86400, "hour": 3600, "minute": 60, "second": 1}  # fmt: skip
"""Of lengths, as the libraries count them."""
_ODD_MONTHS = 0.02
"""A month of "a year and a month" is a twelfth of a year to us, and 30 days to the libraries."""


def judge(case: Case) -> str:
    """Return one of ``WORDS``."""
    reading = read_time(case.phrase, Anchor(to_micros(case.said.replace(tzinfo=UTC))), case.tense)
    if case.seconds is not None:
        return _length(case.seconds, reading)
    if reading is None or (reading.start is None and reading.end is None):
        return "declined"
    if _right(case, reading):
        return "right"
    return "coarser" if _coarser(case, reading) else "wrong"


def _length(seconds: float, reading: TimeReading | None) -> str:
    if reading is None or reading.length is None:
        return "declined" if reading is None else "wrong"
    count, unit = reading.length
    return "right" if abs(count * _SECONDS[unit] - seconds) <= _ODD_MONTHS * seconds else "wrong"


def _local(micros: int) -> datetime:
    return from_micros(micros).replace(tzinfo=None)


def _right(case: Case, reading: TimeReading) -> bool:
    start, end = reading.start, reading.end
    if case.kind in ("time", "timerange"):
        return _same_clock(case, reading)
    if case.first is None and case.after is not None:  # up to then
        if reading.role is TimeRole.END and end is not None:
            return _ends(case.after, end)
        return reading.latest and start is not None and _ends(case.after, start)
    if reading.role is TimeRole.END:  # JioNLP writes an until from the turn on
        at_turn = case.first == case.said and case.after is not None
        return at_turn and case.after is not None and end is not None and _ends(case.after, end)
    if start is None or case.first is None:
        return False
    if case.after is None:
        wanted = TimeRole.AT if case.kind in ("datetime", "time_point") else TimeRole.START
        return reading.role is wanted and _begins(case, reading)
    if case.part and reading.role in (TimeRole.AT, TimeRole.RANGE):
        return _same_part(case.first, case.after, start)
    match reading.role:
        case TimeRole.AT:
            return _at(case, start)
        case TimeRole.RANGE:
            return _begins(case, reading) and end is not None and _ends_range(case, end)
        case TimeRole.START | TimeRole.LASTING:  # some write a since up to the turn
            return _begins(case, reading) and abs(case.after - case.said) <= _DAY
        case _:
            return False


def _begins(case: Case, reading: TimeReading) -> bool:
    """Whether it begins with the gold; "after" a day may be written as that day or the next."""
    if reading.start is None or case.first is None:
        return False
    ours, grain = _local(reading.start.first), reading.start.grain
    if case.kind == "datetime":
        return abs(ours - case.first) < _MINUTE and grain is not Grain.DAY
    exclusive = reading.role is TimeRole.START and grain is Grain.INSTANT
    if abs(ours - case.first) < _MINUTE or (exclusive and ours - case.first == _DAY):
        return True
    loose = grain in (Grain.SPAN, Grain.INSTANT) and case.kind in ("daterange", "time_span")
    return loose and ours.date() == case.first.date()


def _at(case: Case, span: Span) -> bool:
    """Whether one date, or an offset by hours, whose unit may lie before it or after it, agrees."""
    if case.first is None or case.after is None:
        return False
    if case.kind == "time_point" and span.grain in (Grain.HOUR, Grain.MINUTE, Grain.INSTANT):
        return case.first <= _local(span.first) <= case.after
    return _begins(case, TimeReading(TimeRole.AT, start=span)) and _ends_at(case.after, span)


def _ends_at(after: datetime, span: Span) -> bool:
    """Whether the span of one date ends with the gold; one of several days, to the day."""
    apart = abs(_local(span.after) - after)
    return apart <= _MINUTE or (span.grain is Grain.SPAN and apart <= _DAY and span.width > 0)


def _ends_range(case: Case, end: Span) -> bool:
    """Whether a range ends with the gold, or both end with the day of the turn."""
    if case.after is None:
        return False
    today = case.after.date() == case.said.date()
    return _ends(case.after, end) or (today and abs(_local(end.first) - case.said) <= _DAY)


def _ends(after: datetime, end: Span) -> bool:
    """Whether the gold's end is the first or last instant, or the last day, of ours."""
    first, last = _local(end.first), _local(end.after)
    return any(abs(after - ours) <= _MINUTE for ours in (first, last, last - _DAY))


def _same_clock(case: Case, reading: TimeReading) -> bool:
    """Whether the time of day agrees, on whatever day."""
    start, end = reading.start, reading.end
    if case.first is None and case.after is not None:
        last = end or (start if reading.latest else None)
        return last is not None and _local(last.first).time() == case.after.time()
    if start is None or case.first is None:
        return False
    if case.part and case.after:
        return _overlap(case.first, case.after, start)
    if _local(start.first).time() != case.first.time():
        return False
    if case.after is None:
        return (case.kind == "time") == (reading.role is TimeRole.AT)
    stop = _local(end.first if end else start.after)
    return abs((stop - case.after).total_seconds()) % 86400 <= 60


def _same_part(first: datetime, after: datetime, start: Span) -> bool:
    return _local(start.first).date() == first.date() and _overlap(first, after, start)


def _overlap(first: datetime, after: datetime, span: Span) -> bool:
    """Whether two parts of a day, laid on one day, share at least half of the shorter."""
    ours = _local(span.first)
    begin = datetime.combine(first.date(), ours.time())
    end = begin + (_local(span.after) - ours)
    shared = min(after, end) - max(first, begin)
    return 2 * shared >= min(after - first, end - begin)


def _coarser(case: Case, reading: TimeReading) -> bool:
    """Whether ours is the week, month or year that was said and holds the gold's beginning."""
    if reading.start is None or case.first is None:
        return False
    first = to_micros(case.first.replace(tzinfo=UTC))
    inside = reading.start.first <= first < reading.start.after
    if reading.role is TimeRole.LASTING:
        return inside and case.after is not None and abs(case.after - case.said) <= _DAY
    if reading.role is not TimeRole.AT:
        return False
    if case.kind in ("datetime", "datetimerange") and reading.start.grain is Grain.DAY:
        return inside
    words = _UNITS.get(reading.start.grain)
    return case.kind == "date" and bool(words and words.search(case.phrase)) and inside


def described(case: Case) -> str:
    """Write a case with its gold and our reading."""
    reading = read_time(case.phrase, Anchor(to_micros(case.said.replace(tzinfo=UTC))), case.tense)
    gold = f"{case.first} - {case.after}" if case.seconds is None else f"{case.seconds} s"
    head = f"{case.spec} {case.name} [{case.said} {case.tense}] {case.phrase!r} {case.kind}"
    return f"{head}\n    gold {gold}; ours {_words(reading)}"


def _words(reading: TimeReading | None) -> str:
    if reading is None:
        return "declined"
    spans = [
        f"{_local(span.first)} - {_local(span.after)} {span.grain}" if span else "-"
        for span in (reading.start, reading.end)
    ]
    length = f" {reading.length[0]:g} {reading.length[1]}" if reading.length else ""
    return f"{reading.role} {spans[0]} / {spans[1]}{length}"
