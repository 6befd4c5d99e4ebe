"""A thread with an event loop of its own, through which plain code calls coroutines."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Coroutine
from typing import Any, TypeVar

from graphmem.adapters.system.line import run_until_stopped
from graphmem.errors import InputError

T = TypeVar("T")


class Portal:
    """Runs coroutines in one background thread; usable from any thread, inside a loop too.

    The thread is a daemon, so that a program that forgets to close still ends.
    """

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, name="graphmem", daemon=True)
        self._process = os.getpid()
        self._calls = 0
        self._closing = False
        self._changed = threading.Condition()
        self._thread.start()

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        run_until_stopped(self._loop)

    def call(self, coroutine: Coroutine[Any, Any, T]) -> T:  # Any: a coroutine sends nothing
        """Run ``coroutine`` and return its result; an interrupt cancels it.

        Raises:
            InputError: the portal is closed, or belongs to the process this one was forked from.
        """
        if self._process != os.getpid():
            coroutine.close()
            raise InputError("this memory was opened before a fork; open one in each process")
        with self._changed:
            if self._closing:
                coroutine.close()
                raise InputError("this memory is closed; make a new one")
            self._calls += 1
        try:
            return self._wait(coroutine)
        finally:
            with self._changed:
                self._calls -= 1
                self._changed.notify_all()

    def _wait(self, coroutine: Coroutine[Any, Any, T]) -> T:  # Any: as above
        future = asyncio.run_coroutine_threadsafe(coroutine, self._loop)
        try:
            return future.result()
        except BaseException:
            future.cancel()
            raise

    def close(self, last: Coroutine[Any, Any, None]) -> None:  # Any: as above
        """Wait for running calls, run ``last`` and end the thread; safe to call twice."""
        with self._changed:
            if self._closing or self._process != os.getpid():
                last.close()
                return
            self._closing = True
            self._changed.wait_for(lambda: self._calls == 0)
        try:
            self._wait(last)
        finally:
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join()
            self._loop.run_until_complete(self._loop.shutdown_asyncgens())
            self._loop.run_until_complete(self._loop.shutdown_default_executor())
            self._loop.close()
