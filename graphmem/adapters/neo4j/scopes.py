"""The nodes of scopes."""

from __future__ import annotations

from dataclasses import dataclass

from graphmem.adapters.neo4j.tx import Found, Tx
from graphmem.model.scope import Scope

NOWHERE = ""
"""The node id of no scope: nothing is found there."""


@dataclass(frozen=True, slots=True)
class Place:
    """A scope's node: its id, last record time and last change number."""

    sid: str
    at: int
    number: int


async def find(tx: Tx, scope: Scope) -> Place | None:
    """Return the node of a scope, if it holds anything."""
    found = await tx.run("scope/find", key=scope.key)
    return Place(**found[0]) if found else None


async def sid_of(tx: Tx, scope: Scope) -> str:
    """Return the node id of a scope; of one that holds nothing, one where nothing is."""
    found = await find(tx, scope)
    return NOWHERE if found is None else found.sid


async def alive(tx: Tx, scope: Scope | None) -> list[str]:
    """Return the node ids of a scope, or of all."""
    if scope is None:
        return [row["sid"] for row in await _listed(tx)]
    found = await find(tx, scope)
    return [] if found is None else [found.sid]


async def scopes(tx: Tx) -> list[Scope]:
    """Return every scope that holds anything."""
    return [Scope(row["tenant"], row["user"]) for row in await _listed(tx)]


async def _listed(tx: Tx) -> list[Found]:
    found = await tx.run("scope/list")
    return found[0]["scopes"]
