"""Writers in several processes, each a client of its own, on one user or on many, on Neo4j.

::

    python tests/faults/writers.py [--processes 4] [--threads 4] [--turns 25] [--users 1] [--json]

Some say what all others say too, some contradict each other, and each says something of its own. In
the end the memory must be the one that an embedded memory is after the same, said one after another
by their dates.
"""

from __future__ import annotations

import queue
import sys
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from multiprocessing.queues import Queue
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))  # run as a script

from graphmem import Memory
from graphmem.errors import StoreUnavailableError
from graphmem.model.receipt import Receipt
from graphmem.testing.embedders import HashEmbedder
from tests.crashes.commandline import options
from tests.crashes.processes import context
from tests.crashes.state import State, every_fact, exported, view
from tests.faults.kills import PRELOADED
from tests.faults.place import SIZE, Place
from tests.faults.script import LIMIT, Outcome, caught_up, from_command_line
from tests.index.qdrant_http import QdrantServer
from tests.services.neo4j_server import Address

TIMEOUT = 30.0
COUNTED = ("episode", "claim", "entity")
"""Rows whose number does not depend on the order in which things arrived."""


@dataclass(frozen=True)
class Saying:
    """One thing that a writer says: a turn, or a fact stated directly."""

    user: str
    at: str
    turn: str = ""
    fact: tuple[str, str] | None = None
    id: str | None = None

    def to(self, memory: Memory) -> Receipt:
        """Say it."""
        if self.fact is not None:
            return memory.add_fact("me", *self.fact, user=self.user, occurred_at=self.at)
        turn = {"content": self.turn, "occurred_at": self.at}
        if self.id:
            turn["id"] = self.id
        return memory.add(turn, user=self.user, session="talk")


@dataclass
class Written(Outcome):
    """``processes`` with ``writers`` in all wrote to ``users``; ``again`` turns were known."""

    processes: int = 0
    writers: int = 0
    users: int = 0
    again: int = 0
    episodes: set[str] = field(default_factory=set[str], repr=False)

    def add(self, other: Written) -> None:
        """Count what another process did."""
        for name in ("acknowledged", "errors", "notes", "retries", "again"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.problems += other.problems
        self.episodes |= other.episodes


def sayings(writer: int, writers: int, turns: int, users: int) -> list[Saying]:
    """Return what one writer says."""
    found: list[Saying] = []
    for n in range(turns):
        # Two writers at a time, of different processes, speak to one user.
        user = f"user {(n * ((writers + 1) // 2) + writer // 2) % users}"
        day = f"2025-{1 + n // 28:02}-{1 + n % 28:02}T10"
        at = f"{day}:{writer:02}:00Z"  # no two at the same instant
        found += [
            Saying(user, f"{day}:59:00Z", turn="I collect stamps.", id=f"same-{n}"),
            Saying(user, at, turn=f"I visited Town{n} of {writer}."),
            Saying(user, at.replace(":00Z", ":10Z"), turn=f"I live in City{(writer + n) % 5}."),
            Saying(user, at.replace(":00Z", ":20Z"), fact=("works_at", f"Firm{writer % 3}")),
            Saying(user, at.replace(":00Z", ":30Z"), turn=f"I'm allergic to fruit{n % 3}."),
        ]
    return found


def write(place: Place, mine: list[list[Saying]], said: Queue[Written]) -> None:
    """Say all that the writers of one process have to say, each in a thread."""
    outcome = Written()
    store = place.store()
    with place.opened(store=store) as memory, ThreadPoolExecutor(len(mine)) as pool:

        def speak(sayings: list[Saying]) -> None:
            for saying in sayings:
                while (receipt := _said(saying, memory, outcome)) is None:
                    time.sleep(0.05)
                outcome.acknowledged += 1
                outcome.notes += bool(receipt.notes)
                outcome.again += sum(turn.state.value == "duplicate" for turn in receipt.turns)
                outcome.episodes.update(turn.episode for turn in receipt.turns if turn.episode)

        for job in [pool.submit(speak, one) for one in mine]:
            job.result()
        outcome.retries = store.connection.counts.retries
    said.put(outcome)


def _said(saying: Saying, memory: Memory, outcome: Written) -> Receipt | None:
    """Say it; None if the store kept the caller waiting for longer than its timeout."""
    try:
        return saying.to(memory)
    except StoreUnavailableError as error:
        outcome.errors += 1
        outcome.problems.append(f"{saying.user} at {saying.at}: {error}")
        return None


def held(memory: Memory) -> State:
    """Return what a memory holds, but for what tells in which order it came there."""
    rows = exported(memory)
    users = [str(row["user"]) for row in rows if row["kind"] == "scope"]
    counts = Counter(str(row["kind"]) for row in rows)
    return State(
        facts={user: sorted(map(view, every_fact(memory, user)), key=repr) for user in users},
        histories={},
        rows={kind: counts[kind] for kind in COUNTED},
        turns=Counter(
            (row["session"] or "", row["role"], row["content"], row["occurred_at"])
            for row in rows
            if row["kind"] == "episode"
        ),
    )


def one_after_another(folder: Path, everything: list[Saying]) -> State:
    """Return what an embedded memory holds when all is said by its date."""
    with Memory(folder / "one-after-another", embedder=HashEmbedder(SIZE)) as memory:
        for saying in sorted(everything, key=lambda one: one.at):
            saying.to(memory)
        return held(memory)


def run(
    folder: Path,
    address: Address,
    *,
    processes: int,
    threads: int,
    turns: int,
    users: int,
    timeout: float = TIMEOUT,
) -> Written:
    """Let ``processes`` with ``threads`` each write ``turns`` rounds to ``users``; ``timeout`` is
    the clients'."""
    writers = processes * threads
    shares = [sayings(writer, writers, turns, users) for writer in range(writers)]
    everything = [saying for share in shares for saying in share]
    wanted = one_after_another(folder, everything)
    outcome = Written(
        processes=processes,
        writers=writers,
        users=len({saying.user for saying in everything}),
    )
    forking = context("tests.faults.child", *PRELOADED)
    said: Queue[Written] = forking.Queue()
    with QdrantServer() as qdrant:
        place = Place(address, qdrant.url, timeout=timeout)
        store = place.store()
        with place.opened(store=store) as memory:
            memory.search("Where do I live?", user="user 0")  # makes schema and index
            children = [
                forking.Process(target=write, args=(place, shares[n::processes], said))
                for n in range(processes)
            ]
            began = time.monotonic()
            for child in children:
                child.start()
            for _ in children:
                try:
                    outcome.add(said.get(timeout=LIMIT))
                except queue.Empty:
                    outcome.problems.append(f"not done after {LIMIT:g} s: a deadlock, or too slow")
            outcome.seconds = round(time.monotonic() - began, 1)
            for child in children:
                child.join(10)
                child.kill()
            outcome.recovered = caught_up(memory, store)
            outcome.compare(memory, outcome.episodes, wanted, held(memory))
    return outcome


def main() -> int:
    """Run from the command line; 1 if anything went wrong."""
    parser = options(__doc__)
    parser.add_argument("--processes", type=int, default=4)
    parser.add_argument("--threads", type=int, default=4, help="writers in each process")
    parser.add_argument("--turns", type=int, default=25)
    parser.add_argument("--users", type=int, default=1)
    parser.add_argument(
        "--timeout", type=float, default=TIMEOUT, help="the clients', in seconds: longer where busy"
    )
    return from_command_line(
        parser,
        lambda folder, server, given: run(
            folder,
            server.address,
            processes=given.processes,
            threads=given.threads,
            turns=given.turns,
            users=given.users,
            timeout=given.timeout,
        ),
    )


if __name__ == "__main__":
    sys.exit(main())
