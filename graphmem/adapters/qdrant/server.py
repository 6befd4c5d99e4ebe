"""The vector index on a Qdrant server: one collection for all scopes, behind an alias."""

from __future__ import annotations

import logging
import threading
from abc import abstractmethod
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import TypeVar

import anyio

from graphmem.adapters.qdrant.about import about
from graphmem.adapters.qdrant.calls import Calls, RequestRefusedError
from graphmem.adapters.qdrant.catalogue import Catalogue, Made, Purpose
from graphmem.adapters.qdrant.collection import Collection
from graphmem.adapters.qdrant.opening import (
    Searched,
    check_made,
    check_sizes,
    new_info,
    of_now,
    vectors_of,
)
from graphmem.adapters.qdrant.rewriting import rewrite
from graphmem.errors import IndexUnavailableError
from graphmem.model.about import About
from graphmem.model.search import PointRef, Scored
from graphmem.ports.embedder import Embedder
from graphmem.ports.vector_index import IndexInfo, Point, Probe, VectorIndex

T = TypeVar("T")

log = logging.getLogger(__name__)

TIMEOUT = 5.0
Owner = Callable[[], Awaitable[str]]
"""Tells an opaque mark of the graph store that an index is derived from."""

LOOK_AGAIN = 0.005
"""Seconds between looks at whether another writer of this process is done."""


@dataclass(frozen=True, slots=True)
class _Opened:
    """A collection and what it was made with."""

    collection: Collection
    info: IndexInfo


class _Points(Searched):
    """What an index does with its points, whichever collection they are in."""

    def __init__(self, shown: str) -> None:
        self._shown = shown

    @abstractmethod
    async def _run(self, work: Callable[[_Opened], Awaitable[T]]) -> T:
        """Run ``work`` on the collection; it may be run twice."""

    @property
    def shared(self) -> bool:
        """Whether other processes may write to it."""
        return True

    @asynccontextmanager
    async def _writing(self) -> AsyncGenerator[None]:
        yield

    async def upsert(self, points: Sequence[Point]) -> None:
        """Write points; one that is newer already stays as it is."""

        async def work(opened: _Opened) -> None:
            check_sizes([point.dense for point in points], opened.info, self._shown)
            await opened.collection.upsert(points)

        async with self._writing():
            await self._run(work)

    async def remove(self, refs: Sequence[PointRef]) -> None:
        """Remove points; unknown ones are no error."""
        async with self._writing():
            await self._run(lambda opened: opened.collection.remove(refs))

    async def points(self, refs: Sequence[PointRef]) -> list[Point]:
        """Return the points that are there, with their vectors."""
        return await self._run(lambda opened: opened.collection.points(refs))

    async def search(self, probes: Sequence[Probe]) -> list[list[Scored]]:
        """Answer several probes in one round trip, each best first, ties by id."""

        async def work(opened: _Opened) -> list[list[Scored]]:
            check_sizes(vectors_of(probes), opened.info, self._shown)
            return await opened.collection.search(probes)

        return await self._run(work)

    async def listing(self, scope: str | None = None) -> AsyncIterator[tuple[PointRef, int, bool]]:
        """Yield every point's ref, change number, and whether it has a dense vector."""

        async def work(opened: _Opened) -> _Opened:
            return opened

        try:
            async for row in (await self._run(work)).collection.listing(scope):
                yield row
        except RequestRefusedError as error:
            if error.status == 404:  # this one finds out that the index is lost
                await self.count(scope)
            raise

    async def count(self, scope: str | None = None) -> int:
        """Return how many points there are."""
        return await self._run(lambda opened: opened.collection.count(scope))


class ServerIndex(_Points):
    """Implements ``graphmem.ports.vector_index.VectorIndex`` on a Qdrant server, 1.17 or newer.

    Making one touches nothing; the collection is found, or made, by the first call that needs it.
    A server that is away is no state to mend: the next call after a moment finds it again. One that
    has lost the index is one: no call makes an empty one of it but ``make``.

    Args:
        url: where the server is, such as ``http://127.0.0.1:6333``.
        embedder: what makes its vectors. None takes an index as it is, by whatever it was made,
            and makes none.
        api_key: sent with each request and shown nowhere.
        collection: the alias under which the index is known; each memory needs one of its own.
        quantised: collections that are made from now on keep their vectors in one byte a number
            too, which are searched first: less memory, slightly less exact.
        timeout: seconds a call may take, its retries included.
        owner: whose index it is; one that was made for another graph store is refused, since each
            would repair away what the other wrote.

    Raises:
        SettingsError: the URL cannot be used.
    """

    def __init__(
        self,
        url: str,
        embedder: Embedder | None,
        *,
        api_key: str | None = None,
        collection: str = "graphmem",
        quantised: bool = False,
        timeout: float = TIMEOUT,
        owner: Owner | None = None,
    ) -> None:
        self._calls = Calls(url, api_key, timeout=timeout)
        self._catalogue = Catalogue(self._calls, collection, quantised=quantised)
        super().__init__(self._catalogue.shown)
        self._embedder = embedder
        self._owner = owner
        self._opened: _Opened | None = None
        self._built: str | None = None
        self._seen = self._lost = False
        self._lock = threading.Lock()

    @property
    def lost(self) -> bool:
        """Whether the index was found gone that was there before."""
        return self._lost

    async def make(self, first: Callable[[], Awaitable[None]]) -> bool:
        """Make the index if there is none, after ``first`` was done; return whether it did."""
        is_there = await self._catalogue.made() is not None
        if not is_there:
            await self._catalogue.all()  # whatever says that it is not there is a Qdrant server
            await first()
            await self._create()
        self._lost = False
        return not is_there

    async def about(self) -> About:
        """Return what the server is, and the state of the index there."""
        return await about(self._calls, self._catalogue)

    async def info(self) -> IndexInfo:
        """Return what the index was made with, as the server has it now."""
        return (await self._open()).info

    async def compact(self) -> bool:
        """Write the index anew without what was removed; True once nothing removed is left.

        See ``rewriting`` for what that means on a server. An index of more than 200,000 points,
        and one beside which another is being built, is left as it is, and False returned.
        """
        if self._built is not None:
            return False
        made, opened = await self._found()
        self._opened = opened
        return await rewrite(self._catalogue, made, self._writing)

    async def beside(self, info: IndexInfo) -> VectorIndex:
        """Return an empty index to be filled beside this one, which goes on serving."""
        self._built = None
        info = of_now(info)
        await self._catalogue.clear()
        made = Made(info, Purpose.REINDEX, await self._mark())
        name = await self._catalogue.build(made)
        self._built = name
        return _Beside(self, _Opened(self._catalogue.collection(info, name), info), self._shown)

    async def switch(self) -> None:
        """Let the index ``beside`` take this one's place."""
        if self._built is None:
            raise IndexUnavailableError(f"no index is being built beside the one {self._shown}")
        before = await self._catalogue.current()
        async with self._writing():
            await self._catalogue.switch(self._built)
            self._built = self._opened = None
            self._lost = False
        if before is not None:
            try:
                await self._catalogue.drop(before.name)
            except IndexUnavailableError as error:
                log.warning("an old collection is left until the next compaction: %s", error)

    async def close(self) -> None:
        """Drop what was being built, and let go of the connections; safe to call twice."""
        built, self._built = self._built, None
        if built is not None:
            with suppress(IndexUnavailableError):  # the next one beside drops it
                await self._catalogue.drop(built)
        await self._calls.close()

    async def _run(self, work: Callable[[_Opened], Awaitable[T]]) -> T:
        opened = self._opened or await self._open()
        try:
            return await work(opened)
        except RequestRefusedError as error:
            # The alias may have gone, or stand for an index by another embedder now.
            self._opened = None
            again = await self._open()
            if again.info == opened.info and error.status != 404:
                raise
            return await work(again)

    async def _open(self) -> _Opened:
        _, self._opened = await self._found()
        return self._opened

    async def _mark(self) -> str:
        return "" if self._owner is None else await self._owner()

    async def _found(self) -> tuple[Made, _Opened]:
        """Return the index that counts; made if there is none, and checked."""
        made = await self._catalogue.made()
        if made is None and self._seen:
            self._lost = True
            raise IndexUnavailableError(
                f"the vector index {self._shown} is gone; it is made and filled anew"
            )
        if made is None:
            await self._create()
            made = await self._catalogue.made()
        if made is None:
            raise IndexUnavailableError(f"the vector index {self._shown} went away")
        info = made.info
        check_made(info, self._embedder, self._shown)
        mark = await self._mark()
        if mark and made.owner and made.owner != mark:
            raise IndexUnavailableError(
                f"the vector index {self._shown} belongs to another memory; set another "
                "qdrant_collection, or take it over with reindex"
            )
        self._seen = True
        return made, _Opened(self._catalogue.collection(info), info)

    async def _create(self) -> None:
        info = await new_info(self._embedder, self._shown)
        await self._catalogue.first(Made(info, Purpose.USE, await self._mark()))

    @asynccontextmanager
    async def _writing(self) -> AsyncGenerator[None]:
        """Keep this process's other writers off, from whatever thread and loop."""
        while not self._lock.acquire(blocking=False):  # noqa: ASYNC110 - no event spans loops
            await anyio.sleep(LOOK_AGAIN)
        try:
            yield
        finally:
            self._lock.release()


class _Beside(_Points):
    """The index being built beside another; goes with it."""

    def __init__(self, owner: ServerIndex, opened: _Opened, shown: str) -> None:
        super().__init__(shown)
        self._owner = owner
        self._opened = opened

    async def about(self) -> About:
        return await self._owner.about()

    async def info(self) -> IndexInfo:
        return self._opened.info

    async def compact(self) -> bool:
        return False  # it is written anew anyway, by whoever builds it

    async def beside(self, info: IndexInfo) -> VectorIndex:
        return await self._owner.beside(info)

    async def switch(self) -> None:
        await self._owner.switch()

    async def close(self) -> None:
        """Do nothing; the index beside which it is built owns it."""

    async def _run(self, work: Callable[[_Opened], Awaitable[T]]) -> T:
        return await work(self._opened)
