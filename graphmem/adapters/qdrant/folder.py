"""The folder of an index: numbered shards and a file that says which one counts.

::

    INDEX/
      current.json    {"shard": "shard-2", "embedder": "…", "size": 384, "version": 1,
                  "graphed": 0}
      lock            held by the process that has the index open
      shard-2/        the index
      shard-3/        one being built beside it, or what is left of one; dropped at the next open

A shard takes the other's place by one rename of ``current.json``: at once or not at all.
"""

from __future__ import annotations

import json
import logging
import os
import shutil
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from graphmem.errors import IndexUnavailableError
from graphmem.ports.vector_index import IndexInfo

log = logging.getLogger(__name__)

CURRENT = "current.json"
ROOM = 128 * 2**20
"""Free bytes below which nothing is opened or written. The engine writes through memory maps of
sparse files, and opening alone may fill some 90 MB of their holes: on a full disk the system would
end the process in the middle of it."""

ENDING = (0.0, 0.05, 0.2, 0.5)
"""Seconds before each try to remove a folder. A process that was killed while it built graphs has a
child that writes there and ends a moment after it."""


@dataclass(frozen=True, slots=True)
class Current:
    """Which shard counts, and what it was made with.

    ``graphed`` points were in big scopes when graphs were last built in it.
    """

    shard: str
    info: IndexInfo
    graphed: int = 0


def require_room(folder: Path) -> None:
    """Check that the disk has room for what the engine writes next.

    Raises:
        IndexUnavailableError: it has less than ``ROOM``.
    """
    if shutil.disk_usage(folder).free < ROOM:
        raise IndexUnavailableError(
            f"the disk of the vector index in {str(folder)!r} has less than "
            f"{ROOM // 2**20} MB left; make room"
        )


def read_current(folder: Path) -> Current | None:
    """Return what ``current.json`` says; None if there is no index yet.

    Raises:
        IndexUnavailableError: it cannot be read.
    """
    try:
        row: Any = json.loads((folder / CURRENT).read_bytes())  # Any: what a file holds
        return Current(
            str(row["shard"]),
            IndexInfo(str(row["embedder"]), int(row["size"]), int(row["version"])),
            int(row.get("graphed", 0)),
        )
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise IndexUnavailableError(
            f"{str(folder / CURRENT)!r} is damaged ({error!r}); rebuild the index from the graph "
            "with reindex"
        ) from error


def write_current(folder: Path, current: Current) -> None:
    """Let ``current`` count from now on."""
    info = current.info
    row = {
        "shard": current.shard,
        "embedder": info.embedder,
        "size": info.size,
        "version": info.version,
        "graphed": current.graphed,
    }
    draft = folder / f"{CURRENT}.new"
    with draft.open("w", encoding="utf-8") as file:
        json.dump(row, file)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(folder / CURRENT)
    _sync_names(folder)


def _sync_names(folder: Path) -> None:
    """Have a renamed file survive a power cut before what it took the place of is removed."""
    if os.name == "nt":
        return  # it has no handles of folders to sync
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def next_shard(folder: Path, current: Current | None) -> Path:
    """Return the path of a shard that is not there yet, and is not taken for the ``current`` one,
    which may be missing.
    """
    names = {path.name for path in _shards(folder)}
    if current is not None:
        names.add(current.shard)
    numbers = [int(name[6:]) for name in names if name[6:].isdecimal()]
    return folder / f"shard-{max(numbers, default=0) + 1}"


def drop(shard: Path) -> bool:
    """Remove a shard's folder; False if the system keeps a file of it for now."""
    for seconds in ENDING:
        time.sleep(seconds)
        shutil.rmtree(shard, ignore_errors=True)
        if not shard.exists():
            return True
    log.warning("an old index folder could not be removed yet: %s", shard)
    return False


def drop_others(folder: Path, keep: str | None) -> bool:
    """Remove every shard but ``keep``: what was cut off before it counted, or no longer does."""
    gone = [drop(path) for path in _shards(folder) if path.name != keep]
    return all(gone)


def _shards(folder: Path) -> list[Path]:
    return sorted(folder.glob("shard-*"))
