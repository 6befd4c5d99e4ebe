"""What a model costs is bounded, told beforehand and told afterwards."""

from __future__ import annotations

from pathlib import Path

import pytest

from graphmem.testing.model_server import Reply
from tests.field.offering import NOTHING, Claim, an_answer, offer, offering

pytestmark = pytest.mark.embedded("the model is counted, whatever the store")

MANY: list[tuple[str, list[Claim]]] = [
    (
        "Torvald married Isolde in Ghent and they have a dog called Miro.",
        [
            offer("Torvald married Isolde", "married_to", "Isolde", subject="Torvald"),
            offer("they have a dog called Miro", "has_pet", "Miro", subject="Torvald"),
            offer("they have a dog called Miro", "has_pet", "Miro", subject="Isolde"),
        ],
    ),
    (
        "老莫和阿满在三江口开了面馆，养了一只狗叫米洛。",
        [
            offer("老莫和阿满在三江口开了面馆", "runs", "面馆", subject="老莫"),
            offer("老莫和阿满在三江口开了面馆", "runs", "面馆", subject="阿满"),
            offer("养了一只狗叫米洛", "has_pet", "米洛", subject="老莫"),
        ],
    ),
]


@pytest.mark.parametrize(("text", "claims"), MANY, ids=["en", "zh"])
def test_a_turn_of_many_things_is_one_call(tmp_path: Path, text: str, claims: list[Claim]) -> None:
    """None is made for an entity or for a fact, nor when things are met again."""
    with offering(tmp_path / "memory") as weak:
        for session in ("one", "two"):
            weak.asked.clear()
            weak.replies = [an_answer(*claims)]
            receipt = weak.memory.add(text, user="ana", session=session)
            assert len(receipt.facts) == 3
            assert len(weak.asked) == receipt.usage.calls == 1


def test_an_import_of_many_chats_costs_what_was_estimated(tmp_path: Path) -> None:
    """The estimate asks nobody; the receipt has what the endpoint counted."""
    talk = [
        {"session": f"s{n // 2}", "role": "user", "content": text}
        for n, text in enumerate(["I read all day.", "我看了一天书。"] * 20)
    ]
    with offering(tmp_path / "memory") as weak:
        weak.otherwise = Reply(content=NOTHING, usage=(700, 9))
        estimate = weak.memory.estimate(talk, user="ana")
        assert not weak.asked
        receipt = weak.memory.ingest(talk, user="ana")
        assert estimate.calls == receipt.usage.calls == len(weak.asked) == 20
        assert receipt.usage.tokens == 20 * 709
        assert receipt.steps["extract"] == receipt.usage
        assert weak.memory.ingest(talk, user="ana").usage.calls == 0


def test_prompts_do_not_grow_with_what_was_said_of_a_person(tmp_path: Path) -> None:
    """Many mentions leave one small thing, and the same room for what is new."""
    with offering(tmp_path / "memory") as weak:
        lengths: list[int] = []
        for n in range(80):
            weak.replies = [
                an_answer(offer(f"Isolde likes song {n}", "likes", f"song {n}", subject="Isolde"))
            ]
            weak.memory.add(f"Isolde likes song {n}.", user="ana", session="s")
            lengths.append(len(weak.asked[-1].prompt))
        assert weak.memory.facts(user="ana").total == 80
        names = [view.entity.name for view in weak.memory.entities(user="ana").items]
        assert names.count("Isolde") == 1
        assert max(lengths[60:]) <= max(lengths[:60]) * 1.05
