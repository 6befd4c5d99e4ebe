"""Kinds of English sentences known from the field: ways, places, terms, who is meant."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.engine.kit import a_memory
from tests.patterns.telling import drafts, said


@pytest.mark.parametrize(
    ("turns", "wanted"),
    [
        (
            ("I take the bus.", "I stopped taking the bus.", "I'm taking the bus again."),
            ["commutes_by bus", "commutes_by bus /end", "commutes_by bus /change"],
        ),
        (
            ("I take the tram every day.", "I've given up taking the tram."),
            ["commutes_by tram", "commutes_by tram /end"],
        ),
        (
            ("I cycle.", "I stopped cycling.", "I'm cycling again."),
            ["practises cycling", "practises cycling /end", "practises cycling /change"],
        ),
        (
            ("I walk to the office.", "I stopped walking.", "I walk again now."),
            ["commutes_by walking", "commutes_by walking /end", "commutes_by walking /change"],
        ),
        (
            ("I drive to work.", "I've stopped driving."),
            ["commutes_by driving", "commutes_by driving /end"],
        ),
        (
            ("I go to the gym.", "I've stopped going to the gym.", "I'm going to the gym again."),
            ["attends gym", "attends gym /end", "attends gym /change"],
        ),
    ],
)
def test_a_habit_is_taken_up_dropped_and_taken_up_again(
    turns: tuple[str, ...], wanted: list[str]
) -> None:
    """P007: each turn tells its part, whether or not "to work" is said."""
    assert said(*turns) == [f"me {one}" for one in wanted]


@pytest.mark.parametrize(
    "text",
    [
        "I take the bus when it rains.",
        "I take the bus to my mum's.",
        "I sometimes take the bus.",
        "Tomorrow I take the train.",
        "I'm taking the bus.",
        "I might take the bus.",
        "I take the train, then I fall asleep.",
        "I stopped driving.",
        "I'm cycling.",
        "I'm cycling again today.",
        "I'm going to the gym again tomorrow.",
        "I stopped going to the shop.",
    ],
)
def test_one_journey_is_no_habit(text: str) -> None:
    """A journey, or one on some days only, says nothing of how one gets about."""
    assert said(text) == []


def test_somebody_elses_way_to_work_is_not_hers() -> None:
    """That I drive to work tells nothing of what my gran drives for."""
    assert said("I drive to work.", "My gran stopped driving.") == ["me commutes_by driving"]


@pytest.mark.parametrize(
    ("turns", "wanted"),
    [
        (("Mia's desk is B12.", "Mia's desk is C3."), ["Mia desk B12", "Mia desk C3"]),
        (("My locker is number 221 now.",), ["me locker 221"]),
        (("My seat is 14C.",), ["me seat 14C"]),
        (
            ("My tax file is in drawer 1.", "My tax file is in drawer 4 now."),
            ["my tax file kept_in drawer 1", "my tax file kept_in drawer 4"],
        ),
        (
            ("The spare keys are in box B.", "They rattle.", "The spare keys are in box D."),
            ["spare keys kept_in box B", "spare keys kept_in box D"],
        ),
        (
            ("My tax file is in drawer 1.", "It's in drawer 4 now."),
            ["my tax file kept_in drawer 1", "my tax file kept_in drawer 4"],
        ),
    ],
)
def test_whose_desk_is_which_and_what_lies_where(turns: tuple[str, ...], wanted: list[str]) -> None:
    """P002, P016: a number is whose it is; a thing lies in one place at a time."""
    assert said(*turns) == wanted


@pytest.mark.parametrize(
    "turns",
    [
        ("My desk is a mess.",),
        ("My desk is 2 m wide.",),
        ("Mia's desk was B12.",),
        ("My mum is in room 12.",),
        ("The answer is in row 4.",),
        ("The truth is in the box.",),
        ("The choir is on Thursdays.",),
        ("The meeting is in room 12.",),
        ("It is in drawer 4 now.",),
    ],
)
def test_what_tells_no_place_of_a_thing(turns: tuple[str, ...]) -> None:
    """Sizes, people, talks and what nobody named lie nowhere."""
    assert said(*turns) == []


def test_it_may_be_the_box() -> None:
    """Whether the file was moved, or the box it lies in, cannot be told."""
    assert said("My file is in box 2.", "It is in drawer 4 now.") == ["my file kept_in box 2"]


@pytest.mark.parametrize(
    ("text", "wanted", "start", "end"),
    [
        ("The dentist is tomorrow at 9.", "?me has_appointment dentist", "tomorrow at 9", None),
        ("My vet is on Friday at 3pm.", "?me has_appointment vet", "on Friday at 3pm", None),
        ("My job interview is on 3 July.", "?me has_appointment job interview", "on 3 July", None),
        (
            "I have a viewing on Friday at 3pm.",
            "?me has_appointment viewing",
            "on Friday at 3pm",
            None,
        ),
        ("The contract ends next March.", "contract has_status valid", None, "next March"),
        ("My passport expires in August.", "my passport has_status valid", None, "in August"),
        ("Our lease runs out on 3 May 2027.", "my lease has_status valid", None, "on 3 May 2027"),
        ("My visa is valid until June.", "my visa has_status valid", None, "until June"),
    ],
)
def test_what_lies_ahead_is_dated_ahead(
    text: str, wanted: str, start: str | None, end: str | None
) -> None:
    """P097, P103, P104: an appointment is a plan; a paper is valid till its date."""
    assert said(text) == [wanted]
    (draft,) = drafts(text)
    assert (draft.start, draft.end) == (start, end)


@pytest.mark.parametrize(
    "text",
    [
        "The dentist is closed tomorrow.",
        "The dentist was yesterday.",
        "The dentist isn't tomorrow.",
        "The dentist is here tomorrow.",
        "The vet is tomorrow at Finch Street.",
        "The meeting is tomorrow at 9.",
        "My contract ended last March.",
        "My contract might end next March.",
        "My contract doesn't end next March.",
        "My card expires soon.",
        "My visa is valid until next December.",
        "The holidays end next week.",
    ],
)
def test_what_is_over_or_somebody_elses_is_no_date_of_mine(text: str) -> None:
    """Nothing is planned of what was, what may be, and what cannot be dated."""
    assert said(text) == []


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("I've got a new job at Finch Co.", ["me works_at Finch Co /change"]),
        ("I have a new job with Larch & Sons.", ["me works_at Larch & Sons /change"]),
        ("My sister's got a new job at Finch Co.", ["My sister works_at Finch Co /change"]),
        ("I want a new job at Finch Co.", []),
        ("I had a new job at Finch Co.", []),
        ("I've got a new job.", []),
    ],
)
def test_a_new_job_takes_the_place_of_the_old(text: str, wanted: list[str]) -> None:
    """P013: news of a job names the employer from now on."""
    assert said(text) == wanted


@pytest.mark.parametrize(
    ("turns", "wanted"),
    [
        (
            (
                "Priya runs the bakery on Elm Street.",
                "That bakery sources its flour from Rye & Co.",
            ),
            ["Priya runs bakery on Elm Street", "bakery on Elm Street buys_from Rye & Co"],
        ),
        (
            ("I own the café in Bergen.", "The café buys its beans from Norra."),
            ["me owns café in Bergen", "café in Bergen buys_from Norra"],
        ),
        (("Priya runs the bakery on Elm Street with Tom.",), ["Priya runs bakery"]),
        (("Priya runs the bakery on Mondays.",), ["Priya runs bakery"]),
        (("That bakery buys its flour from Rye & Co.",), []),
        (("That man lives in Leeds.",), []),
        (
            (
                "Ida runs the bar on Elm Street. Bo runs the bar on Oak Street.",
                "That bar buys its gin from Rye & Co.",
            ),
            ["Ida runs bar on Elm Street", "Bo runs bar on Oak Street"],
        ),
    ],
)
def test_that_bakery_is_the_one_just_named(turns: tuple[str, ...], wanted: list[str]) -> None:
    """P112: a place tells which is meant, and "that" points back to the only one."""
    assert said(*turns) == wanted


def test_what_points_back_is_written_out() -> None:
    """A statement shown later must not say "that bakery"."""
    read = drafts("Priya runs the bakery on Elm Street.", "That bakery buys its flour from Orrin.")
    assert read[-1].statement == "The bakery on Elm Street buys its flour from Orrin"


def test_a_strike_is_found_along_the_chain(tmp_path: Path) -> None:
    """P112: what is read of three sentences answers the question with its path."""
    turns = (
        "Priya runs the bakery on Elm Street.",
        "That bakery buys its flour from Mill & Sons.",
        "Mill & Sons is on strike.",
        "Mill & Sons makes biscuits.",
    )
    with a_memory(tmp_path / "memory", embedder="none") as memory:
        memory.add([{"role": "user", "content": turn} for turn in turns], user="ana", session="s")
        hits = memory.search("could the strike hit Priya?", user="ana").hits
    assert [fact.predicate for fact in hits[0].path] == ["runs", "buys_from", "has_status"]
    assert {hit.text for hit in hits} >= {turns[0], turns[2]}
    assert turns[3] not in {hit.text for hit in hits}


@pytest.mark.parametrize(
    "turns",
    [
        ("My aunt Berit runs a ferry.", "She hired a deckhand called Mo last week."),
        ("My aunt Berit runs a ferry in Bergen.", "I like figs. She hired Mo."),
        ("My aunt Berit runs a ferry. My dad rang.", "She hired Mo."),
        ("Lena rang. My aunt Berit runs a ferry.", "She hired Mo."),
    ],
)
def test_she_is_the_one_named_right_before(turns: tuple[str, ...]) -> None:
    """P032: a pronoun reaches back to the turn before where only one can be meant."""
    assert [one for one in said(*turns) if "works_at" in one] in (
        ["Mo works_at Berit /change"],
        ["Mo works_at Berit /since"],
    )


@pytest.mark.parametrize(
    "turns",
    [
        ("My aunt Berit runs a ferry and Lena came over.", "She hired Mo."),
        ("My aunt Berit met Lena in town.", "She hired Mo."),
        ("My aunt Berit runs a ferry. Lena rang.", "She hired Mo."),
        ("My aunt Berit runs a ferry. My mum rang.", "She hired Mo."),
        ("My aunt Berit runs a ferry.", "The nurse rang. She hired Mo."),
        ("My aunt Berit runs a ferry.", "Lena rang and she hired Mo."),
        ("My aunt Berit runs a ferry.", "He hired Mo."),
        ("She hired Mo.",),
    ],
)
def test_she_may_be_somebody_else(turns: tuple[str, ...]) -> None:
    """P032: with anybody else in sight, nobody is said to have hired Mo."""
    assert not any("works_at" in one for one in said(*turns))


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("The deadline for the report is 30 June.", ["report deadline 30 June"]),
        ("The deadline is 30 June.", []),
        ("We ship on Fridays.", []),
        ("Ship on Fridays, except for clients in banking.", []),
    ],
)
def test_what_it_is_the_deadline_of_must_be_said(text: str, wanted: list[str]) -> None:
    """A date without its thing, and a habit no relation fits, are left."""
    assert said(text) == wanted


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("I lived in Minsk back then.", ["me lives_in Minsk /end"]),
        ("I lived in Bonn as a child.", ["me lives_in Bonn /end"]),
        ("As a student I worked at Orrin.", ["me works_at Orrin /end"]),
        ("Everyone lived in fear back then.", []),
    ],
)
def test_what_was_once_is_over_and_has_no_date(text: str, wanted: list[str]) -> None:
    """P095: childhood is no date, and no part of a name."""
    assert said(text) == wanted
    assert all(draft.start is None and draft.end is None for draft in drafts(text))
