"""Cypher by name, from the files in ``cypher/``.

A statement's name is its file's path there without the suffix ("change/lock"). Every file says in
its header what it is for, what it takes and what it returns. No Cypher is made from values.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from graphmem import resources

_NO_STATEMENTS = ("schema", "browser")
"""Folders of migrations, and of what people run in Neo4j Browser."""


@cache
def _paths() -> dict[str, Path]:
    folder = resources.folder("cypher")
    named = {
        path.relative_to(folder).with_suffix("").as_posix(): path
        for path in sorted(folder.rglob("*.cypher"))
    }
    return {name: path for name, path in named.items() if name.split("/")[0] not in _NO_STATEMENTS}


def names() -> tuple[str, ...]:
    """Return the names of all statements."""
    return tuple(_paths())


@cache
def cypher(name: str) -> str:
    """Return the statement ``name``, without its header.

    Raises:
        KeyError: there is none.
    """
    lines = source(name).splitlines()
    while lines and (not lines[0].strip() or lines[0].startswith("//")):
        del lines[0]
    return "\n".join(lines).strip().removesuffix(";")


def source(name: str) -> str:
    """Return the whole file of the statement ``name``.

    Raises:
        KeyError: there is none.
    """
    return _paths()[name].read_text(encoding="utf-8")


def migrations() -> list[tuple[int, str, tuple[str, ...]]]:
    """Return number, name and statements of every migration, in order."""
    folder = resources.folder("cypher") / "schema"
    return [
        (int(path.stem.partition("_")[0]), path.stem, tuple(_split(path)))
        for path in sorted(folder.glob("*.cypher"))
    ]


def _split(path: Path) -> list[str]:
    # A semicolon at the end of a line ends a statement; no statement of a schema holds another.
    text = path.read_text(encoding="utf-8")
    kept = "\n".join(line for line in text.splitlines() if not line.startswith("//"))
    return [part for piece in f"{kept}\n".split(";\n") if (part := piece.strip())]
