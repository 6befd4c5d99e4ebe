"""One Edge shard: points in and out, blocking, with errors of ours."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, cast
from uuid import UUID

from qdrant_edge import (
    CountRequest,
    EdgeShard,
    FacetRequest,
    Filter,
    HasIdCondition,
    Query,
    QueryBatchRequest,
    QueryRequest,
    Record,
    ScoredPoint,
    ScrollRequest,
    SparseVector,
    UpdateOperation,
)
from qdrant_edge import Point as EdgePoint

from graphmem.adapters.qdrant import build
from graphmem.adapters.qdrant.edge_filters import edge_filter, edge_scope
from graphmem.adapters.qdrant.fields import (
    DENSE,
    REF,
    SPARSE,
    from_payload,
    newest,
    point_id,
    ref_of,
    to_payload,
)
from graphmem.adapters.qdrant.ties import TIES_LIMIT, ordered, settled
from graphmem.errors import IndexUnavailableError
from graphmem.model.search import PointKind, PointRef, Scored
from graphmem.ports.vector_index import Point, Probe

PAGE = 256
SCOPES = 100
"""So many of the largest scopes are looked at."""
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
        # What ids stand for, by the numbers behind them, which are hashed much faster. It never
        # changes, and where the id does not tell it, reading it takes long.
        self._refs: dict[int, PointRef] = {}
        with engine(path):
            self._has_graph = edge.info().segments_count > 1
        self._noted: set[PointRef] | None = None

    @classmethod
    def create(cls, path: Path, size: int) -> Shard:
        """Make a shard for vectors of ``size`` numbers in the new folder ``path``."""
        path.mkdir(parents=True)
        with engine(path):
            edge = build.create(path, size)
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
        self._note([point.ref for point in latest])
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
            self._note(refs)
            ids = [*map(point_id, refs)]
            with engine(self.path):
                self._edge.update(UpdateOperation.delete_points([*ids]))
            for one in ids:
                self._refs.pop(one.int, None)

    def points(self, refs: Sequence[PointRef]) -> list[Point]:
        """Return the points that are there."""
        with engine(self.path):
            return [*map(_from_edge, self._edge.retrieve([*map(point_id, refs)], True, True))]

    def search(self, probes: Sequence[Probe]) -> list[list[Scored]]:
        """Return what each probe finds, best first, ties by id."""
        found = iter(self._found([*filter(_asks, probes)]))
        answers = [next(found) if _asks(probe) else [] for probe in probes]
        if self._has_graph:
            self._complete(probes, answers)
        return answers

    def _found(self, probes: Sequence[Probe]) -> list[list[Scored]]:
        if not probes:
            return []
        first = self._query([_request(probe, probe.limit + 1) for probe in probes])
        kept = [settled(hits, probe.limit) for hits, probe in zip(first, probes, strict=True)]
        tied = [_request(p, TIES_LIMIT) for p, k in zip(probes, kept, strict=True) if k is None]
        further = iter(self._query(tied) if tied else ())
        return [
            ordered(self._scored(next(further) if hits is None else hits), probe.limit)
            for hits, probe in zip(kept, probes, strict=True)
        ]

    def _complete(self, probes: Sequence[Probe], answers: list[list[Scored]]) -> None:
        """Add to what is near what was found by keyword under the same filter.

        The graph may pass by a near point. One that matters has, most often, words in common with
        the question too, and how near it is can be reckoned without the graph.
        """
        for place, probe in enumerate(probes):
            if isinstance(probe.by, Mapping) or not answers[place]:
                continue
            seen = {hit.ref for hit in answers[place]}
            missed = {
                point_id(hit.ref): hit.ref
                for other, hits in zip(probes, answers, strict=True)
                if other is not probe and other.filter == probe.filter
                for hit in hits
                if hit.ref not in seen
            }
            if not missed:
                continue
            request = QueryRequest(
                query=_query(probe),
                limit=len(missed),
                filter=Filter(must=[HasIdCondition({*missed})]),
                with_payload=False,
            )
            worst = answers[place][-1].score
            (near,) = self._query([request])
            more = [hit for hit in self._scored(near) if hit.score > worst]
            answers[place] = ordered([*answers[place], *more], probe.limit)

    def _query(self, requests: Sequence[QueryRequest]) -> list[list[ScoredPoint]]:
        with engine(self.path):
            return self._edge.query_batch(QueryBatchRequest([*requests]))

    def _scored(self, found: Sequence[ScoredPoint]) -> list[Scored]:
        numbers = [one.int for one in cast("list[UUID]", [hit.id for hit in found])]
        known = self._refs_of(numbers).get
        scored = zip(map(known, numbers), [hit.score for hit in found], strict=True)
        return [Scored(ref, score) for ref, score in scored if ref is not None]

    def _refs_of(self, numbers: Sequence[int]) -> Mapping[int, PointRef]:
        """Return what ids stand for, and maybe more; one whose point went meanwhile is missing."""
        known = self._refs
        new = [number for number in numbers if number not in known]
        if not new:
            return known
        if len(known) + len(new) > REFS_KEPT:
            known = {number: ref for number in numbers if (ref := known.get(number)) is not None}
            self._refs = known
        missing: list[UUID] = []
        for number in new:
            ref = ref_of(number)
            if ref is None:
                missing.append(UUID(int=number))
            else:
                known[number] = ref
        if not missing:
            return known
        with engine(self.path):
            records = self._edge.retrieve([*missing], [REF, "kind"], False)
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

    def note(self) -> set[PointRef]:
        """Return what was written since the last call, and keep in mind what is from now on."""
        noted, self._noted = self._noted, set()
        return noted or set()

    def follow(self, other: Shard, refs: Sequence[PointRef]) -> None:
        """Let points be as they are in ``other``, gone ones too."""
        there = other.points(refs)
        self.upsert(there)
        self.remove([*{*refs} - {point.ref for point in there}])

    def note_no_more(self) -> None:
        """Keep nothing in mind any longer."""
        self._noted = None

    def _note(self, refs: Iterable[PointRef]) -> None:
        if self._noted is not None:
            self._noted.update(refs)

    def in_big_scopes(self, big: int) -> int:
        """Return how many points are in scopes of at least ``big`` points."""
        with engine(self.path):
            most = self._edge.facet(FacetRequest(key="scope", limit=SCOPES, exact=False))
        return sum(hit.count for hit in most.hits if hit.count >= big)

    def flush(self) -> None:
        """Write to disk what a power cut would lose."""
        with engine(self.path):
            self._edge.flush()

    def close(self) -> None:
        """Flush and let go of the folder."""
        with engine(self.path):
            self._edge.flush()
            self._edge.close()


def _asks(probe: Probe) -> bool:
    return probe.limit > 0 and bool(probe.filter.kinds) and len(probe.by) > 0


def _query(probe: Probe) -> Query:
    if isinstance(probe.by, Mapping):
        return Query.Nearest(SparseVector([*probe.by], [*probe.by.values()]), using=SPARSE)
    return Query.Nearest([*probe.by], using=DENSE)


def _request(probe: Probe, limit: int) -> QueryRequest:
    return QueryRequest(
        query=_query(probe),
        limit=limit,
        filter=edge_filter(probe.filter),
        score_threshold=probe.least,
        params=None if isinstance(probe.by, Mapping) else build.CAREFUL,
        with_payload=False,
    )


def _to_edge(point: Point) -> EdgePoint:
    sparse = SparseVector([*point.sparse], [*point.sparse.values()])
    vector: dict[str, Any] = {SPARSE: sparse}  # Any: the engine's own union of vectors
    if point.dense is not None:
        vector[DENSE] = [*point.dense]
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
