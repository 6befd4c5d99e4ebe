"""What words of time mean when they are made from others: offsets, parts, counted units."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from graphmem.extraction.normalize import calendar
from graphmem.extraction.normalize.calendar import EXACT, GRAINS, Stretch, around
from graphmem.extraction.normalize.nodes import Here, Holiday, Node, Partial, Unit, Weekday
from graphmem.extraction.normalize.types import Tense
from graphmem.model.time import SECOND, Grain

Amount = tuple[float, str]
"""A count and a unit, "three weeks"."""


@dataclass(frozen=True, slots=True)
class Offset:
    """ "Three weeks ago", "two days after Christmas".

    Counted from the moment of speaking the result is as fine as the finest unit said: "two years
    ago" is that calendar year, "three weeks ago" that week, "four days ago" that day. Counted from
    a day that is named ("two weeks from tomorrow") it is that very day. ``plan`` marks words that
    lie ahead only in a plan: "not seen him in two years" and "built in two years" do not.
    """

    amounts: tuple[Amount, ...]
    sign: int
    base: Node | None = None
    plan: bool = False

    @property
    def open(self) -> bool:
        """Whether what it is counted from is open."""
        return self.base is not None and self.base.open

    def at(self, here: Here) -> Stretch | None:
        """Return the unit, or the day, that far away."""
        if self.plan and not here.ahead:
            return None
        start = here.now
        unit = self.amounts[-1][1]
        if self.base is not None:
            found = self.base.at(here)
            if found is None:
                return None
            start = found.after if self.sign > 0 and found.grain is not Grain.DAY else found.first
            fine = found.grain in (Grain.DAY, Grain.HOUR, Grain.MINUTE, Grain.INSTANT)
            unit = "day" if fine and unit not in EXACT else unit
        moment = shifted(start, self.amounts, self.sign, here)
        if unit in EXACT:
            halved = unit == "hour" and self.amounts[-1][0] % 1
            unit = "minute" if halved else unit
            return Stretch(moment, calendar.add(moment, 1, unit), GRAINS[unit])
        if any(count % 1 for count, _ in self.amounts):
            unit = _finer(unit)
        unit = "week" if unit == "fortnight" else unit
        return around(moment, unit)


def _finer(unit: str) -> str:
    """The grain of half a unit."""
    return {"year": "month", "decade": "year", "month": "week"}.get(unit, "day")


def shifted(moment: datetime, amounts: tuple[Amount, ...], sign: int, here: Here) -> datetime:
    """Move a moment by amounts: days and longer on the calendar, hours and shorter on the clock."""
    for count, unit in amounts:
        if unit in EXACT:
            size = {"second": 1, "minute": 60, "hour": 3600}[unit]
            micros = calendar.instant(moment, here.zone) + round(sign * count * size * SECOND)
            moment = calendar.local(micros, here.zone)
        else:
            moment = calendar.add(moment, sign * count, unit)
    return moment


@dataclass(frozen=True, slots=True)
class HolidayWeekend:
    """The weekend a holiday belongs to, with the holiday: Saturday to Labor Day Monday."""

    node: Holiday

    @property
    def open(self) -> bool:
        """Whether the year is left out."""
        return self.node.open

    def at(self, here: Here) -> Stretch | None:
        """Return the two or three days; None for a holiday in the middle of a week."""
        day = self.node.at(here)
        if day is None or day.first.weekday() in (1, 2, 3):
            return None
        monday = day.first.weekday() == 0
        weekend = around(day.first, "weekend", -1 if monday else 0)
        first, after = min(day.first, weekend.first), max(day.after, weekend.after)
        grain = Grain.WEEKEND if (first, after) == (weekend.first, weekend.after) else Grain.SPAN
        return Stretch(first, after, grain)


@dataclass(frozen=True, slots=True)
class Workweek:
    """The Monday to Friday of a week."""

    week: Unit
    open: bool = False

    def at(self, here: Here) -> Stretch | None:
        """Return the five days."""
        whole = self.week.at(here)
        return Stretch(whole.first, whole.first + timedelta(days=5), Grain.SPAN) if whole else None


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a period: "early", "mid" and "late" (thirds), its "start" and "end".

    A year starts in its first two months and ends in December; halves and quarters start and end
    with a month, months with ten days, seasons with a month.
    """

    which: str
    node: Node

    @property
    def open(self) -> bool:
        """Whether the period is open."""
        return self.node.open

    def at(self, here: Here) -> Stretch | None:
        """Return the part; None for a part nobody could place."""
        whole = self.node.at(here)
        if whole is None:
            return None
        unit, sizes = _PARTS.get(whole.grain, ("", {}))
        if self.which not in sizes:
            return None
        skip, size = sizes[self.which]
        first = calendar.add(whole.first, skip, unit)
        after = whole.after if size is None else calendar.add(first, size, unit)
        return Stretch(first, after, Grain.SPAN, exact=self.which == "end")


_Sizes = dict[str, tuple[int, int | None]]
_THIRDS: _Sizes = {
    "start": (0, 10),
    "early": (0, 10),
    "mid": (10, 10),
    "late": (20, None),
    "end": (20, None),
}
_QUARTER: _Sizes = {"start": (0, 1), "early": (0, 1), "mid": (1, 1), "late": (2, 1), "end": (2, 1)}
_PARTS: dict[Grain, tuple[str, _Sizes]] = {
    Grain.MONTH: ("day", _THIRDS),
    Grain.SEASON: ("month", _QUARTER),
    Grain.QUARTER: ("month", _QUARTER),
    Grain.YEAR: (
        "month",
        {"start": (0, 2), "early": (0, 4), "mid": (4, 4), "late": (8, 4), "end": (11, 1),
         "first half": (0, 6), "second half": (6, 6)},
    ),
    Grain.DECADE: (
        "year",
        {"start": (0, 2), "early": (0, 4), "mid": (4, 3), "late": (7, 3), "end": (8, 2)},
    ),
    Grain.WEEK: ("day", {"start": (0, 2), "early": (0, 3), "late": (3, 4), "end": (4, 3)}),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Half:
    """The first (0) or second (1) half of a year or month."""

    half: int
    node: Node

    @property
    def open(self) -> bool:
        """Whether the period is open."""
        return self.node.open

    def at(self, here: Here) -> Stretch | None:
        """Return the half."""
        whole = self.node.at(here)
        if whole is None or whole.grain not in (Grain.YEAR, Grain.MONTH):
            return None
        middle = (
            calendar.add(whole.first, 6, "month")
            if whole.grain is Grain.YEAR
            else whole.first + timedelta(days=15)
        )
        first, after = (middle, whole.after) if self.half else (whole.first, middle)
        return Stretch(first, after, Grain.SPAN)


@dataclass(frozen=True, slots=True)
class Nth:
    """The n-th unit, or weekday, of a period: "the third week of May", "the last Friday of July".

    ``number`` counts from 1; -1 is the last. ``count`` takes several: "the last three weeks of".
    Weeks are counted from the one with the first Thursday where that is the custom (``iso``: in
    English), else only where those who count from the first Monday agree.
    """

    number: int
    unit: str
    node: Node
    weekday: int | None = None
    count: int = 1
    iso: bool = False

    @property
    def open(self) -> bool:
        """Whether the period is open."""
        return self.node.open

    def at(self, here: Here) -> Stretch | None:
        """Return the unit inside the period."""
        whole = self.node.at(here)
        if whole is None:
            return None
        if self.weekday is not None:
            return self._weekday(whole)
        if self.unit == "weekend" and _SUNDAY in (whole.first.weekday(), whole.after.weekday()):
            return None  # a weekend of two months
        return self._week(whole) if self.unit == "week" else self._plain(whole)

    def _plain(self, whole: Stretch) -> Stretch | None:
        if self.number > 0:
            begin = around(whole.first, self.unit, self.number - 1)
        else:
            begin = around(whole.after - timedelta(seconds=1), self.unit, 1 - self.count)
        last = around(begin.first, self.unit, self.count - 1)
        if begin.first < whole.first or last.after > whole.after:
            return None
        grain = begin.grain if self.count == 1 else Grain.SPAN
        return Stretch(begin.first, last.after, grain)

    def _week(self, whole: Stretch) -> Stretch | None:
        """Monday counting: the first week begins at the first Monday, the last one ends inside."""
        if whole.grain not in (Grain.YEAR, Grain.MONTH):
            return None
        thursday = timedelta(days=3)
        if self.number > 0:
            by_monday = _first_weekday(whole.first, 0)
            by_thursday = _first_weekday(whole.first, 3) - thursday
            step = timedelta(weeks=self.number - 1)
        else:
            by_monday = _last_weekday(whole.after, 0)
            by_thursday = _last_weekday(whole.after, 3) - thursday
            step = timedelta(weeks=1 - self.count)
        first = by_thursday + step
        if (
            by_monday != by_thursday and not self.iso
        ) or not whole.first - thursday <= first < whole.after:
            return None
        grain = Grain.WEEK if self.count == 1 else Grain.SPAN
        return Stretch(first, first + timedelta(weeks=self.count), grain)

    def _weekday(self, whole: Stretch) -> Stretch | None:
        weekday = self.weekday or 0
        if self.number > 0:
            day = _first_weekday(whole.first, weekday) + timedelta(weeks=self.number - 1)
        else:
            day = _last_weekday(whole.after, weekday)
        return around(day, "day") if whole.first <= day < whole.after else None


def _first_weekday(first: datetime, weekday: int) -> datetime:
    return first + timedelta(days=(weekday - first.weekday()) % 7)


def _last_weekday(after: datetime, weekday: int) -> datetime:
    return after - timedelta(days=(after.weekday() - weekday - 1) % 7 + 1)


THIS_YEAR = Unit("year")
_SUNDAY = 6


@dataclass(frozen=True, slots=True)
class WeekNumber:
    """ "Week 27 of last year": the week of the ISO calendar."""

    number: int
    year: Node = THIS_YEAR
    open: bool = False

    def at(self, here: Here) -> Stretch | None:
        """Return the week, or None if that year has no such week."""
        whole = self.year.at(here)
        if whole is None or whole.grain is not Grain.YEAR:
            return None
        day = datetime.combine(date.fromisocalendar(whole.first.year, self.number, 1), time())
        return around(day, "week")


@dataclass(frozen=True, slots=True)
class WeekOf:
    """ "The week of the 18th": the week, or the weekend, that holds a day."""

    node: Node
    unit: str = "week"

    @property
    def open(self) -> bool:
        """Whether the day is open."""
        return self.node.open

    def at(self, here: Here) -> Stretch | None:
        """Return the week."""
        found = self.node.at(here)
        if found is None or found.grain is not Grain.DAY:
            return None
        if self.unit == "weekend" and found.first.weekday() < 4:
            return None  # the weekend before it, or after?
        return around(found.first, self.unit)


@dataclass(frozen=True, slots=True)
class Beside:
    """The weekday, day or weekend before or after a day: "the Friday before 22 October"."""

    node: Weekday | Unit
    base: Node

    @property
    def open(self) -> bool:
        """Whether the day it lies beside is open."""
        return self.base.open

    def at(self, here: Here) -> Stretch | None:
        """Return the day or weekend."""
        found = self.base.at(here)
        if found is None or found.grain is not Grain.DAY:
            return None
        if isinstance(self.node, Unit) and self.node.unit == "weekend":
            if found.first.weekday() >= 5:
                return None  # inside a weekend: which one is beside it?
            shift = -1 if self.node.shift < 0 else 0
            return around(found.first, "weekend", shift)
        return self.node.at(here.speaking(found.first, here.tense))


@dataclass(frozen=True, slots=True)
class DayIn:
    """A weekday of a week that is named: "Friday next week", 上上周三."""

    weekday: int
    week: Node
    around: bool = False
    """The week is the one that holds a day: "Friday, three weeks after Christmas"."""

    @property
    def open(self) -> bool:
        """Whether the week is open."""
        return self.week.open

    def at(self, here: Here) -> Stretch | None:
        """Return the day; None for a Sunday where the week's first day would decide."""
        whole = self.week.at(here)
        if whole is not None and self.around:
            if self.weekday == _SUNDAY or whole.first.weekday() == _SUNDAY:
                return None
            whole = around(whole.first, "week")
        if whole is None or whole.grain is not Grain.WEEK:
            return None
        return around(whole.first + timedelta(days=self.weekday), "day")


@dataclass(frozen=True, slots=True)
class Range:
    """From one to another; an open end takes what it lacks from the other end.

    Of two open ends the first is the latest begun (past), and the second the first after it; told
    as a plan the second is the first not over, and the first the latest before it. ``through``
    includes the last unit whole.
    """

    start: Node
    end: Node
    through: bool = False

    @property
    def open(self) -> bool:
        """Whether both ends are open."""
        return self.start.open and self.end.open

    def ends(self, here: Here) -> tuple[Stretch, Stretch] | None:
        """Return both ends as stretches, or None if one cannot be read or they are inverted."""
        bare_day = isinstance(self.end, Partial) and self.end.month is None
        if self.start.open and (not self.end.open or here.ahead) and not bare_day:
            last = self.end.at(here)
            first = last and self.start.at(here.speaking(last.first, Tense.PAST))
        else:
            first = self.start.at(here)
            if first is None:
                return None
            other = here.speaking(first.first, Tense.FUTURE) if self.end.open else here
            last = self.end.at(other)
        if first is None or last is None or first.first > last.first:
            return None
        if self.open and not here.ahead and first.first <= here.now < last.first:
            return None  # "from March to June", told as over in May: last year's, or to come?
        return first, last

    def at(self, here: Here) -> Stretch | None:
        """Return all from the first instant of the first to the end of the last."""
        ends = self.ends(here)
        return ends and Stretch(ends[0].first, ends[1].after, Grain.SPAN)
