"""What a phrase says of a fact's interval: the role its small words give it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from graphmem.extraction.normalize import calendar
from graphmem.extraction.normalize.calendar import EXACT, GRAINS, Stretch, around
from graphmem.extraction.normalize.derived import Amount, Range, shifted
from graphmem.extraction.normalize.nodes import Here, Node, Now
from graphmem.extraction.normalize.types import Tense, TimeReading, TimeRole
from graphmem.model.time import Grain, Span

_FINE = (Grain.INSTANT, Grain.MINUTE, Grain.HOUR, Grain.PART, Grain.DAY)
_CLOCK = (Grain.INSTANT, Grain.MINUTE, Grain.HOUR)


class Phrase(Protocol):
    """A whole time phrase."""

    def read(self, here: Here) -> TimeReading | None:
        """Return its reading for someone speaking there and then, or None."""
        ...


@dataclass(frozen=True, slots=True)
class At:
    """On that date, in that span; ``latest`` not later than it ("by Friday")."""

    node: Node
    latest: bool = False

    def read(self, here: Here) -> TimeReading | None:
        """Return the span."""
        found = self.node.at(here)
        if found is None:
            return None
        start = calendar.span(found, here.zone)
        return TimeReading(TimeRole.AT, start=start, closing=found.exact, latest=self.latest)


@dataclass(frozen=True, slots=True)
class Since:
    """From then on. ``past`` for words that only look back ("since")."""

    node: Node
    past: bool = False

    def read(self, here: Here) -> TimeReading | None:
        """Return the start."""
        there = here.speaking(here.now, Tense.PAST) if self.past else here
        found = self.node.at(there)
        return found and TimeReading(TimeRole.START, start=calendar.span(found, here.zone))


@dataclass(frozen=True, slots=True)
class After:
    """ "After June": from the first instant after it. "After 6pm": from six."""

    node: Node

    def read(self, here: Here) -> TimeReading | None:
        """Return the start as an instant."""
        found = self.node.at(here)
        if found is None:
            return None
        moment = found.first if found.grain in _CLOCK else found.after
        start = Span.at(calendar.instant(moment, here.zone))
        return TimeReading(TimeRole.START, start=start)


@dataclass(frozen=True, slots=True)
class Until:
    """Up to then: within the span said, or exactly its end if the words say so (``through``)."""

    node: Node
    through: bool = False

    def read(self, here: Here) -> TimeReading | None:
        """Return the end."""
        found = self.node.at(here)
        if found is None:
            return None
        if self.through or found.exact:
            end = Span.at(calendar.instant(found.after, here.zone))
        elif found.grain in _CLOCK:
            end = Span.at(calendar.instant(found.first, here.zone))
        else:
            end = calendar.span(found, here.zone)
        return TimeReading(TimeRole.END, end=end)


@dataclass(frozen=True, slots=True)
class Before:
    """ "Before June": up to its first instant.

    ``loose`` where some include the day, or the hour, and some do not (十月一号以前): then the end
    is the span of it.
    """

    node: Node
    loose: bool = False

    def read(self, here: Here) -> TimeReading | None:
        """Return the end as an instant."""
        found = self.node.at(here)
        if found is None:
            return None
        if self.loose and found.grain in _FINE:
            return TimeReading(TimeRole.END, end=calendar.span(found, here.zone))
        moment = found.after if found.exact else found.first
        end = Span.at(calendar.instant(moment, here.zone))
        return TimeReading(TimeRole.END, end=end)


@dataclass(frozen=True, slots=True)
class FromTo:
    """Both ends. A last day is included whole; a coarser last unit is the span the end lies in."""

    range: Range

    def read(self, here: Here) -> TimeReading | None:
        """Return both bounds."""
        ends = self.range.ends(here)
        if ends is None:
            return None
        first, last = ends
        if last.grain in _CLOCK:
            end = Span.at(calendar.instant(last.first, here.zone))
        elif last.grain in _FINE or self.range.through or last.exact:
            end = Span.at(calendar.instant(last.after, here.zone))
        else:
            end = calendar.span(last, here.zone)
        return TimeReading(TimeRole.RANGE, start=calendar.span(first, here.zone), end=end)


@dataclass(frozen=True, slots=True)
class LastsFrom:
    """ "From 2018 for three years": the end is as fine as the start."""

    node: Node
    amounts: tuple[Amount, ...]

    def read(self, here: Here) -> TimeReading | None:
        """Return both bounds."""
        found = self.node.at(here)
        if found is None or (found.grain not in _CLOCK and self.amounts[-1][1] in EXACT):
            return None
        first, after = (shifted(edge, self.amounts, 1, here) for edge in (found.first, found.after))
        grain = calendar.grain_at(found.grain, first, after)
        end = calendar.span(Stretch(first, max(first, after), grain), here.zone)
        return TimeReading(TimeRole.RANGE, start=calendar.span(found, here.zone), end=end)


@dataclass(frozen=True, slots=True)
class Lasting:
    """ "For the last three years": the start is as fine as the unit, the end is the turn."""

    amounts: tuple[Amount, ...]

    def read(self, here: Here) -> TimeReading | None:
        """Return the start and the turn as the end."""
        if self.amounts[-1][1] in ("quarter", "season", "decade", "century"):
            return None  # whole ones, or counted back from today?
        begin = shifted(here.now, self.amounts, -1, here)
        unit = self.amounts[-1][1]
        if unit in EXACT:
            found = Stretch(begin, calendar.add(begin, 1, unit), GRAINS[unit])
        else:
            halved = self.amounts[-1][0] % 1
            unit = {"fortnight": "week", "weekend": "week"}.get(unit, unit)
            unit = (
                {"year": "month", "month": "week", "week": "day"}.get(unit, unit)
                if halved
                else unit
            )
            found = around(begin, unit)
        now = Span.at(calendar.instant(here.now, here.zone))
        return TimeReading(
            TimeRole.LASTING, start=calendar.span(found, here.zone), end=now, length=self.amounts[0]
        )


@dataclass(frozen=True, slots=True)
class Length:
    """Only a length; of several units the first said is kept as its count in that unit."""

    amounts: tuple[Amount, ...]

    def read(self, here: Here) -> TimeReading | None:
        """Return the length."""
        count, unit = self.amounts[0]
        for more, finer in self.amounts[1:]:
            count += more * _SIZE[finer] / _SIZE[unit]
        return TimeReading(TimeRole.LENGTH, length=(count, unit))


_SIZE = {
    "second": 1, "minute": 60, "hour": 3600, "day": 86400, "weekend": 172800, "week": 604800,
    "fortnight": 1209600, "month": 2629746, "quarter": 7889238, "season": 7889238,
    "half": 15778476, "year": 31556952, "decade": 315569520, "century": 3155695200,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Unread:
    """Words of time that name no date: "recently", 小时候. Found, and always declined."""

    def read(self, here: Here) -> TimeReading | None:
        """Return None."""
        return None


def ranged(node: Node) -> FromTo | Since | At:
    """Return the phrase of a joined pair: a range, "2018 to now", or hours of one day."""
    if isinstance(node, Range) and isinstance(node.end, Now):
        return Since(node.start, past=True)
    return FromTo(node) if isinstance(node, Range) else At(node)
