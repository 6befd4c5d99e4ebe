"""The one place where sqlite3's errors become ours."""

from __future__ import annotations

import sqlite3
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from graphmem.errors import (
    InputError,
    RefusedError,
    StoreCorruptError,
    StoreError,
    StoreUnavailableError,
)

_CORRUPT = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})
_WAY_OUT = {
    sqlite3.SQLITE_BUSY: "another connection holds it longer than the busy timeout; try again, or "
    "raise the timeout",
    sqlite3.SQLITE_LOCKED: "it is locked; try again",
    sqlite3.SQLITE_FULL: "the disk is full; free some space and try again",
    sqlite3.SQLITE_READONLY: "it cannot be written; check its permissions and those of its folder",
    sqlite3.SQLITE_CANTOPEN: "it cannot be opened; check that the folder exists and may be written",
    sqlite3.SQLITE_PERM: "access was denied; check its permissions",
    sqlite3.SQLITE_AUTH: "access was denied; check its permissions",
    sqlite3.SQLITE_IOERR: "reading or writing it failed; check the disk and try again",
    sqlite3.SQLITE_NOMEM: "memory ran out; try again",
    sqlite3.SQLITE_INTERRUPT: "the call was interrupted; try again",
    sqlite3.SQLITE_PROTOCOL: "its lock could not be taken; try again",
}


def translate(error: Exception, path: Path) -> Exception:
    """Return our error for one that sqlite3 raised while working on ``path``."""
    if isinstance(error, OverflowError):
        return InputError(f"an integer is beyond what the store {str(path)!r} can hold: {error}")
    if isinstance(error, UnicodeEncodeError):
        return InputError(f"a text cannot be written as UTF-8 to the store {str(path)!r}: {error}")
    code = getattr(error, "sqlite_errorcode", None)
    primary = code & 0xFF if isinstance(code, int) else None
    if primary in _CORRUPT:
        return StoreCorruptError(
            f"the store {str(path)!r} is damaged or is not a graphmem store ({error}); restore it "
            "from an export or a backup, or choose another path"
        )
    if primary in _WAY_OUT:
        return StoreUnavailableError(
            f"the store {str(path)!r} is not available ({error}): {_WAY_OUT[primary]}"
        )
    if primary == sqlite3.SQLITE_CONSTRAINT:
        return RefusedError(f"the change breaks a rule of the store: {error}")
    if isinstance(error, sqlite3.ProgrammingError) and "closed" in str(error):
        return closed(path)
    return StoreError(f"the store {str(path)!r} failed: {error}")


def closed(path: Path) -> StoreUnavailableError:
    """Return the error of a store that was closed."""
    return StoreUnavailableError(f"the store {str(path)!r} is closed; open it again")


@contextmanager
def translated(path: Path) -> Generator[None]:
    """Raise our errors in place of sqlite3's."""
    try:
        yield
    except (sqlite3.Error, OverflowError, UnicodeEncodeError) as error:
        raise translate(error, path) from error
