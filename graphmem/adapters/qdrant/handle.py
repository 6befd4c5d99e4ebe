"""One open index folder a process, shared by whoever in the process uses it."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from itertools import islice
from pathlib import Path

from graphmem.adapters.qdrant.folder import (
    Current,
    drop,
    drop_others,
    next_shard,
    read_current,
    require_room,
    write_current,
)
from graphmem.adapters.qdrant.lock import FolderLock
from graphmem.adapters.qdrant.shard import PAGE, Shard
from graphmem.errors import IndexUnavailableError
from graphmem.ports.vector_index import IndexInfo

FLUSH_EVERY = 5.0
"""Seconds between flushes while points are written. A killed process loses nothing anyway; a power
cut loses at most this, which verify finds and repair mends."""
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
        self._current: Current | None = None
        self._shard: Shard | None = None
        self._beside: tuple[Shard, IndexInfo] | None = None
        self._broken: str | None = None
        self._flushed = self._tried = time.monotonic()
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
            if self._beside is None:
                drop_others(self.folder, None if self._current is None else self._current.shard)

    def info(self) -> IndexInfo | None:
        """Return what the index was made with; None if there is none yet."""
        if self._due():
            with self._writing:
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
        return self._shard

    def _built(self) -> tuple[Shard, IndexInfo]:
        if self._beside is None:
            raise IndexUnavailableError(
                f"no index is being built beside the one in {str(self.folder)!r}"
            )
        return self._beside

    def create(self, info: IndexInfo) -> None:
        """Make an empty index, if there is none."""
        with self._writing:
            if self.info() is None:
                require_room(self.folder)
                self._take(Shard.create(next_shard(self.folder, self._current), info.size), info)

    def write(self, work: Callable[[Shard], None], *, beside: bool = False) -> None:
        """Run ``work`` on a shard while nobody else writes."""
        with self._writing:
            shard = self.shard(beside=beside)
            require_room(self.folder)
            work(shard)
            if time.monotonic() - self._flushed > FLUSH_EVERY:
                shard.flush()
                self._flushed = time.monotonic()

    def begin(self, info: IndexInfo) -> None:
        """Start an empty shard beside; what an earlier try left goes."""
        with self._writing:
            self._abandon()
            require_room(self.folder)
            self._beside = Shard.create(next_shard(self.folder, self._current), info.size), info

    def switch(self) -> None:
        """Let the shard beside count from now on."""
        with self._writing:
            self._take(*self._built())
            self._beside = None
            drop_others(self.folder, None if self._current is None else self._current.shard)

    def compact(self) -> bool:
        """Write the index anew from its live points; True once nothing else is left."""
        with self._writing:
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
        shard.flush()
        write_current(self.folder, Current(shard.path.name, info))
        before = None if self._current is None else self.folder / self._current.shard
        # Not closed here: readers may still use it. It closes with its last reference.
        self._shard, self._current, self._broken = shard, Current(shard.path.name, info), None
        return before is None or drop(before)

    def _abandon(self) -> None:
        if self._beside is not None:
            path = self._beside[0].path
            self._beside = None
            drop(path)

    def close(self) -> None:
        """Flush and let go of the folder."""
        with self._writing:
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
