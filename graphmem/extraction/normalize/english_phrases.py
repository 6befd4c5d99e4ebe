"""The English time grammar: counted and partial dates, ranges, and the roles of small words."""

from __future__ import annotations

from graphmem.extraction.normalize import english, english_spans, english_times, zones
from graphmem.extraction.normalize.clock import (
    Timed,
    joined_times,
)
from graphmem.extraction.normalize.derived import (
    THIS_YEAR,
    Beside,
    DayIn,
    Half,
    Nth,
    Offset,
    Part,
    Range,
    WeekNumber,
    WeekOf,
)
from graphmem.extraction.normalize.grammar import Grammar
from graphmem.extraction.normalize.nodes import Node, Partial, Unit, Weekday, YearLike
from graphmem.extraction.normalize.phrases import (
    After,
    At,
    Before,
    Lasting,
    LastsFrom,
    Length,
    Since,
    Unread,
    Until,
    ranged,
)
from graphmem.extraction.normalize.present import Recent, Units


def grammar() -> Grammar:
    """Return the whole English grammar; its category ``phrase`` is what to read."""
    g = Grammar()
    english.add_numbers(g)
    english.add_names(g)
    english.add_days(g)
    english.add_periods(g)
    _add_derived(g)
    english_times.add_clock(g)
    english_times.add_combined(g)
    zones.add_english(g)
    english_spans.add_lengths(g)
    _add_ranges(g)
    english_spans.add_spans(g)
    _add_roles(g)
    return g


def _add_derived(g: Grammar) -> None:
    """Add what is made from other dates: parts, counted units, offsets."""
    g.rule("base", "<day>", "<period>", to=lambda node: node)
    g.rule("offset", "<amounts> ago|earlier|back", to=lambda a: Offset(a, -1))
    g.rule(
        "offset",
        "<amounts> from now",
        "in <amounts> time|' time|'",
        "in a? <amounts> ' s? time",
        to=lambda a: Offset(a, 1),
    )
    g.rule(  # told as done, "two days later" is later than something said before
        "offset",
        "in <amounts>",
        "in less than <amounts>",
        "<amounts> later",
        to=lambda a: Offset(a, 1, plan=True),
    )
    g.rule("offset", "exactly|precisely <amounts> ago", to=lambda a: Offset(a, -1, Unit("day")))
    g.rule("offset", "<amounts> ago today", to=lambda a: Offset(a, -1, Unit("day")))
    g.rule("offset", "<amounts> ago yesterday", to=lambda a: Offset(a, -1, Unit("day", -1)))
    g.rule(
        "offset",
        "<amounts> ago|before <base>",
        "<amounts> prior to <base>",
        to=lambda a, base: Offset(a, -1, base),
    )
    g.rule(
        "offset",
        "<amounts> from|after <base>",
        "<amounts> from|after now",
        to=lambda a, base=None: Offset(a, 1, base),
    )
    g.rule("away", "<amounts> from now", "in <amounts>", to=lambda a: Offset(a, 1, Unit("day")))
    g.rule("away", "<amounts> ago", to=lambda a: Offset(a, -1, Unit("day")))
    g.rule("away", "<amounts> after <base>", to=lambda a, base: Offset(a, 1, base))
    g.rule("away", "<amounts> before <base>", to=lambda a, base: Offset(a, -1, base))
    g.rule(
        "offset",
        "<weekday> ,? <away>",
        to=lambda w, node: DayIn(w, node, around=True),
    )
    g.rule(
        "offset",
        "<away> ,? on <weekday>",
        to=lambda node, w: DayIn(w, node, around=True),
    )
    g.rule("offset", "<nth> ,? on <weekday>", to=lambda node, w: DayIn(w, node))
    g.rule(
        "offset",
        "the? <weekday> {before|after} <base>",
        to=lambda w, side, base: Beside(Weekday(w, near=_SIDES[side]), base),
    )
    g.rule(
        "offset",
        "the? {day|weekend} {before|after} <base>",
        to=lambda unit, side, base: Beside(Unit(unit, _SIDES[side]), base),
    )
    g.rule(
        "vague_offset", "the {week|month|year} before|after <day>", to=lambda unit, day: Unread()
    )
    g.rule(
        "vague_offset",
        "a? few|several|some|many <unit> ago|later|back",
        "<unit> ago",
        "a few|several <unit> from now",
        to=lambda unit: Unread(),
    )
    g.rule("which", "early|beginning|start", to=lambda: "early")
    g.words("which", {"late": "late", "mid": "mid", "the middle of": "mid", "middle of": "mid",
                      "the beginning of": "start", "beginning of": "start", "the start of": "start",
                      "start of": "start", "the end of": "end", "end of": "end",
                      "early in": "early", "late in": "late", "the end": "end"})  # fmt: skip
    g.rule("part", "the? <which> -? the? <period>", to=Part)
    g.rule(
        "part",
        "the? {first|second|other} half of <period>",
        to=lambda w, node: Half(0 if w == "first" else 1, node),
    )
    g.words("part", {"the end of the week": Part("end", Unit("week")),
                     "eoy": Part("end", Unit("year")), "end of year": Part("end", Unit("year")),
                     "end of month": Part("end", Unit("month"))})  # fmt: skip
    g.rule(
        "nth",
        "the? <ordinal> <calendar_unit> of|in? the? <period>",
        to=lambda n, unit, node: Nth(n, unit, node, iso=True),
    )
    g.rule("nth", "the? <ordinal> day of|in <period>", to=lambda n, node: Nth(n, "day", node))
    g.rule(
        "nth",
        "the? last <calendar_unit> of|in <period>",
        "the? last {day} of|in the? <period>",
        to=lambda unit, node: Nth(-1, unit, node, iso=True),
    )
    g.rule(
        "nth", "the? <ordinal> <weekday> of|in <period>", to=lambda n, w, node: Nth(n, "", node, w)
    )
    g.rule("nth", "the? last <weekday> of|in <period>", to=lambda w, node: Nth(-1, "", node, w))
    g.rule(
        "nth",
        "the? first <number> <calendar_unit> s? of|in <period>",
        to=lambda n, unit, node: Nth(1, unit, node, count=n, iso=True),
    )
    g.rule("nth", "the? {first|last} <count> <unit> of|in <period>", to=_several)
    g.rule("nth", "week <figures>", to=_week_number)
    g.rule("nth", "week <figures> of|in? <year_like>", to=_week_number)
    g.rule(
        "nth",
        "the? {week|weekend} of|beginning|starting|commencing on? <day>",
        "w / c <day>",
        "the? week of <day>",
        to=_week_of,
    )
    g.rule("when", "<base>", "<offset>", "<part>", "<nth>", to=lambda node: node)


_SIDES = {"before": -1, "after": 1}


def _several(which: str, count: float, unit: str, node: Node) -> Node | None:
    if count % 1 or unit in ("second", "minute", "hour", "fortnight"):
        return None
    return Nth(1 if which == "first" else -1, unit, node, count=int(count), iso=True)


def _week_number(number: str, year: YearLike = THIS_YEAR) -> Node | None:
    if len(number) > 2 or not 1 <= int(number) <= 53:
        return None
    return WeekNumber(int(number), year if isinstance(year, Unit) else Partial(year))


def _week_of(unit: object, day: Node | None = None) -> Node:
    if day is None:
        return WeekOf(unit)  # type: ignore[arg-type]
    return WeekOf(day, str(unit))


def _add_ranges(g: Grammar) -> None:
    """Add ranges of dates."""
    g.rule("edge", "<point>", to=lambda node: node)
    g.rule("edge", "<dom>", to=lambda dom: Partial(None, None, dom))
    joiner = "to|until|till|til|-|~"
    through = "through|thru|to_the_end_of|until_the_end_of|till_the_end_of|and_the_end_of"
    g.rule(
        "range",
        f"from|between? the? <dom> {joiner}|and|through the? <dom> of|in? <month_like>",
        to=_days_of,
    )
    g.rule(
        "range",
        f"from|between? <month> the? <dom> {joiner}|and|through the? <dom> ,? of? <year_like>?",
        to=_days_in_month,
    )
    g.rule(
        "range",
        f"from|between? the? <dom> {joiner}|and|through <month> the? <dom> ,? <year_like>?",
        to=lambda a, m, b, y: Range(Partial(None, None, a), Partial(y, m, b)),
    )
    g.rule(
        "range",
        f"from|between <edge> {joiner}|and <point>",
        "since <edge> until|till|to <point>",
        "<point> to|until|till|til|-|~ <point>",
        "in <point> to <point>",
        to=_joined,
    )
    g.rule(
        "range",
        f"from|between? <point> {{{through}}} <point>",
        f"in <point> {{{through}}} <point>",
        to=lambda a, _, b: _joined(a, b, through=True),
    )
    g.rule(
        "range",
        "from|between <month> to|and|till|until <month> ,? in|of? <year_like>",
        to=lambda a, b, year: Range(Partial(None, a), Partial(year, b)),
    )
    g.rule(
        "range",
        "<month> between|from the? <dom> and|to|through the? <dom> ,? <year_like>?",
        to=lambda m, a, b, y: Range(Partial(y, m, a), Partial(y, m, b)),
    )
    g.rule(
        "range",
        "{last|this|next} week between|from <weekday> and|to <weekday>",
        to=lambda w, a, b: Range(Weekday(a, _WEEK[w]), Weekday(b, _WEEK[w])),
    )


_WEEK = {"last": -1, "this": 0, "next": 1}


def _days_of(first: int, last: int, month: Node) -> Range | None:
    if isinstance(month, Partial):
        return Range(
            Partial(month.year, month.month, first), Partial(month.year, month.month, last)
        )
    if isinstance(month, Unit):
        return Range(Partial(None, month, first), Partial(None, month, last))
    return None


def _days_in_month(month: int, first: int, last: int, year: YearLike | None) -> Range | None:
    return Range(Partial(year, month, first), Partial(year, month, last)) if first < last else None


def _joined(start: Node, end: Node, through: bool = False) -> Node | None:
    """Join two ends: a bare day takes the month of the other, a clock time the day before it."""
    if isinstance(start, Timed) or isinstance(end, Timed):
        return joined_times(start, end)
    bare = isinstance(start, Partial) and (start.month, start.year, start.weekday) == (None,) * 3
    if bare and not (isinstance(end, Partial) and end.month is not None):
        return None
    return Range(start, end, through)


def _quarters(which: str, count: float = 1) -> At | None:
    """Whole ones, since quarters are parts of the calendar."""
    if count % 1 or count < 1:
        return None
    number = int(count)
    return At(Units("quarter", 1 if which in ("next", "coming") else -number, number))


def _unread(*_: object) -> Unread:
    return Unread()


def _add_vague(g: Grammar) -> None:
    """Add what names no one date: first, so that it is not read as what stands inside of it."""
    g.rule(
        "phrase",
        "since|from|until|by? around|about|circa|roughly <when>",
        "more_than|over|less_than|under|almost|nearly|just_over|just_under|well_over|at_least "
        "<offset>",
        "for? more_than|over|less_than|under|almost|nearly|just_over|just_under|well_over|at_least "
        "<amounts>",
        "in|on|during <base> or <base>",
        "in|during? <year> and <year>",
        "<weekday> week",
        to=_unread,
    )
    for name in ("summer", "winter", "spring", "autumn", "fall"):
        g.words("phrase", {f"the {name} before last": Unread()})
        g.rule("phrase", f"<count> {name}s ago", to=lambda count: Unread())
    g.rule(
        "phrase",
        "in|over|during|for? the|these last|past few|several|many|some <unit>",
        to=lambda unit: Unread(),
    )


def _at(node: Node) -> At | None:
    """Nothing is "at yesterday"."""
    return None if isinstance(node, Unit) and node.unit == "day" else At(node)


def _add_roles(g: Grammar) -> None:
    """Add whole phrases with the words that give them their role."""
    _add_vague(g)
    g.rule(
        "phrase",
        "<point>",
        "in|on|during|over|throughout <point>",
        "back? in|on <point>",
        "sometime in|on|during? <point>",
        "at some point|time in|during? <point>",
        "all|all_of|the_whole_of|the_whole|the_entire|all_through|all_throughout <base>",
        "as of <point>",
        to=At,
    )
    g.rule("phrase", "by|no_later_than <point>", to=lambda node: At(node, latest=True))
    g.rule(
        "phrase",
        "on? <day> ,? by|no_later_than <exact_time>",
        to=lambda day, time: At(Timed(time, day), latest=True),
    )
    g.rule("phrase", "at <point>", to=_at)
    g.rule("phrase", "on|in|during? <range>", to=ranged)
    g.rule(
        "phrase",
        "in|during|over|within the? last|past|previous <amounts>",
        to=lambda a: At(Recent(a, -1)) if a[-1][1] != "quarter" else None,
    )
    g.rule(
        "phrase",
        "in|during|over|for? the? {last|past|previous|next|coming} <count> quarters",
        "in|during|over|for? the? {past} quarter",
        to=_quarters,
    )
    g.rule("phrase", "<count> last|past|previous <units>", to=lambda n, u: Lasting(((n, u),)))
    g.rule(
        "phrase",
        "<count> next|coming|upcoming <units>",
        to=lambda n, u: At(Recent(((n, u),), 1, whole=True)),
    )
    g.rule("phrase", "in|within? the? next {hour|minute}", to=lambda u: At(Recent(((1, u),), 1)))
    g.rule(
        "phrase",
        "within the? next|upcoming|coming? <amounts>",
        "within <amounts> from today|now",
        to=lambda a: At(Recent(a, 1)),
    )
    g.rule(
        "phrase",
        "in|over|during|for? the? next|coming|upcoming <amounts>",
        to=lambda a: At(Recent(a, 1, whole=True)) if a[0][1] != "quarter" else None,
    )
    g.rule("phrase", "from|starting|beginning <point> ,? for <amounts>", to=LastsFrom)
    g.rule(
        "phrase",
        "for? <amounts> ,? from|starting|beginning on|in|from? <point>",
        to=lambda amounts, node: LastsFrom(node, amounts),
    )
    g.words("phrase", {"year to date": Since(Unit("year")), "ytd": Since(Unit("year")),
                       "month to date": Since(Unit("month"))})  # fmt: skip
    g.rule("phrase", "ever? since <point>", to=lambda node: Since(node, past=True))
    g.rule(
        "phrase",
        "since|from <point> on|onward|onwards",
        "from|starting|beginning <point>",
        "starting|beginning from|on|in <point>",
        "as from|of <point>",
        "effective <point>",
        "<point> onwards|onward",
        "<point> or later|after",
        "<point> and after|later",
        to=Since,
    )
    g.rule(
        "phrase",
        "<point> to|until|till|- now|date|present|today",
        "from <point> to|until|till date|present",
        to=Since,
    )
    g.rule("phrase", "until|till|up_to|up_until <point>", to=Until)
    g.rule(
        "phrase",
        "through <point>",
        "until|till|up_to the_end_of <point>",
        "until|till and including <point>",
        "to the end of <point>",
        to=lambda n: Until(n, through=True),
    )
    g.rule("phrase", "<day> before|until|till <exact_time>", to=lambda d, t: Before(Timed(t, d)))
    g.rule("phrase", "<day> after|from|since <exact_time>", to=lambda d, t: After(Timed(t, d)))
    g.rule(
        "phrase",
        "before <point>",
        "prior to <point>",
        "earlier than <point>",
        "sooner than <point>",
        "in advance of <point>",
        to=Before,
    )
    g.rule("phrase", "after <point>", "later than <point>", to=After)
    g.rule(
        "phrase",
        "for the? last|past|previous <amounts>",
        "these last|past <amounts>",
        "the? last|past|previous <amounts>",
        "over the last|past <amounts> now",
        "for <amounts> now",
        to=Lasting,
    )
    g.rule(
        "phrase",
        "for? the|this last|past <unit>",
        "past <unit>",
        to=lambda unit: Lasting(((1.0, unit),)),
    )
    g.rule(
        "phrase",
        "in|during|over|within the last|past <unit>",
        to=lambda unit: At(Recent(((1.0, unit),), -1)),
    )
    g.rule("phrase", "for <amounts>", "<amounts>", to=Length)
    g.rule("phrase", "<vague_offset>", to=lambda node: node)
    for word in ("recently", "lately", "soon", "the other day", "these days", "back then",
                 "a while ago", "long ago", "some time ago", "in the past", "years ago",
                 "in the future", "as a child", "nowadays", "for years", "for ages",
                 "a long time ago", "in recent years"):  # fmt: skip
        g.words("phrase", {word: Unread()})
