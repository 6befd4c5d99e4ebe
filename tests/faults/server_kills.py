"""Kills the Neo4j server in the middle of an ingest, and starts it again.

::

    python tests/faults/server_kills.py [--kills 5] [--seed N] [--json]

Callers in threads of one client remember things of several users. The server is killed (SIGKILL) at
a random moment and comes back after a while. Meanwhile each call fails with the one typed error
within the deadline, and is made again; afterwards the same client goes on.
"""

from __future__ import annotations

import random
import sys
import time
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))  # run as a script

from tests.crashes.child import SEED
from tests.crashes.commandline import options
from tests.crashes.life import life
from tests.faults.place import Place
from tests.faults.script import Callers, Outcome, caught_up, checked, from_command_line, undisturbed
from tests.index.qdrant_http import QdrantServer
from tests.services.neo4j_server import Neo4jServer

TIMEOUT = 5.0
"""Seconds that an answer is waited for: a new server plans each statement first, which takes long
on a busy machine."""
LATE = 10.0
"""Seconds by which an error may be late, on a machine that is busy with starting the server."""


@dataclass
class Killed(Outcome):
    """``kills`` of the server; ``recovered`` is from its first answer to the next call's end."""

    kills: int = 0


def run(
    folder: Path,
    server: Neo4jServer,
    *,
    kills: int,
    pieces: int,
    seed: int,
    timeout: float = TIMEOUT,
) -> Killed:
    """Kill it so often while ``pieces`` calls a user are made; ``timeout`` is the client's."""
    began = time.monotonic()
    chance = random.Random(seed)  # noqa: S311 - moments that can be had again
    work = life(SEED, pieces=pieces)
    wanted = undisturbed(folder, work)
    outcome = Killed()
    with QdrantServer() as qdrant:
        with Place(server.address, qdrant.url).opened() as patient:
            # So that its statements are planned.
            patient.add("I live in Riga.", user="nobody")
            patient.erase(user="nobody")
        place = Place(server.address, qdrant.url, timeout=timeout)
        store = place.store()
        with place.opened(store=store) as memory:
            callers = Callers(memory, outcome)
            callers.start(work)
            for number in range(kills):
                callers.wait_for((number + 1) * len(work) // (kills + 2))
                time.sleep(chance.random() * 0.2)
                server.kill()
                callers.away_since = time.monotonic()
                time.sleep(timeout)
                server.start()
                callers.away_since = None
                back, calls = time.monotonic(), callers.calls
                callers.wait_for(calls + 1)
                outcome.recovered = max(outcome.recovered, round(callers.last - back, 2))
                outcome.kills += 1
            callers.join()
            caught_up(memory, store)
            checked(callers, store, wanted)
    if outcome.longest > timeout + LATE:
        outcome.problems.append(f"an error came after {outcome.longest} s")
    if not outcome.errors:
        outcome.problems.append("nobody met the server away")
    outcome.seconds = round(time.monotonic() - began, 1)
    return outcome


def main() -> int:
    """Run from the command line; 1 if anything went wrong."""
    parser = options(__doc__, seed=True)
    parser.add_argument("--kills", type=int, default=5)
    parser.add_argument("--pieces", type=int, default=24, help="calls for each user")
    parser.add_argument("--timeout", type=float, default=TIMEOUT, help="the client's, in seconds")
    return from_command_line(
        parser,
        lambda folder, server, given: run(
            folder,
            server,
            kills=given.kills,
            pieces=given.pieces,
            seed=given.seed,
            timeout=given.timeout,
        ),
    )


if __name__ == "__main__":
    sys.exit(main())
