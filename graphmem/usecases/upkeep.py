"""Comparing the index with the graph store, mending it, and building it anew."""

from __future__ import annotations

import logging
import math
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TypeVar

from graphmem.errors import EmbedderError, IndexUnavailableError, RefusedError
from graphmem.model.scope import Scope
from graphmem.model.search import PointKind, PointRef
from graphmem.ports.graph_store import OutboxRow
from graphmem.ports.vector_index import IndexInfo, Point, VectorIndex
from graphmem.usecases.hand import LEASE, Hand, TakenError, in_hand
from graphmem.usecases.indexing import BATCH, OF_ITS_OWN, Indexer, IndexState
from graphmem.usecases.points import Draft
from graphmem.usecases.transfer import unfinished
from graphmem.usecases.writing import Run, Thing

T = TypeVar("T")

log = logging.getLogger(__name__)

OUTBOX_PAGE = 1000
MOST_PARKED = 100
"""Rows that were put aside and are named."""
CLOSE = 1e-3
"""How far stored weights may be from ours: they are kept as 32-bit floats."""

Progress = Callable[[int, int], None]
"""Told how many things are done, and how many there are."""

_KINDS = {"fact": PointKind.FACT, "episode": PointKind.CHUNK, "entity": PointKind.ENTITY}


class Trouble(StrEnum):
    """What may be wrong with a point."""

    MISSING = "missing"
    STALE = "stale"
    UNEMBEDDED = "without vector"


@dataclass(frozen=True, slots=True)
class Fault:
    """A point that is not as it should be.

    Attributes:
        ref: the point.
        trouble: it is not there; says something else than its record does now; or could be found
            by vector too, and has none.
        thing: the fact, episode or entity it belongs to.
        change: the change number it was written at; 0 if it was not.
    """

    ref: PointRef
    trouble: Trouble
    thing: Thing
    change: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ScopeReport:
    """How the index stands to one scope of the graph store: points there should be, and faults."""

    scope: Scope
    points: int
    faults: tuple[Fault, ...] = ()

    def count(self, trouble: Trouble) -> int:
        """Return how many points have this trouble."""
        return sum(fault.trouble is trouble for fault in self.faults)


@dataclass(frozen=True, slots=True, kw_only=True)
class VerifyReport:
    """What ``verify`` found; whatever waits in the outbox is backlog and no fault.

    Attributes:
        scopes: one report a scope.
        extra: points that no record stands behind.
        backlog: outbox rows that wait.
        parked: outbox rows that could not be applied, with the reason; their points are no faults.
        findings: what is wrong inside the graph store.
        notes: what could not be looked at, and why.
    """

    scopes: tuple[ScopeReport, ...] = ()
    extra: tuple[PointRef, ...] = ()
    backlog: int = 0
    parked: tuple[OutboxRow, ...] = ()
    findings: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def clean(self) -> bool:
        """Whether store and index are sound and the same."""
        wrong = (*self.extra, *self.parked, *self.findings, *self.notes)
        return not (self.backlog or wrong or any(report.faults for report in self.scopes))


async def verify(indexer: Indexer, scope: Scope | None = None) -> VerifyReport:
    """Compare index and graph store, of one scope or of all, and check the store itself."""
    findings = (*await unfinished(indexer.store), *await indexer.store.check())
    if indexer.index is None:
        return await _uncompared(indexer, findings, "there is no vector index")
    async with indexer.turn():
        try:
            return await _compare(indexer, indexer.index, scope, findings)
        except IndexUnavailableError as error:
            return await _uncompared(indexer, findings, str(error))


async def _uncompared(indexer: Indexer, findings: tuple[str, ...], why: str) -> VerifyReport:
    return VerifyReport(
        backlog=await indexer.waiting(),
        parked=tuple(await indexer.store.parked(MOST_PARKED)),
        findings=findings,
        notes=(why,),
    )


async def repair(indexer: Indexer, scope: Scope | None = None) -> VerifyReport:
    """Apply the outbox, also what was put aside of it, mend what ``verify`` finds, and return what
    it finds then.

    Only the index is mended; what is wrong inside the graph store stays in the findings.
    """
    indexer.ask_at_once()
    await indexer.store.unpark(scope)
    await indexer.drain()
    before = await verify(indexer, scope)
    if indexer.index is not None and indexer.index.lost:
        await indexer.drain()  # only now it is known to be gone
        before = await verify(indexer, scope)
    if indexer.index is None or before.notes:
        return before
    try:
        await _mend(indexer, indexer.index, before)
    except IndexUnavailableError as error:
        log.warning("repair was cut off: %s", error)
    # What was erased meanwhile has rows in the outbox that remove it again.
    await indexer.drain()
    return await verify(indexer, scope)


async def _mend(indexer: Indexer, index: VectorIndex, before: VerifyReport) -> None:
    async with indexer.turn(), in_hand(indexer.store, shared=index.shared) as hand:
        run = indexer.run(index, hand)
        await index.remove(before.extra)
        for report in before.scopes:
            if not report.faults:
                continue
            if not await hand.hold(report.scope):
                log.info("a scope is left as it is: another indexer works on it")
                continue
            try:
                for some in _batched([*_to_write(report).items()]):
                    await indexer.write(run, report.scope, dict(some))
            except TakenError:
                log.info("another indexer went on with a scope that was being repaired")


async def reindex(indexer: Indexer, progress: Progress | None = None) -> IndexState:
    """Build the index anew from the graph store, beside the old one, and switch at the end.

    The embedder may be another than the old index was made with. Until the switch the old index
    serves; what is written meanwhile waits in the outbox and is applied at the end.

    Raises:
        RefusedError: there is no index or no embedder.
        EmbedderError: the embedder failed; the old index stays.
        IndexUnavailableError: another process holds the index, or it cannot be written.
    """
    if indexer.index is None or indexer.embedder is None:
        missing = "vector index" if indexer.index is None else "embedder"
        raise RefusedError(f"there is no {missing} to reindex with; set one and open again")
    info = IndexInfo(indexer.embedder.identity, await indexer.embedder.size())
    index = indexer.index
    async with indexer.turn(), in_hand(indexer.store, shared=index.shared) as hand:
        if not await hand.hold(None, patience=LEASE):
            raise RefusedError("other indexers are at work on the store; reindex again later")
        try:
            run, done = await _rebuilt(indexer, index, info, hand, progress)
        except TakenError as error:
            raise IndexUnavailableError(
                "reindex was held up for so long that another process indexes again; the old index "
                "stays as it was"
            ) from error
        await index.switch()
    state = await indexer.drain()
    return replace(
        state, applied=state.applied + done, unembedded=state.unembedded + run.unembedded
    )


async def _rebuilt(
    indexer: Indexer, index: VectorIndex, info: IndexInfo, hand: Hand, progress: Progress | None
) -> tuple[Run, int]:
    """Fill an index beside; return what was counted, and of how many things."""
    beside = await index.beside(info)
    run = indexer.run(beside, hand)
    things = {scope: await _things(indexer, scope) for scope in await indexer.store.scopes()}
    total = sum(map(len, things.values()))
    done = 0
    for scope, named in things.items():
        for some in _batched(named):
            await indexer.write(run, scope, dict.fromkeys(some, 0))
            if run.embedding.reason:
                raise EmbedderError(
                    f"reindex stopped, the old index stays as it was: {run.embedding.reason}"
                )
            done += len(some)
            if progress is not None:
                progress(done, total)
    there = await beside.count()
    if there != run.points:
        raise IndexUnavailableError(
            f"reindex wrote {run.points} points and finds {there}; the old index stays as it was"
        )
    return run, done


async def _compare(
    indexer: Indexer, index: VectorIndex, scope: Scope | None, findings: tuple[str, ...]
) -> VerifyReport:
    # Read first: a point that is here now belonged to a record then, and if that is not found
    # below, it was removed since.
    listed = {ref async for ref, _, _ in index.listing(None if scope is None else scope.key)}
    scopes = await indexer.store.scopes() if scope is None else [scope]
    unreadable: list[str] = []
    faults: dict[Scope, list[Fault]] = {}
    expected: dict[Scope, set[PointRef]] = {}
    for one in scopes:
        faults[one], expected[one] = [], set()
        for things in _batched(await _things(indexer, one)):
            drafts = await _readable(indexer, one, things, unreadable)
            expected[one].update(_refs(drafts))
            faults[one] += await _compared(indexer, index, drafts)
    parked = await indexer.store.parked(MOST_PARKED)
    # Read last: whatever changed while we looked waits there.
    waiting: set[tuple[Scope, Thing]] = set()
    leaving: set[PointRef] = set()
    async for row in _outbox(indexer, parked):
        waiting.add((row.scope, (row.kind, row.id)))
        leaving.update(PointRef(row.kind, name) for name in (row.id, *row.removed))
    return VerifyReport(
        scopes=tuple(
            [
                ScopeReport(
                    scope=one,
                    points=len(expected[one]),
                    faults=await _still(
                        indexer,
                        index,
                        one,
                        [f for f in faults[one] if (one, f.thing) not in waiting],
                    ),
                )
                for one in scopes
            ]
        ),
        extra=await _still_there(index, listed.difference(leaving, *expected.values())),
        backlog=await indexer.store.backlog(),
        parked=tuple(parked),
        findings=(*findings, *unreadable),
    )


async def _readable(
    indexer: Indexer, scope: Scope, things: Sequence[Thing], unreadable: list[str]
) -> dict[Thing, list[Draft]]:
    """Return the points that things should have, but for things that cannot be read."""
    try:
        return await indexer.drafts(scope, things)
    except OF_ITS_OWN as error:
        if len(things) == 1:
            ((kind, name),) = things
            unreadable.append(f"the {kind.value} {name} cannot be read: {type(error).__name__}")
            return {}
    drafts: dict[Thing, list[Draft]] = {}
    for thing in things:
        drafts |= await _readable(indexer, scope, [thing], unreadable)
    return drafts


async def _compared(
    indexer: Indexer, index: VectorIndex, drafts: Mapping[Thing, Sequence[Draft]]
) -> list[Fault]:
    there = {p.ref: p for p in await index.points(_refs(drafts))}
    return [*_faults(drafts, there, embeds=indexer.embedder is not None)]


async def _still(
    indexer: Indexer, index: VectorIndex, scope: Scope, faults: Sequence[Fault]
) -> tuple[Fault, ...]:
    """Return the faults that are there still: where other processes write, a row may have been
    applied since its point was looked for."""
    if not index.shared:
        return tuple(faults)
    found: list[Fault] = []
    for things in _batched([*dict.fromkeys(fault.thing for fault in faults)]):
        found += await _compared(indexer, index, await indexer.drafts(scope, things))
    return tuple(found)


async def _still_there(index: VectorIndex, refs: AbstractSet[PointRef]) -> tuple[PointRef, ...]:
    """Return the points that no other process has removed since."""
    ordered = sorted(refs, key=_order)
    if not index.shared:
        return tuple(ordered)
    there = {p.ref for some in _batched(ordered) for p in await index.points(some)}
    return tuple(ref for ref in ordered if ref in there)


def _faults(
    drafts: Mapping[Thing, Sequence[Draft]], there: Mapping[PointRef, Point], *, embeds: bool
) -> Iterator[Fault]:
    for thing, wanted in drafts.items():
        for draft in wanted:
            point = there.get(draft.ref)
            if point is None:
                yield Fault(draft.ref, Trouble.MISSING, thing, 0)
            elif not _as_it_should_be(point, draft):
                yield Fault(draft.ref, Trouble.STALE, thing, point.payload.change)
            elif point.dense is None and embeds and draft.text.strip():
                yield Fault(draft.ref, Trouble.UNEMBEDDED, thing, point.payload.change)


def _as_it_should_be(point: Point, draft: Draft) -> bool:
    # The change number of a record is known to the outbox alone.
    if replace(point.payload, change=draft.payload.change) != draft.payload:
        return False
    weights = draft.point(None).sparse
    return point.sparse.keys() == weights.keys() and all(
        math.isclose(weights[term], stored, abs_tol=CLOSE) for term, stored in point.sparse.items()
    )


def _to_write(report: ScopeReport) -> dict[Thing, int]:
    """Return what to write anew, at a change number that no point of it is newer than."""
    changes: dict[Thing, int] = {}
    for fault in report.faults:
        changes[fault.thing] = max(fault.change, changes.get(fault.thing, 0))
    return changes


async def _things(indexer: Indexer, scope: Scope) -> list[Thing]:
    """Return everything of a scope that has points, each once, in the order of its records."""
    things: dict[Thing, None] = {}
    async for row in indexer.store.export(scope):
        kind = _KINDS.get(row["kind"])
        if kind is not None:
            things[kind, row["id"]] = None
    return [*things]


async def _outbox(indexer: Indexer, parked: Sequence[OutboxRow]) -> AsyncIterator[OutboxRow]:
    for row in parked:
        yield row
    after = 0
    while rows := await indexer.store.outbox(OUTBOX_PAGE, after):
        for row in rows:
            yield row
        after = rows[-1].seq


def _refs(drafts: Mapping[Thing, Sequence[Draft]]) -> list[PointRef]:
    return [draft.ref for wanted in drafts.values() for draft in wanted]


def _order(ref: PointRef) -> tuple[str, str]:
    return (ref.kind.value, ref.id)


def _batched(items: Sequence[T]) -> Iterator[Sequence[T]]:
    for start in range(0, len(items), BATCH):
        yield items[start : start + BATCH]
