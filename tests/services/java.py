"""Finds a Java that is new enough, wherever it lies."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path

_JAVA = "java.exe" if os.name == "nt" else "java"


@cache
def find_java(least: int) -> Path | None:
    """Return the oldest Java of version ``least`` or later, or None.

    Looked at are ``JAVA_HOME`` and variables that begin so (``JAVA_HOME_21_X64``), the ``java`` of
    the path, and those that lie beside one of these.
    """
    versions = {path: version_of(path) for path in _found()}
    enough = sorted((v, str(path)) for path, v in versions.items() if v >= least)
    return Path(enough[0][1]) if enough else None


def _found() -> set[Path]:
    homes = [Path(value) for name, value in os.environ.items() if name.startswith("JAVA_HOME")]
    if java := shutil.which("java"):
        homes.append(Path(java).resolve().parent.parent)
    return {path.resolve() for home in homes for path in (home / "bin" / _JAVA, *_beside(home))}


def _beside(home: Path) -> Iterator[Path]:
    yield from home.resolve().parent.glob(f"*/bin/{_JAVA}")
    # As macOS lays them out: Contents, a home, and in it bin.
    yield from home.resolve().parent.glob(f"*/Contents/*/bin/{_JAVA}")


def version_of(java: Path) -> int:
    """Return the version of a Java, 0 if it has none."""
    note = java.parent.parent / "release"
    if note.is_file():
        text = note.read_text(encoding="utf-8", errors="replace")
        found = re.search(r'^JAVA_VERSION="(\d+)', text, re.M)
    elif java.is_file():
        done = subprocess.run([java, "-version"], capture_output=True, text=True, check=False)
        found = re.search(r'version "(\d+)', done.stderr)
    else:
        return 0
    return int(found[1]) if found else 0
