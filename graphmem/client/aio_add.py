"""Adding to the memory, awaited: turns, at once or in the background."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, overload

from graphmem.client.aio_base import AsyncBase
from graphmem.client.border import Content, turns_of
from graphmem.client.checks import checked
from graphmem.client.jobs import AsyncJob
from graphmem.errors import InputError
from graphmem.model.draft import Cap
from graphmem.model.estimate import Estimate
from graphmem.model.instants import When
from graphmem.model.receipt import Receipt
from graphmem.model.scope import Scope
from graphmem.usecases import add as adding
from graphmem.usecases.budget import whole
from graphmem.usecases.estimate import estimate
from graphmem.usecases.jobs import Task
from graphmem.usecases.later import keep
from graphmem.usecases.turns import Prepared, prepare


class AsyncAdding(AsyncBase):
    """Adds turns, and reads what is not read yet."""

    @overload
    async def add(
        self,
        content: Content,
        *,
        user: str,
        tenant: str = "default",
        session: str | None = None,
        agent: str | None = None,
        occurred_at: When | None = None,
        role: str = "user",
        me: str | Sequence[str] = (),
        max_model_calls: int | None = None,
        max_model_tokens: int | None = None,
        wait: Literal[True] = True,
    ) -> Receipt: ...
    @overload
    async def add(
        self,
        content: Content,
        *,
        user: str,
        tenant: str = "default",
        session: str | None = None,
        agent: str | None = None,
        occurred_at: When | None = None,
        role: str = "user",
        me: str | Sequence[str] = (),
        max_model_calls: int | None = None,
        max_model_tokens: int | None = None,
        wait: Literal[False],
    ) -> AsyncJob: ...
    @overload
    async def add(
        self,
        content: Content,
        *,
        user: str,
        tenant: str = "default",
        session: str | None = None,
        agent: str | None = None,
        occurred_at: When | None = None,
        role: str = "user",
        me: str | Sequence[str] = (),
        max_model_calls: int | None = None,
        max_model_tokens: int | None = None,
        wait: bool,
    ) -> Receipt | AsyncJob: ...
    @checked
    async def add(
        self,
        content: Content,
        *,
        user: str,
        tenant: str = "default",
        session: str | None = None,
        agent: str | None = None,
        occurred_at: When | None = None,
        role: str = "user",
        me: str | Sequence[str] = (),
        max_model_calls: int | None = None,
        max_model_tokens: int | None = None,
        wait: bool = True,
    ) -> Receipt | AsyncJob:
        """Store turns and take the facts from them.

        Args:
            content: a text, a message (``role``, ``content``, and ``name``, ``occurred_at``,
                ``session``, ``agent``, ``id`` where known), or a list of messages.
            user, tenant: whose memory.
            session, agent, occurred_at, role: of messages that name none.
            me: names that mean the user in these turns.
            max_model_calls, max_model_tokens: the most that may be asked of a model for them, in
                place of what the settings say; turns that are left stay pending.
            wait: False returns as soon as the turns are stored, before any model is asked; a job
                reads them in the background.

        Returns:
            What became of each turn and of the facts it touches. A turn that cannot be stored
            is in the receipt with the reason, and does not stop the others. Or the job, whose
            result is the same.
        """
        parts = await self._open()
        services, scope = parts.services, Scope(tenant, user)
        turns = turns_of(
            content,
            zone=services.zone,
            role=role,
            session=session,
            agent=agent,
            occurred_at=occurred_at,
        )
        names = (me,) if isinstance(me, str) else tuple(me)
        cap = Cap(max_model_calls, max_model_tokens)
        if wait:
            return await adding.add(services, scope, turns, me=names, cap=cap)
        return await self._later(scope, [prepare(turns, services.clock.now())], names, cap)

    @overload
    async def ingest(
        self,
        messages: Content,
        *,
        user: str,
        tenant: str = "default",
        session: str | None = None,
        me: str | Sequence[str] = (),
        max_model_calls: int | None = None,
        max_model_tokens: int | None = None,
        progress: Callable[[int, int], None] | None = None,
        wait: Literal[True] = True,
    ) -> Receipt: ...
    @overload
    async def ingest(
        self,
        messages: Content,
        *,
        user: str,
        tenant: str = "default",
        session: str | None = None,
        me: str | Sequence[str] = (),
        max_model_calls: int | None = None,
        max_model_tokens: int | None = None,
        progress: Callable[[int, int], None] | None = None,
        wait: Literal[False],
    ) -> AsyncJob: ...
    @overload
    async def ingest(
        self,
        messages: Content,
        *,
        user: str,
        tenant: str = "default",
        session: str | None = None,
        me: str | Sequence[str] = (),
        max_model_calls: int | None = None,
        max_model_tokens: int | None = None,
        progress: Callable[[int, int], None] | None = None,
        wait: bool,
    ) -> Receipt | AsyncJob: ...
    @checked
    async def ingest(
        self,
        messages: Content,
        *,
        user: str,
        tenant: str = "default",
        session: str | None = None,
        me: str | Sequence[str] = (),
        max_model_calls: int | None = None,
        max_model_tokens: int | None = None,
        progress: Callable[[int, int], None] | None = None,
        wait: bool = True,
    ) -> Receipt | AsyncJob:
        """Add a whole transcript, session by session; ``progress`` is told turns done and all.

        A transcript that was cut off, or that has grown, can be sent again whole. Without ``wait``
        all of it is stored, and a job reads it; that tells no progress.
        """
        parts = await self._open()
        services, scope = parts.services, Scope(tenant, user)
        turns = turns_of(messages, zone=services.zone, session=session)
        names = (me,) if isinstance(me, str) else tuple(me)
        cap = Cap(max_model_calls, max_model_tokens)
        if wait:
            return await adding.ingest(services, scope, turns, me=names, progress=progress, cap=cap)
        if progress is not None:
            raise InputError("progress is told to a call that waits; look at the job's state")
        prepared = prepare(turns, services.clock.now())
        return await self._later(scope, [*adding.sessions(prepared)], names, cap)

    async def _later(
        self,
        scope: Scope,
        pieces: Sequence[Sequence[Prepared]],
        me: tuple[str, ...],
        cap: Cap | None = None,
    ) -> AsyncJob:
        self._background.check()
        whole(self._parts.services, cap)  # refused before anything is stored
        parts = await keep(self._parts.services, scope, pieces)
        task = Task(scope=scope, parts=parts, me=me, cap=cap)
        self._background.put(task)
        return AsyncJob(task)

    @checked
    async def estimate(
        self,
        messages: Content,
        *,
        user: str,
        tenant: str = "default",
        session: str | None = None,
        me: str | Sequence[str] = (),
    ) -> Estimate:
        """Say what adding the messages would cost; no model is asked, and nothing is written.

        Repairs and second calls come to it where they are needed.
        """
        parts = await self._open()
        turns = turns_of(messages, zone=parts.services.zone, session=session)
        names = (me,) if isinstance(me, str) else tuple(me)
        return await estimate(parts.services, Scope(tenant, user), turns, me=names)

    @checked
    async def flush(self, timeout: float | None = None) -> bool:  # noqa: ASYNC109 - as Memory
        """Wait until every job there is now is over; False if that takes longer than so many
        seconds. What became of each is in ``jobs``."""
        await self._open()
        return await self._background.flush(timeout)

    @checked
    async def jobs(self, *, user: str | None = None, tenant: str = "default") -> list[AsyncJob]:
        """List the jobs of this memory object that wait or run, and the last hundred that are over,
        oldest first, of one user or (None) of all.

        Turns that a process stored and ended without reading belong to no job; ``doctor`` counts
        them and ``retry_pending`` reads them.
        """
        await self._open()
        scope = None if user is None else Scope(tenant, user)
        return [AsyncJob(task) for task in self._background.jobs(scope)]

    @checked
    async def retry_pending(
        self,
        *,
        user: str | None = None,
        tenant: str = "default",
        me: str | Sequence[str] = (),
        max_model_calls: int | None = None,
        max_model_tokens: int | None = None,
    ) -> Receipt:
        """Read stored turns that are not read yet, of one user or (None) of all."""
        parts = await self._open()
        names = (me,) if isinstance(me, str) else tuple(me)
        cap = Cap(max_model_calls, max_model_tokens)
        if user is not None:
            return await adding.retry_pending(
                parts.services, Scope(tenant, user), me=names, cap=cap
            )
        return await adding.retry_all(parts.services, me=names, cap=cap)
