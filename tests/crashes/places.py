"""Memories in broken places: one that is whole to begin with, and processes without rights."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

from graphmem import Memory
from graphmem.testing.embedders import HashEmbedder
from tests.crashes.trials import sparsely

GRAPH = "graph.sqlite3"
SAID = (
    "I live in Riga.",
    "I'm allergic to mango.",
    "我在松木公司工作。",
    "I collect maps, and I've been to Turku.",
)


def furnished(folder: Path) -> None:
    """Make a memory of ana's with an index."""
    with opened(folder) as memory:
        memory.add(list(SAID), user="ana", session="s", occurred_at="2025-03-01T10:00:00Z")
        assert memory.verify().clean


def opened(folder: Path, size: int = 64) -> Memory:
    """Open a memory with a cheap embedder."""
    return Memory(folder, embedder=HashEmbedder(size))


def copied(source: Path, target: Path) -> Path:
    """Copy a memory, holes and all."""
    shutil.copytree(source, target, copy_function=sparsely)
    return target


def in_child(script: str, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Run a script in a process of its own."""
    return subprocess.run(
        [sys.executable, "-c", script, *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def without_rights(script: str, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Run a script in a process for which the rights of files count, even if we are root."""
    return subprocess.run(
        [sys.executable, "-c", f"{_DROP}{script}", *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


# Root reads and writes what the rights forbid by two capabilities; a new program has them no more
# once they left the bounding set.
_DROP = """
import ctypes, os, sys
if hasattr(os, "geteuid") and os.geteuid() == 0 and sys.argv[1] != "dropped":
    for capability in (1, 2):
        assert ctypes.CDLL(None).prctl(24, capability, 0, 0, 0) == 0
    os.execv(sys.executable, [*sys.orig_argv[:3], "dropped", *sys.argv[1:]])
sys.argv[1:] = [one for one in sys.argv[1:] if one != "dropped"]
"""
