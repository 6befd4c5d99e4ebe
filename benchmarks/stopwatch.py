"""Timing calls on a memory, with what its embedder takes counted apart."""

from __future__ import annotations

import hashlib
import math
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from graphmem import AsyncMemory, Settings
from graphmem.adapters.neo4j.connection import Counts
from graphmem.adapters.neo4j.store import Neo4jStore
from graphmem.adapters.qdrant.edge import EdgeIndex
from graphmem.adapters.sqlite import SqliteStore
from graphmem.adapters.system.clock import SystemClock
from graphmem.model.terms import terms
from graphmem.ports.embedder import Embedder, Vector
from graphmem.ports.graph_store import GraphStore
from graphmem.wiring import GRAPH_FILE, INDEX_FOLDER

T = TypeVar("T")

SIZE = 384


@dataclass(slots=True)
class Watch:
    """Seconds spent in one part since it was last set to zero, by the clock and of processors."""

    seconds: float = 0.0
    cpu: float = 0.0

    async def timed(self, work: Awaitable[T]) -> T:
        """Await ``work`` and count its time."""
        began, used = time.perf_counter(), time.process_time()
        try:
            return await work
        finally:
            self.seconds += time.perf_counter() - began
            self.cpu += time.process_time() - used

    def taken(self) -> tuple[float, float]:
        """Return the seconds, by the clock and of processors, and start anew."""
        taken = self.seconds, self.cpu
        self.seconds = self.cpu = 0.0
        return taken


@dataclass(slots=True)
class Times:
    """Own seconds of each of a run of calls: by the clock, and of processors in all threads; and
    its round trips to a server, where there is one."""

    clock: list[float] = field(default_factory=list[float])
    cpu: list[float] = field(default_factory=list[float])
    trips: list[int] = field(default_factory=list[int])

    def figures(self) -> dict[str, float]:
        """Return the median and the 95th per cent by the clock, the median of processors, and the
        most round trips."""
        figures = {
            "p50": percentile(self.clock, 50),
            "p95": percentile(self.clock, 95),
            "cpu_p50": percentile(self.cpu, 50),
        }
        return {**figures, "trips": max(self.trips)} if self.trips else figures


def percentile(seconds: Sequence[float], share: int) -> float:
    """Return a percentile in milliseconds."""
    ordered = sorted(seconds)
    return round(1000 * ordered[min(len(ordered) - 1, len(ordered) * share // 100)], 3)


class TermEmbedder:
    """Marks a place for each term: as good as nothing to wait for, and alike for alike texts."""

    @property
    def identity(self) -> str:
        """What made the vectors."""
        return f"terms/{SIZE}"

    async def size(self) -> int:
        """Return how many numbers a vector has."""
        return SIZE

    async def queries(self, texts: Sequence[str]) -> list[Vector]:
        """Embed questions."""
        return [*map(_marked, texts)]

    async def documents(self, texts: Sequence[str]) -> list[Vector]:
        """Embed what is to be found."""
        return [*map(_marked, texts)]


def _marked(text: str) -> Vector:
    digests = (
        hashlib.blake2b(term.encode("utf-8", "surrogatepass"), digest_size=4).digest()
        for term in terms(text) or (text,)
    )
    places = {int.from_bytes(digest) % SIZE for digest in digests}
    vector = [0.0] * SIZE
    for place in places:
        vector[place] = 1 / math.sqrt(len(places))
    return tuple(vector)


class TimedEmbedder:
    """An embedder whose time is counted."""

    def __init__(self, embedder: Embedder, watch: Watch) -> None:
        self._embedder = embedder
        self._watch = watch

    @property
    def identity(self) -> str:
        """What made the vectors."""
        return self._embedder.identity

    async def size(self) -> int:
        """Return how many numbers a vector has."""
        return await self._embedder.size()

    async def queries(self, texts: Sequence[str]) -> list[Vector]:
        """Embed questions."""
        return await self._watch.timed(self._embedder.queries(texts))

    async def documents(self, texts: Sequence[str]) -> list[Vector]:
        """Embed what is to be found."""
        return await self._watch.timed(self._embedder.documents(texts))


@dataclass(slots=True)
class Bench:
    """An open memory, the store below it and the watch on its embedder; ``counts`` are those of the
    connection to a server."""

    memory: AsyncMemory
    store: GraphStore
    embedding: Watch
    counts: Counts | None = None

    @classmethod
    def open(cls, folder: Path, embedder: Embedder) -> Bench:
        """Open a memory as it is by default in ``folder``."""
        watch = Watch()
        timed = TimedEmbedder(embedder, watch)
        store = SqliteStore.open(folder / GRAPH_FILE, SystemClock())
        index = EdgeIndex(folder / INDEX_FOLDER, timed)
        return cls(AsyncMemory(store=store, index=index, embedder=timed), store, watch)

    @classmethod
    def served(cls, url: str, settings: Settings, embedder: Embedder) -> Bench:
        """Open a memory on a server; ``settings`` say who signs in, and where a Qdrant is."""
        watch = Watch()
        password = settings.neo4j_password
        store = Neo4jStore.open(
            url,
            SystemClock(),
            user=settings.neo4j_user,
            password=password.reveal() if password else None,
            database=settings.neo4j_database,
            timeout=settings.neo4j_timeout,
        )
        timed = TimedEmbedder(embedder, watch)
        memory = AsyncMemory(store=store, embedder=timed, settings=settings)
        return cls(memory, store, watch, store.connection.counts)

    async def each(self, calls: Sequence[Callable[[], Awaitable[object]]]) -> Times:
        """Run calls one after the other and time each."""
        times = Times()
        for call in calls:
            self.embedding.taken()
            asked = 0 if self.counts is None else self.counts.statements
            began, used = time.perf_counter(), time.process_time()
            await call()
            whole, spent = time.perf_counter() - began, time.process_time() - used
            embedding = self.embedding.taken()
            times.clock.append(whole - embedding[0])
            times.cpu.append(spent - embedding[1])
            if self.counts is not None:
                times.trips.append(self.counts.statements - asked)
        return times

    async def own(self, work: Awaitable[object]) -> float:
        """Await ``work`` and return its own seconds."""
        self.embedding.taken()
        began = time.perf_counter()
        await work
        return time.perf_counter() - began - self.embedding.taken()[0]
