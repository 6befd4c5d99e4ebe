"""The Chinese time grammar: dates and periods. Clock times and roles build on it."""

from __future__ import annotations

from graphmem.extraction.normalize import holidays, numbers
from graphmem.extraction.normalize.derived import (
    Amount,
    DayIn,
    Half,
    Nth,
    Offset,
    Part,
)
from graphmem.extraction.normalize.grammar import DIGITS, Grammar
from graphmem.extraction.normalize.nodes import (
    AUTUMN,
    SPRING,
    SUMMER,
    WINTER,
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

_UNITS = {
    "second": "秒|秒钟", "minute": "分钟|分", "hour": "小时|个小时|个钟头|钟头|个钟",
    "day": "天|日", "week": "周|个周|个星期|星期|个礼拜|礼拜", "month": "个月",
    "quarter": "季度|个季度", "century": "世纪|个世纪", "year": "年|周年",
}  # fmt: skip
_SEASONS = {"春": SPRING, "夏": SUMMER, "秋": AUTUMN, "冬": WINTER}


def add_numbers(g: Grammar) -> None:
    """Add counts, amounts and numbered parts of dates."""
    g.scan("number", (DIGITS, *numbers.HAN_NUMERALS), numbers.scan_han)
    g.scan("count", (DIGITS, *numbers.HAN_NUMERALS), numbers.scan_han_count)
    g.scan("year_digits", (DIGITS, *numbers.HAN_NUMERALS), numbers.scan_han_year)
    g.scan("numeric", (DIGITS,), numbers.scan_numeric)
    g.scan("figures", (DIGITS,), lambda tokens, at: {at + 1: tokens[at].text})
    for unit, names in _UNITS.items():
        g.rule("unit", names, to=lambda unit=unit: unit)
        g.rule("amount", f"<count> {names}", to=lambda n, unit=unit: (float(n), unit))
        g.rule("amount", f"<count> {names} 半", to=lambda n, unit=unit: (n + 0.5, unit))
        g.rule(
            "amount",
            f"<figures> . <figures> {names}",
            to=lambda a, b, unit=unit: (float(f"{a}.{b}"), unit),
        )
    for unit, names in (("hour", "小时|个小时|个钟头|钟头"), ("year", "年"), ("month", "个月|月"),
                        ("day", "天"), ("minute", "分钟")):  # fmt: skip
        g.rule("amount", f"半 {names}", to=lambda unit=unit: (0.5, unit))
    g.rule(
        "amount",
        "<number> 个 半 {小时|钟头|月|星期}",
        to=lambda n, u: (n + 0.5, {"月": "month", "星期": "week"}.get(u, "hour")),
    )
    g.rule("amount", "<number> 分 半 钟?", to=lambda n: (n + 0.5, "minute"))
    g.rule("amount", "<number> 刻钟", to=lambda n: (15.0 * n, "minute"))
    g.rule("amounts", "<amount>", to=lambda a: (a,))
    g.rule("amounts", "<amount> 又|零|加|，? <amount>", to=lambda a, b: (a, b))
    g.rule("amounts", "<amount> 又|零? <amount> 又|零? <amount>", to=lambda a, b, c: (a, b, c))
    g.rule("amounts", "<amount> <count> 时", to=lambda a, n: (a, (float(n), "hour")))
    g.words("amounts", {"一整天": ((1.0, "day"),), "一整年": ((1.0, "year"),),
                        "一整周": ((1.0, "week"),), "整个月": ((1.0, "month"),),
                        "一整个月": ((1.0, "month"),)})  # fmt: skip
    g.rule("amounts", "整整 <amount>", to=lambda a: (a,))
    g.rule("amounts", "<count> 个 晚上|夜晚", "<count> 夜", to=lambda n: ((float(n), "day"),))
    g.rule("amounts", "<count> 天 <count> 夜|晚", to=lambda n, nights: ((float(n), "day"),))
    g.rule("month_number", "<number> 月 份?", to=lambda n: n if 1 <= n <= 12 else None)
    g.rule("dom", "<number> 日|号", to=lambda n: n if 1 <= n <= 31 else None)
    g.rule(
        "tens_dom",
        "二十 {一|二|三|四|五|六|七|八|九}",
        to=lambda d: 20 + "一二三四五六七八九".index(d) + 1,
    )
    g.rule("bare_dom", "<number>", to=lambda n: n if 1 <= n <= 31 else None)
    g.rule(
        "figure_dom", "<figures>", to=lambda t: int(t) if len(t) < 3 and 1 <= int(t) <= 31 else None
    )
    for index, char in enumerate("一二三四五六"):
        g.words("weekday", {f"{name}{char}": index for name in ("周", "星期", "礼拜")})
        g.words("weekday", {f"{name}{index + 1}": index for name in ("周", "星期")})
        g.words("day_char", {char: index})
    g.words("weekday", {f"{name}{char}": 6 for name in ("周", "星期", "礼拜") for char in "日天"})
    g.words("day_char", {"日": 6, "天": 6})


def _years(g: Grammar) -> None:
    g.rule("written_year", "<year_digits> 年", to=lambda y: y)
    g.words("said_year", {
        "今年": Unit("year"), "本年": Unit("year"), "这一年": Unit("year"), "这年": Unit("year"),
        "去年": Unit("year", -1), "上一年": Unit("year", -1), "前年": Unit("year", -2),
        "大前年": Unit("year", -3), "明年": Unit("year", 1), "下一年": Unit("year", 1),
        "后年": Unit("year", 2), "大后年": Unit("year", 3), "今年度": Unit("year"),
        "本年度": Unit("year"), "来年": Unit("year", 1),
    })  # fmt: skip
    g.rule("year", "<written_year> 度?", "<said_year>", to=lambda y: y)
    g.rule("common_era", "公元|西元 <number> 年", to=lambda n: n if 1 <= n <= 2999 else None)
    g.rule("year", "<common_era>", to=lambda n: n)
    g.rule("year", "民国 <number> 年", to=lambda n: 1911 + n if 1 <= n <= 150 else None)


def add_days(g: Grammar) -> None:
    """Add what names a day."""
    _years(g)
    g.words("day", {
        "今天": Unit("day"), "今日": Unit("day"), "本日": Unit("day"), "当天": None,
        "昨天": Unit("day", -1), "昨日": Unit("day", -1), "前天": Unit("day", -2),
        "前日": Unit("day", -2), "大前天": Unit("day", -3), "大大前天": Unit("day", -4),
        "明天": Unit("day", 1), "明日": Unit("day", 1), "后天": Unit("day", 2),
        "昨儿": Unit("day", -1), "昨儿个": Unit("day", -1), "今儿": Unit("day"),
        "今儿个": Unit("day"), "明儿": Unit("day", 1), "明儿个": Unit("day", 1),
        "前儿": Unit("day", -2), "后儿": Unit("day", 2),
        "大后天": Unit("day", 3), "大大后天": Unit("day", 4), "全天": Unit("day"),
    })  # fmt: skip
    g.words("said_month", {
        "本月": 0, "这个月": 0, "这月": 0, "当月": 0, "上个月": -1, "上月": -1, "上上个月": -2,
        "上上月": -2, "上一个月": -1, "下一个月": 1, "下个月": 1, "下月": 1, "下下个月": 2,
        "下下月": 2,
    })  # fmt: skip
    g.rule(
        "day",
        "<year> 的? <month_number> 的? <dom>",
        "<year> 的? <month_number> <figure_dom>",
        to=lambda y, m, d: Partial(y, m, d),
    )
    g.rule(
        "day",
        "<month_number> 的? <dom>",
        "<month_number> <figure_dom>",
        to=lambda m, d: Partial(None, m, d),
    )
    g.rule("day", "<said_month> 的? <dom>", to=lambda s, d: Partial(None, Unit("month", s), d))
    g.rule("day", "<month_number> <tens_dom>", to=lambda m, d: Partial(None, m, d))
    g.rule("plain_day", "<dom>", to=lambda d: Partial(None, None, d))
    g.rule("plain_day", "<weekday>", to=Weekday)
    g.rule("day", "<plain_day>", to=lambda node: node)
    g.rule("written_day", "<year> <month_number> <dom>", to=lambda y, m, d: Partial(y, m, d))
    g.rule("written_day", "<month_number> <dom>", to=lambda m, d: Partial(None, m, d))
    g.rule(
        "day",
        "<written_day> ,|(? <weekday> )?",
        to=lambda node, w: Partial(node.year, node.month, node.day, w),
    )
    g.rule("day", "<numeric>", to=lambda node: node if node.day else None)
    g.rule("period", "<numeric>", to=lambda node: None if node.day else node)
    g.rule("week", "{上上|上|这|本|下|下下|上上上|下下下} 一? 个? 周|星期|礼拜", to=_week)
    g.rule("day", "<week> <day_char>", to=lambda week, w: DayIn(w, week))
    g.rule("day", "<week> 的? <weekday>", to=lambda week, w: DayIn(w, week))
    g.rule(
        "day", "{上|上上|下|下下|这|本} 个? <weekday>", to=lambda how, w: Weekday(w, _SHIFT[how])
    )
    for name, value in holidays.CHINESE.items():
        g.words("holiday", {name: value})
    g.rule("day", "<year> 的? <holiday> 当天|那天?", to=lambda y, name: Holiday(name, y))
    g.rule("day", "<holiday> 当天|那天?", to=Holiday)


_SHIFT = {"上上上": -3, "上上": -2, "上": -1, "这": 0, "本": 0, "下": 1, "下下": 2, "下下下": 3}


def _week(how: str) -> Node:
    return Unit("week", _SHIFT[how])


def add_periods(g: Grammar) -> None:
    """Add what names something longer than a day."""
    g.rule("period", "<week>", to=lambda node: node)
    g.rule(
        "weekend", "{上上|上|这|本|下|下下} 个? 周末", to=lambda how: Unit("weekend", _SHIFT[how])
    )
    g.rule("period", "<weekend>", to=lambda node: node)
    g.rule("period", "周末", to=lambda: Near(Unit("weekend")))
    g.rule("period", "<year> 的? <month_number>", to=lambda y, m: Partial(y, m))
    g.rule("period", "<month_number>", to=lambda m: Partial(None, m))
    g.rule("period", "<said_month>", to=lambda shift: Unit("month", shift))
    g.rule("period", "<year> 首月", to=lambda y: Partial(y, 1))
    g.rule("period", "<written_year> 度?", to=_year_alone)
    g.rule("period", "<said_year>", to=lambda node: node)
    g.rule("period", "<common_era>", to=Partial)
    g.rule("period", "民国 <number> 年", to=lambda n: Partial(1911 + n) if 1 <= n <= 150 else None)
    g.rule("period", "<year_digits>", to=lambda y: Partial(y) if isinstance(y, int) else None)
    for char, value in _SEASONS.items():
        names = f"{char}天|{char}季"
        g.rule("season", names, to=lambda value=value: value)
        g.rule("season_word", f"{names}|{char}", to=lambda value=value: value)
    g.rule("period", "<year> 的? <season_word>", to=lambda y, s: Season(s, y))
    g.rule("period", "这 个? <season>", "今 <season_word>", to=lambda s: Season(s, this=True))
    g.rule("period", "上 个? <season>", to=lambda s: Near(Season(s), -1))
    g.rule("period", "下 个? <season>", to=lambda s: Near(Season(s), 1))
    g.rule("period", "<season>", to=Season)
    g.words("period", {"上个世纪": Unit("century", -1), "上世纪": Unit("century", -1),
                       "本世纪": Unit("century"), "这个世纪": Unit("century")})  # fmt: skip
    g.rule("quarter_number", "q <number>", to=lambda n: n if 1 <= n <= 4 else None)
    g.rule(
        "quarter_number",
        "第 <number> 个? 季度",
        "<number> 季度",
        to=lambda n: n if 1 <= n <= 4 else None,
    )
    g.rule("period", "<year> 的? <quarter_number>", to=lambda y, n: Nth(n, "quarter", year_node(y)))
    g.rule("period", "<quarter_number>", to=Quarter)
    g.words("period", {"本季度": Unit("quarter"), "这个季度": Unit("quarter"),
                       "这季度": Unit("quarter"), "上季度": Unit("quarter", -1),
                       "上个季度": Unit("quarter", -1), "下季度": Unit("quarter", 1),
                       "下个季度": Unit("quarter", 1)})  # fmt: skip
    g.words("half", {"上半年": 0, "前半年": 0, "下半年": 1, "后半年": 1, "h1": 0, "h2": 1})
    g.rule(
        "period",
        "<year_digits> <half>",
        to=lambda y, h: Half(h, Partial(y)) if isinstance(y, int) else None,
    )
    g.rule("period", "<year> 的? <half>", to=lambda y, h: Half(h, year_node(y)))
    g.rule("period", "<half>", to=lambda h: Half(h, Unit("year")))
    g.words("half_month", {"上半月": 0, "下半月": 1})
    g.rule("period", "<year> 的? <month_number> 的? <half_month>", to=_half_of_month)
    g.rule("period", "<month_number> 的? <half_month>", to=_half_of_month)
    g.rule("period", "<said_month> 的? <half_month>", to=lambda s, h: Half(h, Unit("month", s)))
    g.rule("period", "<half_month>", to=lambda h: Half(h, Unit("month")))
    g.rule(
        "period", "<number> 世纪", to=lambda n: Years(100 * (n - 1), "century") if n < 31 else None
    )
    g.rule(
        "period",
        "<number> 世纪 <number> 年代",
        to=lambda c, n: Years(100 * (c - 1) + n) if n % 10 == 0 and n < 100 and c < 31 else None,
    )
    g.rule(
        "period",
        "上世纪|上个世纪 <number> 年代",
        to=lambda n: Years(1900 + n) if n % 10 == 0 and n < 100 else None,
    )
    g.rule(
        "period",
        "本世纪|这个世纪 <number> 年代",
        to=lambda n: Years(2000 + n) if n % 10 == 0 and n < 100 else None,
    )
    g.rule("period", "<number> 年代", to=_decade)


def _half_of_month(*said: object) -> Half | None:
    *year, month, half = said
    if not isinstance(month, int) or not isinstance(half, int):
        return None
    first = year[0] if year else None
    return Half(half, Partial(first if isinstance(first, int | Short | Unit) else None, month))


def _year_alone(year: YearLike) -> Node | None:
    """A year of two figures alone may be a length (20年); one that begins with 0 or 4 to 9 not."""
    digits = getattr(year, "digits", 0)
    return None if 10 <= digits < 40 else Partial(year)


def _decade(number: int) -> Node | None:
    if number % 10:
        return None
    return Years(number) if number >= 1000 else Decade(number) if 10 <= number <= 90 else None


def year_node(year: YearLike) -> Node:
    """Return a year as what can be placed."""
    return year if isinstance(year, Unit) else Partial(year)


def add_derived(g: Grammar) -> None:
    """Add what is made from other dates: parts, counted units, offsets."""
    g.rule("base", "<day>", "<period>", to=lambda node: node)
    g.words("which", {"初": "start", "初期": "early", "早期": "early", "中": "mid", "中期": "mid",
                      "中旬": "mid", "上旬": "early", "下旬": "late", "底": "end", "末": "end",
                      "末期": "late", "晚期": "late", "后期": "late", "前期": "early"})  # fmt: skip
    g.rule("part", "<period> 的? <which>", to=lambda node, which: Part(which, node))
    for char, unit in (("年", "year"), ("月", "month")):
        g.rule(
            "part",
            f"<period> 的? {char} {{初|中|底|末}}",
            to=lambda node, which, unit=unit: _unit_part(node, which, unit),
        )
        g.rule(
            "part",
            f"{char} {{初|中|底|末}}",
            to=lambda which, unit=unit: Part(_ENDS[which], Unit(unit)),
        )
    g.rule("ordinal", "第 <number>", to=lambda n: n)
    g.rule(
        "nth",
        "<period> 的? <ordinal> 个? {周|星期|月|天|季度|周末}",
        to=lambda node, n, u: Nth(n, _NTH[u], node),
    )
    g.rule("nth", "<period> 的? <ordinal> 个? <weekday>", to=lambda node, n, w: Nth(n, "", node, w))
    g.rule(
        "nth",
        "<period> 的? 最后 一? 个? {周|天|月|季度|周末|星期}",
        to=lambda node, u: Nth(-1, _NTH[u], node),
    )
    g.rule("nth", "<period> 的? 最后 一? 个? <weekday>", to=lambda node, w: Nth(-1, "", node, w))
    g.rule(
        "nth", "<period> 的? {前|最后|后} <count> {天|周|个星期|个月|月|季度|个季度}", to=_several
    )
    g.rule("offset", "<amounts> 前|以前|之前", to=lambda a: Offset(a, -1))
    g.rule(  # told as done, 三天后 is later than something said before
        "offset",
        "<amounts> 后|以后|之后",
        "再过|过 <amounts>",
        to=lambda a: Offset(a, 1, plan=True),
    )
    g.rule(
        "offset",
        "<day> 的? <amounts> 前|之前",
        to=lambda day, a: Offset(a, -1, day),
    )
    g.rule("offset", "<day> 前 <amounts>", to=_days_before)
    g.words("near_day", {"今天": 0, "昨天": -1, "明天": 1, "今日": 0, "昨日": -1, "明日": 1})
    g.rule(
        "offset",
        "<amounts> 前|之前|以前 的 <near_day>",
        to=lambda a, shift: Offset(a, -1, Unit("day", shift)),
    )
    g.rule(
        "offset",
        "去年 的? <near_day>",
        to=lambda shift: Offset(((1.0, "year"),), -1, Unit("day", shift)),
    )
    g.rule(
        "offset",
        "<day> 的? <amounts> 后|之后",
        "<day> 后 <amounts>",
        to=lambda day, a: Offset(a, 1, day),
    )
    g.rule("when", "<base>", "<part>", "<nth>", "<offset>", to=lambda node: node)


_NTH = {"周": "week", "星期": "week", "月": "month", "天": "day", "季度": "quarter",
        "周末": "weekend", "个星期": "week", "个月": "month", "个季度": "quarter"}  # fmt: skip
_ENDS = {"初": "start", "中": "mid", "底": "end", "末": "end"}


def _unit_part(node: Node, which: str, unit: str) -> Node | None:
    """去年年底, 十二月月底; a year has no 月底."""
    is_year = (isinstance(node, Unit) and node.unit == "year") or (
        isinstance(node, Partial) and node.month is None and node.day is None
    )
    return Part(_ENDS[which], node) if is_year == (unit == "year") else None


def _days_before(day: Node, amounts: tuple[Amount, ...]) -> Offset | None:
    """国庆节前三天 may be the first three days of the holiday; 节前一天 is the day before it."""
    feast = not isinstance(day, Partial | Unit | Weekday | DayIn)
    return None if feast and amounts[-1] != (1.0, "day") else Offset(amounts, -1, day)


def _several(node: Node, which: str, count: int, unit: str) -> Node | None:
    if not 1 <= count <= 52:
        return None
    return Nth(1 if which == "前" else -1, _NTH[unit], node, count=count)
