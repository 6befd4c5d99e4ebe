"""Every benchmark runs on its own sample, and says where a folder is wrong."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import redirect_stdout
from functools import cache
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from benchmarks import asof, endings, locomo, memorybank, precision, stories
from benchmarks.running import table, variable

Main = Callable[[Sequence[str]], None]
RECALL = ("rec@5", "rec@10", "bm25_rec@5", "bm25_rec@10")
RATES: dict[str, tuple[Main, list[str], tuple[str, ...]]] = {
    "asof": (asof.main, [], ("exact", "exact_shuffled")),
    "locomo": (locomo.main, [], RECALL),
    "memorybank": (memorybank.main, [], ("zh", "en")),
    "precision": (precision.main, [], ("precision", "recall")),
    "endings": (endings.main, ["--pairs", "64"], ("false", "missed")),
    "stories": (stories.main, [], ("right",)),
}
READERS: dict[str, Main] = {name: main for name, (main, _, _) in RATES.items() if name != "endings"}


@cache  # a run takes seconds, and figures are only read
def run(name: str, *arguments: str) -> Mapping[str, Any]:  # Any: JSON
    """Run a benchmark and read the one object it prints."""
    main, usual, _ = RATES[name]
    with redirect_stdout(StringIO()) as printed:
        main([*usual, *arguments, "--json"])
    return json.loads(printed.getvalue())


@pytest.mark.parametrize("name", RATES)
def test_a_benchmark_runs_without_data(name: str) -> None:
    """On a sample of its own it prints one JSON object with its figures as fractions."""
    rates = RATES[name][2]
    figures = run(name)
    assert figures["corpus"] == ("generated" if name == "endings" else "sample")
    assert figures["n"] > 0
    assert figures["seconds"] >= 0
    assert {rate: figures[rate] for rate in rates if not 0 <= figures[rate] <= 1} == {}


def test_terms_and_renames_are_exact() -> None:
    """What held at an instant is returned, whatever order it was told in."""
    figures = run("asof")
    assert (figures["exact"], figures["exact_shuffled"]) == (1.0, 1.0)


def test_nothing_ends_wrongly() -> None:
    """What changes ends, what gets on stays; and nearly all sentences are read."""
    figures = run("endings")
    assert (figures["false"], figures["missed"]) == (0.0, 0.0)
    assert figures["unread"] <= 6


def test_pairs_are_the_same_for_a_seed() -> None:
    """Figures can be compared, and nearly every pair is another one."""
    made = list(endings.cases(400, 3))
    assert made == list(endings.cases(400, 3))
    assert len(set(made)) > 380
    assert sum(case.change for case in made) == 200


def test_every_category_has_its_figures() -> None:
    """Recall is told by category, with the number of questions."""
    figures = run("locomo")
    by_category = figures["by_category"]
    assert list(by_category) == ["1", "2", "3", "4"]
    assert sum(row["n"] for row in by_category.values()) == figures["n"]
    assert [row for row in by_category.values() if not {*RECALL} <= {*row}] == []


def test_one_conversation_can_be_run_alone(capsys: pytest.CaptureFixture[str]) -> None:
    """A name that is none is refused, with those that are."""
    assert run("locomo", "--only", "own-1")["turns"] == 12
    with pytest.raises(SystemExit):
        locomo.main(["--only", "own-2"])
    assert "own-1" in capsys.readouterr().err


@pytest.mark.parametrize("name", READERS)
def test_a_folder_that_is_not_there_is_named(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The error names the folder and the option, and nothing is measured."""
    with pytest.raises(SystemExit) as ended:
        READERS[name](["--data", str(tmp_path / "nowhere"), "--json"])
    told = capsys.readouterr()
    assert ended.value.code == 2
    assert told.out == ""
    assert "--data" in told.err
    assert "nowhere" in told.err


@pytest.mark.parametrize("name", READERS)
def test_a_folder_without_the_files_is_named(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The folder may come from the environment; what it lacks is listed."""
    monkeypatch.setenv(variable(name), str(tmp_path))
    with pytest.raises(SystemExit):
        READERS[name]([])
    told = capsys.readouterr().err
    assert variable(name) in told
    assert str(tmp_path) in told
    assert "holds no" in told


def test_precision_is_exact_about_what_is_found() -> None:
    """One thing too many fails a case, and so does one too few."""
    expect = {"relevantBeliefs": {"shouldOnlyInclude": ["a"]}}
    tiers = precision.Tiers(relevant=["a"], pinned=[], questions=[], always="")
    assert precision.faults(expect, tiers) == []
    more = precision.Tiers(relevant=["a", "b"], pinned=[], questions=[], always="")
    assert precision.faults(expect, more) == ["also found b"]
    none = precision.Tiers(relevant=[], pinned=[], questions=[], always="")
    assert precision.faults(expect, none) == ["not found a"]


def test_a_table_is_in_columns() -> None:
    """Words to the left, figures to the right, rates to four places."""
    assert table([["", "n"], ["all", 12], ["share", 0.5]]) == (
        "            n\nall        12\nshare  0.5000"
    )
