"""Times for people: in the memory's zone, no finer than they are known."""

from __future__ import annotations

import calendar
from datetime import datetime, tzinfo

from graphmem.model.claim import Modality
from graphmem.model.fact import Fact
from graphmem.model.time import FOREVER, NEVER, Bound, Interval, from_micros

_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
)  # fmt: skip
"""In English wherever it runs; the standard library's names follow the process's locale."""


def local(micros: int, zone: tzinfo) -> datetime:
    """Return the instant in ``zone`` (in UTC at the ends of what a date can say)."""
    moment = from_micros(micros)
    try:
        return moment.astimezone(zone)
    except OverflowError:
        return moment


def iso(micros: int, zone: tzinfo) -> str | None:
    """Return the instant as ISO text with its offset; None for ever and never."""
    return None if micros in (FOREVER, NEVER) else local(micros, zone).isoformat()


def _day(moment: datetime) -> str:
    return f"{moment.day} {_month(moment)}"


def _month(moment: datetime) -> str:
    return f"{_MONTHS[moment.month - 1]} {moment.year}"


def instant(micros: int, zone: tzinfo) -> str:
    """Return "3 May 2024", with the time of day unless it is midnight."""
    moment = local(micros, zone)
    if moment.hour == moment.minute == moment.second == moment.microsecond == 0:
        return _day(moment)
    return f"{_day(moment)} {moment:%H:%M}"


def date(micros: int, zone: tzinfo) -> str:
    """Return "3 May 2024"."""
    return _day(local(micros, zone))


def stretch(first: int, last: int, zone: tzinfo) -> tuple[str, str]:
    """Return a preposition and the words for an instant somewhere in ``[first, last]``.

    ("on", "3 May 2024"), ("in", "May 2024"), ("in", "2024"), ("between", "1 May and 9 June 2024").
    """
    if first == last:
        return "on", instant(first, zone)
    start, end = local(first, zone), local(last, zone)
    if (start.year, start.month) == (end.year, end.month) and _opens_month(start):
        # Told within the month, its rest is cut off; it is still the month that was said.
        return "in", _month(start)
    if _opens_month(start) and _closes_month(end):
        return _months(start, end)
    if start.date() == end.date():
        return "on", _day(start)
    return "between", f"{_day(start)} and {_day(end)}"


def _months(start: datetime, end: datetime) -> tuple[str, str]:
    """Word a stretch of whole months."""
    if (start.month, end.month) != (1, 12):
        same = start.year == end.year
        first = _MONTHS[start.month - 1] if same else _month(start)
        return "between", f"{first} and {_month(end)}"
    if start.year == end.year:
        return "in", str(start.year)
    if start.year % 10 == 0 and end.year == start.year + 9:
        return "in", f"the {start.year}s"
    return "between", f"{start.year} and {end.year}"


def _opens_month(moment: datetime) -> bool:
    return moment.day == 1 and moment.hour == moment.minute == moment.second == 0


def _closes_month(moment: datetime) -> bool:
    last = calendar.monthrange(moment.year, moment.month)[1]
    return (moment.day, moment.hour, moment.minute) == (last, 23, 59)


def _bound(bound: Bound, zone: tzinfo) -> tuple[str, str]:
    first = bound.latest if bound.earliest is None else bound.earliest
    return stretch(first, bound.latest, zone)


def _from(bound: Bound, word: str, zone: tzinfo) -> str:
    if not bound.stated:
        return f"by {date(bound.latest, zone)}"
    how, words = _bound(bound, zone)
    return f"{word} some time between {words}" if how == "between" else f"{word} {words}"


def interval_words(interval: Interval, zone: tzinfo) -> str:
    """Return "since May 2024", "by 3 May 2024, ended by 9 June 2024", "from 2018 until 2020".

    "by" says that it was assumed from who saw it when; nobody gave a date, so the day is enough.
    """
    start, end = interval.start, interval.end
    if start is None and end is None:
        return "at an unknown time"
    begun = _from(start, "since" if end is None else "from", zone) if start else ""
    if end is None:
        return begun
    if end.stated:
        return f"{begun} {_from(end, 'until', zone)}".strip()
    ended = f"ended by {date(end.latest, zone)}"
    return f"{begun}, {ended}" if begun else ended


def fact_words(fact: Fact, zone: tzinfo) -> str:
    """Return when a fact holds, is planned, or happened."""
    start = fact.interval.start
    if start is None:
        return interval_words(fact.interval, zone)
    if fact.event:
        words = " ".join(_bound(start, zone)) if start.stated else f"by {date(start.latest, zone)}"
        return f"planned {words}" if fact.modality is Modality.PLANNED else words
    if fact.modality is Modality.ASSERTED:
        return interval_words(fact.interval, zone)
    if not start.stated:
        return f"{fact.modality.value}, no date"
    how, words = _bound(start, zone)
    at = f"between {words}" if how == "between" else words
    return f"planned for {at}" if fact.modality is Modality.PLANNED else f"possible {how} {words}"
