"""Dates and reasons in words."""

from __future__ import annotations

from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.model.fact import Cause
from graphmem.model.time import FOREVER, NEVER, Bound, Certainty, Interval, to_micros
from graphmem.retrieval.wording import date_of, day, reason, validity
from graphmem.testing.builders import T0, T1, a_claim, a_fact


def instant(text: str) -> int:
    return to_micros(datetime.fromisoformat(f"{text}+00:00"))


@pytest.mark.parametrize(
    ("first", "last", "words"),
    [
        ("2024-05-03T00:00", "2024-05-03T00:00", "3 May 2024"),
        ("2024-05-01T00:00", "2024-05-31T23:59", "May 2024"),
        ("2024-01-01T00:00", "2024-12-31T23:59", "2024"),
        ("2024-05-03T00:00", "2024-05-09T23:59", "between 3 May 2024 and 9 May 2024"),
        ("2023-12-01T00:00", "2024-02-28T23:59", "between 1 December 2023 and 28 February 2024"),
    ],
)
def test_a_date_is_as_fine_as_it_was_said(first: str, last: str, words: str) -> None:
    """A month is shown as a month, a year as a year."""
    assert date_of(Bound(instant(first), instant(last))) == words


@pytest.mark.parametrize(
    ("zone", "words"),
    [("UTC", "29 February 2024"), ("Asia/Shanghai", "1 March 2024"), ("+09:00", "1 March 2024"),
     ("-0300", "29 February 2024"), ("No/Land", "29 February 2024"), ("..", "29 February 2024")],
)  # fmt: skip
def test_days_are_the_speakers(zone: str, words: str) -> None:
    """Zones by name and by offset; an unknown one reads as UTC."""
    assert day(instant("2024-02-29T18:00"), zone) == words


@given(st.integers(NEVER, FOREVER), st.sampled_from(["UTC", "+14:00", "-12:00", "Asia/Tokyo"]))
def test_every_instant_has_a_day(micros: int, zone: str) -> None:
    """The ends of time are no reason to fail."""
    assert day(micros, zone)


def test_an_assumed_start_reads_by() -> None:
    """A start that nobody stated is only known by its first witness."""
    known_by = a_fact(interval=Interval(Bound(None, T0, stated=False)))
    assert validity(known_by, "current") == "by 14 November 2023"
    unknown = a_fact(interval=Interval(None, Bound(None, T1, stated=False)))
    assert validity(unknown, "ended") == "over by 15 November 2023"


def test_a_reason_counts_how_often_it_was_said() -> None:
    """Corroboration shows in words."""
    said = [(T0, "UTC"), (T1, "UTC"), (T1, "UTC")]
    assert reason(a_fact(), "current", Certainty.LIKELY, said, None) == (
        "likely held then; said on 14 November 2023 and twice since; nothing has ended it"
    )


@pytest.mark.parametrize(
    ("cause", "words"),
    [
        (Cause("superseded", "c9"), "replaced by “I left.”, said on 15 November 2023"),
        (Cause("corrected_by", "c9"), "corrected by “I left.”, said on 15 November 2023"),
        (Cause("withdrawn", None, "a typing error"), "withdrawn: a typing error"),
        (Cause("withdrawn"), "withdrawn"),
    ],
)
def test_a_reason_names_what_ended_it(cause: Cause, words: str) -> None:
    """The rule, the words and their date."""
    claim = a_claim("c9", said=T1, statement="I left.") if cause.claim else None
    told = reason(a_fact(cause=cause), "ended", Certainty.HOLDS, [(T0, "UTC")], claim)
    assert told == f"said on 14 November 2023; {words}"
