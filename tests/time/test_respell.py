"""Time phrases that are none as they stand: typed badly, or in two pieces."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from graphmem.extraction.normalize import Anchor, find_times, read_time
from graphmem.model.time import to_micros

WEDNESDAY = Anchor(to_micros(datetime(2024, 6, 12, 12, tzinfo=UTC)), "Europe/Dublin")


@pytest.mark.parametrize(
    ("phrase", "meant"),
    [
        ("lats week", "last week"),
        ("yesterdy", "yesterday"),
        ("yesturday", "yesterday"),
        ("since Septembr", "since September"),
        ("nxt mnth", "next month"),
        ("tomorroww", "tomorrow"),
        ("this week, on the Monday", "Monday this week"),
        ("on the Friday of last week", "Friday last week"),
        ("since the Friday of last week", "since Friday last week"),
        ("last year, in August", "August last year"),
        ("last month, on the 20th", "20th of last month"),
        ("for all of last month", "last month"),
        ("April, the whole month", "April"),
        ("上个星期，星期二", "上个星期二"),
        ("前年，九月", "前年九月"),
        ("四月份一整个月", "四月份"),
        ("整个四月", "四月"),
    ],
)
def test_other_ways_to_write_a_phrase_mean_the_same(phrase: str, meant: str) -> None:
    """A slip, or a pause between week and day, does not make a date unknown."""
    reading = read_time(phrase, WEDNESDAY)
    assert reading is not None
    assert reading == read_time(meant, WEDNESDAY)


@pytest.mark.parametrize(
    "phrase",
    [
        "lost month",
        "the lease week",
        "Monday, Friday",
        "in April, on a Monday",
        "three weeks, in April",
        "most of April",
        "last week, at home",
        "上个星期，九月",
        "整个人",
    ],
)
def test_what_has_no_one_meaning_stays_unread(phrase: str) -> None:
    """What could be another word, or two dates, is no date."""
    assert read_time(phrase, WEDNESDAY) is None


def test_a_text_is_not_looked_through_for_slips() -> None:
    """Only what somebody took for a time phrase is read so."""
    assert find_times("We lst met at the nxt bar.") == ()
