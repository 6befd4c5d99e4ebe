"""Embeddings from any OpenAI-compatible endpoint, through the ``openai`` package."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import anyio
import openai

from graphmem.adapters.models.address import read_address
from graphmem.adapters.models.client import client_of
from graphmem.adapters.models.vectors import require_texts, unit_vectors
from graphmem.errors import EmbedderError, SettingsError
from graphmem.ports.embedder import Vector

BATCH = 64
"""Texts a request; most endpoints take many more, small local ones do not."""


class OpenAIEmbedder:
    """Implements ``graphmem.ports.embedder.Embedder``.

    No event loop is remembered: one object may be used from several loops and threads. Nothing is
    read from the environment but the proxy.

    Args:
        model: the model's name.
        base_url: where; there is no default, also not for OpenAI itself.
        api_key: sent as a bearer token; None sends none. It is never shown.
        dimensions: asks the endpoint for shorter vectors, where it can.
        query_prefix, document_prefix: put before each text, for models that want it ("query: ").
        timeout: seconds to wait for one answer. max_retries: how often to try again.

    Raises:
        SettingsError: something is missing or cannot be used.
    """

    def __init__(
        self,
        model: str,
        base_url: str | None = None,
        api_key: str | None = None,
        *,
        dimensions: int | None = None,
        query_prefix: str = "",
        document_prefix: str = "",
        timeout: float = 30.0,
        max_retries: int = 2,
    ) -> None:
        if not model.strip():
            raise SettingsError("an embedding model needs a name: set embedder_model")
        if not base_url:
            raise SettingsError(
                f"no address for embedding model {model!r}: set embedder_base_url, for instance "
                "http://127.0.0.1:11434/v1; nothing hosted is used by default"
            )
        self._address = read_address(base_url)
        if api_key is not None and not (api_key.isascii() and api_key.isprintable()):
            raise SettingsError("api_key holds characters that no HTTP header can carry")
        self._model = model
        self._base_url = base_url
        self._api_key = api_key
        self._dimensions = dimensions
        self._prefixes = (query_prefix, document_prefix)
        self._timeout = timeout
        self._max_retries = max_retries
        self._size: int | None = None

    def __repr__(self) -> str:
        return f"OpenAIEmbedder({self.identity!r})"

    @property
    def identity(self) -> str:
        """Model, host, and what was asked of them."""
        asked = [f"{self._model}@{self._address.place}"]
        if self._dimensions is not None:
            asked.append(f"dimensions={self._dimensions}")
        if any(self._prefixes):
            asked.append("prefixes={!r},{!r}".format(*self._prefixes))
        return "openai/" + " ".join(asked)

    async def size(self) -> int:
        """Return how many numbers a vector has; asks the endpoint once."""
        if self._size is None:
            (vector,) = await self._embed(["size"], "")
            self._size = len(vector)
        return self._size

    async def queries(self, texts: Sequence[str]) -> list[Vector]:
        """Embed questions."""
        return await self._embed(texts, self._prefixes[0])

    async def documents(self, texts: Sequence[str]) -> list[Vector]:
        """Embed what is to be found."""
        return await self._embed(texts, self._prefixes[1])

    async def _embed(self, texts: Sequence[str], prefix: str) -> list[Vector]:
        require_texts(texts)
        if not texts:
            return []
        vectors: list[Vector] = []
        try:
            async with self._client() as client:
                for start in range(0, len(texts), BATCH):
                    batch = [prefix + text for text in texts[start : start + BATCH]]
                    vectors += await self._one_batch(client, batch)
        except TimeoutError:
            raise EmbedderError(
                f"no vectors from {self.identity} within {3 * self._timeout:g} s, retries "
                "included; check the endpoint or raise timeout"
            ) from None
        except openai.OpenAIError as error:
            raise EmbedderError(f"{self.identity} failed: {self._plain(error)}") from None
        except ValueError as error:
            raise EmbedderError(f"{self.identity} answered what is not JSON: {error}") from error
        return vectors

    async def _one_batch(self, client: openai.AsyncOpenAI, batch: list[str]) -> list[Vector]:
        wanted: dict[str, Any] = {}  # Any: a field of the request body
        if self._dimensions is not None:
            wanted["dimensions"] = self._dimensions
        # Without a key no header is sent at all; an empty one is refused by some.
        headers = None if self._api_key else {"Authorization": openai.Omit()}
        with anyio.fail_after(3 * self._timeout):
            answer = await client.embeddings.create(
                model=self._model,
                input=batch,
                encoding_format="float",
                extra_headers=headers,
                **wanted,
            )
        try:
            rows = [item.embedding for item in sorted(answer.data, key=lambda item: item.index)]
        except (AttributeError, TypeError) as error:
            raise EmbedderError(f"{self.identity} answered no embeddings: {error}") from error
        vectors = unit_vectors(rows, count=len(batch), size=self._size, model=self.identity)
        self._size = len(vectors[0])
        return vectors

    def _client(self) -> openai.AsyncOpenAI:
        return client_of(
            self._base_url, self._api_key, timeout=self._timeout, max_retries=self._max_retries
        )

    def _plain(self, error: openai.OpenAIError) -> str:
        text = " ".join(str(error).split())[:200]
        return text.replace(self._api_key, "***") if self._api_key else text
