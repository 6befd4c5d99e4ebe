"""What the judge of extraction calls right, wrong, forbidden, kept and ended, on cases by hand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from benchmarks.extraction_gold import Known, Shape, Snippet, read
from benchmarks.extraction_judge import USER, Before, Result, Score, fits, judge
from graphmem.model.claim import Modality, Polarity
from graphmem.model.entity import Value
from graphmem.model.fact import Fact, Status
from graphmem.model.instants import instant_of
from graphmem.model.ontology import default_ontology
from graphmem.model.time import DAY, Bound, Interval
from graphmem.testing.builders import a_fact, an_entity

ONTOLOGY = default_ontology()
SAID = instant_of("2025-05-14T12:00", "UTC")
Fields = Mapping[str, Any]  # Any: JSON of a label


def a_snippet(**labels: object) -> Snippet:
    """Return a snippet said on 14 May 2025 with the labels given."""
    turn = {"role": "user", "at": "2025-05-14T12:00+00:00", "content": "So it is."}
    row = {"id": "one", "lang": "en", "kinds": ["update"], "zone": "UTC", "turns": [turn]}
    if not labels:
        labels = {"forbidden": [{"subject": "*", "predicate": "*", "object": "*", "why": "x"}]}
    return read({**row, **labels})


def a_shape(subject: str, predicate: str, value: str, **more: object) -> Fields:
    """Return a label's fields."""
    return {"subject": subject, "predicate": predicate, "object": value, **more}


def stored(subject: str, predicate: str, value: str | None, **changes: Any) -> Fact:
    """Return a fact as the memory lists it; the user goes by the id."""  # Any: fields of a fact
    name = USER if subject == "me" else subject
    thing = None if value is None else Value.literal(USER if value == "me" else value)
    about = Value.entity(an_entity(name))
    return a_fact(subject=about, predicate=predicate, object=thing, **changes)


def between(start: str | None, end: str | None = None, *, by: bool = False) -> Interval:
    """Return an interval of whole days; "by" of an assumed start."""
    first = None if start is None else instant_of(start, "UTC")
    last = None if end is None else instant_of(end, "UTC")
    bound = None if first is None else Bound(None if by else first, first, stated=not by)
    return Interval(bound, None if last is None else Bound(last, last))


def is_right(fact: Fact, label: Fields) -> bool:
    """Whether a fact is what a gold label asks for."""
    snippet = a_snippet(gold=[label])
    return fits(fact, snippet.gold[0], snippet, ONTOLOGY)


RIGHT = [
    (stored("me", "lives_in", "York"), a_shape("me", "moved_to|lives_in", "york")),
    (stored("me", "lives_in", "the York"), a_shape("me", "resides_in", "York")),
    (stored("me", "smokes", None), a_shape("me", "smokes", "-")),
    (stored("me", "smokes", None), a_shape("me", "*", "*")),
    (stored("Berit", "runs", "a small ferry"), a_shape("Berit", "runs", "~ferry small")),
    (stored("Sam", "has_manager", "Noor"), a_shape("Noor", "manages_person", "Sam")),
    (stored("Noor", "friend_of", "me"), a_shape("me", "friend_of", "Noor")),
    (stored("me", "likes", "opera", polarity=Polarity.NEGATIVE),
     a_shape("me", "dislikes", "opera")),
    (stored("me", "likes", "opera", polarity=Polarity.NEGATIVE),
     a_shape("me", "likes", "opera", polarity="-")),
    (stored("me", "favourite_dish", "soup"), a_shape("me", "favourite_*", "soup")),
    (stored("me", "lives_in", "York", modality=Modality.PLANNED),
     a_shape("me", "lives_in", "York", modality="planned|possible")),
    (stored("me", "eats", "我们的汤"), a_shape("me", "eats", "汤")),
]  # fmt: skip
WRONG = [
    (stored("Mo", "lives_in", "York"), a_shape("me", "lives_in", "York")),
    (stored("me", "visited", "York"), a_shape("me", "lives_in", "York")),
    (stored("me", "lives_in", "New York"), a_shape("me", "lives_in", "York")),
    (stored("me", "smokes", None), a_shape("me", "smokes", "pipes")),
    (stored("me", "smokes", "pipes"), a_shape("me", "smokes", "-")),
    (stored("Noor", "has_manager", "Sam"), a_shape("Noor", "manages_person", "Sam")),
    (stored("me", "likes", "opera"), a_shape("me", "dislikes", "opera")),
    (stored("me", "likes", "opera"), a_shape("me", "likes", "opera", polarity="-")),
    (stored("me", "lives_in", "York", modality=Modality.PLANNED),
     a_shape("me", "lives_in", "York")),
    (stored("me", "knows", "me"), a_shape("me", "knows", "~e")),
]  # fmt: skip


@pytest.mark.parametrize(("fact", "label"), RIGHT)
def test_what_fits_a_label(fact: Fact, label: Fields) -> None:
    """Any fair wording does, from either side of a relation."""
    assert is_right(fact, label)


@pytest.mark.parametrize(("fact", "label"), WRONG)
def test_what_does_not_fit_a_label(fact: Fact, label: Fields) -> None:
    """Another subject, predicate, value, polarity or modality is another fact."""
    assert not is_right(fact, label)


DATES = [
    ("from", "2025-04", between("2025-04-03"), True),
    ("from", "2025-04", between("2025-05-03"), False),
    ("from", "2025-04", Interval(Bound(SAID - 60 * DAY, SAID)), False),
    ("from", "2025-04", between("2025-04-03", by=True), False),
    ("from", "2025-03|2025-04", between("2025-04-03"), True),
    ("from", "2025-04-03/2025-04-05", between("2025-04-05"), True),
    ("from", "none", between("2025-04-03", by=True), True),
    ("from", "none", between(None, "2025-04-03"), True),
    ("from", "none", between("2025-04-03"), False),
    ("to", "none", between("2025-04-03"), True),
    ("to", "none", between("2025-04-03", "2025-05-01"), False),
    ("to", "over", between("2025-04-03", "2025-05-01"), True),
    ("to", "over", between("2025-04-03", "2025-06-01"), False),
    ("to", "over", between("2025-04-03"), False),
]


@pytest.mark.parametrize(("bound", "wanted", "interval", "right"), DATES)
def test_dates(bound: str, wanted: str, interval: Interval, right: bool) -> None:
    """A bound lies inside a span asked for, with both its readings."""
    fact = stored("me", "lives_in", "York", interval=interval)
    assert is_right(fact, a_shape("me", "lives_in", "York", **{bound: wanted})) is right


def test_a_detail_may_stand_anywhere() -> None:
    """A dose may be in the value, a qualifier or the sentence, but not be lost."""
    label = a_shape("me", "takes_medication", "~zelfarin", detail="10 mg")
    plain = stored("me", "takes_medication", "Zelfarin", statement="The user takes Zelfarin.")
    assert not is_right(plain, label)
    assert is_right(replace(plain, qualifiers=(("dose", "10 mg"),)), label)
    assert is_right(stored("me", "takes_medication", "10 mg of Zelfarin"), label)
    assert is_right(replace(plain, statement="The user takes 10 mg of Zelfarin."), label)


def score(*facts: Fact, known: tuple[Before, ...] = (), **labels: object) -> Score:
    """Judge facts by labels."""
    return judge(a_snippet(**labels), Result(facts=facts, known=known), ONTOLOGY)


GOLD = a_shape("me", "lives_in", "York", **{"from": "2025-04"})


def test_right_missed_and_wrong_are_counted() -> None:
    """What is allowed is right and not asked for; what no label knows is wrong."""
    other = a_shape("me", "works_at", "Larch")
    found = score(
        stored("me", "lives_in", "York", interval=between("2025-04-02")),
        stored("me", "likes", "figs"),
        stored("me", "likes", "dates"),
        gold=[GOLD, other],
        allowed=[a_shape("me", "likes", "figs")],
    )
    assert (found.gold, found.found, found.stored, found.right) == (2, 1, 3, 2)
    assert (found.precision, found.recall) == (0.6667, 0.5)
    assert [error.split()[1] for error in found.errors] == ["wrong", "missed"]


def test_a_wrong_date_is_wrong_and_told_as_such() -> None:
    """It is neither right nor found, and counted as misdated."""
    found = score(stored("me", "lives_in", "York", interval=between("2025-01-02")), gold=[GOLD])
    assert (found.right, found.found, found.misdated) == (0, 0, 1)


def test_another_reading_does_as_well() -> None:
    """A label may have shapes of its own beside it; the fact is found once."""
    label = {**GOLD, "or": [a_shape("York", "home_of", "me")]}
    found = score(stored("York", "home_of", "me"), gold=[label])
    assert (found.right, found.found) == (1, 1)


def test_what_is_forbidden_is_counted_by_its_reason() -> None:
    """Forbidden is whatever polarity and modality it has; a gold fact never is."""
    forbidden = [{**a_shape("me", "*", "*"), "why": "question"}]
    bad = stored("me", "owns", "a boat", modality=Modality.POSSIBLE, polarity=Polarity.NEGATIVE)
    good = stored("me", "lives_in", "York", interval=between("2025-04-02"))
    found = score(bad, good, gold=[GOLD], forbidden=forbidden)
    assert found.forbidden == {"question": 1}
    assert (found.stored, found.right) == (2, 1)


def test_importance_is_told_apart() -> None:
    """A fact of the wrong importance is right, and its weight is not."""
    label = a_shape("me", "allergic_to", "sesame", importance=[7, 10])
    found = [
        score(stored("me", "allergic_to", "sesame", importance=weight), gold=[label])
        for weight in (3, 8)
    ]
    assert [(one.right, one.weighed, one.weighed_right) for one in found] == [(1, 1, 0), (1, 1, 1)]


def test_silence_is_right_where_nothing_is_said() -> None:
    """A snippet without gold asks for nothing wrong."""
    assert (score().silent, score().silent_right) == (1, 1)
    assert score(stored("me", "likes", "figs")).silent_right == 0
    assert score(gold=[GOLD]).silent == 0


def became(fact: Fact, **label: Any) -> Score:
    """Judge what became of a fact that was held from 1 January on."""  # Any: fields of Known
    row = {"id": "k1", **a_shape("me", "lives_in", "Hull"), "said": "2025-01-01", **label}
    snippet = a_snippet(known=[row])
    before = stored("me", "lives_in", "Hull", interval=between("2025-01-01", by=True))
    known: Known = snippet.known[0]
    return judge(snippet, Result(known=(Before(known, before, fact),)), ONTOLOGY)


HELD = stored("me", "lives_in", "Hull", interval=between("2025-01-01", by=True))
ENDED = replace(HELD, interval=Interval(HELD.interval.start, Bound(SAID - DAY, SAID - DAY)))
LATER = replace(HELD, interval=Interval(HELD.interval.start, Bound(SAID + DAY, SAID + DAY)))
RETRACTED = replace(HELD, status=Status.RETRACTED)
FATES: list[tuple[Fact, Fields, bool]] = [
    (HELD, {}, True),
    (ENDED, {}, False),
    (LATER, {}, False),
    (RETRACTED, {}, False),
    (ENDED, {"after": "ended"}, True),
    (HELD, {"after": "ended"}, False),
    (LATER, {"after": "ended"}, False),
    (RETRACTED, {"after": "ended"}, False),
    (ENDED, {"after": "ended", "ended": "2025-05-13"}, True),
    (ENDED, {"after": "ended", "ended": "2025-04"}, False),
    (LATER, {"after": "ended", "ended": "2025-05-15"}, True),
    (RETRACTED, {"after": "retracted"}, True),
    (ENDED, {"after": "retracted"}, False),
    (ENDED, {"after": "gone"}, True),
    (RETRACTED, {"after": "gone"}, True),
    (HELD, {"after": "gone"}, False),
]


@pytest.mark.parametrize(("after", "label", "right"), FATES)
def test_what_became_of_the_known(after: Fact, label: Fields, right: bool) -> None:
    """Kept, ended in time, retracted: as labelled or not; a false end is one of what stays."""
    found = became(after, **label)
    changing = label.get("after", "kept") != "kept"
    assert (not found.errors) is right
    assert (found.updates, found.updates_right) == (changing, changing and right)
    assert (found.kept, found.false_endings) == (not changing, not changing and not right)


def test_anything_may_become_of_some() -> None:
    """Where readings differ nothing is counted."""
    turn = a_shape("me", "likes", "figs")
    row = {"id": "k1", **a_shape("me", "lives_in", "Hull"), "said": "2025-01-01", "after": "any"}
    snippet = a_snippet(known=[row], gold=[turn])
    for after in (HELD, ENDED, RETRACTED):
        found = judge(snippet, Result(known=(Before(snippet.known[0], HELD, after),)), ONTOLOGY)
        assert (found.updates, found.kept, found.false_endings) == (0, 0, 0)


def test_a_plan_that_no_longer_ends_something_leaves_it_kept() -> None:
    """What was to end and goes on after all is no false ending."""
    row = {"id": "k1", **a_shape("me", "lives_in", "Hull"), "said": "2025-01-01"}
    snippet = a_snippet(known=[row])
    found = judge(snippet, Result(known=(Before(snippet.known[0], LATER, HELD),)), ONTOLOGY)
    assert (found.kept, found.false_endings) == (1, 0)


def test_the_end_of_the_known_is_nothing_new() -> None:
    """It is judged as an end, and stored anew only where a label asks for it."""
    row = {"id": "k1", **a_shape("me", "lives_in", "Hull"), "said": "2025-01-01", "after": "ended"}
    plain, asked = (
        a_snippet(known=[row], gold=[label])
        for label in (GOLD, a_shape("me", "lives_in", "Hull", to="over"))
    )
    for snippet, counts in ((plain, (0, 0)), (asked, (1, 1))):
        known = (Before(snippet.known[0], HELD, ENDED),)
        found = judge(snippet, Result(facts=(ENDED,), known=known), ONTOLOGY)
        assert (found.stored, found.right) == counts


def test_scores_add_up() -> None:
    """Precision and recall are over all facts, F1 of the two."""
    whole = Score()
    whole.add(score(stored("me", "lives_in", "York", interval=between("2025-04-02")), gold=[GOLD]))
    whole.add(score(stored("me", "likes", "figs"), gold=[GOLD]))
    whole.add(score(gold=[GOLD]))
    assert (whole.n, whole.precision, whole.recall, whole.f1) == (3, 0.5, 0.3333, 0.4)
    assert len(whole.errors) == 3


def test_a_shape_is_told_in_words() -> None:
    """Errors show what was asked for."""
    shape: Shape = a_snippet(gold=[a_shape("me", "likes", "figs", polarity="-")]).gold[0]
    assert str(shape) == "me; likes; figs -"
