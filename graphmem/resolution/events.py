"""Events happen: each date is a fact of its own, and a mention without a date corroborates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from graphmem.model.claim import Form, Modality
from graphmem.model.fact import Cause, Rule, Status
from graphmem.model.time import Bound, Interval, Span
from graphmem.resolution.timeline import Believed
from graphmem.resolution.told import NO, YES, Told, ahead, said_order


@dataclass(slots=True)
class _Happening:
    tolds: list[Told] = field(default_factory=list[Told])
    dated: Told | None = None
    void: Told | None = None

    @property
    def planned(self) -> bool:
        return all(_planned(told) for told in self.tolds)


def happenings(tolds: Sequence[Told]) -> list[Believed]:
    """Compute the facts of an event slot.

    Dates that agree are one happening, and the finer counts; an undated mention corroborates the
    last dated one told before it, else the first after. "Never" holds until it happens.
    """
    order = said_order(tolds)
    happened = [t for t in order if t.value != NO and t.form not in (Form.CANCEL, Form.END)]
    groups: list[_Happening] = []
    for told in happened:
        if told.start_span is not None:
            _add_dated(groups, told)
    undated = [t for t in happened if t.start_span is None]
    loose: dict[Modality, _Happening] = {}
    for told in undated:
        group = _nearest(groups, told)
        if group is None:
            group = loose.setdefault(told.modality, _Happening())
        group.tolds.append(told)
    groups.extend(loose.values())
    for cancel in (t for t in order if t.form is Form.CANCEL):
        for group in groups:
            if group.planned and group.tolds[0].said < cancel.said and group.void is None:
                group.void = cancel
    facts = [_fact(group) for group in groups]
    never = [t for t in order if t.value == NO]
    return facts + _never(never, happened)


def _add_dated(groups: list[_Happening], told: Told) -> None:
    span = told.start_span
    for group in groups:
        other = group.dated.start_span if group.dated else None
        if span is None or other is None or not _agree(span, other):
            continue
        group.tolds.append(told)
        if span.width < other.width:
            group.dated = told
        return
    groups.append(_Happening([told], told))


def _agree(one: Span, other: Span) -> bool:
    return one.first < max(other.after, other.first + 1) and other.first < max(
        one.after, one.first + 1
    )


def _nearest(groups: Sequence[_Happening], told: Told) -> _Happening | None:
    """Return the dated happening an undated mention means; a plan only once its date has come."""
    dated: list[_Happening] = []
    for group in groups:
        span = group.dated.start_span if group.dated else None
        if span is None or (span.first > told.at and told.modality is Modality.ASSERTED):
            continue
        dated.append(group)
    before = [g for g in dated if g.tolds[0].said < told.said]
    return before[-1] if before else (dated[0] if dated else None)


def _planned(told: Told) -> bool:
    return told.modality is not Modality.ASSERTED or ahead(told, told.start_span)


def _fact(group: _Happening) -> Believed:
    tolds = said_order(group.tolds)
    modality = Modality.ASSERTED
    if group.planned:
        modality = tolds[0].modality
        modality = Modality.PLANNED if modality is Modality.ASSERTED else modality
    if group.dated is None or group.dated.start_span is None:
        at = tolds[0].at
        interval = Interval(Bound(None, at, stated=False), Bound(None, at, stated=False))
        if modality is not Modality.ASSERTED:
            interval = Interval(Bound(None, at, stated=False))
    else:
        span, told = group.dated.start_span, group.dated
        phrase = told.start.phrase if told.start else None
        latest = span.last
        if modality is Modality.ASSERTED:
            latest = max(span.first, min(latest, max(t.at for t in tolds)))
        end = told.end_span.after if told.end_span else max(span.after, span.first)
        interval = Interval(
            Bound(span.first, latest, phrase=phrase), Bound(max(latest, end), max(latest, end))
        )
    return Believed(
        value=YES,
        interval=interval,
        status=Status.RETRACTED if group.void else Status.HELD,
        modality=modality,
        claims=tuple(t.claim for t in tolds),
        cause=Cause(Rule.PLAN_VOID, group.void.claim) if group.void else None,
    )


def _never(never: Sequence[Told], happened: Sequence[Told]) -> list[Believed]:
    """Let "I've never been there" hold until it happens."""
    facts: dict[str | None, list[Told]] = {}
    ends: dict[str | None, Told] = {}
    for told in never:
        over = next((t for t in happened if t.said > told.said and not _planned(t)), None)
        key = over.claim if over else None
        facts.setdefault(key, []).append(told)
        if over is not None:
            ends[key] = over
    result: list[Believed] = []
    for key, tolds in facts.items():
        over = ends.get(key)
        end = cause = None
        if over is not None:
            span = over.start_span
            last = max(t.at for t in tolds)
            at = max(over.at if span is None else span.first, last)
            end, cause = (
                Bound(last if span is None else at, at, stated=span is not None),
                Cause(Rule.SUPERSEDED, over.claim),
            )
        result.append(
            Believed(
                value=NO,
                interval=Interval(Bound(None, tolds[0].at, stated=False), end),
                claims=tuple(t.claim for t in tolds),
                cause=cause,
            )
        )
    return result
