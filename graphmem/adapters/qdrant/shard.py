"""One Edge shard: points in and out, blocking, with errors of ours."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, cast
from uuid import UUID

from qdrant_edge import (
    CountRequest,
    Distance,
    EdgeConfig,
    EdgeShard,
    EdgeSparseVectorParams,
    EdgeVectorParams,
    IntegerIndexParams,
    PayloadSchemaType,
    Query,
    QueryRequest,
    Record,
    ScoredPoint,
    ScrollRequest,
    SparseVector,
    UpdateOperation,
)
from qdrant_edge import Point as EdgePoint

from graphmem.adapters.qdrant.edge_filters import edge_filter, edge_scope
from graphmem.adapters.qdrant.fields import (
    DENSE,
    INTEGERS,
    KEYWORDS,
    REF,
    SPARSE,
    from_payload,
    newest,
    point_id,
    to_payload,
)
from graphmem.adapters.qdrant.ties import TIES_LIMIT, ordered, settled
from graphmem.errors import IndexUnavailableError
from graphmem.model.search import PointKind, PointRef, Scored
from graphmem.ports.vector_index import Point, Probe

PAGE = 256
REFS_KEPT = 100_000
"""Refs of points that a shard remembers; some 30 MB."""

Stored = Mapping[str, Any]  # Any: a payload is a JSON object.


@contextmanager
def engine(path: Path) -> Generator[None]:
    """Turn the engine's errors into ours; its panics too, which are no ``Exception``."""
    try:
        yield
    except IndexUnavailableError:
        raise
    except BaseException as error:  # the engine raises nothing more specific
        if not isinstance(error, Exception) and type(error).__name__ != _PANIC:
            raise
        raise IndexUnavailableError(
            f"the vector index in {str(path)!r} failed: {error}; if this goes on, rebuild it from "
            "the graph with reindex"
        ) from error


_PANIC = "PanicException"
"""It can be imported from nowhere."""


class Shard:
    """An open Edge shard; safe from several threads, writes apart, which the owner serialises."""

    def __init__(self, path: Path, edge: EdgeShard) -> None:
        self.path = path
        self._edge = edge
        # What an id stands for never changes, and reading it with each hit takes the engine ten
        # times as long as finding the hits.
        # By the numbers behind ids, which are hashed much faster.
        self._refs: dict[int, PointRef] = {}

    @classmethod
    def create(cls, path: Path, size: int) -> Shard:
        """Make a shard for vectors of ``size`` numbers in the new folder ``path``."""
        config = EdgeConfig(
            vectors={DENSE: EdgeVectorParams(size=size, distance=Distance.Cosine)},
            sparse_vectors={SPARSE: EdgeSparseVectorParams()},
        )
        path.mkdir(parents=True)
        with engine(path):
            edge = EdgeShard.create(str(path), config)
            for name in KEYWORDS:
                edge.update(UpdateOperation.create_field_index(name, PayloadSchemaType.Keyword))
            for name in INTEGERS:
                schema = IntegerIndexParams(lookup=False, range=True)
                edge.update(UpdateOperation.create_field_index(name, schema))
            edge.flush()
        return cls(path, edge)

    @classmethod
    def load(cls, path: Path) -> Shard:
        """Open the shard in ``path``."""
        with engine(path):
            return cls(path, EdgeShard.load(str(path)))

    @property
    def indexed_fields(self) -> frozenset[str]:
        """The payload fields that have an index."""
        with engine(self.path):
            return frozenset(self._edge.info().payload_schema)

    def upsert(self, points: Sequence[Point]) -> None:
        """Write points that are not older than what is there."""
        latest = newest(points)
        with engine(self.path):
            there = self._changes([point.ref for point in latest])
            fresh = [
                _to_edge(point)
                for point in latest
                if there.get(point.ref, -1) <= point.payload.change
            ]
            if fresh:
                self._edge.update(UpdateOperation.upsert_points(fresh))

    def _changes(self, refs: Sequence[PointRef]) -> dict[PointRef, int]:
        records = self._edge.retrieve([*map(point_id, refs)], [REF, "kind", "change"], False)
        return {_ref(stored): stored["change"] for stored in map(_payload, records)}

    def remove(self, refs: Sequence[PointRef]) -> None:
        """Remove points; unknown ones are no error."""
        if refs:
            ids = [*map(point_id, refs)]
            with engine(self.path):
                self._edge.update(UpdateOperation.delete_points([*ids]))
            for one in ids:
                self._refs.pop(one.int, None)

    def points(self, refs: Sequence[PointRef]) -> list[Point]:
        """Return the points that are there."""
        with engine(self.path):
            return [*map(_from_edge, self._edge.retrieve([*map(point_id, refs)], True, True))]

    def search(self, probe: Probe) -> list[Scored]:
        """Return what a probe finds, best first, ties by id."""
        if probe.limit < 1 or not probe.filter.kinds or not len(probe.by):
            return []
        found = self._find(probe, probe.limit + 1)
        kept = settled(found, probe.limit)
        found = self._find(probe, TIES_LIMIT) if kept is None else kept
        numbers = [cast("UUID", hit.id).int for hit in found]
        refs = self._refs_of(numbers)
        scored = [
            Scored(ref, hit.score)
            for number, hit in zip(numbers, found, strict=True)
            if (ref := refs.get(number)) is not None
        ]
        return ordered(scored, probe.limit)

    def _find(self, probe: Probe, limit: int) -> list[ScoredPoint]:
        if isinstance(probe.by, Mapping):
            weights = SparseVector([*probe.by], [*probe.by.values()])
            query = Query.Nearest(weights, using=SPARSE)
        else:
            query = Query.Nearest([*probe.by], using=DENSE)
        request = QueryRequest(
            query=query, limit=limit, filter=edge_filter(probe.filter), with_payload=False
        )
        with engine(self.path):
            return self._edge.query(request)

    def _refs_of(self, numbers: Sequence[int]) -> Mapping[int, PointRef]:
        """Return what ids stand for, and maybe more; one whose point went meanwhile is missing."""
        known = self._refs
        missing = [UUID(int=number) for number in numbers if number not in known]
        if not missing:
            return known
        with engine(self.path):
            records = self._edge.retrieve([*missing], [REF, "kind"], False)
        if len(known) + len(records) > REFS_KEPT:
            known = {number: ref for number in numbers if (ref := known.get(number)) is not None}
            self._refs = known
        known.update((cast("UUID", record.id).int, _ref(_payload(record))) for record in records)
        return known

    def scroll(self, scope: str | None = None, *, sparse: bool = True) -> Iterator[Point]:
        """Yield every point, without sparse vector if that is not wanted."""
        passing = edge_scope(scope)
        offset: UUID | None = None
        while True:
            request = ScrollRequest(
                offset=offset,
                limit=PAGE,
                filter=passing,
                with_payload=True,
                with_vector=True if sparse else [DENSE],
            )
            with engine(self.path):
                records, following = self._edge.scroll(request)
            yield from map(_from_edge, records)
            if following is None:
                return
            offset = cast("UUID", following)

    def count(self, scope: str | None = None) -> int:
        """Return how many points there are."""
        with engine(self.path):
            return self._edge.count(CountRequest(exact=True, filter=edge_scope(scope)))

    def flush(self) -> None:
        """Write to disk what a power cut would lose."""
        with engine(self.path):
            self._edge.flush()

    def close(self) -> None:
        """Flush and let go of the folder."""
        with engine(self.path):
            self._edge.flush()
            self._edge.close()


def _to_edge(point: Point) -> EdgePoint:
    sparse = SparseVector([*point.sparse], [*point.sparse.values()])
    vector: dict[str, Any] = {SPARSE: sparse}  # Any: the engine's own union of vectors
    if point.dense is not None:
        vector[DENSE] = [*map(float, point.dense)]
    return EdgePoint(point_id(point.ref), vector, to_payload(point.ref, point.payload))


def _from_edge(record: Record) -> Point:
    ref, payload = from_payload(_payload(record))
    vectors = cast("Mapping[str, Any]", record.vector or {})  # Any: as above
    sparse = cast("SparseVector | None", vectors.get(SPARSE))
    weights = {} if sparse is None else dict(zip(sparse.indices, sparse.values, strict=True))
    return Point(ref, payload, vectors.get(DENSE), weights)


def _payload(record: Any) -> Stored:  # Any: a Record or a ScoredPoint, which share no class
    return record.payload or {}


def _ref(stored: Stored) -> PointRef:
    return PointRef(PointKind(stored["kind"]), stored[REF])
