"""What a model says a claim does to a known fact holds only where the turn's words bear it out."""

import asyncio
from typing import Any

import pytest

from graphmem.extraction.model import ModelExtractor
from graphmem.model.claim import Correction, Form, Mention, Modality, Polarity
from graphmem.model.draft import Batch, Draft, Extraction, Known, KnownFact
from graphmem.model.ontology import default_ontology
from graphmem.testing.models import ScriptedModel

from .kit import a_batch, a_claim, a_known, a_turn, an_answer, shown

MILLS = a_known("works_at", "Orrin Mills")
ROWING = a_known("practises", "rowing")
HERON = a_known("assigned_to", "Heron", "Ravi")
BO = a_known("has_sibling", "Bo")
TRIP = a_known("plans_to", "visit Ghent", modality=Modality.PLANNED)
PORK = a_known("eats", "pork", polarity=Polarity.NEGATIVE)


def knowing(*facts: KnownFact, **names: Any) -> Known:
    # Any: whatever else is known.
    return Known(me=("Ana",), facts={f"F{n}": fact for n, fact in enumerate(facts, 1)}, **names)


def read(batch: Batch, *claims: dict[str, Any]) -> Extraction:
    model = ScriptedModel([an_answer(*claims)])
    return asyncio.run(ModelExtractor(model, default_ontology()).extract(batch))


def told(text: str, known: Known, claim: dict[str, Any]) -> Extraction:
    return read(a_batch(text, known=known), claim)


def in_short(draft: Draft) -> tuple[object, ...]:
    return (*shown(draft), draft.polarity.value, draft.form.value)


# --- Endings


@pytest.mark.parametrize(
    ("text", "fact", "predicate", "value"),
    [
        ("I quit last week.", MILLS, "works_at", "Orrin Mills"),
        ("They laid me off.", MILLS, "works_at", "Orrin Mills"),
        ("I'm done with Orrin Mills.", MILLS, "works_at", "Orrin Mills"),
        ("我上个月辞职了。", MILLS, "works_at", "Orrin Mills"),
        ("I gave up rowing.", ROWING, "practises", "rowing"),
        ("我不再练 rowing 了。", ROWING, "practises", "rowing"),
        ("We broke up in May.", a_known("partner_of", "Juno"), "partner_of", "Juno"),
        ("我们分手了。", a_known("partner_of", "小满"), "partner_of", "小满"),
        ("The dog died on Monday.", a_known("has_pet", "Vumbo"), "has_pet", "Vumbo"),
        ("Sold it, at last!", a_known("owns", "kayak"), "owns", "kayak"),
    ],
)
def test_a_label_ends_a_fact_whose_value_nobody_names(
    text: str, fact: KnownFact, predicate: str, value: str
) -> None:
    """ "I quit" ends the job that is known, by its own predicate and value."""
    result = told(text, knowing(fact), {"turn": "T1", "quote": text, "ends": "F1"})
    assert [in_short(d) for d in result.drafts] == [("me", predicate, value, "+", "end")]
    assert result.drafts[0].quote == text.rstrip(".。")
    assert result.refused == {}


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("I had soup for lunch.", MILLS),
        ("I work late today.", MILLS),
        ("Work is fine.", MILLS),
        ("I stopped the car.", a_known("has_child", "Juno")),
        ("I don't live in Paris.", a_known("lives_in", "Rome")),
        ("今天的饭不好吃。", MILLS),
        ("我不住青岛。", a_known("lives_in", "烟台")),
        ("下周要加班。", MILLS),
    ],
)
def test_a_turn_that_says_nothing_of_a_fact_does_not_end_it(text: str, fact: KnownFact) -> None:
    """Words of an end and words of the fact are both needed."""
    claim = a_claim(text, "works_at", ends="F1", form="end")
    assert told(text, knowing(fact), claim).refused == {"unwitnessed": 1}
    assert told(text, knowing(fact), {"turn": "T1", "quote": text, "ends": "F1"}).drafts == ()


def test_a_question_ends_nothing() -> None:
    """ "Should I quit?" is no ending, whatever it is labelled."""
    claim = {"turn": "T1", "quote": "Should I quit my job", "ends": "F1"}
    assert told("Should I quit my job?", knowing(MILLS), claim).refused == {"question": 1}


@pytest.mark.parametrize("label", ["F7", "F999", "fact F7", "(F7)"])
def test_an_unknown_label_leaves_a_plain_claim_and_a_note(label: str) -> None:
    """What the claim says itself is kept, with a warning."""
    claim = a_claim("I quit Larch", "works_at", "Larch", form="end", ends=label)
    result = told("I quit Larch.", knowing(MILLS), claim)
    assert [in_short(d) for d in result.drafts] == [("me", "works_at", "Larch", "+", "end")]
    assert result.refused == {"unknown_label": 1}
    assert len(result.notes) == 1
    bare = told("I quit.", knowing(MILLS), {"turn": "T1", "quote": "I quit", "ends": label})
    assert (bare.drafts, bare.refused) == ((), {"unknown_label": 1})


def test_a_fact_of_somebody_else_is_not_ended() -> None:
    """Ravi's assignment does not end because the user's does."""
    claim = a_claim("I was taken off the project", "assigned_to", form="end", ends="F1")
    result = told("I was taken off the project.", knowing(HERON), claim)
    assert (result.drafts, result.refused) == ((), {"unwitnessed": 1})


def test_an_ending_told_from_the_other_end() -> None:
    """ "Noor stopped managing me" is of the relation as it is known."""
    claim = a_claim(
        "Noor stopped managing me", "manages", "me", subject="Noor", form="end", ends="F1"
    )
    known = knowing(a_known("has_manager", "Noor"))
    result = told("Noor stopped managing me in May.", known, claim)
    assert [in_short(d) for d in result.drafts] == [("me", "has_manager", "Noor", "+", "end")]


def test_a_value_in_other_words_is_the_known_one() -> None:
    """ "Orrin" is Orrin Mills where the label says so."""
    claim = a_claim("I left Orrin", "works_at", "Orrin", form="end", ends="F1")
    (draft,) = told("I left Orrin.", knowing(MILLS), claim).drafts
    assert draft.object == Mention("Orrin Mills")


def test_no_longer_stays_a_negative() -> None:
    """ "I don't work there any more" denies, and so ends, the known value."""
    claim = {"turn": "T1", "quote": "I don't work there any more", "ends": "F1", "polarity": "-"}
    (draft,) = told("I don't work there any more.", knowing(MILLS), claim).drafts
    assert in_short(draft) == ("me", "works_at", "Orrin Mills", "-", "state")


def test_an_answer_ends_what_was_asked_about() -> None:
    """ "Still at it?" "No." is of the value in the question."""
    batch = Batch(
        turns=(a_turn("No."),), earlier=(a_turn("Still rowing?", 0),), known=knowing(ROWING)
    )
    (draft,) = read(batch, {"turn": "T1", "quote": "No", "ends": "F1"}).drafts
    assert in_short(draft) == ("me", "practises", "rowing", "+", "end")


def test_a_plan_is_called_off_by_label() -> None:
    """The form stays a cancelling, and the plan a plan."""
    claim = {"turn": "T1", "quote": "The trip is off", "ends": "F1", "form": "cancel"}
    (draft,) = told("The trip is off.", knowing(TRIP), claim).drafts
    assert (draft.form, draft.modality) == (Form.CANCEL, Modality.PLANNED)


def test_what_is_denied_is_not_ended() -> None:
    """ "I eat pork again" is a claim of its own; a label adds nothing."""
    claim = a_claim("I eat pork again", "eats", "pork", ends="F1")
    (draft,) = told("I eat pork again.", knowing(PORK), claim).drafts
    assert in_short(draft) == ("me", "eats", "pork", "+", "state")


def test_a_label_that_the_turn_speaks_of_is_a_word() -> None:
    """Somebody may like F1."""
    claim = a_claim("I gave up F1 for tennis", "practises", "tennis", replaces="F1")
    result = told("I gave up F1 for tennis.", knowing(MILLS), claim)
    assert [in_short(d) for d in result.drafts] == [
        ("me", "practises", "tennis", "+", "state"),
        ("me", "practises", "F1", "+", "end"),
    ]


# --- Replacing


@pytest.mark.parametrize("field", ["replaces", "ends"])
def test_a_new_value_ends_the_one_it_replaces(field: str) -> None:
    """Also of a predicate with many values, and if the old one is not named."""
    known = knowing(a_known("drinks", "coffee"))
    claim = a_claim("I switched to tea", "drinks", "tea", at="on Monday", **{field: "F1"})
    result = told("I switched to tea on Monday.", known, claim)
    assert [in_short(d) for d in result.drafts] == [
        ("me", "drinks", "tea", "+", "state"),
        ("me", "drinks", "coffee", "+", "end"),
    ]
    assert [(d.start, d.end) for d in result.drafts] == [("on Monday", None), (None, "on Monday")]


@pytest.mark.parametrize(
    ("text", "beside"),
    [
        ("I like tea.", False),
        ("I like tea now.", False),
        ("I also like tea instead of water.", True),
        ("我喜欢茶。", False),
    ],
)
def test_a_second_value_does_not_end_the_first(text: str, beside: bool) -> None:
    """A value beside others is one more, whatever the model makes of it."""
    value = "茶" if "茶" in text else "tea"
    claim = a_claim(text, "likes", value, replaces="F1", beside=beside)
    result = told(text, knowing(a_known("likes", "coffee")), claim)
    assert [shown(d) for d in result.drafts] == [("me", "likes", value)]
    assert result.refused == {"unwitnessed": 1}


def test_a_single_value_gives_way_by_itself() -> None:
    """Where there is but one value, the new one is all that is claimed."""
    claim = a_claim("I live in Cork", "lives_in", "Cork", replaces="F1")
    result = told("I live in Cork.", knowing(a_known("lives_in", "Riga")), claim)
    assert [shown(d) for d in result.drafts] == [("me", "lives_in", "Cork")]
    assert result.refused == {}


# --- Corrections


def test_a_label_is_corrected_by_its_value() -> None:
    """ "Sorry, I meant Cork" takes Riga back."""
    claim = a_claim("I meant Cork", "lives_in", "Cork", corrects="F1")
    result = told("Sorry, I meant Cork.", knowing(a_known("lives_in", "Riga")), claim)
    assert [d.correction for d in result.drafts] == [Correction(value="Riga")]


@pytest.mark.parametrize("text", ["I moved to Cork.", "我搬到 Cork 了。"])
def test_a_change_takes_nothing_back(text: str) -> None:
    """Without words of taking back, a label corrects nothing."""
    claim = a_claim(text, "lives_in", "Cork", form="change", corrects="F1")
    result = told(text, knowing(a_known("lives_in", "Riga")), claim)
    assert [d.correction for d in result.drafts] == [None]
    assert result.refused == {"unwitnessed": 1}


def test_no_alone_takes_nothing_back_that_is_not_named() -> None:
    """ "No, I like tea" is not about the coffee."""
    claim = a_claim("I like tea", "likes", "tea", corrects="F1")
    result = told("No thanks. I like tea.", knowing(a_known("likes", "coffee")), claim)
    assert [d.correction for d in result.drafts] == [None]


def test_another_relation_takes_the_wrong_one_back() -> None:
    """ "Bo is not my brother, he's my cousin": that he is a sibling never was."""
    text = "Sorry, that was wrong: Bo is my cousin."
    claim = a_claim("Bo is my cousin", "has_relative", "Bo", corrects="F1")
    result = told(text, knowing(BO), claim)
    assert [in_short(d) for d in result.drafts] == [
        ("me", "has_relative", "Bo", "+", "state"),
        ("me", "has_sibling", "Bo", "-", "state"),
    ]
    assert [d.correction for d in result.drafts] == [None, Correction(value="Bo")]


def test_what_is_known_is_no_source() -> None:
    """A known value that no turn names cannot be claimed."""
    claim = a_claim("I like it", "likes", "rowing")
    assert told("I like it.", knowing(ROWING), claim).refused == {"ungrounded": 1}
