"""How statements are run, and how long an answer is waited for."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, Protocol, TypeVar

from neo4j import AsyncResult

from graphmem.adapters.neo4j.statements import cypher

T = TypeVar("T")

_AS_PLANNED = "CYPHER replan=skip "
"""Keep a plan while a database grows: each match begins where its hint says, whatever there is, and
to plan a long statement anew takes a second or two of a processor."""

Found = dict[str, Any]  # Any: a column holds what its statement returns
Send = Callable[[str, Found], Awaitable[AsyncResult]]


class Tx(Protocol):
    """A transaction, or what reads like one."""

    async def run(self, name: str, /, **values: object) -> list[Found]:
        """Run a statement and return its rows.

        It finds the values in the map ``$p``: in parameters of their own, the server would plan it
        anew for every other length of a list or a text.
        """
        ...


Work = Callable[[Tx], Awaitable[T]]


class Deadline:
    """Until when the server must answer: at first, and in each new try, so many seconds after the
    call began; once it has answered, as many after each question."""

    def __init__(self, timeout: float) -> None:
        self._timeout = timeout
        self._first = asyncio.get_running_loop().time() + timeout
        self._is_there = False

    def waiting(self) -> asyncio.Timeout:
        """Return the context in which an answer is waited for."""
        return asyncio.timeout(self._timeout) if self._is_there else asyncio.timeout_at(self._first)

    def answered(self) -> None:
        """Note that the server is there."""
        self._is_there = True

    @property
    def is_there(self) -> bool:
        """Whether the server answered in this try."""
        return self._is_there

    def anew(self) -> None:
        """Let the call begin now."""
        self._first = asyncio.get_running_loop().time() + self._timeout

    def again(self) -> None:
        """Begin a new try, within what is left of the first seconds."""
        self._is_there = False

    def allows(self, pause: float) -> bool:
        """Return whether a new try may begin in ``pause`` seconds."""
        return asyncio.get_running_loop().time() + pause < self._first


class Run:
    """Statements sent one after another; ``count`` is told of each that was answered."""

    def __init__(self, send: Send, deadline: Deadline, count: Callable[[], None]) -> None:
        self._send = send
        self._deadline = deadline
        self._count = count

    async def run(self, name: str, /, **values: object) -> list[Found]:
        """Run a statement and return its rows."""
        return await self.text(f"{_AS_PLANNED}{cypher(name)}", values)

    async def text(self, text: str, values: Found) -> list[Found]:
        """Run the text of a statement and return its rows."""
        async with self._deadline.waiting():
            result = await self._send(text, {"p": values})
            columns = result.keys()
            found = [dict(zip(columns, row.values(), strict=True)) async for row in result]
        self._deadline.answered()
        self._count()
        return found
