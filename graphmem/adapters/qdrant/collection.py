"""The points of one collection on a server, or of the one behind an alias."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from typing import Any, TypeVar, cast

from qdrant_client import models
from qdrant_client.http.models import QueryResponse

from graphmem.adapters.qdrant.calls import Calls, reading
from graphmem.adapters.qdrant.fields import (
    REF,
    SPARSE,
    from_payload,
    newest,
    point_id,
    to_payload,
)
from graphmem.adapters.qdrant.filters import not_newer, of_scope, wanted
from graphmem.adapters.qdrant.server_filters import server_filter
from graphmem.adapters.qdrant.ties import TIES_LIMIT, ordered, settled
from graphmem.model.search import PointKind, PointRef, Scored
from graphmem.ports.vector_index import Point, Probe

T = TypeVar("T")

MOST_POINTS = 64
MOST_NUMBERS = 200_000
"""How much one upload holds: some 4 MB, where servers take 32."""
PAGE = 256
"""Points read at a time with their vectors."""
BARE_PAGE = 1000
"""Points read, or removed, at a time without."""
_NAMES = [REF, "kind"]


class Collection:
    """Reads and writes points; every call of it may be done twice.

    Args:
        calls: the way to the server.
        name: the collection, or an alias of it.
        dense: the name of its dense vectors.
        quantised: its vectors are; the best are then compared once more by the whole ones.
    """

    def __init__(self, calls: Calls, name: str, dense: str, *, quantised: bool) -> None:
        self.name = name
        self._calls = calls
        self._dense = dense
        self._params = None
        if quantised:
            rescored = models.QuantizationSearchParams(rescore=True, oversampling=2.0)
            self._params = models.SearchParams(quantization=rescored)

    async def upsert(self, points: Sequence[Point]) -> None:
        """Write points that are not older than what is there; they are found when it returns.

        The server compares the change numbers, each with what is there when it writes.
        """
        for batch in _uploads(newest(points)):
            by_change: defaultdict[int, list[models.PointStruct]] = defaultdict(list)
            for point in batch:
                by_change[point.payload.change].append(self._to_server(point))
            operations = [
                models.UpsertOperation(
                    upsert=models.PointsList(
                        points=some, update_filter=server_filter(not_newer(change))
                    )
                )
                for change, some in by_change.items()
            ]
            await self._calls.do(
                lambda client, them=operations: client.batch_update_points(
                    self.name, them, wait=True
                )
            )

    async def remove(self, refs: Sequence[PointRef]) -> None:
        """Remove points; unknown ones are no error."""
        for some in _pages(refs, BARE_PAGE):
            chosen = models.PointIdsList(points=_ids(some))
            await self._calls.do(
                lambda client, chosen=chosen: client.delete(self.name, chosen, wait=True)
            )

    async def points(self, refs: Sequence[PointRef]) -> list[Point]:
        """Return the points that are there."""
        found: list[Point] = []
        for some in _pages(refs, PAGE):
            found += await self._calls.do(
                reading(
                    lambda client, some=some: client.retrieve(
                        self.name, _ids(some), with_payload=True, with_vectors=True
                    ),
                    lambda records: [*map(self._from_server, records)],
                )
            )
        return found

    async def search(self, probes: Sequence[Probe]) -> list[list[Scored]]:
        """Answer probes in one round trip, and those in which equals must be followed in one more.

        Best first, ties by id.
        """
        asked = [
            place
            for place, probe in enumerate(probes)
            if probe.limit > 0 and probe.filter.kinds and len(probe.by)
        ]
        found = await self._found([(probes[place], probes[place].limit + 1) for place in asked])
        kept = {
            place: settled(hits, probes[place].limit)
            for place, hits in zip(asked, found, strict=True)
        }
        open_ = [place for place, hits in kept.items() if hits is None]
        more = await self._found([(probes[place], TIES_LIMIT) for place in open_])
        kept.update(zip(open_, more, strict=True))
        return [ordered(kept.get(place) or [], probe.limit) for place, probe in enumerate(probes)]

    async def _found(self, asked: Sequence[tuple[Probe, int]]) -> list[list[Scored]]:
        if not asked:
            return []
        requests = [
            models.QueryRequest(
                query=_query(probe),
                using=SPARSE if isinstance(probe.by, Mapping) else self._dense,
                filter=server_filter(wanted(probe.filter)),
                params=None if isinstance(probe.by, Mapping) else self._params,
                limit=limit,
                score_threshold=probe.least,
                with_payload=_NAMES,
                with_vector=False,
            )
            for probe, limit in asked
        ]

        def read(answers: Sequence[QueryResponse]) -> list[list[Scored]]:
            return [
                [*map(_scored, answer.points)]
                for answer, _ in zip(answers, requests, strict=True)  # each has its own
            ]

        return await self._calls.do(
            reading(lambda client: client.query_batch_points(self.name, requests), read)
        )

    async def listing(self, scope: str | None) -> AsyncIterator[tuple[PointRef, int, bool]]:
        """Yield every point's ref, change number, and whether it has a dense vector.

        Asking for the vectors themselves would take a hundred times as long.
        """
        of = [] if scope is None else [server_filter(of_scope(scope))]
        has = models.HasVectorCondition(has_vector=self._dense)
        # The bare ones first, so that one that is embedded meanwhile comes twice and not never.
        bare = models.Filter(must=[*of], must_not=[has])
        whole = models.Filter(must=[*of, has])
        for passing, embedded in ((bare, False), (whole, True)):
            async for page in self._scrolled(passing, [*_NAMES, "change"], _listed):
                for ref, change in page:
                    yield ref, change, embedded

    async def pages(self) -> AsyncIterator[list[Point]]:
        """Yield every point, many at a time."""
        async for page in self._scrolled(None, None, self._from_server):
            yield page

    async def _scrolled(
        self,
        passing: models.Filter | None,
        payload: list[str] | None,
        read: Callable[[models.Record], T],
    ) -> AsyncIterator[list[T]]:
        """Yield what is read of these fields of the payload, or of all of it with the vectors."""
        offset: Any = None  # Any: whatever the server says comes next
        while True:
            some, offset = await self._calls.do(
                reading(
                    lambda client, offset=offset: client.scroll(
                        self.name,
                        scroll_filter=passing,
                        limit=PAGE if payload is None else BARE_PAGE,
                        offset=offset,
                        with_payload=True if payload is None else payload,
                        with_vectors=payload is None,
                    ),
                    lambda page: ([*map(read, page[0])], page[1]),
                )
            )
            yield some
            if offset is None:
                return

    async def count(self, scope: str | None) -> int:
        """Return how many points there are."""
        passing = None if scope is None else server_filter(of_scope(scope))
        answer = await self._calls.do(
            lambda client: client.count(self.name, count_filter=passing, exact=True)
        )
        return answer.count

    def _to_server(self, point: Point) -> models.PointStruct:
        vector: dict[str, Any] = {}  # Any: the client's own union of vectors
        if point.dense is not None:
            vector[self._dense] = [*map(float, point.dense)]
        if point.sparse:
            vector[SPARSE] = _weights(point.sparse)
        return models.PointStruct(
            id=str(point_id(point.ref)),
            vector=vector,
            payload=to_payload(point.ref, point.payload),
        )

    def _from_server(self, record: models.Record) -> Point:
        ref, payload = from_payload(_payload(record))
        vectors = cast("Mapping[str, Any]", record.vector or {})  # Any: as above
        sparse = cast("models.SparseVector | None", vectors.get(SPARSE))
        weights = {} if sparse is None else dict(zip(sparse.indices, sparse.values, strict=True))
        return Point(ref, payload, vectors.get(self._dense), weights)


def _ids(refs: Sequence[PointRef]) -> list[Any]:  # Any: the client's own union of ids
    return [str(point_id(ref)) for ref in refs]


def _weights(sparse: Mapping[int, float]) -> models.SparseVector:
    return models.SparseVector(indices=[*sparse], values=[*map(float, sparse.values())])


def _query(probe: Probe) -> models.SparseVector | list[float]:
    return _weights(probe.by) if isinstance(probe.by, Mapping) else [*map(float, probe.by)]


def _payload(record: models.Record | models.ScoredPoint) -> dict[str, Any]:  # Any: a JSON object
    return record.payload or {}


def _ref(stored: Mapping[str, Any]) -> PointRef:  # Any: as above
    return PointRef(PointKind(stored["kind"]), stored[REF])


def _listed(record: models.Record) -> tuple[PointRef, int]:
    stored = _payload(record)
    return _ref(stored), stored["change"]


def _scored(hit: models.ScoredPoint) -> Scored:
    return Scored(_ref(_payload(hit)), hit.score)


def _pages(items: Sequence[T], size: int) -> Iterator[Sequence[T]]:
    for start in range(0, len(items), size):
        yield items[start : start + size]


def _uploads(points: Sequence[Point]) -> Iterator[list[Point]]:
    """Part points into uploads of bounded size."""
    batch: list[Point] = []
    numbers = 0
    for point in points:
        more = 2 * len(point.sparse) + (0 if point.dense is None else len(point.dense))
        if batch and (len(batch) == MOST_POINTS or numbers + more > MOST_NUMBERS):
            yield batch
            batch, numbers = [], 0
        batch.append(point)
        numbers += more
    if batch:
        yield batch
