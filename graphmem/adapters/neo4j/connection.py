"""Transactions on a Neo4j server: a pool, deadlines, retries, and errors of ours."""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar, cast
from urllib.parse import urlsplit

from neo4j import (
    READ_ACCESS,
    WRITE_ACCESS,
    AsyncDriver,
    AsyncGraphDatabase,
    AsyncResult,
    AsyncSession,
    NotificationDisabledClassification,
    NotificationMinimumSeverity,
    Query,
)

from graphmem.adapters.neo4j.errors import (
    TRANSLATED,
    clashed,
    closed,
    passing,
    translate,
)
from graphmem.adapters.neo4j.statements import cypher
from graphmem.adapters.neo4j.turns import Turns
from graphmem.adapters.neo4j.tx import Deadline, Found, Run, Tx, Work
from graphmem.adapters.system.line import Line
from graphmem.errors import SettingsError

__all__ = ["Connection", "Counts", "Execute", "Found", "Tx", "Work"]

T = TypeVar("T")

log = logging.getLogger(__name__)
# What it writes of a server that is away is in our errors; unhandled it would go to the console.
logging.getLogger("neo4j").addHandler(logging.NullHandler())

SCHEMES = ("neo4j", "neo4j+s", "neo4j+ssc", "bolt", "bolt+s", "bolt+ssc")
PORT = 7687
CLASHES = 3
"""How often work may meet a unique value that another writer took."""
PAUSE, LONGEST_PAUSE = 0.05, 1.0
"""Seconds before the second try, by chance half to one and a half of it; each pause is twice the
one before, up to the longest."""
_NO_NEWS = (  # a new database has no labels yet, and the schema is there already at a second start
    NotificationDisabledClassification.UNRECOGNIZED,
    NotificationDisabledClassification.SCHEMA,
)
_CONNECT = 5.0
_IDLE = 30.0  # a connection unused for longer is tried before work is given to it
_WHOLE = 10  # times the timeout that a whole transaction, or a statement of the schema, may take


class Execute(Protocol):
    """Runs the text of one statement outside of a transaction; ``patient`` for a long one."""

    async def __call__(
        self, text: str, /, *, patient: bool = False, **values: object
    ) -> list[Found]:
        """Return its rows."""
        ...


@dataclass(slots=True)
class Counts:
    """What a connection did: statements that were answered, and tries that failed in passing
    (deadlocks, changes of leader, lost connections) and were begun anew."""

    statements: int = 0
    retries: int = 0


@dataclass(frozen=True, slots=True)
class _Client:
    driver: AsyncDriver
    session: Callable[[str], AsyncSession]
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    turns: Turns = field(default_factory=Turns)


class Connection:
    """A database on a Neo4j server, usable from any thread and any event loop.

    Nothing is connected before the first call. The password is kept where nothing shows it.

    Args:
        url: where it is, without a login.
        user, password: who signs in; no password for a server that asks for none.
        database: its name; None is the user's home database.
        timeout: seconds for which an answer is waited, and within which failed work is begun anew.
        pool: how many transactions may run at once.
        prepare: run once, before the first work.
        notifications: whether the server's advice on statements becomes Python warnings.
    """

    def __init__(
        self,
        url: str,
        *,
        user: str = "neo4j",
        password: str | None = None,
        database: str | None = None,
        timeout: float = 30.0,
        pool: int = 32,
        prepare: Callable[[Execute], Awaitable[None]] | None = None,
        notifications: bool = False,
    ) -> None:
        self.place = place_of(url, database)
        self.counts = Counts()
        self._timeout = timeout
        self._prepare = prepare
        # One for all sessions, so that each read sees the last write of this store.
        bookmarks = AsyncGraphDatabase.bookmark_manager()
        severity = NotificationMinimumSeverity.INFORMATION if notifications else None

        def client() -> _Client:
            driver = AsyncGraphDatabase.driver(  # pyright: ignore[reportUnknownMemberType] - options
                url,
                auth=None if password is None else (user, password),
                max_connection_pool_size=pool,
                connection_acquisition_timeout=timeout,
                connection_timeout=min(_CONNECT, timeout),
                connection_write_timeout=timeout,
                liveness_check_timeout=_IDLE,
                notifications_min_severity=severity or NotificationMinimumSeverity.OFF,
                notifications_disabled_classifications=_NO_NEWS if notifications else None,
                warn_notification_severity=severity,
                telemetry_disabled=True,
                user_agent="graphmem",
            )

            def session(access: str) -> AsyncSession:
                return driver.session(  # pyright: ignore[reportUnknownMemberType] - options
                    database=database,
                    default_access_mode=access,
                    bookmark_manager=bookmarks,
                    fetch_size=-1,  # all rows come with the first answer
                )

            return _Client(driver, session)

        self._line: Line[_Client] = Line(
            client, _close, lambda: closed(self.place), name="graphmem-neo4j"
        )

    async def read(self, work: Work[T]) -> T:
        """Run ``work``, which only reads, and again while it fails in passing.

        Each statement is a transaction of its own and sees what was committed when it ran: in a
        common one it would see the same, and begin and commit would be two round trips more.
        """

        async def once(client: _Client, deadline: Deadline) -> T:
            async with client.session(READ_ACCESS) as session:
                return await work(self._alone(session, deadline, self._timeout))

        return await self._run(once)

    async def write(self, work: Work[T], *, turn: str | None = None) -> T:
        """Run ``work`` in one transaction and commit it, and again while it fails in passing.

        Nothing of it is written if it raises. If the acknowledgement of the commit is lost it is
        run once more, so it must be work that may be done twice. Those that name the same ``turn``
        run one after the other, in the order in which they came.
        """

        async def once(client: _Client, deadline: Deadline) -> T:
            async with client.session(WRITE_ACCESS) as session:
                return await self._committed(session, deadline, work)

        return await self._run(once, turn)

    async def single(self, name: str, /, **values: object) -> list[Found]:
        """Run one statement that writes, as a transaction of its own, and again while it fails in
        passing; so it must be one that may be run twice."""
        return await self.execute(cypher(name), patient=False, **values)

    async def direct(self, name: str, /, **values: object) -> list[Found]:
        """Run one statement that makes transactions of its own (``CALL … IN TRANSACTIONS``), and
        again while it fails in passing. It may take as long as a whole transaction."""
        return await self.execute(cypher(name), patient=True, **values)

    async def execute(
        self, text: str, /, *, patient: bool = False, **values: object
    ) -> list[Found]:
        """Run the text of a statement as ``direct`` does; for maintenance and tests."""
        return await self._run(self._executed(text, patient, values))

    async def close(self) -> None:
        """Let go of the connections; safe to call twice."""
        await self._line.close()

    async def _committed(self, session: AsyncSession, deadline: Deadline, work: Work[T]) -> T:
        async with deadline.waiting():
            transaction = await session.begin_transaction(timeout=_WHOLE * self._timeout)
        deadline.answered()

        async def send(text: str, values: Found) -> AsyncResult:
            return await transaction.run(cast("Any", text), values)  # Any: of our own files

        try:
            result = await work(Run(send, deadline, self._count))
        except asyncio.CancelledError:
            transaction.cancel()
            raise
        except BaseException:
            with suppress(*TRANSLATED):  # or what comes of it would hide what it came of
                async with deadline.waiting():
                    await transaction.close()
            raise
        async with deadline.waiting():
            await transaction.commit()
        return result

    def _executed(
        self, text: str, patient: bool, values: Found
    ) -> Callable[[_Client, Deadline], Awaitable[list[Found]]]:
        limit = _WHOLE * self._timeout if patient else self._timeout

        async def once(client: _Client, deadline: Deadline) -> list[Found]:
            async with client.session(WRITE_ACCESS) as session:
                waiting = Deadline(limit) if patient else deadline
                return await self._alone(session, waiting, limit).text(text, values)

        return once

    def _alone(self, session: AsyncSession, deadline: Deadline, timeout: float) -> Run:
        async def send(text: str, values: Found) -> AsyncResult:
            return await session.run(Query(cast("Any", text), timeout=timeout), values)

        return Run(send, deadline, self._count)

    def _count(self) -> None:
        self.counts.statements += 1

    async def _run(
        self, once: Callable[[_Client, Deadline], Awaitable[T]], turn: str | None = None
    ) -> T:
        async def work(client: _Client) -> T:
            if self._prepare is not None:
                await self._prepared(client)
            deadline = Deadline(self._timeout)
            async with client.turns.of(turn, deadline):
                return await self._tried(client, once, deadline)

        try:
            return await self._line.run(work)
        except TRANSLATED as error:  # the client could not be made, or the turn did not come
            raise translate(error, self.place) from error

    async def _prepared(self, client: _Client) -> None:
        async def execute(text: str, /, *, patient: bool = False, **values: object) -> list[Found]:
            once = self._executed(text, patient, values)
            return await self._tried(client, once, Deadline(self._timeout))

        async with client.lock:
            if self._prepare is not None:
                await self._prepare(execute)
                self._prepare = None

    async def _tried(
        self,
        client: _Client,
        once: Callable[[_Client, Deadline], Awaitable[T]],
        deadline: Deadline,
    ) -> T:
        failed = clashes = 0
        while True:
            try:
                return await once(client, deadline)
            except TRANSLATED as error:
                failed += 1
                clashes += clashed(error)
                pause = min(LONGEST_PAUSE, PAUSE * 2 ** (failed - 1))
                pause *= random.uniform(0.5, 1.5)  # noqa: S311 - only jitter
                worth = passing(error) or (clashed(error) and clashes < CLASHES)
                if not worth or not deadline.allows(pause):
                    raise translate(error, self.place) from error
                self.counts.retries += 1
                log.info("work on %s is begun anew: %s", self.place, type(error).__name__)
                await asyncio.sleep(pause)
                deadline.again()


def place_of(url: str, database: str | None = None) -> str:
    """Return the address of a database for messages.

    Raises:
        SettingsError: it is no address of a Neo4j server, or holds a login.
    """
    wanted = "it is an address such as neo4j://127.0.0.1:7687"
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:  # its message may repeat a login
        raise SettingsError(
            f"the address of the store has a host or port that cannot be read; {wanted}"
        ) from None
    if "@" in parts.netloc:
        raise SettingsError(
            f"the address of the store on {host!r} holds a login; set neo4j_user and neo4j_password"
        )
    if parts.scheme not in SCHEMES or not host or port == 0:
        raise SettingsError(f"the store {url!r} is on no Neo4j server; {wanted}")
    name = f"[{host}]" if ":" in host else host
    return f"{parts.scheme}://{name}:{port or PORT}{'' if database is None else f'/{database}'}"


async def _close(client: _Client) -> None:
    with suppress(*TRANSLATED):  # it is gone one way or the other
        await client.driver.close()
