"""The table of field cases names tests that are there."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "field-cases.md"
ROW = re.compile(r"^\| (P\d{3}) \| ([^|]+) \| (.+) \|$", re.MULTILINE)
NAMED = re.compile(r"([\w/]+\.py)::(test_\w+)")


@cache
def functions_in(file: str) -> frozenset[str]:
    """Return the names of the test functions of a file below ``tests/``."""
    tree = ast.parse((ROOT / "tests" / file).read_text(encoding="utf-8"))
    return frozenset(
        node.name
        for node in ast.walk(tree)
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
    )


def test_every_named_test_is_there() -> None:
    """No row points at a test that was renamed or never written."""
    named = NAMED.findall(PAGE.read_text(encoding="utf-8"))
    assert named
    assert [(file, name) for file, name in named if name not in functions_in(file)] == []


def test_every_case_is_tested_or_says_why_not() -> None:
    """Each row has a test or a reason; each number stands once, in order."""
    rows = ROW.findall(PAGE.read_text(encoding="utf-8"))
    bare = [n for n, _, where in rows if not NAMED.search(where) and "*Not here*" not in where]
    assert bare == []
    numbers = [number for number, _, _ in rows]
    assert numbers == sorted(set(numbers))
