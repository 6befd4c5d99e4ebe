"""Filters as Qdrant Edge takes them."""

from __future__ import annotations

from functools import lru_cache

from qdrant_edge import FieldCondition, Filter, MatchAny, MatchValue, RangeFloat

from graphmem.adapters.qdrant.filters import All, AnyOf, Condition, Is, Some, of_scope, wanted
from graphmem.ports.vector_index import PointFilter


@lru_cache(maxsize=64)
def edge_filter(asked: PointFilter) -> Filter:
    """Return which points pass; kept for a while, since one question probes several times."""
    return _all(wanted(asked))


def edge_scope(scope: str | None) -> Filter | None:
    """Return that a point is of ``scope``; None of any."""
    return None if scope is None else _all(of_scope(scope))


def _all(condition: All) -> Filter:
    return Filter(must=[*map(_rendered, condition.conditions)])


def _rendered(condition: Condition) -> FieldCondition | Filter:
    match condition:
        case All():
            return _all(condition)
        case Some(conditions):
            return Filter(should=[*map(_rendered, conditions)])
        case Is(field, value):
            return FieldCondition(key=field, match=MatchValue(value))
        case AnyOf(field, values):
            return FieldCondition(key=field, match=MatchAny([*values]))
        case _:
            within = RangeFloat(gt=condition.gt, gte=condition.gte, lte=condition.lte)
            return FieldCondition(key=condition.field, range=within)
