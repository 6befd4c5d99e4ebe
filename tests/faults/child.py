"""What runs in a process that is to be killed: one verb on servers, told step by step."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from graphmem import Memory
from graphmem.testing.embedders import HashEmbedder
from graphmem.usecases import hand
from graphmem.usecases.migrate import migrate
from graphmem.wiring import assemble
from tests.crashes import child as embedded
from tests.crashes.child import EXPORT, MEMORY, SEED, Tell, telling
from tests.crashes.life import Call, doomed, life
from tests.faults.place import SIZE, Place

NEW = 32
"""Size of the vectors that ``reindex`` goes over to."""


def calls() -> list[Call]:
    """Return what is remembered."""
    return life(SEED, pieces=2)


def run(verb: str, place: Place, folder: Path, lease: float) -> None:
    """Do a verb; what is done is told in ``folder``. Leases last so many seconds."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(hand, "LEASE", lease)
        patch.setattr(hand, "_RENEW_AFTER", lease / 3)
        tell = telling(folder)
        tell("begin")
        VERBS[verb](place, folder, tell)
        tell("closed")


def _verb(verb: embedded.Verb, size: int = SIZE) -> Callable[[Place, Path, Tell], None]:
    def run(place: Place, folder: Path, tell: Tell) -> None:
        with place.opened(embedder=HashEmbedder(size)) as memory:
            verb(memory, folder, tell)

    return run


def ingest(memory: Memory, folder: Path, tell: Tell) -> None:
    """Remember a life, call by call."""
    embedded.remember(memory, calls(), tell)


def migrated(place: Place, folder: Path, tell: Tell) -> None:
    """Copy the embedded memory to the servers."""

    async def copy() -> None:
        here = assemble(path=folder / MEMORY, embedder=HashEmbedder(SIZE), extractor="none")
        there = assemble(
            store=place.store(),
            qdrant=place.qdrant,
            embedder=HashEmbedder(SIZE),
            extractor="none",
        )
        for one in (here, there):
            await one.ready()
        await migrate(here.services, there.services)
        for one in (here, there):
            await one.close()

    asyncio.run(copy())
    tell("work", finished=True)


def prepare(folder: Path) -> None:
    """Make an embedded memory with a life in it and the doomed, and its export."""
    with Memory(folder / MEMORY, embedder=HashEmbedder(SIZE)) as memory:
        embedded.remember(memory, [*calls(), *doomed()], embedded.silent)
        memory.export(folder / EXPORT)


VERBS: dict[str, Callable[[Place, Path, Tell], None]] = {
    "ingest": _verb(ingest),
    "erase": _verb(embedded.erase),
    "reindex": _verb(embedded.reindex, NEW),
    "migrate": migrated,
}
