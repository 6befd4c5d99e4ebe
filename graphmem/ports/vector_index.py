"""The derived index: dense and sparse vectors over records, without any text."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from graphmem.model.about import About
from graphmem.model.search import PointKind, PointRef, Scored
from graphmem.ports.embedder import Vector


@dataclass(frozen=True, slots=True, kw_only=True)
class Payload:
    """What a point can be filtered by: opaque keys, registry slugs and integers, never words.

    Attributes:
        kind: what the point stands for.
        scope: ``Scope.key``.
        sessions, agents: opaque keys of the labels of the episodes behind it.
        predicate: canonical slug if the registry declares it, else an opaque key; "" if none.
        polarity, modality, status: as the fact has them; "" if none.
        reads_from, reads_until, may_from: microseconds UTC (see ``Fact``), clamped to ±2^53.
        created_at, expired_at: record interval, clamped alike.
        change: the scope's change number at which this was written.
        text: opaque key of the words behind the vectors; "" if unknown.
    """

    kind: PointKind
    scope: str
    sessions: tuple[str, ...] = ()
    agents: tuple[str, ...] = ()
    predicate: str = ""
    polarity: str = ""
    modality: str = ""
    status: str = ""
    reads_from: int = 0
    reads_until: int = 0
    may_from: int = 0
    created_at: int = 0
    expired_at: int = 0
    change: int = 0
    text: str = ""


@dataclass(frozen=True, slots=True)
class Point:
    """One record to be found.

    ``dense`` has the index's size; None leaves the record findable by keyword alone. ``sparse``
    maps a term's hash (unsigned 32 bits) to its BM25 weight in the document.
    """

    ref: PointRef
    payload: Payload
    dense: Vector | None
    sparse: Mapping[int, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class PointFilter:
    """Which points a query may return; in the index's own query, before its limit.

    Fields mirror ``FactFilter``; predicates, sessions and agents are opaque keys as in
    ``Payload``. ``kinds`` other than FACT are filtered by scope, session, agent and record time
    alone.
    """

    scope: str
    kinds: frozenset[PointKind]
    valid: tuple[int, int] | None = None
    upcoming: bool = False
    uncertain: bool = False
    known_at: int | None = None
    statuses: frozenset[str] | None = None
    polarity: str | None = None
    modality: str | None = None
    predicates: frozenset[str] | None = None
    sessions: frozenset[str] | None = None
    agents: frozenset[str] | None = None


@dataclass(frozen=True, slots=True)
class IndexInfo:
    """What an index is made with: stored beside it and compared at open.

    ``note`` says, for people, what it is still busy with.
    """

    embedder: str
    size: int
    version: int = 1
    note: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class Probe:
    """One search.

    Attributes:
        by: a vector to be near to by cosine, or weights of terms (by hash) to be multiplied with.
        filter: which points may be found. limit: at most how many.
        least: only points with at least this score; None for any.
    """

    by: Vector | Mapping[int, float]
    filter: PointFilter
    limit: int
    least: float | None = None


class VectorIndex(Protocol):
    """Points by id, searched by dense and sparse vector.

    Every method raises IndexUnavailableError where the index cannot be used (another process
    holds it, it is damaged, it was made by another embedder); nothing is half done then, and the
    next call tries again. IndexRefusedError, a kind of it, says that a point is refused for what it
    is. Usable from any thread and any event loop.
    """

    @property
    def shared(self) -> bool:
        """Whether other processes may write to it too."""
        ...

    @property
    def lost(self) -> bool:
        """Whether a call found the index gone that was there before; ``make`` makes it again."""
        ...

    async def make(self, first: Callable[[], Awaitable[None]]) -> bool:
        """Make the index if there is none, after ``first`` was done; return whether it did.

        The first call of any other method may make one too, but none makes one again that was
        lost: it would find nothing, and nobody would be told.
        """
        ...

    async def info(self) -> IndexInfo:
        """Return what the index was made with."""
        ...

    async def about(self) -> About:
        """Return what keeps the index, and the state there; nothing is made."""
        ...

    async def upsert(self, points: Sequence[Point]) -> None:
        """Write points; one that is newer already (``payload.change``) stays as it is."""
        ...

    async def remove(self, refs: Sequence[PointRef]) -> None:
        """Remove points; unknown ones are no error."""
        ...

    async def points(self, refs: Sequence[PointRef]) -> list[Point]:
        """Return the points that are there, with their vectors, in no order."""
        ...

    async def search(self, probes: Sequence[Probe]) -> list[list[Scored]]:
        """Answer several probes in one round trip: points best first, ties by id.

        Scores are cosines (-1 to 1), or dot products; without overlap nothing is found. Of points
        with equal scores that ``limit`` would part, the first by id come, or none of them where
        better ones make up a tenth of ``limit``.
        """
        ...

    async def dense(self, vector: Vector, filter: PointFilter, limit: int) -> list[Scored]:
        """Return the points nearest to ``vector``, as ``search`` does."""
        ...

    async def sparse(
        self, weights: Mapping[int, float], filter: PointFilter, limit: int
    ) -> list[Scored]:
        """Return points by the dot product with ``weights``, as ``search`` does."""
        ...

    def listing(self, scope: str | None = None) -> AsyncIterator[tuple[PointRef, int, bool]]:
        """Yield every point's ref, change number, and whether it has a dense vector."""
        ...

    async def count(self, scope: str | None = None) -> int:
        """Return how many points there are."""
        ...

    async def compact(self) -> bool:
        """Write the index anew without what was removed; True once nothing removed is left."""
        ...

    async def beside(self, info: IndexInfo) -> VectorIndex:
        """Return an empty index to be filled beside this one, which goes on serving.

        What an earlier try left is dropped. Works also where this index is damaged or was made
        by another embedder.
        """
        ...

    async def switch(self) -> None:
        """Let the index ``beside`` take this one's place, at once or not at all; the old one
        goes."""
        ...

    async def close(self) -> None:
        """Flush and let go of it; safe to call twice."""
        ...
