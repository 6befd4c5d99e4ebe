"""The documentation is run: its Python, its commands, its generated pages."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from graphmem.entrypoints.cli.app import commands
from graphmem.entrypoints.cli.reference import PAGES
from tests.cli.commandline import CommandLine

ROOT = Path(__file__).parents[2]
WITH_CODE = ["README.md", "docs/getting-started.md", "docs/time.md", "docs/models.md"]
WITH_COMMANDS = [
    "README.md",
    "docs/getting-started.md",
    "docs/cli.md",
    "docs/models.md",
    "docs/neo4j-browser.md",
]
README_LINES = 15


def blocks(page: str, language: str) -> list[str]:
    """Return the fenced blocks of a language on a page."""
    text = (ROOT / page).read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def run(code: str, place: Path) -> list[str]:
    """Run a page's code in a folder; return what it prints, which its comments say."""
    assert code
    expected = re.findall(r"^ *print\(.*\)  # (.*)$", code, re.MULTILINE)
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        cwd=place,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == expected
    return expected


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in a temporary folder with the examples in it, and a memory of its own."""
    for name in [name for name in os.environ if name.startswith("GRAPHMEM_")]:
        monkeypatch.delenv(name)
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GRAPHMEM_HOME", str(tmp_path / "memory"))
    for name in ("HOME", "XDG_DATA_HOME"):  # what ``Memory()`` opens is nobody's own
        monkeypatch.setenv(name, str(tmp_path / "home"))
    return tmp_path


@pytest.mark.parametrize("page", WITH_CODE)
def test_python_in_documentation(page: str, place: Path) -> None:
    """Each page's code runs, and prints what the comments beside ``print`` say."""
    run("\n".join(blocks(page, "python")), place)


@pytest.mark.parametrize("example", sorted((ROOT / "examples").glob("*.py")), ids=lambda p: p.name)
def test_examples_run(example: Path, place: Path) -> None:
    """Each program among the examples does something and ends well."""
    done = subprocess.run(
        [sys.executable, "-W", "error", example],
        cwd=place,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout


def test_the_readme_is_short() -> None:
    """Its first session is at most fifteen lines."""
    assert len(blocks("README.md", "python")[0].splitlines()) <= README_LINES


def lines(page: str) -> Iterator[list[str]]:
    """Yield the commands of a page, split into words."""
    for block in blocks(page, "console"):
        for line in block.splitlines():
            if line.startswith("$ "):
                yield shlex.split(line.removeprefix("$ "))


def real(word: str, command: str, cli: CommandLine) -> str:
    """Put a real id where the documentation says FACT or SUGGESTION."""
    if word == "SUGGESTION":
        return cli.json("suggestions")["items"][0]["id"]
    if word != "FACT":
        return word
    facts = cli.json("facts", "--ended", "--retracted")["items"]
    # Of a kind that the example is about: restoring wants what was retracted, and so on.
    status = "retracted" if command == "restore" else "held"
    return next(
        fact["id"]
        for fact in facts
        if fact["status"] == status and (command == "restore" or fact["valid_to"] is None)
    )


@pytest.mark.parametrize("page", WITH_COMMANDS)
def test_commands_in_documentation(page: str, cli: CommandLine) -> None:
    """Each command of a page does what it says, one after the other."""
    cli.monkeypatch.delenv("GRAPHMEM_EMBEDDER")
    shutil.copytree(ROOT / "examples", "examples")
    # Whom the examples about names speak of.
    for name in ("Bob", "Bobby", "Robert Ames", "Robert"):
        cli.text("add-fact", name, "likes", "tea")
    for words in lines(page):
        assert words[0] == "graphmem"
        cli.text(*(real(word, words[1], cli) for word in words[1:]))


@pytest.mark.parametrize("name", PAGES)
def test_generated_pages_are_current(name: str) -> None:
    """Made anew they are the same (``python -m graphmem.entrypoints.cli.reference docs``)."""
    assert (ROOT / "docs" / name).read_text(encoding="utf-8") == PAGES[name]()


def test_every_command_is_documented() -> None:
    """docs/cli.md has a section and an example for each."""
    page = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")
    assert [c.name for c in commands() if f"\n### {c.name}\n" not in page] == []
    assert [c.name for c in commands() if f"$ graphmem {c.name}" not in page] == []


def test_links_lead_somewhere() -> None:
    """Every relative link of the documentation names a file that is there."""
    pages = [ROOT / "README.md", *ROOT.glob("docs/**/*.md"), ROOT / "CHANGELOG.md"]
    dead: list[str] = []
    for page in pages:
        links = re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text(encoding="utf-8"))
        here = [link for link in links if "://" not in link]
        dead += [f"{page.name}: {link}" for link in here if not (page.parent / link).exists()]
    assert dead == []
