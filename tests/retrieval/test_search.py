"""Searching a real store, by keyword, relation and graph."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

import pytest

from graphmem.errors import InputError
from graphmem.model.claim import Modality, Polarity
from graphmem.model.entity import Value
from graphmem.model.fact import Cause, Status
from graphmem.model.search import FactFilter, PointKind
from graphmem.model.time import DAY, Bound, Certainty, Interval
from graphmem.testing.builders import BOB, T0, T1, T2, T3
from tests.retrieval.world import HELD, World, run, texts


@pytest.fixture
def world(tmp_path: Path, stores: str) -> Iterator[World]:
    made = World(tmp_path)
    yield made
    made.close()


def test_two_words_find_the_fact_that_holds_both(world: World) -> None:
    """A short query is no reason to find nothing (“pump fuse”)."""
    world.fact("the pump", "causes", "the fuse", "The greenhouse pump trips the blue fuse.")
    world.fact("me", "drinks", "tea", "I drink tea.")
    assert texts(world.ask("pump fuse")) == ["The greenhouse pump trips the blue fuse."]


def test_the_one_fact_on_the_subject_comes_first(world: World) -> None:
    """Facts are compared with the question, not with each other."""
    for year in range(1950, 1959):
        world.fact("me", "collects", f"stamps of {year}", f"I collect stamps of {year}.")
    world.fact("me", "owns", "a boat", "I own a small boat.")
    assert texts(world.ask("tell me about the boat"))[0] == "I own a small boat."


def test_scores_differ_and_are_in_order(world: World) -> None:
    """Scores are in [0, 1], fall, and do not all saturate."""
    world.fact("me", "drinks", "green tea", "I drink green tea every morning.")
    world.fact("me", "drinks", "tea", "I drink tea.")
    world.fact("Tilda", "drinks", "coffee", "Tilda drinks coffee with a friend.")
    scores = [hit.score for hit in world.ask("who drinks green tea in the morning?").hits]
    assert scores == sorted(scores, reverse=True)
    assert len(set(scores)) == len(scores) == 3
    assert all(0 < score < 1 and score == round(score, 6) for score in scores)


def test_nothing_is_found_where_nothing_is_known(world: World) -> None:
    """An empty result, not the least bad fact."""
    world.fact("me", "drinks", "tea", "I drink tea.")
    assert world.ask("How does superconductivity arise?").hits == ()
    assert world.ask("超导是怎么产生的？").hits == ()


def test_what_falls_below_a_floor_is_counted(world: World) -> None:
    """A floor hides, and says how many."""
    world.fact("me", "owns", "a boat", "I own a small boat.")
    shown = world.ask("which boat did the harbour master photograph at dawn?")
    hidden = world.ask(
        "which boat did the harbour master photograph at dawn?", floors={"keyword": 0.9}
    )
    assert (len(shown.hits), shown.hidden) == (1, 0)
    assert (len(hidden.hits), hidden.hidden) == (0, 1)


def test_noise_is_counted_where_there_is_nothing_else(world: World) -> None:
    """What lies far below the floors is looked at only if nothing better is there."""
    world.fact("me", "owns", "a boat", "I own a boat.")
    asked = (
        "who painted the old lighthouse lantern at the far rocky northern entrance of the bay "
        "before the great storm hit the quiet village of poor fishermen without a boat?"
    )
    nothing = world.ask(asked)
    assert (len(nothing.hits), nothing.hidden) == (0, 1)
    world.say("They painted the old lighthouse lantern red.")
    something = world.ask(asked)
    assert (len(something.hits), something.hidden) == (1, 0)


def test_a_turn_is_found_by_what_was_said_beside_it(world: World) -> None:
    """An answer without a word of the question comes with the turn that asks for it."""
    world.say("Which town did your aunt settle in after the war?", place=0)
    answer = world.say("Oh, lovely little Kettlewick.", place=1)
    world.say("It rained all week.", place=9)
    found = world.ask("which town did the aunt settle in?").hits
    assert answer in [hit.id for hit in found]
    assert len(found) == 2


def test_a_fact_says_where_it_comes_from(world: World) -> None:
    """A hit has its source turn, its words, its date and a reason."""
    world.fact("me", "drinks", "tea", "I drink tea.")
    hit = world.ask("what do I drink?").hits[0]
    assert (hit.label, hit.certainty) == ("current", Certainty.HOLDS)
    assert [(s.speaker, s.quote, s.occurred_at) for s in hit.sources] == [
        ("user", "I drink tea.", T0)
    ]
    assert hit.why == "said on 14 November 2023; nothing has ended it"


def test_a_turn_that_was_read_is_shown_as_its_fact(world: World) -> None:
    """A turn that a claim quotes from never comes beside its fact."""
    world.fact("me", "drinks", "tea", "I drink tea.")
    world.say("Tea is grown in the hills.", session="other")
    hits = world.ask("tea").hits
    assert sorted((hit.kind, hit.label) for hit in hits) == [
        (PointKind.CHUNK, "said"),
        (PointKind.FACT, "current"),
    ]
    assert "said on 14 November 2023" in next(h for h in hits if h.label == "said").why


def test_a_turn_of_a_retracted_fact_does_not_come_back(world: World) -> None:
    """What became of the fact is no reason to show its turn again."""
    world.fact("me", "drinks", "tea", "I drink tea.", status=Status.RETRACTED)
    assert world.ask("tea").hits == ()


def test_a_turn_that_only_asks_the_same_is_no_answer(world: World) -> None:
    """An agent stores the question before it asks."""
    world.say("What did I say about the greenhouse pump?")
    world.say("The greenhouse pump is loud again.")
    found = texts(world.ask("what did I say about the greenhouse pump?"))
    assert found == ["user: The greenhouse pump is loud again."]


def test_the_relation_asked_for_answers_in_whatever_words(world: World) -> None:
    """ "I just moved to Leeds" tells where I live, before all that shares the word."""
    world.fact("me", "lives_in", "Leeds", "I just moved to Leeds last month.")
    world.fact("Maya", "lives_in", "Ghent", "Maya lives in Ghent.")
    world.say("I live for the weekends, said the man who lives next door.", session="other")
    assert texts(world.ask("Where do I live?"))[0] == "I just moved to Leeds last month."


def test_a_sister_is_not_shown_as_a_brother(world: World) -> None:
    """Whoever holds another role is not who is asked for."""
    sister = (("role", "sister"),)
    world.fact("me", "has_sibling", "Maya", "My sister is Maya.", qualifiers=sister)
    world.fact("Maya", "lives_in", "Ghent", "Maya lives in Ghent.")
    assert "Maya lives in Ghent." in texts(world.ask("Where does my sister live?"))
    found = world.ask("Where does my brother live?")
    assert "My sister is Maya." not in texts(found)
    assert not any(hit.path for hit in found.hits)


def test_kinds_choose(world: World) -> None:
    """Facts alone, turns alone."""
    world.fact("me", "drinks", "tea", "I drink tea.")
    world.say("Tea is grown in the hills.")
    for kind in (PointKind.FACT, PointKind.CHUNK):
        assert {h.kind for h in world.ask("tea", kinds=frozenset({kind})).hits} == {kind}


def test_a_filter_of_facts_leaves_turns_out(world: World) -> None:
    """A turn has no polarity to be asked for."""
    world.fact("me", "drinks", "tea", "I drink tea.")
    world.say("Tea is grown in the hills.")
    only = FactFilter(valid=(T3, T3), polarity=Polarity.POSITIVE)
    assert texts(world.ask("tea", filter=only)) == ["I drink tea."]


def test_another_scope_plays_no_part(world: World) -> None:
    """Whatever another user says, the answer is the same to the last digit."""
    world.fact("me", "drinks", "tea", "I drink tea.")
    world.fact("me", "drinks", "coffee", "I drink coffee at work.")
    before = world.ask("what tea do I drink?")
    world.scope = BOB
    for place in range(8):
        world.fact("me", "drinks", "tea", f"I drink tea in the {place}th room.")
    world.scope = replace(BOB, user="ana")
    assert world.ask("what tea do I drink?") == before


@pytest.mark.parametrize("index", ["there", "none"])
def test_without_index_or_embedder_it_answers_and_says_so(
    world: World, index: Literal["there", "none"]
) -> None:
    """Keywords and graph answer alone, with a note."""
    world.fact("me", "drinks", "tea", "I drink tea.")
    result = run(world.retriever(index=index).search, world.scope, world.question("tea"))
    assert texts(result) == ["I drink tea."]
    assert any("embedder" in note for note in result.notes)
    assert any("no vector index" in note for note in result.notes) is (index == "none")


def test_an_index_held_elsewhere_gives_the_same_answers(world: World) -> None:
    """Keywords from the graph store rank as those of the index."""
    world.fact("me", "drinks", "green tea", "I drink green tea every morning.")
    world.fact("me", "drinks", "tea", "I drink tea.")
    world.say("We spoke about tea and the weather.", session="other")
    near = world.ask("green tea")
    away = run(world.retriever(index="away").search, world.scope, world.question("green tea"))
    assert [(h.text, h.score) for h in away.hits] == [(h.text, h.score) for h in near.hits]
    assert f"{HELD}; answered by keyword and graph" in away.notes


def test_what_ended_is_labelled_with_what_ended_it(world: World) -> None:
    """An ended fact tells its end and the words that ended it."""
    moved = world.fact("me", "lives_in", "Riga", "I moved to Riga.", said=T2)
    world.fact(
        "me", "lives_in", "Cork", "I live in Cork.",
        interval=Interval(Bound(T0, T0, stated=False), Bound(T2, T2)),
        cause=Cause("superseded", moved.claims[0]),
    )  # fmt: skip
    assert texts(world.ask("where do I live?")) == ["I moved to Riga."]
    hits = world.ask("where do I live?", filter=FactFilter()).hits
    ended = next(hit for hit in hits if hit.text == "I live in Cork.")
    assert ended.label == "ended"
    assert "replaced by “I moved to Riga.”, said on 16 November 2023" in ended.why


@pytest.mark.parametrize(
    ("label", "changes"),
    [
        ("disputed", {"status": Status.DISPUTED}),
        ("retracted", {"status": Status.RETRACTED}),
        ("planned", {"modality": Modality.PLANNED, "interval": Interval(Bound(T3, T3))}),
        ("possible", {"modality": Modality.POSSIBLE}),
        ("happened", {"event": True}),
    ],
)
def test_every_standing_has_its_label(world: World, label: str, changes: dict[str, Any]) -> None:
    """A fact is labelled by how it stands."""
    world.fact("me", "visited", "Porto", "I go to Porto.", **changes)
    every = FactFilter(statuses=frozenset(Status))
    assert [hit.label for hit in world.ask("Porto", filter=every).hits] == [label]


def test_what_may_have_held_is_added_below_and_marked(world: World) -> None:
    """Asked about a time before anybody said so, a fact is uncertain, and only where asked."""
    world.fact(
        "me", "lives_in", "Cork", "I live in Cork.", said=T2,
        interval=Interval(Bound(None, T2, stated=False)),
    )  # fmt: skip
    assert world.ask("where did I live?", valid=(T1, T1)).hits == ()
    (hit,) = world.ask("where did I live?", valid=(T1, T1), explicit_valid=True).hits
    assert hit.certainty is Certainty.UNCERTAIN
    assert "may have held then" in hit.why


def test_what_may_have_held_stays_out_of_a_slot_that_is_known(world: World) -> None:
    """A surer fact of the slot leaves no room, wherever it ranks."""
    start = Bound(None, T2, stated=False)
    world.fact("me", "lives_in", "Cork", "I live in Cork.", said=T2, interval=Interval(start))
    world.fact("me", "lives_in", "Riga", "I live in Riga.", interval=Interval(Bound(T0, T0)))
    found = world.ask("where did I live?", valid=(T1, T1), explicit_valid=True)
    assert texts(found) == ["I live in Riga."]


def test_the_latest_of_equal_facts_wins_by_freshness(world: World) -> None:
    """A perishable fact said long ago falls behind the same said now."""
    year = 365 * DAY
    world.fact("me", "uses", "the red pen", "I use a pen.", said=T0 - 6 * year)
    world.fact("me", "uses", "the blue pen", "I use a pen.", said=T2)
    first, second = world.ask("pen").hits
    assert first.fact is not None
    assert (first.fact.said.at, first.score > second.score) == (T2, True)


def test_near_copies_are_shown_after_other_things(world: World) -> None:
    """One turn said eight times leaves room for what else there is."""
    for time in range(8):
        said = T0 + time * DAY // 4
        world.say("We decided to paint the shed green.", said=said, session=f"s{time}")
    world.say("The shed has a new door.", session="other")
    shown = texts(world.ask("the green shed", limit=3))
    assert shown[1] == "user: The shed has a new door."


@pytest.mark.parametrize("recipe", ["default", "reciprocal_rank", "weighted"])
def test_every_recipe_finds_and_stays_in_bounds(world: World, recipe: str) -> None:
    """All recipes keep the score contract."""
    world.fact("me", "drinks", "green tea", "I drink green tea every morning.")
    world.fact("me", "drinks", "coffee", "I drink coffee.")
    hits = world.ask("green tea in the morning", recipe=recipe).hits
    assert hits[0].text == "I drink green tea every morning."
    assert all(0 < hit.score <= 1 for hit in hits)


def test_an_unknown_recipe_is_refused(world: World) -> None:
    """The error names the recipes."""
    with pytest.raises(InputError, match="there is no recipe 'best'"):
        world.ask("tea", recipe="best")


def test_sessions_filter_facts_and_turns(world: World) -> None:
    """Only what was said in the sessions asked for answers, lists and walks too."""
    world.fact("me", "drinks", "tea", "I drink tea.", session="s1")
    world.fact("me", "drinks", "coffee", "I drink coffee.", session="s2")
    world.say("We drink a lot.", session="s2")
    only = FactFilter(valid=(T3, T3), sessions=frozenset({"s1"}))
    assert texts(world.ask("what do I drink?", filter=only)) == ["I drink tea."]


class Terse:
    """Scores short texts best."""

    async def scores(self, question: str, texts: Sequence[str]) -> list[float]:
        return [1.0 if len(text) < 10 else 0.1 for text in texts]


def test_a_reranker_has_the_last_word_and_its_own_floor(world: World) -> None:
    """The reranker orders, and only its own floor is compared with its numbers."""
    world.fact("me", "drinks", "green tea", "I drink a lot of green tea every morning.")
    world.fact("me", "drinks", "tea", "Tea.")
    found = world.retriever(reranker=Terse())
    asked = world.question("green tea every morning")
    assert texts(run(found.search, world.scope, asked))[0] == "Tea."
    floored = run(found.search, world.scope, replace(asked, floors={"rerank": 0.2}))
    assert (texts(floored), floored.hidden) == (["Tea."], 1)


def test_a_literal_is_found_at_its_subject(world: World) -> None:
    """A relation asked for is read from the graph even if no word is shared."""
    world.fact("me", "phone_number", Value.literal("555 0101"), "Reach me at 555 0101.")
    assert texts(world.ask("what is my phone number?")) == ["Reach me at 555 0101."]
