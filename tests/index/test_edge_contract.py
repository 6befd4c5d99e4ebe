"""Qdrant Edge under the contract of a vector index."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

from graphmem.adapters.qdrant.edge import EdgeIndex
from graphmem.ports.vector_index import VectorIndex
from graphmem.testing.embedders import HashEmbedder
from graphmem.testing.vector_index import VectorIndexContract


@asynccontextmanager
async def an_edge_index(folder: Path, embedder: HashEmbedder) -> AsyncGenerator[VectorIndex]:
    index = EdgeIndex(folder / "index", embedder)
    yield index
    await index.close()


class TestEdge(VectorIndexContract):
    """An index in this process, in a folder."""

    def opened(
        self, folder: Path, embedder: HashEmbedder
    ) -> AbstractAsyncContextManager[VectorIndex]:
        return an_edge_index(folder, embedder)
