"""The English time grammar: clock times, parts of the day, and days with either."""

from __future__ import annotations

from graphmem.extraction.normalize.clock import (
    PARTS,
    Clock,
    ForHours,
    Hours,
    Midnight,
    Slice,
    Timed,
    TimeOfDay,
)
from graphmem.extraction.normalize.derived import (
    DayIn,
)
from graphmem.extraction.normalize.grammar import Grammar
from graphmem.extraction.normalize.nodes import Node, Now, Partial, Unit


def add_clock(g: Grammar) -> None:
    """Add clock times and parts of the day."""
    g.rule("meridiem", "am|a.m.|a.m|a_m|a", to=lambda: "am")
    g.rule("meridiem", "pm|p.m.|p.m|p_m|p", to=lambda: "pm")
    g.rule(
        "hour",
        "<figures>",
        to=lambda text: int(text) if len(text) <= 2 and int(text) <= 24 else None,
    )
    g.rule("hour", "<one>", "<teen>", to=lambda n: n if n <= 12 else None)
    g.rule(
        "minutes",
        "<figures>",
        to=lambda text: int(text) if len(text) == 2 and int(text) < 60 else None,
    )
    g.rule("clock_face", "<figures> :|. <minutes>", to=_face)
    g.rule("clock_face", "<figures> : <minutes> : <minutes>", to=_face)
    g.rule("clock", "<clock_face>", to=lambda face: face)
    g.rule("clock", "<clock_face> <meridiem>", to=_halved)
    g.rule("clock", "<hour> o'clock", "<hour> oclock", to=Clock)
    g.rule(
        "clock",
        "<hour> o'clock? <meridiem>",
        to=lambda h, half: Clock(h, half=half) if h <= 12 else None,
    )
    g.rule("clock", "<hour> <minutes> <meridiem>", to=lambda h, m, half: Clock(h, m, half=half))
    g.rule(
        "spoken", "<hour> <ten> -? <one>", to=lambda h, t, o: Clock(h, t + o) if t < 60 else None
    )
    g.rule("spoken", "<hour> oh|o <one>", to=Clock)
    g.rule(
        "spoken",
        "<hour> -? <ten>",
        "<hour> <teen>",
        to=lambda h, m: Clock(h, m) if m < 60 else None,
    )
    g.rule("clock", "<hour> . {am|pm}", to=lambda h, half: Clock(h, half=half) if h <= 12 else None)
    g.rule("clock", "<figures> {am|pm|a.m.|p.m.|a.m|p.m}", to=_unsigned)
    g.rule("spoken", "half past <hour>", to=lambda h: Clock(h, 30))
    g.rule(
        "spoken",
        "a? {quarter} past|after <hour>",
        "three {quarters} past <hour>",
        to=lambda word, h: Clock(h, 15 if word == "quarter" else 45),
    )
    g.rule("spoken", "a? quarter to|of|before <hour>", to=lambda h: Clock(h - 1 or 12, 45))
    g.rule(
        "spoken",
        "<count> minutes|minute|min|mins? past <hour>",
        "<count> minutes|min|mins after <hour>",
        to=lambda m, h: Clock(h, int(m)) if m < 60 and not m % 1 else None,
    )
    g.rule(
        "spoken",
        "<count> minutes|minute|min|mins to|before <hour>",
        to=lambda m, h: Clock(h - 1 or 12, 60 - int(m)) if 0 < m < 60 and not m % 1 else None,
    )
    g.rule(
        "spoken",
        "<count> minutes|min|mins? to <hour> <ten>",
        to=lambda m, h, t: Clock(h, t - int(m)) if 0 < m <= t < 60 and not m % 1 else None,
    )
    g.rule("clock", "<spoken> o'clock?", to=lambda clock: clock)
    g.rule("clock", "<spoken> o'clock? <meridiem>", to=_halved)
    g.rule(  # "five to six pm" may be an hour
        "clock",
        "<count> to <hour> o'clock? <meridiem>",
        "<count> to <hour> o'clock? <in_part>",
        to=lambda m, h, half: Clock(h - 1 or 12, 60 - int(m), half=half) if m in (20, 25) else None,
    )
    noon = (
        "noon",
        "midday",
        "mid day",
        "mid-day",
        "12 noon",
        "12 midday",
        "noonish",
        "12 lunchtime",
    )
    g.words("clock", dict.fromkeys(noon, Clock(12, plain=True)))
    midnight = ("midnight", "mid night", "mid-night", "12 midnight", "12 o'clock midnight")
    g.words("midnight", dict.fromkeys(midnight, Midnight()))
    g.rule("bare_hour", "<hour>", "<hour> ish", to=Clock)
    for name in PARTS:
        spelled = {"day": "daytime", "noon": "lunchtime", "dawn": "dawn"}.get(name, name)
        g.words("daypart", {spelled: name, spelled.replace(" ", "-"): name})
        if spelled == name and name != "noon":
            g.words("named_part", {name: name, name.replace(" ", "-"): name})
    g.rule("in_part", "in the? <daypart>", "at night", to=lambda part="night": part)
    g.rule("in_part", "at|during lunch|lunchtime", to=lambda: "noon")
    g.words("named_part", {"lunchtime": "noon"})
    g.rule(
        "time_in_part",
        "<clock> ,? <in_part>",
        "<bare_hour> <in_part>",
        "<bare_hour> {lunchtime}",
        "<clock> <named_part>",
        "<in_part> at? <clock>",
        "<in_part> at <bare_hour>",
        "<named_part> ,? at? <clock>",
        "<named_part> at <bare_hour>",
        to=_within,
    )
    g.rule("exact_time", "<time_in_part>", "<clock>", to=lambda clock: clock)
    g.rule("any_time", "<exact_time>", "<bare_hour>", to=lambda clock: clock)
    g.rule(
        "hours",
        "<any_time> to|until|till|til|through|thru|-|~ <exact_time>",
        "<exact_time> to|until|till|til|through|thru|-|~ <any_time>",
        "between|from <any_time> to|until|till|til|through|thru|and|-|~ <any_time>",
        to=Hours,
    )
    g.rule(
        "hours",
        "between|from? <any_time> to|until|till|til|through|thru|and|-|~ midnight",
        to=lambda start: Hours(start, Clock(24, plain=True)),
    )
    g.rule(
        "hours",
        "between|from? <any_time> to|until|till|til|through|thru|and|-|~ <any_time> <in_part>",
        to=lambda a, b, part: Hours(a, b.within(part)),
    )
    g.rule("hours", "from <any_time> for <amounts>", to=ForHours)
    g.rule("hours", "for <amounts> from <any_time>", to=lambda a, time: ForHours(time, a))
    g.rule("loose_hours", "<bare_hour> to|until|till|til|through|thru|-|~ <bare_hour>", to=Hours)


_NOON = ("noon", "midday", "mid day", "mid-day", "12 noon", "12 midday", "noonish", "12 lunchtime")
_MIDNIGHT = ("midnight", "mid night", "mid-night", "12 midnight", "12 o'clock midnight")


def _face(hour: str, minute: int, second: int | None = None) -> Clock | None:
    if len(hour) > 2 or int(hour) > 24:
        return None
    return Clock(int(hour), minute, second, plain=hour.startswith("0") or int(hour) > 12)


def _unsigned(text: str, half: str) -> Clock | None:
    """Read "1140 am"."""
    if len(text) not in (3, 4) or not 1 <= int(text[:-2]) <= 12 or int(text[-2:]) > 59:
        return None
    return Clock(int(text[:-2]), int(text[-2:]), half="am" if half[0] == "a" else "pm")


def _halved(face: Clock, half: str) -> Clock | None:
    return Clock(face.hour, face.minute, face.second, half) if face.hour <= 12 else None


def _within(one: object, other: object) -> Clock | None:
    clock, part = (one, other) if isinstance(one, Clock) else (other, one)
    if not isinstance(clock, Clock):
        return None
    return clock.within("noon" if part == "lunchtime" else str(part))


def add_combined(g: Grammar) -> None:
    """Add a day with a time, in either order."""
    g.rule("time", "<exact_time>", "<hours>", to=lambda time: time)
    g.rule("time", "<in_part>", "<named_part>", to=Slice)
    g.rule("said_time", "<time>", "<loose_hours>", to=lambda time: time)
    g.rule(
        "said_time",
        "at|around|about|for|@ <any_time>",
        "at around|about <any_time>",
        to=lambda time: time,
    )
    g.rule("said_time", "at <hours>", "at <loose_hours>", to=lambda time: time)
    g.rule("a_day", "<day>", "on <day>", "<offset>", "the? <nth>", to=lambda node: node)
    g.rule("timed", "<in_part> ,? <a_day> ,? <hours>", to=lambda part, day, time: Timed(time, day))
    g.rule("timed", "<a_day> ,? <said_time>", "<a_day> ,? <in_part> ,? <said_time>", to=_on_day)
    g.rule("colon_face", "<figures> : <minutes>", "<figures> : <minutes> : <minutes>", to=_face)
    g.rule("colon_time", "<colon_face>", to=lambda face: face)
    g.rule("colon_time", "<colon_face> <meridiem>", to=_halved)
    # 2021.9.1-9.12 has no time in it
    g.rule("timed", "<day> - <colon_time>", to=lambda day, time: Timed(time, day))
    g.rule("stamp_day", "<weekday> <month> <dom>", to=lambda w, m, d: (w, m, d))
    g.rule(  # "Wed Oct 26 15:50:06 2016", as programs write it
        "timed",
        "<stamp_day> <clock_face> <year>",
        to=lambda day, face, year: Timed(face, Partial(year, day[1], day[2], day[0])),
    )
    g.rule(
        "timed",
        "on? <weekday> <named_part> <week_like>",
        to=lambda w, part, week: Timed(Slice(part), DayIn(w, week)),
    )
    g.rule(
        "timed",
        "<said_time> ,? of|on? <a_day>",
        "<bare_hour> on <a_day>",
        "<in_part> ,? <a_day>",
        "the? <named_part> of <a_day>",
        to=lambda time, day: _on_day(day, time),
    )
    for words, day, part in (
        ("this morning", 0, "morning"), ("this afternoon", 0, "afternoon"),
        ("this evening", 0, "evening"), ("tonight", 0, "night"), ("this night", 0, "night"),
        ("last night", -1, "night"), ("yesterday evening", -1, "evening"),
        ("tomorrow night", 1, "night"), ("yesterday night", -1, "night"),
        ("last evening", -1, "evening"), ("last morning", -1, "morning"),
        ("last afternoon", -1, "afternoon"), ("early this morning", 0, "early morning"),
        ("late this morning", 0, "late morning"), ("late last night", -1, "late night"),
        ("the night before last", -2, "night"), ("the evening before last", -2, "evening"),
    ):  # fmt: skip
        g.words("day_part", {words: (Unit("day", day), part)})
    for word, shift in (("today", 0), ("yesterday", -1), ("tomorrow", 1)):
        for half, part in (("am|a.m.|a.m", "morning"), ("pm|p.m.|p.m", "afternoon")):
            named = (Unit("day", shift), part)
            g.rule("day_part", f"{word} {half}", to=lambda named=named: named)
        g.rule(
            "day_part",
            f"{word} <named_part>",
            f"{word} in the <named_part>",
            to=lambda part, shift=shift: (Unit("day", shift), part),
        )
    g.rule(
        "day_part",
        "<day> ,? <in_part>",
        "<day> <named_part>",
        "on <day> <named_part>",
        to=lambda day, part: (day, part),
    )
    g.rule("timed", "<day_part>", to=lambda pair: Timed(Slice(pair[1]), pair[0]))
    g.rule(
        "timed",
        "<day_part> ,? at|around|about|from? <said_time>",
        "<day_part> at|around <bare_hour>",
        to=_in_day_part,
    )
    g.rule(
        "timed",
        "<said_time> ,? <day_part>",
        "<bare_hour> ,? <day_part>",
        to=lambda time, pair: _in_day_part(pair, time),
    )
    g.rule("point", "<timed>", "<when>", to=lambda node: node)
    g.rule("point", "<exact_time>", "<hours>", "at? <midnight>", to=Timed)
    g.rule("point", "<in_part>", "<named_part>", to=lambda part: Timed(Slice(part)))
    g.rule("point", "at|around|about <any_time>", "at around|about <any_time>", to=Timed)
    g.words("point", {"now": Now(), "right now": Now(), "the present": Now(), "present": Now(),
                      "at the present time": Now(), "at present": Now(), "at this time": Now(),
                      "at this moment": Now(), "currently": Now(),
                      "at the moment": Now()})  # fmt: skip


def _on_day(day: Node, *times: object) -> Node | None:
    if len(times) == 2:
        part, time = times
        return Timed(_placed(time, str(part)), day)
    (time,) = times
    if isinstance(time, str):
        return Timed(Slice(time), day)
    return Timed(time, day) if isinstance(time, Clock | Slice | Hours | ForHours) else None


def _in_day_part(pair: tuple[Node, str], time: object) -> Node | None:
    day, part = pair
    if part == "night" and isinstance(time, Clock) and not time.half and time.hour < 5:
        return None  # "tonight at 2": before or after midnight
    return Timed(_placed(time, part), day)


def _placed(time: object, part: str) -> TimeOfDay:
    if isinstance(time, Clock):
        return time.within(part)
    if isinstance(time, Hours):
        return Hours(time.start, time.end.within(part))
    return Slice(part)
