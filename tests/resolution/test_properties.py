"""What holds of every set of claims."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st
from telling import MANY, ME, ONE, over, shown, tell

from graphmem.model.claim import Form, LinkedClaim, Modality, Polarity
from graphmem.model.fact import Fact, Status
from graphmem.model.predicate import Predicate
from graphmem.model.time import Certainty, Stated
from graphmem.resolution.slots import resolve

LAST = 40
FORMS = ("state", "since", "change", "past", "end", "cancel")


@st.composite
def claim(draw: st.DrawFn, name: str, values: tuple[str, ...], *, noes: bool) -> LinkedClaim:
    """Draw one claim; its bounds are exact or coarse, behind its saying or ahead of it."""
    form = draw(st.sampled_from(FORMS))
    said = draw(st.integers(1, LAST))
    value = draw(st.sampled_from(values))

    def bound() -> int | Stated:
        first = draw(st.integers(0, LAST))
        width = draw(st.sampled_from((0, 0, 3, 8)))
        return over(first, first + width) if width else first

    start = bound() if draw(st.booleans()) else None
    end = bound() if form in ("past", "end", "state") and draw(st.booleans()) else None
    if form == "past" and (start is None or end is None):
        start, end = said, said + 2
    if form == "end":
        start = None
    if isinstance(start, int) and isinstance(end, int) and end <= start:
        end = start + 1
    none = form in ("end", "cancel") and draw(st.integers(0, 5)) == 0
    return tell(
        name,
        None if none else value,
        form,
        said=said,
        start=start,
        end=end,
        no=noes and form in ("state", "since", "past") and draw(st.booleans()),
        planned=draw(st.integers(0, 3)) == 0,
        possible=draw(st.integers(0, 9)) == 0,
        authority=draw(st.sampled_from((100, 100, 100, 80, 50))),
        place=int(name[1:]),
    )


def claims(values: tuple[str, ...], *, noes: bool = False) -> st.SearchStrategy[list[LinkedClaim]]:
    """Draw up to seven claims of one family."""
    return st.integers(1, 7).flatmap(
        lambda n: st.tuples(*(claim(f"c{i}", values, noes=noes) for i in range(n))).map(list)
    )


SINGLE = claims(("A", "B", "C"), noes=True)
YES_NO = claims(("tea",), noes=True)


def facts(told: list[LinkedClaim], predicate: Predicate) -> list[Fact]:
    return resolve(ME, told, predicate)


@given(SINGLE, st.randoms(use_true_random=False))
@settings(max_examples=150, deadline=None)
def test_arrival_plays_no_part_in_a_single_valued_slot(
    told: list[LinkedClaim], random: Random
) -> None:
    """The same claims in any order give the same facts."""
    other = list(told)
    random.shuffle(other)
    assert facts(told, ONE) == facts(other, ONE)


@given(YES_NO, st.randoms(use_true_random=False))
@settings(max_examples=150, deadline=None)
def test_arrival_plays_no_part_in_a_yes_no_slot(told: list[LinkedClaim], random: Random) -> None:
    """The same claims in any order give the same facts."""
    other = list(told)
    random.shuffle(other)
    assert facts(told, MANY) == facts(other, MANY)


@given(SINGLE)
@settings(max_examples=150, deadline=None)
def test_one_value_at_a_time(told: list[LinkedClaim]) -> None:
    """At any instant one held positive fact answers, undated plans and looser readings apart."""
    held = [
        f
        for f in facts(told, ONE)
        if f.status is Status.HELD
        and f.modality is Modality.ASSERTED
        and f.polarity is Polarity.POSITIVE
    ]
    for at in range(-1, LAST + 12):
        here = [f for f in held if f.over(at, at) in (Certainty.HOLDS, Certainty.LIKELY)]
        assert len(here) <= 1, shown(here)


@given(SINGLE)
@settings(max_examples=150, deadline=None)
def test_no_fact_ends_before_it_begins(told: list[LinkedClaim]) -> None:
    """Every held fact has some time of its own, and its bounds are in order."""
    for fact in facts(told, ONE):
        if fact.status is not Status.HELD or fact.interval.end is None:
            continue
        assert fact.interval.may_from < fact.interval.may_until, shown([fact])
        if fact.interval.start is not None:
            assert fact.interval.start.latest <= fact.interval.end.latest, shown([fact])


@given(st.one_of(SINGLE, YES_NO), st.integers(0, 6), st.booleans())
@settings(max_examples=150, deadline=None)
def test_saying_it_again_only_corroborates(told: list[LinkedClaim], index: int, one: bool) -> None:
    """A claim repeated word for word at the same time changes no fact but its evidence."""
    predicate = ONE if one else MANY
    original = told[index % len(told)]
    again = replace(original.claim, id="c9", said=replace(original.claim.said))
    copy = replace(original, claim=again, link=replace(original.link, claim="c9"))
    before = facts(told, predicate)
    after = facts([*told, copy], predicate)
    assert shown(after) == shown(before)


@given(st.one_of(SINGLE, YES_NO), st.integers(0, 6), st.booleans())
@settings(max_examples=150, deadline=None)
def test_a_withdrawn_claim_leaves_no_trace(told: list[LinkedClaim], index: int, one: bool) -> None:
    """With a claim withdrawn, the facts are those of the others."""
    predicate = ONE if one else MANY
    gone = index % len(told)
    without = [c for i, c in enumerate(told) if i != gone]
    marked = [replace(c, withdrawn=i == gone) for i, c in enumerate(told)]
    assert facts(marked, predicate) == facts(without, predicate)


@given(SINGLE)
@settings(max_examples=150, deadline=None)
def test_nothing_that_was_told_vanishes(told: list[LinkedClaim]) -> None:
    """Every claim that tells that something is so is evidence of some fact, of whatever status."""
    resting = {c for f in facts(told, ONE) for c in f.claims}
    for linked in told:
        claim_ = linked.claim
        if claim_.form in (Form.END, Form.CANCEL) or claim_.polarity is Polarity.NEGATIVE:
            continue
        assert claim_.id in resting, (claim_.id, shown(facts(told, ONE)))
