"""Comparing the index with the graph store, mending it, and building it anew."""

from __future__ import annotations

import logging
import math
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TypeVar

from graphmem.errors import EmbedderError, IndexUnavailableError, RefusedError
from graphmem.model.scope import Scope
from graphmem.model.search import PointKind, PointRef
from graphmem.ports.graph_store import OutboxRow
from graphmem.ports.vector_index import IndexInfo, Point, VectorIndex
from graphmem.usecases.embedding import Embedding
from graphmem.usecases.indexing import BATCH, Indexer, IndexState, Thing
from graphmem.usecases.points import Draft
from graphmem.usecases.transfer import unfinished

T = TypeVar("T")

log = logging.getLogger(__name__)

OUTBOX_PAGE = 1000
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
        findings: what is wrong inside the graph store.
        notes: what could not be looked at, and why.
    """

    scopes: tuple[ScopeReport, ...] = ()
    extra: tuple[PointRef, ...] = ()
    backlog: int = 0
    findings: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def clean(self) -> bool:
        """Whether store and index are sound and the same."""
        wrong = (*self.extra, *self.findings, *self.notes)
        return not (self.backlog or wrong or any(report.faults for report in self.scopes))


async def verify(indexer: Indexer, scope: Scope | None = None) -> VerifyReport:
    """Compare index and graph store, of one scope or of all, and check the store itself."""
    findings = (*await unfinished(indexer.store), *await indexer.store.check())
    backlog = await indexer.store.backlog()
    if indexer.index is None:
        notes = ("there is no vector index",)
        return VerifyReport(findings=findings, backlog=backlog, notes=notes)
    async with indexer.turn():
        try:
            return await _compare(indexer, indexer.index, scope, findings)
        except IndexUnavailableError as error:
            return VerifyReport(findings=findings, backlog=backlog, notes=(str(error),))


async def repair(indexer: Indexer, scope: Scope | None = None) -> VerifyReport:
    """Apply the outbox, mend what ``verify`` finds, and return what it finds then.

    Only the index is mended; what is wrong inside the graph store stays in the findings.
    """
    indexer.ask_at_once()
    await indexer.drain()
    before = await verify(indexer, scope)
    if indexer.index is None or before.notes:
        return before
    embedding = Embedding(indexer.embedder)
    async with indexer.turn():
        try:
            await indexer.index.remove(before.extra)
            for report in before.scopes:
                for some in _batched([*_to_write(report).items()]):
                    await indexer.write(indexer.index, embedding, report.scope, dict(some))
        except IndexUnavailableError as error:
            log.warning("repair was cut off: %s", error)
    # What was erased meanwhile has rows in the outbox that remove it again.
    await indexer.drain()
    return await verify(indexer, scope)


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
    async with indexer.turn():
        beside = await indexer.index.beside(info)
        things = {scope: await _things(indexer, scope) for scope in await indexer.store.scopes()}
        total = sum(map(len, things.values()))
        done = points = unembedded = 0
        embedding = Embedding(indexer.embedder)
        for scope, named in things.items():
            for some in _batched(named):
                numbers = dict.fromkeys(some, 0)
                written = await indexer.write(beside, embedding, scope, numbers)
                points += written.points
                unembedded += written.unembedded
                if embedding.reason:
                    raise EmbedderError(
                        f"reindex stopped, the old index stays as it was: {embedding.reason}"
                    )
                done += len(some)
                if progress is not None:
                    progress(done, total)
        there = await beside.count()
        if there != points:
            raise IndexUnavailableError(
                f"reindex wrote {points} points and finds {there}; the old index stays as it was"
            )
        await indexer.index.switch()
    state = await indexer.drain()
    return replace(state, applied=state.applied + done, unembedded=state.unembedded + unembedded)


async def _compare(
    indexer: Indexer, index: VectorIndex, scope: Scope | None, findings: tuple[str, ...]
) -> VerifyReport:
    scopes = await indexer.store.scopes() if scope is None else [scope]
    faults: dict[Scope, list[Fault]] = {}
    expected: dict[Scope, set[PointRef]] = {}
    for one in scopes:
        faults[one], expected[one] = [], set()
        for things in _batched(await _things(indexer, one)):
            drafts = await indexer.drafts(one, things)
            there = {p.ref: p for p in await index.points(_refs(drafts))}
            expected[one].update(_refs(drafts))
            faults[one] += _faults(drafts, there, embeds=indexer.embedder is not None)
    listed = {ref async for ref, _, _ in index.listing(None if scope is None else scope.key)}
    # Read last: whatever changed while we looked waits there.
    waiting: set[tuple[Scope, Thing]] = set()
    leaving: set[PointRef] = set()
    async for row in _outbox(indexer):
        waiting.add((row.scope, (row.kind, row.id)))
        leaving.update(PointRef(row.kind, name) for name in (row.id, *row.removed))
    return VerifyReport(
        scopes=tuple(
            ScopeReport(
                scope=one,
                points=len(expected[one]),
                faults=tuple(f for f in faults[one] if (one, f.thing) not in waiting),
            )
            for one in scopes
        ),
        extra=tuple(sorted(listed.difference(leaving, *expected.values()), key=_order)),
        backlog=await indexer.store.backlog(),
        findings=findings,
    )


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


async def _outbox(indexer: Indexer) -> AsyncIterator[OutboxRow]:
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
