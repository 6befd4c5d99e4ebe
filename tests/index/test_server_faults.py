"""A server that is away, slow, refuses or loses what it said: what an index on it does then."""

from __future__ import annotations

import itertools
import time

import anyio
import pytest

from graphmem.adapters.qdrant.server import ServerIndex
from graphmem.errors import IndexUnavailableError
from graphmem.testing.embedders import HashEmbedder
from graphmem.testing.points import EAST, SIZE, a_point, a_ref, everything, ids
from tests.index.qdrant_http import QdrantServer, Trouble

pytestmark = pytest.mark.anyio

REST = 0.3


@pytest.fixture(autouse=True)
def _in_haste(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("graphmem.adapters.qdrant.calls.PAUSE", 0.01)
    monkeypatch.setattr("graphmem.adapters.qdrant.calls.REST", REST)


def an_index(server: QdrantServer, timeout: float = 5.0) -> ServerIndex:
    return ServerIndex(server.url, HashEmbedder(SIZE), timeout=timeout)


@pytest.mark.parametrize(
    "trouble",
    [
        Trouble(status=500),
        Trouble(status=503),
        Trouble(status=429),
        Trouble(status=429, headers={"Retry-After": "0"}),
        Trouble(cut="before"),
        Trouble(cut="after"),
    ],
    ids=lambda trouble: f"{trouble.status}{trouble.cut}{[*trouble.headers]}",
)
async def test_what_fails_in_passing_is_done_in_the_end(
    server: QdrantServer, trouble: Trouble
) -> None:
    """Nobody notices, whether the request had been done or not."""
    index = an_index(server)
    await index.count()
    server.troubles.extend([trouble, trouble])
    await index.upsert([a_point("r1")])
    server.troubles.append(trouble)
    assert ids(await index.dense(EAST, everything(), 5)) == ["r1"]
    assert not server.troubles
    await index.close()


async def test_an_answer_may_be_lost_at_any_step(server: QdrantServer) -> None:
    """Making, writing, rebuilding, compacting: each step may be done twice."""

    async def everything_once() -> None:
        index = an_index(server)
        await index.upsert([a_point("old")])
        beside = await index.beside(await index.info())
        await beside.upsert([a_point("r1"), a_point("r2")])
        await index.switch()
        await index.remove([a_ref("r2")])
        assert await index.compact() is True
        assert ids(await index.dense(EAST, everything(), 5)) == ["r1"]
        await index.close()

    await everything_once()
    steps = [
        step
        for step, (before, one) in enumerate(itertools.pairwise([None, *server.requests]))
        if one is not None and (before is None or one.path != before.path)
    ]
    assert len(steps) > 25
    for step in steps:
        for one in server.local.get_collections().collections:
            server.local.delete_collection(one.name)
        # What comes before meets a trouble that is none.
        server.troubles.extend([*[Trouble()] * step, Trouble(cut="after")])
        await everything_once()
        assert not server.troubles
        assert len(server.local.get_collections().collections) == 1


async def test_a_server_that_stays_away_is_named_and_left_alone_for_a_moment(
    server: QdrantServer,
) -> None:
    """The error comes fast, the next ones at once, and after it came back all goes on."""
    index = an_index(server)
    await index.upsert([a_point("r1")])
    server.stop()
    began = time.monotonic()
    for _ in range(50):
        with pytest.raises(IndexUnavailableError, match=f"{server.url} is away: ConnectError"):
            await index.dense(EAST, everything(), 5)
    assert time.monotonic() - began < 2
    server.start()
    with pytest.raises(IndexUnavailableError, match="is away"):
        await index.count()
    await anyio.sleep(REST)
    assert ids(await index.dense(EAST, everything(), 5)) == ["r1"]
    await index.close()


async def test_a_server_that_was_started_again_between_two_calls_is_not_away(
    server: QdrantServer,
) -> None:
    """A connection that was kept and has died is replaced by another."""
    index = an_index(server)
    await index.upsert([a_point("r1")])
    server.stop()
    server.start()
    assert ids(await index.dense(EAST, everything(), 5)) == ["r1"]
    await index.close()


async def test_a_call_ends_by_its_deadline(server: QdrantServer) -> None:
    """A server that takes too long is away; it is not waited for again at once."""
    index = an_index(server, timeout=0.4)
    await index.count()
    server.troubles.extend([Trouble(delay=1.0)] * 3)
    began = time.monotonic()
    for _ in range(3):
        with pytest.raises(IndexUnavailableError, match=r"no answer within 0\.4 s"):
            await index.count()
    assert time.monotonic() - began < 0.8
    await index.close()


async def test_a_slow_answer_is_waited_for(server: QdrantServer) -> None:
    """Within its deadline a call may take long."""
    index = an_index(server)
    server.troubles.append(Trouble(delay=0.5))
    assert await index.count() == 0
    await index.close()


async def test_a_wait_that_the_server_asks_for_beyond_the_deadline_is_not_kept(
    server: QdrantServer,
) -> None:
    """Reads go on without the index."""
    index = an_index(server)
    server.troubles.append(Trouble(status=429, headers={"Retry-After": "60"}))
    began = time.monotonic()
    with pytest.raises(IndexUnavailableError, match="is away"):
        await index.count()
    assert time.monotonic() - began < 1
    await index.close()


@pytest.mark.parametrize("body", [b"<html>welcome</html>", b'{"result": 7}', b"[]", b"\xff"])
async def test_what_is_no_qdrant_is_said_to_be_none(server: QdrantServer, body: bytes) -> None:
    """Something else answers at the address; it is asked once."""
    index = an_index(server)
    server.troubles.append(Trouble(body=body))
    with pytest.raises(IndexUnavailableError, match="is it a Qdrant server"):
        await index.count()
    assert len(server.requests) == 1
    await index.close()


async def test_a_refusal_is_told_with_its_reason(server: QdrantServer) -> None:
    """It is not tried again."""
    index = an_index(server)
    await index.count()
    server.troubles.append(Trouble(on="/batch", status=422))
    with pytest.raises(IndexUnavailableError, match="422 made trouble"):
        await index.upsert([a_point("r1")])
    assert len(server.sent("/batch")) == 1
    await index.upsert([a_point("r1")])
    await index.close()


async def test_a_call_that_is_cancelled_ends_and_the_index_goes_on(server: QdrantServer) -> None:
    """A caller that gave up leaves nothing behind."""
    index = an_index(server)
    await index.count()
    server.troubles.append(Trouble(delay=0.5))
    with anyio.move_on_after(0.1) as scope:
        await index.count()
    assert scope.cancelled_caught
    await index.upsert([a_point("r1")])
    assert await index.count() == 1
    await index.close()


async def test_closing_ends_a_call_under_way(server: QdrantServer) -> None:
    """It is told that the index was closed, and is not taken for cancelled."""
    index = an_index(server)
    await index.count()
    server.troubles.append(Trouble(delay=1.0))

    async def close() -> None:
        await anyio.sleep(0.1)
        await index.close()

    async with anyio.create_task_group() as group:
        group.start_soon(close)
        with pytest.raises(IndexUnavailableError, match="closed"):
            await index.count()


async def test_a_compaction_that_fails_leaves_the_index_as_it_was(server: QdrantServer) -> None:
    """Its copy is dropped, and the next one is done."""
    index = an_index(server)
    await index.upsert([a_point("r1")])
    server.troubles.append(Trouble(on="/points/batch", status=422))
    with pytest.raises(IndexUnavailableError):
        await index.compact()
    assert [one.name for one in server.local.get_collections().collections] == ["graphmem-1"]
    assert await index.compact() is True
    assert await index.count() == 1
    await index.close()


async def test_a_proxy_that_cannot_be_used_is_an_error_of_ours(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The client cannot even be made then."""
    monkeypatch.setenv("HTTP_PROXY", "nonsense://127.0.0.1:1")
    index = ServerIndex("http://qdrant.invalid:6333", HashEmbedder(SIZE))
    with pytest.raises(IndexUnavailableError, match=r"qdrant\.invalid:6333"):
        await index.count()
    await index.close()
