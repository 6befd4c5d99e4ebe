"""Facts stated by their parts."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Any

import pytest

from graphmem import Memory
from graphmem.errors import InputError
from graphmem.model.claim import Modality, Polarity
from graphmem.model.entity import ValueKind
from graphmem.model.time import to_micros
from tests.engine.conftest import Make
from tests.engine.kit import NOW, the, triples, values


def _micros(text: str) -> int:
    return to_micros(datetime.fromisoformat(text).replace(tzinfo=UTC))


def test_without_dates_it_is_a_state_by_then(mem: Memory) -> None:
    """A state begins by the saying and goes on."""
    fact = the(mem.add_fact("me", "lives_in", "Riga", user="ana"))
    assert fact.interval.start is not None
    assert not fact.interval.start.stated
    assert fact.interval.start.latest <= NOW
    assert fact.interval.end is None


def test_with_from_it_began_then(mem: Memory) -> None:
    """A start alone is a change at its date, which ends the value before."""
    mem.add_fact("me", "lives_in", "Riga", user="ana", valid_from="2020-05-01")
    receipt = mem.add_fact("me", "lives_in", "Cork", user="ana", valid_from="2022-05-01")
    assert values(receipt.ended) == {"Riga"}
    assert values(mem.facts(user="ana", valid_at="2021")) == {"Riga"}
    assert values(mem.facts(user="ana", valid_at="2022-05-01")) == {"Cork"}


def test_with_both_it_held_between(mem: Memory) -> None:
    """A start and an end are a closed period."""
    mem.add_fact(
        "me", "lives_in", "Bonn", user="ana", valid_from="2010-01-01", valid_to="2012-01-01"
    )
    assert not mem.facts(user="ana").items
    assert values(mem.facts(user="ana", valid_at="2011")) == {"Bonn"}
    assert not mem.facts(user="ana", valid_at="2012-01-01").items


def test_with_to_alone_it_ended_then(mem: Memory) -> None:
    """An end alone ends what is held, at its date."""
    mem.add_fact("me", "works_at", "Larch", user="ana", occurred_at="2020-01-01")
    receipt = mem.add_fact("me", "works_at", "Larch", user="ana", valid_to="2024-06-01")
    assert values(receipt.ended) == {"Larch"}
    assert values(mem.facts(user="ana", valid_at="2024-05-31")) == {"Larch"}
    assert not mem.facts(user="ana").items


def test_an_end_of_something_never_heard_of_has_no_start(mem: Memory) -> None:
    """What is only known to have ended has an unknown start."""
    mem.add_fact("me", "works_at", "Larch", user="ana", valid_to="2024-06-01")
    (fact,) = mem.facts(user="ana", include_ended=True, valid_at="2024-06-01").items or [None]
    assert fact is None or fact.interval.start is None


def test_a_start_ahead_is_a_plan(mem: Memory) -> None:
    """What is to begin is planned, and leaves what holds now until then."""
    mem.add_fact("me", "works_at", "Larch", user="ana", occurred_at="2024-01-01")
    plan = the(mem.add_fact("me", "works_at", "Heron", user="ana", valid_from="2026-03-01"))
    assert plan.modality is Modality.PLANNED
    assert values(mem.facts(user="ana", valid_at="2025-12-01")) == {"Larch"}
    assert values(mem.facts(user="ana", valid_at="2026-03-02")) == {"Heron"}


def test_an_end_ahead_is_a_planned_end(mem: Memory) -> None:
    """What is to end still holds until then."""
    mem.add_fact("me", "works_at", "Larch", user="ana", valid_to="2026-03-01")
    assert values(mem.facts(user="ana")) == {"Larch"}
    assert not mem.facts(user="ana", valid_at="2026-03-02").items


@pytest.mark.parametrize("name", ["employed_by", "works at", "worksAt", "WORKS-AT", "works_for"])
def test_a_predicate_is_found_by_every_name(mem: Memory, name: str) -> None:
    """Aliases and spellings are one predicate, so a new value ends the old."""
    mem.add_fact("me", "works_at", "Larch", user="ana", occurred_at="2024-01-01")
    mem.add_fact("me", name, "Heron", user="ana")
    assert triples(mem.facts(user="ana")) == {("ana", "works_at", "Heron", "+")}


def test_an_inverse_is_stored_in_one_direction(mem: Memory) -> None:
    """That Larch employs me is that I work at Larch, and is found by either name."""
    mem.add_fact("Larch", "employs", "me", user="ana")
    assert triples(mem.facts(user="ana")) == {("ana", "works_at", "Larch", "+")}
    assert mem.facts(user="ana", subject="Larch", predicate="employs", object="me").total == 1
    assert mem.facts(user="ana", subject="me", predicate="works_at").total == 1


def test_an_opposite_is_a_no(mem: Memory) -> None:
    """Disliking ends liking, and is found as the negative of it."""
    mem.add_fact("me", "likes", "opera", user="ana", occurred_at="2024-01-01")
    receipt = mem.add_fact("me", "dislikes", "opera", user="ana")
    assert values(receipt.ended) == {"opera"}
    assert triples(mem.facts(user="ana")) == {("ana", "likes", "opera", "-")}
    assert mem.facts(user="ana", predicate="dislikes").total == 1
    assert mem.facts(user="ana", predicate="likes", polarity="+").total == 0


def test_a_symmetric_predicate_is_found_from_either_side(mem: Memory) -> None:
    """That Ola knows Per is found by asking for Per."""
    mem.add_fact("Ola", "knows", "Per", user="ana")
    for name in ("Ola", "Per"):
        assert mem.facts(user="ana", predicate="knows", subject=name).total == 1
        assert mem.facts(user="ana", predicate="knows", object=name).total == 1
        assert mem.facts(user="ana", subject=name).total == 1
    again = mem.add_fact("Per", "knows", "Ola", user="ana")
    assert not again.added
    assert mem.facts(user="ana", predicate="knows").total == 1


def test_a_negative_holds_itself(mem: Memory) -> None:
    """A no is a fact, and ends the yes."""
    mem.add_fact("me", "speaks", "Twi", user="ana", occurred_at="2024-01-01")
    mem.add_fact("me", "speaks", "Twi", user="ana", polarity="-")
    (fact,) = mem.facts(user="ana").items
    assert fact.polarity is Polarity.NEGATIVE


def test_a_telling_qualifier_keeps_values_apart(mem: Memory) -> None:
    """Two jobs told apart by their qualifier hold at once."""
    for job, at in (("main", "Larch"), ("side", "Heron")):
        mem.add_fact("me", "works_at", at, user="ana", qualifiers={"job": job})
    assert values(mem.facts(user="ana")) == {"Larch", "Heron"}


@pytest.mark.parametrize("me", ["me", "user", "ana", "我", "I", "Me"])
def test_every_word_for_the_user_means_the_user(mem: Memory, me: str) -> None:
    """The words me, user, 我 and the user's id are the scope's own user."""
    fact = the(mem.add_fact(me, "lives_in", "Riga", user="ana"))
    (view,) = [v for v in mem.entities(user="ana").items if v.entity.is_self]
    assert fact.subject.key == view.entity.id
    assert mem.facts(user="ana", subject=me).total == 1


def test_the_statement_names_the_user(mem: Memory) -> None:
    """A sentence made from parts reads as a sentence about the user."""
    assert the(mem.add_fact("me", "works_at", "Larch", user="ana")).statement.startswith("ana ")
    chinese = the(mem.add_fact("我", "lives_in", "杭州", user="ana"))
    assert chinese.statement.startswith("我")
    assert "杭州" in chinese.statement


def test_a_given_statement_is_the_episode(mem: Memory) -> None:
    """The statement is what the fact rests on, as its source."""
    fact = the(
        mem.add_fact("me", "works_at", "Larch", user="ana", statement="I joined Larch as a cook.")
    )
    (source,) = mem.explain(fact.id, user="ana").sources
    assert source.quote == fact.statement == "I joined Larch as a cook."


def test_a_literal_predicate_gives_a_literal(mem: Memory) -> None:
    """Text values are no entities."""
    fact = the(mem.add_fact("me", "works_as", "cook", user="ana"))
    assert fact.object is not None
    assert fact.object.kind is ValueKind.TEXT


def test_somebody_may_be_named_what_they_are_called(mem: Memory) -> None:
    """A name is no edge from a thing to itself."""
    assert the(mem.add_fact("Tilda", "has_name", "Tilda", user="ana"))


def test_an_event_without_object_is_taken(mem: Memory) -> None:
    """No object means none: "no pets"."""
    mem.add_fact("me", "has_pet", "Biscuit", user="ana", occurred_at="2024-01-01")
    mem.add_fact("me", "has_pet", None, user="ana", polarity="-")
    assert triples(mem.facts(user="ana", predicate="has_pet")) == {("ana", "has_pet", None, "-")}


def test_an_entity_is_accepted_by_its_id(mem: Memory) -> None:
    """The ids that entities() shows are accepted as subject and object."""
    mem.add_fact("Tilda", "works_at", "Larch", user="ana")
    ids = {v.entity.name: v.entity.id for v in mem.entities(user="ana").items}
    mem.add_fact(ids["Tilda"], "visited", ids["Larch"], user="ana")
    assert ("Tilda", "visited", "Larch", "+") in triples(mem.facts(user="ana"))
    assert {v.entity.name for v in mem.entities(user="ana").items} >= {"Tilda", "Larch"}
    assert len(mem.entities(user="ana").items) == len(ids)


def test_a_weaker_source_only_disputes(mem: Memory) -> None:
    """What a weaker source says against a stronger one is disputed, shown on request."""
    mem.add_fact("me", "lives_in", "Riga", user="ana", occurred_at="2024-01-01")
    receipt = mem.add_fact("me", "lives_in", "Cork", user="ana", source="inferred")
    assert values(receipt.disputed) == {"Cork"}
    assert values(mem.facts(user="ana")) == {"Riga"}
    assert values(mem.facts(user="ana", include_disputed=True)) == {"Riga", "Cork"}


def test_of_two_with_one_time_the_later_call_counts(mem: Memory) -> None:
    """Two facts said at one instant are ordered by their calls."""
    for n in range(6):
        mem.add_fact("me", "lives_in", f"Town {n}", user=f"u{n % 3}", occurred_at="2025-01-01")
    for n in range(3):
        assert values(mem.facts(user=f"u{n}")) == {f"Town {n + 3}"}


def test_naive_dates_are_read_in_the_memorys_zone(make: Make) -> None:
    """A naive datetime and a bare date mean the zone the memory was opened with."""
    memory = make(timezone="Asia/Tokyo")
    fact = the(
        memory.add_fact("me", "lives_in", "Riga", user="ana", valid_from=datetime(2024, 3, 1, 9))
    )
    assert fact.interval.start is not None
    assert fact.interval.start.latest == _micros("2024-03-01T00:00")
    other = the(memory.add_fact("me", "works_at", "Larch", user="ana", valid_from="2024-03-01"))
    assert other.interval.start is not None
    assert other.interval.start.earliest == _micros("2024-02-29T15:00")


_BAD: list[tuple[dict[str, Any], str]] = [
    ({"subject": ""}, "subject"),
    ({"subject": "  "}, "subject"),
    ({"object": ""}, "object"),
    ({"predicate": ""}, "predicate"),
    ({"predicate": "!!!"}, "'!!!'"),
    ({"predicate": "p" * 101}, "101"),
    ({"subject": "x" * 2001}, "2001"),
    ({"object": "x" * 3000}, "3000"),
    ({"subject": "Larch", "object": "larch"}, "'Larch'"),
    ({"object": "me"}, "'me'"),
    ({"object": "ana"}, "'ana'"),
    ({"valid_from": "2024-02-01", "valid_to": "2024-01-01"}, "2024-01-01"),
    ({"valid_from": "soon"}, "'soon'"),
    ({"valid_to": "2024-13"}, "'2024-13'"),
    ({"occurred_at": "then"}, "'then'"),
    ({"polarity": "maybe"}, "'maybe'"),
    ({"modality": "wished"}, "'wished'"),
    ({"source": "oracle"}, "'oracle'"),
    ({"confidence": 1.5}, "1.5"),
    ({"importance": 11}, "11"),
    ({"statement": "  "}, "statement"),
    ({"object": "bro\udc00ken"}, "surrogate"),
    ({"qualifiers": {"job": ""}}, "'job'"),
    ({"user": ""}, "user"),
    ({"user": "u" * 600}, "600"),
    ({"tenant": " "}, "tenant"),
]


@pytest.mark.parametrize(("change", "named"), _BAD, ids=[str(c)[:40] for c, _ in _BAD])
def test_what_cannot_be_used_is_refused_with_the_value_named(
    mem: Memory, change: dict[str, Any], named: str
) -> None:
    """A bad part is an InputError that names the value, and nothing is stored."""
    whole: dict[str, Any] = {
        "subject": "me",
        "predicate": "works_at",
        "object": "Larch",
        "user": "ana",
        **change,
    }
    with pytest.raises(InputError, match=re.escape(named)):
        mem.add_fact(whole.pop("subject"), whole.pop("predicate"), whole.pop("object"), **whole)
    assert not mem.facts(user="ana").total


def test_unusual_names_are_kept_whole(mem: Memory) -> None:
    """Quotes, newlines, nulls and other scripts come back as they were given."""
    names = [
        "O'Brien; DROP TABLE facts",
        "a\nb",
        'x"y`z',
        "nul\x00byte",
        "Straße",
        "咪咪",
        "🦜 bird",
    ]
    for name in names:
        mem.add_fact("me", "knows", name, user="ana")
    assert values(mem.facts(user="ana", predicate="knows")) == set(names)
    for name in names:
        assert mem.facts(user="ana", object=name).total == 1
