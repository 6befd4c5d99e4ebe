"""The system's clock, the only place where it is read."""

from __future__ import annotations

import time


class SystemClock:
    """Tells the machine's time (see ``graphmem.ports.clock.Clock``)."""

    def now(self) -> int:
        """Return microseconds since 1970 UTC."""
        return time.time_ns() // 1000
