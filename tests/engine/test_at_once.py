"""A turn read by patterns is stored and believed in one change."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from graphmem import Memory
from graphmem.extraction.patterns import PatternExtractor
from graphmem.model.draft import Batch, Extraction
from graphmem.model.receipt import TurnState
from tests.engine.kit import a_memory, values


def changes(memory: Memory, file: Path) -> int:
    """Return how many changes the store has written."""
    memory.export(file)
    rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    return sum(row.get("kind") == "change" for row in rows)


def test_a_turn_and_its_answer_are_one_change(tmp_path: Path) -> None:
    """Also with the assistant's words among them, which are kept and not read."""
    with a_memory(tmp_path) as memory:
        memory.add(
            [
                {"role": "user", "content": "I live in Riga."},
                {"role": "assistant", "content": "Riga is lovely."},
            ],
            user="ana",
            session="s1",
        )
        assert changes(memory, tmp_path / "all.jsonl") == 1
        assert values(memory.facts(user="ana")) == {"Riga"}


def test_what_was_stored_before_is_read_the_long_way(tmp_path: Path) -> None:
    """A transcript that has grown is known again, and only what is new is read."""
    told = ["I live in Riga.", "I like tea."]
    with a_memory(tmp_path) as memory:
        memory.add(told[:1], user="ana", session="s1")
        receipt = memory.add(told, user="ana", session="s1")
        assert [t.state for t in receipt.turns] == [TurnState.DUPLICATE, TurnState.STORED]
        assert values(receipt.added) == {"tea"}


class BrokenError(Exception):
    """What nobody foresaw."""


def test_what_breaks_a_reader_loses_no_turn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The turn is there, unread, and is read once the reader is mended."""

    async def broken(_self: PatternExtractor, _batch: Batch) -> Extraction:
        raise BrokenError

    with a_memory(tmp_path) as memory:
        with monkeypatch.context() as patched:
            patched.setattr(PatternExtractor, "extract", broken)
            with pytest.raises(BrokenError):
                memory.add("I live in Riga.", user="ana")
        assert values(memory.retry_pending(user="ana").added) == {"Riga"}
