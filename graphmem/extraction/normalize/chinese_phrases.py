"""The Chinese time grammar: clock times, combinations, ranges, and the roles of small words."""

from __future__ import annotations

from graphmem.extraction.normalize import chinese, chinese_lunar, zones
from graphmem.extraction.normalize.calendar import EXACT
from graphmem.extraction.normalize.clock import (
    Clock,
    Hours,
    Midnight,
    Slice,
    Timed,
    TimeOfDay,
    joined_times,
)
from graphmem.extraction.normalize.derived import Amount, Range
from graphmem.extraction.normalize.grammar import Grammar
from graphmem.extraction.normalize.nodes import Node, Now, Partial, Then, Unit
from graphmem.extraction.normalize.phrases import (
    After,
    At,
    Before,
    Lasting,
    Length,
    Since,
    Unread,
    Until,
    ranged,
)
from graphmem.extraction.normalize.present import Recent

_DAYPARTS = {
    "凌晨": "dawn", "清晨": "early morning", "清早": "early morning", "一早": "early morning",
    "早上": "morning", "早晨": "morning", "早间": "morning", "早": "morning", "晨": "morning",
    "上午": "morning", "中午": "noon", "正午": "noon", "午间": "noon", "下午": "afternoon",
    "午后": "afternoon", "傍晚": "early evening", "晚上": "evening", "晚间": "evening",
    "晚": "evening", "夜里": "night", "夜晚": "night", "夜间": "night", "深夜": "late night",
    "半夜": "late night", "白天": "day",
}  # fmt: skip
_TO = "到|至|-|--|~|~~"


def grammar() -> Grammar:
    """Return the whole Chinese grammar; its category ``phrase`` is what to read."""
    g = Grammar()
    chinese.add_numbers(g)
    chinese.add_days(g)
    chinese.add_periods(g)
    chinese_lunar.add_lunar(g)
    chinese.add_derived(g)
    _add_clock(g)
    zones.add_chinese(g)
    _add_ranges(g)
    _add_roles(g)
    return g


def _add_clock(g: Grammar) -> None:
    """Add clock times and parts of the day, with or without a day."""
    for word, name in _DAYPARTS.items():
        g.words("daypart", {word: name})
        if len(word) > 1:
            g.words("named_part", {word: name})
    g.rule("clock_hour", "<number> 点|时", to=lambda n: n if n <= 24 else None)
    g.rule(
        "clock_minute",
        "<number> 分?",
        "零|〇|0 <number> 分?",
        to=lambda n: n if 0 <= n < 60 else None,
    )
    g.rule("clock", "<clock_hour> 钟|整|正?", to=Clock)
    g.rule("clock", "<clock_hour> <clock_minute>", to=lambda h, m: Clock(h, m))
    g.rule("clock", "<clock_hour> <number> 分 <number> 秒", to=_seconds)
    g.rule("clock", "<clock_hour> 半", to=lambda h: Clock(h, 30))
    g.rule(
        "clock", "<clock_hour> {一|1|三|3} 刻", to=lambda h, q: Clock(h, 15 if q in "一1" else 45)
    )
    g.rule("clock", "差 <number> 分 <clock_hour>", to=_short_of)
    g.rule("clock", "<clock_hour> 差 <number> 分", to=lambda hour, m: _short_of(m, hour))
    g.words("midnight", {"午夜": Midnight(), "午夜12点": Midnight(), "午夜十二点": Midnight()})
    g.rule("point", "<midnight>", to=Timed)
    g.rule("clock", "<figures> : <figures> 时?", "<figures> : <figures> : <figures>", to=_face)
    g.rule("clock", "<figures> : <figures> {am|pm}", to=_half)
    g.rule("part_clock", "<daypart> 的? <clock>", to=lambda part, clock: clock.within(part))
    g.rule("exact", "<part_clock>", "<clock>", to=lambda clock: clock)
    g.rule("hours", f"从? <exact> {_TO} <exact>", to=Hours)
    g.rule("hours", f"从? <exact> {_TO} 第二天|次日|隔天|翌日 的? <exact>", to=_overnight)
    g.rule(
        "hours",
        f"从? <daypart> <number> {_TO} <exact>",
        to=lambda part, h, end: Hours(Clock(h, half=part), end) if h <= 12 else None,
    )
    g.rule(
        "hours",
        f"<number> {_TO} <exact>",
        to=lambda h, end: Hours(Clock(h), end) if h <= 24 else None,
    )
    g.rule("time", "<hours>", "<exact>", to=lambda time: time)
    g.rule("time", "<daypart>", to=Slice)
    g.rule("a_day", "<day>", "<nth>", "<offset>", to=lambda node: node)
    g.rule(
        "timed",
        "<a_day> 的|, <time>",
        "<a_day> <time>",
        "<a_day> - <clock>",
        to=lambda day, time: Timed(time, day),
    )
    for word, day, part in (("今晚", 0, "evening"), ("昨晚", -1, "evening"), ("昨夜", -1, "night"),
                            ("明晚", 1, "evening"), ("今早", 0, "morning"), ("今晨", 0, "morning"),
                            ("明早", 1, "morning"), ("前晚", -2, "evening"), ("后晚", 2, "evening"),
                            ("昨早", -1, "morning"), ("今夜", 0, "night")):  # fmt: skip
        g.words("day_part", {word: (Unit("day", day), part)})
    g.rule("day_part", "<day> 的? <daypart>", to=lambda day, part: (day, part))
    g.rule("timed", "<day_part>", to=lambda pair: Timed(Slice(pair[1]), pair[0]))
    g.rule(
        "timed",
        "<day_part> 的? <clock>",
        "<day_part> 的? <hours>",
        to=lambda pair, time: Timed(_placed(time, pair[1]), pair[0]),
    )
    g.rule("point", "<timed>", "<when>", to=lambda node: node)
    g.rule("point", "<exact>", "<hours>", to=Timed)
    g.rule("point", "<named_part>", to=lambda part: Timed(Slice(part)))
    g.words("point", {"现在": Now(), "目前": Now(), "如今": Now(), "今": Now(), "此刻": Now()})


def _short_of(minutes: int, hour: int) -> Clock | None:
    """Read 差五分十点."""
    return Clock(hour - 1, 60 - minutes) if 0 < minutes < 60 and hour > 1 else None


def _overnight(start: Clock, end: Clock) -> Hours | None:
    """Read 晚上八点到第二天早上六点; of hours that do not cross midnight the days are not clear."""
    first, last = start.hours(), end.hours()
    return Hours(start, end) if first is not None and last is not None and last < first else None


def _seconds(hour: int, minute: int, second: int) -> Clock | None:
    return Clock(hour, minute, second) if minute < 60 and second < 60 else None


def _face(hour: str, minute: str, second: str | None = None) -> Clock | None:
    if len(hour) > 2 or len(minute) != 2 or int(hour) > 24:
        return None
    plain = hour.startswith("0") or int(hour) > 12
    return Clock(int(hour), int(minute), int(second) if second else None, plain=plain)


def _half(hour: str, minute: str, half: str) -> Clock | None:
    if len(hour) > 2 or len(minute) != 2 or int(hour) > 12:
        return None
    return Clock(int(hour), int(minute), half=half)


def _placed(time: object, part: str) -> TimeOfDay:
    if isinstance(time, Clock):
        return time.within(part)
    if isinstance(time, Hours):
        return Hours(time.start.within(part), time.end)
    return Slice(part)


def _add_ranges(g: Grammar) -> None:
    """Add ranges of dates."""
    to = _TO
    g.rule("range", f"从|自|由? <point> {to} <point> 之间|间|期间|止|为止?", to=_joined)
    g.rule(
        "range",
        f"从? <year> 的? <number> 月? {to} <month_number>",
        to=lambda y, a, m: Range(Partial(y, a), Partial(y, m)) if 1 <= a <= 12 else None,
    )
    g.rule(
        "range",
        f"从? <number> {to} <month_number>",
        to=lambda a, m: Range(Partial(None, a), Partial(None, m)) if 1 <= a <= 12 else None,
    )
    g.rule(
        "range",
        f"从? <year_digits> {to} <year>",
        to=lambda a, b: Range(Partial(a), chinese.year_node(b)) if isinstance(a, int) else None,
    )
    g.rule(
        "range",
        f"从? <year_digits> {to} <period>",
        to=lambda a, b: Range(Partial(a), b) if isinstance(a, int) else None,
    )
    g.rule(
        "range",
        f"<year> 的? <month_number> <bare_dom> {to} <dom>",
        to=lambda y, m, a, b: Range(Partial(y, m, a), Partial(y, m, b)),
    )
    g.rule(
        "range",
        f"<month_number> <bare_dom> {to} <dom>",
        to=lambda m, a, b: Range(Partial(None, m, a), Partial(None, m, b)),
    )
    g.rule("range", f"从? <numeric> {to} <figures> .|/ <figures>", to=_same_year)
    g.rule("range", "在? <point> 和|与|跟|、 <point> 之间|间|期间", to=_joined)
    g.rule("range", "今明两年", to=lambda: Range(Unit("year"), Unit("year", 1)))


def _same_year(start: Node, month: str, day: str) -> Range | None:
    """Read 2021.9.1-9.12."""
    small = len(month) < 3 and len(day) < 3 and 1 <= int(month) <= 12
    if not small or not isinstance(start, Partial) or start.day is None or start.year is None:
        return None
    return Range(start, Partial(start.year, int(month), int(day)))


def _joined(start: Node, end: Node) -> Node | None:
    """Join two ends; a bare day takes the month of the first, a month its year."""
    if isinstance(start, Timed) or isinstance(end, Timed):
        return joined_times(start, end)
    if (
        isinstance(start, Partial)
        and isinstance(end, Partial)
        and start.month is not None
        and end.month is None
        and end.year is None
    ):
        return Range(start, Partial(start.year, start.month, end.day))
    return Range(start, end)


def _add_roles(g: Grammar) -> None:
    """Add whole phrases with the words that give them their role."""
    g.rule("phrase", "在|于? <point> 的时候|时候|时|里|内|中|期间|那天?", to=At)
    g.rule("phrase", "<range>", to=ranged)
    g.rule(
        "phrase",
        "从|自|自从|打|由 <point> 起|开始|以来|至今|起至今|到现在|到今天|到今?",
        "<point> 起|开始|以来|至今|起至今|到现在|到今天|到今|或之后|及之后|及以后|或以后|或后|及后",
        to=Since,
    )
    g.rule("phrase", "到|至|直到|截至|截止到|一直到 <point> 为止|止?", to=Until)
    g.rule("phrase", "<point> 为止|或之前|及之前|及以前|或以前|或前|及前", to=Until)
    g.rule(
        "phrase",
        "在? <point> 之前|以前|前",
        to=lambda node: Before(node, loose=True),
    )
    g.rule("phrase", "<point> 之后|以后|后", "在 <point> 之后|以后|后", to=After)
    g.rule("phrase", "近|最近|过去|过去的|这|这过去的 <amounts> 来|以来|里|间|内?", to=Lasting)
    g.rule("phrase", "<amounts> 以来", to=Lasting)
    g.rule("phrase", "之前 的? <amounts> 里|内?", to=_just_before)
    g.rule("phrase", "<amounts> 来", to=lambda a: None if a[-1][1] in EXACT else Lasting(a))
    g.rule("phrase", "未来|接下来|今后|未来的|接下来的 <amounts> 里|内|之内?", to=_coming)
    g.rule("phrase", "<amounts> 之内|以内|内", to=lambda a: At(Recent(a, 1)))
    g.rule("phrase", "还剩|还剩下|剩下 <amounts>", to=_coming)
    g.rule("phrase", "<amounts> 了", to=_up_to_now)
    g.rule("phrase", "<amounts>", to=Length)
    for word in ("从那以后", "从那之后", "自那以后", "自那之后", "打那以后", "打那之后", "那以后",
                 "那之后", "从那时起", "自那时起", "从那时候起", "从那时开始", "从那年起", "自此",
                 "从此", "从此以后", "从此之后", "此后", "自此以后"):  # fmt: skip
        g.words("phrase", {word: Since(Then(), past=True)})
    for word in ("最近", "近来", "以前", "从前", "过去", "小时候", "前几天", "前些天", "前两天",
                 "前几年", "前些年", "前阵子", "前段时间", "这几天", "这几年", "近几年", "近年来",
                 "不久前", "不久", "很久以前", "刚才", "刚刚", "过几天", "过两天", "过阵子", "将来",
                 "以后", "后来", "当时", "那时候", "几年前", "几天前", "几个月前", "多年前",
                 "前两年", "前几个月", "前两个月", "这些年", "那几年", "那些年",
                 "过年的时候", "几周前", "几天后", "年轻时", "年轻的时候", "小年"):  # fmt: skip
        g.words("phrase", {word: Unread()})


def _up_to_now(amounts: tuple[Amount, ...]) -> Lasting | Length:
    """住了五年了 goes on; 等了五分钟了 is no time one could date."""
    return Length(amounts) if amounts[-1][1] in EXACT else Lasting(amounts)


def _just_before(amounts: tuple[Amount, ...]) -> At | None:
    """之前三小时; 之前三年 may be before another time."""
    return At(Recent(amounts, -1)) if amounts[-1][1] in EXACT else None


def _coming(amounts: tuple[Amount, ...]) -> At | None:
    exact = amounts[-1][1] in EXACT
    return At(Recent(amounts, 1)) if exact else None
