"""Dates as callers give them."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.errors import InputError
from graphmem.model.instants import instant_of, span_of, zone_given, zone_named, zone_or_utc
from graphmem.model.time import DAY, Grain, to_micros


@pytest.mark.parametrize(
    ("text", "first", "after", "grain"),
    [
        ("2024", "2024-01-01", "2025-01-01", Grain.YEAR),
        ("2024-02", "2024-02-01", "2024-03-01", Grain.MONTH),
        ("2024-12", "2024-12-01", "2025-01-01", Grain.MONTH),
        ("2024-02-29", "2024-02-29", "2024-03-01", Grain.DAY),
    ],
)
def test_text_names_a_stretch_as_fine_as_it_is(
    text: str, first: str, after: str, grain: Grain
) -> None:
    """A year, a month, a day."""
    span = span_of(text, "UTC")
    ends = [to_micros(datetime.fromisoformat(end).replace(tzinfo=UTC)) for end in (first, after)]
    assert ([span.first, span.after], span.grain) == (ends, grain)


def test_naive_values_are_read_in_the_given_zone() -> None:
    """Midnight in Tokyo is nine hours before midnight in Greenwich."""
    for value in (date(2024, 3, 2), datetime(2024, 3, 2), "2024-03-02", "2024-03-02T00:00"):
        assert instant_of(value, "Asia/Tokyo") == instant_of("2024-03-01T15:00Z", "UTC")


def test_a_zone_of_its_own_wins() -> None:
    """An offset in the value is kept, and named."""
    east = datetime(2024, 3, 2, 9, tzinfo=timezone(timedelta(hours=9)))
    assert instant_of(east, "UTC") == instant_of("2024-03-02", "UTC")
    assert zone_given(east, "UTC") == "+09:00"
    assert zone_given("2024-03-02T09:00", "Asia/Tokyo") == "Asia/Tokyo"


def test_the_last_day_there_is_can_be_named() -> None:
    """People write it for "never"."""
    span = span_of("9999-12-31", "UTC")
    assert (span.after - span.first, span.grain) == (DAY, Grain.DAY)


@pytest.mark.parametrize("value", ["", "yesterday", "2024-13", "2024-02-30", "12:00", 5])
def test_what_is_no_date_is_refused_by_name(value: str) -> None:
    """The message names the parameter and the value."""
    with pytest.raises(InputError, match="valid_at"):
        span_of(value, "UTC", "valid_at")


@pytest.mark.parametrize("name", ["Mars/Base", "", "+25:00", "../etc/passwd"])
def test_an_unknown_zone_is_refused(name: str) -> None:
    """The message says what a zone looks like."""
    with pytest.raises(InputError, match="Europe/Riga"):
        zone_named(name)


@given(st.text(max_size=20))
def test_every_zone_name_gives_a_zone(name: str) -> None:
    """What a caller once wrote as a zone never breaks a read."""
    assert zone_or_utc(name) is not None
