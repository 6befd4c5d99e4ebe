"""Compacting an index on a server: a new collection in the place of the old one."""

from __future__ import annotations

import anyio
import pytest

from graphmem.adapters.qdrant.server import ServerIndex
from graphmem.testing.embedders import HashEmbedder
from graphmem.testing.points import EAST, NORTH, SIZE, a_point, a_ref, everything, ids
from tests.index.qdrant_http import QdrantServer, Request

pytestmark = pytest.mark.anyio


def an_index(server: QdrantServer) -> ServerIndex:
    return ServerIndex(server.url, HashEmbedder(SIZE))


def collections(server: QdrantServer) -> list[str]:
    return sorted(one.name for one in server.local.get_collections().collections)


async def test_compacting_leaves_no_collection_in_which_the_removed_points_were(
    server: QdrantServer,
) -> None:
    """Only a collection that is gone leaves nothing; earlier leftovers go too."""
    index = an_index(server)
    await index.upsert([a_point("r1"), a_point("r2")])
    await index.remove([a_ref("r2")])
    assert await index.compact() is True
    (second,) = collections(server)
    assert second != "graphmem-1"
    assert await index.compact() is True
    (third,) = collections(server)
    assert third not in ("graphmem-1", second)
    assert ids(await index.dense(EAST, everything(), 5)) == ["r1"]
    await index.close()


class WrittenMeanwhile(QdrantServer):
    """Does something, as another process would, when the first points have been copied."""

    at_work = False

    def trouble(self, request: Request) -> None:
        if self.at_work and request.path.endswith("/points/batch"):
            self.at_work = False
            anyio.run(self.work)

    async def work(self) -> None:
        other = an_index(self)
        await other.upsert(
            [
                a_point("new"),
                a_point("changed", NORTH, change=2),
                a_point("embedded", EAST, change=1),
            ]
        )
        await other.remove([a_ref("removed")])
        await other.close()


async def test_what_others_write_while_it_is_compacted_is_kept() -> None:
    """What was added, changed, embedded and removed during the copy is so afterwards."""
    with WrittenMeanwhile() as server:
        index = an_index(server)
        await index.upsert([a_point(name, change=1) for name in ("changed", "removed", "stays")])
        await index.upsert([a_point("embedded", None, change=1)])
        server.at_work = True
        assert await index.compact() is True
        assert not server.at_work
        listed = {ref.id: row async for ref, *row in index.listing()}
        (changed,) = await index.points([a_ref("changed")])
        await index.close()
    assert listed == {
        "new": [0, True],
        "changed": [2, True],
        "embedded": [1, True],
        "stays": [1, True],
    }
    assert list(changed.dense or ()) == pytest.approx(list(NORTH))


async def test_an_index_is_not_compacted_while_another_is_built(server: QdrantServer) -> None:
    """Neither by the process that builds it nor by another, and nothing of it is dropped."""
    index, other = an_index(server), an_index(server)
    await index.upsert([a_point("r1")])
    beside = await index.beside(await index.info())
    await beside.upsert([a_point("r2")])
    assert [await index.compact(), await other.compact()] == [False, False]
    await index.switch()
    assert ids(await other.dense(EAST, everything(), 5)) == ["r2"]
    assert await other.compact() is True
    for one in (index, other):
        await one.close()


async def test_a_large_index_is_not_written_anew(
    server: QdrantServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One user's erasure does not copy everybody's points; it says that removal waits."""
    monkeypatch.setattr("graphmem.adapters.qdrant.rewriting.MOST_REWRITTEN", 1)
    index = an_index(server)
    await index.upsert([a_point("r1"), a_point("r2")])
    assert await index.compact() is False
    await index.close()
    assert collections(server) == ["graphmem-1"]
