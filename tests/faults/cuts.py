"""Cuts connections at random while a client ingests: before a message arrives, or after.

::

    python tests/faults/cuts.py [--often 0.03] [--pieces 12] [--seed N] [--json]

A proxy stands before Neo4j, and one message in so many is cut off, half of them before the server
has it, half of them when it has answered (so also a commit that nobody heard of); Qdrant's requests
fare alike. No caller may notice.
"""

from __future__ import annotations

import random
import sys
import threading
import time
from collections import Counter
from dataclasses import dataclass, field, replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))  # run as a script

from tests.crashes.child import SEED
from tests.crashes.commandline import options
from tests.crashes.life import life
from tests.faults.place import Place
from tests.faults.script import Callers, Outcome, caught_up, checked, from_command_line, undisturbed
from tests.faults.steps import said
from tests.index.qdrant_http import QdrantServer, Request, Trouble
from tests.services.neo4j_server import Address
from tests.services.proxy import Fate, Proxy


@dataclass
class Cut(Outcome):
    """``cuts`` by when and what was cut."""

    cuts: dict[str, int] = field(default_factory=dict[str, int])


class Lot:
    """Says by chance what happens to a message."""

    def __init__(self, often: float, seed: int) -> None:
        self.often = often
        self.counts: Counter[str] = Counter()
        self._chance = random.Random(seed)  # noqa: S311 - cuts that can be had again
        self._guard = threading.Lock()

    def bolt(self, data: bytes) -> Fate:
        """Draw for bytes on their way to Neo4j."""
        return self.draw(said(data))

    def draw(self, name: str) -> Fate:
        """Draw for a message."""
        with self._guard:
            if self._chance.random() >= self.often:
                return "pass"
            fate: Fate = "before" if self._chance.random() < 0.5 else "after"
            self.counts[f"{fate} {name}"] += 1
            return fate


class Unreliable(QdrantServer):
    """Cuts connections by lot."""

    def __init__(self, lot: Lot) -> None:
        super().__init__()
        self._lot = lot

    def trouble(self, request: Request) -> Trouble | None:
        """Draw what happens to a request."""
        fate = self._lot.draw("a request to Qdrant")
        return super().trouble(request) if fate == "pass" else Trouble(cut=fate)


def run(folder: Path, address: Address, *, often: float, pieces: int, seed: int) -> Cut:
    """Make ``pieces`` calls a user; ``often`` is the part of the messages that are cut."""
    began = time.monotonic()
    work = life(SEED, pieces=pieces)
    wanted = undisturbed(folder, work)
    lot = Lot(often, seed)
    outcome = Cut()
    with Unreliable(lot) as qdrant, Proxy(address.url) as proxy:
        proxy.choose = lot.bolt
        place = Place(replace(address, url=proxy.url), qdrant.url)
        store = place.store()
        with place.opened(store=store) as memory:
            callers = Callers(memory, outcome)
            callers.start(work)
            callers.join()
            lot.often = 0.0
            outcome.recovered = caught_up(memory, store)
            checked(callers, store, wanted)
    outcome.cuts = dict(lot.counts.most_common())
    outcome.unnoticed()
    outcome.seconds = round(time.monotonic() - began, 1)
    return outcome


def main() -> int:
    """Run from the command line; 1 if anything went wrong."""
    parser = options(__doc__, seed=True)
    parser.add_argument("--often", type=float, default=0.03)
    parser.add_argument("--pieces", type=int, default=12, help="calls for each user")
    return from_command_line(
        parser,
        lambda folder, server, given: run(
            folder, server.address, often=given.often, pieces=given.pieces, seed=given.seed
        ),
    )


if __name__ == "__main__":
    sys.exit(main())
