"""What is known of the outbox without reading it, as long as nobody writes."""

from __future__ import annotations

from collections.abc import Iterable

from graphmem.adapters.sqlite.database import Database, Version
from graphmem.ports.graph_store import Due, OutboxRow


class Waiting:
    """What waits in the outbox of a file, where that is known; any thread may ask."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._left: tuple[Due, Version] | None = None
        self._seqs: tuple[frozenset[int], Version] | None = None

    def leaves(self, due: Due, version: Version) -> None:
        """Note all that a change left there; nobody has written since ``version``."""
        self._left = due, version

    def holds(self, rows: Iterable[OutboxRow], version: Version | None) -> None:
        """Note all that is there, unless somebody has written since ``version``."""
        self._seqs = None if version is None else (frozenset(row.seq for row in rows), version)

    def settled(self, seqs: Iterable[int]) -> None:
        """Note rows that are to be removed; to whoever asks they are not there."""
        known = self._seqs
        if known is not None:
            self._seqs = known[0].difference(seqs), known[1]

    def known(self, limit: int) -> Due | None:
        """Return what waits, if it is known and no more than ``limit``; once, if anything does."""
        left, self._left = self._left, None
        if left is not None and len(left[0].rows) <= limit and not self._database.behind:
            due, version = left
            if self._database.is_still(version):
                self.holds(due.rows, version)
                return due
        seqs = self._seqs
        if seqs is not None and not seqs[0] and self._database.is_still(seqs[1]):
            return _NOTHING
        return None


_NOTHING = Due((), {})
