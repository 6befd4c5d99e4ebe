"""What a process asks of the system for itself."""

from __future__ import annotations

import ctypes
import os
import signal
import sys

_PARENT_GONE = 1  # PR_SET_PDEATHSIG


def end_with_parent(parent: int) -> None:
    """Have the system end this process with its ``parent`` (the id of the process that started
    it), where it can (Linux); elsewhere it ends later.

    Raises:
        SystemExit: the parent was gone before it could be asked.
    """
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PARENT_GONE, signal.SIGKILL)
    if hasattr(os, "getppid") and os.getppid() != parent:
        sys.exit(f"the process {parent} that wanted this one is gone")
