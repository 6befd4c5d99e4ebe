"""What is believed of one slot, computed slowly and from the design's words alone.

Nothing here is shared with the package: no rule, no helper, no type. A slot's claims go in as
``Told``; out come ``Belief``s. Time is a whole number of microseconds. Everything is computed anew
for every question, cell by cell over all instants at which anything could change.

In a slot of yes and no the values are "+" and "-". In a single-valued slot they are the values, and
a negative comes in as an ending that also stands in the slot of its object (see ``model``).
"""

from __future__ import annotations

from dataclasses import replace

from tests.histories.marks import DAY, OPEN, Belief, Order, Span, Told, believed
from tests.histories.placing import is_plan, placed, stands_beside, void
from tests.histories.stretching import Stretching

WEAKER = 30
"""This much less authority than the slot's strongest, and a claim counts for nothing."""


def timeline(claims: list[Told], *, single: bool) -> list[Belief]:
    """Return what is believed of a slot; ``single``: of many values one at a time."""
    if not claims:
        return []
    strongest = max(c.authority for c in claims)
    strong = sorted((c for c in claims if c.authority > strongest - WEAKER), key=lambda c: c.said)
    weak = sorted((c for c in claims if c.authority <= strongest - WEAKER), key=lambda c: c.said)
    beliefs = _strong(strong, single=single)
    disputed = timeline(_disputing(weak, beliefs), single=single)
    return beliefs + [
        replace(b, status="disputed" if b.status == "held" else b.status) for b in disputed
    ]


def _strong(strong: list[Told], *, single: bool) -> list[Belief]:  # noqa: C901  # one rule a line, in one place
    values = sorted({c.value for c in strong if c.value is not None})
    starts: dict[str, int] = {}
    ends: dict[str, int] = {}
    for claim in strong:
        planned = claim.modality == "planned"
        if claim.start is not None:
            starts[claim.name] = placed(
                claim, claim.start, strong, ending=claim.form == "end", planned=planned
            )
        if claim.end is not None:
            late = planned or claim.end.first > claim.at
            ends[claim.name] = placed(claim, claim.end, strong, ending=True, planned=late)
            starts.setdefault(claim.name, ends[claim.name])
    gone: set[str] = set()
    silent: set[str] = set()
    for claim in strong:
        planned = claim.modality == "planned"
        moves = is_plan(claim) and claim.start is not None and claim.form not in ("cancel", "end")
        if moves and void(claim, strong, starts, ending=False):
            gone.add(claim.name)
            continue
        stop = claim.end or (claim.start if claim.form == "end" else None)
        leaves = stop is not None and (planned or stop.first > claim.at)
        if leaves and void(claim, strong, {**starts, **ends}, ending=True):
            silent.add(claim.name)
    standing = [
        c for c in strong if c.name not in gone and not stands_beside(c) and c.form != "cancel"
    ]
    moved: dict[str, tuple[int, Span]] = {}
    lent: dict[str, Order] = {}
    while True:
        run = Stretching(standing, strong, values, starts, ends, moved, silent, lent, single=single)
        run.sweep()
        if not run.settle():
            break
    beliefs = run.beliefs()
    beliefs += _standing_beside([c for c in strong if stands_beside(c)], strong, single=single)
    told = {name for b in beliefs for name in b.claims}
    for claim in strong:
        if claim.name in gone and claim.value is not None and claim.form != "end":
            beliefs.append(
                Belief(claim.value, None, None, claim.modality, "retracted", {claim.name})
            )
        elif claim.name not in told and claim.form in ("state", "since", "change", "past"):
            assert claim.value is not None
            spot = next((w.first for w in run.witnesses if w.claim is claim), claim.at)
            held = [
                b for b in beliefs if b.value == claim.value and b.place[0] <= spot < b.place[1]
            ]
            if held:
                held[0].claims.add(claim.name)
                continue
            beliefs.append(
                Belief(claim.value, None, None, claim.modality, "retracted", {claim.name})
            )
    return beliefs


def _standing_beside(beside: list[Told], strong: list[Told], *, single: bool) -> list[Belief]:
    found: list[Belief] = []
    for claim in beside:
        assert claim.value is not None
        over = None
        for other in strong:
            if other.said <= claim.said or other.at < claim.at or stands_beside(other):
                continue
            same = other.value in (claim.value, None)
            if other.form == "cancel":
                done = same
            elif other.form == "end" or other.modality != "asserted":
                done = False
            else:
                done = other.value == claim.value or not single
            if done:
                over = other.at
                break
        start = (None, claim.at)
        end = None if over is None else (claim.at, over)
        match = [
            b for b in found if (b.value, b.modality, b.end) == (claim.value, claim.modality, end)
        ]
        if match and end is None:
            match[0].claims.add(claim.name)
        else:
            found.append(Belief(claim.value, start, end, claim.modality, "held", {claim.name}))
    return found


def _disputing(weak: list[Told], beliefs: list[Belief]) -> list[Told]:
    """Let who counts for little corroborate what is held then; return the others."""
    found: list[Told] = []
    for claim in weak:
        if claim.form == "end":
            continue
        at = claim.start.first if claim.start is not None else claim.at
        for belief in beliefs:
            first, after = belief.place
            here = any(first <= spot < after for spot in (at, claim.at))
            if claim.modality == "asserted" and belief.value == claim.value and here:
                belief.claims.add(claim.name)
                break
        else:
            found.append(claim)
    return found


__all__ = ["DAY", "OPEN", "Belief", "Span", "Told", "believed", "timeline"]
