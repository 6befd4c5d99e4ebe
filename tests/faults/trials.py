"""What must hold when a client was killed between graph and index."""

from __future__ import annotations

import asyncio
import shutil
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from graphmem import Memory
from graphmem.adapters.neo4j.store import Neo4jStore
from graphmem.errors import GraphmemError
from graphmem.testing.embedders import HashEmbedder
from tests.crashes import child as embedded
from tests.crashes.child import EXPORT, MEMORY
from tests.crashes.state import State, difference, exported, state
from tests.crashes.trials import Told, lines_of, told
from tests.faults import child
from tests.faults.child import NEW
from tests.faults.place import SIZE, Place
from tests.faults.steps import Watch, WatchedQdrant
from tests.services.neo4j_server import Address
from tests.services.proxy import Proxy

SOON = 15.0
"""Seconds, beside those of a lease, within which another client has caught up."""
_LOOK = 0.05
_HELD = "MATCH (l:Lease) WHERE l.until IS NOT NULL RETURN count(l) AS leases"


@dataclass
class After:
    """What was found after one kill.

    Attributes:
        acknowledged: what was told as done before the kill: turns, facts, erasures, a whole verb.
        lost, doubled: how much of that is not there, or there twice.
        problems: what must not be, in words; empty if all is well.
        recovered: seconds until another client had indexed all that was written.
        held: whether the killed client had records in hand.
    """

    acknowledged: int = 0
    lost: int = 0
    doubled: int = 0
    recovered: float = 0.0
    held: bool = False
    problems: list[str] = field(default_factory=list[str])


@dataclass(frozen=True)
class Scene:
    """One trial: the servers as they are, as the killed client reaches them, and its folder."""

    place: Place
    watched: Place
    qdrant: WatchedQdrant
    folder: Path

    @property
    def told(self) -> list[Told]:
        """What the client told."""
        return told(self.folder)


class Trials:
    """Prepares the servers, and checks them after a kill.

    ``wipe`` empties the Neo4j server; ``lease`` is how long leases of the killed last, in seconds.
    """

    def __init__(self, folder: Path, wipe: Callable[[], Address], lease: float) -> None:
        self.lease = lease
        self._wipe = wipe
        self._folder = folder
        self._count = 0
        child.prepare(folder)
        with Memory(folder / MEMORY, embedder=HashEmbedder(SIZE)) as memory:
            whole = state(memory)
            self._rows = len(exported(memory))
        self._ends = {
            "ingest": self._undisturbed(child.ingest, empty=True),
            "erase": self._undisturbed(embedded.erase),
            "reindex": whole,
            "migrate": whole,
        }

    def _undisturbed(self, verb: embedded.Verb, *, empty: bool = False) -> State:
        """Return what an embedded memory holds after a verb that nobody disturbed."""
        place = self._folder / "undisturbed"
        if not empty:
            shutil.copytree(self._folder / MEMORY, place)
        with Memory(place, embedder=HashEmbedder(SIZE)) as memory:
            verb(memory, self._folder, embedded.silent)
            found = state(memory)
        shutil.rmtree(place)
        return found

    @contextmanager
    def scene(self, verb: str, watch: Watch) -> Generator[Scene]:
        """Make the servers ready for a verb."""
        self._count += 1
        folder = self._folder / f"{verb}-{self._count}"
        folder.mkdir()
        address = self._wipe()
        with WatchedQdrant(watch) as qdrant, Proxy(address.url) as proxy:
            place = Place(address, qdrant.url)
            if verb in ("erase", "reindex"):
                with place.opened() as memory:
                    memory.import_(self._folder / EXPORT)
            if verb == "migrate":
                shutil.copytree(self._folder / MEMORY, folder / MEMORY)
            proxy.choose, proxy.cutting = watch.bolt, lambda: watch.end()
            watched = replace(place, neo4j=replace(address, url=proxy.url))
            yield Scene(place, watched, qdrant, folder)
        shutil.rmtree(folder)

    def check(self, verb: str, scene: Scene) -> After:
        """Look as another client, let it catch up, finish the work, and look again."""
        after = After()
        try:
            CHECKS[verb](self, scene, after)
        except GraphmemError as error:
            after.problems.append(f"{type(error).__name__}: {error}")
        return after

    def ingested(self, scene: Scene, after: After) -> None:
        """Every acknowledged turn and fact is there once; the same work again ends undisturbed."""
        store = scene.place.store()
        with scene.place.opened(store=store) as memory:
            self._caught_up(memory, store, after)
            there = [row["id"] for row in exported(memory) if row["kind"] == "episode"]
            for line in scene.told:
                said, facts = line.get("episodes", ()), line.get("facts", ())
                after.acknowledged += len(said) + len(facts)
                after.lost += len(set(said) - set(there))
                for fact in facts:
                    memory.get(fact, user=line["user"])
            child.ingest(memory, scene.folder, embedded.silent)
            self._ended("ingest", memory, after)

    def erased(self, scene: Scene, after: After) -> None:
        """What was told as erased is gone; erasing again finishes the rest."""
        done = {line["erased"] for line in scene.told if "erased" in line}
        after.acknowledged = len(done)
        store = scene.place.store()
        with scene.place.opened(store=store) as memory:
            self._caught_up(memory, store, after)
            todo = embedded.to_erase(memory)
            back = todo.keys() & done
            after.lost += len(back)
            after.problems += [f"{one} is back" for one in back]
            for what in todo.values():
                memory.erase(**what)
            self._ended("erase", memory, after)

    def reindexed(self, scene: Scene, after: After) -> None:
        """The old index serves, or the new one; reindexing again finishes, and leaves one."""
        finished = any(line.get("finished") for line in scene.told)
        after.acknowledged = int(finished)
        store = scene.place.store()
        with scene.place.opened(store=store, embedder=HashEmbedder(NEW)) as memory:
            is_new = not memory.verify().notes
        if finished and not is_new:
            after.lost += 1
            after.problems.append("reindex was acknowledged, and the old index serves")
        store = scene.place.store()
        serving = HashEmbedder(NEW if is_new else SIZE)
        with scene.place.opened(store=store, embedder=serving) as memory:
            self._caught_up(memory, store, after)
        with scene.place.opened(embedder=HashEmbedder(NEW)) as memory:
            memory.reindex()  # also where only the old collection was still to go
            self._ended("reindex", memory, after)
        left = len(scene.qdrant.local.get_collections().collections)
        if left != 1:
            after.problems.append(f"{left} collections are left")

    def migrated(self, scene: Scene, after: After) -> None:
        """A part says that it is one; migrating again makes it whole, equal to the last byte."""
        after.acknowledged = int(any(line.get("finished") for line in scene.told))
        store = scene.place.store()
        with scene.place.opened(store=store) as memory:
            rows = exported(memory)
            self._caught_up(memory, store, after, whole=False)
            words = " ".join(memory.verify().findings)
            part = any(row["kind"] == "scope" for row in rows)
            if part and len(rows) < self._rows and "cut off" not in words:
                after.problems.append(f"a part is here, and verify says {words!r}")
        child.migrated(scene.place, scene.folder, embedded.silent)
        with scene.place.opened() as memory:
            self._ended("migrate", memory, after)
            memory.export(scene.folder / EXPORT)
        if lines_of(self._folder / EXPORT) != lines_of(scene.folder / EXPORT):
            after.problems.append("an export of what was migrated differs from the source's")

    def _caught_up(
        self, memory: Memory, store: Neo4jStore, after: After, *, whole: bool = True
    ) -> None:
        """Search until nothing waits, and note how long that took; then nothing may differ."""
        (held,) = asyncio.run(store.connection.execute(_HELD))
        after.held = held["leases"] > 0
        began = time.monotonic()
        first = memory.search("Where do I live?", user="ana")
        while asyncio.run(store.backlog()):
            if time.monotonic() - began > self.lease + SOON:
                after.problems.append(f"records wait still ({first.notes})")
                return
            time.sleep(_LOOK)
            memory.search("Where do I live?", user="ana")
        after.recovered = time.monotonic() - began
        report = memory.verify()
        if whole and not report.clean:
            after.problems.append(f"drift after the drain: {report}")

    def _ended(self, verb: str, memory: Memory, after: After) -> None:
        differs = difference(self._ends[verb], state(memory))
        after.doubled += sum("turns of" in one for one in differs)
        after.problems += differs
        if not memory.search("Where have I been?", user="ana").hits:
            after.problems.append("a search finds nothing")
        report = memory.verify()
        if not report.clean:
            after.problems.append(f"drift in the end: {report}")


CHECKS: dict[str, Callable[[Trials, Scene, After], None]] = {
    "ingest": Trials.ingested,
    "erase": Trials.erased,
    "reindex": Trials.reindexed,
    "migrate": Trials.migrated,
}
