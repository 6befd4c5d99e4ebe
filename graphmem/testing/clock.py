"""A clock for tests: it stands still until it is told to go on."""

from __future__ import annotations

from graphmem.model.time import SECOND


class FrozenClock:
    """A ``Clock`` that shows ``at`` (microseconds UTC) until it is moved.

    It may be set back: clocks do step back.
    """

    def __init__(self, at: int = 1_700_000_000 * SECOND) -> None:
        self.at = at

    def now(self) -> int:
        """Return the instant it was set to."""
        return self.at

    def advance(self, micros: int = SECOND) -> int:
        """Move on by ``micros`` and return the new instant."""
        self.at += micros
        return self.at
