"""Pattern extraction on messy sentences whose labels allow every fair wording."""

from __future__ import annotations

import pytest

from benchmarks.patterns import FOLDER, LANGUAGES, VARIANTS
from benchmarks.patterns_field import FieldScore, score_rows
from benchmarks.running import lines

SETS = [(name, language) for name in VARIANTS for language in LANGUAGES]
LEAST = {"field": 0.5, "fresh": 0.75, "chat": 0.65}
"""Of the facts asked for, the share that is found at least."""


@pytest.fixture(scope="module", params=SETS, ids="-".join)
def scored(request: pytest.FixtureRequest) -> tuple[str, FieldScore]:
    """The name of a set, and the counts of one language in it."""
    name, language = request.param
    rows = lines(FOLDER / f"labelled_{name}.jsonl")
    return name, score_rows([row for row in rows if row["lang"] == language])


def test_what_is_stored_is_labelled(scored: tuple[str, FieldScore]) -> None:
    """At least 95 of 100 drafts are what a careful person would store, or allow."""
    _, score = scored
    assert score.precision >= 0.95, score.errors


def test_nothing_is_stored_where_nothing_is_asserted(scored: tuple[str, FieldScore]) -> None:
    """Questions, fiction, other people's words and orders give no draft."""
    _, score = scored
    assert score.false_alarms == 0, score.errors


def test_much_of_what_is_said_is_stored(scored: tuple[str, FieldScore]) -> None:
    """What is read does not shrink unseen."""
    name, score = scored
    assert score.recall >= LEAST[name], score.errors


@pytest.mark.parametrize("name", ["field", "fresh"])
def test_half_is_chinese_and_a_third_has_nothing_to_store(name: str) -> None:
    """The sets are large, of both languages alike, and full of traps."""
    rows = lines(FOLDER / f"labelled_{name}.jsonl")
    chinese = sum(row["lang"] == "zh" for row in rows)
    traps = sum(not row["facts"] and not row["allowed"] for row in rows)
    assert len(rows) >= 300
    assert 0.45 <= chinese / len(rows) <= 0.55
    assert traps / len(rows) >= 0.3
    assert len({row["id"] for row in rows}) == len(rows)


def test_a_third_of_the_chat_asks_for_nothing() -> None:
    """The set of messy chat is large, of both languages, and much of it is idle talk."""
    rows = lines(FOLDER / "labelled_chat.jsonl")
    assert len(rows) >= 500
    assert sum(row["lang"] == "zh" for row in rows) >= 200
    assert sum(not row["facts"] for row in rows) * 3 >= len(rows)
    assert len({row["id"] for row in rows}) == len(rows)
