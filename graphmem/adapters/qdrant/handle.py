"""One open index folder a process, shared by whoever in the process uses it."""

from __future__ import annotations

import atexit
import os
import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import replace
from itertools import islice
from pathlib import Path

from graphmem.adapters.qdrant.copying import copy
from graphmem.adapters.qdrant.flushing import Flushing
from graphmem.adapters.qdrant.folder import (
    Current,
    drop,
    drop_others,
    next_shard,
    read_current,
    require_room,
    write_current,
)
from graphmem.adapters.qdrant.growth import Growth
from graphmem.adapters.qdrant.lock import FolderLock
from graphmem.adapters.qdrant.shard import PAGE, Shard
from graphmem.errors import IndexUnavailableError
from graphmem.ports.vector_index import IndexInfo

LOOK_EVERY = 5.0
"""Seconds between looks, while it is used, at whether big scopes need their graphs built."""
RETRY_AFTER = 1.0
"""Seconds before a folder that could not be read is read again."""


class Handle:
    """Holds a folder's lock and its shards; blocking, usable from any thread.

    Reads run beside each other and beside a write; writes run one at a time. A folder that is
    damaged stays held, so that it can be rebuilt.

    Raises:
        IndexUnavailableError: another process holds the folder.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.owners: set[object] = set()
        self._lock = FolderLock(folder)
        self._writing = threading.RLock()
        self._waiting: set[object] = set()
        self._used = self._looked = time.monotonic()
        self.growth = Growth(self)
        self._current: Current | None = None
        self._shard: Shard | None = None
        self._beside: tuple[Shard, IndexInfo] | None = None
        self._broken: str | None = None
        self._flushing = Flushing()
        self._tried = time.monotonic()
        self._open()

    def _open(self) -> None:
        self._tried = time.monotonic()
        try:
            self._current = read_current(self.folder)
            if self._current is not None:
                require_room(self.folder)
                self._shard = Shard.load(self.folder / self._current.shard)
        except IndexUnavailableError as error:
            self._broken = str(error)
        else:
            self._broken = None
            if self._beside is None and not self.growth.going_on:
                drop_others(self.folder, None if self._current is None else self._current.shard)

    def info(self) -> IndexInfo | None:
        """Return what the index was made with; None if there is none yet."""
        if self._due():
            with self.alone():
                if self._due():
                    self._open()
        if self._broken is not None:
            raise IndexUnavailableError(self._broken)
        return None if self._current is None else self._current.info

    def _due(self) -> bool:
        return self._broken is not None and time.monotonic() - self._tried > RETRY_AFTER

    def shard(self, *, beside: bool = False) -> Shard:
        """Return the shard that counts, or the one being built; it lives while it is used."""
        if beside:
            return self._built()[0]
        self.info()
        if self._shard is None:
            raise IndexUnavailableError(
                f"the vector index in {str(self.folder)!r} is closed, or not yet made"
            )
        self._used = now = time.monotonic()
        if now - self._looked > LOOK_EVERY:
            self._looked = now
            self.growth.look()
        return self._shard

    def _built(self) -> tuple[Shard, IndexInfo]:
        if self._beside is None:
            raise IndexUnavailableError(
                f"no index is being built beside the one in {str(self.folder)!r}"
            )
        return self._beside

    def create(self, info: IndexInfo) -> None:
        """Make an empty index, if there is none."""
        with self.alone():
            if self.info() is None:
                require_room(self.folder)
                self._take(Shard.create(next_shard(self.folder, self._current), info.size), info)

    def write(self, work: Callable[[Shard], None], *, beside: bool = False) -> None:
        """Run ``work`` on a shard while nobody else writes."""
        with self.alone():
            shard = self.shard(beside=beside)
            require_room(self.folder)
            work(shard)
            self._flushing.soon(shard)

    @contextmanager
    def alone(self) -> Generator[None]:
        """Write while nobody else does."""
        me = object()
        self._waiting.add(me)
        try:
            self._writing.acquire()
        finally:
            self._waiting.discard(me)
        try:
            yield
        finally:
            self._writing.release()

    @property
    def idle(self) -> float:
        """For how many seconds nobody has used the shard that counts."""
        return time.monotonic() - self._used

    def beyond_graphs(self, points: int) -> int:
        """Return how many of the ``points`` of big scopes came after graphs were last built."""
        current = self._current
        if current is None:
            return 0
        if points < current.graphed:
            # Some were removed, and as many that come now have no graph.
            current = self._current = replace(current, graphed=points)
        return points - current.graphed

    def copied(self, stop: threading.Event, *, yielding: bool) -> Path | None:
        """Copy the shard that counts, which notes what is written to it from then on.

        Return None if it was told to stop, or gave way to a writer where it is ``yielding``.
        """
        with self.alone():
            shard = self._shard
            if shard is None:
                return None
            shard.flush()
            path = next_shard(self.folder, self._current)
            whole = False
            try:
                whole = copy(
                    shard.path, path, lambda: stop.is_set() or (yielding and bool(self._waiting))
                )
            finally:
                if not whole:
                    drop(path)
            if whole:
                shard.note()
            return path if whole else None

    def exchange(self, old: Shard, new: Shard, graphed: int) -> bool:
        """Let a copy of the shard that counts take its place; the caller keeps writers off.

        False if it is not like it.
        """
        info = self.info()
        if info is None or self._shard is not old or new.count() != old.count():
            return False
        self._count(new, info, graphed)
        return True

    def begin(self, info: IndexInfo) -> None:
        """Start an empty shard beside; what an earlier try left goes."""
        with self.alone():
            self._abandon()
            require_room(self.folder)
            self._beside = Shard.create(next_shard(self.folder, self._current), info.size), info

    def switch(self) -> None:
        """Let the shard beside count from now on."""
        with self.growth.barred(), self.alone():
            self._take(*self._built())
            self._beside = None
            drop_others(self.folder, None if self._current is None else self._current.shard)
        self.growth.look()

    def compact(self) -> bool:
        """Write the index anew from its live points; True once nothing else is left."""
        with self.growth.barred(), self.alone():
            clean = self._compact()
        self.growth.look()
        return clean

    def _compact(self) -> bool:
        old, info = self.shard(), self.info()
        if info is None:
            return True
        path = next_shard(self.folder, self._current)
        try:
            require_room(self.folder)
            new = Shard.create(path, info.size)
            points = old.scroll()
            while batch := list(islice(points, PAGE)):
                new.upsert(batch)
        except IndexUnavailableError:
            drop(path)
            raise
        del old, points  # so that it closes before its files go
        return self._take(new, info)

    def _take(self, shard: Shard, info: IndexInfo) -> bool:
        """Let ``shard`` count; return whether all of the one before is gone."""
        before = None if self._current is None else self.folder / self._current.shard
        self._count(shard, info)
        return before is None or drop(before)

    def _count(self, shard: Shard, info: IndexInfo, graphed: int = 0) -> None:
        self._flushing.stop()
        shard.flush()
        current = Current(shard.path.name, info, graphed)
        write_current(self.folder, current)
        # The one before is not closed here: readers may still use it. It closes with its last
        # reference.
        self._shard, self._current, self._broken = shard, current, None

    def _abandon(self) -> None:
        if self._beside is not None:
            path = self._beside[0].path
            self._beside = None
            self._flushing.stop()
            drop(path)
            if self._shard is not None:
                self._flushing.soon(self._shard)

    def flush_no_more(self) -> None:
        """Let nothing be flushed in the background; close does it."""
        self._flushing.stop(for_good=True)

    def close(self) -> None:
        """Flush and let go of the folder."""
        with self.growth.barred(), self.alone():
            self._flushing.stop(for_good=True)
            self._abandon()
            shard, self._shard = self._shard, None
            try:
                if shard is not None:
                    shard.close()
            finally:
                self._lock.release()


_guard = threading.Lock()
_handles: dict[Path, Handle] = {}
_inherited: list[Handle] = []


def _after_fork() -> None:
    # The parent's handles are not ours: the engine's threads are not here, the lock is not held,
    # and dropping them would write to the parent's files. They are kept and never used. The guard
    # may have been held by a thread that is gone.
    global _guard, _handles
    _inherited.extend(_handles.values())
    _guard, _handles = threading.Lock(), {}


@atexit.register
def _before_exit() -> None:
    # A thread inside the engine while the interpreter ends would take the process down with it.
    for handle in [*_handles.values()]:
        handle.flush_no_more()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


def acquire(folder: Path, owner: object) -> Handle:
    """Return this process's handle on ``folder`` for ``owner``, who gives it back once."""
    key = folder.resolve()
    with _guard:
        handle = _handles.get(key)
        if handle is None:
            handle = _handles[key] = Handle(key)
        handle.owners.add(owner)
        return handle


def release(handle: Handle, owner: object) -> None:
    """Give a handle back; the last owner closes it. After a fork it is only forgotten."""
    with _guard:
        if not is_ours(handle):
            return
        handle.owners.discard(owner)
        if not handle.owners:
            del _handles[handle.folder]
            handle.close()


def is_ours(handle: Handle) -> bool:
    """Say whether a handle was opened by this process, and not before a fork."""
    return _handles.get(handle.folder) is handle
