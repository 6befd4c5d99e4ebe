"""The vector index on Qdrant Edge: an index in this process, in a folder."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import replace
from importlib.metadata import version
from itertools import islice
from pathlib import Path
from typing import TypeVar

from graphmem.adapters.qdrant.growth import PACE, Pace
from graphmem.adapters.qdrant.handle import Handle, acquire, is_ours, release
from graphmem.adapters.qdrant.opening import (
    Searched,
    check_made,
    check_sizes,
    new_info,
    of_now,
    vectors_of,
)
from graphmem.adapters.qdrant.shard import PAGE, Shard
from graphmem.adapters.system.worker import blocking
from graphmem.errors import IndexUnavailableError
from graphmem.model.about import About
from graphmem.model.search import PointRef, Scored
from graphmem.ports.embedder import Embedder, Vector
from graphmem.ports.vector_index import IndexInfo, Point, Probe, VectorIndex
from graphmem.ports.worker import on_loop

T = TypeVar("T")

KIND, PACKAGE = "Qdrant Edge", "qdrant-edge-py"


class EdgeIndex(Searched):
    """Implements ``graphmem.ports.vector_index.VectorIndex`` on a folder.

    Making one touches nothing; the folder is opened, or made, by the first call that needs it.
    All objects of a process on one folder share it. A call runs in a worker thread.

    Args:
        folder: where the index is.
        embedder: what makes its vectors. None takes an index as it is, by whatever it was made,
            and makes none.
        graphs: when scopes of very many points are given a graph, in the background; None never.
            All objects on one folder go by what the last one says.
    """

    def __init__(
        self, folder: str | Path, embedder: Embedder | None, *, graphs: Pace | None = PACE
    ) -> None:
        self._folder = Path(folder).absolute()
        self._shown = f"in {str(self._folder)!r}"
        self._embedder = embedder
        self._graphs = graphs
        self._handle: Handle | None = None
        self._closed = False

    async def about(self) -> About:
        """Return which engine works in the folder."""
        return About(kind=KIND, place=str(self._folder), version=version(PACKAGE))

    @property
    def shared(self) -> bool:
        """Whether other processes may write to it: who holds the folder keeps them off."""
        return False

    async def info(self) -> IndexInfo:
        """Return what the index was made with."""
        return await self._run(
            lambda handle: replace(self._checked(handle), note=handle.growth.note())
        )

    async def upsert(self, points: Sequence[Point]) -> None:
        """Write points; one that is newer already stays as it is."""

        def work(handle: Handle) -> None:
            self._check_sizes(handle, [point.dense for point in points])
            handle.write(lambda shard: shard.upsert(points))

        await self._run(work)

    async def remove(self, refs: Sequence[PointRef]) -> None:
        """Remove points; unknown ones are no error."""
        await self._run(lambda handle: handle.write(lambda shard: shard.remove(refs)))

    async def points(self, refs: Sequence[PointRef]) -> list[Point]:
        """Return the points that are there, with their vectors."""
        return await self._run(lambda handle: handle.shard().points(refs))

    async def search(self, probes: Sequence[Probe]) -> list[list[Scored]]:
        """Answer several probes in one call, each best first, ties by id."""

        def work(handle: Handle) -> list[list[Scored]]:
            self._check_sizes(handle, vectors_of(probes))
            return handle.shard().search(probes)

        return await self._run(work)

    async def listing(self, scope: str | None = None) -> AsyncIterator[tuple[PointRef, int, bool]]:
        """Yield every point's ref, change number, and whether it has a dense vector."""
        shard = await self._run(lambda handle: handle.shard())
        points = shard.scroll(scope, sparse=False)
        while batch := await blocking(lambda: list(islice(points, PAGE))):
            for point in batch:
                yield point.ref, point.payload.change, point.dense is not None

    async def count(self, scope: str | None = None) -> int:
        """Return how many points there are."""
        return await self._run(lambda handle: handle.shard().count(scope))

    async def compact(self) -> bool:
        """Write the index anew without what was removed; True once nothing removed is left."""
        return await self._run(lambda handle: handle.compact())

    async def beside(self, info: IndexInfo) -> VectorIndex:
        """Return an empty index to be filled beside this one, which goes on serving."""
        made = of_now(info)
        await blocking(lambda: self._attached().begin(made))
        return _Beside(self, made)

    async def switch(self) -> None:
        """Let the index ``beside`` take this one's place."""
        await blocking(lambda: self._attached().switch())

    async def close(self) -> None:
        """Flush and let go of the folder; safe to call twice."""
        self._closed = True
        handle, self._handle = self._handle, None
        if handle is not None:
            await blocking(lambda: release(handle, self))

    async def _run(self, work: Callable[[Handle], T]) -> T:
        """Run ``work`` in a thread on an index that is there and fits the embedder."""

        def checked() -> tuple[T] | None:
            handle = self._attached()
            if handle.info() is None:
                return None
            self._checked(handle)
            return (work(handle),)

        result = await blocking(checked)
        if result is None:
            await on_loop()  # the embedder may wait
            await self._create()
            result = await blocking(checked)
        if result is None:
            raise IndexUnavailableError(f"the vector index {self._shown} went away")
        return result[0]

    def _attached(self) -> Handle:
        if self._closed:
            raise IndexUnavailableError(f"the vector index {self._shown} is closed")
        handle = self._handle
        if handle is None:
            handle = self._handle = acquire(self._folder, self)
            handle.growth.begin(self._graphs)
            return handle
        if not is_ours(handle):
            raise IndexUnavailableError(
                f"the vector index {self._shown} was opened before this process was "
                "forked; open the memory after the fork"
            )
        return handle

    def _checked(self, handle: Handle) -> IndexInfo:
        info = handle.info()
        if info is None:
            raise IndexUnavailableError(f"there is no vector index {self._shown} yet")
        check_made(info, self._embedder, self._shown)
        return info

    def _check_sizes(self, handle: Handle, vectors: Sequence[Vector | None]) -> None:
        check_sizes(vectors, self._checked(handle), self._shown)

    async def _create(self) -> None:
        info = await new_info(self._embedder, self._shown)
        await blocking(lambda: self._attached().create(info))


class _Beside(Searched):
    """The index being built beside another; goes with it."""

    def __init__(self, owner: EdgeIndex, info: IndexInfo) -> None:
        self._owner = owner
        self._info = info

    async def about(self) -> About:
        return await self._owner.about()

    @property
    def shared(self) -> bool:
        """Whether other processes may write to it."""
        return False

    async def info(self) -> IndexInfo:
        return self._info

    async def upsert(self, points: Sequence[Point]) -> None:
        await self._write(lambda shard: shard.upsert(points))

    async def remove(self, refs: Sequence[PointRef]) -> None:
        await self._write(lambda shard: shard.remove(refs))

    async def points(self, refs: Sequence[PointRef]) -> list[Point]:
        return await self._read(lambda shard: shard.points(refs))

    async def search(self, probes: Sequence[Probe]) -> list[list[Scored]]:
        return await self._read(lambda shard: shard.search(probes))

    async def listing(self, scope: str | None = None) -> AsyncIterator[tuple[PointRef, int, bool]]:
        for point in await self._read(lambda shard: [*shard.scroll(scope, sparse=False)]):
            yield point.ref, point.payload.change, point.dense is not None

    async def count(self, scope: str | None = None) -> int:
        return await self._read(lambda shard: shard.count(scope))

    async def compact(self) -> bool:
        return False  # it is written anew anyway, by whoever builds it

    async def beside(self, info: IndexInfo) -> VectorIndex:
        return await self._owner.beside(info)

    async def switch(self) -> None:
        await self._owner.switch()

    async def close(self) -> None:
        """Do nothing; the index beside which it is built owns it."""

    async def _read(self, work: Callable[[Shard], T]) -> T:
        return await blocking(lambda: work(self._handle().shard(beside=True)))

    async def _write(self, work: Callable[[Shard], None]) -> None:
        await blocking(lambda: self._handle().write(work, beside=True))

    def _handle(self) -> Handle:
        return self._owner._attached()  # pyright: ignore[reportPrivateUsage] - one module
