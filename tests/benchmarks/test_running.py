"""Every benchmark runs on its own sample, and says where a folder is wrong."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable, Mapping, Sequence
from contextlib import redirect_stdout
from functools import cache
from importlib import import_module
from io import StringIO
from pathlib import Path
from typing import Any

import anyio
import pytest

from benchmarks import asof, cost, endings, extraction, locomo, memorybank, precision, stories
from benchmarks.running import SAMPLES, table, variable
from benchmarks.served import Server
from graphmem.testing.model_server import ScriptedServer
from tests.project.test_docs import blocks
from tests.services.neo4j_server import Address
from tests.services.stores import settings_of

Main = Callable[[Sequence[str]], None]
RECALL = ("rec@5", "rec@10", "bm25_rec@5", "bm25_rec@10")
RATES = {
    "asof": ("exact", "exact_shuffled", "search_exact"),
    "cost": ("static_share",),
    "endings": ("false", "missed"),
    "extraction": ("precision", "recall", "f1", "updates_right", "false_endings", "silent_right"),
    "locomo": RECALL,
    "memorybank": ("zh", "en"),
    "precision": ("precision", "recall"),
    "stories": ("right",),
}
READERS: dict[str, Main] = {
    "asof": asof.main,
    "cost": cost.main,
    "extraction": extraction.main,
    "locomo": locomo.main,
    "memorybank": memorybank.main,
    "precision": precision.main,
    "stories": stories.main,
}
PAGE = Path(__file__).parents[2] / "docs" / "benchmarks.md"


def documented() -> dict[str, tuple[str, ...]]:
    """Return the page's commands and their words; our samples stand in for the data."""
    found: dict[str, tuple[str, ...]] = {}
    for block in blocks("docs/benchmarks.md", "console"):
        for line in block.splitlines():
            command = line.removeprefix("$ ")
            python, _, module, *words = shlex.split(command)
            assert python == "python"
            name = module.removeprefix("benchmarks.")
            sample = str(SAMPLES / name)
            found[command] = (name, *(sample if w.startswith("DATA/") else w for w in words))
    return found


COMMANDS = documented()


@cache  # a run takes seconds, and figures are only read
def figures_of(name: str, *words: str) -> Mapping[str, Any]:  # Any: JSON
    """Run a benchmark and read the one object it prints."""
    with redirect_stdout(StringIO()) as printed:
        import_module(f"benchmarks.{name}").main([*words, "--json"])
    return json.loads(printed.getvalue())


def run(name: str) -> Mapping[str, Any]:  # Any: JSON
    """Run a benchmark as the page says first."""
    return figures_of(*next(words for words in COMMANDS.values() if words[0] == name))


@pytest.mark.parametrize("command", COMMANDS)
def test_commands_in_documentation(command: str) -> None:
    """Each command of the page runs, and tells how much it measured."""
    assert figures_of(*COMMANDS[command])["n"] > 0


SMALLER = {
    "extraction": ("--only", "en-update-job"),
    "scale": ("--sizes", "20", "--calls", "3", "--claims", "5"),
}
"""Less of the same, for commands of the page that are not run as they stand."""


def test_commands_that_need_a_server_run(
    neo4j: Address, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They do with the servers of the tests in place of the page's; none is left out."""
    monkeypatch.chdir(tmp_path)
    anyio.run(Server(neo4j.url, settings_of(neo4j)).empty)  # of the mark that it is for tests too
    claims = json.dumps({"claims": []})
    measured: list[str] = []
    with ScriptedServer(lambda _: claims) as model:
        real = {
            "http://127.0.0.1:11434/v1": model.url,
            "neo4j://127.0.0.1:7687": neo4j.url.replace("bolt:", "neo4j:"),
            "choose-one": neo4j.password or "choose-one",
        }
        for line in "".join(blocks("docs/benchmarks.md", "sh")).splitlines():
            for shown, here in real.items():
                line = line.replace(shown, here)
            first, *words = shlex.split(line)
            if first == "export":
                monkeypatch.setenv(*words[0].split("=", 1))
                continue
            assert (first, words[0]) == ("python", "-m")
            name = words[1].removeprefix("benchmarks.")
            assert figures_of(name, *words[2:], *SMALLER[name])["n"] > 0
            measured.append(name)
    assert measured == ["extraction", "extraction", "scale"]


def test_every_benchmark_is_documented() -> None:
    """The page has a section, or part of one, for each module that can be run."""
    page = PAGE.read_text("utf-8")
    programs = [
        path.stem
        for path in (PAGE.parents[1] / "benchmarks").glob("*.py")
        if "add_argument" in path.read_text("utf-8") or "options(NAME" in path.read_text("utf-8")
    ]
    assert [
        name for name in programs if name not in NO_MEASURES and f"[{name}](#" not in page
    ] == []


NO_MEASURES = ("conversations", "readers", "running")


@pytest.mark.parametrize("name", RATES)
def test_figures_have_their_names(name: str) -> None:
    """They are fractions, whatever was read."""
    figures = run(name)
    assert figures["n"] > 0
    assert figures["seconds"] >= 0
    assert {rate: figures[rate] for rate in RATES[name] if not 0 <= figures[rate] <= 1} == {}


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


def test_facts_alone_and_turns_alone_find_less_than_both() -> None:
    """Asked apart, a question has figures for each kind; without reading, the turns are all."""
    apart = figures_of("locomo", "--apart")
    assert 0 < apart["facts_rec@10"] <= apart["rec@10"]
    assert 0 < apart["turns_rec@10"] <= apart["rec@10"]
    unread = figures_of("locomo", "--apart", "--episodes")
    assert (unread["facts"], unread["facts_rec@10"]) == (0, 0)
    assert unread["turns_rec@10"] == unread["rec@10"]


def test_one_conversation_can_be_run_alone(capsys: pytest.CaptureFixture[str]) -> None:
    """A name that is none is refused, with those that are."""
    assert figures_of("locomo", "--only", "own-1")["turns"] == 12
    with pytest.raises(SystemExit):
        locomo.main(["--only", "own-2"])
    assert "own-1" in capsys.readouterr().err


def test_without_a_folder_a_sample_is_read() -> None:
    """The object says so, and a table does."""
    assert figures_of("stories")["corpus"] == "sample"
    with redirect_stdout(StringIO()) as printed:
        stories.main([])
    assert printed.getvalue().startswith("sample: n 120")


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
