"""The extractor over turns: roles, speakers, references, receipts."""

from __future__ import annotations

from typing import Any

import anyio
import pytest

from benchmarks.patterns import turns_of
from graphmem.extraction.patterns import PatternExtractor
from graphmem.model.claim import Correction, Form
from graphmem.model.draft import Batch, Draft, Extraction, Known
from tests.counting import calls


def extract(*texts: str, known: Known | None = None, **turn: Any) -> Extraction:
    """Read texts as the turns of one call."""
    turns = turns_of({"turns": [{"text": text, **turn} for text in texts]})
    batch = Batch(turns=turns, known=known or Known())
    return anyio.run(PatternExtractor().extract, batch)


def facts(drafts: tuple[Draft, ...]) -> list[tuple[str, str, str | None]]:
    """Return drafts as subject, predicate and object."""
    return [
        (
            "me" if draft.subject.is_self else draft.subject.text,
            draft.predicate,
            draft.object.text if draft.object else None,
        )
        for draft in drafts
    ]


@pytest.mark.parametrize("role", ["assistant", "system", "tool"])
def test_only_people_and_documents_are_believed(role: str) -> None:
    """Other roles give nothing, and are counted."""
    read = extract("I live in Pau.", role=role)
    assert read.drafts == ()
    assert read.refused == {role: 1}


def test_a_named_speaker_speaks_for_herself() -> None:
    """ "I" is who speaks."""
    assert facts(extract("I'm vegan.", speaker="Ida").drafts) == [("Ida", "follows_diet", "vegan")]


def test_one_of_the_users_own_names_is_the_user() -> None:
    """A speaker the memory knows as its user is self."""
    read = extract("I'm vegan.", speaker="ana", known=Known(me=("Ana",)))
    assert read.drafts[0].subject.is_self


def test_nobody_says_i_in_a_document_without_an_author() -> None:
    """The first person of a document is not the user's."""
    assert extract("I live in Pau.", role="document").drafts == ()


def test_a_pronoun_means_the_one_person_just_introduced() -> None:
    """ "She" of the next turn is the aunt."""
    read = extract("My aunt Berit runs a ferry.", "She hired a deckhand called Mo last week.")
    assert facts(read.drafts)[-1] == ("Mo", "works_at", "Berit")


def test_a_pronoun_that_could_mean_two_means_nobody() -> None:
    """Rather nothing than a guess."""
    read = extract("My friends Ada and Bo came over.", "She works at Larch.")
    assert all(draft.predicate != "works_at" for draft in read.drafts)


def test_a_pronoun_is_not_carried_over_a_turn() -> None:
    """Only the turn right before helps."""
    read = extract("My aunt Berit runs a ferry.", "Nice weather today.", "She lives in Cork.")
    assert all(draft.predicate != "lives_in" for draft in read.drafts)


def test_earlier_turns_help_and_give_nothing() -> None:
    """Turns shown for reference are understood, not read again."""
    first, second = turns_of(
        {"turns": [{"text": "My boss is Ann."}, {"text": "She lives in Rye."}]}
    )
    batch = Batch(turns=(second,), earlier=(first,))
    read = anyio.run(PatternExtractor().extract, batch)
    assert facts(read.drafts) == [("Ann", "lives_in", "Rye")]


def test_a_correction_names_what_was_wrong() -> None:
    """ "Not Riga but Cesis" corrects the value Riga in its slot."""
    read = extract("I live in Riga.", "Sorry, not Riga but Cesis.")
    assert facts(read.drafts)[-1] == ("me", "lives_in", "Cesis")
    assert read.drafts[-1].correction == Correction(value="Riga")


@pytest.mark.parametrize(
    ("known", "said"),
    [
        ("I moved from Riga to Cork.", "I moved from Cork to Oslo."),
        ("我从里加搬到了科克。", "我从科克搬到了奥斯陆。"),
    ],
)
def test_a_known_move_does_not_explain_itself(known: str, said: str) -> None:
    """What is known is read without what is known."""
    read = extract(said, known=Known(statements=(known, said)))
    assert read.drafts


def test_a_move_ends_what_is_known_whatever_the_relation() -> None:
    """ "Moved from Heron to Kite" is of projects, if the memory knows Heron as one."""
    known = Known(statements=("Ravi is assigned to Heron.",))
    read = extract("Ravi moved from Heron to Kite.", known=known)
    assert [(draft.predicate, draft.form) for draft in read.drafts] == [
        ("assigned_to", Form.END),
        ("assigned_to", Form.CHANGE),
    ]


def test_of_two_moves_in_a_turn_the_last_is_news() -> None:
    """The earlier one is history."""
    read = extract("In April we moved to Ely. In May we moved to Rye.")
    assert [draft.form for draft in read.drafts] == [Form.CHANGE, Form.SINCE]


def test_a_role_play_is_not_believed() -> None:
    """Nor in the turns after it, until it ends."""
    read = extract(
        "Let's play: I run a zoo on Mars.",
        "I live in a dome and I own ten lions.",
        "OK, end of the game, let's stop playing. I live in Hull.",
    )
    assert facts(read.drafts) == [("me", "lives_in", "Hull")]


def test_what_no_pattern_matched_is_counted() -> None:
    """A statement nothing came of is unmatched; a question is refused."""
    read = extract("The weather ruined our picnic. Is it raining?")
    assert read.unmatched == {"t0": 1}
    assert read.refused == {"question": 1}


def test_what_must_be_remembered_matters_most() -> None:
    """ "Please remember" is kept in its own words if no pattern knows better."""
    read = extract("Please remember: the alarm code is 4711.")
    assert facts(read.drafts) == [("me", "remember", "the alarm code is 4711")]
    assert read.drafts[0].importance == 9


@pytest.mark.parametrize(
    "piece",
    ["I live in Leeds and my sister Tilda works at Larch. ", "a, and ", "<memory>", '"("'],
)
def test_a_turn_eight_times_as_long_takes_about_eight_times_the_work(piece: str) -> None:
    """Prose and nonsense alike are read in linear time."""
    short, long = (calls(lambda n=n: extract(piece * n)) for n in (100, 800))
    assert long < 8 * 2 * short


def test_a_statement_names_whom_a_pronoun_means() -> None:
    """What is shown later must not say "she"."""
    read = extract("My boss is Ann.", "She lives in Rye.")
    assert read.drafts[-1].quote == "She lives in Rye."
    assert read.drafts[-1].statement == "Ann lives in Rye"
