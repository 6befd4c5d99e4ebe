"""What single phrases read as, said on Tuesday 10 June 2025 at noon UTC."""

from __future__ import annotations

from datetime import UTC, datetime

from graphmem.extraction.normalize import Anchor, TimeRole, read_time
from graphmem.model.time import to_micros

ANCHOR = Anchor(to_micros(datetime(2025, 6, 10, 12, tzinfo=UTC)))


def test_last_week_is_the_calendar_week_before() -> None:
    """Last week runs from Monday to Monday."""
    reading = read_time("last week", ANCHOR)
    assert reading is not None
    assert reading.role is TimeRole.AT
    assert reading.start is not None
    assert reading.start.first == to_micros(datetime(2025, 6, 2, tzinfo=UTC))
    assert reading.start.after == to_micros(datetime(2025, 6, 9, tzinfo=UTC))
