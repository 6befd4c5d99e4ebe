"""The days of a history, counted from 0, in the words callers use and as the model reads them."""

from __future__ import annotations

from datetime import datetime

from graphmem.model.time import from_micros
from tests.histories.marks import Span

SECOND = 1_000_000
DAY = 86_400 * SECOND
START = 1_735_689_600 * SECOND
"""2025-01-01, day 0 of every history."""
FAR = START + 4_000 * DAY


def noon(day: int) -> int:
    """Return noon of a day of the history."""
    return START + day * DAY + DAY // 2


def iso(micros: int) -> str:
    """Write an instant."""
    return from_micros(micros).isoformat()


def date(day: int) -> str:
    """Write a day of the history."""
    return iso(START + day * DAY)[:10]


def day_span(day: int) -> Span:
    """Return a day of the history as the model reads it."""
    return Span(START + day * DAY, START + (day + 1) * DAY)


def micros(text: str) -> int:
    moment = datetime.fromisoformat(text)
    return round(moment.timestamp()) * SECOND


def month_span(month: int) -> tuple[str, Span]:
    """Return a month of 2025 by its number from 0, in words and as the model reads it."""
    first = (0, 31, 59, 90)[month]
    after = (0, 31, 59, 90)[month + 1]
    return f"2025-{month + 1:02}", Span(START + first * DAY, START + after * DAY, coarse=True)


def reading(pair: tuple[int | None, int] | None) -> str:
    """Write the two readings of a bound."""
    if pair is None:
        return "-"
    return "/".join("?" if x is None else iso(x)[:26] for x in pair)
