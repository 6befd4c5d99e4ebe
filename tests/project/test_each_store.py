"""Tests of what a memory does run on each store; those that do not are counted here."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

TESTS = Path(__file__).parents[1]
AREAS = {"enemies", "engine", "field", "histories"}
_OFFERED = "what a model offers is checked before any store is asked"
EMBEDDED = Counter(
    {
        ("enemies/test_erase_proof.py", "looks at the bytes of its files"): 1,
        ("enemies/test_fuzz_calls.py", "opens folders by odd options"): 2,
        ("enemies/test_fuzz_cli.py", "drives the command line on a folder"): 1,
        ("enemies/test_scopes_apart.py", "another process opens its folder"): 1,
        ("engine/test_clients.py", "another process opens its folder"): 2,
        ("engine/test_doctor.py", "looks into, or changes, its file"): 3,
        ("engine/test_erasing.py", "another process reads its file"): 2,
        ("engine/test_erasing.py", "looks at the bytes of its files"): 2,
        ("engine/test_migrate.py", "a process that opens its folder is killed"): 1,
        ("engine/test_migrate.py", "names its own folder"): 1,
        ("engine/test_migrate.py", "looks at the bytes of its files"): 1,
        ("engine/test_receipts.py", "looks at the bytes of its files"): 1,
        ("field/test_model_answers.py", "an answer is read before any store is asked"): 1,
        ("field/test_model_costs.py", "the model is counted, whatever the store"): 1,
        ("field/test_model_extraction.py", _OFFERED): 1,
        ("field/test_model_losses.py", "a model fails before any store is asked"): 1,
        ("field/test_model_relations.py", _OFFERED): 1,
        ("field/test_setting_up.py", "sets memories up in folders, by settings"): 1,
    }
)
"""How many tests of a file, or all of it, are about the store in a folder alone, and why."""


def kept() -> Iterator[tuple[str, str]]:
    """Yield the file and the reason of every mark."""
    for file in sorted(TESTS.rglob("test_*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "pytest.mark.embedded":
                yield file.relative_to(TESTS).as_posix(), ast.literal_eval(node.args[0])


def test_what_runs_on_one_store_alone_is_listed() -> None:
    """With its reason; whoever adds one adds it here."""
    assert Counter(kept()) == EMBEDDED


def test_areas_run_on_each_store() -> None:
    """Their fixtures say so, so that a new test does without a word."""
    spread = {
        file.parent.name
        for file in TESTS.glob("*/conftest.py")
        if "from tests.services.deployments import each_store" in file.read_text(encoding="utf-8")
    }
    assert spread == AREAS
