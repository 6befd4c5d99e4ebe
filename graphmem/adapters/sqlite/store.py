"""The graph store: every method does its blocking work in one worker-thread call."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import AsyncGenerator, Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TypeVar

import anyio
from anyio.lowlevel import RunVar

from graphmem.adapters.sqlite import (
    asking,
    check,
    glance,
    leases,
    meta,
    outbox,
    reads,
    scopes,
    search,
    sweep,
    things,
    transfer,
    walk,
    write,
)
from graphmem.adapters.sqlite.about import about
from graphmem.adapters.sqlite.database import Database, Synchronous
from graphmem.adapters.sqlite.filters import as_list
from graphmem.adapters.sqlite.rows import linked_claims
from graphmem.adapters.sqlite.statements import sql
from graphmem.adapters.sqlite.waiting import Waiting
from graphmem.adapters.system.worker import blocking
from graphmem.errors import StoreUnavailableError
from graphmem.model.about import About
from graphmem.model.changes import Changed, Decide, NameQuery
from graphmem.model.claim import LinkedClaim
from graphmem.model.entity import Entity, Suggestion
from graphmem.model.episode import Episode, Reading
from graphmem.model.fact import Fact
from graphmem.model.outline import Outlines, Shown, Sought, Words
from graphmem.model.rows import Row
from graphmem.model.scope import Scope
from graphmem.model.search import (
    EntityView,
    FactFilter,
    FactQuery,
    Page,
    PointKind,
    Scored,
)
from graphmem.model.walk import Around, Reach
from graphmem.ports.clock import Clock
from graphmem.ports.graph_store import (
    Due,
    EpisodeQuery,
    Glance,
    GlanceQuery,
    OutboxRow,
    Sweep,
    Things,
)

log = logging.getLogger(__name__)

T = TypeVar("T")


class SqliteStore:
    """One SQLite file as a graph store (see ``graphmem.ports.graph_store.GraphStore``).

    A call that is cancelled leaves nothing half done: a transaction begins and ends inside one
    piece of work, which its thread ends.
    """

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock
        # Writers of one event loop queue here and not in worker threads, of which the loop has few,
        # so that reads always find one. Two: one writes while the next is on its way.
        self._writers: RunVar[anyio.CapacityLimiter] = RunVar("writers of a SqliteStore")
        self._waiting = Waiting(database)

    @classmethod
    def open(
        cls,
        path: str | Path,
        clock: Clock,
        *,
        busy_timeout: float = 30.0,
        synchronous: Synchronous = "FULL",
    ) -> SqliteStore:
        """Open the store in the file ``path``, made if it is not there, and finish what an
        erasure left.

        ``busy_timeout`` is in seconds. ``synchronous`` NORMAL is faster; a power cut may then lose
        the last changes, never break the file.
        """
        database = Database(
            Path(path).absolute(), clock, busy_timeout=busy_timeout, synchronous=synchronous
        )
        try:
            _finish_erasing(database)
        except BaseException:
            database.close()
            raise
        return cls(database, clock)

    @property
    def name(self) -> str:
        """What and where it is."""
        return f"sqlite:{self._database.path}"

    @property
    def database(self) -> Database:
        """The connections, for maintenance and tests."""
        return self._database

    async def change(
        self, scope: Scope, decide: Decide, *, change_id: str | None = None
    ) -> Changed:
        """Run ``decide`` in one transaction and commit what it returns."""

        def work() -> Changed:
            with self._database.writing() as connection:
                changed, due = write.change(connection, self._clock, scope, decide, change_id)
                version = self._database.version()
            if due is not None:
                self._waiting.leaves(due, version)
            return changed

        return await self._write(work)

    async def glance(self, scope: Scope, query: GlanceQuery) -> Glance:
        """Return what was said and named lately."""
        return await self._read(scope, glance.glance, query, inside=self._database.looking)

    async def alike(self, scope: Scope, names: Sequence[NameQuery]) -> list[tuple[Entity, ...]]:
        """Return, for each query, the things it finds."""
        return await self._read(scope, glance.alike, names)

    async def facts(self, scope: Scope, query: FactQuery) -> Page[Fact]:
        """List fact records that pass, newest said first."""
        return await self._read(scope, reads.facts, query)

    async def records(self, scope: Scope, ids: Sequence[str]) -> list[Fact]:
        """Return fact records by record id, in the order asked for."""
        return await self._read(scope, reads.records, ids)

    async def history(self, scope: Scope, fact: str) -> list[Fact]:
        """Return every record of a fact id, oldest first."""
        return await self._read(scope, reads.history, fact)

    async def claims(
        self, scope: Scope, facts: Sequence[str], *, known_at: int | None = None
    ) -> dict[str, tuple[LinkedClaim, ...]]:
        """Return by fact id the claims it rests on."""
        return await self._read(scope, reads.claims, facts, known_at)

    async def claims_by_id(self, scope: Scope, ids: Sequence[str]) -> list[LinkedClaim]:
        """Return claims by id, in said order."""
        return list(await self._read(scope, linked_claims, ids))

    async def episodes(self, scope: Scope, query: EpisodeQuery) -> Page[Episode]:
        """List episodes."""
        return await self._read(scope, reads.episodes, query)

    async def entities(
        self,
        scope: Scope,
        *,
        ids: Sequence[str] | None = None,
        keys: Sequence[str] | None = None,
        limit: int = 100,
        cursor: str | None = None,
    ) -> Page[EntityView]:
        """List entities, newest first."""
        return await self._read(scope, reads.entities, ids, keys, limit, cursor)

    async def suggestions(self, scope: Scope) -> list[Suggestion]:
        """Return every suggestion, newest first."""
        return await self._read(scope, reads.suggestions)

    async def self_entity(self, scope: Scope) -> Entity | None:
        """Return the scope's own user."""
        return await self._read(scope, reads.self_entity)

    async def neighbourhood(self, scope: Scope, reach: Reach) -> Around:
        """Return what a walk meets."""
        return await self._read(scope, walk.neighbourhood, reach)

    async def keyword(
        self,
        scope: Scope,
        weights: Mapping[str, float],
        filter: FactFilter,
        kinds: frozenset[PointKind],
        limit: int,
    ) -> list[Scored]:
        """Return records by weighted terms, best first."""
        return await self._read(scope, search.keyword, weights, filter, kinds, limit)

    async def words(self, scope: Scope, *, keys: Sequence[str], terms: Sequence[str]) -> Words:
        """Return what a question's words mean in the scope."""
        return await self._read(scope, asking.words, keys, terms)

    async def outlines(self, scope: Scope, wanted: Sought) -> Outlines:
        """Return what ranking needs of candidates for an answer."""
        return await self._read(scope, asking.outlines, wanted)

    async def shown(
        self,
        scope: Scope,
        *,
        records: Sequence[str],
        episodes: Sequence[str],
        known_at: int | None = None,
    ) -> Shown:
        """Return all that is shown of an answer."""
        return await self._read(scope, asking.shown, records, episodes, known_at)

    async def outbox(self, limit: int, after: int = 0) -> list[OutboxRow]:
        """Return the oldest outbox rows with ``seq > after``."""
        await self._catch_up()

        def work() -> list[OutboxRow]:
            with self._database.reading() as connection:
                return outbox.read(connection, limit, after)

        return await blocking(work)

    async def things(
        self,
        scope: Scope,
        *,
        facts: Sequence[str] = (),
        episodes: Sequence[str] = (),
        entities: Sequence[str] = (),
    ) -> Things:
        """Return what outbox rows of a scope name, by id."""
        return await self._read(scope, things.things, facts, episodes, entities)

    async def due(self, limit: int) -> Due:
        """Return the oldest outbox rows and what they name, in one transaction.

        What the last change left is at hand, unless anybody has written since.
        """
        known = self._waiting.known(limit)
        if known is not None:
            return known
        await self._catch_up()

        def work() -> Due:
            version = self._database.standing()
            with self._database.reading() as connection:
                rows = outbox.read(connection, limit, after=0)
                if len(rows) < limit:
                    self._waiting.holds(rows, version)
                return Due(tuple(rows), things.named_by(connection, rows))

        return await blocking(work)

    async def settle(self, seqs: Iterable[int]) -> None:
        """Remove outbox rows that were applied, together with the next write or look at them.

        If the process ends before, they are applied once more, which changes nothing.
        """
        seqs = [*seqs]
        self._database.later(sql("outbox.settle"), {"seqs": as_list(seqs)})
        self._waiting.settled(seqs)

    async def backlog(self) -> int:
        """Return how many outbox rows wait."""
        await self._catch_up()

        def work() -> int:
            with self._database.reading() as connection:
                return connection.execute(sql("outbox.count")).fetchone()[0]

        return await blocking(work)

    async def requeue(self, scope: Scope | None = None) -> int:
        """Write an outbox row for every record (of a scope); return how many."""

        def work() -> int:
            with self._database.writing() as connection:
                sids = scopes.alive(connection, scope)
                return sum(outbox.requeue(connection, sid) for sid in sids)

        return await self._write(work)

    async def lease(self, limit: int, *, owner: str, seconds: float) -> Due:
        """Give ``owner`` the oldest rows of scopes that nobody else has in hand."""
        return await self._shared(leases.lease, limit, owner, seconds)

    async def hold(self, scope: Scope | None, *, owner: str, seconds: float) -> bool:
        """Take a scope in hand, or all; return whether nobody else has any of it."""
        return await self._shared(leases.hold, scope, owner, seconds)

    async def renew(self, *, owner: str, seconds: float) -> int:
        """Let what ``owner`` has in hand last from now; return how many scopes that are."""
        return await self._shared(leases.renew, owner, seconds)

    async def release(self, owner: str, *, settled: Iterable[int] = ()) -> None:
        """Let go of everything that ``owner`` has in hand, and remove rows that were applied."""
        await self.settle(settled)
        await self._shared(leases.release, owner)

    async def park(self, seq: int, reason: str) -> None:
        """Put an outbox row aside that cannot be applied."""
        await self._shared(leases.park, seq, reason)

    async def parked(self, limit: int) -> list[OutboxRow]:
        """Return the oldest outbox rows that were put aside."""
        return await self._shared(leases.parked, limit)

    async def unpark(self, scope: Scope | None = None) -> int:
        """Bring back outbox rows that were put aside; return how many."""
        return await self._shared(leases.unpark, scope)

    async def scopes(self) -> list[Scope]:
        """Return every scope that holds anything."""

        def work() -> list[Scope]:
            with self._database.reading() as connection:
                rows = connection.execute(sql("scope.list"))
                return [Scope(row["tenant"], row["user"]) for row in rows]

        return await blocking(work)

    async def number(self, scope: Scope) -> int:
        """Return the number of a scope's last change."""

        def work() -> int:
            with self._database.reading() as connection:
                found = scopes.find(connection, scope)
                return 0 if found is None else found.number

        return await blocking(work)

    async def erase_scope(self, scope: Scope) -> Mapping[str, int]:
        """Make everything of a scope invisible at once."""

        def work() -> Mapping[str, int]:
            with self._database.writing() as connection:
                found = scopes.find(connection, scope)
                return {} if found is None else sweep.kill(connection, found.sid, found.number)

        return await self._write(work)

    async def sweep(self) -> Sweep:
        """Remove physically what was erased."""
        return await self._write(lambda: sweep.sweep(self._database))

    async def get_meta(self, key: str) -> str | None:
        """Return a value kept with the store."""

        def work() -> str | None:
            with self._database.reading() as connection:
                return meta.get(connection, key)

        return await blocking(work)

    async def metas(self, prefix: str) -> dict[str, str]:
        """Return values kept with the store by their keys, which begin so."""

        def work() -> dict[str, str]:
            with self._database.reading() as connection:
                rows = connection.execute(sql("meta.list"), {"prefix": prefix})
                return {row["key"]: row["value"] for row in rows}

        return await blocking(work)

    async def set_meta(self, key: str, value: str) -> None:
        """Keep a value with the store."""
        await self._kept(meta.put, key, value)

    async def first_meta(self, key: str, value: str) -> str:
        """Keep a value with the store unless there is one; return the one that is kept."""
        return await self._kept(meta.first, key, value)

    async def swap_meta(self, key: str, before: str, value: str) -> bool:
        """Keep a value with the store if another is kept still; return whether it is kept now."""
        return await self._kept(meta.swap, key, before, value)

    async def export(self, scope: Scope) -> AsyncGenerator[Row]:
        """Yield every row of a scope, as of one instant."""
        session = transfer.Export(self._database, scope)
        try:
            while batch := await blocking(session.next_batch):
                for row in batch:
                    yield row
        finally:
            session.close()

    async def load(self, scope: Scope, rows: Sequence[Row]) -> int:
        """Write exported rows as they are; return how many were new."""

        def work() -> int:
            with self._database.writing() as connection:
                return transfer.load(connection, scope, rows)

        return await self._write(work)

    async def unread(self) -> int:
        """Return how many turns were stored and are not yet read."""

        def work() -> int:
            with self._database.reading() as connection:
                asked = {"reading": Reading.PENDING.value}
                return connection.execute(sql("scope.unread"), asked).fetchone()[0]

        return await blocking(work)

    async def about(self) -> About:
        """Return what the file is, and that its indexes are there."""
        return await blocking(lambda: about(self._database))

    async def check(self) -> list[str]:
        """Return what is wrong inside the store."""

        def work() -> list[str]:
            with self._database.reading() as connection:
                return check.check(connection)

        return await blocking(work)

    async def close(self) -> None:
        """Finish an erasure if nobody reads, and close the file; safe to call twice."""

        def work() -> None:
            try:
                if not self._database.closed:
                    _finish_erasing(self._database)
            finally:
                self._database.close()

        await blocking(work)

    async def _kept(self, work: Callable[..., T], *arguments: object) -> T:
        """Run ``work(connection, *arguments)`` in a transaction."""

        def kept() -> T:
            with self._database.writing() as connection:
                return work(connection, *arguments)

        return await self._write(kept)

    async def _shared(self, work: Callable[..., T], *arguments: object) -> T:
        """Run ``work(connection, *arguments)`` in a transaction that a power cut may undo."""

        def shared() -> T:
            with self._database.writing(durable=False) as connection:
                return work(connection, *arguments)

        return await self._write(shared)

    async def _catch_up(self) -> None:
        if self._database.behind:
            await self._write(self._database.catch_up)

    async def _write(self, work: Callable[[], T]) -> T:
        try:
            writers = self._writers.get()
        except LookupError:
            writers = anyio.CapacityLimiter(2)
            self._writers.set(writers)
        return await blocking(work, writers)

    async def _read(
        self,
        scope: Scope,
        read: Callable[..., T],
        *arguments: object,
        inside: Callable[[], AbstractContextManager[sqlite3.Connection]] | None = None,
    ) -> T:
        """Run ``read(connection, sid, *arguments)`` in a read transaction, a reader's or such."""

        def work() -> T:
            with (inside or self._database.reading)() as connection:
                found = scopes.find(connection, scope)
                sid = scopes.NOWHERE if found is None else found.sid
                return read(connection, sid, *arguments)

        return await blocking(work)


def _finish_erasing(database: Database) -> None:
    try:
        database.catch_up()
        done = sweep.sweep(database)
    except StoreUnavailableError as error:
        log.warning("erased rows stay in the file for now: %s", error)
    else:
        if done.waiting:
            log.warning("erased rows stay in the files, waiting for: %s", ", ".join(done.waiting))
