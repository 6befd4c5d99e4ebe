"""Work in worker threads: piece by piece, or at one go."""

from __future__ import annotations

import threading

import anyio
import anyio.lowlevel
import pytest

from graphmem.adapters.system.worker import at_one_go, blocking
from graphmem.ports.worker import in_worker, on_loop

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


async def where() -> int:
    return await blocking(threading.get_ident)


async def test_a_piece_by_itself_hops() -> None:
    """Blocking work is not done on the loop's thread."""
    assert await where() != threading.get_ident()
    assert not in_worker()


async def test_at_one_go_all_is_in_one_worker() -> None:
    """What a coroutine does between blocking pieces is done where these are."""

    async def several() -> set[int]:
        return {await where(), threading.get_ident(), await where()}

    met = await at_one_go(several)
    assert len(met) == 1
    assert threading.get_ident() not in met


async def test_what_waits_for_others_goes_on_on_the_loop() -> None:
    """After ``on_loop`` anything can be awaited, and pieces hop by themselves."""

    async def waits() -> list[int]:
        first = await where()
        await on_loop()
        await on_loop()
        await anyio.lowlevel.checkpoint()
        with anyio.fail_after(5):
            return [first, threading.get_ident(), await where()]

    first, between, last = await at_one_go(waits)
    assert between == threading.get_ident()
    assert between not in {first, last}


@pytest.mark.parametrize("loop", [False, True])
async def test_errors_reach_the_caller(loop: bool) -> None:
    """An error is raised where the coroutine was awaited, from the worker or from the loop."""

    async def fails() -> None:
        if loop:
            await on_loop()
        raise KeyError("gone")

    with pytest.raises(KeyError, match="gone"):
        await at_one_go(fails)
    assert await at_one_go(where) != threading.get_ident()


async def test_one_inside_another_needs_no_further_thread() -> None:
    """A coroutine run at one go may run another so."""

    async def outer() -> bool:
        return await at_one_go(where) == threading.get_ident()

    assert await at_one_go(outer)


async def test_a_cancelled_caller_leaves_the_work_to_its_end() -> None:
    """What was begun in the worker ends there, and what asks for the loop is cancelled."""
    begun, go, steps = threading.Event(), threading.Event(), list[str]()

    async def slow() -> None:
        try:
            begun.set()
            await blocking(lambda: steps.append(str(go.wait(5))))
            await on_loop()
            await anyio.lowlevel.checkpoint()
            steps.append("went on")
        finally:
            steps.append("ended")

    async with anyio.create_task_group() as group:
        group.start_soon(at_one_go, slow)
        await blocking(lambda: begun.wait(5))
        group.cancel_scope.cancel()
        go.set()
    assert steps == ["True", "ended"]


async def test_who_is_cancelled_before_begins_nothing() -> None:
    """A coroutine that nobody runs is not even made."""
    made: list[bool] = []

    async def never() -> None:
        made.append(True)

    with anyio.CancelScope() as scope:
        scope.cancel()
        await at_one_go(never)
    assert made == []
