"""What a call that does not wait returns: a job, to be looked at and waited for."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from graphmem.model.receipt import Receipt
from graphmem.usecases.jobs import Task


@dataclass(frozen=True, slots=True)
class _Handle:
    """A job: turns that are stored, and are read in the background."""

    task: Task

    @property
    def id(self) -> str:
        """What it is known by in ``jobs()`` and in the log."""
        return self.task.id

    @property
    def user(self) -> str:
        """Whose turns they are."""
        return self.task.scope.user

    @property
    def tenant(self) -> str:
        """The user's tenant."""
        return self.task.scope.tenant

    @property
    def state(self) -> str:
        """``queued``, ``running``, ``done`` or ``failed``."""
        return self.task.state.value

    @property
    def error(self) -> str | None:
        """Why it failed."""
        return self.task.error

    @property
    def receipt(self) -> Receipt | None:
        """What came of it, once it is done."""
        finished = self.task.finished
        if not finished.done() or finished.exception() is not None:
            return None
        return finished.result()

    @property
    def episodes(self) -> tuple[str, ...]:
        """Ids of the turns that it reads, all of them stored."""
        return tuple(self.task.ids)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.id} {self.state}>"


class Job(_Handle):
    """Turns that are stored, and are read in the background (see ``Memory.add``)."""

    __slots__ = ()

    def result(self, timeout: float | None = None) -> Receipt:
        """Wait until it is over, and return what the call would have returned.

        Raises:
            TimeoutError: it is not over within so many seconds; it goes on.
            GraphmemError: what it failed with, or whatever else broke it.
        """
        return self.task.finished.result(timeout)


class AsyncJob(_Handle):
    """Turns that are stored, and are read in the background (see ``AsyncMemory.add``)."""

    __slots__ = ()

    async def result(self, timeout: float | None = None) -> Receipt:  # noqa: ASYNC109 - as Job
        """Wait until it is over, and return what the call would have returned.

        Raises:
            TimeoutError: it is not over within so many seconds; it goes on.
            GraphmemError: what it failed with, or whatever else broke it.
        """
        return await asyncio.wait_for(asyncio.wrap_future(self.task.finished), timeout)
