"""A length laid against what is known of an interval: "from 2018", "for three years"."""

from __future__ import annotations

from graphmem.extraction.normalize import calendar
from graphmem.extraction.normalize.calendar import Stretch
from graphmem.extraction.normalize.derived import Amount, shifted
from graphmem.extraction.normalize.nodes import Here
from graphmem.extraction.normalize.phrases import Lasting
from graphmem.extraction.normalize.types import Anchor, Tense
from graphmem.model.time import Span


def begun_before(anchor: Anchor, length: Amount) -> Span | None:
    """Return when something began that has lasted so long by the turn; as fine as the unit said.

    None where the unit is one that people count differently (quarters, decades).
    """
    here = _here(anchor)
    try:
        reading = Lasting((length,)).read(here) if here else None
    except (ValueError, OverflowError):  # before the year 1
        return None
    return reading.start if reading else None


def moved(span: Span, length: Amount, anchor: Anchor, *, back: bool = False) -> Span | None:
    """Return a bound moved by a length: what began in 2018 and lasted three years ended in 2021.

    The result is as wide as ``span``. None if it lies outside the years 1 to 9999.
    """
    here = _here(anchor)
    if here is None:
        return None
    sign = -1 if back else 1
    edges = (calendar.local(edge, here.zone) for edge in (span.first, span.after))
    try:
        first, after = (shifted(edge, (length,), sign, here) for edge in edges)
        grain = calendar.grain_at(span.grain, first, after)
        stretch = Stretch(first, max(first, after), grain)
        return calendar.span(stretch, here.zone)
    except (ValueError, OverflowError):
        return None


def _here(anchor: Anchor) -> Here | None:
    zone = calendar.zone_of(anchor.zone)
    return zone and Here(calendar.local(anchor.at, zone), zone, Tense.PAST)
