"""What every index on Qdrant does alike: how it is made, what it is checked for, a single probe."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from graphmem.adapters.qdrant.fields import VERSION
from graphmem.errors import EmbedderError, IndexUnavailableError
from graphmem.model.search import Scored
from graphmem.ports.embedder import Embedder, Vector
from graphmem.ports.vector_index import IndexInfo, PointFilter, Probe


async def new_info(embedder: Embedder | None, shown: str) -> IndexInfo:
    """Return what a new index is made with.

    Raises:
        IndexUnavailableError: there is no embedder, or it does not answer.
    """
    if embedder is None:
        raise IndexUnavailableError(
            f"there is no vector index {shown} yet, and without an embedder none is made"
        )
    try:
        size = await embedder.size()
    except EmbedderError as error:
        raise IndexUnavailableError(
            f"the vector index cannot be made before the embedder answers: {error}"
        ) from error
    return IndexInfo(embedder.identity, size, VERSION)


def of_now(info: IndexInfo) -> IndexInfo:
    """Return what an index is made with whose points are written as they are now."""
    return replace(info, version=VERSION)


def check_made(info: IndexInfo, embedder: Embedder | None, shown: str) -> None:
    """Refuse an index that holds points of another form, or of another embedder.

    Raises:
        IndexUnavailableError: it does.
    """
    if info.version != VERSION:
        raise IndexUnavailableError(
            f"the vector index {shown} has version {info.version}, this graphmem writes version "
            f"{VERSION}; rebuild it from the graph with reindex"
        )
    if embedder is not None and embedder.identity != info.embedder:
        raise IndexUnavailableError(
            f"the vector index {shown} was made with the embedder {info.embedder!r}, not with "
            f"{embedder.identity!r}; rebuild it with reindex, or set the embedder back"
        )


def check_sizes(vectors: Iterable[Vector | None], info: IndexInfo, shown: str) -> None:
    """Refuse vectors of another size than an index was made for.

    Raises:
        IndexUnavailableError: one is.
    """
    for vector in vectors:
        if vector is not None and len(vector) != info.size:
            raise IndexUnavailableError(
                f"the vector index {shown} was made for vectors of {info.size} numbers, not "
                f"{len(vector)}; rebuild it with reindex"
            )


def vectors_of(probes: Iterable[Probe]) -> list[Vector]:
    """Return the vectors that are searched by."""
    return [probe.by for probe in probes if not isinstance(probe.by, Mapping)]


class Searched(ABC):
    """Answers one probe as it answers several, and is never lost."""

    @property
    def lost(self) -> bool:
        """Whether it was found gone."""
        return False

    async def make(self, first: Callable[[], Awaitable[None]]) -> bool:
        """Do nothing: the first call makes it, and nobody else can take it away."""
        return False

    @abstractmethod
    async def search(self, probes: Sequence[Probe]) -> list[list[Scored]]:
        """Answer several probes in one call, each best first, ties by id."""

    async def dense(self, vector: Vector, filter: PointFilter, limit: int) -> list[Scored]:
        """Return the points nearest to ``vector`` by cosine."""
        return (await self.search([Probe(vector, filter, limit)]))[0]

    async def sparse(
        self, weights: Mapping[int, float], filter: PointFilter, limit: int
    ) -> list[Scored]:
        """Return points by the dot product with ``weights``."""
        return (await self.search([Probe(weights, filter, limit)]))[0]
