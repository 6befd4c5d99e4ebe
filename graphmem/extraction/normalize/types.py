"""What reading a time phrase takes and gives."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from graphmem.model.time import Span


@dataclass(frozen=True, slots=True)
class Anchor:
    """The turn a phrase was said in: its instant (microseconds UTC) and the speaker's zone.

    Attributes:
        at: when it was said.
        zone: an IANA name or a fixed offset ("+09:00").
        then: the date told before it, which "since then" and 从那以后 mean; None if there is none.
    """

    at: int
    zone: str = "UTC"
    then: Span | None = None


class Tense(StrEnum):
    """Which reading of an ambiguous date is meant ("in May", "on Friday")."""

    PAST = "past"
    FUTURE = "future"


class TimeRole(StrEnum):
    """What a phrase says of a fact's interval."""

    AT = "at"
    """On that date or in that span: "in March", "last Friday", 去年. ``start`` is the span."""
    START = "start"
    """From then on: "since 2022", "from May", 从…起. ``start`` is set."""
    END = "end"
    """Up to then: "until June", 到六月底. ``end`` is set."""
    RANGE = "range"
    """Both: "from 2018 to 2020", "between March and June". ``start`` and ``end`` are set."""
    LASTING = "lasting"
    """As long as that up to the turn: "for the last three years". ``start`` is set (as fine as
    its unit), ``end`` is the turn."""
    LENGTH = "length"
    """Only a length: "for three years", 三年. ``length`` is set, bounds are not."""


@dataclass(frozen=True, slots=True)
class TimeReading:
    """A phrase read against its anchor.

    Attributes:
        role: what it says.
        start, end: as spans; ``end`` is the first instant after, as a span where it is coarse
            ("until June": the span of June; "until the end of June": exactly 1 July, 00:00).
        length: ``(count, unit)`` of a length, such as ``(3, "year")``.
        closing: the words name where a period ends ("the end of June", 六月底).
        latest: not later than ``start`` ("by Friday"): a deadline's date, or the last that a change
            may have.
    """

    role: TimeRole
    start: Span | None = None
    end: Span | None = None
    length: tuple[float, str] | None = None
    closing: bool = False
    latest: bool = False

    @property
    def ending(self) -> Span | None:
        """Where an ending told with this phrase lies.

        "Left in June" in that span, "left at the end of June" exactly at 1 July, 00:00; what was
        not so "for the last three years" ended where they begin. None for a length.
        """
        if self.role in (TimeRole.END, TimeRole.RANGE):
            return self.end
        return Span.at(self.start.after) if self.start and self.closing else self.start


@dataclass(frozen=True, slots=True)
class FoundTime:
    """A time phrase in a text: ``text[begin:stop]``."""

    begin: int
    stop: int
    phrase: str
