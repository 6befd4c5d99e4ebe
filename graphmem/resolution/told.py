"""What one slot hears: claims reduced to a value, a form and places in time."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from graphmem.model.claim import Form, Modality, Said
from graphmem.model.time import Bound, Span, Stated

ANY = "*"
"""The value of an ending or calling off that names none: it is meant for each."""

YES, NO = "+", "-"
"""The two values of a yes/no slot."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """One claim as one slot hears it.

    Attributes:
        claim: the claim's id.
        value: what it says holds, or ends; ``ANY`` for each.
        form, modality, authority: as in ``Claim``.
        said: decides between contradicting claims.
        at: the instant its source speaks of where it gives no date: when it was said (or, for
            a correction, when what it corrects was said), microseconds UTC.
        start, end: stated bounds.
        negates: an ending that is really a "not": of something never heard of it tells nothing.
        unseen: such a "not" that was so when it was told, as a state or since is.
        shadow: takes part here, and its own facts are told in another slot.
    """

    claim: str
    value: str
    form: Form
    said: Said
    at: int
    modality: Modality = Modality.ASSERTED
    authority: int = 100
    start: Stated | None = None
    end: Stated | None = None
    negates: bool = False
    unseen: bool = False
    shadow: bool = False

    @property
    def start_span(self) -> Span | None:
        """The start's span, if it was stated and read."""
        return self.start.span if self.start else None

    @property
    def end_span(self) -> Span | None:
        """The end's span, if it was stated and read."""
        return self.end.span if self.end else None

    @property
    def still(self) -> bool:
        """Whether it is a since without a start, which reaches back to what was seen before."""
        return self.form is Form.SINCE and self.start_span is None

    @property
    def bare(self) -> bool:
        """Whether it is a state told without dates, true when it was said."""
        return self.form is Form.STATE and self.start_span is None


@dataclass(frozen=True, slots=True)
class Placed:
    """A stated bound at the instant where it counts, with the rest of its span as precision."""

    at: int
    bound: Bound
    width: int
    """Microseconds; the finer of two that agree counts."""
    first: int
    after: int

    def agrees(self, other: Placed) -> bool:
        """Whether both may mean the same instant."""
        return self.first <= max(other.first, other.after - 1) and other.first <= max(
            self.first, self.after - 1
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Witness:
    """That a value is seen to hold over ``[first, last]``.

    Attributes:
        told: by whom. planned: it is a plan for that time.
        first, last: both included; a state is an instant.
        start: the stated start, if there is one; then ``first`` is its place.
        firm: the first instant at which the value is seen beyond the mere start.
        inside: of other values it only takes what lies in ``[first, last]``.
        fades: it does not go on by itself after ``last``.
    """

    told: Told
    first: int
    last: int
    start: Placed | None = None
    firm: int | None = None
    inside: bool = False
    fades: bool = False
    planned: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Ending:
    """That a value ends.

    Attributes:
        told: by whom. planned: it lies ahead of its saying.
        at: where it counts. placed: the stated date; None reads "by ``at``".
        closes: it is the end of a closed period told as such.
        again: the instant it was dated at, where that lies before a bare state of the value: it
            ends that too, by its telling.
    """

    told: Told
    at: int
    placed: Placed | None = None
    planned: bool = False
    closes: bool = False
    again: int | None = None

    def ends(self, value: str) -> bool:
        """Whether it is meant for ``value``."""
        return self.told.value in (value, ANY)


class Tellings:
    """When states and sinces were told, for placing what was said coarsely."""

    def __init__(self, tolds: Sequence[Told]) -> None:
        heard = sorted((t.at, t.said, t.value) for t in tolds if t.bare or t.form is Form.SINCE)
        self._unseen: defaultdict[str, list[int]] = defaultdict(list)
        for told in sorted((t for t in tolds if t.unseen), key=lambda t: t.at):
            self._unseen[told.value].append(told.at)
        self._times = [at for at, _, _ in heard]
        self._values = [value for _, _, value in heard]
        self._own: defaultdict[str, list[int]] = defaultdict(list)
        for at, _, value in heard:
            self._own[value].append(at)
        # For each telling, the index after the last of the unbroken run of its value.
        self._run_end = [len(heard)] * len(heard)
        for index in range(len(heard) - 2, -1, -1):
            if self._values[index] == self._values[index + 1]:
                self._run_end[index] = self._run_end[index + 1]
            else:
                self._run_end[index] = index + 1

    def last_against_start(self, value: str, first: int, after: int) -> int | None:
        """Return when last in ``[first, after)``, before ``value`` is told, it is not."""
        own = self._own.get(value, [])
        place = bisect_left(own, first)
        limit = min(after, own[place]) if place < len(own) else after
        found = (_last_before(times, limit) for times in (self._times, self._unseen.get(value, [])))
        return max((at for at in found if at is not None and at >= first), default=None)

    def last_against_end(self, value: str, first: int, after: int) -> int | None:
        """Return when last in ``[first, after)``, before it is told not to be, ``value`` is."""
        unseen = self._unseen.get(value, [])
        place = bisect_left(unseen, first)
        after = min(after, unseen[place]) if place < len(unseen) else after
        low, high = bisect_left(self._times, first), bisect_left(self._times, after)
        if low >= high:
            return None
        if value == ANY:
            return self._times[high - 1]
        if self._values[low] != value:
            return None
        return self._times[min(self._run_end[low], high) - 1]


def _last_before(times: Sequence[int], limit: int) -> int | None:
    index = bisect_left(times, limit) - 1
    return times[index] if index >= 0 else None


def place(stated: Stated, told: Told, against: int | None, *, planned: bool) -> Placed:
    """Place a stated bound inside its span, after what speaks ``against`` it there.

    Told as done it is not after the saying, told as a plan not before it.
    """
    span = stated.span
    if span is None:
        raise ValueError("only a bound that was read can be placed")
    first, last = span.first, span.last
    if planned:
        first, last = max(first, told.at), max(last, told.at)
    else:
        first, last = min(first, told.at), min(last, told.at)
    at = first if against is None else max(first, against + 1)
    bound = Bound(at, max(at, last), stated=True, phrase=stated.phrase)
    return Placed(at, bound, span.width, span.first, span.after)


def ahead(told: Told, span: Span | None) -> bool:
    """Whether a bound lies ahead of the saying, and so is a plan whatever its tense."""
    return told.modality is Modality.PLANNED or (span is not None and span.first > told.at)


def moved(witness: Witness, start: Placed) -> Witness:
    """Return the witness with a later start in place of its own."""
    return replace(witness, first=start.at, last=max(start.at, witness.last), start=start)


def said_order(tolds: Iterable[Told]) -> Sequence[Told]:
    """Return claims in the order they were said (ids break ties of equal places)."""
    return sorted(tolds, key=lambda t: (t.said, t.claim))
