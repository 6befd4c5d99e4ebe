"""Words of time to spans."""

from graphmem.extraction.normalize.hints import dates_of, written_dates
from graphmem.extraction.normalize.lengths import begun_before, moved
from graphmem.extraction.normalize.reader import find_times, read_time
from graphmem.extraction.normalize.types import (
    Anchor,
    FoundTime,
    Tense,
    TimeReading,
    TimeRole,
)

__all__ = [
    "Anchor",
    "FoundTime",
    "Tense",
    "TimeReading",
    "TimeRole",
    "begun_before",
    "dates_of",
    "find_times",
    "moved",
    "read_time",
    "written_dates",
]
