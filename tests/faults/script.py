"""What the scripts share: a server of their own, a caller who tries again, and what must be."""

from __future__ import annotations

import argparse
import asyncio
import shutil
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from graphmem import Memory
from graphmem.adapters.neo4j.store import Neo4jStore
from graphmem.errors import GraphmemError, StoreUnavailableError
from graphmem.testing.embedders import HashEmbedder
from tests.crashes import commandline
from tests.crashes.child import remember, silent
from tests.crashes.life import Call
from tests.crashes.state import State, difference, exported, state
from tests.faults.place import SIZE
from tests.services.neo4j_server import LTS, Neo4jServer

LIMIT = 600.0
"""Seconds after which a script counts as hanging."""


@contextmanager
def own_server(where: Path | None) -> Generator[tuple[Path, Neo4jServer]]:
    """Start a Neo4j server in a new folder (in ``where``), which goes away with it."""
    folder = Path(tempfile.mkdtemp(prefix="faults-", dir=where))
    server = Neo4jServer(LTS, folder / "neo4j")
    server.home.mkdir()
    try:
        server.start()
        yield folder, server
    finally:
        server.kill()
        shutil.rmtree(folder)


def from_command_line(
    parser: argparse.ArgumentParser,
    run: Callable[[Path, Neo4jServer, argparse.Namespace], Outcome],
) -> int:
    """Run a script with a server of its own, and print what came of it; return its exit code."""
    given = parser.parse_args()
    with own_server(given.folder) as (folder, server):
        done = run(folder, server, given)
    return done.told(as_json=given.json)


@dataclass
class Outcome:
    """What callers saw; fields that are not shown in its text are not printed either.

    Attributes:
        acknowledged: turns and facts that a caller was told are kept.
        lost, doubled: how many of them are not there in the end, and there twice.
        errors: calls that failed because the store was away, and were made again.
        longest: seconds that such a call took while the store was away, from when it began or the
            store went.
        notes: receipts that said that something is to be made up for.
        retries: tries that the stores began anew by themselves.
        recovered: the longest that it took until all went on as before, in seconds.
        problems: what must not be, in words.
    """

    acknowledged: int = 0
    lost: int = 0
    doubled: int = 0
    errors: int = 0
    longest: float = 0.0
    notes: int = 0
    retries: int = 0
    recovered: float = 0.0
    seconds: float = 0.0
    problems: list[str] = field(default_factory=list[str])

    def told(self, *, as_json: bool) -> int:
        """Print it; return the exit code."""
        shown = {part.name: getattr(self, part.name) for part in fields(self) if part.repr}
        return commandline.told(shown, self.problems, as_json=as_json)

    def unnoticed(self) -> None:
        """Say so if a caller met an error."""
        if self.errors:
            self.problems.append(f"{self.errors} callers met an error")

    def compare(self, memory: Memory, episodes: set[str], wanted: State, found: State) -> None:
        """Say what of ``episodes`` is lost, and what else in a memory is not as it must be."""
        there = {row["id"] for row in exported(memory) if row["kind"] == "episode"}
        self.lost += len(episodes - there)
        self.doubled += (Counter(found.turns) - Counter(wanted.turns)).total()
        if self.lost or self.doubled:
            self.problems.append(f"{self.lost} lost, {self.doubled} doubled")
        self.problems += difference(wanted, found)
        report = memory.verify()
        if not report.clean:
            self.problems.append(f"drift: {report}")


@dataclass
class Callers:
    """Callers of one memory, each in a thread, who make their calls again until they succeed.

    ``calls`` is how many calls came back; ``episodes`` and ``facts`` what they were told is kept,
    by user; ``away_since`` is when the store went away, if it is.
    """

    memory: Memory
    outcome: Outcome
    calls: int = 0
    last: float = 0.0
    away_since: float | None = None
    episodes: set[str] = field(default_factory=set[str])
    facts: set[tuple[str, str]] = field(default_factory=set[tuple[str, str]])
    _guard: threading.Lock = field(default_factory=threading.Lock)
    _threads: list[threading.Thread] = field(default_factory=list[threading.Thread])

    def start(self, work: Sequence[Call]) -> None:
        """Begin to make calls, those of each user in their order."""
        for user in dict.fromkeys(call.user for call in work):
            own = [call for call in work if call.user == user]
            thread = threading.Thread(target=self._speak, args=(own,), daemon=True)
            self._threads.append(thread)
            thread.start()

    def wait_for(self, calls: int) -> None:
        """Wait until so many calls came back, or all are made."""
        until = time.monotonic() + LIMIT
        while self.calls < calls and any(thread.is_alive() for thread in self._threads):
            if time.monotonic() > until:
                self.outcome.problems.append(f"no more than {self.calls} calls came back")
                return
            time.sleep(0.005)

    def join(self) -> None:
        """Wait for the end of all."""
        until = time.monotonic() + LIMIT
        for thread in self._threads:
            thread.join(until - time.monotonic())
            if thread.is_alive():
                self.outcome.problems.append("a caller hangs")

    def _speak(self, calls: Sequence[Call]) -> None:
        for call in calls:
            while not self._made(call):
                time.sleep(0.05)

    def _made(self, call: Call) -> bool:
        began = time.monotonic()
        try:
            remember(self.memory, [call], self._told)
        except StoreUnavailableError:
            since = self.away_since
            with self._guard:
                self.outcome.errors += 1
                if since is not None:
                    waited = time.monotonic() - max(began, since)
                    self.outcome.longest = max(self.outcome.longest, round(waited, 2))
            return False
        except GraphmemError as error:
            self.outcome.problems.append(f"{call.user}: {type(error).__name__}: {error}")
        with self._guard:
            self.calls += 1
            self.last = time.monotonic()
        return True

    def _told(self, stage: str, **what: Any) -> None:  # Any: as a child tells it
        with self._guard:
            self.episodes.update(what["episodes"])
            self.facts.update((what["user"], fact) for fact in what["facts"])
            self.outcome.notes += bool(what["notes"])
            self.outcome.acknowledged += len(what["episodes"]) + len(what["facts"])


def undisturbed(folder: Path, work: Sequence[Call]) -> State:
    """Return what an embedded memory holds after the same calls."""
    with Memory(folder / "undisturbed", embedder=HashEmbedder(SIZE)) as memory:
        remember(memory, work, silent)
        return state(memory)


def checked(callers: Callers, store: Neo4jStore, wanted: State) -> None:
    """Say what is not as it must be in the end, without mending anything."""
    memory, outcome = callers.memory, callers.outcome
    memory.search("Where do I live?", user="ana")
    for user, fact in callers.facts:
        try:
            memory.get(fact, user=user)
        except GraphmemError:
            outcome.lost += 1
    outcome.compare(memory, callers.episodes, wanted, state(memory))
    outcome.retries = store.connection.counts.retries


def caught_up(memory: Memory, store: Neo4jStore) -> float:
    """Search until nothing is to be made up for; return how many seconds that took."""
    began = time.monotonic()
    while memory.search("Where do I live?", user="ana").notes or asyncio.run(_behind(store)):
        if time.monotonic() - began > LIMIT:
            break
        time.sleep(0.02)
    return round(time.monotonic() - began, 2)


async def _behind(store: Neo4jStore) -> bool:
    """Say whether records wait for the index, or points for their vectors."""
    return bool(await store.backlog() or await store.get_meta("without index"))
