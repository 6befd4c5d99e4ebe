"""Identifiers: a kind, when it was made and 72 random bits, such as ``fact_063e1d…``."""

from __future__ import annotations

import os
import secrets
import threading
import time
from enum import StrEnum


class IdKind(StrEnum):
    """What an id names; it is the part before the underscore."""

    EPISODE = "ep"
    CLAIM = "claim"
    ENTITY = "entity"
    FACT = "fact"
    RECORD = "rec"
    SUGGESTION = "same"
    CHANGE = "change"
    JOB = "job"


class _Moments:
    """Microseconds since 1970, each later than the one before, even if the clock steps back."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._last = 0

    def next(self) -> int:
        with self._guard:
            self._last = max(self._last + 1, time.time_ns() // 1000)
            return self._last

    def forked(self) -> None:
        # The guard may have been held by a thread that is not in the child.
        self._guard = threading.Lock()


_moments = _Moments()

if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_moments.forked)


def new_id(kind: IdKind) -> str:
    """Make a fresh id of ``kind``; those of one process sort in the order they were made in.

    So what is alike in all that an order asks about comes in the same order wherever the same was
    told, and not in a random one.
    """
    return f"{kind.value}_{_moments.next():014x}{secrets.token_hex(9)}"


def kind_of(value: str) -> IdKind | None:
    """Return what ``value`` names by its prefix, or None if it is not one of our ids."""
    prefix, _, rest = value.partition("_")
    if len(rest) != 32:
        return None
    return next((kind for kind in IdKind if kind.value == prefix), None)
