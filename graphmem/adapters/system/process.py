"""What a process asks of the system for itself."""

from __future__ import annotations

import ctypes
import signal
import sys

_PARENT_GONE = 1  # PR_SET_PDEATHSIG


def end_with_parent() -> None:
    """Have the system end this process with its parent, where it can (Linux); elsewhere it ends
    later."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PARENT_GONE, signal.SIGKILL)
