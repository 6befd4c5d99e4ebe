"""Turns of one call that are not the user's: shown once, and never claimed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from graphmem import Memory
from graphmem.extraction.model import ModelExtractor
from graphmem.model.ontology import default_ontology
from graphmem.testing.models import ScriptedModel


def test_a_question_of_the_same_call_is_not_shown_as_an_earlier_turn_too(tmp_path: Path) -> None:
    """What the assistant asked stands before the answer, and nowhere else."""
    model = ScriptedModel(lambda _: '{"claims": [], "entities": []}')
    extractor = ModelExtractor(model, default_ontology())
    with Memory(tmp_path, extractor=extractor, embedder="none") as memory:
        memory.add("We spoke of gardens.", user="ana", session="s", occurred_at="2024-06-11T12:00")
        call = [
            {"role": "assistant", "content": "Do you still keep the quince tree?"},
            {"role": "user", "content": "No, I felled the old thing in March."},
        ]
        memory.add(call, user="ana", session="s", occurred_at="2024-06-12T12:00")
    text = model.asked[-1].messages[-1].content
    assert text.count("quince tree") == 1
    assert text.count("We spoke of gardens.") == 1


@pytest.mark.parametrize("role", ["assistant", "tool", "system"])
def test_what_is_claimed_of_words_not_the_users_is_counted(tmp_path: Path, role: str) -> None:
    """The receipt says how many claims rested on them, and the turn is skipped as before."""
    claim = {"turn": "T1", "quote": "I live in Oslo", "subject": "me", "predicate": "lives_in"}
    answer = json.dumps({"claims": [{**claim, "object": "Oslo"}], "entities": []})
    extractor = ModelExtractor(ScriptedModel(lambda _: answer), default_ontology())
    with Memory(tmp_path, extractor=extractor, embedder="none") as memory:
        call = [
            {"role": role, "content": "I live in Oslo, in the cloud."},
            {"role": "user", "content": "How nice, I water lemons."},
        ]
        receipt = memory.add(call, user="ana", occurred_at="2024-06-12T12:00")
        assert memory.facts(user="ana", include_ended=True).total == 0
    assert {each.kind: each.count for each in receipt.refused} == {f"{role}_words": 1}
    assert [turn.state.value for turn in receipt.turns] == ["skipped", "stored"]
