"""Times in words."""

from __future__ import annotations

import calendar
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.entrypoints.render import bound_json, fact_json
from graphmem.model.claim import Modality, Polarity, Said
from graphmem.model.dates import date, fact_words, interval_words, iso
from graphmem.model.entity import Value, ValueKind
from graphmem.model.fact import Fact, Status
from graphmem.model.instants import zone_named
from graphmem.model.time import FOREVER, NEVER, Bound, Interval, to_micros


def at(text: str) -> int:
    """Return microseconds of an ISO time, UTC unless it says otherwise."""
    moment = datetime.fromisoformat(text)
    return to_micros(moment if moment.tzinfo else moment.replace(tzinfo=UTC))


def day(text: str) -> Bound:
    """Return a stated bound of day precision."""
    return Bound(at(text), at(text))


def span(first: str, after: str) -> Bound:
    """Return a stated bound somewhere in ``[first, after)``."""
    return Bound(at(first), at(after) - 1)


def by(text: str, seen: str | None = None) -> Bound:
    """Return an assumed bound."""
    return Bound(at(seen) if seen else None, at(text), stated=False)


@pytest.mark.parametrize(
    ("interval", "words"),
    [
        (Interval(span("2024-05-01", "2024-06-01")), "since May 2024"),
        (Interval(span("2024-01-01", "2025-01-01")), "since 2024"),
        (Interval(span("2024-03-01", "2024-06-01")), "since some time between March and May 2024"),
        (Interval(span("1990-01-01", "2000-01-01")), "since the 1990s"),
        (
            Interval(span("2024-12-01", "2025-03-01")),
            "since some time between December 2024 and February 2025",
        ),
        (Interval(span("2018-01-01", "2021-01-01")), "since some time between 2018 and 2020"),
        (Interval(span("2024-05-01", "2024-05-10T09:00")), "since May 2024"),
        (Interval(day("2024-05-03")), "since 3 May 2024"),
        (Interval(day("2024-05-03T10:05")), "since 3 May 2024 10:05"),
        (Interval(by("2024-05-03")), "by 3 May 2024"),
        (
            Interval(span("2024-05-03", "2024-05-10")),
            "since some time between 3 May 2024 and 9 May 2024",
        ),
        (
            Interval(span("2018-01-01", "2019-01-01"), span("2020-01-01", "2021-01-01")),
            "from 2018 until 2020",
        ),
        (
            Interval(by("2024-05-03"), by("2024-06-09", "2024-05-05")),
            "by 3 May 2024, ended by 9 June 2024",
        ),
        (Interval(None, by("2024-06-09")), "ended by 9 June 2024"),
        (Interval(None, day("2024-06-09")), "until 9 June 2024"),
        (Interval(None), "at an unknown time"),
    ],
)
def test_an_interval_in_words(interval: Interval, words: str) -> None:
    """As fine as it is known, and "by" where nobody gave a date."""
    assert interval_words(interval, UTC) == words


def test_the_memorys_zone_is_used() -> None:
    """Midnight in Shanghai is a day there and an hour of the day before in London."""
    interval = Interval(day("2024-05-03T00:00+08:00"))
    assert interval_words(interval, ZoneInfo("Asia/Shanghai")) == "since 3 May 2024"
    assert interval_words(interval, ZoneInfo("Europe/London")) == "since 2 May 2024 17:00"


FACT = Fact(
    id="fact_1",
    record="rec_1",
    subject=Value(ValueKind.ENTITY, "entity_1", "Ana"),
    predicate="lives_in",
    object=Value(ValueKind.TEXT, "text:cork", "Cork"),
    polarity=Polarity.POSITIVE,
    modality=Modality.ASSERTED,
    qualifiers=(("when", "weekends"),),
    statement="Ana lives in Cork.",
    interval=Interval(day("2024-05-03")),
    status=Status.HELD,
    event=False,
    confidence=1.0,
    importance=5,
    said=Said(at("2024-05-04")),
    claims=("claim_1",),
)


@pytest.mark.parametrize(
    ("fact", "words"),
    [
        (FACT, "since 3 May 2024"),
        (replace(FACT, event=True), "on 3 May 2024"),
        (
            replace(FACT, event=True, interval=Interval(span("2024-05-01", "2024-06-01"))),
            "in May 2024",
        ),
        (replace(FACT, event=True, interval=Interval(by("2024-05-03"))), "by 3 May 2024"),
        (
            replace(FACT, event=True, interval=Interval(by("2024-05-03"), by("2024-05-03"))),
            "by 3 May 2024",
        ),
        (replace(FACT, modality=Modality.PLANNED), "planned for 3 May 2024"),
        (replace(FACT, event=True, modality=Modality.PLANNED), "planned on 3 May 2024"),
        (
            replace(FACT, modality=Modality.PLANNED, interval=Interval(by("2024-05-03"))),
            "planned, no date",
        ),
        (replace(FACT, interval=Interval(None)), "at an unknown time"),
    ],
)
def test_a_fact_in_words(fact: Fact, words: str) -> None:
    """Events happen on a date, plans are for one."""
    assert fact_words(fact, UTC) == words


def test_a_fact_as_json_has_stable_fields() -> None:
    """What scripts rely on."""
    assert fact_json(FACT, zone_named("+02:00")) == {
        "id": "fact_1",
        "statement": "Ana lives in Cork.",
        "subject": {"kind": "entity", "id": "entity_1", "text": "Ana"},
        "predicate": "lives_in",
        "object": {"kind": "text", "text": "Cork"},
        "polarity": "+",
        "modality": "asserted",
        "status": "held",
        "qualifiers": {"when": "weekends"},
        "when": "since 3 May 2024 02:00",
        "valid_from": {
            "earliest": "2024-05-03T02:00:00+02:00",
            "latest": "2024-05-03T02:00:00+02:00",
            "stated": True,
            "phrase": None,
        },
        "valid_to": None,
        "event": False,
        "confidence": 1.0,
        "importance": 5,
        "said_at": "2024-05-04T02:00:00+02:00",
        "claims": ["claim_1"],
        "cause": None,
        "record": "rec_1",
        "created_at": "1970-01-01T02:00:00+02:00",
        "expired_at": None,
        "successor": None,
    }


def test_for_ever_has_no_date() -> None:
    """The ends of time are null in JSON."""
    assert (iso(FOREVER, UTC), iso(NEVER, UTC)) == (None, None)
    assert bound_json(None, UTC) is None


@given(st.integers(NEVER, FOREVER), st.integers(0, 10**18), st.booleans())
def test_any_bound_can_be_said(first: int, width: int, stated: bool) -> None:
    """No instant is too far away for words."""
    bound = Bound(first, first + width, stated=stated)
    assert interval_words(Interval(bound), ZoneInfo("Asia/Shanghai"))


@given(st.datetimes(min_value=datetime(1900, 1, 1)), st.sampled_from(["+09:00", "-03:30", "UTC"]))
def test_iso_times_keep_the_instant(moment: datetime, zone: str) -> None:
    """What is printed is the same instant, in the zone asked for."""
    utc = moment.replace(tzinfo=UTC)
    if utc > datetime.max.replace(tzinfo=UTC) - timedelta(days=1):
        return
    text = iso(to_micros(utc), zone_named(zone))
    assert text is not None
    assert datetime.fromisoformat(text) == utc


MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
)  # fmt: skip


@pytest.mark.parametrize("number", range(1, 13))
def test_months_are_named_in_english(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever language the program around it speaks."""
    monkeypatch.setattr(calendar, "month_name", [str(n) for n in range(13)])
    assert date(at(f"2024-{number:02}-03"), UTC) == f"3 {MONTHS[number - 1]} 2024"
