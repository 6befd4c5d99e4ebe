"""The English time grammar: dates and periods. Clock times and roles build on it."""

from __future__ import annotations

from graphmem.extraction.normalize import holidays, numbers
from graphmem.extraction.normalize.derived import (
    DayIn,
    Half,
    HolidayWeekend,
    Nth,
    Offset,
    Workweek,
)
from graphmem.extraction.normalize.grammar import DIGITS, Grammar
from graphmem.extraction.normalize.nodes import (
    AUTUMN,
    SPRING,
    SUMMER,
    WINTER,
    Ahead,
    Decade,
    Holiday,
    Near,
    Node,
    Partial,
    Quarter,
    Season,
    Short,
    Unit,
    Weekday,
    YearLike,
    Years,
)
from graphmem.extraction.normalize.text import listed

_MONTHS = listed(
    "january|jan february|feb march|mar april|apr may june|jun july|jul august|aug "
    "september|sept|sep october|oct november|nov december|dec"
)
_WEEKDAYS = listed(
    "monday|mon tuesday|tues|tue wednesday|wed thursday|thurs|thur|thu friday|fri saturday|sat "
    "sunday|sun"
)
_UNITS = {
    "second": "second|seconds|sec|secs|s", "minute": "minute|minutes|min|mins",
    "hour": "hour|hours|hr|hrs|h", "day": "day|days|d", "week": "week|weeks|wk|wks|w",
    "weekend": "weekend|weekends", "fortnight": "fortnight|fortnights",
    "month": "month|months|mo|mos", "quarter": "quarter|quarters", "year": "year|years|yr|yrs|y",
    "decade": "decade|decades", "century": "century|centuries",
}  # fmt: skip
_SEASONS = {"spring": SPRING, "summer": SUMMER, "autumn": AUTUMN, "fall": AUTUMN, "winter": WINTER}
LAST = "last|past|previous"
NEXT = "next|following"
_SHIFTS = {"last": -1, "past": -1, "previous": -1, "this": 0, "current": 0, "the current": 0,
           "next": 1, "following": 1, "coming": 1, "upcoming": 1}  # fmt: skip


def add_numbers(g: Grammar) -> None:
    """Add counts, ordinals and years."""
    for value, word in enumerate(numbers.ONES, 1):
        g.words("teen" if value > 9 else "one", {word: value})
    for value, word in enumerate(numbers.TENS, 2):
        g.words("ten", {word: 10 * value})
    g.rule("number", "<one>", "<teen>", "<ten>", to=lambda value: value)
    g.rule("number", "<ten> -? <one>", to=lambda tens, ones: tens + ones)
    for value, word in enumerate(numbers.ORDINALS, 1):
        g.words("ordinal", {word: value})
        if value < 10:
            g.words("ordinal_one", {word: value})
    for value, word in enumerate(numbers.ORDINAL_TENS, 2):
        g.words("ordinal", {word: 10 * value})
    g.rule("ordinal", "<ten> -? <ordinal_one>", to=lambda tens, ones: tens + ones)
    g.scan("figures", (DIGITS,), lambda tokens, at: {at + 1: tokens[at].text})
    g.rule("ordinal", "<figures> st|nd|rd|th", to=lambda text: _small(text, 99))
    g.rule("count", "<figures>", to=lambda text: _small(text, 999))
    g.rule("count", "<number>", to=lambda value: value)
    g.rule("count", "a|an", to=lambda: 1)
    g.rule("hundred", "a hundred", "one hundred", to=lambda: 100)
    g.rule("hundred", "<one> hundred", to=lambda n: 100 * n if n < 10 else None)
    g.rule("count", "<hundred>", to=lambda n: n)
    g.rule("count", "<hundred> and? <number>", to=lambda n, more: n + more)
    g.rule("count", "a? couple of?", to=lambda: 2)
    g.rule("count", "half a|an", "half", "half of a|an", to=lambda: 0.5)
    g.rule(
        "count", "<figures> . <figures>", to=lambda a, b: float(f"{a}.{b}") if len(a) < 4 else None
    )
    g.rule("count", "<number> and a half", "<figures> and a half", to=lambda n: float(n) + 0.5)
    g.rule(
        "year",
        "<figures>",
        to=lambda text: int(text) if len(text) == 4 and text[0] in "12" else None,
    )
    g.rule("year", "<teen> <ten>", "<teen> <teen>", to=lambda a, b: 100 * a + b if a > 12 else None)
    g.rule("year", "<teen> <ten> -? <one>", to=lambda a, b, c: 100 * a + b + c if a > 12 else None)
    g.rule(
        "year",
        "<teen> hundred and? <number>",
        "<teen> hundred",
        to=lambda a, b=0: 100 * a + b if a > 12 else None,
    )
    g.rule("year", "twenty <ten>", "twenty <teen>", to=lambda a: 2000 + a)
    g.rule("year", "twenty <ten> -? <one>", to=lambda a, b: 2000 + a + b)
    g.rule("year", "twenty oh|o <one>", to=lambda a: 2000 + a)
    g.rule("year", "nineteen oh|o <one>", to=lambda a: 1900 + a)
    g.rule("year", "two thousand and? <number>", to=lambda a: 2000 + a)
    g.rule("year", "two thousand", to=lambda: 2000)
    g.rule("year", "one thousand <one> hundred and? <number>", to=lambda a, b: 1000 + 100 * a + b)


def _small(text: str, most: int) -> int | None:
    return int(text) if len(text) <= 3 and int(text) <= most else None


def _day(value: int | str) -> int | None:
    number = int(value) if isinstance(value, int) or len(value) <= 2 else 0
    return number if 1 <= number <= 31 else None


def add_names(g: Grammar) -> None:
    """Add names: months, weekdays, units, seasons, holidays."""
    for value, names in enumerate(_MONTHS, 1):
        g.rule("month", f"{names} .?", to=lambda value=value: value)
    for value, names in enumerate(_WEEKDAYS):
        g.rule("weekday", names, to=lambda value=value: value)
    for unit, names in _UNITS.items():
        g.rule("unit", names, to=lambda unit=unit: unit)
        plural = "|".join(name for name in names.split("|") if name.endswith("s") and name != "s")
        g.rule("units", plural or names, to=lambda unit=unit: unit)
    for name in ("week", "weekend", "month", "quarter", "year", "decade", "century"):
        g.words("calendar_unit", {name: name})
    for name, value in _SEASONS.items():
        g.words("season", {name: value, f"{name}time": value})
    for name, value in holidays.ENGLISH.items():
        g.words("holiday", {name: value})
    g.rule("amount", "<count> -? <unit>", to=lambda count, unit: (float(count), unit))
    g.rule("amount", "<count> and a half <unit>", to=lambda count, unit: (count + 0.5, unit))
    g.rule("amount", "a? quarter of a|an <unit>", to=lambda unit: (0.25, unit))
    g.rule("amount", "three quarters of a|an <unit>", to=lambda unit: (0.75, unit))
    g.rule("amount", "a|an|one <unit> and a? half", to=lambda unit: (1.5, unit))
    g.rule("amounts", "<amount>", to=lambda a: (a,))
    g.rule("amounts", "<amount> and|,? <amount>", to=lambda a, b: (a, b))
    g.rule("amounts", "<amount> and|,? <amount> and|,? <amount>", to=lambda a, b, c: (a, b, c))
    g.rule(
        "amounts", "<amount> <amount> <amount> and? <amount>", to=lambda a, b, c, d: (a, b, c, d)
    )
    g.rule("dom", "<ordinal>", "<figures>", "<number>", to=_day)
    g.rule("nth_day", "<ordinal>", to=_day)
    g.rule("year_like", "<year>", "year <year>", "the year of? <year>", to=lambda year: year)
    g.rule("year_like", "' <figures>", to=lambda y: Short(int(y)) if len(y) == 2 else None)
    g.rule("year_like", "cy <year>", "calendar year <year>", to=lambda year: year)
    g.rule("year_like", "cy '? <figures>", to=lambda y: Short(int(y)) if len(y) == 2 else None)
    g.rule(
        "year_like",
        "the? year <figures> ad|ce?",
        to=lambda text: int(text) if len(text) == 3 and text[0] != "0" else None,
    )
    g.rule("year_like", "this year", "the current year", to=lambda: Unit("year"))
    g.rule("year_like", "last year", to=lambda: Unit("year", -1))
    g.rule("year_like", "next year", to=lambda: Unit("year", 1))


def add_days(g: Grammar) -> None:
    """Add what names a day."""
    g.words("day", {
        "today": Unit("day"), "yesterday": Unit("day", -1), "tomorrow": Unit("day", 1),
        "tmrw": Unit("day", 1), "tmr": Unit("day", 1), "this day": Unit("day"),
        "the day before yesterday": Unit("day", -2), "day before yesterday": Unit("day", -2),
        "the day after tomorrow": Unit("day", 2), "day after tomorrow": Unit("day", 2),
        "the day after tmrw": Unit("day", 2), "the next day": Ahead(Unit("day", 1)),
        "the following day": Ahead(Unit("day", 1)),
        "the other day": None,
    })  # fmt: skip
    full = ",? of|in? <year_like>?"
    g.rule("day", f"<month> the? <dom> {full}", to=lambda m, d, y: Partial(y, m, d))
    g.rule("day", "<month> /|- <dom>", to=lambda m, d: Partial(None, m, d))
    g.rule(
        "day",
        f"the? <dom> day? of? <month> {full}",
        "<dom> - <month> -? <year>?",
        to=lambda d, m, y: Partial(y, m, d),
    )
    g.rule(
        "day",
        "<year> , <month> <dom>",
        "<year> <month> <dom>",
        "<year> -|/ <month> -|/ <dom>",
        to=lambda y, m, d: Partial(y, m, d),
    )
    g.rule("day", "<dom> /|- <month> /|- <year>", to=lambda d, m, y: Partial(y, m, d))
    g.rule("day", "<month> -|/ <dom> -|/ <year>", to=lambda m, d, y: Partial(y, m, d))
    g.rule("day", "<month> - <year> - <dom>", to=lambda m, y, d: Partial(y, m, d))
    g.rule("day", "<dom> - <year> - <month>", to=lambda d, y, m: Partial(y, m, d))
    g.rule("day", "<dom> . <month> <year>?", to=lambda d, m, y: Partial(y, m, d))
    g.rule(
        "day",
        "<month> the? <dom> , <figures>",
        "<month> the? <nth_day> <figures>",
        to=lambda m, d, y: Partial(Short(int(y)), m, d) if len(y) == 2 else None,
    )
    g.rule(
        "day",
        "the? <dom> of? <month> of|'|,|-|.? <figures>",
        to=lambda d, m, y: Partial(Short(int(y)), m, d) if len(y) == 2 else None,
    )
    g.scan("numeric", (DIGITS,), numbers.scan_numeric)
    g.rule("day", "<numeric>", to=lambda node: node if node.day else None)
    g.rule("period", "<numeric>", to=lambda node: None if node.day else node)
    g.rule(
        "plain_day",
        "<weekday> ,? the? <nth_day>",
        "<weekday> ,? the <dom>",
        to=lambda w, d: Partial(None, None, d, w),
    )
    g.rule(  # "Friday 8" may be eight o'clock
        "plain_day",
        "<weekday> <figures>",
        to=lambda w, d: Partial(None, None, _day(d), w) if (_day(d) or 0) > 12 else None,
    )
    g.rule("plain_day", "the <dom>", "<nth_day>", to=lambda d: Partial(None, None, d))
    g.rule("plain_day", "<weekday>", to=Weekday)
    g.rule("day", "<plain_day>", to=lambda node: node)
    g.rule(  # "I turned 30 in May", "I turned 30 last month"
        "day_in_month",
        "the <dom> day? of|in? <month_like>",
        "<nth_day> day? of|in? <month_like>",
        "<dom> of <month_like>",
        to=_in_month,
    )
    g.rule("month_like", "{this|next|last|previous} month", to=lambda w: Unit("month", _SHIFTS[w]))
    g.rule("month_like", "the month", to=lambda: Unit("month"))
    g.rule("day", "<day_in_month>", to=lambda node: node)
    g.rule("day", f"{{{LAST}|this|{NEXT}|current}} <weekday>", to=_shifted_weekday)
    g.rule(
        "day",
        "the? coming|upcoming <weekday>",
        "this coming|upcoming <weekday>",
        to=lambda w: Weekday(w, near=1),
    )
    g.rule(
        "day",
        "this|next|last <weekday> ,|-? <month> -|/? the? <dom>",
        to=lambda w, m, d: Partial(None, m, d, w),
    )
    g.rule("day", "this? past <weekday>", to=lambda w: Weekday(w, near=-1))
    g.rule("day", "the? <weekday> before last", to=lambda w: Weekday(w, -2))
    g.rule("day", "the? <weekday> after next", to=lambda w: Weekday(w, 2))
    g.rule(
        "week_like",
        "{last|previous|this|current|next} week",
        to=lambda w: Unit("week", _SHIFTS[w]),
    )
    g.rule("week_like", "the? following week", to=lambda: Ahead(Unit("week", 1)))
    g.rule("period", "the? following <calendar_unit>", to=lambda unit: Ahead(Unit(unit, 1)))
    g.rule("week_like", "the week", to=lambda: Unit("week"))
    g.rule("week_like", "the week before last", to=lambda: Unit("week", -2))
    g.rule("week_like", "the week after next", to=lambda: Unit("week", 2))
    g.rule("day", "<weekday> of? <week_like>", to=DayIn)
    g.rule("day", "<week_like> ' s <weekday>", to=lambda week, w: DayIn(w, week))
    g.rule("day", "<week_like> on? <weekday>", to=lambda week, w: DayIn(w, week))
    g.rule("weekday_count", "<count> <weekday>", to=lambda n, w: (n, w))
    for value, names in enumerate(_WEEKDAYS):
        plural = names.split("|")[0] + "s"
        g.rule("weekday_count", f"<count> {plural}", to=lambda n, value=value: (n, value))
    for pattern, sign in (
        ("<weekday_count> ago", -1),
        ("<weekday_count> from now", 1),
        ("in <weekday_count>", 1),
        ("<weekday_count> later", 1),
    ):
        g.rule("day", pattern, to=lambda pair, sign=sign: _counted_weekday(pair, sign))
    g.rule(
        "day",
        "<weekday> ,? <written_day>",
        to=lambda w, d: Partial(d.year, d.month, d.day, w) if isinstance(d, Partial) else None,
    )
    g.rule("written_day", f"<month> the? <dom> {full}", to=lambda m, d, y: Partial(y, m, d))
    g.rule("written_day", f"the? <dom> of? <month> {full}", to=lambda d, m, y: Partial(y, m, d))
    g.rule("written_day", "<numeric>", to=lambda node: node if node.day else None)
    g.rule(
        "day",
        "<written_day> ,? ( <weekday> )",
        "<written_day> , <weekday>",
        to=lambda d, w: Partial(d.year, d.month, d.day, w) if isinstance(d, Partial) else None,
    )
    g.rule("day", "<holiday> ,? of|in? <year_like>?", to=Holiday)
    g.rule(
        "day",
        "{last|this|next} year ' s <holiday>",
        to=lambda word, name: Holiday(name, Unit("year", _SHIFTS[word])),
    )
    g.rule("day", f"{{{LAST}|this|{NEXT}}} <holiday>", to=_shifted_holiday)
    g.rule(
        "day",
        "{last|previous|next} <month> the? <nth_day>",
        to=lambda word, m, d: Near(Partial(None, m, d), _SHIFTS[word], named=True),
    )
    g.rule(
        "day",
        "{last|previous|next} <nth_day> of? <month>",
        to=lambda word, d, m: Near(Partial(None, m, d), _SHIFTS[word], named=True),
    )


def _in_month(day: int, month: Node) -> Partial | None:
    return Partial(None, month, day) if isinstance(month, Unit) else None


def _shifted_weekday(word: str, weekday: int) -> Node:
    if word == "past":
        return Weekday(weekday, near=-1)
    return Weekday(weekday, _SHIFTS[word])


def _counted_weekday(pair: tuple[float, int], sign: int) -> Node | None:
    """ "Two Sundays from now" is the Sunday after the coming one."""
    count, weekday = pair
    if count % 1 or not 1 <= count <= 52:
        return None
    return Offset(((count - 1, "week"),), sign, Weekday(weekday, near=sign))


def _shifted_holiday(word: str, name: str) -> Node:
    if word == "this":
        return Holiday(name, Unit("year"))
    return Near(Holiday(name), _SHIFTS[word])


def add_periods(g: Grammar) -> None:
    """Add what names something longer than a day."""
    g.rule(
        "month_like",
        "<month> ,? of? <year_like>",
        "<month> -|/ <year>",
        to=lambda m, y: Partial(y, m),
    )
    g.rule("month_like", "<year_like> ,? -? <month>", to=lambda y, m: Partial(y, m))
    g.rule(
        "month_like",
        "<month> of <figures>",
        "<month> ' <figures>",
        to=lambda m, y: Partial(Short(int(y)), m) if len(y) == 2 else None,
    )
    g.rule("month_like", "<month>", "the month of <month>", to=lambda m: Partial(None, m))
    g.rule(
        "month_like", "the month of <month> ,? of|in? <year_like>", to=lambda m, y: Partial(y, m)
    )
    g.rule(
        "month_like",
        f"{{{LAST}|{NEXT}|coming|this_coming|this_past}} <month>",
        to=lambda w, m: Near(
            Partial(None, m),
            -1 if w.endswith(("last", "past", "previous")) else 1,
            named=w in ("last", "next"),
        ),
    )
    g.rule("month_like", "this <month>", to=lambda m: Partial(Unit("year"), m))
    g.rule("period", "<month_like>", to=lambda node: node)
    g.rule("period", "<week_like>", to=lambda node: node)
    g.rule("period", "<year_like>", to=year_period)
    g.rule(
        "period",
        "{last|previous|this|current|next|coming|upcoming} <calendar_unit>",
        "the {previous|current|next|coming|upcoming} <calendar_unit>",
        to=lambda w, u: Unit(u, _SHIFTS[w]),
    )
    g.rule("period", "this|the coming|upcoming weekend", to=lambda: Near(Unit("weekend"), 1))
    g.rule("period", "this|the? past weekend", to=lambda: Unit("weekend", -1))
    g.rule(
        "period",
        "the <calendar_unit> before last",
        "<calendar_unit> before last",
        to=lambda u: Unit(u, -2),
    )
    g.rule("period", "the <calendar_unit> after the? next", to=lambda u: Unit(u, 2))
    g.rule(
        "period",
        "<holiday> weekend ,? of|in? <year_like>?",
        "<holiday> of|in? <year_like> weekend",
        "the? weekend of <holiday> of|in? <year_like>?",
        to=lambda name, year: HolidayWeekend(Holiday(name, year)),
    )
    g.rule(
        "period",
        "the? {last|previous|this|current|next|following} workweek|work_week|working_week",
        to=lambda w: Workweek(Unit("week", _SHIFTS[w])),
    )
    g.rule("period", "the? weekend", to=lambda: Near(Unit("weekend")))
    g.rule("period", "the {month|year|quarter|decade}", to=Unit)
    g.rule("period", "the? <season> ,? of|in? <year_like>", to=Season)
    g.rule("period", "<year> <season>", to=lambda y, s: Season(s, y))
    g.rule("period", "the? <season>", to=Season)
    g.rule(
        "period",
        f"{{{LAST}|{NEXT}}} <season>",
        to=lambda w, s: Near(Season(s), -1 if w in LAST.split("|") else 1),
    )
    g.rule("period", "this|the? coming|upcoming <season>", to=lambda s: Near(Season(s), 1))
    g.rule("period", "this past <season>", to=lambda s: Near(Season(s), -1))
    g.rule("period", "this <season>", to=lambda s: Season(s, this=True))
    for value, word in enumerate(numbers.TENS, 2):
        plural = word[:-1] + "ies"
        g.words("decade_word", {plural: 10 * value})
    g.rule("period", "the? <decade_word>", to=Decade)
    g.rule("period", "the? nineteen <decade_word>", to=lambda tens: Years(1900 + tens))
    g.rule(
        "period", "the? ' <figures> s", "the? <figures> s", "the? <figures> ' s", to=_figure_decade
    )
    g.rule("period", "the? noughties", "the two thousands", to=lambda: Years(2000))
    g.rule("period", "the twenty -? tens", "the two thousand and? tens", to=lambda: Years(2010))
    g.rule("period", "the? <ordinal> century", to=_century)
    g.rule(
        "quarter",
        "<ordinal> quarter",
        "q <figures>",
        "the <ordinal> quarter",
        to=lambda n: int(n) if str(n) in ("1", "2", "3", "4") else None,
    )
    g.rule(
        "half",
        "h <figures>",
        "the? <ordinal> half",
        to=lambda n: int(n) - 1 if str(n) in ("1", "2") else None,
    )
    g.rule("period", "<half> of the year", to=lambda n: Half(n, Unit("year")))
    g.rule("period", "<quarter> of the year", "the <ordinal> quarter", to=_any_quarter)
    for name, make in (("quarter", _quarter), ("half", _half)):
        g.rule("period", f"<{name}> -|of|in? the? <year_like>", to=make)
        g.rule("period", f"<year> ,? -? <{name}>", to=lambda y, n, make=make: make(n, y))
    g.rule(
        "period", "q <figures>", to=lambda n: Quarter(int(n)) if n in ("1", "2", "3", "4") else None
    )


def year_period(year: YearLike) -> Node:
    """Return a year as what can be placed."""
    return year if isinstance(year, Unit) else Partial(year)


def _figure_decade(text: str) -> Node | None:
    if not text.endswith("0"):
        return None
    if len(text) == 4:  # "the 1900s": ten years, or a hundred?
        return Years(int(text)) if text == "2000" or not text.endswith("00") else None
    return Decade(int(text)) if len(text) == 2 else None


def _century(number: int) -> Node | None:
    return Years(100 * (number - 1), "century") if 1 <= number <= 30 else None


def _quarter(number: int, year: YearLike) -> Node:
    return Nth(number, "quarter", year_period(year))


def _any_quarter(number: int) -> Quarter | None:
    return Quarter(number) if 1 <= number <= 4 else None


def _half(number: int, year: YearLike) -> Node:
    return Half(number, year_period(year))
