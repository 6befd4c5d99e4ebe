"""Caps and costs of whole calls of a memory: what is left waits, and nothing is lost."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import anyio
import pytest

from graphmem import AsyncMemory, Memory
from graphmem.errors import InputError
from graphmem.model.draft import Usage
from graphmem.model.receipt import Receipt
from graphmem.settings import Settings
from graphmem.testing.models import Asked, ScriptedModel
from tests.models.kit import claims

TURN = "I drink tea."


def said(asked: Asked) -> str:
    """What a good model says."""
    prompt = "\n".join(message.content for message in asked.messages)
    return json.dumps({"claims": claims(prompt), "entities": []}, ensure_ascii=False)


def talk(sessions: int) -> list[dict[str, str]]:
    """A transcript: each session is read in a call of its own."""
    return [
        {"role": "user", "content": TURN, "id": f"m{n}", "session": f"s{n}"}
        for n in range(sessions)
    ]


def a_memory(place: Path, model: ScriptedModel, **settings: Any) -> Memory:  # Any: by name
    chosen = Settings.load({}, path=place, embedder="none", **settings)
    return Memory(model=model, settings=chosen)


def stored(place: Path, reading: str = "%") -> int:
    """How many turns are in a folder's memory, of one state."""
    with sqlite3.connect(place / "graph.sqlite3") as connection:
        rows = connection.execute(
            "SELECT count(*) FROM episodes WHERE reading LIKE ?", (reading,)
        ).fetchone()
    connection.close()
    return int(rows[0])


def pending(receipt: Receipt) -> Sequence[int]:
    return [turn.index for turn in receipt.pending]


def test_an_ingest_stops_at_its_cap_and_goes_on_later(tmp_path: Path) -> None:
    """The turns that are left wait with the reason; a retry reads them, and none twice."""
    model = ScriptedModel(said)
    with a_memory(tmp_path, model) as memory:
        receipt = memory.ingest(talk(4), user="ana", max_model_calls=2)
        assert (len(model.asked), pending(receipt)) == (2, [2, 3])
        assert all("max_model_calls" in (turn.reason or "") for turn in receipt.pending)
        assert stored(tmp_path) == 4
        again = memory.retry_pending(user="ana", max_model_calls=1)
        assert (len(model.asked), len(again.pending)) == (3, 1)
        assert not memory.retry_pending(user="ana").pending
        assert len(model.asked) == 4
        assert memory.doctor().well


def test_settings_cap_every_call_and_arguments_come_before_them(tmp_path: Path) -> None:
    """A cap of nothing asks nothing."""
    model = ScriptedModel(said)
    with a_memory(tmp_path, model, max_model_calls=0) as memory:
        assert pending(memory.add(TURN, user="ana")) == [0]
        assert pending(memory.ingest(talk(1), user="ana")) == [0]
        assert len(memory.retry_pending(user="ana").pending) == 2
        assert not model.asked
        assert not memory.retry_pending(max_model_calls=5).pending


def test_tokens_are_capped_too(tmp_path: Path) -> None:
    """By the estimate of the next call."""
    model = ScriptedModel(said)
    with a_memory(tmp_path, model) as memory:
        one = memory.estimate(talk(1), user="ana")
        cap = one.prompt_tokens * 2 + 400
        receipt = memory.ingest(talk(4), user="ana", max_model_tokens=cap)
        assert receipt.usage.tokens <= cap
        assert 0 < len(model.asked) < 4
        assert len(receipt.pending) == 4 - len(model.asked)


@pytest.mark.parametrize("cap", [{"max_model_calls": -1}, {"max_model_tokens": -1}])
def test_a_cap_below_nothing_is_refused(tmp_path: Path, cap: dict[str, Any]) -> None:
    """Nothing is stored then."""
    with a_memory(tmp_path, ScriptedModel(said)) as memory:
        with pytest.raises(InputError, match=next(iter(cap))):
            memory.add(TURN, user="ana", **cap)
        assert stored(tmp_path) == 0


def test_a_receipt_adds_up_its_steps(tmp_path: Path) -> None:
    """Over the sessions of an ingest, step by step."""
    model = ScriptedModel(lambda asked: "no" if asked.step == "extract" else said(asked))
    with a_memory(tmp_path, model) as memory:
        receipt = memory.ingest(talk(3), user="ana")
    assert {step: usage.calls for step, usage in receipt.steps.items()} == {
        "extract": 3,
        "repair": 3,
    }
    assert sum(receipt.steps.values(), Usage()) == receipt.usage


def test_a_background_job_keeps_to_its_cap(tmp_path: Path) -> None:
    """As if it were waited for."""
    model = ScriptedModel(said)
    with a_memory(tmp_path, model) as memory:
        job = memory.ingest(talk(3), user="ana", wait=False, max_model_calls=2)
        assert memory.flush(timeout=30)
        assert len(job.result().pending) == 1
    assert len(model.asked) == 2


def test_a_call_that_is_cancelled_leaves_its_turns_pending(tmp_path: Path) -> None:
    """They are stored, and read when somebody asks again."""

    class Stuck(ScriptedModel):
        async def complete(self, *args: Any, **given: Any) -> Any:  # Any: passed on
            await anyio.sleep(30 if not self.asked else 0)
            return await super().complete(*args, **given)

    model = Stuck(said)

    async def run() -> None:
        async with AsyncMemory(tmp_path, model=model, embedder="none") as memory:
            with anyio.move_on_after(0.5) as scope:
                await memory.add(TURN, user="ana")
            assert scope.cancelled_caught
            assert stored(tmp_path, "pending") == 1
            model.asked.append(Asked((), "", None, None))  # it is not stuck any more
            assert not (await memory.retry_pending(user="ana")).pending
            assert (await memory.facts(user="ana")).total == 1

    anyio.run(run)


def test_an_estimate_asks_and_writes_nothing(tmp_path: Path) -> None:
    """It counts what is new, as it would be read, session by session."""
    model = ScriptedModel(said)
    with a_memory(tmp_path, model) as memory:
        memory.ingest(talk(1), user="ana")
        before = len(model.asked)
        estimate = memory.estimate(talk(3), user="ana")
        assert len(model.asked) == before
        assert stored(tmp_path) == 1
        assert (estimate.turns, estimate.known, estimate.read, estimate.calls) == (3, 1, 2, 2)
        assert 0 < estimate.static_tokens < estimate.prompt_tokens
        receipt = memory.ingest(talk(3), user="ana")
        assert receipt.usage.calls == estimate.calls


def test_patterns_cost_nothing(tmp_path: Path) -> None:
    """An extractor that asks no model has nothing to estimate."""
    with Memory(tmp_path, embedder="none") as memory:
        estimate = memory.estimate(talk(2), user="ana")
    assert (estimate.turns, estimate.calls, estimate.tokens) == (2, 0, 0)
