"""Servers of the tests: what they need, and that they end."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from tests.services.java import find_java, version_of
from tests.services.neo4j_server import CURRENT, LTS, Release, missing

HERE = Path(__file__).parents[2]

A_TEST = """
from tests.services.plugin import neo4j, neo4j_lts

def test_one(neo4j):
    pass

def test_two(neo4j):
    pass
"""


def run_without_java(folder: Path, **environ: str) -> subprocess.CompletedProcess[str]:
    """Run a test that wants a server where there is neither Java nor Maven."""
    (folder / "test_wanting.py").write_text(A_TEST, encoding="utf-8")
    kept = {
        k: v for k, v in os.environ.items() if not k.startswith(("JAVA_HOME", "GRAPHMEM", "CI"))
    }
    command = [sys.executable, "-m", "pytest", "-q", "-ra", "-p", "no:cacheprovider", str(folder)]
    return subprocess.run(
        command,
        cwd=folder,
        env={**kept, "PATH": str(folder), "PYTHONPATH": str(HERE), **environ},
        capture_output=True,
        text=True,
        check=False,
    )


def test_without_java_tests_are_left_out(tmp_path: Path) -> None:
    """The run passes, and its summary says what was left out and how to include it."""
    done = run_without_java(tmp_path)
    assert done.returncode == 0, done.stdout
    assert "2 skipped" in done.stdout
    assert "install Java 17 or later and Maven" in done.stdout
    assert "GRAPHMEM_TEST_NEO4J_URL" in done.stdout


def test_in_ci_nothing_is_left_out(tmp_path: Path) -> None:
    """There, what is missing is a failure."""
    done = run_without_java(tmp_path, CI="true")
    assert done.returncode == 1
    assert "2 errors" in done.stdout


@pytest.mark.parametrize("release", [LTS, CURRENT], ids=lambda release: release.name)
def test_each_release_is_pinned(release: Release) -> None:
    """To an exact version of the line it is named for."""
    assert f"<version>{release.name}." in release.pom.read_text(encoding="utf-8")


def test_the_oldest_java_that_will_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is found beside the one that is named, and one that is too old is not taken."""
    for name in [name for name in os.environ if name.startswith("JAVA_HOME")]:
        monkeypatch.delenv(name)
    for name, version in (("a", "1.8.0"), ("b", "25.0.3"), ("c", "21.0.1"), ("d", "17.0.2")):
        home = tmp_path / name
        (home / "bin").mkdir(parents=True)
        (home / "release").write_text(f'JAVA_VERSION="{version}"\n', encoding="utf-8")
        java = home / "bin" / ("java.exe" if os.name == "nt" else "java")
        java.write_text("", encoding="utf-8")
        java.chmod(java.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("JAVA_HOME", str(tmp_path / "a"))
    monkeypatch.setenv("PATH", "")
    find_java.cache_clear()
    try:
        found = [find_java(least) for least in (17, 21, 24)]
        assert [path and path.parent.parent.name for path in found] == ["d", "c", "b"]
        assert find_java(26) is None
        assert missing(LTS) == "Maven"
    finally:
        find_java.cache_clear()


def test_a_java_that_is_none(tmp_path: Path) -> None:
    """What is not there has no version."""
    assert version_of(tmp_path / "bin" / "java") == 0
