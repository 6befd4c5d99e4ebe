"""Copying a shard's folder, giving way to whoever needs the shard meanwhile."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

BLOCK = 2**20
_HOLE = bytes(BLOCK)


def copy(source: Path, target: Path, give_way: Callable[[], bool]) -> bool:
    """Copy a folder to the new folder ``target``; False once it must give way, half done.

    Nobody may write to ``source`` meanwhile. Holes stay holes: the engine's files are mostly such.
    """
    for path in sorted(source.rglob("*")):
        place = target / path.relative_to(source)
        if path.is_dir():
            place.mkdir(parents=True, exist_ok=True)
        else:
            place.parent.mkdir(parents=True, exist_ok=True)
            if not _copied(path, place, give_way):
                return False
    return True


def _copied(source: Path, target: Path, give_way: Callable[[], bool]) -> bool:
    with source.open("rb", buffering=0) as old, target.open("wb") as new:
        while block := old.read(BLOCK):
            if give_way():
                return False
            if block == _HOLE[: len(block)]:
                new.seek(len(block), 1)
            else:
                new.write(block)
        new.truncate(old.tell())
    return True
