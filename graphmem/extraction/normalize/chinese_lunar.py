"""Dates of the lunar calendar in Chinese: 农历八月十五, 正月初三, 腊月, 春节, 中秋节."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from graphmem.extraction.normalize import lunar
from graphmem.extraction.normalize.calendar import Stretch
from graphmem.extraction.normalize.grammar import Grammar
from graphmem.extraction.normalize.nodes import Here, Short, Unit, YearLike, begun, year_number
from graphmem.model.time import Grain

_EVE = (12, -1)
_FEASTS = {
    "春节": (1, 1), "大年初一": (1, 1), "元宵节": (1, 15), "端午": (5, 5), "端午节": (5, 5),
    "七夕": (7, 7), "七夕节": (7, 7), "中元节": (7, 15), "中秋": (8, 15), "中秋节": (8, 15),
    "重阳节": (9, 9), "腊八节": (12, 8), "小年": None, "除夕": _EVE, "除夕夜": _EVE,
    "大年夜": _EVE, "大年三十": _EVE, "年三十": _EVE,
}  # fmt: skip
"""Month and day; 小年 is a day earlier in the north."""


@dataclass(frozen=True, slots=True)
class LunarDate:
    """A lunar month, or a day of one; without a year the nearest as the tense says.

    A year said with it is the lunar year, named by the year in which it begins. ``feast`` marks a
    day known by its name: 2023年除夕 may then be either end of that lunar year, and is declined.
    """

    month: int
    day: int | None = None
    year: YearLike | None = None
    leap: bool = False
    feast: bool = False

    @property
    def open(self) -> bool:
        """Whether the year is left out."""
        return self.year is None

    def at(self, here: Here) -> Stretch | None:
        """Return the day or month, or None outside the years of the table."""
        if self.year is None:
            return self._nearest(here)
        if self.month > 10 and (self.feast or not self._agreed(here)):
            return None
        return self._in(year_number(self.year, here))

    def _agreed(self, here: Here) -> bool:
        """Whether "last year" is the same by both calendars: not in January."""
        if isinstance(self.year, int | Short):
            return True
        new_year = lunar.day_of(here.now.year, 1, 1)
        return new_year is not None and here.now.date() >= new_year

    def _nearest(self, here: Here) -> Stretch | None:
        steps = (-1, 0, 1) if here.ahead else (0, -1, -2)
        for step in steps:
            found = self._in(here.now.year + step)
            if found and begun(found, here):
                return found
        return None

    def _in(self, year: int) -> Stretch | None:
        if self.day is None:
            month = lunar.month_of(year, self.month, leap=self.leap)
            return month and Stretch(_wall(month[0]), _wall(month[1]), Grain.MONTH)
        return _day(lunar.day_of(year, self.month, self.day, leap=self.leap))


@dataclass(frozen=True, slots=True)
class Qingming:
    """清明, the one feast that goes by the sun."""

    year: YearLike | None = None

    @property
    def open(self) -> bool:
        """Whether the year is left out."""
        return self.year is None

    def at(self, here: Here) -> Stretch | None:
        """Return the day, or None outside the years of the rule."""
        if self.year is not None:
            return _day(lunar.qingming(year_number(self.year, here)))
        for step in range(2):
            found = _day(lunar.qingming(here.now.year + (step if here.ahead else -step)))
            if found and begun(found, here):
                return found
        return None


def _wall(day: date) -> datetime:
    return datetime.combine(day, time())


def _day(day: date | None) -> Stretch | None:
    return day and Stretch(_wall(day), _wall(day) + timedelta(days=1), Grain.DAY)


def add_lunar(g: Grammar) -> None:
    """Add lunar dates and the feasts of that calendar.

    Without a word for the calendar a date is lunar if its month or its day has a name that only
    the lunar calendar uses: 腊月, 初五, 廿三. 八月十五 alone may be either, and is left out.
    """
    g.words("lunar_month", {"正月": 1, "冬月": 11, "腊月": 12, "臘月": 12})
    for value, char in enumerate("一二三四五六七八九十", 1):
        g.words("lunar_day", {f"初{char}": value})
        if value < 10:
            g.words("lunar_day", {f"廿{char}": 20 + value})
    g.rule("lunar_day", "初 <figures>", to=lambda t: int(t) if len(t) < 3 and int(t) < 11 else None)
    g.words("lunar_day", {"廿": 20})
    g.rule("any_lunar_day", "<lunar_day>", to=lambda day: day)
    g.rule("any_lunar_day", "<number> 日|号?", to=lambda n: n if 1 <= n <= 30 else None)
    g.rule("any_lunar_month", "<lunar_month>", "<month_number>", to=lambda month: month)
    mark = "农历|阴历|旧历"
    g.rule(
        "day",
        f"{mark} 的? <year>? 的? <any_lunar_month> <any_lunar_day>",
        f"<year> 的? {mark} 的? <any_lunar_month> <any_lunar_day>",
        "<year>? 的? <lunar_month> <any_lunar_day>",
        "<year>? 的? <any_lunar_month> <lunar_day>",
        to=_lunar_day,
    )
    g.rule(
        "day",
        f"<year>? {mark}? 闰 <any_lunar_month> <any_lunar_day>",
        to=lambda year, month, day: LunarDate(month, day, year, leap=True),
    )
    g.rule(
        "period",
        f"{mark} 的? <year>? 的? <any_lunar_month>",
        f"<year> 的? {mark} 的? <any_lunar_month>",
        "<year>? 的? <lunar_month>",
        to=_lunar_month,
    )
    g.rule(
        "period",
        f"<year>? {mark}? 闰 <month_number>",
        to=lambda year, month: LunarDate(month, None, year, leap=True),
    )
    for name, date_ in _FEASTS.items():
        if date_ is not None:
            g.words("feast", {name: date_})
    g.rule("day", "<year>? 的? <feast> 当天|那天?", to=_feast)
    g.rule("day", "<year>? 的? 清明 节? 当天|那天?", to=Qingming)
    g.rule(
        "day",
        "<year>? 的? 大年 <lunar_day>",
        to=lambda year, day: LunarDate(1, day, year) if day <= 10 else None,
    )


def _lunar_day(*said: object) -> LunarDate | None:
    year, month, day = said if len(said) == 3 else (None, *said)
    if not isinstance(month, int) or not isinstance(day, int):
        return None
    return LunarDate(month, day, _year(year))


def _lunar_month(*said: object) -> LunarDate | None:
    year, month = said if len(said) == 2 else (None, *said)
    return LunarDate(month, None, _year(year)) if isinstance(month, int) else None


def _year(year: object) -> YearLike | None:
    return year if isinstance(year, int | Short | Unit) else None


def _feast(year: YearLike | None, when: tuple[int, int]) -> LunarDate:
    return LunarDate(when[0], when[1], year, feast=True)
