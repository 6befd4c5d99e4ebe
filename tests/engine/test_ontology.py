"""Predicates of one's own, and opening a store with other ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from graphmem.errors import InputError
from graphmem.model.predicate import Cardinality, Predicate
from graphmem.testing.clock import FrozenClock
from tests.engine.conftest import Make
from tests.engine.kit import day, iso, values

_FILE = """
[[predicate]]
slug = "sails_on"
cardinality = "one"
inverse = "carries"
aliases = ["crew_of"]
"""
_ONE = Predicate(slug="sails_on", cardinality=Cardinality.ONE)


def test_a_file_adds_predicates(make: Make, tmp_path: Path) -> None:
    """A declared predicate has its cardinality, aliases and inverse, and is no news."""
    (tmp_path / "mine.toml").write_text(_FILE, encoding="utf-8")
    memory = make(ontology=tmp_path / "mine.toml")
    receipt = memory.add_fact("me", "crew_of", "Fjord", user="ana", occurred_at=day(-9))
    assert not receipt.notes
    memory.add_fact("Heron", "carries", "me", user="ana", occurred_at=day(-5))
    assert values(memory.facts(user="ana", predicate="sails_on")) == {"Heron"}


def test_predicates_in_code(make: Make) -> None:
    """The same in code, beside all that come with graphmem."""
    memory = make(ontology=[_ONE])
    for n, ship in enumerate(("Fjord", "Heron")):
        memory.add_fact("me", "sails_on", ship, user="ana", occurred_at=day(n - 9))
    memory.add_fact("me", "employed_by", "Larch", user="ana")
    assert values(memory.facts(user="ana")) == {"Heron", "Larch"}
    assert memory.facts(user="ana", predicate="works_at").total == 1


def test_a_name_of_ones_own_goes_before_an_alias_that_was_there(make: Make) -> None:
    """Who declares a predicate need not know what else the shipped ones are called."""
    memory = make(ontology=[Predicate(slug="represents", cardinality=Cardinality.ONE)])
    for n, district in enumerate(("North", "South")):
        memory.add_fact("Odo Elm", "represents", district, user="ana", occurred_at=day(n - 9))
    memory.add_fact("Odo Elm", "belongs_to", "Larch", user="ana")
    assert values(memory.facts(user="ana", predicate="represents")) == {"South"}
    assert values(memory.facts(user="ana", predicate="member_of")) == {"Larch"}


def test_opening_with_other_predicates_recomputes_as_one_change(
    make: Make, clock: FrozenClock
) -> None:
    """A predicate made single-valued ends the older value; past views stay as they were."""
    first = make()
    for n, ship in enumerate(("Fjord", "Heron")):
        first.add_fact("me", "sails_on", ship, user="ana", occurred_at=day(n - 9))
    first.add_fact("me", "lives_in", "Riga", user="ana")
    first.close()
    before = clock.at + 60
    clock.advance()
    second = make(ontology=[_ONE])
    assert values(second.facts(user="ana", predicate="sails_on")) == {"Heron"}
    past = second.facts(user="ana", predicate="sails_on", known_at=iso(before))
    assert values(past) == {"Fjord", "Heron"}
    (home,) = second.facts(user="ana", predicate="lives_in").items
    assert second.history(home.id, user="ana").total == 1
    assert second.search("sails", user="ana", predicate="sails_on").hits
    assert second.verify().clean
    second.close()
    clock.advance()
    third = make()
    assert values(third.facts(user="ana", predicate="sails_on")) == {"Fjord", "Heron"}


def test_opening_again_with_the_same_changes_nothing(make: Make, clock: FrozenClock) -> None:
    """No record is made by opening."""
    first = make(ontology=[_ONE])
    fact = first.add_fact("me", "sails_on", "Fjord", user="ana").added[0]
    first.close()
    clock.advance()
    again = make(ontology=[_ONE])
    assert again.history(fact.id, user="ana").total == 1
    assert again.verify().clean


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("[[predicate]]\nslug = 1", "slug"),
        ('[[predicate]]\nslug = "a"\ncolour = 1', "colour"),
        ('[[predicate]]\nslug = "a"\ncardinality = "few"', "few"),
        ("not toml", "TOML"),
        ('[[predicate]]\nslug = "a"\naliases = ["works_at"]', "works_at"),
    ],
)
def test_a_bad_file_is_refused_by_name(make: Make, tmp_path: Path, text: str, named: str) -> None:
    """The message names the file's fault."""
    (tmp_path / "bad.toml").write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=named):
        make(ontology=tmp_path / "bad.toml")
    with pytest.raises(InputError, match=r"none\.toml"):
        make(ontology=tmp_path / "none.toml")
