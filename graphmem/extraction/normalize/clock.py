"""What clock times and parts of the day mean, with or without a day."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from graphmem.extraction.normalize import calendar
from graphmem.extraction.normalize.calendar import Stretch
from graphmem.extraction.normalize.derived import Amount, Range
from graphmem.extraction.normalize.nodes import Here, Node, Now, Unit
from graphmem.model.time import Grain

PARTS: dict[str, tuple[int, int]] = {
    "dawn": (0, 6),
    "early morning": (5, 9),
    "morning": (6, 12),
    "late morning": (10, 12),
    "noon": (11, 13),
    "afternoon": (12, 18),
    "early afternoon": (12, 14),
    "late afternoon": (14, 18),
    "evening": (18, 24),
    "early evening": (17, 20),
    "late evening": (19, 24),
    "night": (18, 30),
    "early night": (18, 22),
    "late night": (22, 28),
    "day": (8, 18),
}
"""Hours of a day at which its parts begin and end; over 24 is the next day. People differ by an
hour or two; a part counts as finer than a day, so only the day and the order of parts matter."""


@dataclass(frozen=True, slots=True)
class Clock:
    """A time of day as it was said.

    ``half`` is "am", "pm", a part of the day, or "" if nothing tells; ``plain`` marks a time of
    the 24 hour clock ("08:00", "16:30").
    """

    hour: int
    minute: int | None = None
    second: int | None = None
    half: str = ""
    plain: bool = False

    def within(self, part: str) -> Clock:
        """Return the same time inside a part of the day, unless it has one of its own."""
        return self if self.half else Clock(self.hour, self.minute, self.second, part, self.plain)

    @property
    def vague(self) -> bool:
        """Whether it may be in either half of the day."""
        return not self.half and not self.plain and 1 <= self.hour <= 12

    def hours(self) -> int | None:
        """Return the hour of 24 (24 is the midnight that ends the day); None if it cannot be."""
        hour, half = self.hour, self.half
        if not 0 <= hour <= 24 or (half and hour > 12):
            return hour if half != "am" and 12 < hour <= 24 else None
        if half in ("", "day"):
            return hour
        if half in ("am", "dawn") or half.endswith("morning"):
            return hour % 12
        if half == "noon":
            return hour if hour >= 11 else hour + 12 if hour in (1, 2) else None
        if half == "pm" or half.endswith("afternoon"):
            return hour % 12 + 12
        if hour == 12:  # twelve at night
            return 24
        return hour + 12 if hour >= 5 or half.endswith("evening") else None

    def on(self, day: Stretch) -> Stretch | None:
        """Return the time on a day; the day itself where "at 3" might be either half of it."""
        if self.vague and self.hour < 7:
            return day
        hour = self.hours()
        minute, second = self.minute or 0, self.second or 0
        if hour is None or minute > 59 or second > 59 or (hour == 24 and minute):
            return None
        first = day.first + timedelta(hours=hour, minutes=minute, seconds=second)
        if self.second is not None:
            return Stretch(first, first + timedelta(seconds=1), Grain.INSTANT)
        if self.minute is not None:
            return Stretch(first, first + timedelta(minutes=1), Grain.MINUTE)
        return Stretch(first, first + timedelta(hours=1), Grain.HOUR)


@dataclass(frozen=True, slots=True)
class Slice:
    """A part of the day, "in the evening"."""

    part: str

    def on(self, day: Stretch) -> Stretch | None:
        """Return the part on a day."""
        first, after = PARTS[self.part]
        return Stretch(
            day.first + timedelta(hours=first), day.first + timedelta(hours=after), Grain.PART
        )


@dataclass(frozen=True, slots=True)
class Midnight:
    """Midnight of no day that is named; of a named day it may be either end."""

    def on(self, day: Stretch) -> Stretch | None:
        """Return the first minute of a day."""
        return Stretch(day.first, day.first + timedelta(minutes=1), Grain.MINUTE)


@dataclass(frozen=True, slots=True)
class Hours:
    """From one clock time to another, "2 to 4pm". What the second says of its half, both mean."""

    start: Clock
    end: Clock

    def on(self, day: Stretch) -> Stretch | None:
        """Return the span on a day; None where either half of it could be meant."""
        start, end = self.start, self.end
        if start.vague and end.hour == 24:
            start = start.within("pm")
        if start.vague and end.half:
            same = start.within(end.half)
            start = same if _less(same, end) else start.within(_other_half(end))
        elif end.vague and start.half:
            same = end.within(start.half)
            end = same if _less(start, same) else end.within(_other_half(start))
        elif end.vague and start.plain and not start.half:
            end = end.within("pm" if 12 > start.hour > end.hour or start.hour == 12 else "")
        if start.vague and (start.hour < 7 or (end.vague and end.hour < 7)):
            if start.hour < 7 or not end.vague:
                return None
            end = end.within("pm")
        first, last = start.on(day), end.on(day)
        if first is None or last is None or Grain.DAY in (first.grain, last.grain):
            return None
        after = last.first
        if after <= first.first:
            after += timedelta(days=1)
        if self.start.vague and self.end.vague and after - first.first > _SHIFT:
            return None  # "7-6" is hardly eleven hours
        return Stretch(first.first, after, Grain.SPAN)


def _other_half(clock: Clock) -> str:
    hours = clock.hours()
    return "pm" if hours is not None and hours < 12 else "am"


def _less(one: Clock, other: Clock) -> bool:
    first, second = one.hours(), other.hours()
    return (
        first is not None
        and second is not None
        and (first, one.minute or 0) < (second, other.minute or 0)
    )


@dataclass(frozen=True, slots=True)
class ForHours:
    """From a clock time for so long, "from 2pm for two hours"."""

    start: Clock
    amounts: tuple[Amount, ...]

    def on(self, day: Stretch) -> Stretch | None:
        """Return the span on a day; None for lengths of days, or an open half of the day."""
        first = self.start.on(day)
        if first is None or first.grain is Grain.DAY:
            return None
        if any(unit not in calendar.EXACT for _, unit in self.amounts):
            return None
        after = first.first
        for count, unit in self.amounts:
            after = calendar.add(after, count, unit)
        return Stretch(first.first, after, Grain.SPAN)


_SHIFT = timedelta(hours=9)
"""The longest time of which people name the hours without their half of the day."""

TimeOfDay = Clock | Midnight | Slice | Hours | ForHours


@dataclass(frozen=True, slots=True)
class Timed:
    """A time on a day; without a day, the latest such time (past) or the first (future)."""

    time: TimeOfDay
    day: Node | None = None

    @property
    def open(self) -> bool:
        """Whether the day is left out or open."""
        return self.day is None or self.day.open

    def at(self, here: Here) -> Stretch | None:
        """Return the time as a stretch."""
        if self.day is not None:
            if isinstance(self.time, Midnight):
                return None
            whole = self.day.at(here)
            return self.time.on(whole) if whole and whole.grain is Grain.DAY else None
        if isinstance(self.time, Clock) and self.time.vague and self.time.hour < 7:
            return None
        for step in (0, 1):
            whole = Unit("day", step if here.ahead else -step).at(here)
            found = whole and self.time.on(whole)
            if found and self._fits(found, here):
                return found
        return None

    def _fits(self, found: Stretch, here: Here) -> bool:
        return found.after > here.now if here.ahead else found.first <= here.now


def joined_times(start: Node, end: Node) -> Node | None:
    """Join ends of which one is a clock time; None where its day or its half is left open."""
    if not isinstance(end, Timed):
        return None
    clocks = [node.time for node in (start, end) if isinstance(node, Timed)]
    if any(isinstance(time, Clock) and time.vague and time.hour < 7 for time in clocks):
        same_day = isinstance(start, Timed) and end.day is None
        if not same_day:
            return None
    if isinstance(start, Now):
        return None if end.day is None else Range(start, end)
    if not isinstance(start, Timed) or start.day is None:
        return None
    if end.day is None:
        if isinstance(start.time, Clock) and isinstance(end.time, Clock):
            return Timed(Hours(start.time, end.time), start.day)
        return None
    return Range(start, end)
