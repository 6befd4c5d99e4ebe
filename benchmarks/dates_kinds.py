"""Which kinds of time expression have no one accurate reading, and which are blurred.

Every rule is about words and their gold, none about a row, and none asks what we read. Each kind
left out has one of these reasons: the words have two readings (the half of the day, the month
among figures), the libraries contradict each other or their own words, or the date is not in the
words at all.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime, timedelta

RECURRING = "recurring times"
NO_TURN = "no turn to count from"
NO_VALUE = "the gold gives no value (seasons, fiscal years, dates that do not exist, …)"
HALF = "a clock time that may be in either half of the day"
MONTH = "figures of which either may be the month, or the year"
LUNAR = "lunar days and months, written as if they were civil"
MOON = "feasts that go by the seen moon"
WEEKDAY = "a weekday that contradicts the gold's date"
CLOCK = "a clock time that contradicts the gold's"
BUSINESS = "working days, which hang on a country's holidays"
COUNT = "a count of days that contradicts the gold's length"
BACK = "words that point back at a date said before (the same week, 当晚)"
SEASON = "seasons and solar terms"
THROUGH = "through a month or year, written up to its beginning"

Gold = tuple[datetime | None, datetime | None]
_CLOCKED = ("time", "timerange", "datetime", "datetimerange", "time_point", "time_span")
_CLOCK = re.compile(
    r"[:：]\d\d|点|时(?![间候])|\bo'?clock\b|\bat\b|\bfrom\b|\bbetween\b|\bto\b|-|^[\w ]+$",
    re.IGNORECASE,
)
_NO_CLOCK = re.compile(
    r"\b(?:ago|hours?|minutes?|mins?|seconds?|secs?|hrs?|now|possible|end of|eod|rest)\b|\dh\b"
    r"|小时|分钟|秒|刻钟|钟头|现在|目前|以前|[前后]半?$",
    re.IGNORECASE,
)
_PAST = re.compile(r"\b(?:past|to) \w+", re.IGNORECASE)
_HALF = re.compile(
    r"(?<![a-z])[ap]\.? ?m\b|\d ?[ap]\b|morning|afternoon|evening|night|noon|day-?time|mid ?-?day"
    r"|lunch|dinner|breakfast|[早晚晨夜午]|凌晨",
    re.IGNORECASE,
)
_TWENTY_FOUR = re.compile(r"(?<![:：])0\d ?[:：]|T\d\d|[零0]时|\b(?:1[3-9]|2[0-4]) ?[:：时点]")
_FIGURES = re.compile(r"(?<!\d)(\d{1,4})([/.,-])(\d{1,2})(?:[/.,-](\d{1,4}))?(?![\d:：])")
_LUNAR = re.compile(
    r"正月|腊月|大年|除夕|初[一二三四五六七八九十]|廿|[春端元中重阳秋午宵]+节|中秋|端午|农历|阴历"
    r"|(?:康熙|雍正|乾隆|嘉庆|道光|咸丰|同治|光绪|宣统|顺治|崇祯|天启|万历|隆庆|嘉靖|正德|弘治|成化"
    r"|天顺|景泰|正统|宣德|洪熙|永乐|建文|洪武|贞观|永徽|神龙|开元|天宝|建安|太康|元嘉|大业|绍兴"
    r"|熙宁|元丰|元祐|崇宁|政和|宣和|靖康|淳熙|庆历)\S{1,5}年"
)
_MOON = re.compile(
    r"\beid|ramadan|breaking the fast|(?:islamic|hijri|arabic) new year|sacrifice|开斋|古尔邦|宰牲"
    r"|diwali|deepavali|holi\b",
    re.IGNORECASE,
)
_BACK = re.compile(
    r"\b(?:same|that)\b|^the (?:day|week|weekend|fortnight|month|year) (?:after|before)$"
    r"|当[日晚天夜月年]|同[年月日]|^第.天|[那该][日天年月晚]|次[日年月]|翌",
    re.IGNORECASE,
)
_BUSINESS = re.compile(r"\b(?:business|working|trading|week) ?days?\b|工作日|交易日", re.IGNORECASE)
_SEASON = re.compile(
    r"[春夏秋冬](?!节)|立[春夏秋冬]|雨水|惊蛰|[春秋]分|谷雨|小满|芒种|[夏冬]至|[小大][暑寒雪]|处暑|白露"
    r"|寒露|霜降"
)
_WEEKDAYS = [
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"\bmon(?:day)?\b|(?:周|星期|礼拜)一", r"\btue(?:s(?:day)?)?\b|(?:周|星期|礼拜)二",
        r"\bwed(?:nesday)?\b|(?:周|星期|礼拜)三", r"\bthu(?:r(?:s(?:day)?)?)?\b|(?:周|星期|礼拜)四",
        r"\bfri(?:day)?\b|(?:周|星期|礼拜)五", r"\bsat(?:urday)?\b|(?:周|星期|礼拜)六",
        r"\bsun(?:day)?\b|(?:周|星期|礼拜)[日天]",
    )
]  # fmt: skip
_COUNTED = re.compile(r"\b(?:from|after|before|later|ago|hence)\b|前|后", re.IGNORECASE)
_DATED = ("date", "datetime", "daterange", "datetimerange", "time_point")
_FACE = re.compile(r"(?<![:\d])(\d{1,2}):(\d\d)(?::\d\d)? ?([ap])\.?m\b", re.IGNORECASE)
_DAYS = re.compile(r"(?:最后|前|后)([一二两三四五六七八九十]|\d+)[天日]")
_THROUGH = re.compile(r"\b(?:through|thru)\b", re.IGNORECASE)


def unfit(
    corpus: str, text: str, kind: str, golds: Sequence[Gold], *, zoned: bool = False
) -> str | None:
    """Return why a phrase has no one accurate reading, or None."""
    checks = (
        (len(golds) > 2 or _either_half(text, kind, golds), HALF),
        (corpus != "jionlp_zh" and _LUNAR.search(text), LUNAR),
        (_MOON.search(text), MOON),
        (corpus == "jionlp_zh" and _SEASON.search(text), SEASON),
        (kind not in ("time", "timerange") and _either_month(text, kind), MONTH),
        (_BACK.search(text), BACK),
        (_other_weekday(text, kind, golds[0]), WEEKDAY),
        (_other_count(text, golds[0]), COUNT),
        (not zoned and _other_clock(text, golds[0]), CLOCK),
        (_BUSINESS.search(text), BUSINESS),
        (_stops_short(text, golds[0]), THROUGH),
    )
    return next((why for found, why in checks if found), None)


def _either_half(text: str, kind: str, golds: Sequence[Gold]) -> bool:
    """Whether a clock time of the twelve hour face stands without a word for its half.

    Recognizers gives such a time two readings in one of its files, and only the first in others.
    """
    if kind not in _CLOCKED:
        return False
    if len(golds) == 2 and (kind in ("time", "timerange") or _half_a_day(*golds)):
        return True
    offset = _NO_CLOCK.search(text) and not _PAST.search(text)
    if _HALF.search(text) or offset or _TWENTY_FOUR.search(text):
        return False
    if kind in ("time_point", "time_span") and not re.search(r"\d[:：]\d\d|点|\d时", text):
        return False
    edges = [edge for gold in golds for edge in gold if edge]
    return any(1 <= edge.hour <= 12 for edge in edges) and bool(_CLOCK.search(text))


def _half_a_day(one: Gold, other: Gold) -> bool:
    pairs = [(a, b) for a, b in zip(one, other, strict=True) if a and b]
    return all(abs(a - b) <= timedelta(hours=24) for a, b in pairs)


def _either_month(text: str, kind: str) -> bool:
    """Whether a date in figures could be read with another part as its month."""
    clocked = kind in ("datetime", "datetimerange")
    for match in _FIGURES.finditer(text):
        first, second, third = match[1], match[3], match[4]
        if len(first) > 2 or (third and len(third) == 3):
            continue
        short = third is not None and len(third) <= 2
        if short and match[2] == "-" and int(second) <= 12:
            return True  # 3-7-27 may begin with its year
        dated = third or match[2] == "/" or not clocked
        small = 1 <= int(first) <= 12 and 1 <= int(second) <= 12
        if dated and small and int(first) != int(second):
            return True
    return False


def _other_weekday(text: str, kind: str, gold: Gold) -> bool:
    named = [day for day, word in enumerate(_WEEKDAYS) if word.search(text)]
    if len(named) != 1 or kind not in _DATED or _COUNTED.search(text):
        return False
    edges = [edge for edge in gold if edge]
    if kind.endswith("range"):
        edges += [edge - timedelta(days=1) for edge in edges]
    else:
        edges = edges[:1]
    return bool(edges) and all(named[0] != edge.weekday() for edge in edges)


def _other_clock(text: str, gold: Gold) -> bool:
    """Whether a clock time in figures, with its half, is none of the gold's."""
    edges = [(edge.hour, edge.minute) for edge in gold if edge]
    named = [
        (int(hour) % 12 + (12 if half in "pP" else 0), int(minute))
        for hour, minute, half in _FACE.findall(text)
    ]
    return any(time not in edges for time in named)


def _other_count(text: str, gold: Gold) -> bool:
    found = _DAYS.search(text)
    first, after = gold
    if found is None or first is None or after is None or first.time() != after.time():
        return False
    count = int(found[1]) if found[1].isdigit() else "零一二三四五六七八九十".find(found[1])
    return (after - first).days != (2 if found[1] == "两" else count)


def _stops_short(text: str, gold: Gold) -> bool:
    after = gold[1]
    return bool(_THROUGH.search(text)) and after is not None and after.day == 1


_EXACT_END = re.compile(
    r"\b(?:to|until|till|through|before|after|by|and) (?:the )?end of\b|\bmid ?-?(?:day|night)\b",
    re.IGNORECASE,
)
_BLUR = re.compile(
    r"\b(?:early|late|mid|few|several|some|many|circa|around|about|approx\w*|roughly)\b"
    r"|\b(?:middle|beginning|start|end) of\b|\bend (?:year|month|week|day)\b|\beo[dwmy]\b|ish\b"
    r"|\bmid(?:morning|afternoon)\b|\blater (?:this|in)\b|\b(?:earlier|later) (?:previous|last)\b"
    r"|初(?![一二三四五六七八九十\d])|[年月季]底|[年月季]末|左右|前后|多|几|约",
    re.IGNORECASE,
)
_ROUGH_LENGTH = re.compile(r"\b(?:more|less) than\b|\b(?:over|under|another|the)\b", re.IGNORECASE)


def blurred(text: str, corpus: str, *, length: bool) -> bool:
    """Whether a library places these words by a size that it chose for itself.

    "Later this week" is one: two files of Recognizers begin it at different times.
    """
    if length and _ROUGH_LENGTH.search(text):
        return True
    return bool(_BLUR.search(_EXACT_END.sub("", text)))
