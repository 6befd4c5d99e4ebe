"""Measures what the setting ``durability`` costs, on the disk of a folder.

::

    python tests/crashes/durability.py --folder /on/a/real/disk [--commits 300] [--json]

The two settings take turns, so that a busy machine slows both alike.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))  # run as a script

from graphmem import Memory
from graphmem.adapters.qdrant.edge import EdgeIndex
from graphmem.adapters.sqlite import SqliteStore
from graphmem.adapters.sqlite.database import Synchronous
from graphmem.model.changes import ChangeSet
from graphmem.settings import Settings
from graphmem.testing.builders import ANA, an_episode, writing
from graphmem.testing.clock import FrozenClock
from graphmem.testing.embedders import HashEmbedder
from graphmem.testing.points import a_point

ROUND = 20


def timed(work: Callable[[], object]) -> float:
    """Return how long a call takes, in ms."""
    began = time.perf_counter()
    work()
    return 1000 * (time.perf_counter() - began)


def commits(folder: Path, count: int) -> dict[str, list[float]]:
    """Return the ms of small commits, by setting."""
    levels: dict[str, Synchronous] = {"full": "FULL", "normal": "NORMAL"}
    stores = {
        name: SqliteStore.open(folder / f"{name}.sqlite3", FrozenClock(), synchronous=level)
        for name, level in levels.items()
    }
    times: dict[str, list[float]] = {name: [] for name in stores}

    async def commit() -> None:
        for n in range(count):
            for name in stores:
                change = writing(ChangeSet(episodes=(an_episode(f"e{n}", content=f"Turn {n}."),)))
                began = time.perf_counter()
                await stores[name].change(ANA, change)
                times[name].append(1000 * (time.perf_counter() - began))
        for store in stores.values():
            await store.close()

    asyncio.run(commit())
    return times


def adds(folder: Path, count: int) -> dict[str, list[float]]:
    """Return the ms of whole ``add`` calls with an index, by setting, without embedding."""
    names = ("full", "normal")
    memories = {
        name: Memory(
            embedder=HashEmbedder(),
            settings=Settings.load({}, path=folder / name, durability=name),
        )
        for name in names
    }
    times: dict[str, list[float]] = {name: [] for name in names}
    for memory in memories.values():
        memory.add("I live in Riga.", user="ana")  # makes the index
    for n in range(0, count, ROUND):
        for name, memory in memories.items():
            for m in range(n, min(n + ROUND, count)):
                turn = f"I visited Town{m}."
                times[name].append(timed(lambda memory=memory, t=turn: memory.add(t, user="ana")))
    for memory in memories.values():
        memory.close()
    return times


def flushes(folder: Path, count: int) -> list[float]:
    """Return the ms of flushing the index after each of some writes."""
    index = EdgeIndex(folder / "index", HashEmbedder())
    times: list[float] = []

    async def flush() -> None:
        for n in range(count):
            await index.upsert([a_point(str(n), dense=[1.0] * 64)])
            shard = index._attached().shard()  # pyright: ignore[reportPrivateUsage] - not in the port
            times.append(timed(shard.flush))
        await index.close()

    asyncio.run(flush())
    return times


def figures(times: list[float]) -> dict[str, float]:
    """Return middle, nineteen twentieths, and how many a second."""
    ordered = sorted(times)
    return {
        "p50_ms": round(statistics.median(ordered), 2),
        "p95_ms": round(ordered[int(len(ordered) * 0.95)], 2),
        "per_second": round(1000 * len(ordered) / sum(ordered), 1),
    }


def main() -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--commits", type=int, default=300)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=given.folder) as name:
        folder = Path(name)
        rows = {f"commit, {k}": figures(v) for k, v in commits(folder, given.commits).items()}
        rows |= {f"add, {k}": figures(v) for k, v in adds(folder, given.commits // 3).items()}
        rows["flush of the index"] = figures(flushes(folder, given.commits // 10))
    if given.json:
        sys.stdout.write(f"{json.dumps(rows)}\n")
    else:
        for row, values in rows.items():
            shown = "  ".join(f"{key} {value:>8}" for key, value in values.items())
            sys.stdout.write(f"{row:>20}  {shown}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
