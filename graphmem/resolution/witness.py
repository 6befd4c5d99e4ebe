"""Placing: from what was told to witnesses and endings on the time line."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from graphmem.model.claim import Form, Modality
from graphmem.model.time import Span
from graphmem.resolution.told import (
    ANY,
    Ending,
    Placed,
    Tellings,
    Told,
    Witness,
    ahead,
    place,
    said_order,
)

_HOLDING = frozenset({Form.STATE, Form.SINCE, Form.CHANGE, Form.PAST})


@dataclass(slots=True)
class Evidence:
    """A slot's claims, placed.

    Attributes:
        witnesses, endings: what counts.
        aside: undated plans and possibilities, which end nothing.
        cancels: callings off, said order.
        void: plans that did not happen, each with the claim that says so.
    """

    witnesses: list[Witness] = field(default_factory=list[Witness])
    endings: list[Ending] = field(default_factory=list[Ending])
    aside: list[Told] = field(default_factory=list[Told])
    cancels: list[Told] = field(default_factory=list[Told])
    void: list[tuple[Told, Told]] = field(default_factory=list[tuple[Told, Told]])


def gather(tolds: Sequence[Told]) -> Evidence:
    """Place every claim of a slot, and drop the plans that were called off or did not happen."""
    evidence = Evidence(cancels=[t for t in said_order(tolds) if t.form is Form.CANCEL])
    asserted = [t for t in tolds if t.modality is Modality.ASSERTED and t.form in _HOLDING]
    unseen = [t for t in tolds if t.modality is Modality.ASSERTED and t.unseen]
    placer = _Placer(Tellings([*asserted, *unseen]), asserted, evidence)
    for told in said_order(tolds):
        placer.take(told)
    evidence.witnesses.extend(reach_back(placer.still, evidence.witnesses))
    _drop_void(evidence, asserted)
    return evidence


class _Placer:
    """Sorts claims into evidence by their form."""

    def __init__(self, tellings: Tellings, asserted: Sequence[Told], evidence: Evidence) -> None:
        self.tellings = tellings
        self.evidence = evidence
        self.still: list[Told] = []
        self._bare: defaultdict[str, list[int]] = defaultdict(list)
        for told in asserted:
            if told.bare:
                self._bare[told.value].append(told.at)
                self._bare[ANY].append(told.at)
        for times in self._bare.values():
            times.sort()

    def take(self, told: Told) -> None:
        """Place one claim."""
        if told.form is Form.CANCEL:
            return
        if told.form is Form.END or (told.form is Form.PAST and told.start_span is None):
            self._end(told)
        elif told.modality is Modality.POSSIBLE or (
            told.modality is Modality.PLANNED and told.start_span is None
        ):
            self.evidence.aside.append(told)
        elif told.start_span is not None and ahead(told, told.start_span):
            self._plan(told, told.start_span)
        elif told.form is Form.PAST and told.end_span is None:
            self._end(told)
        elif told.start_span is not None:
            self._dated(told, told.start_span)
        else:
            self._undated(told)

    def _plan(self, told: Told, span: Span) -> None:
        start = self._start(told, span, planned=True)
        self._witness(Witness(told=told, first=start.at, last=start.at, start=start, planned=True))
        self._stated_end(told, start.at, closes=True)

    def _dated(self, told: Told, span: Span) -> None:
        start = self._start(told, span, planned=False)
        first = start.at
        closed = told.form is Form.PAST or (told.form is Form.STATE and told.end_span is not None)
        if closed and told.end_span is not None and not ahead(told, told.end_span):
            ending = self._stated_end(told, first, closes=True)
            last = first if ending is None else max(first, ending.at - 1)
            self._witness(Witness(told=told, first=first, last=last, start=start, inside=True))
        elif told.form is Form.STATE and not closed:
            over = span.after <= told.at
            last = max(first, min(span.after - 1, told.at))
            self._witness(
                Witness(told=told, first=first, last=last, firm=first, inside=over, fades=over)
            )
        elif told.form is Form.CHANGE:
            self._witness(Witness(told=told, first=first, last=first, start=start))
            self._stated_end(told, first)
        else:
            self._witness(Witness(told=told, first=first, last=told.at, start=start, firm=told.at))
            self._stated_end(told, told.at)

    def _undated(self, told: Told) -> None:
        if told.form is Form.SINCE:
            self.still.append(told)
        else:
            self._witness(Witness(told=told, first=told.at, last=told.at, firm=told.at))
        self._stated_end(told, told.at)

    def _end(self, told: Told) -> None:
        if told.modality is Modality.POSSIBLE:
            return
        span = told.end_span
        if span is None:
            if told.modality is Modality.ASSERTED:
                self._ending(Ending(told=told, at=told.at))
            return
        ending = self._stated_end(told, None)
        if ending is not None and not ending.planned and self._told_of_since(told, ending.at):
            self._ending(Ending(told=told, at=told.at, again=ending.at))

    def _told_of_since(self, told: Told, at: int) -> bool:
        """Whether a bare state of the value was told between ``at`` and this telling."""
        times = self._bare.get(told.value, [])
        index = bisect_left(times, at)
        return index < len(times) and times[index] < told.at

    def _stated_end(self, told: Told, after: int | None, *, closes: bool = False) -> Ending | None:
        span = told.end_span
        if span is None:
            return None
        planned = ahead(told, span)
        if not planned and after is not None and span.after <= after and not closes:
            return None  # an end before what it would end is a slip of the tongue
        until = span.after if planned else min(span.after, told.at)
        against = self.tellings.last_against_end(told.value, span.first, until)
        if told.end is None:
            return None
        placed = place(told.end, told, against, planned=planned)
        if after is not None and placed.at <= after:
            bound = replace(placed.bound, earliest=after + 1, latest=max(after + 1, span.last))
            placed = replace(placed, at=after + 1, bound=bound)
        ending = Ending(told=told, at=placed.at, placed=placed, planned=planned, closes=closes)
        self._ending(ending)
        return ending

    def _start(self, told: Told, span: Span, *, planned: bool) -> Placed:
        after = span.after if planned else min(span.after, told.at)
        against = self.tellings.last_against_start(told.value, span.first, after)
        if told.start is None:
            raise ValueError("a dated claim has a start")
        return place(told.start, told, against, planned=planned)

    def _witness(self, witness: Witness) -> None:
        self.evidence.witnesses.append(witness)

    def _ending(self, ending: Ending) -> None:
        self.evidence.endings.append(ending)


def reach_back(tolds: Sequence[Told], witnesses: Sequence[Witness]) -> list[Witness]:
    """Let each "still" reach back to its value's last earlier witness."""
    ends: defaultdict[str, list[int]] = defaultdict(list)
    for witness in witnesses:
        if not witness.planned:  # a plan has seen nothing
            ends[witness.told.value].append(witness.last)
    for told in tolds:
        ends[told.value].append(told.at)
    for times in ends.values():
        times.sort()
    result: list[Witness] = []
    for told in tolds:
        times = ends[told.value]
        index = bisect_left(times, told.at) - 1
        first = times[index] if index >= 0 else told.at
        result.append(Witness(told=told, first=first, last=told.at, firm=told.at))
    return result


def _drop_void(evidence: Evidence, asserted: Sequence[Told]) -> None:
    """Take out plans that were called off, or that a later telling belies."""
    tellings = sorted(
        (t for t in asserted if t.form in (Form.STATE, Form.SINCE)), key=lambda t: (t.at, t.said)
    )
    seen = _Seen(evidence.witnesses)
    void: dict[str, Told] = {}
    for witness in evidence.witnesses:
        start = witness.start
        if not witness.planned or start is None:
            continue
        belied = _belied(start, witness.told, tellings, ending=False)
        if belied is not None and seen.between(witness.told.value, start.at, belied.at):
            belied = None  # it did happen in between
        by = _called_off(witness.told, evidence.cancels) or belied
        if by is not None:
            void[witness.told.claim] = by
            evidence.void.append((witness.told, by))
    kept: list[Ending] = []
    for ending in evidence.endings:
        by = void.get(ending.told.claim)
        if by is None and ending.planned and ending.placed is not None:
            by = _called_off(ending.told, evidence.cancels) or _belied(
                ending.placed, ending.told, tellings, ending=True
            )
        if by is None:
            kept.append(ending)
    evidence.endings = kept
    evidence.witnesses = [w for w in evidence.witnesses if not (w.planned and w.told.claim in void)]


class _Seen:
    """When each value was seen, plans apart."""

    def __init__(self, witnesses: Sequence[Witness]) -> None:
        self._firsts: defaultdict[str, list[int]] = defaultdict(list)
        self._lasts: defaultdict[str, list[int]] = defaultdict(list)
        for witness in sorted(witnesses, key=lambda w: w.first):
            if not witness.planned:
                lasts = self._lasts[witness.told.value]
                self._firsts[witness.told.value].append(witness.first)
                lasts.append(max(witness.last, lasts[-1] if lasts else witness.last))

    def between(self, value: str, first: int, after: int) -> bool:
        """Whether it was seen at some time in ``[first, after)``."""
        firsts = self._firsts.get(value, [])
        index = bisect_left(firsts, after) - 1
        return index >= 0 and self._lasts[value][index] >= first


def _called_off(plan: Told, cancels: Sequence[Told]) -> Told | None:
    for cancel in cancels:
        if cancel.said > plan.said and cancel.value in (plan.value, ANY):
            return cancel
    return None


def _belied(plan: Placed, told: Told, tellings: Sequence[Told], *, ending: bool) -> Told | None:
    """Return the first telling about the time after a plan's span, if it speaks against it."""
    whole = max(plan.after, plan.first + 1)
    index = bisect_left(tellings, max(whole, told.at), key=lambda t: t.at)
    for telling in tellings[index:]:
        span = telling.start_span
        if span is not None:
            if telling.form is Form.STATE and span.first < whole:
                continue  # looks back
            if telling.form is Form.SINCE and span.first >= whole:
                continue  # a change dated later
        same = telling.value == told.value or told.value == ANY
        return telling if same is ending else None
    return None
