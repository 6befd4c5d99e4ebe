"""A client of a Qdrant server, usable from any thread and any event loop.

The client's connections belong to the event loop they were made in. So it has a loop of its own, in
a thread of its own, and keeps its connections whoever calls.
"""

from __future__ import annotations

import asyncio
import os
import threading
import weakref
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, TypeVar

from anyio.to_thread import run_sync
from qdrant_client import AsyncQdrantClient

from graphmem.errors import IndexUnavailableError

T = TypeVar("T")

Work = Callable[[AsyncQdrantClient], Awaitable[T]]


@dataclass(frozen=True, slots=True)
class _Line:
    client: AsyncQdrantClient
    loop: asyncio.AbstractEventLoop
    thread: threading.Thread


class Connection:
    """Runs work with one client; opened by the first call, and in a forked child by its first.

    Args:
        make: makes the client.
        place: the server's address, for messages.
    """

    def __init__(self, make: Callable[[], AsyncQdrantClient], place: str) -> None:
        self._make = make
        self._place = place
        self._guard = threading.Lock()
        self._line: _Line | None = None
        self._finalizer: weakref.finalize[..., Connection] | None = None
        self._closed = False
        _connections.add(self)

    async def run(self, work: Work[T]) -> T:
        """Run ``work`` on the client's loop; it is cancelled with the caller.

        Raises:
            IndexUnavailableError: the connection was closed.
        """
        task = asyncio.current_task()
        cancelled = 0 if task is None else task.cancelling()
        with self._guard:
            line = self._opened()
            future = asyncio.run_coroutine_threadsafe(_ran(work, line.client), line.loop)
        try:
            return await asyncio.wrap_future(future)
        except asyncio.CancelledError:
            if self._closed and (task is None or task.cancelling() == cancelled):
                raise self._is_closed() from None  # by close, not by the caller
            raise

    def _opened(self) -> _Line:
        if self._closed:
            raise self._is_closed()
        if self._line is None:
            try:
                client, loop = self._make(), asyncio.new_event_loop()
            except (
                OSError,
                ValueError,
                ImportError,
            ) as error:  # a proxy, certificates, descriptors
                raise IndexUnavailableError(
                    f"no connection to {self._place} can be made: {error}"
                ) from error
            # A daemon, so that a program that forgets to close still ends.
            thread = threading.Thread(
                target=_serve, args=(loop, client), name="graphmem-qdrant", daemon=True
            )
            thread.start()
            self._line = _Line(client, loop, thread)
            self._finalizer = weakref.finalize(self, _stop, loop)
            self._finalizer.atexit = False
        return self._line

    def _is_closed(self) -> IndexUnavailableError:
        return IndexUnavailableError(f"the vector index on {self._place} is closed")

    async def close(self) -> None:
        """End running calls, the client and its thread; safe to call twice."""
        with self._guard:
            self._closed = True
            line, self._line = self._line, None
        if line is not None:
            _stop(line.loop)
            await run_sync(line.thread.join)

    def forked(self) -> None:
        """Let go, in a forked child, of what is the parent's: its thread is not here."""
        self._guard = threading.Lock()
        if self._line is not None:
            _inherited.append(self._line)  # never used, and never closed from here
            self._line = None
        if self._finalizer is not None:
            self._finalizer.detach()


_connections: weakref.WeakSet[Connection] = weakref.WeakSet()
_inherited: list[_Line] = []


def _after_fork() -> None:
    for connection in [*_connections]:
        connection.forked()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


def _ran(work: Work[T], client: AsyncQdrantClient) -> Coroutine[Any, Any, T]:  # Any: sends nothing
    async def run() -> T:
        return await work(client)

    return run()


def _serve(loop: asyncio.AbstractEventLoop, client: AsyncQdrantClient) -> None:
    asyncio.set_event_loop(loop)
    try:
        loop.run_forever()
    finally:
        loop.run_until_complete(_end(client))
        loop.close()


async def _end(client: AsyncQdrantClient) -> None:
    running = asyncio.all_tasks() - {asyncio.current_task()}
    for task in running:
        task.cancel()
    await asyncio.gather(*running, return_exceptions=True)
    await client.close()


def _stop(loop: asyncio.AbstractEventLoop) -> None:
    with suppress(RuntimeError):  # it has ended already
        loop.call_soon_threadsafe(loop.stop)
