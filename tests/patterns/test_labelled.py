"""Pattern extraction on the labelled sentences of both languages."""

from __future__ import annotations

import pytest

from benchmarks.patterns import LANGUAGES, Score, read, rows, score, turns_of
from graphmem.extraction.patterns import PatternExtractor


@pytest.fixture(scope="module", params=LANGUAGES)
def result(request: pytest.FixtureRequest) -> Score:
    """The counts for one language."""
    return score(request.param)


def test_what_is_stored_is_right(result: Score) -> None:
    """At least 95 of 100 drafts are labelled facts."""
    assert result.precision >= 0.95, result.errors


def test_most_of_what_is_said_is_stored(result: Score) -> None:
    """At least 80 of 100 labelled facts are drafted."""
    assert result.recall >= 0.8, result.errors


def test_forms_are_right(result: Score) -> None:
    """At least 95 of 100 right drafts have the labelled form."""
    assert result.strict >= 0.95 * result.right, result.errors


def test_nothing_comes_of_sentences_that_assert_nothing(result: Score) -> None:
    """Questions, fiction, quotations and the rest give no draft."""
    assert result.false_alarms == 0, result.errors


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_third_of_the_labels_are_negatives(language: str) -> None:
    """The labelled set is at least 100 texts, a fair part of them without facts."""
    texts = rows(language)
    assert len(texts) >= 100
    assert sum(not row["facts"] for row in texts) * 4 >= len(texts)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_draft_is_grounded(language: str) -> None:
    """The quote of a draft occurs in its turn, and every draft says what made it."""
    extractor = PatternExtractor()
    for row in rows(language):
        contents = {turn.id: turn.content for turn in turns_of(row)}
        for draft in read(extractor, row):
            assert draft.quote
            assert draft.quote in contents[draft.turn]
            assert draft.statement
            assert draft.rule.startswith(f"{language}.")
