"""The graph walk, over real stores and by itself."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.model.claim import Polarity
from graphmem.model.entity import Value
from graphmem.model.fact import Fact
from graphmem.model.search import SearchResult
from graphmem.model.walk import Met
from graphmem.retrieval.likeness import Alike
from graphmem.retrieval.walk import HOPS, Relevance, rank
from graphmem.testing.builders import BOB, a_fact, an_entity
from tests.retrieval.world import World, texts


@pytest.fixture
def world(tmp_path: Path, stores: str) -> Iterator[World]:
    made = World(tmp_path)
    yield made
    made.close()


def path_to(result: SearchResult, text: str) -> list[str]:
    """Return the statements of the path that leads to a hit."""
    hit = next(hit for hit in result.hits if hit.text == text)
    return [fact.statement for fact in hit.path]


def bakery(world: World) -> None:
    world.fact("Priya", "runs", "the bakery", "Priya runs the bakery on Elm Street.")
    world.fact("the bakery", "buys_from", "Mill & Sons", "It buys its flour from Mill & Sons.")
    world.fact("Mill & Sons", "has_status", Value.literal("on strike"), "Mill & Sons is on strike.")


def test_a_chain_is_answered_with_its_path(world: World) -> None:
    """Three facts, of which only the last shares a word with the question but the name."""
    bakery(world)
    result = world.ask("could the strike hit Priya?")
    assert path_to(result, "Mill & Sons is on strike.") == [
        "Priya runs the bakery on Elm Street.",
        "It buys its flour from Mill & Sons.",
        "Mill & Sons is on strike.",
    ]
    assert len(result.hits) == 3


def test_a_hub_does_not_flood_the_answer(world: World) -> None:
    """Other neighbours on the way do not appear, however many and however new."""
    bakery(world)
    for number in range(60):
        world.fact("Priya", "likes", f"tea {number}", f"Priya likes tea number {number}.")
        world.fact("the bakery", "sells", f"bread {number}", f"The bakery sells bread {number}.")
    assert sorted(texts(world.ask("could the strike hit Priya?"))) == [
        "It buys its flour from Mill & Sons.",
        "Mill & Sons is on strike.",
        "Priya runs the bakery on Elm Street.",
    ]


def dishes(world: World) -> None:
    world.fact("me", "allergic_to", "peanuts", "I'm allergic to peanuts.")
    world.fact("宫保鸡丁", "contains", "花生", "宫保鸡丁里有花生")
    world.fact("红烧肉", "contains", "猪肉", "红烧肉里有猪肉")
    world.fact("satay", "contains", "peanut", "Satay contains peanut.")
    world.fact("me", "likes", "红烧肉", "我喜欢红烧肉")


@pytest.mark.parametrize(
    "text",
    [
        "What is the user allergic to, and which dishes contain it?",
        "Which dishes can't I eat?",
        "我对什么过敏？哪些菜里有？",
        "哪些菜我不能吃？",
    ],
)
def test_a_walk_crosses_languages(world: World, text: str) -> None:
    """An allergy told in English meets dishes told in Chinese, and says why."""
    dishes(world)
    result = world.ask(text)
    assert path_to(result, "宫保鸡丁里有花生") == ["I'm allergic to peanuts.", "宫保鸡丁里有花生"]
    assert path_to(result, "Satay contains peanut.")[0] == "I'm allergic to peanuts."
    assert "红烧肉里有猪肉" not in texts(result)
    reasons = {hit.text: hit.why for hit in result.hits}
    assert "'peanuts' means '花生'" in reasons["宫保鸡丁里有花生"]
    assert "'peanuts' is read as 'peanut'" in reasons["Satay contains peanut."]


def test_a_flat_question_brings_no_neighbours(world: World) -> None:
    """What the user is allergic to needs no dishes."""
    dishes(world)
    assert texts(world.ask("what is the user allergic to?")) == ["I'm allergic to peanuts."]


@pytest.mark.parametrize(
    "text",
    ["The company where my sister works is located where?", "我姐姐工作的公司在哪里？"],
)
def test_three_relations_lead_to_the_answer(world: World, text: str) -> None:
    """A chain of three named relations, past the speaker's own job and place."""
    world.fact("me", "has_sibling", "Tilda", "My sister is Tilda.")
    world.fact("Tilda", "works_at", "Larch", "Tilda works at Larch.")
    world.fact("Larch", "located_in", "Cork", "Larch is in Cork.")
    world.fact("me", "works_at", "Heron", "I work at Heron.")
    world.fact("Heron", "located_in", "Riga", "Heron is in Riga.")
    result = world.ask(text)
    assert len(path_to(result, "Larch is in Cork.")) == 3
    assert "Heron is in Riga." not in texts(result)


@pytest.mark.parametrize(
    "text",
    [
        "Which company does my sister's husband work for, and where is it?",
        "我姐姐的老公在哪家公司上班？公司在哪里？",
    ],
)
def test_four_relations_lead_to_the_answer(world: World, text: str) -> None:
    """The place of the employer of a relative's spouse."""
    world.fact("me", "has_sibling", "Tilda", "My sister is Tilda.")
    world.fact("Tilda", "married_to", "Piet", "Tilda is married to Piet.")
    world.fact("Piet", "works_at", "Larch", "Piet works at Larch.")
    world.fact("Larch", "located_in", "Cork", "Larch is in Cork.")
    result = world.ask(text)
    assert len(path_to(result, "Piet works at Larch.")) == 3
    assert len(path_to(result, "Larch is in Cork.")) == 4


def test_the_relation_asked_for_is_found_behind_a_hub(world: World) -> None:
    """An old fact of the relation asked for is found among hundreds of newer ones."""
    world.fact("me", "has_sibling", "Tilda", "My sister is Tilda.")
    world.fact("Tilda", "lives_in", "Riga", "Tilda lives in Riga.")
    for number in range(60):
        world.fact("Tilda", "likes", f"song {number}", f"Tilda likes song {number}.")
        world.fact("me", "likes", f"song {number}", f"I like song {number}.")
    assert "Tilda lives in Riga." in texts(world.ask("Where does my sister live?"))[:2]


def test_a_walk_stays_in_its_scope(world: World) -> None:
    """Another user's dishes are nowhere on the way."""
    world.fact("me", "allergic_to", "peanuts", "I'm allergic to peanuts.")
    world.scope = BOB
    world.fact("satay", "contains", "peanuts", "Satay contains peanuts.")
    world.scope = type(BOB)("default", "ana")
    found = texts(world.ask("What am I allergic to, and which dishes contain it?"))
    assert found == ["I'm allergic to peanuts."]


def test_constraints_come_up_when_something_is_suggested(world: World) -> None:
    """A recommendation brings what to avoid, without a word in common."""
    world.fact("me", "allergic_to", "peanuts", "I can't eat peanuts.")
    world.fact("me", "likes", "cashews", "I love cashews.")
    world.fact("me", "owns", "a boat", "I own a boat.")
    assert texts(world.ask("suggest a snack")) == ["I can't eat peanuts.", "I love cashews."]
    assert texts(world.ask("what must I avoid?")) == ["I can't eat peanuts."]
    assert texts(world.ask("推荐一个零食"))[0] == "I can't eat peanuts."


def test_likes_and_dislikes_are_told_apart(world: World) -> None:
    """What is disliked is not what is liked, though the words are the same."""
    world.fact("me", "likes", "liver", "I don't like liver.", polarity=Polarity.NEGATIVE)
    world.fact("me", "likes", "cashews", "I like cashews.")
    liked, disliked = world.ask("what do I like?").hits
    assert (liked.text, disliked.text) == ("I like cashews.", "I don't like liver.")
    assert liked.score > 2 * disliked.score
    assert texts(world.ask("what do I dislike?"))[0] == "I don't like liver."


def a_link_between(first: str, second: str) -> Fact:
    """Return a fact that joins two entities."""
    return a_fact(
        f"{first}{second}",
        subject=Value.entity(an_entity(first)),
        object=Value.entity(an_entity(second)),
    )


edges = st.lists(st.tuples(st.sampled_from("abcdefg"), st.sampled_from("abcdefg")), max_size=16)


@given(edges, st.sets(st.integers(0, 15)), st.permutations(range(16)))
def test_walked_facts_hang_together(
    pairs: list[tuple[str, str]], telling: set[int], order: list[int]
) -> None:
    """Each path begins at the seed, is joined, ends at its fact, is short; order plays no part."""
    facts = list({a_link_between(*pair).record: a_link_between(*pair) for pair in pairs}.values())
    words = {fact.record for place, fact in enumerate(facts) if place in telling}

    def judge(fact: Met) -> Relevance:
        return Relevance(words=1.0 if fact.record in words else 0.0)

    walked = rank(facts, [], {"a": 1.0}, judge)
    for one in walked:
        assert one.path[-1] == one.fact
        assert 1 <= len(one.path) <= HOPS
        assert 0 < one.score <= 1
        here = {"a"}
        for fact in one.path:
            assert fact.object is not None
            joined = {fact.subject.key, fact.object.key}
            assert here & joined
            here = joined
    assert words >= {one.fact.record for one in walked if one.answers}
    shuffled = [facts[place] for place in order if place < len(facts)]
    assert {w.fact.record: w.score for w in rank(shuffled, [], {"a": 1.0}, judge)} == {
        one.fact.record: one.score for one in walked
    }


def test_a_likeness_costs(world: World) -> None:
    """A fact reached by a likeness scores below the same fact reached by name."""
    dish = a_link_between("dish", "nut")

    def judge(_fact: Met) -> Relevance:
        return Relevance(cue=1.0)

    direct = rank([dish], [], {"nut": 1.0}, judge)
    likeness = Alike(an_entity("peanut"), an_entity("nut"), 0.7, "close in meaning")
    bridged = rank([dish], [likeness], {"peanut": 1.0}, judge)
    assert bridged[0].alike == ("close in meaning",)
    assert direct[0].score > bridged[0].score > 0
