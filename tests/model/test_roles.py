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
