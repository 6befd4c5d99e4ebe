"""Giving big scopes a graph in the background, on a copy that then takes the index's place.

The engine builds a graph only while everything else waits: for minutes, in a large scope. So the
shard is copied, another process builds on the copy, what was written meanwhile is written to it
too, and it is switched to. A copy that is cut off, at whatever moment, is only a folder that
nothing points to.
"""

from __future__ import annotations

import logging
import os
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from graphmem.adapters.qdrant import build
from graphmem.adapters.qdrant.folder import ROOM, drop
from graphmem.adapters.qdrant.shard import Shard
from graphmem.errors import IndexUnavailableError
from graphmem.model.search import PointRef

if TYPE_CHECKING:
    from graphmem.adapters.qdrant.handle import Handle

log = logging.getLogger(__name__)

BATCH = 16
"""Points written to the copy at once; it takes some 3 ms, in which nothing else runs."""
LAST = 64
"""So few are written while writers wait."""
PAUSE = 0.003
"""Seconds that others have between two batches."""
POLL = 0.05
"""Seconds between looks at whether something ended."""
COPIES = 3
"""How many times what a shard takes must be free on the disk: for the copy, and the graph's own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """When graphs are built. Times are seconds.

    Attributes:
        big: points of a scope that has one. step: points without one at which building begins.
        delay: after the start, in which a short process ends.
        calm: without any call, before everything is held up for a moment; patience: at most so
            long is that waited for. tries: so often copying gives way to a writer.
        rest: so many times as long as the last building took, until the next.
        anew: after a failure.
    """

    big: int = build.BIG
    step: int = 10_000
    delay: float = 3.0
    calm: float = 1.0
    patience: float = 20.0
    tries: int = 3
    rest: float = 4.0
    anew: float = 600.0


PACE = Pace()


class _StoppedError(Exception):
    """It was told to stop."""


class Growth:
    """The graphs of one shard's big scopes; at most one thread works at it."""

    def __init__(self, handle: Handle) -> None:
        self._handle = handle
        self._guard = threading.Lock()
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self._barred = 0
        self._not_before = 0.0
        self.pace: Pace | None = None
        """None builds none."""

    @property
    def going_on(self) -> bool:
        """Whether something is being built."""
        return self._thread is not None and self._thread.is_alive()

    def behind(self) -> int:
        """Return how many points of big scopes have come since graphs were last built."""
        big = (self.pace or PACE).big
        return self._handle.beyond_graphs(self._handle.shard().in_big_scopes(big))

    def note(self) -> str:
        """Return what is still to be done, for people."""
        behind = self.behind()
        if behind < (self.pace or PACE).step:
            return ""
        state = "being built" if self.going_on else "not built yet"
        return f"{behind} points of large scopes are searched one by one, their graph is {state}"

    def begin(self, pace: Pace | None) -> None:
        """Go on at ``pace``, where the index can be used."""
        self.pace = pace
        with suppress(IndexUnavailableError):
            self.look()

    def look(self) -> None:
        """Begin to build, in the background, if enough has come."""
        pace = self.pace
        if pace is None or time.monotonic() < self._not_before or self.behind() < pace.step:
            return
        with self._guard:
            if not self._barred and not self.going_on:
                self._stop = threading.Event()
                self._thread = threading.Thread(
                    target=self._run, args=(pace, self._stop), name="graphmem-graphs", daemon=True
                )
                self._thread.start()

    @contextmanager
    def barred(self) -> Generator[None]:
        """Give up what is being built, with its files, and begin nothing meanwhile."""
        with self._guard:
            self._barred += 1
            self._stop.set()
            thread = self._thread
        try:
            if thread is not None:
                thread.join()
            yield
        finally:
            with self._guard:
                self._barred -= 1

    def _run(self, pace: Pace, stop: threading.Event) -> None:
        began = time.monotonic()
        try:
            _wait(stop, pace.delay)
            self._grow(pace, stop)
        except _StoppedError:
            return
        except (IndexUnavailableError, OSError) as error:
            log.warning("big scopes stay without a graph for now, searched in full: %s", error)
            self._not_before = time.monotonic() + pace.anew
        else:
            took = time.monotonic() - began
            log.info("big scopes have a graph, after %.0f s", took)
            self._not_before = time.monotonic() + pace.rest * took

    def _grow(self, pace: Pace, stop: threading.Event) -> None:
        old, info = self._handle.shard(), self._handle.info()
        if info is None:
            raise _StoppedError
        graphed = old.in_big_scopes(pace.big)
        _require_copies(old.path)
        path = self._copy(pace, stop)
        try:
            _build(path, info.size, pace.big, stop)
            self._calm(pace, stop)
            new = Shard.load(path)
            while len(refs := self._noted(old)) > LAST:
                for start in range(0, len(refs), BATCH):
                    _wait(stop, PAUSE)
                    new.follow(old, refs[start : start + BATCH])
            new.follow(old, refs)
        except BaseException:
            old.note_no_more()
            drop(path)
            raise
        try:
            with self._handle.alone():
                new.follow(old, [*old.note()])
                taken = self._handle.exchange(old, new, graphed)
        finally:
            old.note_no_more()
        if not taken:
            drop(path)
            raise IndexUnavailableError(f"the copy {str(path)!r} is not like its original")
        before = old.path
        del old  # so that it closes before its files go
        drop(before)

    def _noted(self, old: Shard) -> list[PointRef]:
        with self._handle.alone():
            return [*old.note()]

    def _copy(self, pace: Pace, stop: threading.Event) -> Path:
        for left in reversed(range(pace.tries)):
            self._calm(pace, stop)
            path = self._handle.copied(stop, yielding=left > 0)
            if path is not None:
                return path
            _wait(stop, 0.0)
        raise _StoppedError

    def _calm(self, pace: Pace, stop: threading.Event) -> None:
        until = time.monotonic() + pace.patience
        while self._handle.idle < pace.calm and time.monotonic() < until:
            _wait(stop, POLL)


def _wait(stop: threading.Event, seconds: float) -> None:
    if stop.wait(seconds):
        raise _StoppedError


def _build(path: Path, size: int, big: int, stop: threading.Event) -> None:
    """Let another process build the graphs of the shard in ``path``.

    Raises:
        IndexUnavailableError: it failed.
    """
    arguments = [str(path), str(size), str(big), str(os.getpid())]
    program = [sys.executable, "-P", "-m", build.__name__, *arguments]
    quiet = subprocess.DEVNULL
    with subprocess.Popen(  # noqa: S603 - this Python, and nothing that anybody gave
        program, stdin=quiet, stdout=quiet, stderr=subprocess.PIPE
    ) as process:
        try:
            while process.poll() is None:
                _wait(stop, POLL)
        except BaseException:
            process.kill()
            raise
        said = b"" if process.stderr is None else process.stderr.read()
    if process.returncode:
        last = said.decode(errors="replace").strip().rpartition("\n")[2]
        raise IndexUnavailableError(f"the process that builds graphs failed: {last}")


def _require_copies(shard: Path) -> None:
    """Check that the disk has room for a copy and what is built from it.

    Raises:
        IndexUnavailableError: it has not.
    """
    size = sum(path.stat().st_size for path in shard.rglob("*") if path.is_file())
    if shutil.disk_usage(shard).free < COPIES * size + ROOM:
        raise IndexUnavailableError(
            f"the disk has not {COPIES} times the room of {str(shard)!r} to build beside it"
        )
