"""What relation a role word names, and whom a question may mean by it."""

from __future__ import annotations

import pytest

from graphmem.model.roles import exclude, may_hold, role_slug, roles_in


@pytest.mark.parametrize(
    ("word", "slug"),
    [
        ("Mum", "mother"),
        ("big sister", "sister"),
        ("妹妹", "sister"),
        ("老公", "husband"),
        ("房东", "landlord"),
        ("brother in law", "brother_in_law"),
        ("姐夫", "brother_in_law"),
        ("嫂子", "sister_in_law"),
        ("女婿", "son_in_law"),
        ("儿媳", "daughter_in_law"),
    ],
)
def test_words_for_one_role_are_one_slug(word: str, slug: str) -> None:
    """So that two languages tell no two values apart."""
    assert role_slug(word) == slug


@pytest.mark.parametrize(
    ("one", "other", "apart"),
    [
        ("niece", "dentist", True),
        ("sister", "brother", True),
        ("sister", "sibling", False),
        ("friend", "colleague", False),
        ("son", "child", False),
        ("sister_in_law", "sister", True),
        ("son_in_law", "child", True),
    ],
)
def test_roles_that_exclude_each_other(one: str, other: str, apart: bool) -> None:
    """Nobody is my niece and my dentist; a friend may be a colleague."""
    assert exclude(one, other) is exclude(other, one) is apart


def test_a_question_names_its_roles() -> None:
    """In either language, through possessives and plurals."""
    assert roles_in("Where does my brother's wife work?") == {"brother", "wife"}
    assert roles_in("我妹妹的老公在哪里上班？") == {"sister", "husband"}
    assert roles_in("我男朋友的房东是谁？") == {"partner", "landlord"}
    assert roles_in("Where do I live?") == frozenset()


def test_kin_of_a_marriage_are_not_the_kin_they_are_named_after() -> None:
    """姐夫 is no 姐, 儿媳妇 neither a 媳妇, and a brother in law no brother."""
    assert roles_in("我姐夫在哪里上班？") == {"brother_in_law"}
    assert roles_in("我儿媳妇喜欢什么？") == {"daughter_in_law"}
    assert roles_in("我小姨子和小姨住哪儿？") == {"sister_in_law", "aunt"}
    assert roles_in("What does my brother in law's son-in-law do?") == {
        "brother_in_law",
        "son_in_law",
    }
    assert roles_in("Is my sister in law school?") == {"sister"}


def test_a_title_is_no_role() -> None:
    """Whoever is called 先生 is nobody's husband by it, but 我先生 is mine."""
    assert roles_in("王先生住在哪儿？") == frozenset()
    assert roles_in("我先生对什么过敏？") == {"husband"}


def test_a_sister_is_no_brother() -> None:
    """Whoever holds another role of the same relation is not meant; other relations say nothing."""
    assert not may_hold("sister", frozenset({"brother"}))
    assert may_hold("sister", frozenset({"sister", "brother"}))
    assert may_hold("sister", frozenset({"manager"}))
    assert may_hold("sister", frozenset())
