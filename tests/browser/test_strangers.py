"""Where there is nothing to see, where names are odd, and where there is no Chromium."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any, cast

from graphmem.model.scope import Scope
from tests.browser.story import ANA, ODD, opened, parameters, saved
from tests.browser.window import CHROMIUM_VARIABLE
from tests.neo4j.explaining import driver_of
from tests.services.neo4j_server import Address

ROOT = Path(__file__).parents[2]


def rows(address: Address, scope: Scope, **changed: str) -> dict[str, list[dict[str, Any]]]:
    """Run every query and return its rows."""
    values = {**parameters(scope), **changed}
    with driver_of(address) as driver:
        return {
            name: [dict(row) for row in driver.execute_query(cast("Any", text), values).records]
            for name, text in saved(scope).items()
        }


def test_an_empty_database(neo4j: Address) -> None:
    """Nothing is found in it, and nothing is wrong."""
    assert not any(rows(neo4j, ANA).values())


def test_an_erased_user(neo4j: Address) -> None:
    """Who was erased is in no picture, though removing may not be over."""
    with opened(neo4j) as memory:
        memory.add("I live in Riga.", user=ANA.user)
        assert rows(neo4j, ANA)["world_now"]
        memory.erase(user=ANA.user)
        assert not any(rows(neo4j, ANA).values())


def test_odd_names(neo4j: Address) -> None:
    """A user and a thing are found whatever their names are made of."""
    scope = Scope(ODD, ODD)
    with opened(neo4j) as memory:
        memory.add_fact("me", "plays_chess_with", f"{ODD}2", user=ODD, tenant=ODD)
        memory.add_fact(
            f"{ODD}2", "likes", "tea " * 300, user=ODD, tenant=ODD, statement=f"{ODD} " * 200
        )
    found = rows(neo4j, scope, subject=f"{ODD}2", fact=ODD)
    assert len(found["world_now"]) == len(found["timeline"]) == 2
    assert len(found["two_hops"]) == 2
    assert max(len(row["subject"]["caption"]) for row in found["world_now"]) <= 60
    assert found["why_this_fact"][0]["fact"]["caption"].endswith("…")


def without_chromium(**environ: str) -> subprocess.CompletedProcess[str]:
    """Run a test of Browser on a machine that has none to show it."""
    kept = {name: value for name, value in os.environ.items() if name != "CI"}
    wanted = "tests/browser/test_browser.py::test_each_kind_has_its_colour"
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", wanted],
        cwd=ROOT,
        env={**kept, CHROMIUM_VARIABLE: "no-such-program", **environ},
        capture_output=True,
        text=True,
        check=False,
    )


def test_without_chromium_it_is_left_out() -> None:
    """The run passes and its summary says how to include it; in CI it fails."""
    done = without_chromium()
    assert (done.returncode, "1 skipped" in done.stdout) == (0, True), done.stdout
    assert "install chromium" in done.stdout
    assert CHROMIUM_VARIABLE in done.stdout
    assert without_chromium(CI="true").returncode == 1
