"""Histories of the client that once were told wrongly, as small as they go."""

from __future__ import annotations

from pathlib import Path

from graphmem.testing.clock import FrozenClock
from tests.engine.kit import NOW, a_memory, values

NOON = "2025-02-02T12:00:00+00:00"


def test_of_two_calls_that_give_one_time_the_later_is_said_later(tmp_path: Path) -> None:
    """Which value holds is decided by when the turns were recorded, not by their random ids."""
    clock = FrozenClock(NOW)
    with a_memory(tmp_path, clock=clock) as mem:
        for number in range(8):
            user = f"user {number}"
            for place in ("Riga", "Cesis"):
                clock.advance()
                mem.add(f"I live in {place}.", user=user, occurred_at=NOON)
            assert values(mem.facts(user=user, predicate="lives_in")) == {"Cesis"}


def test_a_name_split_off_after_two_merges_is_itself_again(tmp_path: Path) -> None:
    """What was merged into what was merged comes back under its own name."""
    clock = FrozenClock(NOW)
    with a_memory(tmp_path, clock=clock) as mem:
        for day, place in enumerate(("Riga", "Cesis", "Valka"), 1):
            when = f"2025-02-0{day}T12:00:00+00:00"
            mem.add_fact("me", "visited", place, user="ana", valid_from=when, occurred_at=when)
        mem.merge(["Riga"], into="Valka", user="ana")
        mem.merge(["Valka"], into="Cesis", user="ana")
        assert values(mem.facts(user="ana")) == {"Cesis"}
        mem.split("Riga", out_of="Cesis", user="ana")
        assert values(mem.facts(user="ana")) == {"Cesis", "Riga"}


def test_what_was_taken_back_goes_with_the_name_it_was_told_by(tmp_path: Path) -> None:
    """A fact withdrawn before a split is of the name split off, and stands again under its id."""
    clock = FrozenClock(NOW)
    with a_memory(tmp_path, clock=clock) as mem:
        mem.add_fact("Ben", "likes", "Cesis", user="ana")
        (told,) = mem.add_fact("me", "likes", "Riga", user="ana").added
        mem.merge(["Riga"], into="Cesis", user="ana")
        mem.retract(told.id, user="ana")
        mem.split("Riga", out_of="Cesis", user="ana")
        (gone,) = mem.facts(user="ana", subject="me", include_retracted=True).items
        assert (gone.id, gone.status.value, values([gone])) == (told.id, "retracted", {"Riga"})
        mem.restore(told.id, user="ana")
        (fact,) = mem.facts(user="ana", subject="me", include_retracted=True).items
        assert (fact.id, fact.status.value, values([fact])) == (told.id, "held", {"Riga"})


def test_what_is_split_off_leaves_other_names_unambiguous(tmp_path: Path) -> None:
    """A name that two merges handed on means one thing after one of them is split off."""
    clock = FrozenClock(NOW)
    with a_memory(tmp_path, clock=clock) as mem:
        for place in ("Riga", "Cesis", "Valka"):
            mem.add_fact("me", "likes", place, user="ana")
        mem.merge(["Valka"], into="Cesis", user="ana")
        mem.merge(["Cesis"], into="Riga", user="ana")
        mem.split("Cesis", out_of="Riga", user="ana")
        mem.add_fact("me", "likes", "Valka", user="ana")
        assert values(mem.facts(user="ana")) == {"Cesis", "Riga"}
