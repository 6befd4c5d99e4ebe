"""Graphs of big scopes, built beside the index while it goes on."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random

import anyio
import pytest
from qdrant_edge import SearchParams

from graphmem.adapters.qdrant import build
from graphmem.adapters.qdrant.edge import EdgeIndex
from graphmem.adapters.qdrant.growth import Pace
from graphmem.ports.embedder import Vector
from graphmem.ports.vector_index import Point, Probe
from graphmem.testing.builders import BOB
from graphmem.testing.embedders import HashEmbedder
from graphmem.testing.points import a_point, a_ref, everything, ids

pytestmark = pytest.mark.anyio

SIZE = 16
BIG = 400
AT_ONCE = Pace(big=BIG, step=BIG, delay=0.0, calm=0.0, patience=0.0, rest=0.0)
NEVER_CALM = Pace(big=BIG, step=BIG, delay=0.0, calm=60.0, patience=60.0)


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


def a_vector(random: Random) -> Vector:
    numbers = [random.gauss(0, 1) for _ in range(SIZE)]
    length = sum(number * number for number in numbers) ** 0.5
    return tuple(number / length for number in numbers)


def some_points(count: int, first: int = 0) -> list[Point]:
    random = Random(first)  # noqa: S311 - chance that is the same every time
    return [
        a_point(f"r{number:05}", a_vector(random), {number % 97: 1.0}, change=1)
        for number in range(first, first + count)
    ]


@asynccontextmanager
async def opened(folder: Path, graphs: Pace | None) -> AsyncGenerator[EdgeIndex]:
    index = EdgeIndex(folder, HashEmbedder(SIZE), graphs=graphs)
    yield index
    await index.close()


async def fill(index: EdgeIndex, points: Sequence[Point]) -> None:
    for start in range(0, len(points), 50):
        await index.upsert(points[start : start + 50])


async def plain(folder: Path, count: int) -> None:
    async with opened(folder, None) as index:
        await fill(index, some_points(count))


def shards(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.glob("shard-*"))


async def until(done: Callable[[], bool]) -> None:
    with anyio.fail_after(60):
        while not done():  # noqa: ASYNC110 - another thread does it
            await anyio.sleep(0.01)


async def begun(index: EdgeIndex, folder: Path) -> None:
    await index.count()
    await until(lambda: len(shards(folder)) == 2)


async def grown(index: EdgeIndex, folder: Path) -> None:
    with anyio.fail_after(60):
        while (await index.info()).note:  # noqa: ASYNC110 - as above
            await anyio.sleep(0.01)
    await until(lambda: len(shards(folder)) == 1)


def holding(folder: Path, words: str) -> list[Path]:
    files = [path for path in folder.rglob("*") if path.is_file()]
    return [path for path in files if words.encode() in path.read_bytes()]


def one_each(vectors: Sequence[Vector]) -> list[Probe]:
    return [Probe(vector, everything(), 1) for vector in vectors]


async def first_ten(index: EdgeIndex) -> list[list[str]]:
    random = Random(5)  # noqa: S311 - as above
    probes = [Probe(a_vector(random), everything(), 10) for _ in range(40)]
    return [ids(hits) for hits in await index.search(probes)]


async def test_a_graph_finds_what_looking_at_every_point_finds(tmp_path: Path) -> None:
    """The first ten are the same, but for one in a hundred."""
    await plain(tmp_path, 3_000)
    async with opened(tmp_path, None) as index:
        exact = await first_ten(index)
    async with opened(tmp_path, AT_ONCE) as index:
        assert "searched one by one" in (await index.info()).note
        await grown(index, tmp_path)
        near = await first_ten(index)
    found = sum(len({*there} & {*here}) for there, here in zip(exact, near, strict=True))
    assert found >= 0.99 * 10 * len(exact)
    assert shards(tmp_path) == ["shard-2"]


async def test_a_scope_that_is_not_big_is_searched_in_full(tmp_path: Path) -> None:
    """Beside a big one too it gives the very same answers as before."""
    await plain(tmp_path, 2 * BIG)
    random = Random(3)  # noqa: S311 - as above
    small = [a_point(f"b{at:03}", a_vector(random), scope=BOB) for at in range(BIG - 1)]
    probes = [Probe(a_vector(random), everything(BOB), 10) for _ in range(20)]
    async with opened(tmp_path, None) as index:
        await fill(index, small)
        before = await index.search(probes)
    async with opened(tmp_path, AT_ONCE) as index:
        await grown(index, tmp_path)
        assert await index.search(probes) == before


async def test_what_shares_words_is_near_too_though_the_graph_passes_it_by(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """How near a keyword hit is gets reckoned without the graph."""
    await plain(tmp_path, 3_000)
    random = Random(5)  # noqa: S311 - as above
    asked = [a_vector(random) for _ in range(40)]
    async with opened(tmp_path, None) as index:
        nearest = [hits[0].ref for hits in await index.search(one_each(asked))]
    terms = {point.ref: point.sparse for point in some_points(3_000)}
    monkeypatch.setattr("graphmem.adapters.qdrant.build.CAREFUL", SearchParams(hnsw_ef=1))
    async with opened(tmp_path, AT_ONCE) as index:
        await grown(index, tmp_path)
        alone = [hits[0].ref for hits in await index.search(one_each(asked))]
        both = [
            await index.search([Probe(by, everything(), 1), Probe(terms[ref], everything(), 100)])
            for by, ref in zip(asked, nearest, strict=True)
        ]
    assert alone != nearest
    assert [near[0].ref for near, _ in both] == nearest


async def test_what_is_written_while_graphs_are_built_is_there_afterwards(tmp_path: Path) -> None:
    """Points that came, changed or went meanwhile are so in the index that takes over."""
    await plain(tmp_path, 1_000)
    async with opened(tmp_path, AT_ONCE) as index:
        await begun(index, tmp_path)
        await fill(index, some_points(200, 2_000))
        await index.upsert([a_point("r00001", None, {7: 1.0}, change=2, status="disputed")])
        await index.remove([a_ref("r00002"), a_ref("r02001")])
        await grown(index, tmp_path)
        assert await index.count() == 1_198
        changed = await index.points([a_ref("r00001"), a_ref("r00002"), a_ref("r02001")])
        assert [(p.payload.status, p.dense) for p in changed] == [("disputed", None)]
        assert len(await index.points([a_ref(f"r{at:05}") for at in range(2_000, 2_200)])) == 199
    assert shards(tmp_path) == ["shard-2"]


async def test_more_points_get_their_graph_in_turn(tmp_path: Path) -> None:
    """It begins again when as many more have come, and what was built is kept over a close."""
    await plain(tmp_path, BIG)
    for count in (1, 2):
        async with opened(tmp_path, AT_ONCE) as index:
            await index.count()
            await grown(index, tmp_path)
            assert shards(tmp_path) == [f"shard-{count + 1}"]
            await fill(index, some_points(BIG, 1_000 * count))
    async with opened(tmp_path, AT_ONCE) as index:
        await index.count()
        await grown(index, tmp_path)
        assert await index.count() == 3 * BIG


async def test_closing_gives_up_what_is_being_built(tmp_path: Path) -> None:
    """Nothing is waited for, and no files are left."""
    await plain(tmp_path, BIG)
    async with opened(tmp_path, NEVER_CALM) as index:
        assert "being built" in (await index.info()).note
    async with opened(tmp_path, AT_ONCE) as index:
        await begun(index, tmp_path)
    assert shards(tmp_path) == ["shard-1"]


async def test_nothing_removed_is_left_after_compacting_while_graphs_are_built(
    tmp_path: Path,
) -> None:
    """A copy that holds what was erased goes too."""
    words = "0123456789abcdef-erased"
    async with opened(tmp_path, None) as index:
        await fill(index, [a_point(words, None), *some_points(BIG)])
    async with opened(tmp_path, AT_ONCE) as index:
        await begun(index, tmp_path)
        await index.remove([a_ref(words)])
        assert await index.compact()
        assert not holding(tmp_path, words)
        await grown(index, tmp_path)
        assert await index.count() == BIG


async def test_without_graphs_none_is_built(tmp_path: Path) -> None:
    """It can be turned off, and is said."""
    await plain(tmp_path, BIG)
    async with opened(tmp_path, None) as index:
        await fill(index, some_points(BIG, 2_000))
        await anyio.sleep(0.2)
        assert shards(tmp_path) == ["shard-1"]


async def test_a_building_that_fails_leaves_the_index_as_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Where this Python cannot be started again, big scopes are searched in full."""
    await plain(tmp_path, BIG)
    monkeypatch.setattr("sys.executable", str(tmp_path / "missing"))
    async with opened(tmp_path, AT_ONCE) as index:
        await index.count()
        await until(lambda: "searched in full" in caplog.text)
        await anyio.sleep(0.05)
        assert "not built yet" in (await index.info()).note
        assert await index.count() == BIG
    assert shards(tmp_path) == ["shard-1"]


BUILDING = """
import asyncio, sys, time
from pathlib import Path
from graphmem.adapters.qdrant.edge import EdgeIndex
from graphmem.adapters.qdrant.growth import Pace
from graphmem.testing.embedders import HashEmbedder

folder = Path(sys.argv[1])

async def main():
    pace = Pace(big=400, step=400, delay=0.0, calm=0.0, patience=0.0)
    index = EdgeIndex(folder, HashEmbedder(16), graphs=pace)
    await index.count()
    while len(list(folder.glob("shard-*"))) < 2:
        await asyncio.sleep(0.001)
    print("building", flush=True)
    await asyncio.sleep(60)

asyncio.run(main())
"""


def another(folder: Path) -> subprocess.Popen[str]:
    """Start a process that builds graphs; it has begun when this returns."""
    process = subprocess.Popen(
        [sys.executable, "-c", BUILDING, str(folder)], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "building\n"
    return process


@pytest.mark.parametrize("seconds", [0.0, 0.3, 0.8, 1.5])
async def test_a_process_killed_while_graphs_are_built_loses_nothing(
    tmp_path: Path, seconds: float
) -> None:
    """Whenever it ends, one whole index is there, and the copy goes at the next open."""
    await plain(tmp_path, 1_000)
    other = another(tmp_path)
    await anyio.sleep(seconds)
    other.kill()
    other.communicate()
    async with opened(tmp_path, None) as index:
        assert await index.count() == 1_000
    assert len(shards(tmp_path)) == 1


def test_a_builder_whose_parent_is_gone_begins_nothing(tmp_path: Path) -> None:
    """A process that ends before its child has begun leaves nothing that writes."""
    done = subprocess.run(
        [sys.executable, "-P", "-m", build.__name__, str(tmp_path / "none"), "16", "400", "1"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "the process 1 that wanted this one is gone" in done.stderr
    assert list(tmp_path.iterdir()) == []
