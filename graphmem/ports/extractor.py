"""Turns to drafts of claims."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from graphmem.model.draft import Batch, Extraction
from graphmem.model.estimate import Estimate


class Extractor(Protocol):
    """Reads turns; by a model or by patterns.

    A draft's quote occurs in its turn. Nothing is drafted from ``Batch.earlier``; it only helps
    to understand. A turn that cannot be read is in ``Extraction.failed``; that a turn says
    nothing is no failure. Calls do not raise for bad model output.

    It may be called from several tasks at once, and from several event loops, also at once: jobs
    are read in a thread with a loop of its own.
    """

    @property
    def identity(self) -> str:
        """What read the turns ("patterns/1", "model/NAME/p2")."""
        ...

    async def extract(self, batch: Batch) -> Extraction:
        """Read ``batch.turns``."""
        ...


@runtime_checkable
class Estimating(Protocol):
    """An extractor that costs something, and can say before how much."""

    def estimate(self, batch: Batch) -> Estimate:
        """Say what reading ``batch.turns`` would cost; nothing is asked."""
        ...


def wants_facts(extractor: object) -> bool:
    """Say whether an extractor is to be shown facts and names that may matter (``Known.facts``).

    Those that set ``wants_facts`` are; looking for them takes several readings of the store, which
    the others are spared.
    """
    return bool(getattr(extractor, "wants_facts", False))
