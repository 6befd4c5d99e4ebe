"""The demo: the story of one user in two languages, and what can be asked of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.cli.commandline import CommandLine


@pytest.fixture
def shown(cli: CommandLine) -> Any:
    """Return what the demo found; it needs no user and leaves this memory alone."""
    cli.monkeypatch.delenv("GRAPHMEM_USER")
    found = cli.json("demo")
    assert not cli.home.exists()
    return found


def test_the_story_is_told_right(shown: Any, cli: CommandLine) -> None:
    """Every answer of the demo, each with what it is there to show."""
    allergy, dishes, now, then, *again = shown["asked"]
    assert [hit["fact"]["object"]["text"] for hit in allergy["hits"]] == ["mango"]

    walked = {hit["fact"]["subject"]["text"]: hit for hit in dishes["hits"][1:]}
    assert set(walked) == {"杨枝甘露", "芒果糯米饭"}
    for name, hit in walked.items():
        assert [step["predicate"] for step in hit["path"]] == ["allergic_to", "contains"]
        assert name in hit["sources"][0]["quote"]

    places = [answer["hits"][0]["fact"]["object"]["text"] for answer in (now, then, *again)]
    #         now       in March    now      before    March, now  March, before
    assert places == ["Lisbon", "Hangzhou", "Porto", "Lisbon", "Hangzhou", "Hangzhou"]
    assert [answer["known_at"] is not None for answer in again] == [False, True, False, True]

    changes = [item["change"] for told in shown["told"] for item in told["receipt"]["facts"]]
    assert changes.count("ended") == 1
    assert changes.count("retracted") == 1

    explanation = shown["explanation"]
    assert explanation["fact"]["statement"] == "I've moved to Lisbon."
    assert explanation["fact"]["cause"]["rule"] == "corrected_by"
    assert "Porto" in explanation["ended_by"]["quote"]
    ids = {item["id"] for item in shown["history"]}
    assert explanation["fact"]["id"] in ids
    assert len(shown["history"]) > len(ids)  # revisions: past views are kept


def test_the_demo_reads_well(cli: CommandLine) -> None:
    """For people it is one screen or two, and leaves nothing behind."""
    before = set(Path.cwd().iterdir())
    text = cli.text("demo")
    assert 30 < len(text.splitlines()) < 60
    assert "path: I'm allergic to mango. → 杨枝甘露里有芒果" in text
    assert set(Path.cwd().iterdir()) == before
