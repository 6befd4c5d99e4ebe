"""Timing calls on a memory, with what its embedder takes counted apart."""

from __future__ import annotations

import hashlib
import math
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from graphmem import AsyncMemory
from graphmem.model.terms import terms
from graphmem.ports.embedder import Embedder, Vector

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
    """Own seconds of each of a run of calls: by the clock, and of processors in all threads."""

    clock: list[float] = field(default_factory=list[float])
    cpu: list[float] = field(default_factory=list[float])

    def figures(self) -> dict[str, float]:
        """Return the median and the 95th per cent by the clock, and the median of processors."""
        return {
            "p50": percentile(self.clock, 50),
            "p95": percentile(self.clock, 95),
            "cpu_p50": percentile(self.cpu, 50),
        }


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
    """An open memory and the watch on its embedder."""

    memory: AsyncMemory
    embedding: Watch

    @classmethod
    def open(cls, folder: Path, embedder: Embedder) -> Bench:
        """Open a memory with defaults in ``folder``."""
        watch = Watch()
        return cls(AsyncMemory(folder, embedder=TimedEmbedder(embedder, watch)), watch)

    async def each(self, calls: Sequence[Callable[[], Awaitable[object]]]) -> Times:
        """Run calls one after the other and time each."""
        times = Times()
        for call in calls:
            self.embedding.taken()
            began, used = time.perf_counter(), time.process_time()
            await call()
            whole, spent = time.perf_counter() - began, time.process_time() - used
            embedding = self.embedding.taken()
            times.clock.append(whole - embedding[0])
            times.cpu.append(spent - embedding[1])
        return times

    async def own(self, work: Awaitable[object]) -> float:
        """Await ``work`` and return its own seconds."""
        self.embedding.taken()
        began = time.perf_counter()
        await work
        return time.perf_counter() - began - self.embedding.taken()[0]
