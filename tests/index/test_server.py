"""What an index on a server promises beyond the contract: the wire, and other processes."""

from __future__ import annotations

import gc
import logging
import subprocess
import sys
import threading
import time
import traceback
from dataclasses import replace
from pathlib import Path
from random import Random

import anyio
import pytest
from qdrant_client import models

from graphmem.adapters.qdrant.edge import EdgeIndex
from graphmem.adapters.qdrant.fields import INTEGERS, KEYWORDS
from graphmem.adapters.qdrant.server import ServerIndex
from graphmem.errors import IndexUnavailableError, SettingsError
from graphmem.model.ontology import default_ontology
from graphmem.model.search import PointKind
from graphmem.ports.vector_index import IndexInfo, Point, Probe
from graphmem.testing.builders import ANA, an_episode
from graphmem.testing.embedders import HashEmbedder
from graphmem.testing.points import (
    EAST,
    SIZE,
    a_point,
    a_ref,
    as_points,
    everything,
    ids,
    some_fact,
    some_filter,
)
from graphmem.usecases.points import fact_draft
from tests.index.qdrant_http import QdrantServer, Trouble

pytestmark = pytest.mark.anyio

OTHER = HashEmbedder(SIZE, identity="other/1")


def an_index(server: QdrantServer, embedder: HashEmbedder | None = None) -> ServerIndex:
    return ServerIndex(server.url, embedder or HashEmbedder(SIZE))


def collections(server: QdrantServer) -> list[str]:
    return sorted(one.name for one in server.local.get_collections().collections)


def threads() -> list[threading.Thread]:
    return [one for one in threading.enumerate() if one.name == "graphmem-qdrant"]


async def test_filters_let_the_same_pass_on_edge_and_server(
    server: QdrantServer, tmp_path: Path
) -> None:
    """One description of a filter means the same to both."""
    random = Random(11)  # noqa: S311 - chance that is the same every time
    ontology = default_ontology()
    facts = [
        fact_draft(ANA, some_fact(random, number), ontology, [an_episode()]) for number in range(60)
    ]
    points = [Point(draft.ref, draft.payload, EAST, {1: 1.0}) for draft in facts]
    points += [a_point(f"{kind}{s}", kind=kind, sessions=(s,)) for kind in PointKind for s in "ab"]
    probes: list[Probe] = []
    for _ in range(60):
        narrowed = replace(
            as_points(some_filter(random)),
            kinds=frozenset(random.sample([*PointKind], random.randint(1, 3))),
            sessions=random.choice([None, None, frozenset("a"), frozenset("bc")]),
        )
        probes += [Probe(EAST, narrowed, 80), Probe({1: 1.0}, narrowed, 80)]
    found: list[list[list[str]]] = []
    for index in (an_index(server), EdgeIndex(tmp_path / "index", HashEmbedder(SIZE))):
        await index.upsert(points)
        found.append([ids(hits) for hits in await index.search(probes)])
        await index.close()
    assert found[0] == found[1]
    assert sum(map(len, found[0])) > 300


async def test_a_collection_is_made_for_many_users(server: QdrantServer) -> None:
    """One graph a scope, an index of every filtered field, and no weights over all of them."""
    index = an_index(server)
    await index.count()
    await index.close()
    (made,) = [one.body for one in server.requests if one.method == "PUT" and "vectors" in one.body]
    (dense,) = made["vectors"].values()
    assert (dense["size"], dense["distance"]) == (SIZE, "Cosine")
    assert (made["hnsw_config"]["m"], made["hnsw_config"]["payload_m"]) == (0, 16)
    assert not made["sparse_vectors"]["sparse"].get("modifier")
    indexes = {one.body["field_name"]: one.body["field_schema"] for one in server.sent("/index")}
    assert indexes.keys() == {*KEYWORDS, *INTEGERS, "change"}
    assert [name for name, schema in indexes.items() if schema.get("is_tenant")] == ["scope"]


async def test_quantised_vectors_are_compared_once_more_as_a_whole(server: QdrantServer) -> None:
    """Scores stay cosines of the whole vectors."""
    index = ServerIndex(server.url, HashEmbedder(SIZE), quantised=True)
    await index.upsert([a_point("r1")])
    assert ids(await index.dense(EAST, everything(), 1)) == ["r1"]
    await index.close()
    (made,) = [one.body for one in server.requests if one.method == "PUT" and "vectors" in one.body]
    assert made["quantization_config"]["scalar"]["type"] == "int8"
    (asked,) = server.sent("/query/batch")
    assert asked.body["searches"][0]["params"]["quantization"]["rescore"] is True


async def test_probes_are_answered_in_one_round_trip(server: QdrantServer) -> None:
    """All channels of a question are asked for at once; equals that are followed, once more."""
    index = an_index(server)
    await index.upsert([a_point(f"r{number}", change=number) for number in range(9)])
    probes = [Probe(EAST, everything(), 20), Probe({1: 1.0}, everything(), 20)]
    await index.search(probes)
    assert len(server.sent("/query/batch")) == 1
    (_, found) = await index.search([probes[0], Probe({1: 1.0}, everything(), 2)])
    assert ids(found) == ["r0", "r1"]
    assert [len(one.body["searches"]) for one in server.sent("/query/batch")] == [2, 2, 1]
    await index.close()


async def test_uploads_are_bounded_and_waited_for(server: QdrantServer) -> None:
    """No request is too large for a server, and what was written is found at once."""
    index = an_index(server)
    await index.upsert([a_point(f"r{number}", change=number % 2) for number in range(150)])
    long = dict.fromkeys(range(60_000), 1.0)
    await index.upsert([a_point(f"l{number}", None, long) for number in range(2)])
    await index.remove([a_ref("r1")])
    await index.close()
    uploads = server.sent("/points/batch")
    sizes = [
        sum(len(part["upsert"]["points"]) for part in one.body["operations"]) for one in uploads
    ]
    assert sizes == [64, 64, 22, 1, 1]
    assert {one.query for one in [*uploads, *server.sent("/delete")]} == {"wait=true"}


async def test_a_bare_listing_sends_no_vectors(server: QdrantServer) -> None:
    """Whether there is a vector is asked, and not the vector."""
    index = an_index(server)
    await index.upsert([a_point("r1", EAST, change=3), a_point("r2", None, change=4)])
    listed = {ref.id: (change, embedded) async for ref, change, embedded in index.listing()}
    await index.close()
    assert listed == {"r1": (3, True), "r2": (4, False)}
    assert all(one.body["with_vector"] is False for one in server.sent("/scroll"))


async def test_two_that_open_at_once_make_one_collection(server: QdrantServer) -> None:
    """Several processes may start together; nothing written by either is lost."""
    several = [an_index(server) for _ in range(4)]
    async with anyio.create_task_group() as group:
        for number, index in enumerate(several):
            group.start_soon(index.upsert, [a_point(f"r{number}")])
    assert collections(server) == ["graphmem-1"]
    assert [await index.count() for index in several] == [4, 4, 4, 4]
    for index in several:
        await index.close()


async def test_a_collection_of_somebody_else_is_left_alone(server: QdrantServer) -> None:
    """What has our name and is not ours is neither used nor dropped."""
    plain = models.VectorParams(size=SIZE, distance=models.Distance.COSINE)
    for name in ("graphmem", "graphmem-7"):
        server.local.create_collection(name, plain)
    index = an_index(server)
    with pytest.raises(IndexUnavailableError, match="not made by graphmem"):
        await index.count()
    with pytest.raises(IndexUnavailableError, match="set another qdrant_collection"):
        await index.beside(IndexInfo("hash", SIZE))
    await index.close()
    assert collections(server) == ["graphmem", "graphmem-7"]


async def test_a_server_that_is_too_old_is_named(server: QdrantServer) -> None:
    """Without metadata there are no conditional writes either; nothing is left behind."""
    server.keeps_metadata = False
    index = an_index(server)
    with pytest.raises(IndexUnavailableError, match=r"too old; use 1\.17 or newer"):
        await index.count()
    await index.close()
    assert collections(server) == []


async def test_an_index_of_another_version_names_reindex(server: QdrantServer) -> None:
    """What another graphmem wrote is not read with the wrong eyes."""
    index = an_index(server)
    await index.count()
    made = server.local.get_collection("graphmem-1").config.metadata or {}
    later = {"graphmem": {**made["graphmem"], "version": 99}}
    server.local.update_collection("graphmem-1", metadata=later)
    with pytest.raises(IndexUnavailableError, match=r"version 99.*reindex"):
        await index.info()
    await index.close()


async def test_vectors_of_two_embedders_never_meet(server: QdrantServer) -> None:
    """One process goes on with the old embedder when another has switched: it is refused."""
    stale, index = an_index(server), an_index(server, OTHER)
    await stale.upsert([a_point("r1")])
    beside = await index.beside(IndexInfo(OTHER.identity, SIZE))
    await beside.upsert([a_point("r2")])
    await index.switch()
    with pytest.raises(IndexUnavailableError, match="'other/1', not with 'hash"):
        await stale.upsert([a_point("r3")])
    with pytest.raises(IndexUnavailableError, match="reindex"):
        await stale.dense(EAST, everything(), 5)
    assert [ref.id async for ref, _, _ in index.listing()] == ["r2"]
    for one in (stale, index):
        await one.close()
    assert len(collections(server)) == 1


async def test_what_other_processes_write_through_the_switch_lands_in_the_new_index(
    server: QdrantServer,
) -> None:
    """Another process needs to be told nothing."""
    index, other = an_index(server), an_index(server)
    await other.upsert([a_point("r1")])
    await index.beside(await index.info())
    await index.switch()
    await other.upsert([a_point("r2")])
    assert ids(await index.dense(EAST, everything(), 5)) == ["r2"]
    for one in (index, other):
        await one.close()


async def test_an_index_that_was_dropped_is_lost_until_it_is_made_anew(
    server: QdrantServer,
) -> None:
    """No call of a running process takes an empty one for it."""
    index = an_index(server)
    await index.upsert([a_point("r1")])
    server.local.delete_collection("graphmem-1")
    for call in (index.count, index.info, index.compact, lambda: index.upsert([a_point("r2")])):
        with pytest.raises(IndexUnavailableError, match="is gone"):
            await call()
        assert index.lost
        assert collections(server) == []

    async def first() -> None:
        assert collections(server) == []

    assert await index.make(first)
    assert not await index.make(first)
    assert not index.lost
    await index.upsert([a_point("r2")])
    assert await index.count() == 1
    await index.close()


async def test_nothing_is_done_for_an_index_that_something_else_says_is_gone(
    server: QdrantServer,
) -> None:
    """A proxy whose server is away may say so of every page."""
    index = an_index(server)
    await index.upsert([a_point("r1")])
    server.troubles.extend([Trouble(status=404)] * 3)
    with pytest.raises(IndexUnavailableError, match="404"):
        await index.make(index.close)
    server.troubles.clear()
    assert await index.count() == 1
    await index.close()


async def test_what_was_built_and_cut_off_is_dropped_by_the_next(server: QdrantServer) -> None:
    """A crash before the switch leaves the index as it was, and one collection too many."""
    gone = an_index(server)
    await gone.upsert([a_point("r1")])
    await gone.beside(await gone.info())
    assert len(collections(server)) == 2
    index = an_index(server)
    await index.beside(await index.info())
    assert len(collections(server)) == 2
    await index.close()
    assert collections(server) == ["graphmem-1"]
    assert await gone.count() == 1
    await gone.close()


def test_one_index_serves_several_loops_and_threads(server: QdrantServer) -> None:
    """Nothing is bound to the loop of the first call, and its connections are kept."""
    index = an_index(server)

    def write(number: int) -> None:
        async def main() -> None:
            await index.upsert([a_point(f"r{number}")])

        anyio.run(main)

    several = [threading.Thread(target=write, args=(number,)) for number in range(5)]
    for thread in several:
        thread.start()
    for thread in several:
        thread.join()
    assert anyio.run(index.count) == 5
    assert len(threads()) == 1
    anyio.run(index.close)
    assert threads() == []


async def test_a_closed_index_says_so(server: QdrantServer) -> None:
    """A call after the end names it; one under way ends."""
    index = an_index(server)
    await index.count()
    await index.close()
    await index.close()
    with pytest.raises(IndexUnavailableError, match="closed"):
        await index.count()


async def test_an_index_that_is_forgotten_ends_its_thread(server: QdrantServer) -> None:
    """Nobody has to close."""
    index = an_index(server)
    await index.count()
    (thread,) = threads()
    del index
    gc.collect()
    await anyio.to_thread.run_sync(thread.join, 5)
    assert not thread.is_alive()


def test_a_forked_child_has_connections_of_its_own(server: QdrantServer) -> None:
    """Both parent and child go on."""
    code = """
import asyncio, os, sys, warnings
warnings.simplefilter("ignore")
from graphmem.adapters.qdrant.server import ServerIndex
from graphmem.testing.embedders import HashEmbedder
from graphmem.testing.points import a_point
index = ServerIndex(sys.argv[1], HashEmbedder(4))
asyncio.run(index.upsert([a_point("parent")]))
child = os.fork()
if child == 0:
    asyncio.run(index.upsert([a_point("child")]))
    asyncio.run(index.close())
    os._exit(0)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), asyncio.run(index.count()))
asyncio.run(index.close())
"""
    run = subprocess.run(
        [sys.executable, "-c", code, server.url],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (run.stdout, run.stderr) == ("0 2\n", "")


async def test_without_an_embedder_an_index_is_used_as_it_is_and_none_is_made(
    server: QdrantServer,
) -> None:
    """Keywords work in an index whose embedder is away."""
    index = ServerIndex(server.url, None)
    with pytest.raises(IndexUnavailableError, match="without an embedder"):
        await index.count()
    filling = an_index(server)
    await filling.upsert([a_point("r1")])
    assert ids(await index.sparse({1: 1.0}, everything(), 5)) == ["r1"]
    assert ids(await index.dense(EAST, everything(), 5)) == ["r1"]
    for one in (index, filling):
        await one.close()


async def test_an_embedder_that_is_down_delays_the_making_of_an_index(
    server: QdrantServer,
) -> None:
    """The index is made once the embedder says its size."""
    embedder = HashEmbedder(SIZE)
    embedder.down = True
    index = an_index(server, embedder)
    with pytest.raises(IndexUnavailableError, match="before the embedder answers"):
        await index.count()
    embedder.down = False
    assert await index.count() == 0
    await index.close()


KEY = "key-that-nobody-sees"


async def test_the_key_is_sent_and_seen_nowhere(caplog: pytest.LogCaptureFixture) -> None:
    """Neither a log nor an error nor what an object shows of itself holds it."""
    caplog.set_level(logging.DEBUG)
    with QdrantServer(api_key=KEY) as server:
        index = ServerIndex(server.url, HashEmbedder(SIZE), api_key=KEY)
        await index.upsert([a_point("r1")])
        server.stop()
        with pytest.raises(IndexUnavailableError) as away:
            await index.count()
        await index.close()
    shown = [caplog.text, repr(index), *traceback.format_exception(away.value)]
    assert "6333" not in server.url
    assert server.url in "".join(shown)
    assert [text for text in shown if KEY in text] == []


@pytest.mark.parametrize("key", [None, "wrong-one"])
async def test_a_refused_key_names_the_setting(key: str | None) -> None:
    """It is asked once, and the wrong key is not shown."""
    with QdrantServer(api_key=KEY) as server:
        index = ServerIndex(server.url, HashEmbedder(SIZE), api_key=key)
        with pytest.raises(IndexUnavailableError, match="set qdrant_api_key") as refused:
            await index.count()
        await index.close()
    assert len(server.requests) == 1
    assert "wrong-one" not in str(refused.value)


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("ftp://127.0.0.1:1", "no http or https address"),
        ("127.0.0.1:6333", "no http or https address"),
        ("http://ana:secret@127.0.0.1:1", "holds a login; set qdrant_api_key"),
        ("http://127.0.0.1:many", "cannot be read"),
    ],
)
def test_an_address_that_cannot_be_used_is_refused_at_once(url: str, said: str) -> None:
    """The message names it without a login."""
    with pytest.raises(SettingsError, match=said) as refused:
        ServerIndex(url, None)
    assert "secret" not in str(refused.value)


async def test_making_an_index_object_touches_nothing(server: QdrantServer) -> None:
    """Nor does closing one that was never used."""
    began = time.monotonic()
    index = ServerIndex("http://127.0.0.1:9", None)
    await index.close()
    assert time.monotonic() - began < 1
    assert (server.requests, threads()) == ([], [])
