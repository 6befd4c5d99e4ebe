"""The command that helps to look at the graph in Neo4j Browser."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from graphmem.entrypoints.browser import ARCHIVE, STYLE, archive, style
from graphmem.entrypoints.cli.command import Run, command
from graphmem.entrypoints.cli.outcome import Exit
from graphmem.model.scope import Scope


@command("Look after", "graphmem browser --user ana")
def browser(
    run: Run,
    folder: Annotated[Path, typer.Argument(help="Where to write them.")] = Path(),
) -> Exit:
    """Write a style sheet and saved queries of one user for Neo4j Browser."""
    files = {
        folder / STYLE: style().encode(),
        folder / ARCHIVE: archive(Scope(run.tenant, run.user)),
    }
    folder.mkdir(parents=True, exist_ok=True)
    for path, content in files.items():
        path.write_bytes(content)
    if run.out.json:
        run.out.object({"files": [str(path) for path in files]})
    for path in files:
        run.out.line(f"Wrote {path}")
    run.out.line(
        "Drop one after the other onto the page of Neo4j Browser; then run the first query."
    )
    return Exit.OK
