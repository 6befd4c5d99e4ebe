"""A client of a server that belongs to one event loop, usable from any thread and any event loop.

Its connections belong to the event loop they were made in. So it has a loop of its own, in a thread
of its own, and keeps its connections whoever calls.
"""

from __future__ import annotations

import asyncio
import os
import socket
import sys
import threading
import weakref
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from anyio.to_thread import run_sync

C = TypeVar("C")
T = TypeVar("T")

if sys.platform == "win32":
    _Base = asyncio.ProactorEventLoop
else:
    _Base = asyncio.SelectorEventLoop


class _Loop(_Base):
    """The platform's loop, whose sockets send at once what they are given.

    A client that makes its sockets itself may forget to say so (Neo4j's does); then the end of a
    request waits some 40 ms for the other side to acknowledge its beginning.
    """

    async def sock_connect(self, sock: socket.socket, address: Any) -> None:  # Any: as the base
        if sock.family in (socket.AF_INET, socket.AF_INET6):
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        await super().sock_connect(sock, address)


@dataclass(frozen=True, slots=True)
class _Open(Generic[C]):
    client: C
    loop: asyncio.AbstractEventLoop
    thread: threading.Thread


class Line(Generic[C]):
    """Runs work with one client; opened by the first call, and in a forked child by its first.

    Args:
        make: makes the client. end: lets go of it, on its loop.
        closed: the error of a call after ``close``.
        name: that of the thread.
    """

    def __init__(
        self,
        make: Callable[[], C],
        end: Callable[[C], Awaitable[None]],
        closed: Callable[[], Exception],
        *,
        name: str,
    ) -> None:
        self._make = make
        self._end = end
        self._error = closed
        self._name = name
        self._guard = threading.Lock()
        self._open: _Open[C] | None = None
        self._finalizer: weakref.finalize[..., Line[C]] | None = None
        self._closed = False
        _lines.add(self)

    async def run(self, work: Callable[[C], Awaitable[T]]) -> T:
        """Run ``work`` on the client's loop; it is cancelled with the caller.

        Raises what ``make`` and ``work`` raise, and the error of a closed line.
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
                raise self._error() from None  # by close, not by the caller
            raise

    def _opened(self) -> _Open[C]:
        if self._closed:
            raise self._error()
        if self._open is None:
            client, loop = self._make(), _Loop()
            # A daemon, so that a program that forgets to close still ends.
            thread = threading.Thread(
                target=_serve, args=(loop, client, self._end), name=self._name, daemon=True
            )
            thread.start()
            self._open = _Open(client, loop, thread)
            self._finalizer = weakref.finalize(self, _stop, loop)
            self._finalizer.atexit = False
        return self._open

    @property
    def closed(self) -> bool:
        """Whether ``close`` was called."""
        return self._closed

    async def close(self) -> None:
        """End running calls, the client and its thread; safe to call twice."""
        with self._guard:
            self._closed = True
            line, self._open = self._open, None
        if line is not None:
            _stop(line.loop)
            await run_sync(line.thread.join)

    def forked(self) -> None:
        """Let go, in a forked child, of what is the parent's: its thread is not here."""
        self._guard = threading.Lock()
        if self._open is not None:
            _inherited.append(self._open)  # never used, and never closed from here
            self._open = None
        if self._finalizer is not None:
            self._finalizer.detach()


_lines: weakref.WeakSet[Line[Any]] = weakref.WeakSet()  # Any: of clients of all kinds
_inherited: list[_Open[Any]] = []


def _after_fork() -> None:
    for line in [*_lines]:
        line.forked()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


def _ran(
    work: Callable[[C], Awaitable[T]], client: C
) -> Coroutine[Any, Any, T]:  # Any: sends nothing
    async def run() -> T:
        return await work(client)

    return run()


def run_until_stopped(loop: asyncio.AbstractEventLoop) -> None:
    """Run a loop until it is told to stop.

    An interrupt or exit that a task raises, say in a callback of the caller's, would end the loop,
    and whoever waits for the task or for another would wait for ever. The task keeps it, so its
    caller gets it.
    """
    while True:
        try:
            loop.run_forever()
        except (KeyboardInterrupt, SystemExit):
            continue
        return


async def apart(work: Callable[[], T]) -> T:
    """Run what may take long in a thread of its own, and other work of the loop meanwhile.

    It is waited for until its end, also by who is cancelled: nobody else may use what it uses.
    """
    future = asyncio.get_running_loop().run_in_executor(None, work)
    try:
        return await asyncio.shield(future)
    except asyncio.CancelledError:
        while not future.done():
            with suppress(asyncio.CancelledError):
                await asyncio.wait([future])
        if not future.cancelled():
            future.exception()  # nobody will ask for it
        raise


def _serve(loop: asyncio.AbstractEventLoop, client: C, end: Callable[[C], Awaitable[None]]) -> None:
    asyncio.set_event_loop(loop)
    try:
        run_until_stopped(loop)
    finally:
        loop.run_until_complete(_ended(client, end))
        loop.close()


async def _ended(client: C, end: Callable[[C], Awaitable[None]]) -> None:
    running = asyncio.all_tasks() - {asyncio.current_task()}
    for task in running:
        task.cancel()
    await asyncio.gather(*running, return_exceptions=True)
    await end(client)


def _stop(loop: asyncio.AbstractEventLoop) -> None:
    with suppress(RuntimeError):  # it has ended already
        loop.call_soon_threadsafe(loop.stop)
