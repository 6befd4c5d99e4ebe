"""SQL by name, from the files in ``schemas/sqlite``.

A statement stands under a line ``-- name: …`` and ends with a semicolon; no SQL is made from
values. Where a statement is a beginning, fixed clauses may follow it (see ``filters``).
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from functools import cache

from graphmem import resources

_MARK = "-- name: "


@cache
def _all() -> dict[str, str]:
    found: dict[str, str] = {}
    for path in sorted(resources.folder("schemas").joinpath("sqlite", "statements").glob("*.sql")):
        for block in f"\n{path.read_text(encoding='utf-8')}".split(f"\n{_MARK}")[1:]:
            name, _, rest = block.partition("\n")
            if name in found:
                raise ValueError(f"two statements are named {name!r}; rename the one in {path}")
            found[name] = rest.partition(";")[0].strip()
    return found


def names() -> tuple[str, ...]:
    """Return the names of all statements."""
    return tuple(_all())


def sql(name: str) -> str:
    """Return the statement ``name``, without its semicolon.

    Raises:
        KeyError: there is none.
    """
    return _all()[name]


def migrations() -> list[tuple[int, str, str]]:
    """Return number, name and text of every migration, in order."""
    folder = resources.folder("schemas").joinpath("sqlite", "migrations")
    return [
        (int(path.stem.partition("_")[0]), path.stem, path.read_text(encoding="utf-8"))
        for path in sorted(folder.glob("*.sql"))
    ]


def split(script: str) -> Iterator[str]:
    """Yield the statements of a script (triggers are one statement)."""
    taken = ""
    for line in script.splitlines(keepends=True):
        taken += line
        if sqlite3.complete_statement(taken):
            yield taken
            taken = ""
