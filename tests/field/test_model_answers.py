"""Right words in any shape a weak model gives them are read; what says nothing is said to."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from graphmem.adapters.models.openai import OpenAIModel
from graphmem.model.receipt import TurnState
from graphmem.resources import read_text
from graphmem.testing.model_server import Reply, Request, ScriptedServer
from tests.engine.kit import a_memory, triples
from tests.field.offering import NOTHING, Claim, Offering, an_answer, offer, refused

pytestmark = pytest.mark.embedded("an answer is read before any store is asked")

EN = ("I like plums.", offer("I like plums", "likes", "plums"), "me likes plums")
ZH = ("我喜欢杏子。", offer("我喜欢杏子", "likes", "杏子"), "me likes 杏子")
BOTH = pytest.mark.parametrize("case", [EN, ZH], ids=["en", "zh"])
SCHEMA = read_text("schemas", "extraction.json")
Case = tuple[str, Claim, str]


def dumped(value: Any) -> str:  # Any: JSON
    """Return a value as a model writes it."""
    return json.dumps(value, ensure_ascii=False)


def renamed(claim: Claim) -> Claim:
    """Return a claim under other names for its keys."""
    names = {"subject": "source", "predicate": "relation", "object": "target", "quote": "evidence"}
    return {names.get(name, name): value for name, value in claim.items()}


def shapes(claim: Claim) -> dict[str, str]:
    """Return ways to write an answer that holds one claim."""
    whole = an_answer(claim)
    return {
        "bare list": dumped([claim]),
        "bare claim": dumped(claim),
        "wrapped": dumped({"ExtractedFacts": {"claims": [claim]}}),
        "another list": dumped({"facts": [claim]}),
        "renamed": dumped({"claims": [renamed(claim)]}),
        "fenced": f"```json\n{whole}\n```",
        "prose": f"Certainly, see below {whole} and shout if {{anything}} is off. 完毕。",
        "thoughts": f"<think>The user {{says}} a thing.</think>{whole}",
        "echo before": f"{SCHEMA}\n{whole}",
        "nested": dumped({"claims": [{**claim, "object": {"name": claim["object"]}}]}),
        "repeated": dumped({"claims": [claim] * 40}),
        "nulls": dumped({"claims": [{**claim, "start": None, "qualifiers": [None, {"a": [1]}]}]}),
    }


@pytest.mark.parametrize("shape", shapes(EN[1]))
@BOTH
def test_a_claim_is_read_in_any_shape(weak: Offering, case: Case, shape: str) -> None:
    """With one call, once."""
    text, claim, fact = case
    user = weak.user()
    weak.replies = [shapes(claim)[shape]]
    receipt = weak.memory.add(text, user=user)
    assert weak.held(user) == {fact}
    assert receipt.usage.calls == 1
    assert refused(receipt) == ({"repeated": 39} if shape == "repeated" else {})


@pytest.mark.parametrize(
    ("said", "word"),
    [
        (SCHEMA, "schema"),
        ('["plums"]', "claim"),
        ('{"entities": ["plums"]}', ""),
        ("Sure!", "JSON"),
    ],
)
@BOTH
def test_what_says_nothing_is_asked_for_once_more(
    weak: Offering, case: Case, said: str, word: str
) -> None:
    """Then the turn waits, and the reason names the step, the model and what was wrong."""
    text, claim, fact = case
    user = weak.user()
    weak.asked.clear()
    weak.replies = [said, said]
    (turn,) = weak.memory.add(text, user=user).turns
    assert turn.state is TurnState.PENDING
    reason = turn.reason or ""
    assert "repair" in reason
    assert "tiny" in reason
    assert word in reason
    assert len(weak.asked) == 2
    weak.replies = [said, an_answer(claim)]
    assert not weak.memory.retry_pending(user=user).pending
    assert weak.held(user) == {fact}


@pytest.mark.parametrize("said", ["{}", '{"result": []}', "[]", NOTHING])
def test_a_well_formed_nothing_is_nothing_found(weak: Offering, said: str) -> None:
    """It is no failure, and asked for once."""
    user = weak.user()
    weak.replies = [said]
    receipt = weak.memory.add("The rain was loud all over town.", user=user)
    assert [turn.state for turn in receipt.turns] == [TurnState.STORED]
    assert (receipt.usage.calls, refused(receipt)) == (1, {})


@BOTH
def test_empty_content_is_never_no_facts(weak: Offering, case: Case) -> None:
    """Whether it is null, blank, a list of parts, or the words are in another field."""
    text, claim, fact = case
    for content in (None, "", " \n"):
        for beside in ({}, {"reasoning_content": "The user likes a fruit."}):
            user = weak.user()
            weak.otherwise = Reply(content=content, message=beside)
            try:
                (turn,) = weak.memory.add(text, user=user).turns
            finally:
                weak.otherwise = NOTHING
            assert turn.state is TurnState.PENDING
            weak.replies = [Reply(content=[{"type": "text", "text": an_answer(claim)}])]
            weak.memory.retry_pending(user=user)
            assert weak.held(user) == {fact}


@BOTH
def test_what_was_cut_off_is_read_as_far_as_it_goes(weak: Offering, case: Case) -> None:
    """A model that says one thing over and over until the limit said it once."""
    text, claim, fact = case
    user = weak.user()
    endless = '{"claims": [' + ", ".join([dumped(claim)] * 30) + ', {"turn": "T1", "quo'
    weak.replies = [Reply(content=endless, finish_reason="length")]
    receipt = weak.memory.add(text, user=user)
    assert not receipt.pending
    assert weak.held(user) == {fact}
    assert receipt.usage.calls == 1


@pytest.mark.parametrize("status", [400, 404, 422])
@BOTH
def test_a_server_that_knows_no_format_is_asked_without(
    tmp_path: Path, case: Case, status: int
) -> None:
    """No option has to be found by anybody."""
    text, claim, _ = case

    def plain(request: Request) -> Reply | str:
        asks = {"response_format", "tools", "tool_choice"} & set(request.body)
        return Reply(status=status) if asks else an_answer(claim)

    with ScriptedServer(plain) as server:
        model = OpenAIModel("tiny", server.url, max_retries=0)
        with a_memory(tmp_path / "memory", model=model, embedder="none") as memory:
            receipt = memory.add(text, user="ana")
            assert not receipt.pending
            assert triples(memory.facts(user="ana")) == {("ana", "likes", claim["object"], "+")}
