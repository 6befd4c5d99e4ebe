"""What one indexer has in hand of the outbox while others, in other processes, work on the rest."""

from __future__ import annotations

import logging
import secrets
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from typing import TypeVar

import anyio

from graphmem.errors import StoreError
from graphmem.model.scope import Scope
from graphmem.ports.graph_store import Due, GraphStore

T = TypeVar("T")

log = logging.getLogger(__name__)

LEASE = 30.0
"""Seconds after which others go on with what a process had in hand that ended without a word."""
_RENEW_AFTER = LEASE / 3
PATIENCE = 2.0
"""Seconds for which a scope is waited for that another indexer has in hand."""
_ASK_AGAIN = 0.02
_LET_GO = 5.0


class TakenError(Exception):
    """What was in hand was taken over by another indexer, which does it again."""


class Hand:
    """One run of an indexer. An index that only this process can write needs no leases.

    What is settled is taken out of the outbox before more is taken, or when all is let go of.
    """

    def __init__(self, store: GraphStore, *, shared: bool) -> None:
        self._store = store
        self._shared = shared
        self._owner = secrets.token_hex(8) if shared else ""
        self._done: list[int] = []
        self._had = 0
        self._since = time.monotonic()

    async def take(self, limit: int) -> Due:
        """Return the oldest rows that nobody else has in hand; they are in this one until the next
        are taken."""
        await self.flush()
        if not self._shared:
            return await self._store.due(limit)
        due = await self._store.lease(limit, owner=self._owner, seconds=LEASE)
        self._had = len({row.scope for row in due.rows})
        self._since = time.monotonic()
        return due

    async def hold(self, scope: Scope | None, *, patience: float = PATIENCE) -> bool:
        """Take a scope in hand, or all; False if another does not let go of it for so long."""
        if not self._shared:
            return True
        until = time.monotonic() + patience
        while not await self._store.hold(scope, owner=self._owner, seconds=LEASE):
            if time.monotonic() >= until:
                return False
            await anyio.sleep(_ASK_AGAIN)
        self._had = 1
        self._since = time.monotonic()
        return True

    def settle(self, seqs: Sequence[int]) -> None:
        """Note that rows were applied."""
        self._done.extend(seqs)

    async def during(self, work: Callable[[], Awaitable[T]]) -> T:
        """Run what may take long, and keep what is in hand meanwhile.

        Raises:
            TakenError: another indexer has it by now.
        """
        if not self._shared:
            return await work()
        made: list[T] = []
        try:
            async with anyio.create_task_group() as group:
                group.start_soon(self._beat)
                made.append(await work())
                group.cancel_scope.cancel()
        except ExceptionGroup as failed:
            raise failed.exceptions[0] from failed
        return made[0]

    async def keep(self) -> None:
        """Have what is in hand for some time more, so that it can be written now.

        Raises:
            TakenError: another indexer has it by now.
        """
        if self._shared and time.monotonic() - self._since > _RENEW_AFTER:
            await self._renew()

    async def _beat(self) -> None:
        while True:
            await anyio.sleep(_RENEW_AFTER)
            await self._renew()

    async def _renew(self) -> None:
        now = time.monotonic()
        if await self._store.renew(owner=self._owner, seconds=LEASE) < self._had:
            raise TakenError
        self._since = now

    async def flush(self) -> None:
        """Take what was applied out of the outbox."""
        if self._done:
            await self._store.settle(self._done)
            self._done = []

    async def let_go(self) -> None:
        """Settle what was applied, and let others have what was in hand."""
        if self._shared:
            await self._store.release(self._owner, settled=self._done)
            self._done = []
        else:
            await self.flush()


@asynccontextmanager
async def in_hand(store: GraphStore, *, shared: bool) -> AsyncGenerator[Hand]:
    """Give a hand that is empty, and let go of everything in it at the end."""
    hand = Hand(store, shared=shared)
    try:
        yield hand
    except BaseException:
        # Cut off, or the store is away: what was applied may be applied again.
        with anyio.move_on_after(_LET_GO, shield=True):
            try:
                await hand.let_go()
            except StoreError as error:
                log.info("what was in hand is free in %g s: %s", LEASE, error)
        raise
    await hand.let_go()


class Patience:
    """Waits a while for rows that another indexer has in hand."""

    def __init__(self, scope: Scope | None, *, every: bool) -> None:
        self._scope = scope
        self._every = every
        self._until: float | None = None

    def wants(self, due: Due) -> bool:
        """Return whether another indexer has something in hand that is waited for."""
        return bool(due.held) if self._every else self._scope in due.held

    async def wait(self) -> bool:
        """Wait a little; return False if that was long enough."""
        now = time.monotonic()
        if self._until is None:
            self._until = now + PATIENCE
        if now > self._until:
            return False
        await anyio.sleep(_ASK_AGAIN)
        return True
