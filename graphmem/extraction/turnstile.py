"""Lets so many through at a time, whatever event loops and threads they come from."""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

_Waiter = tuple[asyncio.AbstractEventLoop, "asyncio.Future[None]"]


class Turnstile:
    """Has ``places``; whoever finds none free waits, and is let in in order of arrival."""

    def __init__(self, places: int) -> None:
        self._lock = threading.Lock()
        self._free = places
        self._waiting: deque[_Waiter] = deque()

    @asynccontextmanager
    async def place(self) -> AsyncGenerator[None]:
        """Hold a place."""
        await self._enter()
        try:
            yield
        finally:
            self._leave()

    async def _enter(self) -> None:
        loop = asyncio.get_running_loop()
        with self._lock:
            if self._free > 0:
                self._free -= 1
                return
            waiter = (loop, loop.create_future())
            self._waiting.append(waiter)
        try:
            await waiter[1]
        except asyncio.CancelledError:
            with self._lock:
                is_let_in = waiter not in self._waiting
                if not is_let_in:
                    self._waiting.remove(waiter)
            if is_let_in:  # at the same moment: the place goes to the next one
                self._leave()
            raise

    def _leave(self) -> None:
        with self._lock:
            while self._waiting:
                loop, future = self._waiting.popleft()
                try:
                    loop.call_soon_threadsafe(_let_in, future)
                except RuntimeError:  # its loop was closed meanwhile
                    continue
                return
            self._free += 1


def _let_in(future: asyncio.Future[None]) -> None:
    if not future.done():
        future.set_result(None)
