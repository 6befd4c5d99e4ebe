"""What words of time mean that name a span beside the present: "the last three weeks"."""

from __future__ import annotations

from dataclasses import dataclass

from graphmem.extraction.normalize.calendar import EXACT, Stretch, around
from graphmem.extraction.normalize.derived import Amount, shifted
from graphmem.extraction.normalize.nodes import Here, Node, Unit
from graphmem.model.time import Grain


@dataclass(frozen=True, slots=True)
class Recent:
    """ "In the last three weeks" (sign -1), "within five days" (+1): a span beside the present."""

    amounts: tuple[Amount, ...]
    sign: int
    whole: bool = False
    """The span begins tomorrow: "the next three days"."""
    base: Node | None = None
    """The day it lies beside, if not the present one: "less than 3 days after tomorrow"."""
    open: bool = False

    def at(self, here: Here) -> Stretch | None:
        """Return the span."""
        if self.amounts[-1][1] in ("quarter", "season", "decade", "century"):
            return None  # whole ones, or counted from today?
        start = here.now
        if self.base is not None:
            day = self.base.at(here)
            if day is None or day.grain is not Grain.DAY:
                return None
            start = day.first
        if self.whole and self.amounts[-1][1] not in EXACT:
            start = around(start, "day", 1).first
        other = shifted(start, self.amounts, self.sign, here)
        first, after = (other, start) if self.sign < 0 else (start, other)
        return Stretch(first, after, Grain.SPAN)


@dataclass(frozen=True, slots=True)
class Units:
    """Several whole units of the calendar beside the present one: "the previous two quarters"."""

    unit: str
    shift: int
    count: int
    open: bool = False

    def at(self, here: Here) -> Stretch | None:
        """Return the span."""
        first = around(here.now, self.unit, self.shift)
        last = around(here.now, self.unit, self.shift + self.count - 1)
        return Stretch(first.first, last.after, Grain.SPAN)


@dataclass(frozen=True, slots=True)
class SoFar:
    """ "Earlier this week": from its beginning to the present; ``rest`` the other side of it.

    Told of the past, "the rest of the week" is that of another week, and is declined.
    """

    unit: Unit
    rest: bool = False
    open: bool = False

    def at(self, here: Here) -> Stretch | None:
        """Return the side."""
        whole = self.unit.at(here)
        if whole is None or (self.rest and not here.ahead):
            return None
        first, after = (here.now, whole.after) if self.rest else (whole.first, here.now)
        return Stretch(first, max(first, after), Grain.SPAN)
