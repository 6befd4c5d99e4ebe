"""The time phrases of a Chinese clause, and what they say of a fact before it is dated."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from graphmem.extraction.normalize import (
    Anchor,
    FoundTime,
    Tense,
    TimeReading,
    TimeRole,
    find_times,
    read_time,
)
from graphmem.extraction.patterns.headers import in_header
from graphmem.extraction.patterns.then import points_back
from graphmem.model.time import DAY


class Bearing(StrEnum):
    """What a phrase says of a fact's interval."""

    AT = "at"
    START = "start"
    END = "end"
    RANGE = "range"
    OPEN = "open"
    """A range up to the saying (2020年到现在)."""
    LENGTH = "length"


@dataclass(frozen=True, slots=True)
class Time:
    """A phrase in a clause.

    Attributes:
        begin, stop: its place in the clause's text. phrase: as written.
        bearing: what it says.
        ahead: whether it lies after the saying; None where the verb has to tell.
        open: whether it could as well lie on the other side of the saying (从五月起).
        recent: whether a change then is news: no year is named, or it is within twelve months.
        since: a length up to the saying (五年了), as the phrase of a start; None where it is only
            roughly so long (快五年了).
    """

    begin: int
    stop: int
    phrase: str
    bearing: Bearing
    ahead: bool | None = None
    open: bool = False
    recent: bool = True
    since: str | None = None


_BEARINGS = {
    TimeRole.AT: Bearing.AT,
    TimeRole.START: Bearing.START,
    TimeRole.END: Bearing.END,
    TimeRole.RANGE: Bearing.RANGE,
    TimeRole.LASTING: Bearing.LENGTH,
    TimeRole.LENGTH: Bearing.LENGTH,
}
_OPEN = re.compile(r"(?:到|至)(?:现在|今(?![年晚早晨夏冬春秋后])|如今|目前)")
# 过三年 is mostly the 过 of 做过 and a length.
_HABITS = frozenset({"周末", "早上", "晚上", "中午", "下午", "上午", "白天"})
_YEAR_NAMED = re.compile(r"\d{4}|[〇零一二三四五六七八九]{4}年")
_SO_LONG = re.compile(
    r"(?P<rough>(?:快要?|将近|接近|差不多|大概|大约|少说|不到)*)(?:已经|(?<![成首京帝魔古故])都|足足|整整|有)*(?P<many>好)?"
    r"(?P<n>(?<!\d)\d{1,2}|[一二两三四五六七八九十几半百]+)(?P<some>来|多|几)?(?P<half>个多(?=月|星|礼)|个半(?=月))?"
    r"(?P<unit>年|个月|月(?<=[多半]月)|个?星期|个?礼拜|周|天|辈子)(?P<more>半|多|来)*"
    r"(?=(?:左右)?了[啊呀哦噢哈嘛哟呢吧]*$)"
)


def times_of(text: str, anchor: Anchor) -> list[Time]:
    """Return the time phrases of a clause that can be read, in order."""
    long = _so_long(text)
    found = (
        _time(phrase, anchor) for phrase in find_times(text) if not in_header(text, phrase.begin)
    )
    kept = [time for time in found if time is not None]
    if long is None:
        return kept
    before = [time for time in kept if time.stop <= long.begin]
    return [*before, long]


def _so_long(text: str) -> Time | None:
    """Read 五年了 at the end of a clause: a length, up to the saying."""
    found = _SO_LONG.search(text)
    if found is None:
        return None
    begin, stop = found.start(), text.index("了", found.end()) + 1
    vague = any(found.group("rough", "many", "some", "half", "more"))
    exact = not vague and "几" not in found.group("n") and found.group("unit") != "辈子"
    since = text[found.start("n") : stop] if exact else None
    return Time(begin, stop, text[begin:stop], Bearing.LENGTH, since=since)


def _time(found: FoundTime, anchor: Anchor) -> Time | None:
    phrase = found.phrase
    coming = read_time(phrase, anchor, Tense.FUTURE)
    reading = read_time(phrase, anchor) or coming  # 三天后 is read only as a plan
    if phrase in _HABITS or phrase.startswith(("过", "過")):
        return None
    if reading is None:
        return _undated(found)
    bearing = Bearing.OPEN if _OPEN.search(phrase) else _BEARINGS[reading.role]
    open_date = coming is not None and coming != reading
    ahead = _ahead(reading, anchor)
    if open_date and coming is not None:
        both = bearing in {Bearing.START, Bearing.END}
        ahead = _nearer(reading, coming, anchor) if both else None
    recent = not _YEAR_NAMED.search(phrase) or (
        reading.start is not None and reading.start.last > anchor.at - 366 * DAY
    )
    since = phrase if reading.role is TimeRole.LASTING else None
    return Time(found.begin, found.stop, phrase, bearing, ahead, open_date, recent, since)


def _undated(found: FoundTime) -> Time | None:
    """Keep a phrase that tells a date the reader declines to compute (几年前, 周五 on a Friday)."""
    if points_back(found.phrase):
        return Time(found.begin, found.stop, found.phrase, Bearing.START, False)
    if re.fullmatch(r"(?:好|十)?(?:几|多)个?(?:年|月|天|周|星期)(?:以|之)?前", found.phrase):
        bearing, ahead, recent = Bearing.AT, False, "年" not in found.phrase
    elif re.fullmatch(r"(?:周|星期|礼拜)[一二三四五六日天]", found.phrase):
        bearing, ahead, recent = Bearing.AT, None, True
    else:
        return None
    return Time(found.begin, found.stop, found.phrase, bearing, ahead, recent=recent)


def _ahead(reading: TimeReading, anchor: Anchor) -> bool | None:
    span = reading.start if reading.start is not None else reading.end
    if span is None:
        return None
    if span.first > anchor.at:
        return True
    return False if span.after <= anchor.at else None


def _nearer(past: TimeReading, coming: TimeReading, anchor: Anchor) -> bool | None:
    """Say which of two readings of a start is clearly nearer to the saying."""
    before, after = past.start or past.end, coming.start or coming.end
    if before is None or after is None:
        return None
    back, ahead = anchor.at - before.first, after.first - anchor.at
    if 2 * ahead < back:
        return True
    return False if 2 * back < ahead else None


def ends_of(phrase: str) -> tuple[str, str]:
    """Return the two ends of a range phrase as phrases of their own."""
    bare = re.sub(r"^(?:从|從|自)", "", phrase)
    first, last = re.split(r"到|至|~|～|—|(?<=[\d年月日号])-", bare, maxsplit=1)
    return first, re.sub(r"(?:为止|之间|期间)$", "", last)
