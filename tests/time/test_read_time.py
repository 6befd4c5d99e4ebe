"""What single phrases read as: a table of them, and the rules that a table cannot show."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from graphmem.extraction.normalize import Anchor, Tense, TimeReading, TimeRole, read_time
from graphmem.model.time import Grain, Span, from_micros, to_micros

TABLE = Path(__file__).with_name("phrases.tsv")
SAID = datetime(2024, 3, 13, 15, 30)
"""A Wednesday; every phrase of the table is said then, in the zone of its row."""

ROWS = [tuple(line.split("\t")) for line in TABLE.read_text(encoding="utf-8").splitlines()[1:]]


def anchor(said: datetime, zone: str) -> Anchor:
    return Anchor(to_micros(said.replace(tzinfo=ZoneInfo(zone))), zone)


def written(reading: TimeReading | None, zone: str) -> str:
    """Write a reading as the table does: role, start | end, in local time; or the length."""
    if reading is None:
        return "declined"
    text = reading.role.value
    if reading.start is not None:
        text += " " + _span(reading.start, zone)
    if reading.end is not None:
        text += " | " + _span(reading.end, zone)
    if reading.length is not None and reading.start is None:
        text += f" {reading.length[0]:g} {reading.length[1]}"
    return text


def _span(span: Span, zone: str) -> str:
    first, after = _local(span.first, zone), _local(span.after, zone)
    return first if first == after else f"{first}..{after}"


def _local(micros: int, zone: str) -> str:
    moment = from_micros(micros).astimezone(ZoneInfo(zone))
    whole_day = (moment.hour, moment.minute, moment.second) == (0, 0, 0)
    return moment.strftime("%Y-%m-%d" if whole_day else "%Y-%m-%dT%H:%M")


@pytest.mark.parametrize(("zone", "tense", "phrase", "expected"), ROWS)
def test_table(zone: str, tense: str, phrase: str, expected: str) -> None:
    """Each phrase of the table reads as its row says."""
    reading = read_time(phrase, anchor(SAID, zone), Tense(tense))
    assert written(reading, zone) == expected


@pytest.mark.parametrize(
    ("phrase", "grain"),
    [
        ("yesterday", Grain.DAY),
        ("last weekend", Grain.WEEKEND),
        ("last week", Grain.WEEK),
        ("in March", Grain.MONTH),
        ("Q3 2023", Grain.QUARTER),
        ("last summer", Grain.SEASON),
        ("去年", Grain.YEAR),
        ("九十年代", Grain.DECADE),
        ("昨晚", Grain.PART),
        ("昨天上午九点", Grain.HOUR),
        ("yesterday at 9:15 am", Grain.MINUTE),
        ("now", Grain.INSTANT),
        ("early March", Grain.SPAN),
    ],
)
def test_grain_is_as_fine_as_the_words(phrase: str, grain: Grain) -> None:
    """A span knows how finely it was said."""
    reading = read_time(phrase, anchor(SAID, "UTC"))
    assert reading is not None
    assert reading.start is not None
    assert reading.start.grain is grain


def test_tomorrow_is_the_speakers_tomorrow() -> None:
    """Late in the evening in Tokyo, tomorrow at nine is midnight UTC of the next day."""
    said = anchor(datetime(2024, 3, 1, 23, 30), "Asia/Tokyo")
    reading = read_time("tomorrow at 9", said, Tense.FUTURE)
    assert reading is not None
    assert reading.start is not None
    assert reading.start.first == to_micros(datetime(2024, 3, 2, tzinfo=UTC))


@pytest.mark.parametrize(
    ("said", "phrase", "hours"),
    [
        (datetime(2024, 3, 11, 12), "yesterday", 23),
        (datetime(2024, 11, 4, 12), "yesterday", 25),
        (datetime(2024, 11, 5, 12), "yesterday", 24),
    ],
)
def test_days_at_a_change_of_the_clocks(said: datetime, phrase: str, hours: int) -> None:
    """A local day in New York has 23 hours in spring and 25 in autumn."""
    reading = read_time(phrase, anchor(said, "America/New_York"))
    assert reading is not None
    assert reading.start is not None
    assert reading.start.width == hours * 3600 * 10**6


def test_hours_are_counted_on_the_clock() -> None:
    """Three hours after 00:30 in the night when an hour is skipped it is 04:30."""
    said = anchor(datetime(2024, 3, 10, 0, 30), "America/New_York")
    reading = read_time("in 3 hours", said, Tense.FUTURE)
    assert reading is not None
    assert reading.start is not None
    assert reading.start.first - said.at == 3 * 3600 * 10**6


def test_days_are_counted_on_the_calendar() -> None:
    """Three days later is a date, whatever the clocks do in between."""
    said = anchor(datetime(2024, 3, 9, 23, 30), "America/New_York")
    reading = read_time("in 3 days", said, Tense.FUTURE)
    assert written(reading, "America/New_York") == "at 2024-03-12..2024-03-13"


def test_fixed_offsets_are_zones() -> None:
    """A zone may be an offset from UTC."""
    said = Anchor(to_micros(datetime(2024, 3, 1, 20, tzinfo=UTC)), "+09:00")
    reading = read_time("today", said)
    assert reading is not None
    assert reading.start is not None
    assert reading.start.first == to_micros(datetime(2024, 3, 1, 15, tzinfo=UTC))


def test_unknown_zones_are_declined() -> None:
    """Without its zone nobody knows a speaker's day."""
    assert read_time("today", Anchor(0, "Mars/Olympus")) is None


def test_seasons_turn_in_the_south() -> None:
    """Last summer in Sydney was December to February."""
    reading = read_time("last summer", anchor(datetime(2024, 6, 10), "Australia/Sydney"))
    assert written(reading, "Australia/Sydney") == "at 2023-12-01..2024-03-01"


def test_for_the_last_three_years_ends_with_the_turn() -> None:
    """Its start is as fine as its unit, its end is when it was said."""
    said = anchor(datetime(2025, 6, 10, 12), "UTC")
    reading = read_time("for the last three years", said)
    assert reading is not None
    assert reading.role is TimeRole.LASTING
    assert reading.start is not None
    assert reading.end == Span.at(said.at)
    assert (reading.start.grain, reading.length) == (Grain.YEAR, (3.0, "year"))


@pytest.mark.parametrize("phrase", ["2月29日", "29 February", "Feb 29"])
def test_a_leap_day_is_the_nearest_there_is(phrase: str) -> None:
    """The last 29 February before 2023 was in 2020, the next one after it in 2024."""
    said = anchor(datetime(2023, 5, 1), "UTC")
    assert written(read_time(phrase, said), "UTC").startswith("at 2020-02-29")
    assert written(read_time(phrase, said, Tense.FUTURE), "UTC").startswith("at 2024-02-29")


@pytest.mark.parametrize(
    "phrase",
    [
        "", " ", "hello", "may we", "30 February 2020", "2019-02-29", "5/6", "03/04/05", "24/7",
        "week 54", "the 32nd", "25:00", "13 o'clock pm", "中", "第", "十三月", "三月三十二号",
        "腊月三十二",
        "tonight at 2", "农历八月三十一", "q 12", "ramadan", "last Chinese New Year", "那年",
        "before 5/6", "the 0th", "in 0 AD", "99999 years ago", "a million years ago",
    ],
)  # fmt: skip
def test_declined(phrase: str) -> None:
    """What is no date, does not exist, or has two readings is declined."""
    assert read_time(phrase, anchor(SAID, "UTC")) is None
