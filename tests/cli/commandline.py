"""Runs commands in the tests' own process."""

from __future__ import annotations

import io
import json
import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from graphmem.entrypoints.cli.app import run


@dataclass
class CommandLine:
    """Runs commands in this process; ``home`` is the memory's folder."""

    home: Path
    capsys: pytest.CaptureFixture[str]
    monkeypatch: pytest.MonkeyPatch

    def text(self, *arguments: str, code: int = 0, stdin: str | bytes = "") -> str:
        """Run a command, which must end with ``code``, and return standard output."""
        raw = stdin.encode() if isinstance(stdin, str) else stdin
        self.monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(raw), encoding="utf-8"))
        got = run(arguments)
        shown = self.capsys.readouterr()
        self.err = shown.err
        assert got == code, f"{arguments}: {got}\n{shown.out}\n{shown.err}"
        return shown.out

    def json(self, *arguments: str, code: int = 0, stdin: str | bytes = "") -> Any:
        """Run a command with ``--json`` and return the object it prints, alone on one line."""
        out = self.text(*arguments, "--json", code=code, stdin=stdin)
        assert out.count("\n") == 1
        return json.loads(out)

    def fact(self, predicate: str, *more: str) -> Any:
        """Return the newest fact of a predicate."""
        return self.json("facts", "--predicate", predicate, *more)["items"][0]


@pytest.fixture
def cli(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> CommandLine:
    """Return a command line for the user ana, by keywords and graph alone (which is faster)."""
    for name in [name for name in os.environ if name.startswith("GRAPHMEM_")]:
        monkeypatch.delenv(name)
    home = tmp_path / "memory"
    monkeypatch.setenv("GRAPHMEM_HOME", str(home))
    monkeypatch.setenv("GRAPHMEM_USER", "ana")
    monkeypatch.setenv("GRAPHMEM_EMBEDDER", "none")
    monkeypatch.chdir(tmp_path)
    return CommandLine(home, capsys, monkeypatch)
