"""Answers recorded from a capable reader, replayed: what is remembered of them stays as good."""

from __future__ import annotations

import json
from contextlib import redirect_stdout
from io import StringIO

import pytest

from benchmarks import extraction, stories
from benchmarks.running import SAMPLES, Figures

ANSWERS = SAMPLES / "extraction" / "answers.jsonl"
NEVER = ("question", "hypothetical", "fiction", "quote", "assistant", "tool")
"""Kinds of snippets of which nothing forbidden may be stored."""


@pytest.fixture(scope="module")
def replayed() -> Figures:
    """Return the figures of the labelled snippets, read by the recorded answers."""
    with redirect_stdout(StringIO()) as printed:
        extraction.main(["--replay", str(ANSWERS), "--json"])
    return json.loads(printed.getvalue())


def test_every_snippet_is_read_by_what_was_recorded(replayed: Figures) -> None:
    """No call is without its answer, and no turn unread."""
    assert (replayed["n"], replayed["missing"], replayed["unread"]) == (520, 0, 0)


def test_what_is_remembered_is_right_and_nearly_all(replayed: Figures) -> None:
    """As exact as was recorded, in both languages, with a little room for either."""
    assert replayed["precision"] > 0.97
    assert replayed["recall"] > 0.96
    for language in ("en", "zh"):
        assert (
            min(replayed["by_language"][language][name] for name in ("precision", "recall")) > 0.95
        )


def test_what_is_over_ends_and_nothing_else_does(replayed: Figures) -> None:
    """Updates come out as they should, and no true fact is ended."""
    assert replayed["updates_right"] >= 0.98
    assert replayed["false_endings"] < 0.01


def test_nothing_forbidden_is_stored(replayed: Figures) -> None:
    """Not from a question, a condition, fiction or a quotation, nor from an assistant's words."""
    assert replayed["forbidden"] == {}
    assert {name: replayed["by_kind"][name]["forbidden"] for name in NEVER} == dict.fromkeys(
        NEVER, 0
    )


def test_lives_told_in_sentences_are_believed_as_they_should() -> None:
    """Nine of ten of the lives come out right, read sentence by sentence."""
    with redirect_stdout(StringIO()) as printed:
        answers = SAMPLES / "stories" / "answers.jsonl"
        stories.main(["--from", "sentences", "--replay", str(answers), "--json"])
    figures: Figures = json.loads(printed.getvalue())
    assert (figures["n"], figures["missing"], figures["unread"]) == (120, 0, 0)
    assert figures["right"] > 0.9
