"""Exit codes, and which error leads to which."""

from __future__ import annotations

from enum import IntEnum

from graphmem.errors import (
    EmbedderError,
    GraphmemError,
    IndexUnavailableError,
    ModelError,
    NotFoundError,
    StoreError,
)


class Exit(IntEnum):
    """How a command ended; the same for every command."""

    OK = 0
    NOTHING = 1
    USAGE = 2
    NOT_FOUND = 3
    UNAVAILABLE = 4
    PARTIAL = 5
    FAULT = 70
    INTERRUPTED = 130


MEANING = {
    Exit.OK: "Done.",
    Exit.NOTHING: "Nothing was found, nothing was done, or a check found something wrong.",
    Exit.USAGE: "The command line, a setting or the input cannot be used.",
    Exit.NOT_FOUND: "There is no such id, name or file.",
    Exit.UNAVAILABLE: "The store, the index or a model is not available.",
    Exit.PARTIAL: (
        "A part was done; some turns are pending, failed or could not be read, or erasing is not "
        "over."
    ),
    Exit.FAULT: "A fault in graphmem itself; `--debug` shows where.",
    Exit.INTERRUPTED: "Interrupted from the keyboard.",
}


def exit_of(error: GraphmemError) -> Exit:
    """Return the exit code of an error."""
    if isinstance(error, NotFoundError):
        return Exit.NOT_FOUND
    if isinstance(error, (StoreError, IndexUnavailableError, EmbedderError, ModelError)):
        return Exit.UNAVAILABLE
    return Exit.USAGE
