"""The repository, as tests of the project see it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.commandline import cli as cli

ROOT = Path(__file__).parents[2]
_LEFT_OUT = {"build", "dist", "__pycache__"}


@pytest.fixture(scope="session")
def root() -> Path:
    """Return the top of the repository."""
    return ROOT


@pytest.fixture(scope="session")
def tree() -> list[Path]:
    """Return every file of the repository; hidden folders hold environments and caches."""
    found: list[Path] = []
    for top in sorted(ROOT.iterdir()):
        if top.name in _LEFT_OUT or (top.name.startswith(".") and top.name != ".ci"):
            continue
        inside = sorted(top.rglob("*")) if top.is_dir() else [top]
        found += [path for path in inside if path.is_file() and not _LEFT_OUT & set(path.parts)]
    return found
