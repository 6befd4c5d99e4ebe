"""The saved queries where there is nothing to see, and where names are odd."""

from __future__ import annotations

from typing import Any, cast

from graphmem.model.scope import Scope
from tests.browser.story import ANA, opened, parameters, saved
from tests.neo4j.explaining import driver_of
from tests.services.neo4j_server import Address

ODD = 'o\'Neil "the `Rook`" \\ ; // }) RETURN 1 {x} $at 猫'


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
