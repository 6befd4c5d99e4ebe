"""Stretches of time over which one value is believed, and their bounds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from graphmem.model.fact import Cause
from graphmem.model.time import Bound
from graphmem.resolution.told import Ending, Placed, Told, Witness


@dataclass(slots=True)
class Stretch:
    """A stretch of time over which one value is believed.

    Attributes:
        value: which. first: where it begins. last: where it was last witnessed.
        bare: the last bare state among its witnesses, if there is one.
        seen: its witnesses by claim, as met. start: its start bound.
        end_at, end, cause: where, how and why it ends, once it does.
        resumed: it goes on from the stretch before the one that interrupted it.
        over: the stretch that it interrupted, which may go on after it.
        adjoins: it ended where the next stretch began, and for that reason.
        closed: it was told with its end, and that ended it.
    """

    value: str
    first: int
    last: int
    seen: dict[str, Witness] = field(default_factory=dict[str, Witness])
    bare: int | None = None
    start: Bound | None = None
    end_at: int | None = None
    end: Bound | None = None
    cause: Cause | None = None
    resumed: Stretch | None = None
    over: Stretch | None = None
    adjoins: bool = False
    closed: bool = False
    fades: bool = False
    pending: list[Ending] = field(default_factory=list[Ending])

    @property
    def tolds(self) -> list[Told]:
        """The claims it rests on, without repeats."""
        own = {claim: witness.told for claim, witness in self.seen.items()}
        if self.resumed is not None:
            for told in self.resumed.tolds:
                own.setdefault(told.claim, told)
        return list(own.values())

    @property
    def planned(self) -> bool:
        """Whether nobody yet said that it came to pass."""
        if self.resumed is not None and not self.resumed.planned:
            return False
        return all(w.planned for w in self.seen.values())

    def rest(self, witness: Witness) -> None:
        """Let it rest on ``witness`` too."""
        self.seen.setdefault(witness.told.claim, witness)
        if witness.told.bare and (self.bare is None or self.bare < witness.first):
            self.bare = witness.first

    def ends_by(self, ending: Ending) -> bool:
        """Whether an ending of its value is meant for it.

        Told with a date before a bare state, it ends what rests on that, and nothing else.
        """
        return ending.again is None or (self.bare is not None and self.bare >= ending.again)

    def covers(self, at: int) -> bool:
        """Whether it is believed at ``at``."""
        return self.first <= at and (self.end_at is None or at < self.end_at)


def choose_start(stretch: Stretch) -> Placed | None:
    """Choose between the stated starts of a stretch.

    The finer counts if two agree, else the one said later. A start after an earlier asserted
    claim of the stretch was said, or after the value was seen, is a second arrival.
    """
    starts = sorted(
        (
            (w.told.said, w.start)
            for w in stretch.seen.values()
            if w.start is not None and w.start.at >= stretch.first
        ),
        key=lambda pair: pair[0],
    )
    if not starts:
        return None
    firm = min((w.firm for w in stretch.seen.values() if w.firm is not None), default=None)
    told = min((w.told.at for w in stretch.seen.values() if not w.planned), default=None)
    chosen: Placed | None = None
    for _, start in starts:
        if firm is not None and start.at > firm:
            continue
        if told is not None and start.at > told:
            continue
        chosen = start if chosen is None else _finer_or_later(chosen, start)
    return chosen


def choose_ending(pending: Sequence[Ending]) -> Ending:
    """Choose between endings with no witness of the value between them.

    A stated date counts before a mere telling, unless it lies ahead of a telling that it is
    over already; of two stated, the finer counts if they agree, else the one said later.
    """
    first, *others = sorted(pending, key=lambda e: e.told.said)
    chosen = first
    for ending in others:
        if chosen.placed is not None and ending.placed is not None:
            if _finer_or_later(chosen.placed, ending.placed) is ending.placed:
                chosen = ending
        elif ending.placed is not None:
            if not ending.planned or ending.at <= chosen.at:
                chosen = ending
        elif chosen.at > ending.at:
            chosen = ending
    return chosen


def _finer_or_later(earlier: Placed, later: Placed) -> Placed:
    if earlier.agrees(later):
        return earlier if earlier.width < later.width else later
    return later


def set_bounds(stretches: Sequence[Stretch]) -> None:
    """Give the stretches of a slot, in time, the bounds of their facts."""
    for stretch in stretches:
        _set_start(stretch)
        _in_order(stretch)
    _join_bounds(stretches)


def _set_start(stretch: Stretch) -> None:
    if stretch.start is not None:
        return
    chosen = choose_start(stretch)
    if chosen is None or chosen.at != stretch.first:
        stretch.start = Bound(None, stretch.first, stated=False)
        return
    # Whoever saw it hold inside the span narrows the latest reading of its start.
    seen = min(
        (w.firm for w in stretch.seen.values() if w.firm is not None and w.firm >= chosen.at),
        default=None,
    )
    latest = chosen.bound.latest if seen is None else min(chosen.bound.latest, seen)
    stretch.start = Bound(chosen.at, max(chosen.at, latest), phrase=chosen.bound.phrase)


def _in_order(stretch: Stretch) -> None:
    """Let a coarse start read no later than the end: by then it had begun."""
    start, end = stretch.start, stretch.end
    if start is not None and end is not None and start.latest > end.latest:
        latest = end.latest if start.earliest is None else max(start.earliest, end.latest)
        stretch.start = replace(start, latest=latest)


def _join_bounds(stretches: Sequence[Stretch]) -> None:
    """Give a superseded stretch the stated bound of what took its place."""
    for here, following in pairwise(stretches):
        start = following.start
        if here.adjoins and start is not None and start.stated and here.end is not None:
            here.end = start
