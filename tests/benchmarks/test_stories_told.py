"""How the sentences of a story become turns, and facts its answers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from benchmarks import stories
from benchmarks.stories_told import WORDS, answer, sentences, spoken
from graphmem.model.claim import Modality, Polarity
from graphmem.model.entity import Value
from graphmem.model.fact import Fact
from graphmem.testing.builders import T0, T1, a_fact, an_entity

STORIES = {story["id"]: story for story in stories.read()}


def a_story(*values: str, **more: object) -> Mapping[str, Any]:  # Any: JSON
    """Return a story with claims of these values."""
    return {"id": "S", "claims": [{"value": value} for value in values], **more}


def told(value: str | None, **changes: Any) -> Fact:  # Any: fields of a fact
    """Return a fact of the user with this object."""
    return a_fact(object=None if value is None else Value.literal(value), **changes)


def test_turns_follow_each_other() -> None:
    """Every story's turns are in order, at noon of their day unless an hour is given."""
    for story in STORIES.values():
        users = [one.at for one in sentences(story) if one.role != "document"]
        assert users == sorted(set(users))
    assert sentences(STORIES["H01"])[0].at.hour == 12
    assert sentences(STORIES["F03"])[0].at.hour == 9


def test_asides_say_who_speaks() -> None:
    """The assistant's words are its own, a paper is a document of its date, a turn is a turn."""
    assert [one.role for one in sentences(STORIES["X18"])] == ["assistant", "user", "assistant"]
    assert [one.role for one in sentences(STORIES["B04"])] == ["user", "document"]
    assert sentences(STORIES["B04"])[1].at.year == 2021
    assert [one.role for one in sentences(STORIES["H26"])] == ["user", "user"]
    assert not any(one.text.startswith("(") for s in STORIES.values() for one in sentences(s))


def test_words_for_values_are_of_stories() -> None:
    """A value that no story has any longer needs no words."""
    values = {
        c[k] for s in STORIES.values() for c in s["claims"] for k in ("value", "slot") if k in c
    }
    assert [value for value in WORDS if value not in values] == []


def test_the_longest_value_is_meant() -> None:
    """A staff engineer is no engineer, 15 no 5, and a qualifier tells doses apart."""
    jobs = {"engineer", "staff engineer"}
    assert spoken(told("a staff engineer"), jobs) == "staff engineer"
    assert spoken(told("an engineer"), jobs) == "engineer"
    assert spoken(told("150"), {"50"}) is None
    assert spoken(told("sertraline", qualifiers=(("dose", "50 mg"),)), {"+50mg"}) == "+50mg"
    assert spoken(told("a boat"), jobs) is None


def test_a_value_may_be_the_subject_or_the_predicate() -> None:
    """Who owns a project is its subject; who smokes has no object."""
    owner = told("Heron", subject=Value.entity(an_entity("Mia")))
    assert spoken(owner, {"Mia", "Ravi"}) == "Mia"
    assert spoken(told(None, predicate="smokes"), {"烟"}) == "烟"
    assert spoken(told(None, polarity=Polarity.NEGATIVE), {"Miso"}) == "*"


def test_answers_are_written_as_checks_are() -> None:
    """Plans are marked, denials too, what is over or merely possible is left out."""
    plan = told("York", modality=Modality.PLANNED)
    no = told("Leeds", polarity=Polarity.NEGATIVE)
    over = told("Hull", start=T0, end=T1)
    maybe = told("Ely", modality=Modality.POSSIBLE)
    story = a_story("York", "Leeds", "Hull", "Ely")
    assert answer(story, [plan, no, over, maybe], T1) == {"York?", "-Leeds"}
    yes = {"id": "S", "claims": [{"value": "+", "slot": "tea"}]}
    assert answer(yes, [told("tea"), told("tea", event=True)], T1) == {"+tea"}
