"""Where a coroutine runs: on its event loop, which nothing may block, or in a worker thread."""

from __future__ import annotations

import threading
import types
from collections.abc import Callable, Coroutine, Generator
from contextlib import contextmanager
from typing import Any, Protocol, TypeVar

T = TypeVar("T")


class Runner(Protocol):
    """Runs a coroutine."""

    async def __call__(self, call: Callable[[], Coroutine[Any, Any, T]]) -> T:  # Any: sends nothing
        """Run what ``call`` returns and return its result.

        Maybe in a worker thread: what it awaits must block, or come after ``on_loop``.
        """
        ...


async def directly(call: Callable[[], Coroutine[Any, Any, T]]) -> T:  # Any: as above
    """Run a coroutine where it is called, which any may await."""
    return await call()


class _Place(threading.local):
    worker = False


_place = _Place()


def in_worker() -> bool:
    """Whether this thread runs a coroutine and may block."""
    return _place.worker


@contextmanager
def as_worker() -> Generator[None]:
    """Let coroutines that are run in this thread block it."""
    _place.worker = True
    try:
        yield
    finally:
        _place.worker = False


@types.coroutine
def on_loop() -> Generator[None]:
    """Go on on the event loop: before what waits for others, such as a model.

    On the loop already it does nothing.
    """
    if _place.worker:
        yield
