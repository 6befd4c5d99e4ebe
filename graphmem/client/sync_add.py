"""Adding to the memory: turns, at once or in the background."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, overload

from graphmem.client.border import Content
from graphmem.client.jobs import AsyncJob, Job
from graphmem.client.sync_base import Base
from graphmem.model.estimate import Estimate
from graphmem.model.instants import When
from graphmem.model.receipt import Receipt


class Adding(Base):
    """Adds turns, and reads what is not read yet."""

    @overload
    def add(
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
    def add(
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
    ) -> Job: ...
    @overload
    def add(
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
    ) -> Receipt | Job: ...
    def add(
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
    ) -> Receipt | Job:
        """Store turns and take the facts from them; without ``wait`` that is a job."""
        return _plain(
            self._run(
                self._memory.add(
                    content,
                    user=user,
                    tenant=tenant,
                    session=session,
                    agent=agent,
                    occurred_at=occurred_at,
                    role=role,
                    me=me,
                    max_model_calls=max_model_calls,
                    max_model_tokens=max_model_tokens,
                    wait=wait,
                )
            )
        )

    @overload
    def ingest(
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
    def ingest(
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
    ) -> Job: ...
    @overload
    def ingest(
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
    ) -> Receipt | Job: ...
    def ingest(
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
    ) -> Receipt | Job:
        """Add a whole transcript, session by session; ``progress`` is told turns done and all."""
        return _plain(
            self._run(
                self._memory.ingest(
                    messages,
                    user=user,
                    tenant=tenant,
                    session=session,
                    me=me,
                    max_model_calls=max_model_calls,
                    max_model_tokens=max_model_tokens,
                    progress=progress,
                    wait=wait,
                )
            )
        )

    def estimate(
        self,
        messages: Content,
        *,
        user: str,
        tenant: str = "default",
        session: str | None = None,
        me: str | Sequence[str] = (),
    ) -> Estimate:
        """Say what adding the messages would cost; no model is asked, and nothing is written."""
        return self._run(
            self._memory.estimate(messages, user=user, tenant=tenant, session=session, me=me)
        )

    def flush(self, timeout: float | None = None) -> bool:
        """Wait until every job there is now is over; False if that takes longer than so many
        seconds. What became of each is in ``jobs``."""
        return self._run(self._memory.flush(timeout))

    def jobs(self, *, user: str | None = None, tenant: str = "default") -> list[Job]:
        """List the jobs of this memory object that wait or run, and the last hundred that are over,
        oldest first, of one user or (None) of all."""
        listed = self._run(self._memory.jobs(user=user, tenant=tenant))
        return [Job(each.task) for each in listed]

    def retry_pending(
        self,
        *,
        user: str | None = None,
        tenant: str = "default",
        me: str | Sequence[str] = (),
        max_model_calls: int | None = None,
        max_model_tokens: int | None = None,
    ) -> Receipt:
        """Read stored turns that are not read yet, of one user or (None) of all."""
        return self._run(
            self._memory.retry_pending(
                user=user,
                tenant=tenant,
                me=me,
                max_model_calls=max_model_calls,
                max_model_tokens=max_model_tokens,
            )
        )


def _plain(result: Receipt | AsyncJob) -> Receipt | Job:
    return Job(result.task) if isinstance(result, AsyncJob) else result
