"""Collects what a change touches, for the outbox."""

from __future__ import annotations

import secrets
import time
from collections.abc import Iterable

from graphmem.adapters.neo4j.rows import Properties
from graphmem.model.search import PointKind

_ROOM = 12
"""Bits of a row's number below the microsecond in which it is written."""


class Touched:
    """The things one change touched, with the points that must leave the index."""

    def __init__(self) -> None:
        self._things: dict[tuple[PointKind, str], set[str]] = {}

    def add(self, kind: PointKind, id: str, *, gone: Iterable[str] = ()) -> None:
        """Note that a thing was touched; ``gone`` are ids of points it has no more."""
        self._things.setdefault((kind, id), set()).update(gone)

    def keep(self, kind: PointKind, id: str, point: str) -> None:
        """Note that a thing has ``point`` after all."""
        self._things.setdefault((kind, id), set()).discard(point)

    def rows(self, number: int, at: int) -> list[Properties]:
        """Return one outbox row a thing, numbered from ``first_seq``."""
        first = first_seq(len(self._things))
        return [
            {
                "seq": first + place,
                "kind": kind.value,
                "id": name,
                "change": number,
                "at": at,
                "removed": sorted(gone),
            }
            for place, ((kind, name), gone) in enumerate(self._things.items())
        ]


def first_seq(count: int) -> int:
    """Return the first of ``count`` numbers for outbox rows that are written now.

    They grow with the machine's time, and no counter is shared by scopes: behind the microsecond
    comes a place taken by lot, so that two scopes that write in one microsecond seldom meet. Where
    they do, the transaction runs again and draws anew.
    """
    room = max((1 << _ROOM) - count, 1)
    return (time.time_ns() // 1000 << _ROOM) + secrets.randbelow(room)
