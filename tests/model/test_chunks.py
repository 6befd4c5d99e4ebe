"""Turns cut into pieces."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.model.chunks import BYTES_LIMIT, chunks, indexable
from graphmem.model.episode import Channel, Episode, Reading, Role


def a_turn(content: str, speaker: str | None = "Ana", role: Role = Role.USER) -> Episode:
    return Episode(
        id="ep_1",
        key=None,
        session=None,
        agent=None,
        place=0,
        role=role,
        speaker=speaker,
        content=content,
        occurred_at=0,
        zone="UTC",
        time_given=True,
        created_at=0,
        channel=Channel.CHAT,
        digest="",
        reading=Reading.PENDING,
    )


def test_a_short_turn_is_one_chunk_with_its_speaker() -> None:
    """A usual turn is indexed whole."""
    (chunk,) = chunks(a_turn("I moved to Cork. I like it."))
    assert (chunk.id, chunk.episode) == ("ep_1#0", "ep_1")
    assert chunk.text == "Ana: I moved to Cork. I like it."


def test_a_speaker_without_a_name_is_named_by_role() -> None:
    """Every chunk says who spoke."""
    (chunk,) = chunks(a_turn("Hello", speaker=None, role=Role.ASSISTANT))
    assert chunk.text == "assistant: Hello"


@pytest.mark.parametrize("close", ["</graphmem-context>", "</GRAPHMEM-CONTEXT >", ""])
def test_a_block_of_context_is_no_chunk(close: str) -> None:
    """What the memory gave out itself is not found again when a prompt is stored with it."""
    block = f'<graphmem-context note="Remembered data.">\n- I live in Cork.\n{close}'
    (chunk,) = chunks(a_turn("Morning!\n" + block))
    assert chunk.text == "Ana: Morning!"
    assert chunks(a_turn(block)) == ()


def test_words_after_a_block_of_context_stay() -> None:
    """Only the block is left out."""
    block = "<graphmem-context>\n- I live in Cork.\n</graphmem-context>"
    (chunk,) = chunks(a_turn(f"{block}\nWhat should I eat? {block}"))
    assert chunk.text == "Ana: What should I eat?"


@pytest.mark.parametrize(
    ("sentence", "most"),
    [("I moved to Cork for 3.5 years. ", 700), ("我住在杭州的西湖边上。", 206)],
)
def test_long_turns_are_cut_at_sentence_borders(sentence: str, most: int) -> None:
    """No chunk begins or ends inside a sentence, and none is too long."""
    pieces = chunks(a_turn(sentence * 60))
    assert len(pieces) > 1
    assert all(piece.text.endswith(sentence.strip()) for piece in pieces)
    assert all(piece.text.startswith("Ana: " + sentence[:3]) for piece in pieces)
    assert max(len(piece.text) for piece in pieces) <= most


@pytest.mark.parametrize("unit", ["x", "中", "word ", "한글"])
def test_an_endless_sentence_is_cut_hard(unit: str) -> None:
    """Text without sentence borders, or even spaces, is cut too."""
    pieces = chunks(a_turn(unit * 5000))
    assert max(len(piece.text) for piece in pieces) <= 1010


def test_a_turn_over_the_limit_gives_no_chunks() -> None:
    """Size is counted in bytes of UTF-8."""
    assert chunks(a_turn("é" * (BYTES_LIMIT // 2)))
    assert not chunks(a_turn("é" * (BYTES_LIMIT // 2 + 1)))
    assert not indexable(a_turn("é" * (BYTES_LIMIT // 2 + 1)))


@pytest.mark.parametrize("content", ["", " \n ", "\n" * 1000])
def test_a_blank_turn_gives_no_chunks(content: str) -> None:
    """There is nothing to find."""
    assert not chunks(a_turn(content))


@given(st.text(alphabet="ab .!?。！中文\n'\"”", max_size=2000))
def test_chunks_hold_every_character_in_order(content: str) -> None:
    """Only space is lost at the cuts."""
    pieces = chunks(a_turn(content))
    joined = "".join(piece.text.removeprefix("Ana: ") for piece in pieces)
    assert "".join(joined.split()) == "".join(content.split())
    assert [piece.id for piece in pieces] == [f"ep_1#{n}" for n in range(len(pieces))]
