"""Filters as Qdrant Edge takes them: what ``FactFilter.admits`` says, inside the query."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from qdrant_edge import FieldCondition, Filter, MatchAny, MatchValue, RangeFloat

from graphmem.adapters.qdrant.fields import EDGE, clamped
from graphmem.model.claim import Modality
from graphmem.model.search import PointKind
from graphmem.ports.vector_index import PointFilter

Condition = FieldCondition | Filter


def one(field: str, value: str) -> FieldCondition:
    """Return that ``field`` is, or has, ``value``."""
    return FieldCondition(key=field, match=MatchValue(value))


def any_of(field: str, values: Iterable[str]) -> FieldCondition:
    """Return that ``field`` is, or has, one of ``values``; of none, never."""
    return FieldCondition(key=field, match=MatchAny(sorted(values)))


def up_to(field: str, most: int) -> FieldCondition:
    """Return ``field <= most``."""
    return FieldCondition(key=field, range=RangeFloat(lte=float(clamped(most))))


def beyond(field: str, least: int) -> FieldCondition:
    """Return ``field > least``; what lies beyond every number always is."""
    return FieldCondition(key=field, range=RangeFloat(gt=float(min(least, EDGE - 1))))


@lru_cache(maxsize=64)
def edge_filter(asked: PointFilter) -> Filter:
    """Return which points pass; kept for a while, since one question probes several times.

    Instants beyond ±2^53 let through a little more than asked; the graph store looks again.
    """
    must: list[Condition] = [
        one("scope", asked.scope),
        any_of("kind", [kind.value for kind in asked.kinds]),
        *_recorded(asked.known_at),
    ]
    for name, labels in (("sessions", asked.sessions), ("agents", asked.agents)):
        if labels is not None:
            # An entity was said in no one session.
            free = one("kind", PointKind.ENTITY.value)
            must.append(Filter(should=[any_of(name, labels), free]))
    if PointKind.FACT in asked.kinds and (about := _about_facts(asked)):
        others = [kind.value for kind in asked.kinds if kind is not PointKind.FACT]
        must.append(Filter(should=[any_of("kind", others), Filter(must=[*about])]))
    return Filter(must=[*must])


def _recorded(known_at: int | None) -> list[Condition]:
    if known_at is None:
        return [FieldCondition(key="expired_at", range=RangeFloat(gte=float(EDGE)))]
    return [up_to("created_at", known_at), beyond("expired_at", known_at)]


def _about_facts(asked: PointFilter) -> list[Condition]:
    must: list[Condition] = []
    if asked.statuses is not None:
        must.append(any_of("status", asked.statuses))
    if asked.polarity is not None:
        must.append(one("polarity", asked.polarity))
    if asked.modality is not None:
        must.append(one("modality", asked.modality))
    if asked.predicates is not None:
        must.append(any_of("predicate", asked.predicates))
    if asked.valid is not None:
        must.extend(_true(*asked.valid, upcoming=asked.upcoming, uncertain=asked.uncertain))
    return must


def _true(first: int, last: int, *, upcoming: bool, uncertain: bool) -> list[Condition]:
    ways: list[Condition] = [up_to("reads_from", last)]
    if upcoming:
        ways.append(one("modality", Modality.PLANNED.value))
    if uncertain:
        ways.append(up_to("may_from", last))
    begun = Filter(should=[*ways])
    # Before the earliest number that can be told apart, everything still lies ahead.
    return [begun] if first < -EDGE else [beyond("reads_until", first), begun]
