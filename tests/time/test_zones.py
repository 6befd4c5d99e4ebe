"""Zones, summer time, and where weeks begin."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from graphmem.extraction.normalize import Anchor, Tense, read_time
from graphmem.model.time import from_micros, to_micros

NEW_YORK = "America/New_York"


def begins(phrase: str, said: datetime, zone: str, tense: Tense = Tense.PAST) -> str | None:
    """Return where a phrase begins, said as wall time in a zone; in UTC."""
    at = to_micros(said.replace(tzinfo=ZoneInfo(zone)))
    reading = read_time(phrase, Anchor(at, zone), tense)
    if reading is None or reading.start is None:
        return None
    return f"{from_micros(reading.start.first):%Y-%m-%d %H:%M}"


@pytest.mark.parametrize(
    ("said", "day"),
    [
        (datetime(2024, 3, 14, 10), "2024-03-22"),  # a Thursday
        (datetime(2024, 3, 15, 10), "2024-03-22"),
        (datetime(2024, 3, 16, 10), "2024-03-22"),  # a Saturday
        (datetime(2024, 3, 17, 10), "2024-03-22"),
        (datetime(2024, 3, 18, 10), "2024-03-29"),
    ],
)
@pytest.mark.parametrize("phrase", ["next Friday", "下周五"])
def test_next_friday_is_the_friday_of_next_week(phrase: str, said: datetime, day: str) -> None:
    """Whatever the day it is said on; weeks begin on Monday."""
    assert begins(phrase, said, "UTC", Tense.FUTURE) == f"{day} 00:00"


@pytest.mark.parametrize(
    ("phrase", "day"),
    [
        ("this week", "2024-03-11"),
        ("last week", "2024-03-04"),
        ("这周", "2024-03-11"),
        ("上周", "2024-03-04"),
        ("这周日", "2024-03-17"),
        ("last Sunday", "2024-03-10"),
        ("上周日", "2024-03-10"),
    ],
)
@pytest.mark.parametrize("said", [datetime(2024, 3, 11, 9), datetime(2024, 3, 17, 23)])
def test_a_week_runs_from_monday_to_sunday(phrase: str, day: str, said: datetime) -> None:
    """Said on its Monday or on its Sunday, it is the same week."""
    assert begins(phrase, said, "UTC") == f"{day} 00:00"


@pytest.mark.parametrize(
    ("phrase", "said", "begin"),
    [
        ("yesterday at 2:30am", datetime(2024, 3, 11, 9), "2024-03-10 07:30"),
        ("yesterday at 1:30am", datetime(2024, 11, 4, 9), "2024-11-03 05:30"),
        ("昨天凌晨2点半", datetime(2024, 3, 11, 9), "2024-03-10 07:30"),
        ("昨天凌晨1点半", datetime(2024, 11, 4, 9), "2024-11-03 05:30"),
    ],
)
def test_hours_that_the_clocks_skip_or_have_twice(phrase: str, said: datetime, begin: str) -> None:
    """A skipped hour is read as if the clocks had not changed yet; of two the first is meant."""
    assert begins(phrase, said, NEW_YORK) == begin


@pytest.mark.parametrize(
    ("phrase", "begin"),
    [
        ("yesterday at 3pm", "2024-07-09 19:00"),
        ("yesterday at 3pm UTC", "2024-07-09 15:00"),
        ("yesterday at 3pm PST", "2024-07-09 23:00"),
        ("yesterday at 3pm GMT+2", "2024-07-09 13:00"),
        ("yesterday at 3pm London time", "2024-07-09 14:00"),
        ("2024-07-09T15:00:00Z", "2024-07-09 15:00"),
        ("2024-07-09T15:00:00+08:00", "2024-07-09 07:00"),
        ("北京时间昨天下午三点", "2024-07-09 07:00"),
        ("纽约时间昨天下午三点", "2024-07-09 19:00"),
    ],
)
def test_a_time_may_be_said_in_another_zone(phrase: str, begin: str) -> None:
    """A zone that is named counts, with its own day and its own summer time."""
    assert begins(phrase, datetime(2024, 7, 10, 9), NEW_YORK) == begin


@pytest.mark.parametrize(
    "phrase", ["3pm CST", "9am IST", "yesterday at 3pm Eastern time", "当地时间下午三点"]
)
def test_zones_of_several_meanings_are_declined(phrase: str) -> None:
    """A name that more than one zone goes by is not taken for the speaker's own."""
    assert begins(phrase, datetime(2024, 7, 10, 9), NEW_YORK) is None


@pytest.mark.parametrize(
    "phrase",
    [
        "fiscal year 2019", "FY19", "Q1 FY20", "last fiscal year", "school year 2019",
        "Ramadan 2022", "Eid al-Fitr", "Diwali", "Hanukkah", "Chinese New Year 2020",
        "立春", "冬至", "2021年小寒",
        "2020财年", "本财年", "开斋节", "暑假",
    ],
)  # fmt: skip
def test_years_and_feasts_without_a_certain_rule_are_declined(phrase: str) -> None:
    """Fiscal and school years, solar terms, and feasts that go by the moon as it is seen."""
    assert begins(phrase, datetime(2024, 7, 10, 9), "UTC") is None


@pytest.mark.parametrize(
    ("year", "day"),
    [(1999, "04-04"), (2008, "03-23"), (2011, "04-24"), (2019, "04-21"), (2024, "03-31")],
)
def test_easter_follows_from_the_year(year: int, day: str) -> None:
    """So do the days that are counted from it."""
    said = datetime(2025, 1, 1)
    assert begins(f"Easter {year}", said, "UTC") == f"{year}-{day} 00:00"
    friday = datetime.fromisoformat(f"{year}-{day}").replace(tzinfo=UTC)
    assert begins(f"Good Friday {year}", said, "UTC") is not None
    assert str(begins(f"{year}年复活节", said, "UTC")) == f"{friday:%Y-%m-%d} 00:00"
