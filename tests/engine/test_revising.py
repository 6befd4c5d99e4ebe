"""Correct, retract, restore; and ids that are not there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from graphmem import Memory
from graphmem.errors import InputError, NotFoundError, RefusedError
from graphmem.model.fact import Status
from graphmem.testing.clock import FrozenClock
from tests.engine.kit import day, iso, the, triples, values


def test_retracting_reopens_what_only_it_had_ended(mem: Memory) -> None:
    """The old value goes on when what ended it was never true."""
    old = the(mem.add_fact("me", "lives_in", "Riga", user="ana", occurred_at=day(-9)))
    new = the(mem.add_fact("me", "lives_in", "Cork", user="ana", occurred_at=day(-5)))
    receipt = mem.retract(new.id, user="ana", reason="a joke")
    assert values(receipt.retracted) == {"Cork"}
    held = mem.facts(user="ana").items
    assert [(f.id, f.interval.end) for f in held] == [(old.id, None)]


def test_a_retracted_fact_stays_as_a_record_with_its_reason(mem: Memory) -> None:
    """It is shown on request, and says why."""
    fact = the(mem.add_fact("me", "lives_in", "Riga", user="ana"))
    mem.retract(fact.id, user="ana", reason="a joke")
    assert not mem.facts(user="ana").items
    (kept,) = mem.facts(user="ana", include_retracted=True).items
    assert (kept.id, kept.status) == (fact.id, Status.RETRACTED)
    assert "a joke" in mem.explain(fact.id, user="ana").why


def test_restoring_undoes_a_retraction(mem: Memory) -> None:
    """The fact stands again under its id, and ends again what it had ended."""
    mem.add_fact("me", "lives_in", "Riga", user="ana", occurred_at=day(-9))
    new = the(mem.add_fact("me", "lives_in", "Cork", user="ana", occurred_at=day(-5)))
    before = triples(mem.facts(user="ana", include_ended=True))
    mem.retract(new.id, user="ana")
    receipt = mem.restore(new.id, user="ana")
    assert new.id in {o.fact.id for o in receipt.outcomes}
    assert [f.id for f in mem.facts(user="ana").items] == [new.id]
    assert triples(mem.facts(user="ana", include_ended=True)) == before


def test_doing_it_twice_only_says_so(mem: Memory) -> None:
    """A second retract or restore changes nothing and says that it was done already."""
    fact = the(mem.add_fact("me", "lives_in", "Riga", user="ana"))
    assert mem.restore(fact.id, user="ana").notes
    mem.retract(fact.id, user="ana")
    again = mem.retract(fact.id, user="ana")
    assert again.notes
    assert not again.outcomes
    mem.restore(fact.id, user="ana")
    assert not mem.restore(fact.id, user="ana").outcomes
    assert mem.history(fact.id, user="ana").total == 3


def test_a_rules_retraction_is_not_restored_and_names_the_claim(mem: Memory) -> None:
    """What another claim took back comes back only with that claim."""
    old = the(mem.add_fact("me", "lives_in", "Riga", user="ana", occurred_at=day(-5)))
    receipt = mem.correct(old.id, user="ana", object="Cork", occurred_at=day(-4))
    (claim,) = [f.cause.claim for f in receipt.retracted if f.cause]
    assert claim is not None
    with pytest.raises(RefusedError, match=claim):
        mem.restore(old.id, user="ana")


def test_retracting_a_correction_brings_back_what_it_corrected(mem: Memory) -> None:
    """Without the correction the corrected value holds as before."""
    old = the(mem.add_fact("me", "lives_in", "Riga", user="ana", valid_from="2020-01-01"))
    new = the(mem.correct(old.id, user="ana", object="Cork"))
    mem.retract(new.id, user="ana")
    (fact,) = mem.facts(user="ana").items
    assert (fact.id, values([fact])) == (old.id, {"Riga"})
    assert fact.interval == old.interval


def test_a_correction_takes_over_the_dates(mem: Memory) -> None:
    """Another value stands in the time of the wrong one."""
    old = the(mem.add_fact("me", "lives_in", "Riga", user="ana", valid_from="2020-01-01"))
    mem.correct(old.id, user="ana", object="Cork")
    assert values(mem.facts(user="ana", valid_at="2021")) == {"Cork"}
    assert not mem.facts(user="ana", valid_at="2019").items


@pytest.mark.parametrize("predicate", ["friend_of", "has_sibling", "married_to"])
def test_a_corrected_tie_is_one_fact_from_either_end(
    mem: Memory, clock: FrozenClock, predicate: str
) -> None:
    """Whom the correction names is found from either side, in the time of the wrong one."""
    old = the(mem.add_fact("me", predicate, "Kim", user="ana", valid_from="2020-01-01"))
    clock.advance()
    new = the(mem.correct(old.id, user="ana", object="Bo"))
    for subject, thing in ((None, None), ("Bo", None), (None, "Bo"), ("me", None)):
        (fact,) = mem.facts(user="ana", subject=subject, object=thing).items
        assert triples([fact]) == {("ana", predicate, "Bo", "+")}
        assert (fact.id, fact.interval) == (new.id, old.interval)
    (gone,) = mem.facts(user="ana", subject="Kim", include_retracted=True).items
    assert (gone.id, gone.status) == (old.id, Status.RETRACTED)
    mem.retract(new.id, user="ana")
    (fact,) = mem.facts(user="ana").items
    assert (fact.id, fact.interval, values([fact])) == (old.id, old.interval, {"Kim"})


def test_a_corrected_tie_gives_back_what_it_had_ended(mem: Memory) -> None:
    """Kim, who did not marry Ana after all, is still married; Bo was until then."""
    mem.add_fact("Kim", "married_to", "Cal", user="ana", valid_from="2010-01-01")
    mem.add_fact("Bo", "married_to", "Dot", user="ana", valid_from="2011-01-01")
    wrong = the(mem.add_fact("me", "married_to", "Kim", user="ana", valid_from="2020-01-01"))
    assert triples(mem.facts(user="ana")) == {
        ("Bo", "married_to", "Dot", "+"),
        ("ana", "married_to", "Kim", "+"),
    }
    right = the(mem.correct(wrong.id, user="ana", object="Bo"))
    assert triples(mem.facts(user="ana")) == {
        ("Kim", "married_to", "Cal", "+"),
        ("ana", "married_to", "Bo", "+"),
    }
    mem.erase(user="ana", fact=right.id)
    assert triples(mem.facts(user="ana")) == {
        ("Bo", "married_to", "Dot", "+"),
        ("ana", "married_to", "Kim", "+"),
    }


def test_having_no_friends_is_heard_from_either_end(mem: Memory) -> None:
    """What one says of all of them ends each, also where the other end speaks later."""
    mem.add_fact("me", "friend_of", "Kim", user="ana", occurred_at=day(-9))
    mem.add_fact("Kim", "friend_of", "Cal", user="ana", occurred_at=day(-8))
    mem.add_fact("me", "friend_of", None, user="ana", polarity="-", occurred_at=day(-7))
    mem.add_fact("Kim", "friend_of", "Dot", user="ana", occurred_at=day(-6))
    assert triples(mem.facts(user="ana")) == {
        ("Kim", "friend_of", "Cal", "+"),
        ("Kim", "friend_of", "Dot", "+"),
        ("ana", "friend_of", None, "-"),
    }
    mem.add_fact("Kim", "friend_of", "me", user="ana", occurred_at=day(-5))
    assert triples(mem.facts(user="ana")) == {
        ("Kim", "friend_of", "Cal", "+"),
        ("Kim", "friend_of", "Dot", "+"),
        ("ana", "friend_of", "Kim", "+"),
    }


def test_a_correction_of_dates_keeps_the_value(mem: Memory) -> None:
    """Other dates for the same value move its interval."""
    old = the(mem.add_fact("me", "lives_in", "Riga", user="ana", valid_from="2020-01-01"))
    mem.correct(old.id, user="ana", valid_from="2018-01-01")
    assert values(mem.facts(user="ana", valid_at="2019")) == {"Riga"}


def test_a_correction_keeps_a_no(mem: Memory) -> None:
    """Correcting what a negative names leaves it a negative."""
    old = the(mem.add_fact("me", "speaks", "Twi", user="ana", polarity="-"))
    mem.correct(old.id, user="ana", object="Thai")
    assert triples(mem.facts(user="ana")) == {("ana", "speaks", "Thai", "-")}


def test_a_correction_may_turn_the_polarity(mem: Memory) -> None:
    """That I do not speak it corrects that I do."""
    old = the(mem.add_fact("me", "speaks", "Twi", user="ana"))
    mem.correct(old.id, user="ana", polarity="-")
    assert triples(mem.facts(user="ana")) == {("ana", "speaks", "Twi", "-")}


def test_a_correction_is_about_the_same_thing_among_namesakes(mem: Memory) -> None:
    """The fact's own subject is meant, though another thing has its name."""
    mem.add("My dentist is Pilar. Pilar lives in Cadiz.", user="ana")
    mem.add("My niece is Pilar.", user="ana")
    (home,) = mem.facts(user="ana", predicate="lives_in").items
    mem.correct(home.id, user="ana", object="Jerez")
    (fact,) = mem.facts(user="ana", predicate="lives_in").items
    assert fact.subject.key == home.subject.key
    assert values([fact]) == {"Jerez"}


def test_a_correction_that_changes_nothing_is_refused(mem: Memory) -> None:
    """The message says what would make it one."""
    fact = the(mem.add_fact("me", "lives_in", "Riga", user="ana"))
    with pytest.raises(InputError, match="changes nothing"):
        mem.correct(fact.id, user="ana", object="Riga")


def test_what_was_taken_back_cannot_be_corrected(mem: Memory) -> None:
    """A retracted fact is restored first."""
    fact = the(mem.add_fact("me", "lives_in", "Riga", user="ana"))
    mem.retract(fact.id, user="ana")
    with pytest.raises(RefusedError, match="restore"):
        mem.correct(fact.id, user="ana", object="Cork")


def test_changes_move_the_old_values_into_revisions(mem: Memory, clock: FrozenClock) -> None:
    """What was visible at a past record time stays so."""
    fact = the(mem.add_fact("me", "lives_in", "Riga", user="ana", occurred_at=day(-9)))
    before = clock.at
    clock.advance()
    mem.add_fact("me", "lives_in", "Cork", user="ana")
    records = mem.history(fact.id, user="ana").items
    mine = [r for r in records if r.id == fact.id]
    assert len(mine) == 2
    assert mine[1].expired_at == mine[0].created_at
    assert values(mem.facts(user="ana", known_at=iso(before + 1))) == {"Riga"}


def test_saying_it_again_is_no_revision(mem: Memory, clock: FrozenClock) -> None:
    """A corroboration adds a source and leaves the record."""
    fact = the(mem.add_fact("me", "speaks", "Twi", user="ana", valid_from="2020-01-01"))
    clock.advance()
    receipt = mem.add_fact("me", "speaks", "Twi", user="ana")
    assert [f.id for f in receipt.corroborated] == [fact.id]
    assert mem.history(fact.id, user="ana").total == 1
    assert len(mem.explain(fact.id, user="ana").sources) == 2


Who = dict[str, Any]  # Any: user and tenant, passed on
Call = Callable[[Memory, str, Who], object]
_CALLS: dict[str, Call] = {
    "get": lambda m, i, who: m.get(i, **who),
    "history": lambda m, i, who: m.history(i, **who),
    "explain": lambda m, i, who: m.explain(i, **who),
    "correct": lambda m, i, who: m.correct(i, object="Cork", **who),
    "retract": lambda m, i, who: m.retract(i, **who),
    "restore": lambda m, i, who: m.restore(i, **who),
    "erase a fact": lambda m, i, who: m.erase(fact=i, **who),
}
_ENTITY_CALLS: dict[str, Call] = {
    "merge": lambda m, i, who: m.merge([i, "Riga"], into="Riga", **who),
    "merge into": lambda m, i, who: m.merge(["Riga"], into=i, **who),
    "split": lambda m, i, who: m.split("Riga", out_of=i, **who),
    "facts about": lambda m, i, who: m.facts(subject=i, **who),
    "facts of": lambda m, i, who: m.facts(object=i, **who),
    "add_fact": lambda m, i, who: m.add_fact(i, "visited", "Cork", **who),
}
_OTHERS: list[Who] = [{"user": "bob"}, {"user": "ana", "tenant": "other"}, {"user": "ANA"}]


@pytest.mark.parametrize("name", _CALLS)
def test_an_id_of_somebody_else_is_not_found(mem: Memory, name: str) -> None:
    """A fact's id exists in its scope alone, and an invented one nowhere."""
    fact = the(mem.add_fact("me", "lives_in", "Riga", user="ana"))
    for who in _OTHERS:
        mem.add_fact("me", "lives_in", "Riga", **who)
        with pytest.raises(NotFoundError, match=fact.id):
            _CALLS[name](mem, fact.id, who)
    for unknown in ("fact_" + "0" * 32, "1", "", fact.id[:-1], fact.id.upper()):
        with pytest.raises(NotFoundError):
            _CALLS[name](mem, unknown, {"user": "ana"})
    assert mem.get(fact.id, user="ana") == fact


@pytest.mark.parametrize("name", _ENTITY_CALLS)
def test_an_entity_of_somebody_else_is_not_found(mem: Memory, name: str) -> None:
    """So it is with the ids of things."""
    mem.add_fact("me", "lives_in", "Riga", user="ana")
    ids = [v.entity.id for v in mem.entities(user="ana").items]
    for who in _OTHERS:
        mem.add_fact("me", "lives_in", "Riga", **who)
        for entity in ids:
            with pytest.raises(NotFoundError):
                _ENTITY_CALLS[name](mem, entity, who)


def test_an_episode_of_somebody_else_is_not_found(mem: Memory) -> None:
    """Nor is a turn erased by anybody else."""
    episode = mem.add("I live in Riga.", user="ana").turns[0].episode
    assert episode is not None
    for who in (*_OTHERS, {"user": "ana"}):
        with pytest.raises(NotFoundError):
            mem.erase(episode=episode if who["user"] != "ana" or "tenant" in who else "ep_1", **who)
    assert mem.facts(user="ana").total == 1


@pytest.mark.parametrize("call", ["confirm", "reject", "undo"])
def test_an_unknown_suggestion_is_not_found(mem: Memory, call: str) -> None:
    """Suggestions are known by their ids alone."""
    with pytest.raises(NotFoundError):
        getattr(mem, call)("same_" + "0" * 32, user="ana")
