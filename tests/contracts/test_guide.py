"""The guides to the test kit are right: the page runs, and nothing is left out."""

from __future__ import annotations

import pkgutil
import re
import subprocess
import sys
from pathlib import Path

import graphmem.testing

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "testing.md"


def test_the_page_runs(tmp_path: Path) -> None:
    """The code of docs/testing.md is a file of tests that pass."""
    blocks = re.findall(r"^```python\n(.*?)^```$", PAGE.read_text("utf-8"), re.M | re.S)
    (tmp_path / "test_page.py").write_text("\n".join(blocks), "utf-8")
    options = ["-q", "-W", "error", "-p", "no:cacheprovider", "--rootdir", str(tmp_path)]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *options, "test_page.py"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    assert re.search(r"^\d\d+ passed in", done.stdout, re.M), done.stdout


def test_every_module_is_in_the_package_guide() -> None:
    """The docstring of graphmem.testing names each module, and no other."""
    named = re.findall(r"^- ``(\w+)``:", graphmem.testing.__doc__ or "", re.M)
    modules = [module.name for module in pkgutil.iter_modules(graphmem.testing.__path__)]
    assert sorted(set(named)) == sorted(modules)


def test_every_suite_is_on_the_page() -> None:
    """What the package guide calls a contract, the page tells how to use."""
    suites = set(re.findall(r"``(\w+Contract)``", graphmem.testing.__doc__ or ""))
    assert len(suites) >= 7
    assert suites == set(re.findall(r"`graphmem\.[\w.]+\.(\w+Contract)`", PAGE.read_text("utf-8")))
