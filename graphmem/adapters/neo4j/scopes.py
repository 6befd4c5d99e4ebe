"""The nodes of scopes."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TypeVar

from graphmem.adapters.neo4j.connection import Connection
from graphmem.adapters.neo4j.tx import Found, Tx
from graphmem.model.scope import Scope

T = TypeVar("T")

_TRIES = 2


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


async def at_rest(
    connection: Connection, scope: Scope, read: Callable[[Tx, Place | None], Awaitable[T]]
) -> T:
    """Return what ``read`` makes of a scope while nobody changes it.

    A server gives no view of one instant over several statements. So it is read as it is, and that
    counts if no change came in between; where changes keep coming, once more while their writers
    wait.

    Raises:
        StoreUnavailableError: the store is away, or the writers would have to wait too long.
    """

    async def read_between(tx: Tx) -> tuple[T, bool]:
        place = await find(tx, scope)
        result = await read(tx, place)
        return result, await find(tx, scope) == place

    async def read_alone(tx: Tx) -> T:
        found = await tx.run("scope/hold", key=scope.key)
        return await read(tx, Place(**found[0]) if found else None)

    for _ in range(_TRIES):
        result, rested = await connection.read(read_between)
        if rested:
            return result
    return await connection.write(read_alone)


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
