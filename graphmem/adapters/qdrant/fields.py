"""What a point holds in Qdrant: its id, its vectors' names and its payload."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping
from dataclasses import fields
from functools import lru_cache
from typing import Any

from graphmem.model.search import PointKind, PointRef
from graphmem.ports.vector_index import Payload, Point

VERSION = 1
"""Of what a point holds; another one needs the index rebuilt."""

DENSE = "dense"
SPARSE = "sparse"

REF = "ref"
"""The payload field of the record's id."""
KEYWORDS = ("scope", "kind", "predicate", "polarity", "modality", "status", "sessions", "agents")
"""Payload fields that are filtered by equality."""
INTEGERS = ("reads_from", "reads_until", "may_from", "created_at", "expired_at")
"""Payload fields that are filtered by range; microseconds UTC, clamped to ``EDGE``."""
EDGE = 2**53
"""Beyond this a double, by which Qdrant compares, no longer tells integers apart."""

Stored = dict[str, Any]  # Any: a JSON object; texts, integers and lists of texts.

_NAMESPACE = uuid.UUID("7d0e0f7e-3d0a-5c5b-9b0c-6f1f3a1f2e57")
_LISTS = frozenset({"sessions", "agents"})
_EMPTY: Stored = {item.name: item.default for item in fields(Payload)}
_OF_FACTS = frozenset({"reads_from", "reads_until", "may_from"})
"""Instants that only facts are filtered by."""


def clamped(micros: int) -> int:
    """Return ``micros`` inside what Qdrant tells apart."""
    return max(-EDGE, min(EDGE, micros))


@lru_cache(maxsize=1024)  # a point that is written is asked for several times
def point_id(ref: PointRef) -> uuid.UUID:
    """Return the point's own id: Qdrant takes only numbers and UUIDs."""
    return uuid.uuid5(_NAMESPACE, f"{ref.kind.value}:{ref.id}")


def to_payload(ref: PointRef, payload: Payload) -> Stored:
    """Return the payload as stored.

    Empty texts and lists are left out, and instants of facts in what is none: nothing is found by
    them, and the engines take as long over each as over all else of a point.
    """
    fact = payload.kind is PointKind.FACT
    stored: Stored = {REF: ref.id}
    for name in _EMPTY:
        value = getattr(payload, name)
        if name in INTEGERS:
            value = clamped(value)
        elif name in _LISTS:
            value = sorted(value)
        if value or (value == 0 and (fact or name not in _OF_FACTS)):
            stored[name] = value
    stored["kind"] = payload.kind.value
    return stored


def from_payload(stored: Mapping[str, Any]) -> tuple[PointRef, Payload]:  # Any: as ``Stored``
    """Read a stored payload back."""
    kind = PointKind(stored["kind"])
    values = {name: stored.get(name, empty) for name, empty in _EMPTY.items()}
    values |= {name: tuple(values[name]) for name in _LISTS}
    values |= {"kind": kind, "scope": stored["scope"]}
    return PointRef(kind, stored[REF]), Payload(**values)


def newest(points: Iterable[Point]) -> list[Point]:
    """Return each point once, as it was written last; of one change, the later of the call."""
    kept: dict[PointRef, Point] = {}
    for point in points:
        known = kept.get(point.ref)
        if known is None or point.payload.change >= known.payload.change:
            kept[point.ref] = point
    return [*kept.values()]
