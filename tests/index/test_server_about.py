"""What an index on a server says of itself."""

from __future__ import annotations

import pytest
from qdrant_client import models

from graphmem.adapters.qdrant.server import ServerIndex
from graphmem.testing.embedders import HashEmbedder
from graphmem.testing.points import SIZE
from tests.index.qdrant_http import QdrantServer, Trouble

pytestmark = pytest.mark.anyio


def an_index(server: QdrantServer) -> ServerIndex:
    return ServerIndex(server.url, HashEmbedder(SIZE))


async def test_looking_makes_nothing(server: QdrantServer) -> None:
    """An index that is not yet there is told as such."""
    about = await an_index(server).about()
    assert about.notes
    assert server.local.get_collections().collections == []


async def test_a_payload_field_without_index_is_missing(server: QdrantServer) -> None:
    """Somebody dropped it; a filter by it reads every point."""
    index = an_index(server)
    await index.info()
    del server.indexed["graphmem-1"]["scope"]
    assert (await index.about()).missing == ("scope",)


async def test_what_a_reindex_left_is_no_part_that_is_ready(server: QdrantServer) -> None:
    """It keeps compaction away until the next reindex."""
    index = an_index(server)
    await index.info()
    server.local.create_collection("graphmem-2-0123abcd", vectors_config={})
    (left,) = (await index.about()).unready
    assert left.name == "graphmem-2-0123abcd"


@pytest.mark.parametrize(("status", "ready"), [("yellow", True), ("grey", True), ("red", False)])
async def test_a_collection_that_is_optimised_answers(
    server: QdrantServer, status: str, ready: bool
) -> None:
    """It is a note; one that failed is not ready."""
    index = an_index(server)
    await index.info()
    server.status = models.CollectionStatus(status)
    about = await index.about()
    assert (about.unready == ()) is ready
    assert bool(about.notes) is ready


async def test_second_tries_are_counted(server: QdrantServer) -> None:
    """What a server that was short of breath cost is seen."""
    index = an_index(server)
    server.troubles.append(Trouble(status=503))
    await index.info()
    assert (await index.about()).retries == 1
