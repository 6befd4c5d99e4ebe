"""The system of record."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

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


@dataclass(frozen=True, slots=True)
class OutboxRow:
    """That a record changed and its point must be written.

    Attributes:
        seq: the row's number, growing.
        scope: whose it is; a scope that was erased is still named here.
        kind, id: FACT names a fact id (all its records), CHUNK an episode id (all its chunks),
            ENTITY an entity id.
        change: the scope's change number. at: that change's record time; 0 if it is not known.
        removed: ids of points that must leave the index: record ids for FACT, chunk ids for
            CHUNK, entity ids for ENTITY, unless the scope holds them again by now. What else
            the thing has must be written.
        parked: why it was put aside; None if it was not.
    """

    seq: int
    scope: Scope
    kind: PointKind
    id: str
    change: int
    removed: tuple[str, ...] = ()
    at: int = 0
    parked: str | None = None


@dataclass(frozen=True, slots=True)
class Label:
    """Where something was said: in which session, by which agent, as far as they have names."""

    session: str | None
    agent: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Things:
    """What outbox rows name, as it is now.

    Attributes:
        entities, episodes: those that are there.
        records: every record of the facts, by fact id, oldest first; they name no claims.
        labels: by record id, those of the episodes it rests on, or rested on when it left.
    """

    entities: tuple[Entity, ...] = ()
    episodes: tuple[Episode, ...] = ()
    records: Mapping[str, tuple[Fact, ...]]
    labels: Mapping[str, tuple[Label, ...]]


@dataclass(frozen=True, slots=True)
class Due:
    """Outbox rows, oldest first, and by scope what they name as it is now.

    ``held`` are scopes with rows that other indexers have in hand; ``barred`` says that one has
    all scopes in hand, so that nothing is given out.
    """

    rows: tuple[OutboxRow, ...]
    things: Mapping[Scope, Things]
    held: frozenset[Scope] = frozenset()
    barred: bool = False


def named(rows: Iterable[OutboxRow]) -> dict[Scope, dict[PointKind, list[str]]]:
    """Return by scope and kind the ids that rows name, each once."""
    ids: dict[Scope, dict[PointKind, dict[str, None]]] = {}
    for row in rows:
        ids.setdefault(row.scope, {kind: {} for kind in PointKind})[row.kind][row.id] = None
    return {scope: {kind: [*names] for kind, names in of.items()} for scope, of in ids.items()}


@dataclass(frozen=True, slots=True)
class Sweep:
    """What physical removal did.

    Attributes:
        removed: rows removed by kind, now.
        waiting: what it still waits for; empty when nothing erased is left in any file.
    """

    removed: Mapping[str, int]
    waiting: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class EpisodeQuery:
    """A listing of episodes, newest first, or of one reading state, oldest first."""

    ids: tuple[str, ...] | None = None
    session: str | None = None
    reading: Reading | None = None
    before: int | None = None
    limit: int = 100
    cursor: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class GlanceQuery:
    """How much of what was said and named lately is wanted.

    Attributes:
        named, statements: how many of the newest names, and of what was said last.
        session, before, episodes: how many turns of which session before which instant.
        keys: what turns are known by, of which one may be there.
    """

    named: int
    statements: int
    keys: tuple[str, ...] = ()
    session: str | None = None
    before: int = 0
    episodes: int = 0


@dataclass(frozen=True, slots=True)
class Glance:
    """What was said and named lately, newest first, without totals.

    Attributes:
        own: the scope's own user.
        named: names of other things, not merged, with their types.
        statements: of held, live facts. earlier: turns of the session.
        there: whether a turn with one of the keys is.
    """

    own: Entity | None
    named: tuple[tuple[str, tuple[str, ...]], ...] = ()
    statements: tuple[str, ...] = ()
    earlier: tuple[Episode, ...] = ()
    there: bool = False


class GraphStore(Protocol):
    """Keeps everything of a scope and nothing across scopes.

    Promises:

    - ``change`` runs one decision a scope at a time: it takes the scope's lock, sends snapshots
      of one consistent state, writes the change set whole or not at all, and commits. The record
      time is the clock's, but always later than the scope's last. The decision may be run more
      than once. A ``change_id`` that was committed before is not applied again.
    - A change set that breaks a rule is refused whole (RefusedError): two live records of one
      fact, an interval that ends before it begins, a fact that rests on a claim of another scope
      or that is not there, a claim whose episode is not there, a second entity with a key that
      is taken, a blank or oversize key.
    - Reads never wait for writers and see only committed changes. Unknown ids give nothing; the
      caller decides whether that is an error. Every read names its scope.
    - Past views never change: a read with ``known_at`` in the past gives the same rows for ever,
      erasing apart.
    - Usable from any thread and any event loop.

    Of the outbox: an indexer that has a record in hand must not write it after another one
    removed it. So indexers in several processes take whole scopes in hand, under a name of their
    own (``owner``) and for so many seconds at most, by the store's own clock: ``lease``, ``renew``
    while it takes long, ``settle``, ``release``. A row that cannot be applied is parked:
    ``outbox``, ``due``, ``lease`` and ``backlog`` pass over it, until it is brought back or its
    thing changes.

    Raises:
        StoreUnavailableError: the store is away, or busy beyond its deadline; nothing was done.
        StoreCorruptError: the store is damaged.
        SchemaVersionError: a newer graphmem wrote it.
    """

    @property
    def name(self) -> str:
        """What and where it is, for people; holds no password."""
        ...

    async def change(
        self, scope: Scope, decide: Decide, *, change_id: str | None = None
    ) -> Changed:
        """Run ``decide`` under the scope's lock and commit what it returns."""
        ...

    async def glance(self, scope: Scope, query: GlanceQuery) -> Glance:
        """Return what was said and named lately, as one consistent state."""
        ...

    async def alike(self, scope: Scope, names: Sequence[NameQuery]) -> list[tuple[Entity, ...]]:
        """Return, for each query, things (not merged) that share words with a name, have one of
        the keys, or are among the newest; each once."""
        ...

    async def facts(self, scope: Scope, query: FactQuery) -> Page[Fact]:
        """List fact records that pass, newest said first."""
        ...

    async def records(self, scope: Scope, ids: Sequence[str]) -> list[Fact]:
        """Return fact records by record id."""
        ...

    async def history(self, scope: Scope, fact: str) -> list[Fact]:
        """Return every record of a fact id, oldest first; empty if there is none."""
        ...

    async def claims(
        self, scope: Scope, facts: Sequence[str], *, known_at: int | None = None
    ) -> dict[str, tuple[LinkedClaim, ...]]:
        """Return, by fact id, the claims it rests (or rested at ``known_at``) on, said order."""
        ...

    async def claims_by_id(self, scope: Scope, ids: Sequence[str]) -> list[LinkedClaim]:
        """Return claims by id."""
        ...

    async def episodes(self, scope: Scope, query: EpisodeQuery) -> Page[Episode]:
        """List episodes."""
        ...

    async def entities(
        self,
        scope: Scope,
        *,
        ids: Sequence[str] | None = None,
        keys: Sequence[str] | None = None,
        limit: int = 100,
        cursor: str | None = None,
    ) -> Page[EntityView]:
        """List entities (merged ones only by id), newest first; by id, or by name or alias key."""
        ...

    async def suggestions(self, scope: Scope) -> list[Suggestion]:
        """Return every suggestion, newest first."""
        ...

    async def self_entity(self, scope: Scope) -> Entity | None:
        """Return the scope's own user, if anything was ever written."""
        ...

    async def neighbourhood(self, scope: Scope, reach: Reach) -> Around:
        """Walk the graph hop by hop, and return what was met, as one consistent state.

        Hubs are capped and ways chosen as they are met; one round trip, however far.
        """
        ...

    async def keyword(
        self,
        scope: Scope,
        weights: Mapping[str, float],
        filter: FactFilter,
        kinds: frozenset[PointKind],
        limit: int,
    ) -> list[Scored]:
        """Return records by BM25 over our own terms: the sum over ``weights`` (term to IDF) of
        weight times the term's weight in the record; best first, ties by id. FACT gives record
        ids."""
        ...

    async def words(self, scope: Scope, *, keys: Sequence[str], terms: Sequence[str]) -> Words:
        """Return which entities have a name or alias key of ``keys``, who the scope's own user is,
        and in how many of the scope's records each of ``terms`` occurs. One round trip, as
        ``outlines`` and ``shown``: a question is answered by these three."""
        ...

    async def outlines(self, scope: Scope, wanted: Sought) -> Outlines:
        """Return what ranking needs of candidates for an answer; the filter applies before the
        limit. Evidence is that of the filter's ``known_at``."""
        ...

    async def shown(
        self,
        scope: Scope,
        *,
        records: Sequence[str],
        episodes: Sequence[str],
        known_at: int | None = None,
    ) -> Shown:
        """Return all of some fact records and turns, with the claims and turns behind the facts
        as of ``known_at``."""
        ...

    async def outbox(self, limit: int, after: int = 0) -> list[OutboxRow]:
        """Return the oldest outbox rows with ``seq > after``."""
        ...

    async def things(
        self,
        scope: Scope,
        *,
        facts: Sequence[str] = (),
        episodes: Sequence[str] = (),
        entities: Sequence[str] = (),
    ) -> Things:
        """Return what outbox rows of a scope name, by id."""
        ...

    async def due(self, limit: int) -> Due:
        """Return what ``outbox`` and ``things`` give for the oldest rows, at one go."""
        ...

    async def settle(self, seqs: Iterable[int]) -> None:
        """Remove outbox rows that were applied."""
        ...

    async def backlog(self) -> int:
        """Return how many outbox rows wait."""
        ...

    async def requeue(self, scope: Scope | None = None) -> int:
        """Write an outbox row for every record (of a scope) and bring parked ones back; return
        how many were written."""
        ...

    async def lease(self, limit: int, *, owner: str, seconds: float) -> Due:
        """Give ``owner`` the oldest rows of scopes that nobody else has in hand, with what they
        name; their scopes are in its hand for so long, and those it had before no more."""
        ...

    async def hold(self, scope: Scope | None, *, owner: str, seconds: float) -> bool:
        """Take a scope in hand, or all (None); return whether nobody else has any of it.

        All scopes are taken from those who come later at once: False says that others still have
        some, so ask again.
        """
        ...

    async def renew(self, *, owner: str, seconds: float) -> int:
        """Let what ``owner`` has in hand last so long from now; return how many scopes it has had
        all the time (all of them count as one)."""
        ...

    async def release(self, owner: str, *, settled: Iterable[int] = ()) -> None:
        """Let go of everything that ``owner`` has in hand, all scopes too, and settle rows at the
        same go."""
        ...

    async def park(self, seq: int, reason: str) -> None:
        """Put an outbox row aside that cannot be applied."""
        ...

    async def parked(self, limit: int) -> list[OutboxRow]:
        """Return the oldest outbox rows that were put aside."""
        ...

    async def unpark(self, scope: Scope | None = None) -> int:
        """Bring back outbox rows that were put aside (of a scope); return how many."""
        ...

    async def scopes(self) -> list[Scope]:
        """Return every scope that holds anything."""
        ...

    async def number(self, scope: Scope) -> int:
        """Return the number of a scope's last change; 0 of one that holds nothing."""
        ...

    async def erase_scope(self, scope: Scope) -> Mapping[str, int]:
        """Make everything of a scope invisible at once; return how much by kind. ``sweep`` removes
        it."""
        ...

    async def sweep(self) -> Sweep:
        """Remove physically what was erased, in batches, and rewrite files that still hold it."""
        ...

    async def get_meta(self, key: str) -> str | None:
        """Return a value kept with the store (ontology digest, embedder identity)."""
        ...

    async def metas(self, prefix: str) -> dict[str, str]:
        """Return values kept with the store by their keys, which begin so."""
        ...

    async def set_meta(self, key: str, value: str) -> None:
        """Keep a value with the store."""
        ...

    async def first_meta(self, key: str, value: str) -> str:
        """Keep a value with the store unless there is one; return the one that is kept. Of several
        that come at once, all get the same."""
        ...

    async def swap_meta(self, key: str, before: str, value: str) -> bool:
        """Keep ``value`` with the store if what is kept is still ``before`` ("" also stands for
        nothing); return whether ``value`` is kept now."""
        ...

    def export(self, scope: Scope) -> AsyncIterator[Row]:
        """Yield every row of a scope, ordered by kind, record time and id, ``{"kind": …}``."""
        ...

    async def load(self, scope: Scope, rows: Sequence[Row]) -> int:
        """Write exported rows as they are; those already there are left; return how many were
        new."""
        ...

    async def unread(self) -> int:
        """Return how many turns of all scopes were stored and are not yet read."""
        ...

    async def about(self) -> About:
        """Return what the store is, and the state of its indexes."""
        ...

    async def check(self) -> list[str]:
        """Return what is wrong inside the store itself, in plain words; empty if nothing is."""
        ...

    async def close(self) -> None:
        """Let go of it; safe to call twice."""
        ...
