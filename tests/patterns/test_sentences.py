"""Splitting turns into sentences."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.extraction.patterns.sentences import split_sentences


def texts(content: str) -> list[str]:
    """Return the sentences' words."""
    return [sentence.text for sentence in split_sentences(content).sentences]


@pytest.mark.parametrize(
    ("content", "wanted"),
    [
        ("I live in Leeds. I like tea.", ["I live in Leeds.", "I like tea."]),
        ("I'm Dr. Obi from St. Ives.", ["I'm Dr. Obi from St. Ives."]),
        ("I'm 1.82 m tall! Really.", ["I'm 1.82 m tall!", "Really."]),
        ("We meet at 9 a.m. sharp.", ["We meet at 9 a.m. sharp."]),
        ("- I'm vegan\n- I live in Oslo", ["I'm vegan", "I live in Oslo"]),
        ("我住在杭州。我喜欢茶！", ["我住在杭州。", "我喜欢茶！"]),
        ('She said "Yes. No." Then left.', ['She said "Yes. No."', "Then left."]),
    ],
)
def test_sentences_end_where_a_reader_ends_them(content: str, wanted: list[str]) -> None:
    """Abbreviations, decimals and quotations do not end a sentence; marks and lines do."""
    assert texts(content) == wanted


def test_a_wrapped_line_goes_on() -> None:
    """A long line that goes on in lower case is one sentence."""
    content = "My sister Tilda has lived for many years now in a small\ntown near Cork."
    assert len(texts(content)) == 1


@pytest.mark.parametrize(
    "pasted",
    [
        "> I live in Ghent.",
        "```\nI live in Ghent.\n```",
        "<memory>\nI live in Ghent.\n</memory>",
        "<graphmem-context scope='x'>\nI live in Ghent.\n</graphmem-context>",
        "On Mon, 3 Jun 2024, Petra wrote:\nI live in Ghent.",
        "From: Petra\nSubject: hello\nI live in Ghent.",
        "Assistant: I live in Ghent.",
    ],
)
def test_what_was_pasted_is_left_out(pasted: str) -> None:
    """Quotations, code and recalled memory are no sentences of the speaker's, and are counted."""
    split = split_sentences("I like tea.\n" + pasted)
    assert [sentence.text for sentence in split.sentences] == ["I like tea."]
    assert sum(split.left_out.values()) == 1


def test_text_after_a_fenced_block_is_read() -> None:
    """A block ends where it is closed."""
    assert texts("<memory>\nx\n</memory>\nI like tea.") == ["I like tea."]


@given(st.text(alphabet="aI .!?\n\"'“”<>`-。，x1", max_size=200))
def test_places_are_true(content: str) -> None:
    """Each sentence stands where it says, in order and without overlap."""
    stop = 0
    for sentence in split_sentences(content).sentences:
        assert content[sentence.begin : sentence.stop] == sentence.text
        assert sentence.begin >= stop
        stop = sentence.stop
