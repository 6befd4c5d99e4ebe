"""Turns to drafts of claims."""

from __future__ import annotations

from typing import Protocol

from graphmem.model.draft import Batch, Extraction


class Extractor(Protocol):
    """Reads turns; by a model or by patterns.

    A draft's quote occurs in its turn. Nothing is drafted from ``Batch.earlier``; it only helps
    to understand. A turn that cannot be read is in ``Extraction.failed``; that a turn says
    nothing is no failure. Calls do not raise for bad model output.
    """

    @property
    def identity(self) -> str:
        """What read the turns ("patterns/1", "model/NAME")."""
        ...

    async def extract(self, batch: Batch) -> Extraction:
        """Read ``batch.turns``."""
        ...
