"""What holds of every reading, on generated text and anchors."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

from hypothesis import assume, given
from hypothesis import strategies as st

from graphmem.extraction.normalize import Anchor, Tense, TimeReading, find_times, read_time
from graphmem.model.time import Grain, Span, from_micros, to_micros

ROWS = Path(__file__).with_name("phrases.tsv").read_text(encoding="utf-8").splitlines()[1:]
PHRASES = [row.split("\t")[2] for row in ROWS]
WEEK = 7 * 86_400 * 10**6
WORDS = sorted(
    {word for phrase in PHRASES for word in phrase.split()} | set("年月日周前后上下三五到从")
)

phrases = st.sampled_from(PHRASES)
tenses = st.sampled_from(Tense)
zones = st.sampled_from(["UTC", "Asia/Tokyo", "America/New_York", "Asia/Shanghai", "+05:30"])
moments = st.datetimes(min_value=datetime(1980, 1, 1), max_value=datetime(2070, 1, 1)).map(
    lambda moment: to_micros(moment.replace(tzinfo=UTC))
)
anchors = st.builds(Anchor, at=moments, zone=zones)


def _numbered(before: str, digit: str, count: int, after: str) -> str:
    return before + digit * count + after


DIGITS = "0123456789٣४௫๙²①Ⅳ½３〇五十百"
"""Figures of several scripts, and signs that count as figures to some functions."""
texts = st.one_of(
    st.text(max_size=40),
    st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=40),
    st.text(alphabet=DIGITS + " .:/-#年月日号点dth'qh", max_size=24),
    st.builds(
        _numbered,
        st.sampled_from(["", "q ", "h ", "on the ", "in ", "week ", "at ", "-", "第", "12/"]),
        st.sampled_from(DIGITS),
        st.sampled_from([1, 9, 50, 5000]),
        st.sampled_from(["", "th", " days ago", "年", "月3号", ":30", "/2", ".5", " May", "点"]),
    ),
    st.lists(st.sampled_from(WORDS), max_size=8).map(" ".join),
    st.lists(st.sampled_from(WORDS), max_size=8).map("".join),
)


def spans(reading: TimeReading | None) -> list[Span]:
    return [span for span in (reading.start, reading.end) if span] if reading else []


@given(phrases, anchors, tenses)
def test_spans_are_never_inverted(phrase: str, anchor: Anchor, tense: Tense) -> None:
    """No span ends before it begins, and no range ends before it."""
    reading = read_time(phrase, anchor, tense)
    assert all(span.first <= span.after for span in spans(reading))
    if reading and reading.start and reading.end:
        assert reading.start.first <= reading.end.after


@given(texts, anchors, tenses)
def test_no_text_breaks_it(text: str, anchor: Anchor, tense: Tense) -> None:
    """Any text is read or declined, and searched."""
    read_time(text, anchor, tense)
    find_times(text)


@given(texts)
def test_found_phrases_are_where_they_say(text: str) -> None:
    """Offsets are those of the text given; phrases do not overlap and are in order."""
    place = 0
    for found in find_times(text):
        assert place <= found.begin < found.stop <= len(text)
        assert text[found.begin : found.stop] == found.phrase
        place = found.stop


WEEKLY = [
    "last Friday", "next Monday", "this Sunday", "on Tuesday", "the coming Thursday", "this week",
    "last week", "the week after next", "the weekend", "last weekend", "next weekend", "yesterday",
    "the day after tomorrow", "three days ago", "in 10 days", "two weeks ago", "in three weeks",
    "a week from tomorrow", "two Sundays ago", "Friday next week", "since Monday", "until Friday",
    "by Friday", "before last Monday", "after next Tuesday", "from Monday to Wednesday",
    "next week from Monday to Friday", "for the last two weeks", "in the past 10 days",
    "over the next three days", "tomorrow at 9", "last night at 11pm", "Tuesday morning",
    "between 3 and 5pm on Monday", "in 45 minutes", "two hours ago", "at noon", "3pm UTC",
    "上周三", "上上周三", "下周日", "这周", "下下周一", "周四", "上周末", "前天下午三点", "大后天",
    "三天前", "十天后", "两周前", "上周一到这周三", "从周一开始", "到下周五", "最近两周",
    "昨晚八点", "明天上午9点到11点", "五分钟前", "周五之前", "上周五以后",
]  # fmt: skip
"""Words that count by days, weeks and hours only."""


@given(st.sampled_from(WEEKLY), moments, st.integers(min_value=-300, max_value=300), tenses)
def test_weeks_later_it_is_weeks_later(phrase: str, at: int, weeks: int, tense: Tense) -> None:
    """Said some whole weeks later, what counts by days and weeks lies those weeks later."""
    now = read_time(phrase, Anchor(at), tense)
    later = read_time(phrase, Anchor(at + weeks * WEEK), tense)
    moved = [Span(s.first + weeks * WEEK, s.after + weeks * WEEK, s.grain) for s in spans(now)]
    assert moved == spans(later)


@given(
    st.sampled_from(WEEKLY),
    st.datetimes(min_value=datetime(1990, 1, 1), max_value=datetime(2035, 1, 1)),
    st.integers(min_value=-100, max_value=100),
    st.sampled_from(["America/New_York", "Europe/Berlin", "Australia/Sydney"]),
)
def test_weeks_later_on_the_calendar(phrase: str, wall: datetime, weeks: int, zone: str) -> None:
    """The same weekday and clock some weeks later give the same days, summer time or not."""
    moments = (wall, wall + timedelta(weeks=weeks))
    assume(all(_exists(moment, zone) for moment in moments))
    days = [_days(phrase, moment, zone) for moment in moments]
    assert [day + timedelta(weeks=weeks) for day in days[0]] == days[1]


def _exists(wall: datetime, zone: str) -> bool:
    aware = wall.replace(tzinfo=ZoneInfo(zone))
    return aware.astimezone(UTC).astimezone(ZoneInfo(zone)).replace(tzinfo=None) == wall


def _days(phrase: str, wall: datetime, zone: str) -> list[date]:
    """The first days of what a phrase dates; nothing of what is counted by the clock."""
    at = to_micros(wall.replace(tzinfo=ZoneInfo(zone)))
    coarse = (Grain.DAY, Grain.WEEKEND, Grain.WEEK)
    read = (s for s in spans(read_time(phrase, Anchor(at, zone))) if s.grain in coarse)
    return [from_micros(span.first).astimezone(ZoneInfo(zone)).date() for span in read]


@given(phrases, st.datetimes(min_value=datetime(1990, 1, 1), max_value=datetime(2050, 1, 1)))
def test_the_zone_only_moves_it(phrase: str, local: datetime) -> None:
    """The same wall time in another fixed zone gives the same wall times."""
    here = read_time(phrase, Anchor(to_micros(local.replace(tzinfo=UTC))))
    shift = timedelta(hours=9) // timedelta(microseconds=1)
    there = read_time(phrase, Anchor(to_micros(local.replace(tzinfo=UTC)) - shift, "+09:00"))
    assert [span.first for span in spans(here)] == [span.first + shift for span in spans(there)]


@given(phrases, anchors)
def test_done_is_begun(phrase: str, anchor: Anchor) -> None:
    """ "On Friday", "in May": what is open and told as done has begun by then."""
    past = read_time(phrase, anchor, Tense.PAST)
    future = read_time(phrase, anchor, Tense.FUTURE)
    if past != future and past and future and past.start and future.start and not past.end:
        assert past.start.first <= anchor.at
        assert past.start.first <= future.start.first
