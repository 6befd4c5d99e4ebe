"""Which kinds of gold the benchmark of dates leaves out, and which it keeps."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from benchmarks import dates_kinds as kinds

DAY = datetime.fromisoformat("2018-07-06T00:00")  # a Friday


def why(text: str, kind: str = "date", *, first: datetime = DAY, hours: float = 24) -> str | None:
    """Return why a phrase with one gold is left out."""
    return kinds.unfit("recognizers_english", text, kind, [(first, first + timedelta(hours=hours))])


def at(hour: int, minute: int = 0) -> datetime:
    return DAY.replace(hour=hour, minute=minute)


@pytest.mark.parametrize(
    ("text", "kind", "first", "reason"),
    [
        ("at 8:30", "time", at(8, 30), kinds.HALF),
        ("seven", "time", at(7), kinds.HALF),
        ("from 5 to 6 on 1st Jan", "datetimerange", at(5), kinds.HALF),
        ("3/7/2017", "date", DAY, kinds.MONTH),
        ("3-7-27", "date", DAY, kinds.MONTH),
        ("friday 7/6", "date", DAY, kinds.MONTH),
        ("tue may 9", "date", DAY, kinds.WEEKDAY),
        ("from 2pm till tomorrow 4:30pm", "datetimerange", at(14), kinds.CLOCK),
        ("the last five days", "daterange", DAY, None),
        ("上月最后五天", "daterange", DAY, kinds.COUNT),
        ("ramadan", "date", DAY, kinds.MOON),
        ("next 4 business days", "daterange", DAY, kinds.BUSINESS),
        ("the same week", "daterange", DAY, kinds.BACK),
        ("中秋节", "date", DAY, kinds.LUNAR),
        ("康熙三年五月", "daterange", DAY, kinds.LUNAR),
        ("8:30 am", "time", at(8, 30), None),
        ("8:30:15 am", "time", at(8, 30), None),
        ("08:30", "time", at(8, 30), None),
        ("in the evening at 7", "time", at(19), None),
        ("15:30", "time", at(15, 30), None),
        ("5 minutes ago", "datetime", at(5), None),
        ("7/13/2018", "date", DAY, None),
        ("2018-7-6", "date", DAY, None),
        ("friday, july 6", "date", DAY, None),
        ("3 days from tuesday", "date", DAY, None),
        ("8-9 am", "timerange", at(8), None),
    ],
)
def test_kinds_without_one_accurate_reading(
    text: str, kind: str, first: datetime, reason: str | None
) -> None:
    """A rule takes its whole kind, and what only looks like it stays."""
    assert why(text, kind, first=first) == reason


@pytest.mark.parametrize(
    ("text", "blurred"),
    [
        ("late March", True),
        ("the end of the year", True),
        ("a few days ago", True),
        ("later this week", True),
        ("三月初", True),
        ("until the end of May", False),
        ("two days later", False),
        ("beginning january 7th", False),
        ("the week beginning february 4", False),
        ("正月初五", False),
    ],
)
def test_blurred_words(text: str, blurred: bool) -> None:
    """Parts of a size that each library chooses are kept apart; ends and starts are not."""
    assert kinds.blurred(text, "recognizers_english", length=False) is blurred
