"""Texts to vectors for the indexer: what fails is left out and counted, not fatal."""

from __future__ import annotations

import logging
from collections.abc import Iterable

from graphmem.errors import EmbedderError
from graphmem.ports.embedder import Embedder, Vector

log = logging.getLogger(__name__)

BATCH = 64
GIVE_UP_AFTER = 3
"""Texts that fail one by one, in a row, before the embedder counts as down."""


class Embedding:
    """Embeds texts, each once, for one run of the indexer.

    After it failed for several texts in a row the embedder is left alone until the run ends, so
    that a dead endpoint costs a few timeouts and not one a text.
    """

    def __init__(self, embedder: Embedder | None) -> None:
        self._embedder = embedder
        self.reason = "there is no embedder" if embedder is None else ""
        """Why the embedder is left alone; empty while it answers."""

    async def embed(self, texts: Iterable[str]) -> dict[str, Vector]:
        """Return the vectors by text; without those that could not be made."""
        wanted = [*dict.fromkeys(text for text in texts if text.strip())]
        vectors: dict[str, Vector] = {}
        for start in range(0, len(wanted), BATCH):
            batch = wanted[start : start + BATCH]
            if self._embedder is None or self.reason:
                break
            try:
                made = await self._embedder.documents(batch)
            except EmbedderError as error:
                log.info("a batch of %d texts failed, trying one by one: %s", len(batch), error)
                vectors |= await self._one_by_one(self._embedder, batch)
            else:
                vectors |= zip(batch, made, strict=True)
        return vectors

    async def _one_by_one(self, embedder: Embedder, batch: list[str]) -> dict[str, Vector]:
        vectors: dict[str, Vector] = {}
        failed = 0
        for text in batch:
            try:
                (vectors[text],) = await embedder.documents([text])
                failed = 0
            except EmbedderError as error:
                failed += 1
                # A batch of one was tried a moment ago.
                if failed == GIVE_UP_AFTER or len(batch) == 1:
                    self.reason = str(error)
                    break
        return vectors
