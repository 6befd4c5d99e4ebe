"""Calendar arithmetic on local wall time: units, shifts, and the way to UTC and back.

A stretch is ``[first, after)`` in local wall time (naive datetimes; ``fold`` is kept). Weeks start
on Monday.
"""

from __future__ import annotations

import calendar
import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from zoneinfo import ZoneInfo

from graphmem.model.time import Grain, Span, from_micros, to_micros

EXACT = ("second", "minute", "hour")
"""Units that are counted on the clock, also over a change of summer time."""

GRAINS = {
    "second": Grain.INSTANT,
    "minute": Grain.MINUTE,
    "hour": Grain.HOUR,
    "day": Grain.DAY,
    "weekend": Grain.WEEKEND,
    "week": Grain.WEEK,
    "month": Grain.MONTH,
    "quarter": Grain.QUARTER,
    "half": Grain.SPAN,
    "season": Grain.SEASON,
    "year": Grain.YEAR,
    "decade": Grain.DECADE,
    "century": Grain.SPAN,
}
_MONTHS = {"month": 1, "quarter": 3, "half": 6, "year": 12, "decade": 120, "century": 1200}
_DAYS = {"day": 1, "weekend": 7, "week": 7, "fortnight": 14}


@dataclass(frozen=True, slots=True)
class Stretch:
    """A piece of local time ``[first, after)`` and how finely it was said.

    ``exact`` marks one that ends where its words say ("the end of May"): as an end it is the
    instant ``after``, not somewhere inside.
    """

    first: datetime
    after: datetime
    grain: Grain
    exact: bool = False


def zone_of(name: str) -> tzinfo | None:
    """Return the zone of an IANA name or a fixed offset ("+09:00"); None if there is none such."""
    match = re.fullmatch(r"(?:UTC)?([+-])(\d{2}):?(\d{2})", name)
    try:
        if match:
            hours, minutes = int(match[2]), int(match[3])
            offset = timedelta(hours=hours, minutes=minutes)
            return timezone(-offset if match[1] == "-" else offset)
        return UTC if name in ("UTC", "Z") else ZoneInfo(name)
    except (ValueError, OSError, KeyError):  # KeyError: ZoneInfoNotFoundError
        return None


def local(instant: int, zone: tzinfo) -> datetime:
    """Return an instant (microseconds UTC) as wall time in a zone."""
    return from_micros(instant).astimezone(zone).replace(tzinfo=None)


def instant(moment: datetime, zone: tzinfo) -> int:
    """Return wall time in a zone as microseconds UTC.

    A time that exists twice is the one of its ``fold`` (the first, if it was made from words); one
    that the clocks skip is read with the offset from before the change.
    """
    return to_micros(moment.replace(tzinfo=zone))


def span(stretch: Stretch, zone: tzinfo) -> Span:
    """Return a stretch as a span in microseconds UTC."""
    first = instant(stretch.first, zone)
    return Span(first, max(first, instant(stretch.after, zone)), stretch.grain)


def stretch(span: Span, zone: tzinfo) -> Stretch:
    """Return a span as local wall time."""
    return Stretch(local(span.first, zone), local(span.after, zone), span.grain)


def wall(year: int, month: int = 1, day: int = 1) -> datetime:
    """Return the beginning of a day as local wall time."""
    return datetime(year, month, day)  # noqa: DTZ001 - wall time; ``instant`` gives it its zone


def midnight(moment: datetime) -> datetime:
    """Return the beginning of a moment's day."""
    return wall(moment.year, moment.month, moment.day)


def add(moment: datetime, count: float, unit: str) -> datetime:
    """Move a moment by units of the calendar; the day is clamped to the month it lands in."""
    if unit in _MONTHS:
        months = count * _MONTHS[unit]
        whole = int(months)
        moment = _add_months(moment, whole)
        return moment + timedelta(days=round((months - whole) * 30))
    if unit in _DAYS:
        return moment + timedelta(days=count * _DAYS[unit])
    return moment + timedelta(seconds=count * {"second": 1, "minute": 60, "hour": 3600}[unit])


def _add_months(moment: datetime, months: int) -> datetime:
    year, month = divmod(moment.year * 12 + moment.month - 1 + months, 12)
    last = calendar.monthrange(year, month + 1)[1]
    return moment.replace(year=year, month=month + 1, day=min(moment.day, last))


def around(moment: datetime, unit: str, shift: int = 0) -> Stretch:
    """Return the calendar unit that holds a moment, or the one ``shift`` units later."""
    first = _begin(moment, unit)
    first = add(first, shift, unit)
    after = first + timedelta(days=2) if unit == "weekend" else add(first, 1, unit)
    return Stretch(first, after, GRAINS[unit])


def _begin(moment: datetime, unit: str) -> datetime:
    day = midnight(moment)
    if unit == "day":
        return day
    if unit == "week":
        return day - timedelta(days=day.weekday())
    if unit == "weekend":
        return day + timedelta(days=5 - day.weekday())
    if unit in ("decade", "century"):
        size = _MONTHS[unit] // 12
        return wall(day.year // size * size, 1, 1)
    if unit in _MONTHS:
        size = _MONTHS[unit]
        return wall(day.year, (day.month - 1) // size * size + 1, 1)
    return moment.replace(
        second=moment.second if unit == "second" else 0,
        minute=0 if unit == "hour" else moment.minute,
        microsecond=0,
    )


def grain_at(grain: Grain, first: datetime, after: datetime) -> Grain:
    """Return the grain of a span moved to ``[first, after)``.

    A year moved by years is a year; moved by months it is only a span.
    """
    for unit in ("week", "month", "quarter", "year", "decade"):
        if GRAINS[unit] is grain:
            whole = around(first, unit)
            return grain if (whole.first, whole.after) == (first, after) else Grain.SPAN
    return grain


def month(year: int, number: int) -> Stretch:
    """Return a month of a year."""
    return around(wall(year, number, 1), "month")


def year(number: int) -> Stretch:
    """Return a calendar year."""
    return around(wall(number, 1, 1), "year")


def day(year_: int, month_: int, day_: int) -> Stretch | None:
    """Return a day, or None if the calendar has none such."""
    if not (1 <= month_ <= 12 and 1 <= day_ <= calendar.monthrange(year_, month_)[1]):
        return None
    return around(wall(year_, month_, day_), "day")
