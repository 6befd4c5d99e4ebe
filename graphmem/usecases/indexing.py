"""From the outbox to the index: reads each record as it is now and writes its points."""

from __future__ import annotations

import logging
import os
import threading
import time
from collections import defaultdict
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass

import anyio

from graphmem.errors import IndexRefusedError, IndexUnavailableError
from graphmem.model.predicate import Ontology
from graphmem.model.scope import Scope
from graphmem.model.search import PointRef
from graphmem.ports.embedder import Embedder
from graphmem.ports.graph_store import Due, GraphStore, OutboxRow
from graphmem.ports.vector_index import VectorIndex
from graphmem.usecases.embedding import Embedding
from graphmem.usecases.hand import Hand, Patience, TakenError, in_hand
from graphmem.usecases.owed import Owed, What
from graphmem.usecases.points import Draft
from graphmem.usecases.writing import PointWriter, Run, Thing

log = logging.getLogger(__name__)

BATCH = 64
"""Rows, or things, handled together."""
DROPPED = 1000
"""Rows settled together that there is no index for: nothing is read with them."""
SPARED = 63
"""Calls of which none settles such rows, behind one that does: they harm nobody, but for the
room."""
LOOK_FOR_OWED = 1.0
"""Seconds between looks at whether another process left something for the index to make up for."""
LOOK_AGAIN = 0.005
"""Seconds between looks at whether another drain has ended."""

ASK_AGAIN = 30.0
"""Seconds for which an embedder that was away is not asked for what is owed."""

OF_ITS_OWN = (IndexRefusedError, ValueError, TypeError, LookupError, ArithmeticError)
"""What a record that cannot be read or written fails with; index, embedder and store are well."""
_REASON = 500
"""Characters of a reason that are kept."""
MOST_IN_A_ROW = 10
"""Rows put aside in a row. Where more fail the index is unwell, and not they."""


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
class _Step:
    """What was due, how many rows are done with, and whether there may be more."""

    due: Due
    applied: int
    more: bool


_NOTHING = Due((), {})


class Indexer:
    """Keeps the index in step with the graph store, by its outbox.

    While there is a ``lender``, an index by the same embedder that has points of the same records,
    vectors that it has are not made again.

    What it does may be done again, and in any order, but one that has a record in hand must not
    write it after another one removed it. So in one process only one indexer at a time works on a
    store, from whatever thread and loop, and where several processes write to one index, each
    works on scopes that it has in hand (see ``hand``).
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
        self._writer = PointWriter(store, ontology)
        self._owed = Owed(store)
        self._spared = 0
        self._seen_filled = False
        self._ask_again = 0.0
        self._look_again = 0.0

    async def drain(
        self,
        *,
        limit: int | None = None,
        seconds: float | None = None,
        scope: Scope | None = None,
    ) -> IndexState:
        """Apply outbox rows: all, or at most ``limit``, or as many as ``seconds`` allow.

        An index or embedder that is away is no error: the state says so. Rows that another process
        has in hand are its to apply; those of ``scope`` (without it and ``seconds``: of any) are
        waited for a while. A row that cannot be applied is put aside.

        Raises:
            StoreError: the graph store failed; nothing is lost, the rows are applied next time.
        """
        if self.index is None:
            return await self._drop(at_once=seconds is None)
        async with self.turn():
            await self._pay(shared=self.index.shared)
            async with in_hand(self.store, shared=self.index.shared) as hand:
                run = self.run(self.index, hand)
                patience = Patience(scope, every=scope is None and seconds is None)
                return await self._drain(run, patience, limit, seconds)

    async def waiting(self) -> int:
        """Return how many outbox rows wait; what there is no index for waits for nothing."""
        return 0 if self.index is None else await self.store.backlog()

    def ask_at_once(self) -> None:
        """Let the next drain ask an embedder that was away a moment ago."""
        self._ask_again = self._look_again = 0.0

    async def _pay(self, *, shared: bool) -> None:
        """Let what is owed be written anew, if it can be; vectors that are there stay."""
        if time.monotonic() < self._look_again:
            return
        owed = await self._owed.kept()
        if not owed:
            # Another process may come to owe something; that this one does is known at once.
            self._look_again = time.monotonic() + LOOK_FOR_OWED
        if not owed or (owed.startswith(What.VECTORS) and not await self._answers()):
            return
        if not await self._owed.begin(owed, shared=shared):
            self._look_again = time.monotonic() + LOOK_FOR_OWED
            return
        await self.store.requeue()
        await self._owed.end(owed)

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
        if embedding.reason:
            await self._owed.add(What.VECTORS)
            self._look_again = 0.0
            self._ask_again = time.monotonic() + ASK_AGAIN

    async def _drop(self, *, at_once: bool) -> IndexState:
        """Settle what there is no index for, ``at_once`` or now and then; the first drain into one
        writes everything anew."""
        if at_once or self._spared <= 0:
            self._spared = SPARED
            async with self.turn():
                more = True
                while more and (rows := await self.store.outbox(DROPPED)):
                    await self._owed.add(What.EVERYTHING)
                    await self.store.settle([row.seq for row in rows])
                    more = len(rows) == DROPPED
        else:
            self._spared -= 1
        return IndexState(0, 0, notes=("there is no vector index",))

    async def _drain(
        self, run: Run, patience: Patience, limit: int | None, seconds: float | None
    ) -> IndexState:
        until = None if seconds is None else time.monotonic() + seconds
        applied = 0
        done = False
        notes: list[str] = []
        try:
            if not self._seen_filled or run.index.lost:
                await self._refill(run.index)
            while not done and (limit is None or applied < limit):
                wanted = BATCH if limit is None else min(BATCH, limit - applied)
                step = await self._some(run, wanted)
                applied += step.applied
                if step.due.barred:
                    notes.append("another process builds the vector index anew")
                    break
                done = not step.more and not patience.wants(step.due)
                if until is not None and time.monotonic() >= until:
                    break
                if not (done or step.more or await patience.wait()):
                    break
        except IndexUnavailableError as error:
            log.info("the index is away: %s", error)
            notes.append(str(error))
        if run.unembedded:
            reason = "some texts cannot be embedded"
            if run.embedding.reason:
                reason = f"{run.embedding.reason}; they are embedded when it answers, or by repair"
            notes.append(f"{run.unembedded} records are found by keyword alone: {reason}")
        if run.parked:
            notes.append(
                f"{run.parked} records cannot be indexed; verify says why, repair tries again"
            )
        # Rows of writers since then are theirs to apply; counting them costs every call.
        if not done:
            await run.hand.flush()
        backlog = 0 if done else await self.store.backlog()
        return IndexState(applied, backlog, run.unembedded, tuple(notes))

    async def _some(self, run: Run, wanted: int) -> _Step:
        """Apply the oldest rows."""
        try:
            due = await run.hand.take(wanted)
            if due.rows:
                await self._apply(run, due)
        except TakenError:
            log.info("another indexer went on with what this one had in hand for long")
            return _Step(_NOTHING, 0, more=True)
        except OF_ITS_OWN as error:
            log.info("some rows are applied one by one: %s", type(error).__name__)
            return await self._one_by_one(run, wanted)
        return _Step(due, len(due.rows), more=len(due.rows) == wanted)

    async def _one_by_one(self, run: Run, wanted: int) -> _Step:
        """Apply the oldest rows each by itself, and put those aside that cannot be applied."""
        after = applied = 0
        held: set[Scope] = set()
        failed: list[tuple[OutboxRow, Exception]] = []  # in a row
        while not applied and (rows := await self.store.outbox(wanted, after)):
            after = rows[-1].seq
            for row in rows:
                if not await run.hand.hold(row.scope, patience=0):
                    held.add(row.scope)
                    continue
                error = await self._alone(run, row)
                applied += 1
                if error is None:
                    await self._park(run, failed)
                    failed = []
                    continue
                failed.append((row, error))
                if len(failed) > MOST_IN_A_ROW:
                    raise IndexUnavailableError(
                        f"record after record cannot be indexed ({error}); repair tries again"
                    ) from error
            await self._park(run, failed)
            failed = []
        return _Step(Due((), {}, held=frozenset(held)), applied, more=applied > 0)

    async def _alone(self, run: Run, row: OutboxRow) -> Exception | None:
        """Apply one row; return what it fails with."""
        try:
            things = await self._writer.named(row.scope, [(row.kind, row.id)])
            await self._apply(run, Due((row,), {row.scope: things}))
        except OF_ITS_OWN as error:
            return error
        return None

    async def _park(self, run: Run, failed: Sequence[tuple[OutboxRow, Exception]]) -> None:
        for row, error in failed:
            await self.store.park(row.seq, f"{type(error).__name__}: {error}"[:_REASON])
            log.warning("the %s %s cannot be indexed and is put aside", row.kind.value, row.id)
        run.parked += len(failed)

    async def _refill(self, index: VectorIndex) -> None:
        """Let everything be written anew into an index that is empty: its folder may be gone.

        Looked at once, and when it was lost; a store without scopes is as empty as the index. Who
        searches must never find an empty index and nothing that waits, so that comes first.
        """

        async def fill() -> None:
            if await self.store.scopes():
                await self.store.requeue()

        if not await index.make(fill) and await index.count() == 0:
            await fill()
        self._seen_filled = True

    async def _apply(self, run: Run, due: Due) -> None:
        by_scope: defaultdict[Scope, list[OutboxRow]] = defaultdict(list)
        for row in due.rows:
            by_scope[row.scope].append(row)
        bare = 0
        for scope, told in by_scope.items():
            changes: dict[Thing, int] = {}
            born: dict[Thing, int] = {}
            gone: set[PointRef] = set()
            for row in told:
                thing = (row.kind, row.id)
                if row.change >= changes.get(thing, 0):
                    changes[thing], born[thing] = row.change, row.at
                gone.update(PointRef(row.kind, name) for name in row.removed)
            drafts = self._writer.drafts(scope, [*changes], due.things[scope])
            bare += await self._writer.write(run, drafts, changes, gone, born)
        if bare:
            await self._owe(run.embedding)
        run.hand.settle([row.seq for row in due.rows])

    async def write(self, run: Run, scope: Scope, changes: Mapping[Thing, int]) -> None:
        """Write the points of things as they are now; the caller has the ``turn``, and the scope in
        hand.

        ``changes`` are the change numbers to write at, by thing.

        Raises:
            TakenError: another indexer has the scope by now.
        """
        await self._writer.write(run, await self.drafts(scope, [*changes]), changes)

    async def drafts(self, scope: Scope, things: Sequence[Thing]) -> dict[Thing, list[Draft]]:
        """Return the points that things have now; none for what is not there."""
        return self._writer.drafts(scope, things, await self._writer.named(scope, things))

    def run(self, index: VectorIndex, hand: Hand) -> Run:
        """Begin to write to an index."""
        return Run(index, Embedding(self.embedder), hand, self.lender)

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


_guard = threading.Lock()
_locks: dict[tuple[int, str], threading.Lock] = {}


def _lock_of(store: str) -> threading.Lock:
    with _guard:
        # By process too: after a fork, whoever held the parent's lock is not here to release it.
        return _locks.setdefault((os.getpid(), store), threading.Lock())
