"""Dates as callers give them: datetimes, dates and ISO text, read in a zone."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta, timezone, tzinfo
from zoneinfo import ZoneInfo

from graphmem.errors import InputError
from graphmem.model.shown import shown
from graphmem.model.time import DAY, Grain, Span, to_micros

When = datetime | date | str
"""An aware datetime, or one that is read in the memory's zone: a naive datetime, a date, or ISO
text ("2024", "2024-03", "2024-03-05", "2024-03-05T10:00", "2024-03-05T10:00+08:00")."""

_OFFSET = re.compile(r"([+-])(\d\d):?(\d\d)")
_YEAR = re.compile(r"\d{4}")
_MONTH = re.compile(r"(\d{4})-(\d{1,2})")
_DAY = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})")


def zone_named(name: str) -> tzinfo:
    """Return a zone by its IANA name or as an offset ("+09:00").

    Raises:
        InputError: there is no such zone.
    """
    offset = _OFFSET.fullmatch(name)
    if offset:
        delta = timedelta(hours=int(offset[2]), minutes=int(offset[3]))
        if delta < timedelta(hours=24):
            return timezone(-delta if offset[1] == "-" else delta)
    try:
        return UTC if name == "UTC" else ZoneInfo(name)
    except (KeyError, ValueError, OSError) as error:
        raise InputError(
            f"timezone {shown(name)} is unknown; give an IANA name (Europe/Riga) or an offset "
            "(+02:00)"
        ) from error


def zone_or_utc(name: str) -> tzinfo:
    """Return a zone by its IANA name or offset; UTC if it means nothing here."""
    try:
        return zone_named(name)
    except InputError:  # of an import, from a machine that knows more zones
        return UTC


def span_of(value: When, zone: str, name: str = "time") -> Span:
    """Read ``value`` as the stretch it names: a year, a month, a day, or an exact instant.

    Raises:
        InputError: it is no date, or lies outside the years 1 to 9999; ``name`` is named.
    """
    here = zone_named(zone)
    try:
        if isinstance(value, datetime):
            return Span.at(to_micros(value if value.tzinfo else value.replace(tzinfo=here)))
        if isinstance(value, date):
            return _day(value, here)
        return _text(value.strip(), here)
    except (ValueError, OverflowError, AttributeError, TypeError) as error:
        raise InputError(
            f"{name} {shown(value)} is no date; give a datetime, a date, or ISO text such as "
            "'2024-03-05', '2024-03' or '2024-03-05T10:00+08:00'"
        ) from error


def instant_of(value: When, zone: str, name: str = "time") -> int:
    """Read ``value`` as an instant: the first of the stretch it names.

    Raises:
        InputError: it is no date.
    """
    return span_of(value, zone, name).first


def zone_given(value: When, zone: str) -> str:
    """Return the zone a value carries, as a name, else ``zone``."""
    moment = value
    if isinstance(value, str):
        try:
            moment = datetime.fromisoformat(value.strip())
        except ValueError:
            return zone
    if not isinstance(moment, datetime) or moment.tzinfo is None:
        return zone
    key = getattr(moment.tzinfo, "key", None)
    if isinstance(key, str):
        return key
    offset = moment.utcoffset() or timedelta()
    minutes = int(offset.total_seconds() // 60)
    if minutes == 0:
        return "UTC"
    return f"{'-' if minutes < 0 else '+'}{abs(minutes) // 60:02}:{abs(minutes) % 60:02}"


def _text(text: str, zone: tzinfo) -> Span:
    if _YEAR.fullmatch(text):
        first = date(int(text), 1, 1)
        return _days(first, first.replace(year=first.year + 1), zone, Grain.YEAR)
    month = _MONTH.fullmatch(text)
    if month:
        first = date(int(month[1]), int(month[2]), 1)
        after = (first.replace(day=28) + timedelta(days=4)).replace(day=1)
        return _days(first, after, zone, Grain.MONTH)
    day = _DAY.fullmatch(text)
    if day:
        return _day(date(int(day[1]), int(day[2]), int(day[3])), zone)
    moment = datetime.fromisoformat(text)
    return Span.at(to_micros(moment if moment.tzinfo else moment.replace(tzinfo=zone)))


def _day(first: date, zone: tzinfo) -> Span:
    if first == date.max:  # people write it for "never"; no day follows it
        start = to_micros(datetime(first.year, first.month, first.day, tzinfo=zone))
        return Span(start, start + DAY, Grain.DAY)
    return _days(first, first + timedelta(days=1), zone, Grain.DAY)


def _days(first: date, after: date, zone: tzinfo, grain: Grain) -> Span:
    ends = [to_micros(datetime(d.year, d.month, d.day, tzinfo=zone)) for d in (first, after)]
    return Span(ends[0], ends[1], grain)
