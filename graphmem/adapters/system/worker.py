"""Work that blocks, in worker threads.

A hop to a worker thread and back takes as long as a small read. So what reads again and again, and
waits for nothing but such reads, goes there once as a whole.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Coroutine, Generator
from typing import Any, TypeVar

from anyio import CapacityLimiter
from anyio.to_thread import run_sync

from graphmem.ports.worker import as_worker, in_worker

T = TypeVar("T")


async def blocking(work: Callable[[], T], limiter: CapacityLimiter | None = None) -> T:
    """Run ``work`` in a worker thread; in this one, if it is one.

    A caller that is cancelled leaves it to its end.
    """
    if in_worker():
        return work()
    return await run_sync(work, limiter=limiter)


async def at_one_go(call: Callable[[], Coroutine[Any, Any, T]]) -> T:  # Any: sends nothing
    """Run a coroutine in one worker thread, until its end or until it asks for ``on_loop``.

    From there on it runs on the loop. A caller that is cancelled leaves it to its end, or until it
    asks.
    """
    if in_worker():
        return await call()
    results: list[T] = []

    def begin() -> Coroutine[Any, Any, T] | None:  # Any: as above
        coroutine = call()
        with as_worker():
            try:
                coroutine.send(None)
            except StopIteration as done:
                results.append(done.value)
                return None
        return coroutine

    rest = await run_sync(begin)
    return results[0] if rest is None else await _rest(rest)


@types.coroutine
def _rest(begun: Coroutine[Any, Any, T]) -> Generator[Any, Any, T]:  # Any: as above
    # A coroutine that was begun cannot be awaited again by that word.
    return (yield from begun.__await__())
