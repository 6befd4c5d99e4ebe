"""Keywords: in how many of a scope's records each term occurs, kept in step with the records."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection

from graphmem.adapters.neo4j.rows import Properties


class Counts:
    """How the counts of a scope change with what a change writes and removes.

    A document is what a point of the index is: a fact record, a piece of a turn, a thing. One
    without terms does not count.
    """

    def __init__(self) -> None:
        self._terms: Counter[str] = Counter()
        self.points = 0

    def add(self, terms: Collection[str]) -> None:
        """Note a document that is new."""
        self._terms.update(terms)
        self.points += bool(terms)

    def remove(self, terms: Collection[str]) -> None:
        """Note a document that goes."""
        self._terms.subtract(terms)
        self.points -= bool(terms)

    def rows(self) -> list[Properties]:
        """Return by how many records more, or fewer, each term is held."""
        return [{"term": term, "count": count} for term, count in self._terms.items() if count != 0]
