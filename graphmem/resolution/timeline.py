"""The heart: what is believed when, as a pure function of a slot's claims."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from graphmem.model.claim import Form, Modality
from graphmem.model.fact import Cause, Rule, Status
from graphmem.model.time import Bound, Interval
from graphmem.resolution.stretch import Stretch, choose_ending
from graphmem.resolution.sweep import Swept, sweep
from graphmem.resolution.told import ANY, NO, YES, Ending, Told, Witness, said_order
from graphmem.resolution.witness import Evidence, gather

WEAKER_BY = 30
"""A claim this much below the slot's strongest displaces, ends, confirms and voids nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Believed:
    """A period for which a value is believed, disputed or was taken back.

    ``claims`` are ids in said order.
    """

    value: str
    interval: Interval
    status: Status = Status.HELD
    modality: Modality = Modality.ASSERTED
    claims: tuple[str, ...]
    cause: Cause | None = None


def timeline(
    tolds: Sequence[Told], *, yes_no: bool, wider: Mapping[str, frozenset[str]] | None = None
) -> list[Believed]:
    """Compute the facts of a slot from what was told of it.

    The result depends on the claims alone, not on their order. ``wider`` names, by value, the
    values that only say it less precisely.
    """
    if not tolds:
        return []
    strongest = max(told.authority for told in tolds)
    strong = [t for t in tolds if t.authority > strongest - WEAKER_BY]
    weak = [t for t in tolds if t.authority <= strongest - WEAKER_BY]
    narrow, wide = _split_wider(strong, wider or {})
    evidence = gather(narrow)
    swept = sweep(evidence.witnesses, evidence.endings, yes_no=yes_no)
    held = _Held(swept.stretches, wider or {})
    loose = [told for told in wide if not held.corroborate(told)]
    if loose:
        # A wider value with nothing narrower believed at its time stands for itself.
        corroborating = {t.claim for t in wide} - {t.claim for t in loose}
        kept = [t for t in strong if t.claim not in corroborating]
        evidence = gather(kept)
        swept = sweep(evidence.witnesses, evidence.endings, yes_no=yes_no)
        held = _Held(swept.stretches, wider or {})
        for told in wide:
            if told.claim in corroborating:
                held.corroborate(told)
    left = [(w, by) for w, by in swept.nothing_left if not held.join(w)]
    disputing = [t for t in weak if not held.corroborate(t) and t.form is not Form.END]
    facts = [
        *held.facts(),
        *_never_heard_of(swept, evidence),
        *_aside(evidence, strong, yes_no=yes_no),
        *_corrected(left),
        *_void(evidence),
    ]
    for fact in timeline(disputing, yes_no=yes_no, wider=wider):
        status = Status.DISPUTED if fact.status is Status.HELD else fact.status
        facts.append(replace(fact, status=status))
    return _without_shadows(facts, tolds)


def _split_wider(
    tolds: Sequence[Told], wider: Mapping[str, frozenset[str]]
) -> tuple[list[Told], list[Told]]:
    """Set apart bare states of a value that another value here says more precisely."""
    coarse = {value for told in tolds for value in wider.get(told.value, ())}
    narrow: list[Told] = []
    wide: list[Told] = []
    for told in tolds:
        bare = told.bare and told.modality is Modality.ASSERTED
        (wide if bare and told.value in coarse else narrow).append(told)
    return narrow, wide


class _Held:
    """The believed stretches, and what corroborates them."""

    def __init__(self, stretches: Sequence[Stretch], wider: Mapping[str, frozenset[str]]) -> None:
        self.stretches = stretches
        self.firsts = [stretch.first for stretch in stretches]
        self.wider = wider
        self.also: defaultdict[int, list[Told]] = defaultdict(list)

    def corroborate(self, told: Told) -> bool:
        """Add ``told`` to the fact held at its time, if that says the same or more."""
        if told.form in (Form.END, Form.CANCEL) or told.modality is not Modality.ASSERTED:
            return False
        for at in (told.start_span.first if told.start_span else told.at, told.at):
            index = bisect_right(self.firsts, at) - 1
            if index < 0 or not self.stretches[index].covers(at):
                continue
            value = self.stretches[index].value
            if told.value == value or told.value in self.wider.get(value, ()):
                self.also[index].append(told)
                return True
        return False

    def join(self, witness: Witness) -> bool:
        """Add a claim that was outdone to the fact of its value held at its time, if one is."""
        index = bisect_right(self.firsts, witness.first) - 1
        if index < 0 or not self.stretches[index].covers(witness.first):
            return False
        if self.stretches[index].value != witness.told.value:
            return False
        self.also[index].append(witness.told)
        return True

    def facts(self) -> Iterable[Believed]:
        """Return the stretches as facts."""
        for index, stretch in enumerate(self.stretches):
            yield Believed(
                value=stretch.value,
                interval=Interval(stretch.start, stretch.end),
                modality=Modality.PLANNED if stretch.planned else Modality.ASSERTED,
                claims=_ids([*stretch.tolds, *self.also[index]]),
                cause=stretch.cause,
            )


def _never_heard_of(swept: Swept, evidence: Evidence) -> Iterable[Believed]:
    """Make a fact of unknown start from the ending of something never heard of before it."""
    first_seen: dict[str, int] = {}
    for witness in evidence.witnesses:
        value = witness.told.value
        first_seen[value] = min(first_seen.get(value, witness.first), witness.first)
    again = {e.told.claim for e in evidence.endings if e.again is not None}
    by_value: defaultdict[str, list[Ending]] = defaultdict(list)
    for ending in swept.unmet:
        told = ending.told
        if told.value == ANY or told.negates or ending.closes or told.claim in again:
            continue
        if told.value in first_seen and first_seen[told.value] < ending.at:
            continue
        by_value[told.value].append(ending)
    for value, endings in by_value.items():
        chosen = choose_ending(endings)
        end = Bound(None, chosen.at, stated=False) if chosen.placed is None else chosen.placed.bound
        yield Believed(
            value=value,
            interval=Interval(None, end),
            claims=_ids(e.told for e in endings),
            cause=Cause(Rule.PLANNED_END if chosen.planned else Rule.ENDED, chosen.told.claim),
        )


def _aside(evidence: Evidence, tolds: Sequence[Told], *, yes_no: bool) -> Iterable[Believed]:
    """Let undated plans and possibilities stand until they are asserted or called off."""
    groups: dict[tuple[str, Modality, str | None], list[Told]] = {}
    overs: dict[str | None, Told] = {}
    overtakers = _Overtakers(tolds, yes_no=yes_no)
    for told in said_order(evidence.aside):
        over = overtakers.first_after(told)
        key = over.claim if over else None
        groups.setdefault((told.value, told.modality, key), []).append(told)
        if over is not None:
            overs[key] = over
    for (value, modality, key), group in groups.items():
        over = overs.get(key)
        end = None
        cause = None
        if over is not None:
            end = Bound(max(t.at for t in group), over.at, stated=False)
            cause = Cause(
                Rule.CALLED_OFF if over.form is Form.CANCEL else Rule.OVERTAKEN, over.claim
            )
        yield Believed(
            value=value,
            interval=Interval(Bound(None, group[0].at, stated=False), end),
            modality=modality,
            claims=_ids(group),
            cause=cause,
        )


class _Overtakers:
    """What puts an end to an undated plan of a value: it is asserted, denied, or called off."""

    def __init__(self, tolds: Sequence[Told], *, yes_no: bool) -> None:
        self.by_value: defaultdict[str, list[Told]] = defaultdict(list)
        for told in said_order(tolds):
            if told.form is Form.CANCEL:
                self.by_value[told.value].append(told)
            elif told.modality is Modality.ASSERTED and told.form is not Form.END:
                self.by_value[told.value].append(told)
                if yes_no:
                    self.by_value[{YES: NO, NO: YES}.get(told.value, told.value)].append(told)

    def first_after(self, plan: Told) -> Told | None:
        """Return the first of them said after ``plan``."""
        found: list[Told] = []
        for value in (plan.value, ANY):
            known = self.by_value.get(value, [])
            for told in known[bisect_right(known, plan.said, key=lambda t: t.said) :]:
                if told.at >= plan.at:
                    found.append(told)
                    break
        return min(found, key=lambda t: (t.said, t.claim), default=None)


def _corrected(left: Iterable[tuple[Witness, Told]]) -> Iterable[Believed]:
    """Tell of claims with nothing left as retracted, by what took their place."""
    groups: defaultdict[tuple[str, str, bool], list[Witness]] = defaultdict(list)
    for witness, by in left:
        groups[witness.told.value, by.claim, witness.planned].append(witness)
    for (value, by, planned), witnesses in groups.items():
        first = min(witnesses, key=lambda w: (w.first, w.told.said))
        bound = first.start.bound if first.start else Bound(None, first.first, stated=False)
        yield Believed(
            value=value,
            interval=Interval(bound),
            status=Status.RETRACTED,
            modality=Modality.PLANNED if planned else Modality.ASSERTED,
            claims=_ids(w.told for w in witnesses),
            cause=Cause(Rule.CORRECTED_BY, by),
        )


def _void(evidence: Evidence) -> Iterable[Believed]:
    """Tell of plans that did not happen as retracted."""
    groups: defaultdict[tuple[str, str], list[Told]] = defaultdict(list)
    for told, by in evidence.void:
        groups[told.value, by.claim].append(told)
    for (value, by), group in groups.items():
        span = group[0].start_span
        if span is None:
            continue
        bound = Bound(span.first, max(span.first, span.last), phrase=_phrase(group[0]))
        yield Believed(
            value=value,
            interval=Interval(bound),
            status=Status.RETRACTED,
            modality=Modality.PLANNED,
            claims=_ids(group),
            cause=Cause(Rule.PLAN_VOID, by),
        )


def _phrase(told: Told) -> str | None:
    return told.start.phrase if told.start else None


def _ids(tolds: Iterable[Told]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(told.claim for told in said_order(tolds)))


def _without_shadows(facts: Iterable[Believed], tolds: Sequence[Told]) -> list[Believed]:
    """Leave out facts that are told in another slot."""
    shadows = {told.claim for told in tolds if told.shadow}
    result: list[Believed] = []
    for fact in facts:
        claims = tuple(claim for claim in fact.claims if claim not in shadows)
        if claims:
            result.append(replace(fact, claims=claims))
    return result
