"""A lock on a folder that ends with its process, however that ends."""

from __future__ import annotations

import errno
import os
import sys
from pathlib import Path

from graphmem.errors import IndexUnavailableError

if sys.platform == "win32":
    import msvcrt

    def _take(descriptor: int) -> None:
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _take(descriptor: int) -> None:
        # Of the process, not of the open file: a forked child does not keep it alive.
        fcntl.lockf(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


class FolderLock:
    """Holds a folder for this process, until ``release`` or the end of the process.

    A process must not take the same lock twice: the system lets it, and ends both with the first.

    Raises:
        IndexUnavailableError: another process holds it, or the folder cannot be written.
    """

    def __init__(self, folder: Path) -> None:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._descriptor = os.open(folder / "lock", os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            raise IndexUnavailableError(_why(folder, error)) from error
        try:
            _take(self._descriptor)
        except OSError as error:
            os.close(self._descriptor)
            raise IndexUnavailableError(
                f"the vector index in {str(folder)!r} is held by another process; reads go on "
                "without it, and it is taken over when that process ends"
            ) from error

    def release(self) -> None:
        """Let go of it."""
        os.close(self._descriptor)


def _why(folder: Path, error: OSError) -> str:
    if isinstance(error, (FileExistsError, NotADirectoryError)):
        way_out = "a file is in its place; move it away, and the index is made anew"
    elif isinstance(error, PermissionError) or error.errno == errno.EROFS:
        way_out = "this process may not write there; give it the right, or open a copy"
    elif error.errno in (errno.ENOSPC, errno.EDQUOT):
        way_out = "the disk is full; make room"
    else:
        way_out = "check the disk, or move it away and have the index made anew"
    return (
        f"the vector index in {str(folder)!r} cannot be opened ({error.strerror}): {way_out}; "
        "until then reads go on without it"
    )
