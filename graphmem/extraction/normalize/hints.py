"""Dates handed from one turn to another, as text: "2021-03-01/2021-04-01", half-open days."""

from __future__ import annotations

from datetime import datetime

from graphmem.extraction.normalize import calendar
from graphmem.extraction.normalize.calendar import GRAINS, Stretch, around
from graphmem.model.time import Grain, Span

_WHOLE = ("day", "weekend", "week", "month", "quarter", "year", "decade")


def written_dates(span: Span, zone: str) -> str | None:
    """Write a span as the days it touches in a zone; None for a zone nobody knows."""
    place = calendar.zone_of(zone)
    if place is None:
        return None
    first, after = (calendar.local(edge, place) for edge in (span.first, span.after))
    if span.width == 0 or span.grain in (Grain.INSTANT, Grain.MINUTE, Grain.HOUR, Grain.PART):
        day = around(first, "day")
        first = day.first
        after = day.first if span.width == 0 and span.first == span.after else day.after
    return f"{first:%Y-%m-%d}/{after:%Y-%m-%d}"


def dates_of(hint: str | None, zone: str) -> Span | None:
    """Read what ``written_dates`` wrote, or one date ("2021-03-01"); None for anything else."""
    place = calendar.zone_of(zone)
    if hint is None or place is None:
        return None
    try:
        days = [datetime.fromisoformat(text) for text in hint.split("/")]
    except ValueError:
        return None
    if len(days) == 1:
        return calendar.span(around(days[0], "day"), place)
    if len(days) != 2 or days[0] > days[1] or any(day.tzinfo for day in days):
        return None
    first, after = days
    return calendar.span(Stretch(first, after, _grain(first, after)), place)


def _grain(first: datetime, after: datetime) -> Grain:
    if first == after:
        return Grain.INSTANT
    for unit in _WHOLE:
        whole = around(first, unit)
        if (whole.first, whole.after) == (first, after):
            return GRAINS[unit]
    return Grain.SPAN
