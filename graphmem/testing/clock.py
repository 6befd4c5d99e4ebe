"""A clock for tests, which stands still until it is told to go on, and the contract of clocks.

Subclass ``ClockContract``, say how the clock is made, and let pytest collect it::

    class TestMyClock(ClockContract):
        def made(self):
            return MyClock()
"""

from __future__ import annotations

from abc import ABC, abstractmethod

from graphmem.model.time import SECOND, from_micros
from graphmem.ports.clock import Clock


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


class ClockContract(ABC):
    """Every promise of a clock, one test each."""

    @abstractmethod
    def made(self) -> Clock:
        """Return a clock that shows a time of this century."""

    def test_whole_numbers(self) -> None:
        """Instants are compared as integers."""
        assert type(self.made().now()) is int

    def test_microseconds(self) -> None:
        """Seconds, milliseconds and nanoseconds would be of another century."""
        assert 2000 <= from_micros(self.made().now()).year < 2100
