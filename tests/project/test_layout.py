"""What the repository looks like."""

from __future__ import annotations

import ast
import importlib
import re
import sys
import tomllib
from pathlib import Path

import pytest

import graphmem

TOP = {
    "pyproject.toml",
    "graphmem",
    "schemas",
    "cypher",
    "tests",
    "docker-compose.yml",
    "README.md",
    "docs",
    "benchmarks",
    "examples",
    "CHANGELOG.md",
    "LICENSE",
}
LINE_LIMIT = 500
MODULES = {"qdrant-client": "qdrant_client", "qdrant-edge-py": "qdrant_edge"}
"""Packages that are imported by another name."""

# Written apart, so that this file does not hold them: places on somebody's machine, hosts that
# only a developer's settings name, and words about how the project came to be.
FORBIDDEN = [
    "/" + "work/",
    "/" + "root/",
    "/" + "home/",
    "/" + "Users/",
    ".." + "/shared",
    "pypi" + ".org",
    "python" + "hosted",
    "npm" + "js.",
    "co-" + "authored",
    "as an " + "ai",
    "language model " + "wrote",
]
ISSUE_NUMBER = re.compile(r"\b(?:issue|ticket|pr|pull request) ?#? ?\d+\b|(?<![\w&;(])#\d+\b", re.I)


def test_nothing_else_at_the_top(tree: list[Path], root: Path) -> None:
    """The top level is fixed."""
    tops = {path.relative_to(root).parts[0] for path in tree}
    assert tops - {".ci"} - TOP == set()


def test_modules_are_short(tree: list[Path]) -> None:
    """A module that grows over the limit wants to be two."""
    lengths = {
        str(path): len(path.read_text(encoding="utf-8").splitlines())
        for path in tree
        if path.suffix == ".py"
    }
    assert {path: n for path, n in lengths.items() if n > LINE_LIMIT} == {}


def test_no_mocks(tree: list[Path]) -> None:
    """Tests use the fakes that ship, never patched-up stand-ins."""
    found: list[str] = []
    for path in tree:
        if path.suffix == ".py":
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
                if isinstance(node, ast.ImportFrom):
                    names = [f"{node.module}.{alias.name}" for alias in node.names]
                found += [f"{path}: {name}" for name in names if "mock" in name]
    assert found == []


def test_no_forbidden_words(tree: list[Path], root: Path) -> None:
    """The repository speaks of the project alone."""
    found: list[str] = []
    for path in tree:
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
        for number, line in enumerate(text.splitlines(), 1):
            words = [word for word in FORBIDDEN if word.lower() in line.lower()]
            if path.suffix == ".md" or path.suffix == ".py":
                words += ISSUE_NUMBER.findall(line)
            found += [f"{path.relative_to(root)}:{number}: {word}" for word in words]
    assert found == []


def test_public_names_are_sorted_and_there() -> None:
    """``graphmem`` exports what it says."""
    names: list[str] = list(getattr(graphmem, "__all__", ()))
    assert names
    assert names == sorted(names)
    assert [name for name in names if not hasattr(graphmem, name)] == []


def test_every_module_can_be_imported(tree: list[Path], root: Path) -> None:
    """Importing a module has no needs and no effects."""
    modules = [
        ".".join(path.relative_to(root).with_suffix("").parts).removesuffix(".__init__")
        for path in tree
        if path.suffix == ".py" and path.is_relative_to(root / "graphmem")
    ]
    for module in modules:
        if not module.endswith("__main__"):
            assert importlib.import_module(module).__doc__, f"{module} has no docstring"


def _declared(root: Path) -> dict[str, list[str]]:
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    groups = {"": project["dependencies"], **project["optional-dependencies"]}
    return {
        group: sorted(re.split(r"[\s\[;<>=]", item)[0] for item in items)
        for group, items in groups.items()
    }


def test_every_dependency_has_its_reason(root: Path) -> None:
    """docs/dependencies.md and pyproject.toml name the same packages."""
    page = (root / "docs" / "dependencies.md").read_text(encoding="utf-8")
    named = re.findall(r"^\| ([a-z][a-z0-9.-]+) \| .{10,} \|$", page, re.MULTILINE)
    assert sorted(named) == sorted(name for names in _declared(root).values() for name in names)


def _imports(path: Path) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            names.add(node.module.split(".")[0])
    return names - set(sys.stdlib_module_names) - {"graphmem"}


def test_what_is_imported_is_declared(tree: list[Path], root: Path) -> None:
    """The package imports only what it declares; its test kit may also use the test tools."""
    declared = {MODULES.get(name, name) for name in _declared(root)[""]}
    for path in tree:
        if path.suffix == ".py" and path.is_relative_to(root / "graphmem"):
            kit = {"pytest", "hypothesis"}
            allowed = declared | kit if "testing" in path.parts else declared
            assert _imports(path) - allowed == set(), path


def test_what_is_declared_is_imported(tree: list[Path], root: Path) -> None:
    """Nothing is asked for that is not used; tzdata is data."""
    inside = [p for p in tree if p.suffix == ".py" and p.is_relative_to(root / "graphmem")]
    text = "\n".join(path.read_text(encoding="utf-8") for path in inside)
    unused = [
        name
        for name in _declared(root)[""]
        if name != "tzdata"
        and not re.search(
            rf"(?:import|from) {MODULES.get(name, name)}\b|import_module\(\"{name}\"", text
        )
    ]
    assert unused == []


@pytest.mark.parametrize("part", ["Context", "Choice", "Rationale", "Consequence"])
def test_decisions_are_complete(part: str, root: Path) -> None:
    """Each page of docs/decisions says what it must."""
    pages = sorted((root / "docs" / "decisions").glob("*.md"))
    assert len(pages) >= 7
    assert [p.name for p in pages if f"| **{part}** | " not in p.read_text(encoding="utf-8")] == []


def test_ci_runs_what_the_readme_says(root: Path) -> None:
    """There is one way to run the tests, and it is written down."""
    readme = (root / "README.md").read_text(encoding="utf-8")
    commands = [line for line in readme.splitlines() if line.startswith("python3 -m venv")]
    assert len(commands) == 2
    assert commands[0].endswith("graphmem demo")
    script = (root / ".ci" / "run").read_text(encoding="utf-8").splitlines()
    assert script[-1] == commands[1]
    assert "set -euo pipefail" in script
