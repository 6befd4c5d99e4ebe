"""Writers of one scope take turns in a process, first come first served.

The server's own lock knows no such order: where many wait, one may wait for ever while others pass.
So it arbitrates only between processes.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from graphmem.adapters.neo4j.tx import Deadline


@dataclass(slots=True)
class _Queue:
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    places: int = 0
    moves: bool = False  # whether the server was there in the turn before


class Turns:
    """The queues of one event loop, each kept as long as somebody is in it."""

    def __init__(self) -> None:
        self._queues: dict[str, _Queue] = {}

    def __len__(self) -> int:
        return len(self._queues)

    @asynccontextmanager
    async def of(self, name: str | None, deadline: Deadline) -> AsyncGenerator[None]:
        """Wait for a turn in the queue of that name, and have it; None needs no turn.

        It is waited for until the deadline. That begins anew with the turn, unless the server was
        away in the turn before, when all who wait learn it in time.

        Raises:
            TimeoutError: the turn did not come.
        """
        if name is None:
            yield
            return
        queue = self._queues.setdefault(name, _Queue())
        queue.places += 1
        try:
            async with deadline.waiting():
                await queue.lock.acquire()
            try:
                if queue.moves:
                    deadline.anew()
                yield
            finally:
                queue.moves = deadline.is_there
                queue.lock.release()
        finally:
            queue.places -= 1
            if not queue.places:
                del self._queues[name]
