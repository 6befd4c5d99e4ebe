"""A statement with a tag is a question."""

from __future__ import annotations

import pytest

from graphmem.extraction.patterns.sentences import split_sentences
from graphmem.extraction.speech import Openings, unasserted


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("I live in Hangzhou, don't I?", "live in Hangzhou"),
        ("I live in Hangzhou, right?", "live in Hangzhou"),
        ("I'm allergic to mango, correct?", "allergic to mango"),
        ("我住在杭州，对吧？", "住在杭州"),
        ("我住在杭州，是吗？", "住在杭州"),
    ],
)
def test_a_tag_makes_a_question(text: str, words: str) -> None:
    """What is only asked back is not asserted."""
    sentence = split_sentences(text).sentences[0]
    assert unasserted(sentence, text.index(words), Openings(None, None)) == "question"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("I live in Hangzhou, can you find a gym?", "live in Hangzhou"),
        ("我住在杭州，附近有什么好吃的？", "住在杭州"),
    ],
)
def test_a_statement_before_another_question_stands(text: str, words: str) -> None:
    """A question about something else takes nothing back."""
    sentence = split_sentences(text).sentences[0]
    assert unasserted(sentence, text.index(words), Openings(None, None)) is None
