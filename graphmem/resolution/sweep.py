"""Believing: one sweep over time from witnesses and endings to stretches of one value."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from graphmem.model.claim import Said
from graphmem.model.fact import Cause, Rule
from graphmem.model.time import Bound
from graphmem.resolution.stretch import Stretch, choose_ending, choose_start, set_bounds
from graphmem.resolution.told import ANY, Ending, Placed, Told, Witness, moved
from graphmem.resolution.witness import reach_back

_ROUNDS = 4


@dataclass(slots=True)
class Swept:
    """What a sweep gives.

    Attributes:
        stretches: by time.
        nothing_left: witnesses that are believed nowhere, with the claim that took their place.
        unmet: endings that met no stretch.
    """

    stretches: list[Stretch]
    nothing_left: list[tuple[Witness, Told]]
    unmet: list[Ending]


def sweep(witnesses: Sequence[Witness], endings: Sequence[Ending], *, yes_no: bool) -> Swept:
    """Decide what is believed when.

    A stretch told with two starts keeps one; the others' witnesses then begin there too, which
    may free what they had covered, so the sweep runs again until the starts stand.
    """
    current = list(witnesses)
    swept = _Sweep(yes_no).run(current, endings)
    for _ in range(_ROUNDS):
        later = _later_starts(swept.stretches)
        if not later:
            break
        stills = [w.told for w in current if w.told.still]
        current = [
            moved(w, later[w.told.claim]) if w.told.claim in later else w
            for w in current
            if not w.told.still
        ]
        current += reach_back(stills, current)
        swept = _Sweep(yes_no).run(current, endings)
    set_bounds(swept.stretches)
    return swept


def _later_starts(stretches: Iterable[Stretch]) -> dict[str, Placed]:
    """Return, by claim, the chosen start of its stretch where the claim's own is earlier."""
    later: dict[str, Placed] = {}
    for stretch in stretches:
        chosen = choose_start(stretch)
        if chosen is None:
            continue
        for witness in stretch.seen.values():
            start = witness.start
            if start is not None and stretch.first <= start.at < chosen.at:
                later[witness.told.claim] = chosen
    return later


# --- the sweep itself


class _Sweep:
    def __init__(self, yes_no: bool) -> None:
        self.yes_no = yes_no
        self.active: list[Witness] = []
        self.stretches: list[Stretch] = []
        self.took: dict[int, Told] = {}
        self.under: dict[int, Witness] = {}
        self.below: dict[int, list[Witness]] = {}
        self.met: set[int] = set()
        self.reached: defaultdict[str, list[Ending]] = defaultdict(list)

    @property
    def here(self) -> Stretch | None:
        """The stretch that goes on, if one does."""
        return self.stretches[-1] if self.stretches and self.stretches[-1].end is None else None

    def run(self, witnesses: Sequence[Witness], endings: Sequence[Ending]) -> Swept:
        begins = sorted(
            [(w.first, w.told.said, w) for w in witnesses]
            + [(e.at, e.told.said, e) for e in endings],
            key=lambda mark: (mark[0], *_turn(mark[2])),
        )
        expiries = sorted({w.last + 1 for w in witnesses})
        next_expiry = 0
        index = 0
        while index < len(begins):
            at = begins[index][0]
            while next_expiry < len(expiries) and expiries[next_expiry] <= at:
                if expiries[next_expiry] < at:  # what expires here does so with the marks
                    self._step(expiries[next_expiry], [])
                next_expiry += 1
            stop = index
            while stop < len(begins) and begins[stop][0] == at:
                stop += 1
            self._step(at, [mark[2] for mark in begins[index:stop]])
            index = stop
        for expiry in expiries[next_expiry:]:
            self._step(expiry, [])
        self._settle(None, None)
        return Swept(
            self.stretches,
            self._nothing_left(witnesses),
            [e for e in endings if id(e) not in self.met],
        )

    def _step(self, at: int, marks: Sequence[Witness | Ending]) -> None:
        """Move on to ``at``: what expired goes, what is marked here comes in said order."""
        top = self._top()
        if top is not None and self.here is not None and self.here.value == top.told.value:
            self._reach(self.here, top, min(top.last, at - 1))
        self.active = [w for w in self.active if w.last >= at]
        new: list[Witness] = []
        for mark in marks:
            if isinstance(mark, Witness):
                self._begin(mark)
                new.append(mark)
            else:
                self._end(mark, at)
        top = self._top()
        if top is None:
            return
        self._see(top, at)
        here = self.here
        for witness in (*self.active, *new):
            if here is not None and witness.told.value == here.value:
                self._rest(here, witness)
            elif id(witness) not in self.took:
                self.took[id(witness)] = self._taker(witness, top).told

    def _top(self) -> Witness | None:
        return max(self.active, key=lambda w: (w.told.said, w.told.claim), default=None)

    def _taker(self, witness: Witness, top: Witness) -> Witness:
        """Return the first said of those that leave ``witness`` nothing here."""
        later = [
            w
            for w in self.active
            if w.told.value != witness.told.value and w.told.said > witness.told.said
        ]
        return min(later, key=lambda w: (w.told.said, w.told.claim), default=top)

    def _rest(self, here: Stretch, witness: Witness) -> None:
        """Let a stretch rest on a witness, and on those that it left nothing to add."""
        here.rest(witness)
        for other in self.below.pop(id(witness), ()):
            if other.last >= here.first:
                here.rest(other)

    def _begin(self, witness: Witness) -> None:
        """Add a witness; unless it only speaks of its own time, it cuts off what others said."""
        if not witness.inside:
            kept: list[Witness] = []
            for other in self.active:
                earlier = other.told.said < witness.told.said
                if earlier and other.told.value != witness.told.value:
                    self.took.setdefault(id(other), witness.told)
                elif earlier and other.last <= witness.last:
                    self.under[id(other)] = witness  # it adds nothing, and shares its fate
                    below = self.below.pop(id(other), [])
                    below.append(other)
                    known = self.below.setdefault(id(witness), below)
                    if known is not below:
                        known.extend(below)
                else:
                    kept.append(other)
            self.active = kept
        self.active.append(witness)

    def _end(self, ending: Ending, at: int) -> None:
        """Apply an ending: it cuts what was said before it, and yields to what was said after."""
        kept: list[Witness] = []
        top = self._top()
        covered = False
        for other in self.active:
            if not ending.ends(other.told.value):
                kept.append(other)
            elif other.told.said > ending.told.said:
                kept.append(other)
                covered = covered or (top is not None and top.told.value == other.told.value)
            elif ending.again is not None or (
                other.told.claim == ending.told.claim and other.first == at
            ):
                kept.append(other)
            else:
                self.took.setdefault(id(other), ending.told)
        self.active = kept
        here = self.here
        if covered:
            self.met.add(id(ending))
            return
        self.reached[ending.told.value].append(ending)
        if here is not None and ending.ends(here.value):
            self.met.add(id(ending))
            if here.ends_by(ending):
                here.pending.append(ending)

    def _see(self, witness: Witness, at: int) -> None:
        """Believe ``witness`` at ``at``."""
        value = witness.told.value
        here = self.here
        if here is not None and (here.pending or here.value != value):
            self._settle(witness, at)
            here = self.here
        over = self._passed_on(at)
        if here is not None and here.value != value:
            self._supersede(here, witness, at)
            over, here = here, None
        if here is None:
            if over is not None and over.value == value:
                over = over.over  # back from an interruption
            here = Stretch(value, at, at, over=over)
            self.stretches.append(here)
        self._rest(here, witness)
        self._reach(here, witness, at)

    def _reach(self, stretch: Stretch, witness: Witness, at: int) -> None:
        if at >= stretch.last:
            stretch.last = at
            stretch.fades = witness.fades

    def _supersede(self, here: Stretch, witness: Witness, at: int) -> None:
        here.end_at = at
        here.end = Bound(min(here.last, at), at, stated=False)
        here.cause = Cause(Rule.SUPERSEDED, witness.told.claim)
        here.adjoins = True

    def _passed_on(self, at: int) -> Stretch | None:
        """Return what a closed period that is over at ``at`` leaves to be resumed."""
        last = self.stretches[-1] if self.stretches else None
        return last.over if last is not None and last.closed and last.end_at == at else None

    def _settle(self, coming: Witness | None, at: int | None) -> None:
        """End what ends before ``coming``, seen at ``at``, and let go on what that interrupted."""
        here = self.here
        while here is not None:
            other = coming is None or coming.told.value != here.value
            if here.pending:
                ending = choose_ending(here.pending)
                self._finish(here, ending, at)
                here.closed = ending.closes
            elif here.fades and other:
                over = here.last + 1
                here.end_at, here.end = over, Bound(over, over, stated=False)
                here.cause = Cause(Rule.CLOSED, next(reversed(here.seen)))
                here.closed = True
            else:
                return
            self._give_back(here, coming)
            here = self.here

    def _finish(self, here: Stretch, ending: Ending, seen: int | None) -> None:
        here.end_at = ending.at
        if ending.placed is None:
            here.end = Bound(min(here.last, ending.at), ending.at, stated=False)
        else:
            bound = ending.placed.bound
            # What is seen next narrows the latest reading of the end.
            latest = bound.latest if seen is None else min(bound.latest, seen)
            here.end = Bound(ending.at, max(ending.at, latest), phrase=bound.phrase)
        told_so = Rule.CLOSED if ending.closes else Rule.ENDED
        rule = Rule.PLANNED_END if ending.planned else told_so
        here.cause = Cause(rule, ending.told.claim)

    def _give_back(self, here: Stretch, coming: Witness | None) -> None:
        """Let the value before an interruption go on after it, unless an end reached it then."""
        at, end = here.end_at, here.end
        if at is None or end is None or (coming is not None and coming.first <= at):
            return
        before = here.over
        reached: list[Ending] = []
        while before is not None:
            reached = self._reached(before)
            ended = choose_ending(reached) if reached else None
            if ended is None or ended.at > at:
                break
            before = before.over if ended.closes else None
        if before is None or before.value == here.value:
            return
        # Whoever tells of a new start does not say that it went on.
        claimed = any(t.at >= at for t in before.tolds) or (
            coming is not None and coming.told.value == before.value and coming.start is None
        )
        if not (self.yes_no or (here.closed and claimed)):
            return
        again = Stretch(before.value, at, at, resumed=before, over=before.over, bare=before.bare)
        # A plan is shown from the earliest reading of its date, which is no date of this one.
        again.start = replace(end, stated=False, earliest=None if before.planned else end.earliest)
        again.pending = reached
        self.met.update(id(ending) for ending in reached)
        self.stretches.append(again)

    def _reached(self, stretch: Stretch) -> list[Ending]:
        """Return the endings of a stretch's value since it was interrupted."""
        found: list[Ending] = []
        for value in (stretch.value, ANY):
            endings = self.reached.get(value, [])
            low = 0
            if stretch.end_at is not None:
                low = bisect_left(endings, stretch.end_at, key=lambda e: e.at)
            found += [ending for ending in endings[low:] if stretch.ends_by(ending)]
        return found

    def _nothing_left(self, witnesses: Sequence[Witness]) -> list[tuple[Witness, Told]]:
        believed = {claim for stretch in self.stretches for claim in stretch.seen}
        result: list[tuple[Witness, Told]] = []
        for witness in witnesses:
            if witness.told.claim in believed:
                continue
            last = witness
            while id(last) not in self.took and id(last) in self.under:
                last = self.under[id(last)]
            if id(last) in self.took:
                result.append((witness, self.took[id(last)]))
        return result


def _turn(mark: Witness | Ending) -> tuple[bool, Said, bool]:
    """Order marks of one instant: as said, but a closed period is over before what begins there.

    The next period of the same value may have been told first, and is none of its business.
    """
    closes = isinstance(mark, Ending) and mark.closes
    return not closes, mark.told.said, isinstance(mark, Witness)
