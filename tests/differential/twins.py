"""Two memories that are driven as one: every call goes to both, and their answers are compared."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

from graphmem import Memory
from graphmem.errors import GraphmemError
from graphmem.model.receipt import ErasureReceipt
from graphmem.usecases.transfer import Transfer
from graphmem.usecases.upkeep import VerifyReport
from tests.differential.pairing import DifferenceError, Pairs

Result = tuple[str, object]
"""How a call ended ("returned", or the name of an error's class), and with what."""


class Twins:
    """A memory in a folder and one on Neo4j, called as if they were one.

    A call returns what the memory in the folder returns, or raises what it raises.
    """

    def __init__(
        self, embedded: Memory, served: Memory, pairs: Pairs, counts: Counter[str]
    ) -> None:
        self.embedded = embedded
        self.served = served
        self._pairs = pairs
        self._counts = counts

    @classmethod
    def of(cls, embedded: Memory, served: Memory, pairs: Pairs, counts: Counter[str]) -> Memory:
        """Return twins, with the methods of a memory."""
        return cast("Memory", cls(embedded, served, pairs, counts))

    def close(self) -> None:
        """Close both."""
        try:
            self.embedded.close()
        finally:
            self.served.close()

    def export(self, path: Path, **options: Any) -> None:  # Any: options of export
        """Export each to a file of its own."""
        self._both("export", (path,), (beside(path),), options)

    def import_(self, path: Path) -> None:
        """Let each take in what the other exported."""
        self._pairs.swap()
        self._both("import_", (beside(path),), (path,), {})

    def __getattr__(self, name: str) -> Callable[..., Any]:  # Any: what the method returns
        def call(*arguments: Any, **options: Any) -> Any:  # Any: as the method takes and returns
            translated = self._pairs.translated(arguments)
            return self._both(name, arguments, translated, options)

        return call

    def _both(self, name: str, one: Any, other: Any, options: dict[str, Any]) -> Any:  # Any: above
        self._counts["calls"] += 1
        translated = {key: self._pairs.translated(value) for key, value in options.items()}
        mine = _outcome(getattr(self.embedded, name), one, options)
        theirs = _outcome(getattr(self.served, name), other, translated)
        given = ", ".join([*map(repr, one), *(f"{k}={v!r}" for k, v in options.items())])
        self._pairs.compare(_alike(mine), _served(theirs), f"{name}({given})")
        kind, value = mine
        if kind != "returned":
            raise cast("GraphmemError", value)
        return value


def beside(path: Path) -> Path:
    """Return where the memory on Neo4j writes what the other one writes to ``path``."""
    return path.with_name(f"{path.name}.served")


def _outcome(call: Callable[..., object], arguments: Any, options: dict[str, Any]) -> Result:
    try:
        return "returned", call(*arguments, **options)
    except GraphmemError as error:
        return type(error).__name__, error


def _alike(result: Result) -> Result:
    kind, value = result
    if isinstance(value, GraphmemError):
        return kind, str(value)
    if isinstance(value, ErasureReceipt):
        return kind, replace(value, clean=False, waiting=())
    if isinstance(value, VerifyReport):
        notes = tuple(note for note in value.notes if not note.startswith("erasing waits for "))
        return kind, replace(value, notes=notes)
    if isinstance(value, Transfer):
        return kind, replace(value, path="")
    return result


def _served(result: Result) -> Result:
    """Return the same of the memory on Neo4j, whose files are never clean of what it erased."""
    _, value = result
    if isinstance(value, ErasureReceipt) and value.removed and (value.clean or not value.waiting):
        raise DifferenceError(f"an erasure on Neo4j is said to be clean: {value}")
    return _alike(result)
