"""A Qdrant server under the contract of a vector index.

Always over real HTTP, with the client's local mode behind it; where GRAPHMEM_TEST_QDRANT_URL names
a server (and GRAPHMEM_TEST_QDRANT_API_KEY its key, if it wants one), on that one too.
"""

from __future__ import annotations

import os
import uuid
from collections.abc import AsyncGenerator, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

import pytest
from qdrant_client import QdrantClient

from graphmem.adapters.qdrant.server import ServerIndex
from graphmem.ports.vector_index import VectorIndex
from graphmem.testing.embedders import HashEmbedder
from graphmem.testing.vector_index import VectorIndexContract
from tests.index.qdrant_http import QdrantServer

URL = os.environ.get("GRAPHMEM_TEST_QDRANT_URL")
KEY = os.environ.get("GRAPHMEM_TEST_QDRANT_API_KEY") or None


@asynccontextmanager
async def a_server_index(
    url: str, key: str | None, name: str, embedder: HashEmbedder
) -> AsyncGenerator[VectorIndex]:
    index = ServerIndex(url, embedder, api_key=key, collection=name, timeout=30.0)
    yield index
    await index.close()


class TestLocalModeOverHttp(VectorIndexContract):
    """The client's local mode, over HTTP."""

    @pytest.fixture(autouse=True)
    def _server(self) -> Iterator[None]:
        with QdrantServer() as server:
            self.server = server
            yield

    def opened(
        self, folder: Path, embedder: HashEmbedder
    ) -> AbstractAsyncContextManager[VectorIndex]:
        return a_server_index(self.server.url, None, "graphmem", embedder)


if URL:
    address = URL

    class TestRealServer(VectorIndexContract):
        """A server somebody has; each test makes collections of its own, and drops them."""

        @pytest.fixture(autouse=True)
        def _name(self) -> Iterator[None]:
            self.name = f"graphmem-test-{uuid.uuid4().hex}"
            yield
            client = QdrantClient(url=address, api_key=KEY, check_compatibility=False)
            for one in client.get_collections().collections:
                if one.name.startswith(self.name):
                    client.delete_collection(one.name)
            client.close()

        def opened(
            self, folder: Path, embedder: HashEmbedder
        ) -> AbstractAsyncContextManager[VectorIndex]:
            return a_server_index(address, KEY, self.name, embedder)
