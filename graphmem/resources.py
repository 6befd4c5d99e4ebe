"""Finds the data folders ``cypher/`` and ``schemas/``.

They lie beside the package in a checkout, an editable install and an sdist, inside it in a wheel.
"""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def folder(name: str) -> Path:
    """Return the data folder ``name`` ("schemas" or "cypher").

    Raises:
        FileNotFoundError: the installation is incomplete.
    """
    for parent in (_PACKAGE, _PACKAGE.parent):
        found = parent / name
        if found.is_dir():
            return found
    raise FileNotFoundError(
        f"graphmem's data folder {name!r} is missing beside {_PACKAGE}; reinstall graphmem"
    )


def read_text(*parts: str) -> str:
    """Return the text of a data file, such as ``read_text("schemas", "ontology", "core.toml")``."""
    return folder(parts[0]).joinpath(*parts[1:]).read_text(encoding="utf-8")
