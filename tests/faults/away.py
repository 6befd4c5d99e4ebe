"""Takes the Qdrant server, and then the embedder, away while a client ingests and searches.

::

    python tests/faults/away.py [--rounds 3] [--pieces 12] [--json]

All writes succeed; each search answers, and says what it answered without; when the other is back,
what waits is made up for by the next calls, with nobody repairing anything.
"""

from __future__ import annotations

import asyncio
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2]))  # run as a script

from graphmem import Memory
from graphmem.errors import GraphmemError
from graphmem.testing.embedders import HashEmbedder
from tests.crashes.child import SEED
from tests.crashes.commandline import options
from tests.crashes.life import life
from tests.faults.place import SIZE, Place
from tests.faults.script import (
    LIMIT,
    Callers,
    Outcome,
    caught_up,
    checked,
    from_command_line,
    undisturbed,
)
from tests.index.qdrant_http import QdrantServer
from tests.services.neo4j_server import Address

IN_HASTE = {
    "graphmem.adapters.qdrant.calls.PAUSE": 0.01,
    "graphmem.adapters.qdrant.calls.REST": 0.2,
    "graphmem.adapters.qdrant.calls.LONGEST_REST": 0.2,
    "graphmem.usecases.indexing.ASK_AGAIN": 0.2,
}
"""Seconds for which what was away is left alone."""


@dataclass
class Gone(Outcome):
    """``away`` is how often something was; ``searches`` meanwhile, and those that ``said`` so;
    ``waited`` is the most records that waited for the index."""

    away: int = 0
    searches: int = 0
    said: int = 0
    waited: int = 0


class Searcher:
    """Searches in a thread, and counts what it is told while something is away."""

    def __init__(self, memory: Memory, outcome: Gone) -> None:
        self._memory = memory
        self._outcome = outcome
        self._away = ""
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._search, daemon=True)
        self._thread.start()

    def away(self, name: str) -> None:
        """Note what is; "" if nothing."""
        self._away = name

    def wait_for_one(self) -> None:
        """Wait until one more search came back."""
        before, until = self._outcome.searches, time.monotonic() + LIMIT
        while self._outcome.searches == before and time.monotonic() < until:
            time.sleep(0.01)

    def stop(self) -> None:
        """Let it end."""
        self._over.set()
        self._thread.join()

    def _search(self) -> None:
        while not self._over.wait(0.02):
            was = self._away
            try:
                found = self._memory.search("Where have I been?", user="cy")
            except GraphmemError as error:
                self._outcome.problems.append(f"searching: {type(error).__name__}: {error}")
                continue
            if was and was == self._away:
                self._outcome.searches += 1
                self._outcome.said += bool(found.notes)
                if not found.notes:
                    self._outcome.problems.append(f"{was} is away, and a search says {found}")


def run(folder: Path, address: Address, *, rounds: int, pieces: int) -> Gone:
    """Let each be away ``rounds`` times while ``pieces`` calls a user are made."""
    with pytest.MonkeyPatch.context() as patch:
        for name, seconds in IN_HASTE.items():
            patch.setattr(name, seconds)
        return _run(folder, address, rounds, pieces)


def _run(folder: Path, address: Address, rounds: int, pieces: int) -> Gone:
    began = time.monotonic()
    work = life(SEED, pieces=pieces)
    wanted = undisturbed(folder, work)
    outcome = Gone()
    embedder = HashEmbedder(SIZE)

    def embeds(answers: bool) -> None:
        embedder.down = not answers

    with QdrantServer() as qdrant:
        place = Place(address, qdrant.url)
        store = place.store()
        with place.opened(store=store, embedder=embedder) as memory:
            memory.search("Where do I live?", user="ana")
            callers, searcher = Callers(memory, outcome), Searcher(memory, outcome)
            callers.start(work)
            step = len(work) // (4 * rounds + 1)
            turns: list[tuple[str, Callable[[bool], None]]] = [
                ("Qdrant", lambda is_there: qdrant.start() if is_there else qdrant.stop()),
                ("the embedder", embeds),
            ]
            for name, switch in turns * rounds:
                callers.wait_for(callers.calls + step)
                switch(False)
                searcher.away(name)
                callers.wait_for(callers.calls + step)
                searcher.wait_for_one()
                outcome.waited = max(outcome.waited, asyncio.run(store.backlog()))
                searcher.away("")
                switch(True)
                outcome.away += 1
                outcome.recovered = max(outcome.recovered, caught_up(memory, store))
            callers.join()
            searcher.stop()
            caught_up(memory, store)
            checked(callers, store, wanted)
    outcome.unnoticed()
    outcome.seconds = round(time.monotonic() - began, 1)
    return outcome


def main() -> int:
    """Run from the command line; 1 if anything went wrong."""
    parser = options(__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--pieces", type=int, default=16, help="calls for each user")
    return from_command_line(
        parser,
        lambda folder, server, given: run(
            folder, server.address, rounds=given.rounds, pieces=given.pieces
        ),
    )


if __name__ == "__main__":
    sys.exit(main())
