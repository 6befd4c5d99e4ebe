"""What words of time mean, before they are anchored: dates and periods.

Each node answers ``at(here)``: the stretch of local time it names for someone speaking there and
then, or None where careful people would disagree (the phrase is then declined). ``open`` says
whether it leaves out its year or week, so that the tense or the other end of a range decides.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta, tzinfo
from typing import Protocol

from graphmem.extraction.normalize import calendar, holidays
from graphmem.extraction.normalize.calendar import Stretch, around
from graphmem.extraction.normalize.types import Tense
from graphmem.model.time import Grain


@dataclass(frozen=True, slots=True)
class Here:
    """Where and when a phrase was said: wall time, zone, and the tense of its sentence."""

    now: datetime
    zone: tzinfo
    tense: Tense
    south: bool = False
    then: Stretch | None = None

    @property
    def ahead(self) -> bool:
        """Whether the reading in the future is meant."""
        return self.tense is Tense.FUTURE

    def speaking(self, now: datetime, tense: Tense) -> Here:
        """Return the same place at another time."""
        return replace(self, now=now, tense=tense)


class Node(Protocol):
    """Words of time that name one stretch."""

    @property
    def open(self) -> bool:
        """Whether tense or context must choose between several."""
        ...

    def at(self, here: Here) -> Stretch | None:
        """Return the stretch named, or None."""
        ...


@dataclass(frozen=True, slots=True)
class Unit:
    """A calendar unit counted from the present one: last week is ``Unit("week", -1)``."""

    unit: str
    shift: int = 0
    open: bool = False

    def at(self, here: Here) -> Stretch | None:
        """Return the unit."""
        return around(here.now, self.unit, self.shift)


@dataclass(frozen=True, slots=True)
class Then:
    """The date told before: "since then", 从那以后."""

    open: bool = False

    def at(self, here: Here) -> Stretch | None:
        """Return that date, or None where none was told."""
        return here.then


@dataclass(frozen=True, slots=True)
class Ahead:
    """ "The following week": counted from the turn in a plan; told as done, from something else."""

    node: Unit
    open: bool = False

    def at(self, here: Here) -> Stretch | None:
        """Return the unit, told as a plan."""
        return self.node.at(here) if here.ahead else None


@dataclass(frozen=True, slots=True)
class Short:
    """A year of two digits: the latest that is at most ten years ahead (told as a plan: thirty)."""

    digits: int


YearLike = int | Short | Unit


def year_number(spec: YearLike, here: Here) -> int:
    """Return the number of a year."""
    if isinstance(spec, int):
        return spec
    if isinstance(spec, Short):
        number = here.now.year // 100 * 100 + spec.digits
        if here.ahead and number + 100 < here.now.year + 30:
            return number + 100 if number < here.now.year else number
        limit = here.now.year + (30 if here.ahead else 10)
        return number - 100 if number > limit else number
    return here.now.year + spec.shift


@dataclass(frozen=True, slots=True)
class Partial:
    """A date of which parts are said: year, month, day, weekday. The finest said is its grain.

    Without a year it is the latest such date that has begun (past) or the first that is not over
    (future). A weekday that contradicts the date makes it unreadable.
    """

    year: YearLike | None = None
    month: int | Unit | None = None
    day: int | None = None
    weekday: int | None = None

    @property
    def open(self) -> bool:
        """Whether the year, or the month, is left out."""
        return self.year is None and not isinstance(self.month, Unit)

    def at(self, here: Here) -> Stretch | None:
        """Return the day, month or year."""
        if isinstance(self.month, Unit):
            first = around(here.now, "month", self.month.shift).first
            return self._build(first.year, first.month)
        if self.year is not None:
            number = year_number(self.year, here)
            if self.month is None:
                return calendar.year(number) if self.day is None else None
            return self._build(number, self.month)
        if self.month is not None:
            return self._nearest_year(here, self.month)
        return self._nearest_month(here) if self.day is not None else None

    def _nearest_year(self, here: Here, month: int) -> Stretch | None:
        """A leap day is looked for up to eight years away."""
        leap = month == 2 and self.day == 29
        for step in range(9 if leap else 2):
            found = self._build(here.now.year + (step if here.ahead else -step), month)
            if found and begun(found, here):
                return found
        return None

    def _nearest_month(self, here: Here) -> Stretch | None:
        """ "Sunday the 31st" may be years away; "the 31st" at most two months."""
        for step in range(40 if self.weekday is not None else 3):
            first = around(here.now, "month", step if here.ahead else -step).first
            found = self._build(first.year, first.month)
            if found and begun(found, here):
                return found
        return None

    def _build(self, year: int, month: int) -> Stretch | None:
        if not 1 <= month <= 12:
            return None
        if self.day is None:
            return calendar.month(year, month)
        found = calendar.day(year, month, self.day)
        if found and self.weekday is not None and found.first.weekday() != self.weekday:
            return None
        return found


def begun(stretch: Stretch, here: Here) -> bool:
    """Whether a stretch has begun (past), or is not over (future)."""
    return stretch.after > here.now if here.ahead else stretch.first <= here.now


@dataclass(frozen=True, slots=True)
class Weekday:
    """A day of the week (Monday is 0).

    ``week`` counts calendar weeks from the present one ("last Friday" and 上周五 are the Friday of
    last calendar week, "next Friday" and 下周五 of next calendar week, whatever day it is said on:
    what the gold of both data sets does). ``near`` looks for the nearest one before (-1) or after
    (+1) the day of speaking. With neither, the tense does; but "on Wednesday", said on a
    Wednesday, is declined: most people say "today" of today, yet it may be a week away, or the
    very day (a plan made after midnight, a turn sent late), and a week is far to be wrong by.
    """

    weekday: int
    week: int | None = None
    near: int = 0

    @property
    def open(self) -> bool:
        """Whether the week is left out."""
        return self.week is None

    def at(self, here: Here) -> Stretch | None:
        """Return the day."""
        today = calendar.midnight(here.now)
        if self.week is not None:
            monday = today - timedelta(days=today.weekday())
            day = monday + timedelta(days=7 * self.week + self.weekday)
            if self.week == 0 and here.ahead and day < today:
                day += timedelta(days=7)  # "this Friday", told on Saturday as a plan
            return around(day, "day")
        if self.near == 0 and today.weekday() == self.weekday:
            return None
        if self.near > 0 or (self.near == 0 and here.ahead):
            return around(
                today + timedelta(days=(self.weekday - today.weekday() - 1) % 7 + 1), "day"
            )
        return around(today - timedelta(days=(today.weekday() - self.weekday - 1) % 7 + 1), "day")


@dataclass(frozen=True, slots=True)
class Near:
    """A unit or date in one direction: "last June", "the coming weekend", "the weekend".

    ``side`` -1 is the latest before the present one, +1 the first after, 0 as the tense says.
    ``named`` marks a month or day said with "last" or "next": inside the present year it is
    declined, since "last September", said in November, is this year's to some and not to others.
    """

    node: Partial | Weekday | Holiday | Season | Unit
    side: int = 0
    named: bool = False

    @property
    def open(self) -> bool:
        """Whether the tense decides."""
        return self.side == 0

    def at(self, here: Here) -> Stretch | None:
        """Return the stretch in that direction."""
        if self.side == 0 and isinstance(self.node, Unit):  # "at the weekend"
            found = self.node.at(here)
            if found and not begun(found, here):
                found = around(here.now, self.node.unit, 1 if here.ahead else -1)
            return found
        tense = Tense.FUTURE if self.side > 0 else Tense.PAST
        found = self.node.at(here.speaking(here.now, tense))
        if found and found.first <= here.now < found.after:
            elsewhere = found.after if self.side > 0 else found.first - timedelta(seconds=1)
            found = self.node.at(here.speaking(elsewhere, tense))
        if found and self.named and found.first.year == here.now.year:
            return None
        return found


@dataclass(frozen=True, slots=True)
class Holiday:
    """A holiday of fixed rule, with its year or the nearest as the tense says."""

    name: str
    year: YearLike | None = None

    @property
    def open(self) -> bool:
        """Whether the year is left out."""
        return self.year is None

    def at(self, here: Here) -> Stretch | None:
        """Return the day."""
        if self.year is not None:
            return self._in(year_number(self.year, here))
        for step in range(2):
            found = self._in(here.now.year + (step if here.ahead else -step))
            if begun(found, here):
                return found
        return None

    def _in(self, year: int) -> Stretch:
        day = holidays.date_of(self.name, year)
        return around(calendar.wall(day.year, day.month, day.day), "day")


SPRING, SUMMER, AUTUMN, WINTER = range(4)


@dataclass(frozen=True, slots=True)
class Season:
    """Spring (0) to winter (3), by whole months: March to May, and so on, turned in the south.

    A season over the turn of the year belongs to the year it begins in.
    """

    season: int
    year: YearLike | None = None
    this: bool = False

    @property
    def open(self) -> bool:
        """Whether the year is left out."""
        return self.year is None and not self.this

    def at(self, here: Here) -> Stretch | None:
        """Return the three months."""
        if self.year is not None:
            return self._in(year_number(self.year, here), here)
        if self.this:
            return self._this(here)
        for step in range(3):
            found = self._in(here.now.year + (step - 1 if here.ahead else -step), here)
            if begun(found, here):
                return found
        return None

    def _this(self, here: Here) -> Stretch:
        """The one whose middle is nearest, of those that fit the tense."""
        choices = [self._in(here.now.year + step, here) for step in (-1, 0, 1)]
        fitting = [one for one in choices if begun(one, here)]
        half = timedelta(days=45)
        return min(fitting or choices, key=lambda one: abs(one.first + half - here.now))

    def _in(self, year: int, here: Here) -> Stretch:
        number = (self.season + 2) % 4 if here.south else self.season
        first = calendar.wall(year, 3 * number + 3, 1)
        return Stretch(first, calendar.add(first, 3, "month"), Grain.SEASON)


@dataclass(frozen=True, slots=True)
class Decade:
    """The nineties: the latest such decade that has begun; told as a plan, nobody can tell."""

    tens: int
    open: bool = False

    def at(self, here: Here) -> Stretch | None:
        """Return the ten years."""
        if here.ahead:
            return None
        first = here.now.year // 100 * 100 + self.tens
        return around(
            calendar.wall(first - 100 if first > here.now.year else first, 1, 1), "decade"
        )


@dataclass(frozen=True, slots=True)
class Years:
    """Years that are numbered together: "the 1970s", "the 19th century"."""

    first: int
    unit: str = "decade"
    open: bool = False

    def at(self, here: Here) -> Stretch | None:
        """Return the years."""
        return around(calendar.wall(max(self.first, 1), 1, 1), self.unit)


@dataclass(frozen=True, slots=True)
class Quarter:
    """A quarter without its year: the latest begun, or the first not over."""

    number: int
    open: bool = True

    def at(self, here: Here) -> Stretch | None:
        """Return the three months."""
        for step in range(2):
            year = here.now.year + (step if here.ahead else -step)
            found = around(calendar.wall(year, 3 * self.number - 2, 1), "quarter")
            if begun(found, here):
                return found
        return None


@dataclass(frozen=True, slots=True)
class Now:
    """The moment of speaking."""

    open: bool = False

    def at(self, here: Here) -> Stretch | None:
        """Return the instant."""
        return Stretch(here.now, here.now, Grain.INSTANT)
