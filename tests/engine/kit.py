"""Short ways to make memories and to look at them, for the tests of the client."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from graphmem import Memory
from graphmem.model.draft import Batch, Extraction
from graphmem.model.fact import Fact
from graphmem.model.receipt import Receipt
from graphmem.model.time import DAY, from_micros, to_micros
from graphmem.testing.clock import FrozenClock
from tests.services import deployments

NOW = to_micros(datetime(2025, 10, 1, 12, tzinfo=UTC))
"""Where the frozen clock of a test starts."""


def a_memory(folder: Path, **options: Any) -> Memory:  # Any: options of Memory, by name
    """Return a memory with a frozen clock and a cheap embedder unless others are given.

    In areas whose tests run on each store it is the one that the folder stands for.
    """
    options.setdefault("clock", FrozenClock(NOW))
    return deployments.a_memory(folder, **options)


def triples(facts: Any) -> set[tuple[str, str, str | None, str]]:  # Any: a page or facts
    """Return facts as subject, predicate, object and polarity."""
    return {
        (f.subject.text, f.predicate, f.object.text if f.object else None, f.polarity.value)
        for f in getattr(facts, "items", facts)
    }


def values(facts: Any) -> set[str | None]:  # Any: a page or facts
    """Return the objects of facts."""
    return {f.object.text if f.object else None for f in getattr(facts, "items", facts)}


def the(receipt: Receipt) -> Fact:
    """Return the only fact a write added."""
    (fact,) = receipt.added
    return fact


def iso(micros: int) -> str:
    """Return an instant as callers write it."""
    return from_micros(micros).isoformat()


def day(n: int) -> str:
    """Return the instant ``n`` days after the clock's start."""
    return iso(NOW + n * DAY)


def bytes_under(folder: Path) -> dict[str, bytes]:
    """Return every file below a folder, by its path."""
    return {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def holding(folder: Path, *words: str) -> list[str]:
    """Return which files hold any of the words, in any of the usual encodings."""
    found: list[str] = []
    for name, data in bytes_under(folder).items():
        for word in words:
            wanted = {
                word.encode(),
                word.encode("utf-16-le"),
                word.encode("unicode_escape"),
            }
            if any(w in data for w in wanted):
                found.append(f"{name}: {word}")
    return found


class FailingExtractor:
    """Fails for every turn while ``down``; then hands on to another extractor."""

    def __init__(self, inner: Any) -> None:  # Any: an Extractor
        self.inner = inner
        self.down = True

    @property
    def identity(self) -> str:
        """What read the turns."""
        return "failing/1"

    async def extract(self, batch: Batch) -> Extraction:
        """Say of every turn that it could not be read, or read it."""
        if self.down:
            return Extraction(failed={e.id: "the model timed out" for e in batch.turns})
        return await self.inner.extract(batch)
