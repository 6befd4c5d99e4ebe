"""The graph store: every method runs its statements in one transaction, or reads with a few."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import aclosing
from datetime import UTC, tzinfo
from typing import TypeVar

from graphmem.adapters.neo4j import (
    asking,
    check,
    glance,
    loading,
    outbox,
    reads,
    search,
    sweep,
    things,
    transfer,
    walk,
    write,
)
from graphmem.adapters.neo4j.about import about
from graphmem.adapters.neo4j.connection import Connection, Execute, Tx
from graphmem.adapters.neo4j.migration import migrate
from graphmem.adapters.neo4j.names import Vocabulary
from graphmem.adapters.neo4j.scopes import find, scopes
from graphmem.model.about import About
from graphmem.model.changes import Changed, Decide, NameQuery
from graphmem.model.claim import LinkedClaim
from graphmem.model.entity import Entity, Suggestion
from graphmem.model.episode import Episode, Reading
from graphmem.model.fact import Fact
from graphmem.model.ontology import default_ontology
from graphmem.model.outline import Outlines, Shown, Sought, Words
from graphmem.model.predicate import Ontology
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

T = TypeVar("T")


class Neo4jStore:
    """One Neo4j database as a graph store (see ``graphmem.ports.graph_store.GraphStore``).

    Nothing is connected before the first call, which also brings the schema up to date. A call that
    is cancelled leaves nothing half done: the server gives up a transaction that is not committed.
    """

    def __init__(self, connection: Connection, clock: Clock, vocabulary: Vocabulary) -> None:
        self._connection = connection
        self._clock = clock
        self._vocabulary = vocabulary

    @classmethod
    def open(
        cls,
        url: str,
        clock: Clock,
        *,
        user: str = "neo4j",
        password: str | None = None,
        database: str | None = None,
        timeout: float = 30.0,
        ontology: Ontology | None = None,
        zone: tzinfo = UTC,
        notifications: bool = False,
    ) -> Neo4jStore:
        """Return the store in a database on the server at ``url`` (see ``Connection``).

        ``ontology`` says which relationship types and labels people see in the graph, ``zone`` in
        which they read dates there; without them it is the one graphmem brings, and UTC.

        Raises:
            SettingsError: it is no address of a Neo4j server, or holds a login.
        """

        async def prepare(execute: Execute) -> None:
            await migrate(execute, clock, connection.place)

        connection = Connection(
            url,
            user=user,
            password=password,
            database=database,
            timeout=timeout,
            prepare=prepare,
            notifications=notifications,
        )
        return cls(connection, clock, Vocabulary(ontology or default_ontology(), zone))

    @property
    def name(self) -> str:
        """What and where it is."""
        return self._connection.place

    @property
    def connection(self) -> Connection:
        """The way to the server, for maintenance and tests."""
        return self._connection

    async def change(
        self, scope: Scope, decide: Decide, *, change_id: str | None = None
    ) -> Changed:
        """Run ``decide`` in one transaction and commit what it returns."""
        return await write.change(
            self._connection, self._clock, self._vocabulary, scope, decide, change_id
        )

    async def glance(self, scope: Scope, query: GlanceQuery) -> Glance:
        """Return what was said and named lately."""
        return await self._read(scope, glance.glance, query)

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
        return await self._read(scope, reads.claims_by_id, ids)

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
        return await self._connection.read(lambda tx: outbox.read(tx, limit, after))

    async def things(
        self,
        scope: Scope,
        *,
        facts: Sequence[str] = (),
        episodes: Sequence[str] = (),
        entities: Sequence[str] = (),
    ) -> Things:
        """Return what outbox rows of a scope name, by id."""
        ids = {
            PointKind.FACT: facts,
            PointKind.CHUNK: episodes,
            PointKind.ENTITY: entities,
        }
        found = await self._connection.read(lambda tx: things.things(tx, {scope: ids}))
        return found[scope]

    async def due(self, limit: int) -> Due:
        """Return the oldest outbox rows and what they name."""
        return await self._connection.read(lambda tx: outbox.due(tx, limit))

    async def settle(self, seqs: Iterable[int]) -> None:
        """Remove outbox rows that were applied."""
        await outbox.settle(self._connection, seqs)

    async def backlog(self) -> int:
        """Return how many outbox rows wait."""
        return await self._connection.read(outbox.count)

    async def requeue(self, scope: Scope | None = None) -> int:
        """Write an outbox row for every record (of a scope); return how many."""
        return await outbox.requeue(self._connection, scope)

    async def lease(self, limit: int, *, owner: str, seconds: float) -> Due:
        """Give ``owner`` the oldest rows of scopes that nobody else has in hand."""
        return await outbox.lease(self._connection, limit, owner, seconds)

    async def hold(self, scope: Scope | None, *, owner: str, seconds: float) -> bool:
        """Take a scope in hand, or all; return whether nobody else has any of it."""
        return await outbox.hold(self._connection, scope, owner, seconds)

    async def renew(self, *, owner: str, seconds: float) -> int:
        """Let what ``owner`` has in hand last so long from now; return how many scopes that are."""
        return await outbox.renew(self._connection, owner, seconds)

    async def release(self, owner: str, *, settled: Iterable[int] = ()) -> None:
        """Let go of everything that ``owner`` has in hand, and remove rows that were applied."""
        await outbox.release(self._connection, owner, settled)

    async def park(self, seq: int, reason: str) -> None:
        """Put an outbox row aside that cannot be applied."""
        await outbox.park(self._connection, seq, reason)

    async def parked(self, limit: int) -> list[OutboxRow]:
        """Return the oldest outbox rows that were put aside."""
        return await self._connection.read(lambda tx: outbox.parked(tx, limit))

    async def unpark(self, scope: Scope | None = None) -> int:
        """Bring back outbox rows that were put aside; return how many."""
        return await outbox.unpark(self._connection, scope)

    async def scopes(self) -> list[Scope]:
        """Return every scope that holds anything."""
        return await self._connection.read(scopes)

    async def number(self, scope: Scope) -> int:
        """Return the number of a scope's last change."""
        found = await self._connection.read(lambda tx: find(tx, scope))
        return 0 if found is None else found.number

    async def erase_scope(self, scope: Scope) -> Mapping[str, int]:
        """Make everything of a scope invisible at once."""
        return await sweep.kill(self._connection, scope)

    async def sweep(self) -> Sweep:
        """Remove physically what was erased."""
        return await sweep.sweep(self._connection)

    async def get_meta(self, key: str) -> str | None:
        """Return a value kept with the store."""

        async def work(tx: Tx) -> str | None:
            found = await tx.run("meta/get", key=key)
            return found[0]["value"] if found else None

        return await self._connection.read(work)

    async def metas(self, prefix: str) -> dict[str, str]:
        """Return values kept with the store by their keys, which begin so."""

        async def work(tx: Tx) -> dict[str, str]:
            (found,) = await tx.run("meta/list", prefix=prefix)
            return {row["key"]: row["value"] for row in found["rows"]}

        return await self._connection.read(work)

    async def set_meta(self, key: str, value: str) -> None:
        """Keep a value with the store."""

        async def work(tx: Tx) -> None:
            await tx.run("meta/put", key=key, value=value)

        await self._connection.write(work)

    async def first_meta(self, key: str, value: str) -> str:
        """Keep a value with the store unless there is one; return the one that is kept."""
        (found,) = await self._connection.single("meta/first", key=key, value=value)
        return found["value"]

    async def swap_meta(self, key: str, before: str, value: str) -> bool:
        """Keep a value with the store if another is kept still; return whether it is kept now."""
        (found,) = await self._connection.single("meta/swap", key=key, before=before, value=value)
        return found["swapped"]

    async def export(self, scope: Scope) -> AsyncGenerator[Row]:
        """Yield every row of a scope, as of one instant."""
        async with aclosing(transfer.export(self._connection, scope)) as rows:
            async for row in rows:
                yield row

    async def load(self, scope: Scope, rows: Sequence[Row]) -> int:
        """Write exported rows as they are; return how many were new."""
        return await loading.load(self._connection, self._vocabulary, scope, rows)

    async def unread(self) -> int:
        """Return how many turns were stored and are not yet read."""

        async def work(tx: Tx) -> int:
            (found,) = await tx.run("scope/unread", reading=Reading.PENDING.value)
            return found["unread"]

        return await self._connection.read(work)

    async def about(self) -> About:
        """Return what the server is, and the state of every index."""
        return await about(self._connection)

    async def check(self) -> list[str]:
        """Return what is wrong inside the store."""
        return await check.check(self._connection)

    async def close(self) -> None:
        """Let go of the connections; safe to call twice."""
        await self._connection.close()

    async def _read(self, scope: Scope, read: Callable[..., Awaitable[T]], *arguments: object) -> T:
        """Run ``read(tx, key, *arguments)``; its statement finds the scope by the key."""
        return await self._connection.read(lambda tx: read(tx, scope.key, *arguments))
