"""A client of a Qdrant server, usable from any thread and any event loop."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeVar

from qdrant_client import AsyncQdrantClient

from graphmem.adapters.system.line import Line
from graphmem.errors import IndexUnavailableError

T = TypeVar("T")

Work = Callable[[AsyncQdrantClient], Awaitable[T]]


class Connection:
    """Runs work with one client; opened by the first call, and in a forked child by its first.

    Args:
        make: makes the client.
        place: the server's address, for messages.
    """

    def __init__(self, make: Callable[[], AsyncQdrantClient], place: str) -> None:
        def made() -> AsyncQdrantClient:
            try:
                return make()
            except (OSError, ValueError, ImportError) as error:  # a proxy, certificates
                raise IndexUnavailableError(
                    f"no connection to {place} can be made: {error}"
                ) from error

        self._line: Line[AsyncQdrantClient] = Line(
            made,
            lambda client: client.close(),
            lambda: IndexUnavailableError(f"the vector index on {place} is closed"),
            name="graphmem-qdrant",
        )

    async def run(self, work: Work[T]) -> T:
        """Run ``work`` on the client's loop; it is cancelled with the caller.

        Raises:
            IndexUnavailableError: the connection was closed.
        """
        return await self._line.run(work)

    async def close(self) -> None:
        """End running calls, the client and its thread; safe to call twice."""
        await self._line.close()
