"""Symmetric single-valued predicates: a fact holds where both ends say so."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from graphmem.model.claim import LinkedClaim
from graphmem.model.entity import Value
from graphmem.model.fact import Fact, Status
from graphmem.model.predicate import Predicate
from graphmem.model.time import Bound, Interval
from graphmem.resolution.corrections import apply_corrections, ends_of
from graphmem.resolution.slots import resolve


def resolve_pairs(
    ends: Mapping[str, Value], claims: Iterable[LinkedClaim], predicate: Predicate
) -> list[Fact]:
    """Compute the facts of a symmetric single-valued predicate between ``ends``.

    Args:
        ends: entities by id, as values; ``claims`` are all claims that have one as an end.
        claims: withdrawn ones too.
        predicate: symmetric and single-valued.

    Returns:
        Facts without ids: a positive one about two ends once, seen from the subject of its
        earliest claim; what names one end only (a no, an ending) from that end.
    """
    known = list(claims)
    corrected = apply_corrections(known)  # of all: a pair may be corrected from either end
    by_end: dict[str, list[Fact]] = {}
    for key, value in ends.items():
        own = [c for c in known if key in ends_of(c)]
        by_end[key] = resolve(value, own, predicate, corrected=corrected)
    subjects = {c.claim.id: c.link.subject for c in known}
    result: list[Fact] = []
    for key, facts in by_end.items():
        for fact in facts:
            other = fact.object.key if fact.object else None
            if other is None or other not in by_end:
                result.append(fact)
            elif subjects[fact.claims[0]] == key:
                result.extend(_both(fact, by_end[other], ends[key]))
    return result


def _both(fact: Fact, others: Sequence[Fact], subject: Value) -> Iterable[Fact]:
    """Yield ``fact`` over the time in which the other end says the same."""
    claims = set(fact.claims)
    for other in others:
        if other.object is None or other.object.key != subject.key:
            continue
        if other.polarity is not fact.polarity or other.status is not fact.status:
            continue
        if not claims & set(other.claims):
            continue
        if fact.status is Status.RETRACTED:
            yield fact
            return
        interval = _intersection(fact.interval, other.interval)
        if interval is None:
            continue
        earlier = fact if interval.end == fact.interval.end else other
        yield replace(fact, interval=interval, cause=earlier.cause)


def _intersection(one: Interval, other: Interval) -> Interval | None:
    start = max(one.start, other.start, key=_start) if one.start and other.start else None
    end = min((e for e in (one.end, other.end) if e), key=lambda e: e.latest, default=None)
    if start is not None and end is not None and end.latest <= _start(start):
        return None
    return Interval(start, end)


def _start(bound: Bound) -> int:
    return bound.latest if bound.earliest is None else bound.earliest
