"""What a draft's phrases say of its interval: where endings lie, and what lengths give."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from graphmem.extraction.claims import dated
from graphmem.model.claim import Form, Mention, Modality
from graphmem.model.draft import Draft
from graphmem.model.episode import Channel, Episode, Reading, Role, content_digest
from graphmem.model.time import Stated, from_micros, to_micros

SAID = to_micros(datetime(2024, 9, 12, 9, tzinfo=UTC))


def read(form: Form, start: str | None, end: str | None, *, planned: bool = False) -> str:
    """Date a draft said on 12 September 2024; write its form and bounds."""
    content = "I work at Larch."
    turn = Episode(
        id="e1", key=None, session=None, agent=None, place=0, role=Role.USER, speaker=None,
        content=content, occurred_at=SAID, zone="UTC", time_given=True, created_at=SAID,
        channel=Channel.CHAT, digest=content_digest(content), reading=Reading.PENDING,
    )  # fmt: skip
    draft = Draft(
        turn=turn.id,
        quote=turn.content,
        subject=Mention("me"),
        predicate="works_at",
        object=Mention("Larch"),
        modality=Modality.PLANNED if planned else Modality.ASSERTED,
        form=form,
        start=start,
        end=end,
    )
    found, first, last = dated(draft, turn)
    return f"{found.value} {_written(first)} {_written(last)}"


def _written(bound: Stated | None) -> str:
    if bound is None:
        return "-"
    if bound.span is None:
        return "?"
    first, after = (str(from_micros(at))[:10] for at in (bound.span.first, bound.span.after))
    return first if bound.span.first == bound.span.after else f"{first}..{after}"


@pytest.mark.parametrize("phrase", ["at the end of June", "end of June", "六月底", "6月末"])
def test_an_ending_at_the_end_of_june_lies_at_july(phrase: str) -> None:
    """Told of an ending or as the end of a stay, the words name where June ends."""
    assert read(Form.END, None, phrase) == "end - 2024-07-01"
    assert read(Form.END, phrase, None) == "end - 2024-07-01"
    assert read(Form.PAST, "2022", phrase) == "past 2022-01-01..2023-01-01 2024-07-01"


@pytest.mark.parametrize(
    ("phrase", "end"),
    [
        ("until the end of June", "2024-07-01"),
        ("through June", "2024-07-01"),
        ("到六月底", "2024-07-01"),
        ("until June", "2024-06-01..2024-07-01"),
        ("before June", "2024-06-01"),
        ("in June", "2024-06-01..2024-07-01"),
        ("late June", "2024-06-21..2024-07-01"),
        ("for the last three years", "2021-01-01..2022-01-01"),
    ],
)
def test_endings_lie_where_the_words_say(phrase: str, end: str) -> None:
    """An ending lies in the span said, or exactly where words like "through" end."""
    assert read(Form.END, None, phrase) == f"end - {end}"


@pytest.mark.parametrize(
    ("start", "to", "until"),
    [
        ("From 2004", "to 2008", "until 2008"),
        ("from January", "to March", "until March"),
        ("from 2022", "To the end of June", "until the end of June"),
        ("from 2022", "to last Friday", "until last Friday"),
    ],
)
def test_an_end_that_begins_with_to_is_one_that_begins_with_until(
    start: str, to: str, until: str
) -> None:
    """ "From 2004 to 2008" may come in two halves, each with its own little word."""
    assert read(Form.PAST, start, to) == read(Form.PAST, start, until)
    assert "?" not in read(Form.PAST, start, to)
    assert read(Form.STATE, start, to) == read(Form.STATE, start, until)


def test_a_place_after_to_is_no_end() -> None:
    """What cannot be read after "until" cannot be read after "to"."""
    assert read(Form.PAST, "from 2004", "to Rome") == "past 2004-01-01..2005-01-01 ?"


def test_a_planned_ending_lies_ahead() -> None:
    """Leaving at the end of June, said in September, is next year's."""
    assert read(Form.END, None, "at the end of June", planned=True) == "end - 2025-07-01"
    assert read(Form.STATE, None, "until the end of June") == "state - 2025-07-01"


def test_what_begins_at_the_end_of_june_begins_inside_it() -> None:
    """As a start the same words are a span."""
    assert read(Form.CHANGE, "at the end of June", None) == "change 2024-06-21..2024-07-01 -"


@pytest.mark.parametrize(
    ("start", "end", "expected"),
    [
        ("from 2018", "for three years", "past 2018-01-01..2019-01-01 2021-01-01..2022-01-01"),
        ("1 March 2018", "two years", "past 2018-03-01..2018-03-02 2020-03-01..2020-03-02"),
        ("2018", "six months", "past 2018-01-01..2019-01-01 2018-07-01..2019-07-01"),
        ("2018年", "三年", "past 2018-01-01..2019-01-01 2021-01-01..2022-01-01"),
        ("for three years", "until 2021", "past 2018-01-01..2019-01-01 2021-01-01..2022-01-01"),
        ("from 2018 for three years", None, "past 2018-01-01..2019-01-01 2021-01-01..2022-01-01"),
        ("for three years", None, "past ? -"),
        (None, "for three years", "past - ?"),
    ],
)
def test_a_length_gives_the_missing_bound(
    start: str | None, end: str | None, expected: str
) -> None:
    """With one bound and a length both are known; a length alone gives neither."""
    assert read(Form.PAST, start, end) == expected


@pytest.mark.parametrize(
    "phrase", ["for three years", "for the last three years", "三年了", "三年"]
)
def test_what_goes_on_began_so_long_ago(phrase: str) -> None:
    """A since with a length began that long before the turn, as fine as the unit."""
    assert read(Form.SINCE, phrase, None) == "since 2021-01-01..2022-01-01 -"


def test_a_since_of_a_known_length_is_over() -> None:
    """From 2018 and for three years: both ends are known, so it is a closed period."""
    text = read(Form.SINCE, "since 2018", "for three years")
    assert text == "past 2018-01-01..2019-01-01 2021-01-01..2022-01-01"


def test_a_length_of_a_bare_state_dates_nothing() -> None:
    """ "I lived there for three years" may be over, so it says neither when it began nor ended."""
    assert read(Form.STATE, "for three years", None) == "state ? -"


def test_a_state_for_years_now_goes_on() -> None:
    """住了五年了 is a since; its start is as fine as a year."""
    assert read(Form.STATE, "五年了", None) == "since 2019-01-01..2020-01-01 -"
    assert read(Form.STATE, "五年", None) == "state ? -"


def test_lengths_may_lead_out_of_the_calendar() -> None:
    """A bound outside the years 1 to 9999 stays unknown."""
    assert read(Form.PAST, "1950", "for 999 decades") == "past 1950-01-01..1951-01-01 ?"


def test_a_look_back_is_over() -> None:
    """From July to October, told in September as over, was last year; 2025 to June is nonsense."""
    span = "2023-10-01..2023-11-01"
    assert read(Form.PAST, "July", "October") == f"past 2023-07-01..2023-08-01 {span}"
    assert read(Form.PAST, "2025", "June") == "past ? 2024-06-01..2024-07-01"
