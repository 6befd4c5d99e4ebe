"""The clock."""

from __future__ import annotations

from typing import Protocol


class Clock(Protocol):
    """Tells the time. Nothing else in graphmem reads a clock."""

    def now(self) -> int:
        """Return the present instant in microseconds UTC; it may step back."""
        ...
