"""Listings: which page is asked for, and what of it comes back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from graphmem.adapters.neo4j.names import sortable
from graphmem.adapters.neo4j.tx import Found
from graphmem.errors import InputError
from graphmem.model.cursors import Place, make_cursor, read_cursor
from graphmem.model.search import Page
from graphmem.model.time import clamp

T = TypeVar("T")

_MOST = 2**31


@dataclass(frozen=True, slots=True)
class Listing:
    """One page of one listing.

    Attributes:
        name: which listing. limit: at most so many rows. cursor: where the last page ended.
        after: the place of the last row of that page.
    """

    name: str
    limit: int
    cursor: str | None
    after: Place | None

    @classmethod
    def of(cls, name: str, limit: int, cursor: str | None) -> Listing:
        """Read what a caller asks for.

        Raises:
            InputError: the limit is negative, or the cursor is not one of this listing.
        """
        if limit < 0:
            raise InputError(f"limit must not be negative: {limit}")
        return cls(name, limit, cursor, None if cursor is None else read_cursor(name, cursor))

    @property
    def values(self) -> Found:
        """What a statement needs; one row more than asked for tells whether there is a next
        page."""
        after = self.after and [
            sortable(part) if isinstance(part, str) else clamp(part) for part in self.after
        ]
        return {"after": after, "limit": min(self.limit, _MOST) + 1}

    def begin(self, first: int) -> int:
        """Return the first value of the order that may come: ``first``, or where the last page
        ended."""
        return clamp(int(self.after[0])) if self.after else first

    def page(
        self,
        total: int,
        rows: Sequence[Any],  # Any: rows of the page, as the statement gives them
        read: Callable[[Any], T],
        place: Callable[[T], Place],
    ) -> Page[T]:
        """Return the page of what was found."""
        items = tuple(map(read, rows[: self.limit]))
        if len(rows) <= self.limit:
            return Page(items, total)
        # A page of nothing, asked for to learn the total, ends where it began.
        return Page(
            items, total, make_cursor(self.name, place(items[-1])) if items else self.cursor
        )
