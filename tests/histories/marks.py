"""What a slot is told, what that witnesses, and what is believed: plain values.

Time is a whole number of microseconds.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

OPEN = 2**62
"""Later than everything."""
DAY = 86_400_000_000


Order = tuple[int, int, int]


@dataclass(frozen=True)
class Span:
    """A stretch in which a stated instant lies; ``after == first`` is exact."""

    first: int
    after: int
    coarse: bool = False

    @property
    def width(self) -> int:
        return self.after - self.first

    def last(self) -> int:
        """Its last reading: of what is a day or finer, the beginning."""
        return max(self.first, self.after - 1) if self.coarse else self.first


@dataclass(frozen=True)
class Told:
    """One claim, as far as its slot is concerned. ``value`` None: of every value of the slot."""

    name: str
    value: str | None
    form: str
    said: tuple[int, int, int]
    start: Span | None = None
    end: Span | None = None
    modality: str = "asserted"
    authority: int = 100
    state_of_no: bool = False
    is_not: bool = False
    """It is no end but a "not" that was so when it was told."""
    heard: int | None = None
    """The instant it speaks of, if that is not when it was said (a correction's)."""

    @property
    def at(self) -> int:
        return self.said[0] if self.heard is None else self.heard


@dataclass
class Belief:
    """A period for which something is believed; ``start`` None: nobody saw it begin or hold."""

    value: str
    start: tuple[int | None, int] | None
    end: tuple[int | None, int] | None = None
    modality: str = "asserted"
    status: str = "held"
    claims: set[str] = field(default_factory=set[str])
    place: tuple[int, int] = (0, 0)


@dataclass
class Witness:
    """That a value held over ``[first, after)``."""

    claim: Told
    value: str
    first: int
    after: int
    kind: str
    stated: bool
    span: Span | None
    parts: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])

    @property
    def last(self) -> int:
        """The latest reading of its start; told as done, never after the saying."""
        if self.span is None:
            return self.first
        last = max(self.first, self.span.last())
        if self.kind != "plan":
            last = min(last, max(self.claim.at, self.first))
        return last


@dataclass
class Ending:
    """That a value ended at ``at``; ``by`` if nobody said when."""

    claim: Told
    value: str | None
    at: int
    by: bool
    planned: bool
    span: Span | None
    closes: bool = False
    telling_of: int | None = None
    said: Order = (0, 0, 0)

    def __post_init__(self) -> None:
        self.said = self.claim.said

    @property
    def key(self) -> str:
        return self.claim.name if self.telling_of is None else f"{self.claim.name}/telling"

    def of(self, value: str) -> str:
        """What it is as an ending of one of the values it is meant for."""
        return f"{self.key} of {value}"

    @property
    def last(self) -> int:
        if self.span is None:
            return self.at
        last = max(self.at, self.span.last())
        return last if self.planned else min(last, max(self.claim.at, self.at))


@dataclass
class Cell:
    """A stretch of time in which nothing changes."""

    first: int
    after: int
    value: str | None = None
    by: Witness | None = None
    here: list[Witness] = field(default_factory=list[Witness])
    ended: Ending | None = None
    fresh: Ending | None = None
    closed: Witness | None = None
    resumed: bool = False


def minus(parts: list[tuple[int, int]], first: int, after: int) -> list[tuple[int, int]]:
    left: list[tuple[int, int]] = []
    for a, b in parts:
        if a < min(b, first):
            left.append((a, min(b, first)))
        if max(a, after) < b:
            left.append((max(a, after), b))
    return left


def covers(parts: list[tuple[int, int]], spot: int) -> bool:
    return any(a <= spot < b for a, b in parts)


def unique(witnesses: Iterable[Witness]) -> list[Witness]:
    found: list[Witness] = []
    for witness in witnesses:
        if witness not in found:
            found.append(witness)
    return found


def agree(one: Span | None, two: Span | None) -> bool:
    if one is None or two is None:
        return False
    return one.first < max(two.after, two.first + 1) and two.first < max(one.after, one.first + 1)


def better(one: Witness, two: Witness) -> Witness:
    """Of two stated starts the finer if they agree, else the one said later."""
    earlier, later = sorted((one, two), key=lambda w: w.claim.said)
    if agree(one.span, two.span) and one.span is not None and two.span is not None:
        if earlier.span.width < later.span.width:  # type: ignore[union-attr]  # both have one
            return earlier
        return later
    return later


def believed(belief: Belief, first: int, last: int | None = None) -> bool:
    """Whether a read about ``[first, last]`` returns it."""
    last = first if last is None else last
    if belief.start is None:
        return False
    begin = belief.start[1]
    if belief.modality != "asserted" and belief.start[0] is not None:
        begin = belief.start[0]
    return begin <= last and (belief.end is None or belief.end[1] > first)
