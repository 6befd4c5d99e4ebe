"""From English tense, aspect and time phrases to forms and bounds."""

from __future__ import annotations

import anyio
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.patterns import turns_of
from graphmem.extraction.patterns import PatternExtractor
from graphmem.extraction.patterns.en import EnglishReader
from graphmem.extraction.patterns.sentences import words
from graphmem.model.claim import Correction, Form, Modality, Polarity
from graphmem.model.draft import Batch, Draft
from graphmem.model.ontology import default_ontology
from graphmem.model.predicate import Predicate

EXTRACTOR = PatternExtractor()


def drafts(text: str, at: str = "2024-06-10") -> tuple[Draft, ...]:
    """Read one user turn said on that day."""
    return anyio.run(EXTRACTOR.extract, Batch(turns=turns_of({"text": text, "at": at}))).drafts


@pytest.mark.parametrize(
    ("text", "form", "start", "end"),
    [
        ("I live in Ely.", Form.STATE, None, None),
        ("I live in Ely now.", Form.STATE, None, None),
        ("I still live in Ely.", Form.SINCE, None, None),
        ("I've lived in Ely since 2019.", Form.SINCE, "since 2019", None),
        ("I've been living in Ely for two years.", Form.SINCE, "for two years", None),
        ("We moved to Ely last month.", Form.SINCE, "last month", None),
        ("We moved to Ely in March.", Form.SINCE, "in March", None),
        ("We moved to Ely in March 2024.", Form.SINCE, "in March 2024", None),
        ("We moved to Ely in March 2019.", Form.CHANGE, "in March 2019", None),
        ("We moved to Ely in 2023.", Form.CHANGE, "in 2023", None),
        ("We've moved to Ely.", Form.CHANGE, None, None),
        ("I'm back in Ely.", Form.CHANGE, None, None),
        ("I lived in Ely from 2018 to 2020.", Form.PAST, "2018", "2020"),
        ("I lived in Ely until 2020.", Form.END, None, "until 2020"),
        ("I used to live in Ely.", Form.END, None, None),
        ("I moved out of Ely in May.", Form.END, None, "in May"),
        ("In 2015 I was living in Ely.", Form.STATE, "In 2015", None),
        ("I'm living in Ely from May to September.", Form.SINCE, "May", "September"),
        ("I lived in Ely.", Form.END, None, None),
        ("I've lived in Ely all my life.", Form.SINCE, None, None),
    ],
)
def test_a_tense_makes_a_form(text: str, form: Form, start: str | None, end: str | None) -> None:
    """Each way of telling where one lives has its form and bounds."""
    (draft,) = drafts(text)
    assert (draft.predicate, draft.form, draft.start, draft.end) == ("lives_in", form, start, end)
    assert (draft.polarity, draft.modality) == (Polarity.POSITIVE, Modality.ASSERTED)


@pytest.mark.parametrize(
    ("text", "form", "modality"),
    [
        ("We're moving to Ely next month.", Form.CHANGE, Modality.PLANNED),
        ("I'm going to move to Ely.", Form.CHANGE, Modality.PLANNED),
        ("We plan to move to Ely in May.", Form.CHANGE, Modality.PLANNED),
        ("We might move to Ely.", Form.CHANGE, Modality.POSSIBLE),
        ("I'm thinking of moving to Ely.", Form.CHANGE, Modality.POSSIBLE),
        ("Maybe we'll move to Ely.", Form.CHANGE, Modality.POSSIBLE),
        ("We're not moving to Ely after all.", Form.CANCEL, Modality.PLANNED),
        ("We've decided not to move to Ely.", Form.CANCEL, Modality.PLANNED),
    ],
)
def test_plans_are_no_facts_yet(text: str, form: Form, modality: Modality) -> None:
    """What is intended, conceivable or called off is marked so."""
    (draft,) = drafts(text)
    assert (draft.predicate, draft.form, draft.modality) == ("lives_in", form, modality)


@pytest.mark.parametrize(
    "text",
    [
        "I don't live in Ely.",
        "I no longer live in Ely.",
        "I don't live in Ely any more.",
        "I’m not living in Ely anymore.",
    ],
)
def test_not_is_a_state_of_its_own(text: str) -> None:
    """A denial holds; it is no ending."""
    (draft,) = drafts(text)
    assert (draft.form, draft.polarity) == (Form.STATE, Polarity.NEGATIVE)


@pytest.mark.parametrize(
    "text", ["I stopped eating meat.", "I've given up meat.", "I quit eating meat in May."]
)
def test_verbs_of_ending_end_the_yes(text: str) -> None:
    """They deny nothing."""
    (draft,) = drafts(text)
    assert (draft.predicate, draft.form, draft.polarity) == ("eats", Form.END, Polarity.POSITIVE)


def test_not_after_all_corrects() -> None:
    """What turned out untrue was never so."""
    (draft,) = drafts("I'm not allergic to kiwi after all.")
    assert draft.polarity is Polarity.NEGATIVE
    assert draft.correction == Correction(value="kiwi")


def test_also_stands_beside() -> None:
    """A second job takes no other's place."""
    (draft,) = drafts("I also work at Larch.")
    assert draft.beside


def test_a_list_gives_one_draft_each() -> None:
    """ "Twi and French" are two."""
    assert [d.object.text for d in drafts("I speak Twi and French.") if d.object] == [
        "Twi",
        "French",
    ]


def test_a_habit_may_be_narrowed() -> None:
    """ "After four" is a qualifier, not a date."""
    (draft,) = drafts("I don't drink coffee after four.")
    assert draft.qualifiers == (("when", "after four"),)
    assert draft.start is None


def test_inverse_relations_have_one_direction() -> None:
    """Whoever is named first, the registry's direction is drafted."""
    (one,) = drafts("Noor is Sam's manager.")
    (other,) = drafts("Sam reports to Noor.")
    assert (one.subject.text, one.predicate) == (other.subject.text, other.predicate)


def test_words_of_ones_own_registry_are_understood() -> None:
    """A surface of an added predicate is read like those that ship."""
    own = Predicate(slug="tunes", surfaces={"en": ("tune",)})
    reader = EnglishReader(default_ontology().extended([own]))
    turn = turns_of({"text": "I tune church organs."})
    read = anyio.run(PatternExtractor(english=reader).extract, Batch(turns=turn))
    assert [(d.predicate, d.object and d.object.text) for d in read.drafts] == [
        ("tunes", "church organs")
    ]


_WORDS = st.sampled_from(
    sorted(
        words(
            "I we she my sister Tilda Sam's is am not live lives in at Ely Larch and , or who"
            " when if to have has been stopped going moved from since 2019 last month a the dog"
            " called nuts allergic maybe don't can't still again . ? ' \" never used quit works"
            " as nurse it that"
        )
    )
)


@settings(max_examples=300, deadline=None)
@given(st.lists(_WORDS, max_size=14))
def test_no_words_break_it(salad: list[str]) -> None:
    """Any salad of words is read without an error, and what comes of it is grounded."""
    text = " ".join(salad)
    for draft in drafts(text or "x"):
        assert draft.quote in text
        assert not (draft.object and draft.object.text == draft.subject.text)


def test_a_clause_without_a_subject_is_stated_with_it() -> None:
    """The quote is the whole sentence; the statement says who."""
    (_, draft) = drafts("I'm vegan and live in Ely.")
    assert draft.quote == "I'm vegan and live in Ely."
    assert draft.statement == "I live in Ely"
