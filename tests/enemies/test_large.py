"""Ten megabytes of text: kept whole, answered, and no more work than a bounded piece of it."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from graphmem import Memory
from graphmem.client.aio_base import QUESTION_LIMIT
from graphmem.extraction.gate import gate
from graphmem.extraction.mask import mask
from graphmem.extraction.patterns import PatternExtractor
from graphmem.extraction.patterns.sentences import split_sentences
from graphmem.model.chunks import BYTES_LIMIT
from graphmem.model.draft import Batch, Extraction, Known
from graphmem.testing.builders import an_episode
from graphmem.usecases.portion import EARLIER_LIMIT, READ_LIMIT, portion
from graphmem.usecases.turns import LONGEST
from tests.counting import calls
from tests.engine.conftest import Make
from tests.engine.kit import a_memory, values

LONG = bool(os.environ.get("LONG_TESTS"))
"""Whether the tests that take a minute run too."""

UNITS = {
    "english": "I live in Riga and I like tea number 7. ",
    "chinese": "我住在杭州，我喜欢喝茶。",
    "a word": "a",
    "a Chinese word": "我",
    "punctuation": ".,;!?",
    "quotes": "“(['\"「",
    "brackets": "([{<",
    "dates": "on 3 March 2021 I met Kim. ",
    "Chinese dates": "2021年三月三日我见了小王。",
    "digits": "1234 5678 ",
    "lines": "Kim: hello\n",
    "fences": "```\n",
    "blocks": "<memory>",
    "headers": "From: a\n",
    "wrapped lines": "and so it went on and on and on and on and on for ever\n",
    "labels": "password is my key token ",
    "invisible": "a\u200b\u202e",
    "NULs": "\x00a ",
}


def of(unit: str, size: int) -> str:
    return unit * (size // len(unit))


STAGES: dict[str, Callable[[str], object]] = {
    "mask": mask,
    "split": split_sentences,
    "gate": lambda text: gate(an_episode(content=text)),
}


@pytest.mark.parametrize("kind", UNITS)
@pytest.mark.parametrize("stage", STAGES)
@pytest.mark.storeless
def test_twice_the_text_is_twice_the_work(stage: str, kind: str) -> None:
    """No stage before the reading grows faster than the text."""
    small, large = (of(UNITS[kind], size) for size in (3_000, 12_000))
    few, many = (calls(lambda text=text: STAGES[stage](text)) for text in (small, large))
    assert many <= 4 * few + 200


def read(text: str) -> int:
    turn = portion(an_episode(content=text))
    return calls(lambda: PatternExtractor().read_turn(turn, Known()))


@pytest.mark.parametrize("kind", ["english", "chinese", "dates", "Chinese dates", "quotes"])
@pytest.mark.storeless
def test_reading_grows_with_the_text(kind: str) -> None:
    """Patterns do the same for each sentence, however many came before it."""
    few, many = (read(of(UNITS[kind], size)) for size in (800, 3_200))
    assert many <= 5 * few + 500


@pytest.mark.parametrize("kind", UNITS)
@pytest.mark.storeless
def test_what_is_read_has_a_limit(kind: str) -> None:
    """A portion ends at a border if there is one, and is never longer than the limit."""
    text = of(UNITS[kind], 3 * READ_LIMIT)
    taken = portion(an_episode(content=text)).content
    assert text.startswith(taken)
    assert READ_LIMIT // 2 <= len(taken) <= READ_LIMIT


@pytest.mark.storeless
def test_a_turn_within_the_limit_is_read_whole() -> None:
    """The last character allowed is still read."""
    turn = an_episode(content="a" * READ_LIMIT)
    assert portion(turn) is turn


@pytest.mark.parametrize("kind", UNITS if LONG else ["a word"])
def test_ten_megabytes_are_kept_and_said_to_be(tmp_path: Path, kind: str) -> None:
    """The turn is stored whole, the rest of the call too, and the receipt says what was left."""
    text = f"I live in Riga. 我喜欢喝茶。\n{of(UNITS[kind], LONGEST - 100)}"
    memory = a_memory(tmp_path / "store")
    long, short = memory.add([text, "I'm allergic to mango."], user="ana").turns
    assert long.state.value == "stored"
    assert f"{len(text):,} characters" in (long.reason or "")
    assert "pieces" in (long.reason or "")
    assert short.reason is None
    assert {"Riga", "mango", "茶"} <= values(memory.facts(user="ana"))
    assert memory.search("what am I allergic to?", user="ana").hits
    memory.export(tmp_path / "all.jsonl", user="ana")
    memory.close()
    with (tmp_path / "all.jsonl").open(encoding="utf-8") as rows:
        contents = [row["content"] for row in map(json.loads, rows) if row["kind"] == "episode"]
    assert text in contents


def test_a_turn_over_the_limit_is_refused_and_the_rest_kept(mem: Memory) -> None:
    """The message says how long it is, what is allowed, and what to do."""
    long, short = mem.add(["a" * (LONGEST + 1), "I live in Riga."], user="ana").turns
    assert (long.state.value, short.state.value) == ("failed", "stored")
    assert f"{LONGEST + 1}" in (long.reason or "")
    assert "split" in (long.reason or "")


def test_a_turn_too_large_for_the_index_says_so(mem: Memory) -> None:
    """A turn that is read whole and not indexed is reported too."""
    text = f"I live in Riga. {'茶' * (BYTES_LIMIT // 3 + 1)}"
    (turn,) = mem.add(text, user="ana").turns
    assert "search index" in (turn.reason or "")
    assert values(mem.facts(user="ana")) == {"Riga"}


def test_a_pending_turn_is_read_as_far_as_any(make: Make) -> None:
    """What an extractor is given later has the same limit."""
    make(extractor="none").add(of(UNITS["english"], 2 * READ_LIMIT), user="ana")
    (turn,) = make(extractor=_Counting()).retry_pending(user="ana").turns
    assert turn.state.value == "stored"
    assert "pieces" in (turn.reason or "")


class _Counting:
    identity = "counting/1"

    async def extract(self, batch: Batch) -> Extraction:
        assert all(len(turn.content) <= READ_LIMIT for turn in batch.turns)
        assert all(len(turn.content) <= EARLIER_LIMIT for turn in batch.earlier)
        return Extraction()


def test_a_long_turn_before_is_not_read_again_whole(make: Make) -> None:
    """What follows a long turn in its session is given only the end of it."""
    mem = make(extractor=_Counting())
    mem.add(of(UNITS["english"], 2 * READ_LIMIT), user="ana", session="s")
    assert mem.add("I live in Riga.", user="ana", session="s").turns[0].reason is None


def test_a_question_is_read_up_to_its_limit(mem: Memory) -> None:
    """A long one is answered by its beginning, and the answer says so."""
    mem.add("I'm allergic to mango.", user="ana")
    whole = mem.search("what am I allergic to? " + "a " * QUESTION_LIMIT, user="ana")
    cut = mem.search(
        ("what am I allergic to? " + "a " * QUESTION_LIMIT)[:QUESTION_LIMIT], user="ana"
    )
    assert [h.id for h in whole.hits] == [h.id for h in cut.hits] != []
    assert any(f"{QUESTION_LIMIT:,}" in note for note in whole.notes)
    assert not cut.notes
    assert mem.context("a " * QUESTION_LIMIT, user="ana").notes
