"""Time as graphmem compares it: integer microseconds UTC, spans, bounds and intervals.

Intervals are half-open, ``[from, to)``. A bound remembers that people speak coarsely: it has an
earliest and a latest reading, the phrase it came from, and whether it was stated or only assumed
from who saw it when ("by").
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum

from graphmem.errors import InputError

FOREVER = 2**62
"""Later than every instant."""
NEVER = -FOREVER
"""Earlier than every instant."""
PRESENT = FOREVER - 1
"""The last instant of the record axis: what is live now is live then."""
LARGEST = 2**63 - 1
"""The largest instant that a store can hold; those before ``-LARGEST`` are taken for that."""

SECOND = 1_000_000
DAY = 86_400 * SECOND

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


def to_micros(moment: datetime) -> int:
    """Return an aware datetime as microseconds since 1970 UTC.

    Raises:
        InputError: the datetime is naive; only the border, which knows the memory's zone, may
            read those.
    """
    if moment.tzinfo is None:
        raise InputError(f"a datetime without a zone cannot be compared: {moment!r}")
    return (moment - _EPOCH) // _MICROSECOND


def from_micros(micros: int) -> datetime:
    """Return microseconds since 1970 as an aware UTC datetime (clamped to the years 1 to 9999)."""
    try:
        return _EPOCH + timedelta(microseconds=micros)
    except OverflowError:
        if micros > 0:
            return datetime.max.replace(tzinfo=UTC)
        return datetime.min.replace(tzinfo=UTC)


def as_of(known_at: int | None) -> int:
    """Return the instant of the record axis that a reader asks about; None is now."""
    return PRESENT if known_at is None else clamp(known_at)


def clamp(instant: int) -> int:
    """Return the nearest instant that a store can hold, in 64 bits."""
    return max(-LARGEST, min(instant, LARGEST))


class Grain(StrEnum):
    """How finely a date was given."""

    INSTANT = "instant"
    MINUTE = "minute"
    HOUR = "hour"
    PART = "part of day"
    DAY = "day"
    WEEKEND = "weekend"
    WEEK = "week"
    MONTH = "month"
    QUARTER = "quarter"
    SEASON = "season"
    YEAR = "year"
    DECADE = "decade"
    SPAN = "span"


_DAY_OR_FINER = frozenset({Grain.INSTANT, Grain.MINUTE, Grain.HOUR, Grain.PART, Grain.DAY})


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch ``[first, after)`` in which a stated instant lies, as fine as it was said.

    ``after == first`` is an exact instant.
    """

    first: int
    after: int
    grain: Grain = Grain.SPAN

    def __post_init__(self) -> None:
        if self.after < self.first:
            raise InputError(f"a span ends before it begins: [{self.first}, {self.after})")

    @property
    def width(self) -> int:
        """Microseconds from the first instant to the first after."""
        return self.after - self.first

    @property
    def coarse(self) -> bool:
        """Whether it is coarser than a day, so that its two ends are two readings."""
        if self.grain is Grain.SPAN:
            return self.width > DAY + 3600 * SECOND  # a day of 25 hours is a day
        return self.grain not in _DAY_OR_FINER

    @property
    def last(self) -> int:
        """The last instant of the span (its first if it is a day or finer)."""
        return max(self.first, self.after - 1) if self.coarse else self.first

    @classmethod
    def at(cls, instant: int) -> Span:
        """Return an exact instant as a span."""
        return cls(instant, instant, Grain.INSTANT)


@dataclass(frozen=True, slots=True)
class Stated:
    """A bound as a claim states it: the phrase, and the span it was read as.

    ``span`` is None where the phrase could not be resolved: the bound is then unknown, the phrase
    is kept.
    """

    phrase: str
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class Bound:
    """One end of a fact's interval, with two readings.

    Attributes:
        earliest: first instant it may be; None if it reaches back into the unknown.
        latest: last instant it may be.
        stated: whether someone gave a date; False reads "by", assumed from a witness.
        phrase: the words the date came from.
    """

    earliest: int | None
    latest: int
    stated: bool = True
    phrase: str | None = None

    def __post_init__(self) -> None:
        if self.earliest is not None and self.earliest > self.latest:
            raise InputError(f"a bound's earliest reading {self.earliest} is after {self.latest}")


class Certainty(StrEnum):
    """How surely a fact holds over the time asked about."""

    HOLDS = "holds"
    LIKELY = "likely"
    UNCERTAIN = "uncertain"


@dataclass(frozen=True, slots=True)
class Interval:
    """When something is believed to hold.

    ``start`` is None if nobody saw it hold (it is only known to have ended); ``end`` is None while
    it goes on.
    """

    start: Bound | None
    end: Bound | None = None

    @property
    def may_from(self) -> int:
        """The earliest instant at which it may hold."""
        if self.start is None or self.start.earliest is None:
            return NEVER
        return self.start.earliest

    @property
    def surely_from(self) -> int:
        """The latest reading of the start; FOREVER if it is unknown and unwitnessed."""
        return FOREVER if self.start is None else self.start.latest

    @property
    def surely_until(self) -> int:
        """The earliest reading of the end."""
        if self.end is None:
            return FOREVER
        return NEVER if self.end.earliest is None else self.end.earliest

    @property
    def may_until(self) -> int:
        """The latest reading of the end."""
        return FOREVER if self.end is None else self.end.latest

    def over(self, first: int, last: int) -> Certainty | None:
        """Say how surely this holds at some time in ``[first, last]``, or None if it does not."""
        if self.may_until <= first or self.may_from > last:
            return None
        if self.surely_from > last:
            return Certainty.UNCERTAIN
        return Certainty.HOLDS if self.surely_until > first else Certainty.LIKELY
