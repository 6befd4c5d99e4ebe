"""What a change touches, as rows of the outbox."""

from __future__ import annotations

import secrets
import time

from graphmem.adapters.neo4j.rows import Properties
from graphmem.model.touched import Touched

_ROOM = 12
"""Bits of a row's number below the microsecond in which it is written."""


def outbox_rows(touched: Touched, number: int, at: int) -> list[Properties]:
    """Return one outbox row a thing, numbered from ``first_seq``."""
    first = first_seq(len(touched))
    return [
        {
            "seq": first + place,
            "kind": kind.value,
            "id": name,
            "change": number,
            "at": at,
            "removed": gone,
        }
        for place, (kind, name, gone) in enumerate(touched)
    ]


def first_seq(count: int) -> int:
    """Return the first of ``count`` numbers for outbox rows that are written now.

    They grow with the machine's time, and no counter is shared by scopes: behind the microsecond
    comes a place taken by lot, so that two scopes that write in one microsecond seldom meet. Where
    they do, the transaction runs again and draws anew.
    """
    room = max((1 << _ROOM) - count, 1)
    return (time.time_ns() // 1000 << _ROOM) + secrets.randbelow(room)
