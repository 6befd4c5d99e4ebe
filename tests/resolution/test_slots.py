"""Which claims speak of the same thing."""

from __future__ import annotations

from dataclasses import replace

from telling import EVENT, MANY, ME, ONE, day, exactly, facts_of, over, shown, tell

from graphmem.model.claim import Correction
from graphmem.model.entity import Value, ValueKind
from graphmem.model.predicate import Cardinality, Predicate
from graphmem.resolution.slots import resolve
from graphmem.resolution.symmetric import resolve_pairs


def test_a_value_held_beside_another_ends_nothing() -> None:
    """ "I also live in B" leaves A."""
    told = [tell("a", "A", said=1), tell("b", "B", said=2, beside=True)]
    assert facts_of(told) == ["A [by 1,)", "B [by 2,)"]


def test_leaving_a_value_held_beside_another_leaves_the_other() -> None:
    """The ending finds the slot its value lies in."""
    told = [
        tell("a", "A", said=1),
        tell("b", "B", said=2, beside=True),
        tell("c", "B", "end", said=5),
    ]
    assert facts_of(told) == ["A [by 1,)", "B [by 2, by 5)"]


def test_a_qualifier_of_the_registry_makes_a_slot() -> None:
    """Weekends elsewhere leave the weekdays' home."""
    told = [
        tell("a", "Leeds", said=1),
        tell("b", "York", said=2, qualifiers=(("when", "weekends"),)),
        tell("c", "Hull", said=3, qualifiers=(("when", "weekends"),)),
    ]
    assert facts_of(told) == ["Hull [by 3,)", "Leeds [by 1,)", "York [by 2, by 3)"]


def test_a_narrower_no_is_an_exception() -> None:
    """ "No coffee after four" leaves the coffee."""
    told = [
        tell("a", "coffee", said=1),
        tell("b", "coffee", no=True, said=2, qualifiers=(("when", "after four"),)),
    ]
    assert facts_of(told, MANY) == ["coffee [by 1,)", "not coffee [by 2,)"]


def test_a_broader_restatement_keeps_the_exception() -> None:
    """Saying again that one drinks coffee does not end the exception."""
    told = [
        tell("a", "coffee", said=1),
        tell("b", "coffee", no=True, said=2, qualifiers=(("when", "after four"),)),
        tell("c", "coffee", said=3),
    ]
    assert facts_of(told, MANY) == ["coffee [by 1,)", "not coffee [by 2,)"]


def test_a_no_without_an_object_ends_each_and_holds_until_the_next_yes() -> None:
    """ "No pets any more", and then a new one."""
    told = [
        tell("a", "Miso", said=1),
        tell("b", "Nori", said=2),
        tell("c", None, no=True, said=5),
        tell("d", "Biscuit", "change", said=9),
    ]
    assert facts_of(told, MANY) == [
        "Biscuit [by 9,)",
        "Miso [by 1, by 5)",
        "Nori [by 2, by 5)",
        "none [by 5, by 9)",
    ]


def test_no_job_takes_the_place_of_a_job() -> None:
    """In a single-valued slot "none" is a value like another."""
    told = [
        tell("a", "Larch", said=1),
        tell("b", None, no=True, said=5),
        tell("c", "Kite", said=9),
    ]
    assert facts_of(told) == ["Kite [by 9,)", "Larch [by 1, by 5)", "none [by 5, by 9)"]


def test_quitting_without_a_name_ends_what_there_is() -> None:
    """ "I quit" ends the present job."""
    told = [tell("a", "Larch", said=1), tell("b", None, "end", said=5)]
    assert facts_of(told) == ["Larch [by 1, by 5)"]


def test_a_wider_place_only_corroborates() -> None:
    """In China, then: still in Hangzhou."""
    china, hangzhou = Value.literal("China"), Value.literal("Hangzhou")
    told = [tell("a", "Hangzhou", said=1), tell("b", "China", said=5)]
    facts = resolve(ME, told, ONE, {hangzhou.key: frozenset({china.key})})
    assert shown(facts) == ["Hangzhou [by 1,)"]
    assert facts[0].claims == ("a", "b")


def test_a_wider_place_stands_where_nothing_narrower_is_known() -> None:
    """Without the town the country is the answer."""
    china, hangzhou = Value.literal("China"), Value.literal("Hangzhou")
    told = [tell("a", "China", said=1), tell("b", "Hangzhou", "change", said=5)]
    facts = resolve(ME, told, ONE, {hangzhou.key: frozenset({china.key})})
    assert shown(facts) == ["China [by 1, by 5)", "Hangzhou [by 5,)"]


def test_details_that_differ_are_two_periods() -> None:
    """A changed dose ends the old one; a mention without a dose corroborates."""
    told = [
        tell("a", "metformin", said=1, qualifiers=(("dose", "50 mg"),)),
        tell("b", "metformin", said=3),
        tell("c", "metformin", "change", said=5, qualifiers=(("dose", "100 mg"),)),
    ]
    facts = resolve(ME, told, MANY)
    assert shown(facts) == ["metformin [by 1, by 5)", "metformin [by 5,)"]
    assert [dict(f.qualifiers)["dose"] for f in facts] == ["50 mg", "100 mg"]
    assert facts[0].claims == ("a", "b")


def test_a_correction_names_the_value_it_takes_back() -> None:
    """ "Not Riga, I meant Cesis" takes Riga's dates."""
    told = [
        tell("a", "Riga", "since", start=1, said=5),
        tell("b", "Cesis", said=6, correction=Correction(value="Riga")),
    ]
    assert facts_of(told) == ["Cesis [1,)", "Riga retracted"]


def test_a_correction_of_a_correction_keeps_the_first_away() -> None:
    """Riga, no, Cesis, no, Valka: Valka alone."""
    told = [
        tell("a", "Riga", said=1),
        tell("b", "Cesis", said=2, correction=Correction()),
        tell("c", "Valka", said=3, correction=Correction()),
    ]
    assert facts_of(told) == ["Cesis retracted", "Riga retracted", "Valka [by 1,)"]


def test_withdrawing_a_correction_brings_back_what_it_took() -> None:
    """Without the correction the first value stands."""
    told = [
        tell("a", "Riga", said=1),
        tell("b", "Cesis", said=2, correction=Correction(), withdrawn=True),
    ]
    assert facts_of(told) == ["Riga [by 1,)"]


def test_a_correction_stays_in_its_session() -> None:
    """What another session said is not meant."""
    told = [
        tell("a", "Riga", said=1, session="s1"),
        tell("b", "Cesis", said=2, session="s2"),
        tell("c", "Valka", said=3, session="s2", correction=Correction()),
    ]
    assert facts_of(told) == ["Cesis retracted", "Riga [by 1, by 2)", "Valka [by 2,)"]


def test_two_dates_are_two_events() -> None:
    """Two visits; a mention without a date is one of them."""
    told = [
        tell("a", "Rome", start=exactly(10), said=20),
        tell("b", "Rome", start=exactly(30), said=40),
        tell("c", "Rome", said=50),
    ]
    facts = resolve(ME, told, EVENT)
    assert [f.claims for f in facts] == [("a",), ("b", "c")]


def test_event_dates_that_agree_are_one() -> None:
    """ "In March" and "on the 10th" are one visit, and the finer counts."""
    told = [
        tell("a", "Rome", start=over(day("2024-03-01"), day("2024-04-01")), said=day("2024-05-01")),
        tell("b", "Rome", start=day("2024-03-10"), said=day("2024-05-02")),
    ]
    facts = resolve(ME, told, EVENT)
    assert len(facts) == 1
    assert facts[0].interval.may_from == day("2024-03-10")


def test_never_holds_until_it_happens() -> None:
    """ "I've never been to Rome", and then a visit."""
    told = [tell("a", "Rome", no=True, said=1), tell("b", "Rome", start=exactly(5), said=6)]
    assert facts_of(told, EVENT)[1] == "not Rome [by 1, 5)"


SPOUSES = Predicate(slug="married_to", cardinality=Cardinality.ONE, symmetric=True)


def test_a_marriage_ends_for_both_when_one_end_marries_again() -> None:
    """The fact holds where both ends say so."""
    ana, ben, cal = (Value(ValueKind.ENTITY, key, key) for key in ("me", "Ben", "Cal"))
    told = [tell("a", "Ben", said=1), tell("b", "Cal", "change", said=5)]
    told = [
        replace(c, link=replace(c.link, object=Value(ValueKind.ENTITY, name, name)))
        for c, name in zip(told, ("Ben", "Cal"), strict=True)
    ]
    facts = resolve_pairs({v.key: v for v in (ana, ben, cal)}, told, SPOUSES)
    assert shown(facts) == ["Ben [by 1, by 5)", "Cal [by 5,)"]
