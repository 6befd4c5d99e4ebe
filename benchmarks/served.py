"""A Neo4j that is measured: an empty database, which is emptied again."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TypeVar

from graphmem import Settings
from graphmem.adapters.neo4j.connection import Connection

T = TypeVar("T")

_HOLDS = "RETURN EXISTS { MATCH (n) WHERE NOT n:Migration } AS holds"
_EMPTY = """
MATCH (n) WHERE NOT n:Migration
CALL (n) { DETACH DELETE n } IN TRANSACTIONS OF 2000 ROWS
"""


@dataclass(frozen=True, slots=True)
class Server:
    """Where it is, and the settings that say who signs in."""

    url: str
    settings: Settings

    async def is_empty(self) -> bool:
        """Say whether nothing is in the database but what a schema needs."""
        (row,) = await self._connected(lambda connection: connection.execute(_HOLDS))
        return not row["holds"]

    async def empty(self) -> None:
        """Remove everything."""
        await self._connected(lambda connection: connection.execute(_EMPTY, patient=True))

    async def _connected(self, work: Callable[[Connection], Awaitable[T]]) -> T:
        password = self.settings.neo4j_password
        connection = Connection(
            self.url,
            user=self.settings.neo4j_user,
            password=password.reveal() if password else None,
            database=self.settings.neo4j_database,
            timeout=600.0,
        )
        try:
            return await work(connection)
        finally:
            await connection.close()
