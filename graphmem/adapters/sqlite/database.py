"""Connections to one file: a writer behind a lock, readers in a pool."""

from __future__ import annotations

import logging
import os
import sqlite3
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

from graphmem.adapters.sqlite.errors import closed, translated
from graphmem.adapters.sqlite.filters import register
from graphmem.adapters.sqlite.migration import migrate
from graphmem.errors import StoreCorruptError, StoreUnavailableError
from graphmem.ports.clock import Clock

log = logging.getLogger(__name__)

Synchronous = Literal["FULL", "NORMAL"]

Version = tuple[int, int]
"""How many rows this process has changed, and SQLite's own number, which others' writes change."""

_IDLE_READERS = 8
_LOG_PAGES = 4000
"""Pages of the write-ahead log that are moved into the file together; 16 MB. An added turn writes
some 70, many of them again and again, so that this is done for few turns and for few pages. The log
finds its pages by a table for each 4,000."""


class Database:
    """The connections; every method may be called from any thread.

    Readers see the last committed state and never wait for the writer (write-ahead log). One
    thread at a time writes; other processes are kept out by ``BEGIN IMMEDIATE``.
    """

    def __init__(
        self, path: Path, clock: Clock, *, busy_timeout: float, synchronous: Synchronous
    ) -> None:
        self.path = path
        self._busy_timeout = busy_timeout
        self._synchronous: Synchronous = synchronous
        self._write_lock = threading.Lock()
        self._pool_lock = threading.Lock()
        self._idle: list[sqlite3.Connection] = []
        self._later: list[tuple[str, dict[str, str]]] = []
        self._closed = False
        _touch(path)
        with translated(path):
            self._writer = self._connect()
            try:
                self._prepare(self._writer, clock)
            except BaseException:
                self._writer.close()
                raise

    @contextmanager
    def reading(self) -> Generator[sqlite3.Connection]:
        """Give a connection inside one read transaction."""
        with translated(self.path):
            connection = self._take()
            try:
                connection.execute("BEGIN")
                yield connection
            finally:
                self._give_back(connection)

    @contextmanager
    def looking(self) -> Generator[sqlite3.Connection]:
        """Do the same before a write, on the writer's connection if that is free.

        It has the pages that it wrote; a reader has to find each page anew that was written since.
        """
        if not self._write_lock.acquire(blocking=False):
            with self.reading() as connection:
                yield connection
            return
        try:
            with translated(self.path):
                if self._closed:
                    raise closed(self.path)
                self._writer.execute("BEGIN")
                try:
                    yield self._writer
                finally:
                    if self._writer.in_transaction:
                        self._writer.rollback()
        finally:
            self._write_lock.release()

    @contextmanager
    def writing(self, *, durable: bool = True) -> Generator[sqlite3.Connection]:
        """Give the writer inside one transaction; commit it, or roll it back on any error.

        What is not ``durable`` may be lost by a power cut, as nothing else of the file is.
        """
        with translated(self.path), self._locked() as connection:
            hurried = not durable and self._synchronous == "FULL"
            if hurried:
                connection.execute("PRAGMA synchronous = NORMAL")
            try:
                connection.execute("BEGIN IMMEDIATE")
                put_off = [*self._later]
                for statement, values in put_off:
                    connection.execute(statement, values)
                yield connection
                connection.execute("COMMIT")
                del self._later[: len(put_off)]
            finally:
                if connection.in_transaction:
                    connection.rollback()
                if hurried:
                    connection.execute("PRAGMA synchronous = FULL")

    def later(self, statement: str, values: dict[str, str]) -> None:
        """Let the next write run a statement too: a transaction of its own costs more.

        If the process ends before, it was never run.
        """
        self._later.append((statement, values))

    @property
    def behind(self) -> bool:
        """Whether there are statements for the next write."""
        return bool(self._later)

    def catch_up(self) -> None:
        """Run what was left for the next write."""
        if self._later:
            with self.writing(durable=False):
                pass

    def version(self) -> Version:
        """Return what tells whether anybody has written since; inside ``writing``."""
        others = self._writer.execute("PRAGMA data_version").fetchone()[0]
        return self._writer.total_changes, others

    def standing(self) -> Version | None:
        """Return the version outside of ``writing``, waiting for nobody; None while somebody
        writes."""
        if not self._write_lock.acquire(blocking=False):
            return None
        try:
            return None if self._closed else self.version()
        except sqlite3.Error:
            return None
        finally:
            self._write_lock.release()

    def is_still(self, version: Version) -> bool:
        """Whether nobody has written since, in this process or another; waits for nobody.

        False too while somebody writes.
        """
        return self.standing() == version

    @contextmanager
    def alone(self) -> Generator[sqlite3.Connection]:
        """Give the writer outside of a transaction, for maintenance."""
        with translated(self.path), self._locked() as connection:
            yield connection

    @property
    def closed(self) -> bool:
        """Whether it was closed."""
        return self._closed

    def close(self) -> None:
        """Close all connections, after the running write; safe to call twice."""
        with self._write_lock:
            with self._pool_lock:
                self._closed = True
                idle, self._idle = self._idle, []
            for connection in (*idle, self._writer):
                connection.close()

    @contextmanager
    def _locked(self) -> Generator[sqlite3.Connection]:
        if not self._write_lock.acquire(timeout=self._busy_timeout):
            raise StoreUnavailableError(
                f"the store {str(self.path)!r} is busy: other writes of this process took longer "
                f"than {self._busy_timeout:g} s; try again, or raise the busy timeout"
            )
        try:
            if self._closed:
                raise closed(self.path)
            yield self._writer
        finally:
            self._write_lock.release()

    def _take(self) -> sqlite3.Connection:
        with self._pool_lock:
            if self._closed:
                raise closed(self.path)
            if self._idle:
                return self._idle.pop()
        connection = self._connect()
        connection.execute("PRAGMA query_only = ON")
        # Scattered rows are read faster where their pages need no copying; 256 MB of address space.
        connection.execute("PRAGMA mmap_size = 268435456")
        return connection

    def _give_back(self, connection: sqlite3.Connection) -> None:
        if connection.in_transaction:
            connection.rollback()
        with self._pool_lock:
            if not self._closed and len(self._idle) < _IDLE_READERS:
                self._idle.append(connection)
                return
        connection.close()

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(
            self.path,
            timeout=self._busy_timeout,
            isolation_level=None,  # transactions are begun and ended here, never by the driver
            check_same_thread=False,
            cached_statements=256,
        )
        connection.row_factory = sqlite3.Row
        register(connection)
        connection.execute("PRAGMA foreign_keys = ON")
        # Sorting must not spill words into temporary files.
        connection.execute("PRAGMA temp_store = MEMORY")
        return connection

    def _prepare(self, connection: sqlite3.Connection, clock: Clock) -> None:
        connection.execute("PRAGMA secure_delete = ON")
        # Removing keywords touches pages all over their table; 32 MB hold those of most memories.
        connection.execute("PRAGMA cache_size = -32768")
        connection.execute(f"PRAGMA wal_autocheckpoint = {_LOG_PAGES:d}")
        if self._synchronous == "NORMAL":
            connection.execute("PRAGMA synchronous = NORMAL")
        else:
            connection.execute("PRAGMA synchronous = FULL")
            # On macOS fsync leaves the disk's own cache as it is; elsewhere this changes nothing.
            connection.execute("PRAGMA fullfsync = ON")
        migrate(connection, self.path, clock, self._use_wal)

    def _use_wal(self, connection: sqlite3.Connection) -> None:
        # SQLite calls no busy handler while the journal mode changes, so two processes that
        # create the file at once would fail without this loop.
        deadline = time.monotonic() + self._busy_timeout
        while True:
            try:
                connection.execute("PRAGMA journal_mode = WAL")
            except sqlite3.OperationalError:
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.01)
            else:
                return


def _touch(path: Path) -> None:
    """Create the file readable by its owner alone; SQLite gives its side files the same rights.

    Raises:
        StoreUnavailableError: neither the file nor its folder can be made.
        StoreCorruptError: its log is here, and the file is missing or empty.
    """
    _refuse_lost(path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    except FileExistsError as error:
        if path.exists():
            return
        raise _cannot_make(path, error) from error
    except OSError as error:
        raise _cannot_make(path, error) from error
    log.info("created the graph store %s", path)


def _refuse_lost(path: Path) -> None:
    # SQLite drops a log that belongs to no file, and what it held, without a word.
    if _size(path.with_name(f"{path.name}-wal")) and not _size(path):
        raise StoreCorruptError(
            f"the store {str(path)!r} is missing or empty, and its log lies beside it; put the "
            "file back from a backup, or move the log away to begin anew"
        )


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


def _cannot_make(path: Path, error: OSError) -> StoreUnavailableError:
    return StoreUnavailableError(
        f"the store {str(path)!r} cannot be made ({error.strerror}: {error.filename!r}); choose a "
        "folder that can be written"
    )
