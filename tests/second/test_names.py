"""Uncertain identity: one call more decides whether two names are one thing, or whom one means."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from graphmem import Memory
from graphmem.model.entity import SuggestionState
from graphmem.testing.model_server import Reply
from tests.second.kit import (
    USER,
    Answer,
    Endpoint,
    a_claim,
    an_answer,
    choosing,
    held,
    memory,
    refused,
)

KNOWS = an_answer(
    a_claim("Amara Obi paints", "paints", "", subject="Amara Obi", statement="Amara Obi paints."),
)
KNOWS_ZH = an_answer(
    a_claim("我的朋友王小芳", "friend_of", "王小芳", qualifiers=["role=朋友"]),
)
SHORT = an_answer(a_claim("Amara sings", "sings", "", subject="Amara", statement="Amara sings."))
SHORT_ZH = an_answer(a_claim("朋友小芳", "friend_of", "小芳", qualifiers=["role=朋友"]))


@pytest.mark.parametrize("chinese", [False, True], ids=["en", "zh"])
@pytest.mark.parametrize(
    ("choice", "state"),
    [
        ("same", SuggestionState.CONFIRMED),
        ("different", SuggestionState.REJECTED),
        ("unclear", SuggestionState.OPEN),
    ],
)
def test_a_suggestion_is_decided(
    tmp_path: Path, choice: str, state: SuggestionState, *, chinese: bool
) -> None:
    """Same merges, different rejects, unclear leaves it to a person."""
    answers = [KNOWS_ZH, SHORT_ZH] if chinese else [KNOWS, SHORT]
    turns = (
        ["我的朋友王小芳养猫。", "我和朋友小芳去爬山。"]
        if chinese
        else ["Amara Obi paints.", "Amara sings."]
    )
    endpoint = Endpoint(answers, decide=choosing(choice))
    with memory(tmp_path, endpoint) as mem:
        mem.add(turns[0], user=USER)
        receipt = mem.add(turns[1], user=USER)
        (found,) = mem.suggestions(user=USER)
        assert found.state is state
        assert endpoint.asked == ["extract", "extract", "decide"]
        assert any("confirm or reject" in note for note in receipt.notes) is (choice == "unclear")
        if choice == "same":
            mem.undo(found.id, user=USER)
            (found,) = mem.suggestions(user=USER)
            assert found.state is SuggestionState.OPEN


PILARS = an_answer(
    a_claim("My dentist Pilar", "has_dentist", "Pilar", qualifiers=["role=dentist"]),
    a_claim("My niece Pilar", "has_relative", "Pilar", qualifiers=["role=niece"]),
)
CHESS = an_answer(
    a_claim("Pilar plays chess", "plays", "chess", subject="Pilar", statement="Pilar plays chess."),
)


def pilars(folder: Path, decide: Answer, check: Callable[[Memory, Endpoint], None]) -> None:
    """Tell of two Pilars, then of one; look at what came of it."""
    endpoint = Endpoint([PILARS, CHESS], decide=decide)
    with memory(folder, endpoint) as mem:
        mem.add("My dentist Pilar is kind. My niece Pilar is six.", user=USER)
        check(mem, endpoint)


@pytest.mark.parametrize(("choice", "count"), [("a", 1), ("b", 1), ("unclear", 0)])
def test_whom_a_name_means(tmp_path: Path, stores: str, choice: str, count: int) -> None:
    """A claim left out because its name fits two is believed of the one that is chosen."""

    def check(mem: Memory, endpoint: Endpoint) -> None:
        receipt = mem.add("Pilar plays chess.", user=USER)
        assert len(mem.facts(user=USER, predicate="plays").items) == count
        assert refused(receipt).get("ambiguous", 0) == 1 - count
        assert endpoint.asked == ["extract", "extract", "decide"]
        (row,) = endpoint.shown["decide"][0].rows.values()
        assert row["about"] == "Pilar"
        names = [c["words"] for c in row["between"]]
        assert len(set(names)) == 2
        if count:
            (fact,) = mem.facts(user=USER, predicate="plays").items
            assert fact.subject.text == names["ab".index(choice)]
            assert [c.claim.quote for c in mem.explain(fact.id, user=USER).claims] == [
                "Pilar plays chess"
            ]

    pilars(tmp_path, choosing(choice), check)


def test_a_failed_decision_leaves_the_claim_out(tmp_path: Path) -> None:
    """As it was without one, and the receipt says so."""

    def check(mem: Memory, endpoint: Endpoint) -> None:
        receipt = mem.add("Pilar plays chess.", user=USER)
        assert refused(receipt) == {"ambiguous": 1}
        assert any("as the rules have them" in note for note in receipt.notes)

    pilars(tmp_path, Reply(status=500), check)


def test_the_user_is_nobody_elses_name(tmp_path: Path) -> None:
    """Whether somebody is the user is not for a model to say."""
    answers = [
        an_answer(a_claim("I'm Tilda Okafor", "has_name", "Tilda Okafor", object_kind="text")),
        an_answer(a_claim("Tilda sings", "sings", "", subject="Tilda")),
    ]
    endpoint = Endpoint(answers, decide=choosing("same"))
    with memory(tmp_path, endpoint) as mem:
        mem.add("I'm Tilda Okafor.", user=USER)
        mem.add("Tilda sings.", user=USER)
    assert "decide" not in endpoint.asked


def test_two_that_are_told_of_together_are_two(tmp_path: Path) -> None:
    """Who is somebody's sister is not that somebody; it is not even asked."""
    answer = an_answer(
        a_claim("Amara Obi's sister Amara", "has_sibling", "Amara", subject="Amara Obi"),
    )
    endpoint = Endpoint([answer], decide=choosing("same"))
    with memory(tmp_path, endpoint) as mem:
        mem.add("Amara Obi's sister Amara sings.", user=USER)
        assert len(mem.facts(user=USER).items) == 1
    assert endpoint.asked == ["extract"]


def test_what_is_known_is_shown(tmp_path: Path) -> None:
    """The model judges by what the memory holds of both, in words."""
    endpoint = Endpoint([KNOWS, SHORT], decide=choosing("unclear"))
    with memory(tmp_path, endpoint) as mem:
        mem.add("Amara Obi paints.", user=USER)
        mem.add("Amara sings.", user=USER)
        assert held(mem) == {"Amara Obi paints.", "Amara sings."}
    (row,) = endpoint.shown["decide"][0].rows.values()
    assert [c["words"] for c in row["between"]] == ["Amara Obi", "Amara"]
    assert "Amara Obi paints." in row["between"][0]["known"]
