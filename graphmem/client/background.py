"""Reads what calls that did not wait have stored, in a thread with an event loop of its own.

So it does not matter which loop or thread a call came from, nor whether that still runs. A job is
only as lasting as its process; its turns are in the store before it begins, and stay there unread
until somebody has read them.
"""

from __future__ import annotations

import asyncio
import logging
import os
import threading
import weakref
from collections import Counter, deque
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace

import anyio.to_thread

from graphmem.adapters.system.line import run_until_stopped
from graphmem.errors import GraphmemError, InputError
from graphmem.model.episode import Episode
from graphmem.model.receipt import Receipt
from graphmem.model.scope import Scope
from graphmem.usecases.budget import within
from graphmem.usecases.doctor import Finding
from graphmem.usecases.jobs import JobState, Queue, Task
from graphmem.usecases.later import joined, left, read_kept, read_left
from graphmem.usecases.unread import give_back
from graphmem.wiring import Assembly

log = logging.getLogger(__name__)

MOST_QUEUED = 1000
"""Jobs that wait in memory; the turns of more wait in the store alone."""
KEPT = 100
"""Jobs that are remembered when they are over."""
GRACE = 10.0
"""Seconds for which ``close`` goes on with what waits."""
LET_GO = 5.0
"""Seconds in which what is cancelled then must end."""
ABANDONED = 600_000_000
"""Microseconds after which a turn that nobody has tried to read counts as left behind. Within them
a process that lives may be about to read it, and a model would be asked twice."""

FULL = "too many jobs wait: it is read after them, from the store"
CLOSED = "the memory was closed before it was read; retry_pending() reads it"


@dataclass(slots=True)
class _Engine:
    """The thread, its loop, and what runs there; begun by the first job."""

    loop: asyncio.AbstractEventLoop
    thread: threading.Thread
    process: int
    running: set[asyncio.Task[None]] = field(default_factory=set[asyncio.Task[None]])


class Background:
    """Runs jobs of one memory, at most ``workers`` of the assembly at a time."""

    def __init__(self, parts: Assembly) -> None:
        self._parts = parts
        self._guard = threading.Lock()
        self._queue = Queue(MOST_QUEUED)
        self._over: deque[Task] = deque(maxlen=KEPT)
        self._engine: _Engine | None = None
        self._closed = False

    def check(self) -> None:
        """Refuse jobs in a process that this one was forked from after its first.

        Raises:
            InputError: the thread is not in this process.
        """
        if self._engine is not None and self._engine.process != os.getpid():
            raise InputError("this memory had jobs before a fork; open one in each process")

    def put(self, task: Task) -> None:
        """Let a job run when its turn comes; one that cannot leaves its turns in the store."""
        with self._guard:
            reason = CLOSED if self._closed else FULL
            taken = not self._closed and self._queue.put(task)
            if not self._closed:
                engine = self._begun()
                engine.loop.call_soon_threadsafe(self._fill, engine)
        if not taken:
            self._settle(task, _waiting(task, reason))

    def jobs(self, scope: Scope | None = None) -> list[Task]:
        """Return jobs (of a scope), the oldest first; of those that are over, the last ones."""
        with self._guard:
            tasks = [*self._over, *self._queue.tasks]
        return sorted(
            (task for task in tasks if scope is None or task.scope == scope), key=lambda t: t.id
        )

    def forget(self, scope: Scope) -> None:
        """Drop jobs of a scope that have read something: their receipts tell what was in it."""
        with self._guard:
            for task in self._queue.running(scope):
                task.listed = False
            kept = [task for task in self._over if task.scope != scope]
            self._over = deque(kept, maxlen=KEPT)

    async def flush(self, timeout: float | None = None) -> bool:  # noqa: ASYNC109 - as Job
        """Wait until the jobs there are now are over; False if that takes longer."""
        self.check()
        with self._guard:
            waited = [asyncio.wrap_future(task.finished) for task in self._queue.tasks]
        if not waited:
            return True
        done, open_ = await asyncio.wait(waited, timeout=timeout)
        for future in done:
            future.exception()  # the job keeps it
        for future in open_:
            future.cancel()
        return not open_

    async def close(self) -> None:
        """Go on for ``GRACE`` seconds, leave the rest in the store and end the thread."""
        with self._guard:
            self._closed = True
            engine, self._engine = self._engine, None
        if engine is None or engine.process != os.getpid():
            return
        try:
            await self.flush(GRACE)
        finally:
            stopping = asyncio.run_coroutine_threadsafe(self._stop(engine), engine.loop)
            with anyio.CancelScope(shield=True):
                await asyncio.wrap_future(stopping)
                await anyio.to_thread.run_sync(engine.thread.join, LET_GO)
        if engine.thread.is_alive():
            log.warning("what reads the turns does not end when it is told to; it is left alone")

    def finding(self, *, unread: bool) -> list[Finding]:
        """Return what is to be told of jobs, if there were any; ``unread``: turns wait."""
        tasks = self.jobs()
        if not tasks:
            return []
        count = Counter(task.state for task in tasks)
        words = [f"{count[state]} {state.value}" for state in JobState if count[state]]
        failed = [task.error for task in tasks if task.error]
        if failed:
            words.append(f"the last failed with {failed[-1]}")
        return [Finding("jobs", "; ".join(words), well=not (failed and unread))]

    def _begun(self) -> _Engine:
        if self._engine is None:
            loop = asyncio.new_event_loop()
            # A daemon, so that a program that forgets to close still ends.
            thread = threading.Thread(
                target=_serve, args=(loop,), name="graphmem jobs", daemon=True
            )
            thread.start()
            self._engine = _Engine(loop, thread, os.getpid())
            weakref.finalize(self, _end, loop).atexit = False
        return self._engine

    def _fill(self, engine: _Engine) -> None:
        """Run jobs as long as there is room for more; on the loop."""
        while len(engine.running) < self._parts.workers:
            with self._guard:
                task = self._queue.next()
            if task is None:
                return
            running = engine.loop.create_task(self._run(engine, task))
            engine.running.add(running)

    async def _run(self, engine: _Engine, task: Task) -> None:
        ending = await self._outcome(task, lambda: self._work(task))
        running = asyncio.current_task()
        if running is not None:
            engine.running.discard(running)
        self._settle(task, ending)
        self._fill(engine)

    async def _work(self, task: Task) -> Receipt:
        """Read a job's turns, after those that were left behind before them."""
        services, scope = self._parts.services, task.scope
        if task.parts is None:
            first: str | None = None
            while (found := await left(services, scope)) and found[0].id != first:
                first = found[0].id
                await self._read_left(task, found)
        else:
            before = services.clock.now() - ABANDONED
            if behind := await left(services, scope, before=before, everywhere=False):
                other = Task(scope=scope, me=task.me)
                ending = await self._outcome(other, lambda: self._read_left(other, behind))
                self._settle(other, ending)
                if _is_cancelled():
                    raise asyncio.CancelledError
            async with within(services, task.cap):
                for part in task.parts:
                    task.receipts.append(await read_kept(services, scope, part, me=task.me))
        receipt = joined(task.receipts)
        notes = (*receipt.notes, *await services.catch_up(scope))
        return replace(receipt, notes=tuple(dict.fromkeys(notes)))

    async def _read_left(self, task: Task, turns: Sequence[Episode]) -> Receipt:
        read = await read_left(self._parts.services, task.scope, turns, me=task.me)
        task.receipts.append(read)
        return read

    async def _outcome(
        self, task: Task, work: Callable[[], Awaitable[Receipt]]
    ) -> Receipt | BaseException:
        """Run a job; return its receipt, or what broke it."""
        task.state = JobState.RUNNING
        try:
            receipt = await work()
        except BaseException as error:  # noqa: BLE001 - whatever broke it, the job tells
            if isinstance(error, asyncio.CancelledError):
                if _is_cancelled():
                    return _waiting(task, CLOSED)
                error = GraphmemError("what reads turns was cancelled; retry_pending() reads them")
            log.warning("job %s failed: %s", task.id, type(error).__name__)
            return error
        if receipt.pending:
            log.warning("job %s: %d turns stay pending", task.id, len(receipt.pending))
        return receipt

    def _settle(self, task: Task, ending: Receipt | BaseException) -> None:
        """Let everybody see, at once, that a job is over and its turns are nobody's."""
        give_back(task.ids)
        with self._guard:
            self._queue.end(task)
            if task.finished.done():
                return
            if isinstance(ending, BaseException):
                task.failed(ending)
            else:
                task.done(ending)
            if task.listed and (task.parts is not None or task.receipts or task.error):
                self._over.append(task)

    async def _stop(self, engine: _Engine) -> None:
        """Leave what waits, end what runs, and the loop with it."""
        with self._guard:
            waiting = self._queue.clear()
        running = [*engine.running]
        for one in running:
            one.cancel()
        if running:
            await asyncio.wait(running, timeout=LET_GO)
        for task in (*waiting, *self._queue.tasks):
            self._settle(task, _waiting(task, CLOSED))
        engine.loop.call_soon(engine.loop.stop)


def _waiting(task: Task, reason: str) -> Receipt:
    """Return the receipt of a job of which only some parts, or none, are read."""
    parts = (task.parts or ())[len(task.receipts) :]
    return joined([*task.receipts, *(part.waiting(reason) for part in parts)])


def _is_cancelled() -> bool:
    """Whether the job that runs is to end; a reader may raise the same error for its own part."""
    running = asyncio.current_task()
    return running is not None and running.cancelling() > 0


def _serve(loop: asyncio.AbstractEventLoop) -> None:
    asyncio.set_event_loop(loop)
    run_until_stopped(loop)
    loop.run_until_complete(loop.shutdown_asyncgens())
    loop.run_until_complete(loop.shutdown_default_executor())
    loop.close()


def _end(loop: asyncio.AbstractEventLoop) -> None:
    with suppress(RuntimeError):  # it has ended already
        loop.call_soon_threadsafe(loop.stop)
