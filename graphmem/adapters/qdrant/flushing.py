"""Flushing what was written to disk a while later, so that nobody waits for it."""

from __future__ import annotations

import logging
import threading
from typing import Protocol

from graphmem.errors import IndexUnavailableError

log = logging.getLogger(__name__)

AFTER = 5.0
"""Seconds until what was written is flushed. A killed process loses nothing anyway; a power cut
loses at most this, which verify finds and repair mends."""


class OnDisk(Protocol):
    """What can be flushed, such as a shard."""

    def flush(self) -> None:
        """Write to disk what a power cut would lose."""
        ...


class Flushing:
    """Flushes the shards of one folder; writes go on meanwhile."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._due: set[OnDisk] = set()
        self._stop = threading.Event()
        self._threads: list[threading.Thread] = []
        self._ended = False

    def soon(self, shard: OnDisk) -> None:
        """Flush a shard in a while, with all that is written to it until then."""
        with self._guard:
            waiting = bool(self._due)
            self._due.add(shard)
            if waiting or self._ended:
                return
            self._threads = [thread for thread in self._threads if thread.is_alive()]
            thread = threading.Thread(
                target=self._run, args=(self._stop,), name="graphmem-flush", daemon=True
            )
            self._threads.append(thread)
            thread.start()

    def stop(self, *, for_good: bool = False) -> None:
        """Flush nothing of what was written so far; returns when nothing is being flushed."""
        with self._guard:
            self._ended = self._ended or for_good
            self._stop.set()
            self._stop = threading.Event()
            self._due.clear()
            threads, self._threads = self._threads, []
        for thread in threads:
            thread.join()

    def _run(self, stop: threading.Event) -> None:
        stop.wait(AFTER)
        with self._guard:
            if stop.is_set():
                return
            # What is written from now on is flushed by the next.
            due, self._due = self._due, set()
        for shard in due:
            try:
                shard.flush()
            except IndexUnavailableError as error:
                log.warning("what was written to the index is not flushed yet: %s", error)
