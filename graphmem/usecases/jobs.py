"""Jobs that read what is stored already: which of them is next, and how many may wait. Pure."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from enum import StrEnum

from graphmem.model.draft import Cap
from graphmem.model.ids import IdKind, new_id
from graphmem.model.receipt import Receipt
from graphmem.model.scope import Scope
from graphmem.usecases.later import Kept


class JobState(StrEnum):
    """How far a job is."""

    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"


def _future() -> Future[Receipt]:
    future: Future[Receipt] = Future()
    future.set_running_or_notify_cancel()  # so that nobody who stops waiting cancels it for others
    return future


@dataclass(slots=True, eq=False, kw_only=True)
class Task:
    """A job as it is now.

    Attributes:
        scope: whose turns they are. me: names that mean the user in them.
        cap: what may be asked of a model for them.
        parts: the turns, as they were stored; None for those that are found unread in the store.
        state, error: how far it is, and why it failed.
        receipts: of the parts that are read already.
        listed: whether it is listed when it is over.
        finished: gives the receipt at the end, or raises what the job failed with.
    """

    scope: Scope
    parts: tuple[Kept, ...] | None = None
    me: tuple[str, ...] = ()
    cap: Cap | None = None
    id: str = field(default_factory=lambda: new_id(IdKind.JOB))
    state: JobState = JobState.QUEUED
    error: str | None = None
    listed: bool = True
    receipts: list[Receipt] = field(default_factory=list[Receipt])
    finished: Future[Receipt] = field(default_factory=_future)

    @property
    def ids(self) -> list[str]:
        """The turns that it will read, by id."""
        return [one for part in self.parts or () for one in part.fresh]

    def done(self, receipt: Receipt) -> None:
        """Note that it came to its end."""
        self.state = JobState.DONE
        self.finished.set_result(receipt)

    def failed(self, error: BaseException) -> None:
        """Note what broke it."""
        self.state = JobState.FAILED
        self.error = f"{type(error).__name__}: {error}"
        self.finished.set_exception(error)


class Queue:
    """Jobs that wait: one of a scope at a time, in the order they came in, and scopes in turn.

    It holds ``most`` jobs. One that comes when it is full is refused; then a single job for its
    scope comes behind those that wait, which reads what is in the store. While that one waits, all
    of the scope are refused, so that none is read before what was said earlier.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._waiting = 0
        self._lines: dict[Scope, deque[Task]] = {}
        self._owed: dict[Scope, Task] = {}
        self._busy: dict[Scope, Task] = {}

    @property
    def tasks(self) -> list[Task]:
        """What waits or runs, those that run first."""
        return [*self._busy.values(), *(task for line in self._lines.values() for task in line)]

    def running(self, scope: Scope) -> list[Task]:
        """Return the job of a scope that runs, if one does."""
        return [self._busy[scope]] if scope in self._busy else []

    def put(self, task: Task) -> bool:
        """Let a job wait for its turn; False if it is refused."""
        owed = self._owed.get(task.scope)
        if owed is None and self._waiting < self._most:
            self._lines.setdefault(task.scope, deque()).append(task)
            self._waiting += 1
            return True
        if owed is None:
            owed = self._owed[task.scope] = Task(scope=task.scope)
            self._lines.setdefault(task.scope, deque()).append(owed)
        owed.me = tuple(dict.fromkeys((*owed.me, *task.me)))
        return False

    def next(self) -> Task | None:
        """Return the job to run now; its scope is busy until ``end``."""
        scope = next((scope for scope in self._lines if scope not in self._busy), None)
        if scope is None:
            return None
        line = self._lines.pop(scope)
        task = line.popleft()
        if line:
            self._lines[scope] = line  # behind the other scopes
        if self._owed.get(scope) is task:
            del self._owed[scope]
        else:
            self._waiting -= 1
        self._busy[scope] = task
        return task

    def end(self, task: Task) -> None:
        """Let the next job of a scope run, if it is this one that runs."""
        if self._busy.get(task.scope) is task:
            del self._busy[task.scope]

    def clear(self) -> Sequence[Task]:
        """Take out everything that waits."""
        waiting = [task for line in self._lines.values() for task in line]
        self._lines.clear()
        self._owed.clear()
        self._waiting = 0
        return waiting
