"""Format, lint, types and import contracts, so that running the tests runs every check."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

CHECKS = {
    "format": [sys.executable, "-m", "ruff", "format", "--check", "--no-cache", "."],
    "lint": [sys.executable, "-m", "ruff", "check", "--no-cache", "."],
    "types": [sys.executable, "-m", "pyright", "--pythonpath", sys.executable],
    "imports": [
        sys.executable,
        "-c",
        "import importlinter.cli as c; raise SystemExit(c.lint_imports(no_cache=True))",
    ],
}


@pytest.mark.parametrize("name", CHECKS)
def test_check(name: str, root: Path) -> None:
    """Each check is clean on the whole repository."""
    done = subprocess.run(CHECKS[name], cwd=root, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
