"""The critic: one call a batch that may drop important claims, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from graphmem import Memory, Settings
from graphmem.errors import InputError
from graphmem.testing.model_server import Reply
from graphmem.testing.models import Asked, ScriptedModel
from tests.second.kit import (
    USER,
    Answer,
    Endpoint,
    a_claim,
    an_answer,
    held,
    judging,
    memory,
    refused,
)

TURN = "I'm allergic to mango and I live in Riga. I had tea."
CLAIMS = an_answer(
    a_claim("I'm allergic to mango", "allergic_to", "mango", importance=9, statement="mango"),
    a_claim("I live in Riga", "lives_in", "Riga", importance=8, statement="Riga"),
    a_claim("I had tea", "drinks", "tea", importance=3, statement="tea"),
)
ALL = {"mango", "Riga", "tea"}


def test_what_it_drops_is_not_believed_and_counted(tmp_path: Path) -> None:
    """One call for the important ones of a batch; the others are not shown."""
    endpoint = Endpoint([CLAIMS], critic=judging("drop", "keep"))
    with memory(tmp_path, endpoint, critic=True) as mem:
        receipt = mem.add(TURN, user=USER)
        assert held(mem) == {"Riga", "tea"}
    assert endpoint.asked == ["extract", "critic"]
    assert refused(receipt) == {"critic": 1}
    assert receipt.usage.calls == 2
    assert set(receipt.steps) == {"extract", "critic"}
    (seen,) = endpoint.shown["critic"]
    assert [row["statement"] for row in seen.rows.values()] == ["mango", "Riga"]
    assert [row["quote"] for row in seen.rows.values()] == [
        "I'm allergic to mango",
        "I live in Riga",
    ]


def test_it_reads_chinese(tmp_path: Path) -> None:
    """Words pass as they were said."""
    turn = "我对芒果过敏。"
    answer = an_answer(a_claim("我对芒果过敏", "allergic_to", "芒果", importance=9))
    endpoint = Endpoint([answer], critic=judging("drop"))
    with memory(tmp_path, endpoint, critic=True) as mem:
        mem.add(turn, user=USER)
        assert held(mem) == set()
    assert turn in endpoint.shown["critic"][0].text


ENEMIES: dict[str, Answer] = {
    "empty": "",
    "prose": "All of them should be dropped.",
    "refusal": Reply(content="", message={"refusal": "no"}, finish_reason="content_filter"),
    "unknown labels": '{"answers": [{"label": "C9-abcd", "verdict": "drop", "reason": "x"}]}',
    "another batch": '{"answers": [{"label": "C1-0000", "verdict": "drop", "reason": "x"}]}',
    "not offered": judging("delete", "remove"),
    "truncated": Reply(content='{"answers": [{"label": "C1-', finish_reason="length"),
    "broken": Reply(status=500),
    "refused": Reply(status=400),
    "cut": Reply(cut=True),
    "contradiction": lambda s: judging("drop", "drop")(s) + judging("keep", "keep")(s),
}


@pytest.mark.parametrize("name", ENEMIES)
def test_without_a_usable_answer_all_is_kept(tmp_path: Path, name: str) -> None:
    """A critic that fails loses nothing and delays nothing."""
    endpoint = Endpoint([CLAIMS], critic=ENEMIES[name])
    with memory(tmp_path, endpoint, critic=True) as mem:
        receipt = mem.add(TURN, user=USER)
        assert held(mem) == ALL
        assert not receipt.pending
    assert refused(receipt) == {}


@pytest.mark.parametrize("name", ["empty", "prose", "broken", "cut"])
def test_a_failed_critic_is_told_of(tmp_path: Path, name: str) -> None:
    """The receipt says what was kept without it, or why its answer could not be used."""
    endpoint = Endpoint([CLAIMS], critic=ENEMIES[name])
    with memory(tmp_path, endpoint, critic=True) as mem:
        receipt = mem.add(TURN, user=USER)
    assert any("critic" in note for note in receipt.notes)


def test_it_stays_within_the_cap(tmp_path: Path) -> None:
    """Without a call left everything is kept, and the receipt says why."""
    endpoint = Endpoint([CLAIMS], critic=judging("drop", "drop"))
    with memory(tmp_path, endpoint, critic=True, max_model_calls=1) as mem:
        receipt = mem.add(TURN, user=USER)
        assert held(mem) == ALL
    assert endpoint.asked == ["extract"]
    assert any("max_model_calls" in note for note in receipt.notes)


def test_what_was_asked_to_be_remembered_is_not_shown(tmp_path: Path) -> None:
    """It is always kept."""
    answer = an_answer(a_claim("I'm allergic to mango", "allergic_to", "mango", importance=9))
    endpoint = Endpoint([answer], critic=judging("drop"))
    with memory(tmp_path, endpoint, critic=True) as mem:
        mem.add("Remember that I'm allergic to mango.", user=USER)
        assert len(held(mem)) == 1
    assert endpoint.asked == ["extract"]


def test_nothing_important_is_no_call(tmp_path: Path) -> None:
    """It is asked only if there is something to look at."""
    endpoint = Endpoint([CLAIMS], critic=judging("drop"))
    with memory(tmp_path, endpoint, critic=True, critic_importance=10) as mem:
        mem.add(TURN, user=USER)
        assert held(mem) == ALL
    assert endpoint.asked == ["extract"]


def test_a_critic_needs_a_model(tmp_path: Path) -> None:
    """Patterns ask nobody."""
    with pytest.raises(InputError, match="critic"):
        Memory(tmp_path, settings=Settings.load({}, path=tmp_path, critic=True))


def test_the_option_goes_before_the_setting(tmp_path: Path) -> None:
    """``Memory(critic=…)`` switches it on or off, whatever the settings say."""
    asked: list[str] = []

    def answer(seen: Asked) -> str:
        asked.append(seen.step)
        return CLAIMS if seen.step == "extract" else '{"answers": []}'

    for name, given, setting in (("on", True, False), ("off", False, True)):
        options = Settings.load({}, path=tmp_path / name, critic=setting)
        model = ScriptedModel(answer)
        with Memory(model=model, critic=given, embedder="none", settings=options) as mem:
            mem.add(TURN, user=USER)
    assert asked == ["extract", "critic", "extract"]
