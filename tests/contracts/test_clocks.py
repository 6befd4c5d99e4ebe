"""Every clock passes the public contract."""

from __future__ import annotations

from graphmem.adapters.system.clock import SystemClock
from graphmem.ports.clock import Clock
from graphmem.testing.clock import ClockContract, FrozenClock


class TestSystemClock(ClockContract):
    """The machine's own."""

    def made(self) -> Clock:
        return SystemClock()


class TestFrozenClock(ClockContract):
    """The one for tests."""

    def made(self) -> Clock:
        return FrozenClock()
