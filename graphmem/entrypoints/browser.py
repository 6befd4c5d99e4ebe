"""What Neo4j Browser takes by drag and drop: saved queries for one user, and a style sheet."""

from __future__ import annotations

import json
import zipfile
from io import BytesIO

from graphmem import resources
from graphmem.model.scope import Scope

STYLE = "graphmem.grass"
ARCHIVE = "graphmem.zip"
FOLDER = "graphmem"
"""The folder among Browser's favorites in which the queries come to stand."""

_PARAMETERS = "0_parameters.cypher"
_COMMAND = ":params "
_MADE = (1980, 1, 1, 0, 0, 0)
"""The earliest date of an archive's entry, so that equal queries make equal archives."""


def style() -> str:
    """Return the style sheet."""
    return resources.read_text("cypher", "browser", "style.grass")


def queries(scope: Scope) -> dict[str, str]:
    """Return the saved queries by file name; the first sets the parameters of ``scope``."""
    folder = resources.folder("cypher") / "browser"
    found = {path.name: path.read_text("utf-8") for path in sorted(folder.glob("*.cypher"))}
    header, _, values = found[_PARAMETERS].partition(_COMMAND)
    filled = {**json.loads(values), "tenant": scope.tenant, "user": scope.user}
    # Browser ends a command at a semicolon, wherever it stands.
    text = json.dumps(filled, ensure_ascii=False).replace(";", r"\u003b")
    return {**found, _PARAMETERS: f"{header}{_COMMAND}{text}\n"}


def archive(scope: Scope) -> bytes:
    """Return the saved queries as one zip file."""
    packed = BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as file:
        for name, text in queries(scope).items():
            file.writestr(zipfile.ZipInfo(f"{FOLDER}/{name}", _MADE), text)
    return packed.getvalue()
