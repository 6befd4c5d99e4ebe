"""From the outbox to the index: reads each record as it is now and writes its points."""

from __future__ import annotations

import logging
import os
import threading
import time
from collections import defaultdict
from collections.abc import AsyncGenerator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace

import anyio

from graphmem.errors import IndexUnavailableError
from graphmem.model.predicate import Ontology
from graphmem.model.scope import Scope
from graphmem.model.search import PointKind, PointRef
from graphmem.ports.embedder import Embedder, Vector
from graphmem.ports.graph_store import Due, GraphStore, OutboxRow, Things
from graphmem.ports.vector_index import VectorIndex
from graphmem.usecases.embedding import Embedding
from graphmem.usecases.points import Draft, chunk_drafts, entity_drafts, fact_draft

log = logging.getLogger(__name__)

BATCH = 64
"""Rows, or things, handled together."""
LOOK_FOR_OWED = 1.0
"""Seconds between looks at whether another process left something for the index to make up for."""
LOOK_AGAIN = 0.005
"""Seconds between looks at whether another drain has ended."""

_OWED = "without index"
"""Kept with a store: "yes" while it has records that were written without an index, "vectors" while
it has points that were written without vectors, because the embedder was away or there was none."""
_VECTORS = "vectors"
ASK_AGAIN = 30.0
"""Seconds for which an embedder that was away is not asked for what is owed."""

Thing = tuple[PointKind, str]
"""What an outbox row names: a fact, an episode, an entity."""


@dataclass(frozen=True, slots=True)
class IndexState:
    """What a drain did and left.

    Attributes:
        applied: outbox rows that were applied.
        backlog: rows that wait.
        unembedded: points that were written without a dense vector.
        notes: why something was left, for people.
    """

    applied: int
    backlog: int
    unembedded: int = 0
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Written:
    """How many points were written, and how many of them without a dense vector."""

    points: int
    unembedded: int


class Indexer:
    """Keeps the index in step with the graph store, by its outbox.

    While there is a ``lender``, an index by the same embedder that has points of the same records,
    vectors that it has are not made again.

    What it does may be done again, and in any order. In one process only one indexer at a time
    works on a store, from whatever thread and loop, since one that holds a record in hand must
    not write it after another one removed it.
    """

    def __init__(
        self,
        store: GraphStore,
        index: VectorIndex | None,
        embedder: Embedder | None,
        ontology: Ontology,
    ) -> None:
        self.store = store
        self.index = index
        self.lender: VectorIndex | None = None
        self.embedder = embedder
        self._ontology = ontology
        self._seen_filled = False
        self._ask_again = 0.0
        self._look_again = 0.0

    async def drain(self, *, limit: int | None = None, seconds: float | None = None) -> IndexState:
        """Apply outbox rows: all, or at most ``limit``, or as many as ``seconds`` allow.

        An index or embedder that is away is no error: the state says so.

        Raises:
            StoreError: the graph store failed; nothing is lost, the rows are applied next time.
        """
        if self.index is None:
            return await self._drop()
        async with self.turn():
            await self._pay()
            return await self._drain(self.index, limit, seconds)

    def ask_at_once(self) -> None:
        """Let the next drain ask an embedder that was away a moment ago."""
        self._ask_again = self._look_again = 0.0

    async def _pay(self) -> None:
        """Let what is owed be written anew, if it can be; vectors that are there stay."""
        if time.monotonic() < self._look_again:
            return
        owed = await self.store.get_meta(_OWED)
        if not owed:
            # Another process may come to owe something; that this one does is known at once.
            self._look_again = time.monotonic() + LOOK_FOR_OWED
        if not owed or (owed == _VECTORS and not await self._answers()):
            return
        await self.store.requeue()
        await self.store.set_meta(_OWED, "")

    async def _answers(self) -> bool:
        """Say whether the embedder is there; one that was away is left alone for a while."""
        if self.embedder is None or time.monotonic() < self._ask_again:
            return False
        embedding = Embedding(self.embedder)
        await embedding.embed(["again"])
        if embedding.reason:
            self._ask_again = time.monotonic() + ASK_AGAIN
        return not embedding.reason

    async def _owe(self, embedding: Embedding) -> None:
        """Keep in mind that points were written without vectors."""
        if embedding.reason and not await self.store.get_meta(_OWED):
            await self.store.set_meta(_OWED, _VECTORS)
            self._look_again = 0.0
            self._ask_again = time.monotonic() + ASK_AGAIN

    async def _drop(self) -> IndexState:
        """Settle what there is no index for; the first drain into one writes everything anew."""
        async with self.turn():
            while rows := await self.store.outbox(BATCH):
                await self.store.set_meta(_OWED, "yes")
                await self.store.settle([row.seq for row in rows])
        return IndexState(0, 0, notes=("there is no vector index",))

    async def _drain(
        self, index: VectorIndex, limit: int | None, seconds: float | None
    ) -> IndexState:
        until = None if seconds is None else time.monotonic() + seconds
        embedding = Embedding(self.embedder)
        applied = unembedded = 0
        done = False
        notes: list[str] = []
        try:
            if not self._seen_filled:
                await self._refill(index)
            while not done and (limit is None or applied < limit):
                wanted = BATCH if limit is None else min(BATCH, limit - applied)
                due = await self.store.due(wanted)
                rows = due.rows
                if rows:
                    bare = await self._apply(index, embedding, due)
                    if bare:
                        await self._owe(embedding)
                    unembedded += bare
                    await self.store.settle([row.seq for row in rows])
                    applied += len(rows)
                done = len(rows) < wanted
                if until is not None and time.monotonic() >= until:
                    break
        except IndexUnavailableError as error:
            log.info("the index is away: %s", error)
            notes.append(str(error))
        if unembedded:
            reason = "some texts cannot be embedded"
            if embedding.reason:
                reason = f"{embedding.reason}; they are embedded when it answers, or by repair"
            notes.append(f"{unembedded} records are found by keyword alone: {reason}")
        # Rows of writers since then are theirs to apply; counting them costs every call.
        backlog = 0 if done else await self.store.backlog()
        return IndexState(applied, backlog, unembedded, tuple(notes))

    async def _refill(self, index: VectorIndex) -> None:
        """Let everything be written anew into an index that is empty: its folder may be gone.

        Looked at once; a store without scopes is as empty as the index.
        """
        if await index.count() == 0 and await self.store.scopes():
            await self.store.requeue()
        self._seen_filled = True

    async def _apply(self, index: VectorIndex, embedding: Embedding, due: Due) -> int:
        by_scope: defaultdict[Scope, list[OutboxRow]] = defaultdict(list)
        for row in due.rows:
            by_scope[row.scope].append(row)
        unembedded = 0
        for scope, told in by_scope.items():
            changes: dict[Thing, int] = {}
            born: dict[Thing, int] = {}
            gone: set[PointRef] = set()
            for row in told:
                thing = (row.kind, row.id)
                if row.change >= changes.get(thing, 0):
                    changes[thing], born[thing] = row.change, row.at
                gone.update(PointRef(row.kind, name) for name in row.removed)
            drafts = self._drafts(scope, [*changes], due.things[scope])
            written = await self._write(index, embedding, drafts, changes, gone, born)
            unembedded += written.unembedded
        return unembedded

    async def write(
        self,
        index: VectorIndex,
        embedding: Embedding,
        scope: Scope,
        changes: Mapping[Thing, int],
    ) -> Written:
        """Write the points of things as they are now; the caller has the ``turn``.

        ``changes`` are the change numbers to write at, by thing.
        """
        drafts = await self.drafts(scope, [*changes])
        return await self._write(index, embedding, drafts, changes, frozenset(), {})

    async def _write(
        self,
        index: VectorIndex,
        embedding: Embedding,
        drafts: Mapping[Thing, Sequence[Draft]],
        changes: Mapping[Thing, int],
        gone: AbstractSet[PointRef],
        born: Mapping[Thing, int],
    ) -> Written:
        """Write points, and remove ``gone``.

        What entered the store at the record time in ``born`` is new to the index.
        """
        numbered = [
            replace(draft, payload=replace(draft.payload, change=change))
            for thing, change in changes.items()
            for draft in drafts[thing]
        ]
        # An entity that was merged away has no point any more, whatever the row says.
        entities = {PointRef(*thing) for thing in changes if thing[0] is PointKind.ENTITY}
        leaving = (gone | entities) - {draft.ref for draft in numbered}
        new = {
            draft.ref
            for thing, at in born.items()
            for draft in drafts[thing]
            if draft.payload.created_at == at
        }
        vectors = await self._vectors(index, embedding, numbered, new)
        await index.upsert([draft.point(vectors.get(draft.payload.text)) for draft in numbered])
        if leaving:
            await index.remove([*leaving])
        bare = sum(draft.payload.text not in vectors for draft in numbered)
        return Written(len(numbered), bare)

    async def _vectors(
        self,
        index: VectorIndex,
        embedding: Embedding,
        drafts: Sequence[Draft],
        new: AbstractSet[PointRef],
    ) -> dict[str, Vector]:
        """Return vectors by text key; those the index has already are not made again.

        That a fact ended gives it a new record with the old words, so most changes of what is
        there need no embedding. What is ``new`` is not looked for.
        """
        known = [draft.ref for draft in drafts if draft.ref not in new]
        vectors = await _there(index, known)
        if self.lender is not None:
            lacking = [d.ref for d in drafts if d.payload.text not in vectors]
            try:
                vectors |= await _there(self.lender, lacking)
            except IndexUnavailableError as error:
                log.info("no more vectors are taken from the other index: %s", error)
                self.lender = None
        missing = {d.payload.text: d.text for d in drafts if d.payload.text not in vectors}
        made = await embedding.embed(missing.values())
        return vectors | {key: made[text] for key, text in missing.items() if text in made}

    async def drafts(self, scope: Scope, things: Sequence[Thing]) -> dict[Thing, list[Draft]]:
        """Return the points that things have now; none for what is not there."""
        found = await self.store.things(
            scope,
            facts=_ids(things, PointKind.FACT),
            episodes=_ids(things, PointKind.CHUNK),
            entities=_ids(things, PointKind.ENTITY),
        )
        return self._drafts(scope, things, found)

    def _drafts(
        self, scope: Scope, things: Sequence[Thing], found: Things
    ) -> dict[Thing, list[Draft]]:
        drafts: dict[Thing, list[Draft]] = {thing: [] for thing in things}
        for entity in found.entities:
            drafts[PointKind.ENTITY, entity.id] = entity_drafts(scope, entity)
        for episode in found.episodes:
            drafts[PointKind.CHUNK, episode.id] = chunk_drafts(scope, episode)
        for fact, records in found.records.items():
            drafts[PointKind.FACT, fact] = [
                fact_draft(scope, record, self._ontology, found.labels.get(record.record, ()))
                for record in records
            ]
        return drafts

    @asynccontextmanager
    async def turn(self) -> AsyncGenerator[None]:
        """Wait until no other indexer of this process works on the store, and keep others off."""
        lock = _lock_of(self.store.name)
        # Who holds it may be on another loop or thread, and a waiter may be cancelled: look again.
        while not lock.acquire(blocking=False):  # noqa: ASYNC110 - no event spans loops
            await anyio.sleep(LOOK_AGAIN)
        try:
            yield
        finally:
            lock.release()


async def _there(index: VectorIndex, refs: Sequence[PointRef]) -> dict[str, Vector]:
    """Return the vectors that an index has of points, by text key."""
    found = await index.points(refs) if refs else []
    return {point.payload.text: point.dense for point in found if point.dense is not None}


def _ids(things: Sequence[Thing], kind: PointKind) -> list[str]:
    return [name for of, name in things if of is kind]


_guard = threading.Lock()
_locks: dict[tuple[int, str], threading.Lock] = {}


def _lock_of(store: str) -> threading.Lock:
    with _guard:
        # By process too: after a fork, whoever held the parent's lock is not here to release it.
        return _locks.setdefault((os.getpid(), store), threading.Lock())
