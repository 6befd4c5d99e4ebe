"""Filters as a Qdrant server takes them."""

from __future__ import annotations

from qdrant_client.http.models import (
    FieldCondition,
    Filter,
    MatchAny,
    MatchValue,
    Range,
)

from graphmem.adapters.qdrant.filters import All, AnyOf, Condition, Is, Some


def server_filter(condition: All) -> Filter:
    """Return which points pass."""
    return Filter(must=[*map(_rendered, condition.conditions)])


def _rendered(condition: Condition) -> FieldCondition | Filter:
    match condition:
        case All():
            return server_filter(condition)
        case Some(conditions):
            return Filter(should=[*map(_rendered, conditions)])
        case Is(field, value):
            return FieldCondition(key=field, match=MatchValue(value=value))
        case AnyOf(field, values):
            return FieldCondition(key=field, match=MatchAny(any=[*values]))
        case _:
            within = Range(gt=condition.gt, gte=condition.gte, lte=condition.lte)
            return FieldCondition(key=condition.field, range=within)
