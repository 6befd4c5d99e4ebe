"""Threads and processes that add, search, list, erase and export at once, on one folder.

::

    python tests/crashes/races.py [--threads 16] [--processes 4] [--turns 25] [--json]

Each thread of each process says things to one shared user and to a user of its own: the same turns
as everybody, sent by all (they must be there once); turns of its own, sent twice; a new home at one
and the same instant as everybody's. One more thread in each process searches, lists, exports, and
adds and erases a user of its own. In the end the counts must be exact, with no error at all.
"""

from __future__ import annotations

import queue
import shutil
import sys
import tempfile
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from multiprocessing.queues import Queue
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))  # run as a script

from graphmem import Memory
from graphmem.errors import GraphmemError
from graphmem.testing.embedders import HashEmbedder
from tests.crashes.commandline import options, told
from tests.crashes.processes import context
from tests.crashes.state import every_fact, exported

EVERYBODY = "ana"
HELD = "held by another process"


@dataclass
class Race:
    """What was done, and what must not be.

    Attributes:
        adds, searches, erasures, exports: how many calls came back.
        held: receipts that said that another process has the index.
        problems: errors, and counts that are not exact.
        seconds: how long it took.
    """

    adds: int = 0
    searches: int = 0
    erasures: int = 0
    exports: int = 0
    held: int = 0
    seconds: float = 0.0
    problems: list[str] = field(default_factory=list[str])

    def add(self, other: Race) -> None:
        """Count what another process did."""
        for name in ("adds", "searches", "erasures", "exports", "held"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.problems += other.problems


def speak(memory: Memory, name: str, turns: int, race: Race, lock: threading.Lock) -> None:
    """Say everything that the thread ``name`` has to say."""
    for n in range(turns):
        for user, turn in (
            (EVERYBODY, {"content": "I collect stamps.", "id": f"same-{n}"}),
            (EVERYBODY, {"content": f"I visited Town{n} of {name}.", "id": f"{name}-{n}"}),
            (EVERYBODY, {"content": f"I visited Town{n} of {name}.", "id": f"{name}-{n}"}),
            (
                EVERYBODY,
                {
                    "content": f"I live in City{n}.",
                    "occurred_at": f"2025-01-{1 + n % 28:02}T10:00Z",
                },
            ),
            (f"own-{name}", {"content": f"我去过{n}号村。", "id": f"{name}-{n}"}),
        ):
            try:
                receipt = memory.add(turn, user=user, session="race")
            except GraphmemError as error:
                race.problems.append(f"{name}: {type(error).__name__}: {error}")
                continue
            with lock:
                race.adds += 1
                race.held += HELD in " ".join(receipt.notes)


def look(memory: Memory, name: str, over: threading.Event, race: Race) -> None:
    """Search, list, export and erase until all is said."""
    user = f"gone-{name}"
    with tempfile.TemporaryDirectory() as folder:
        while not over.is_set():
            try:
                memory.search("Where have I been?", user=EVERYBODY)
                memory.facts(user=EVERYBODY)
                race.searches += 1
                if race.searches % 3 == 0:
                    memory.add("I live in Nowhere.", user=user)
                    memory.erase(user=user)
                    race.erasures += 1
                    memory.export(Path(folder, "all.jsonl"))
                    race.exports += 1
            except GraphmemError as error:
                race.problems.append(f"{name} looking: {type(error).__name__}: {error}")
            time.sleep(0.01)


def run_threads(folder: str, name: str, threads: int, turns: int) -> Race:
    """Run the threads of one process."""
    race, lock, over = Race(), threading.Lock(), threading.Event()
    with Memory(folder, embedder=HashEmbedder()) as memory:
        looking = threading.Thread(target=look, args=(memory, name, over, race))
        looking.start()
        with ThreadPoolExecutor(threads) as pool:
            jobs = [
                pool.submit(speak, memory, f"{name}{n}", turns, race, lock) for n in range(threads)
            ]
        over.set()
        looking.join()
        for job in jobs:
            job.result()
    return race


def _child(folder: str, name: str, threads: int, turns: int, said: Queue[Race]) -> None:
    said.put(run_threads(folder, name, threads, turns))


def race(folder: Path, *, threads: int, processes: int, turns: int, limit: float) -> Race:
    """Run ``processes`` beside this one, each with ``threads``; fail after ``limit`` seconds."""
    began = time.monotonic()
    forking = context()
    said: Queue[Race] = forking.Queue()
    names = [chr(ord("A") + n) for n in range(processes + 1)]
    with Memory(folder, embedder=HashEmbedder()) as memory:
        memory.add("I live in Riga.", user=EVERYBODY, occurred_at="2024-01-01")  # takes the index
        children = [
            forking.Process(target=_child, args=(str(folder), name, threads, turns, said))
            for name in names[1:]
        ]
        for child in children:
            child.start()
        total = run_threads(str(folder), names[0], threads, turns)
        for child in children:
            try:
                total.add(said.get(timeout=max(limit - (time.monotonic() - began), 0.1)))
            except queue.Empty:
                total.problems.append(f"not done after {limit:g} s: a deadlock, or too slow")
                child.kill()
        for child in children:
            child.join(10)
        total.problems += wrong(memory, [f"{p}{t}" for p in names for t in range(threads)], turns)
    total.seconds = round(time.monotonic() - began, 1)
    return total


def wrong(memory: Memory, speakers: list[str], turns: int) -> list[str]:
    """Say what is not exactly as it must be in the end."""
    found: list[str] = []

    def expect(what: str, got: object, wanted: object) -> None:
        if got != wanted:
            found.append(f"{what}: {got}, not {wanted}")

    # What others wrote waits in the outbox for whoever has the index: one search picks it up.
    last = f"Town{turns - 1} of {speakers[-1]}"
    hits = memory.search(f"When did I visit {last}?", user=EVERYBODY).hits
    expect(f"found {last!r}", any(last in hit.text for hit in hits), True)
    expect("verify is clean", memory.verify().clean, True)
    facts = every_fact(memory, EVERYBODY)
    expect("visits", Counter(f.predicate for f in facts)["visited"], turns * len(speakers))
    stamps = [f for f in facts if f.object is not None and f.object.text == "stamps"]
    expect("claims of the stamps", [len(f.claims) for f in stamps], [turns])
    expect("homes now", memory.facts(user=EVERYBODY, predicate="lives_in").total, 1)
    rows = exported(memory)
    users = Counter(row["user"] for row in rows if row["kind"] == "scope")
    expect("users", users, Counter([EVERYBODY, *(f"own-{name}" for name in speakers)]))
    shared = 1 + turns + turns * len(speakers) + turns
    own = turns * len(speakers)
    expect("turns", sum(row["kind"] == "episode" for row in rows), shared + own)
    for name in speakers:
        expect(f"facts of {name}", memory.facts(user=f"own-{name}").total, turns)
    return found


def main() -> int:
    """Run from the command line; 1 if anything was lost, doubled or went wrong."""
    parser = options(__doc__)
    parser.add_argument("--threads", type=int, default=16)
    parser.add_argument("--processes", type=int, default=4)
    parser.add_argument("--turns", type=int, default=25)
    parser.add_argument("--limit", type=float, default=3600)
    given = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="races-", dir=given.folder))
    done = race(
        folder / "memory",
        threads=given.threads,
        processes=given.processes - 1,
        turns=given.turns,
        limit=given.limit,
    )
    shutil.rmtree(folder)
    return told(asdict(done), done.problems, as_json=given.json)


if __name__ == "__main__":
    sys.exit(main())
