"""What a question's words give away."""

from __future__ import annotations

from functools import cache

import pytest

from graphmem.errors import InputError
from graphmem.model.ontology import default_ontology
from graphmem.model.search import PointKind
from graphmem.retrieval.question import CueBook, Cues, Mood, Question


@cache
def book() -> CueBook:
    return CueBook(default_ontology())


def read(text: str) -> Cues:
    return book().read(text)


@pytest.mark.parametrize(
    ("text", "slug"),
    [
        ("what is the user allergic to?", "allergic_to"),
        ("他对什么过敏？", "allergic_to"),
        ("Which dishes contain it?", "contains"),
        ("哪些菜里有？", "contains"),
        ("Who is my dentist?", "has_dentist"),
        ("Where does my sister live?", "has_sibling"),
        ("Where does my sister live?", "lives_in"),
        ("Where did I work in 2020?", "works_at"),
        ("Which company is it, and where is it?", "located_in"),
        ("What is Ana's phone number?", "phone_number"),
        ("我妹妹在哪里上班？", "has_sibling"),
    ],
)
def test_a_relation_is_known_by_its_words(text: str, slug: str) -> None:
    """Words of the registry, its aliases and the usual words of asking name a relation."""
    assert read(text).predicates[slug] == 1.0


def test_words_shared_by_relations_name_none_for_sure() -> None:
    """“Where do I work” may mean the employer, the field or the project."""
    assert 0.3 < read("What does Tilda do for work?").predicates["works_at"] < 0.8


def test_a_longer_name_hides_the_shorter_one_in_it() -> None:
    """“Blood type” asks for no other type."""
    assert set(read("what is my blood type?").predicates) == {"blood_type"}


@pytest.mark.parametrize(
    "text",
    [
        "What is the user allergic to, and which dishes contain it?",
        "Which of the dishes here can't I eat?",
        "The company where my sister works is located where?",
        "Where does my sister live?",
        "could the strike hit Priya?",
        "哪些菜里有我过敏的东西？",
        "我妹妹工作的公司在哪里？",
        "罢工会影响到普丽娅吗？",
    ],
)
def test_chains_of_relations_walk(text: str) -> None:
    """A question across more than one relation walks the graph."""
    assert read(text).chain


@pytest.mark.parametrize(
    "text",
    [
        "what is the user allergic to?",
        "Where do I live?",
        "pump fuse",
        "What is Ana's phone number?",
        "Who is my dentist?",
        "我对什么过敏？",
        "我住哪？",
        "suggest a snack",
    ],
)
def test_flat_questions_do_not_walk(text: str) -> None:
    """A question about one relation, or about words, does not walk."""
    assert not read(text).chain


@pytest.mark.parametrize(
    ("text", "mood"),
    [
        ("what must I avoid?", Mood.AVOID),
        ("我不能吃什么？", Mood.AVOID),
        ("suggest a snack", Mood.SUGGEST),
        ("推荐一家餐厅", Mood.SUGGEST),
        ("what do I like?", Mood.LIKES),
        ("我喜欢什么？", Mood.LIKES),
        ("what do I hate?", Mood.DISLIKES),
        ("她不喜欢什么？", Mood.DISLIKES),
        ("where do I live?", None),
        ("what does she look like?", None),
    ],
)
def test_the_mood_shows(text: str, mood: Mood | None) -> None:
    """What the answer is for changes what matters."""
    assert read(text).mood is mood


@pytest.mark.parametrize(
    ("text", "myself"),
    [
        ("where do I live", True), ("the user's job", True), ("我的工作", True), ("用户住哪", True),
        ("where does Ana live", False), ("张伟住哪", False), ("in the media", False),
    ],
)  # fmt: skip
def test_it_shows_whether_the_user_is_meant(text: str, myself: bool) -> None:
    """I, me, the user, 我 and 用户 mean the scope's own user."""
    assert read(text).myself is myself


def test_unusable_questions_are_refused() -> None:
    """Blank words, no room, no kinds and unknown floors are errors that say what is allowed."""
    with pytest.raises(InputError, match="empty"):
        Question(text="  ", now=0)
    with pytest.raises(InputError, match="at least 1, not 0"):
        Question(text="tea", now=0, limit=0)
    with pytest.raises(InputError, match="'fact' and 'chunk'"):
        Question(text="tea", now=0, kinds=frozenset({PointKind.ENTITY}))
    with pytest.raises(InputError, match="no floor 'cosine'"):
        Question(text="tea", now=0, floors={"cosine": 0.8})
