"""Writers of one scope take turns in the order in which they came."""

from __future__ import annotations

import asyncio

import pytest

from graphmem.adapters.neo4j.store import Neo4jStore
from graphmem.adapters.neo4j.turns import Turns
from graphmem.adapters.neo4j.tx import Deadline
from graphmem.testing.builders import ANA, BOB, T0, told, writing

pytestmark = pytest.mark.anyio


async def let_others_run() -> None:
    """Let every task go on until it waits."""
    for _ in range(10):
        await asyncio.sleep(0)


async def test_turns_come_in_order() -> None:
    """However many wait, the first to come is the first to have its turn."""
    turns, had = Turns(), list[int]()

    async def take(number: int) -> None:
        async with turns.of("ana", Deadline(10)):
            await asyncio.sleep(0)
            had.append(number)

    async with asyncio.TaskGroup() as group:
        for number in range(50):
            group.create_task(take(number))
    assert had == [*range(50)]
    assert len(turns) == 0


async def test_nobody_waits_for_another_queue() -> None:
    """A turn in one queue is had while another's is held, and by what names no queue."""
    turns = Turns()
    of_ana, of_bob = turns.of("ana", Deadline(10)), turns.of("bob", Deadline(10))
    async with of_ana, of_bob, turns.of(None, Deadline(10)):
        assert len(turns) == 2
    assert len(turns) == 0


async def test_one_who_goes_away_holds_up_nobody() -> None:
    """A place in the queue that is given up is passed over."""
    turns, had = Turns(), list[str]()

    async def take(name: str) -> None:
        async with turns.of("ana", Deadline(10)):
            had.append(name)

    async with turns.of("ana", Deadline(10)):
        first, second = (asyncio.create_task(take(name)) for name in ("first", "second"))
        await let_others_run()
        first.cancel()
        await let_others_run()
    await second
    assert had == ["second"]
    assert len(turns) == 0


async def test_a_turn_is_waited_for_until_the_deadline() -> None:
    """Whoever waits longer than an answer may take learns that it is busy."""
    turns = Turns()
    async with turns.of("ana", Deadline(10)):
        with pytest.raises(TimeoutError):
            async with turns.of("ana", Deadline(0.01)):
                raise AssertionError("there is no turn to be had")
    assert len(turns) == 0


@pytest.mark.parametrize("answers", [True, False])
async def test_the_clock_of_a_turn(answers: bool) -> None:
    """It begins with the turn, but where the server was away it goes on from the call, so that all
    who wait learn it in time."""
    turns, left = Turns(), list[bool]()
    before, mine = Deadline(10), Deadline(0.2)

    async def take() -> None:
        async with turns.of("ana", mine):
            left.append(mine.allows(0.15))

    async with turns.of("ana", before):
        task = asyncio.create_task(take())
        await asyncio.sleep(0.1)
        if answers:
            before.answered()
    await task
    assert left == [answers]


async def test_changes_of_a_scope_are_committed_in_the_order_of_their_calls(
    store: Neo4jStore,
) -> None:
    """The server's lock, which knows no order, is never waited for by two of one process."""
    await store.scopes()
    tasks = [
        asyncio.create_task(store.change(scope, writing(told(str(number), said=T0 + number))))
        for number in range(12)
        for scope in (ANA, BOB)
    ]
    changed = [await task for task in tasks]
    assert [one.number for one in changed[::2]] == [*range(1, 13)]
    assert [one.number for one in changed[1::2]] == [*range(1, 13)]
