"""What a point holds in Qdrant: its id, its vectors' names and its payload."""

from __future__ import annotations

import re
import uuid
from collections.abc import Iterable, Mapping
from dataclasses import fields
from functools import lru_cache
from typing import Any

from graphmem.model.search import PointKind, PointRef
from graphmem.ports.vector_index import Payload, Point

VERSION = 2
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
    """Return the point's own id: Qdrant takes only numbers and UUIDs.

    An id that the store made is a number, and stands in it with the kind; see ``ref_of``. Of
    others, such as those of an import, it is a hash.
    """
    number = _number_of(ref)
    if number is None or _is_hash(number):
        return uuid.uuid5(_NAMESPACE, f"{ref.kind.value}:{ref.id}")
    return uuid.UUID(int=number)


def ref_of(number: int) -> PointRef | None:
    """Return what the number behind a point's id stands for; None if that is a hash.

    To read it from the payload takes the engine ten times as long as to find the point.
    """
    if _is_hash(number):
        return None
    mark, rest = number >> _BITS, number & _REST
    if mark >= _CHUNK:
        return PointRef(PointKind.CHUNK, f"ep_{rest:032x}#{mark - _CHUNK}")
    if mark == _ENTITY:
        return PointRef(PointKind.ENTITY, f"entity_{rest:032x}")
    return PointRef(PointKind.FACT, f"rec_{rest:032x}") if mark == _FACT else None


def _number_of(ref: PointRef) -> int | None:
    form, mark = _FORMS[ref.kind]
    found = form.fullmatch(ref.id)
    if found is None:
        return None
    if ref.kind is PointKind.CHUNK:
        mark += int(found[2])
    return mark << _BITS | int(found[1], 16)


def _is_hash(number: int) -> bool:
    """Whether a number is marked as ``uuid5`` marks its own, as one in 64 others is too."""
    return number >> 76 & 15 == 5 and number >> 62 & 3 == 2


_BITS = 124
"""Bits of an id's own number; the first four of its 128 are free until the year 2112."""
_REST = (1 << _BITS) - 1
_FACT, _ENTITY, _CHUNK = 1, 2, 3
"""What stands there instead; a turn's first piece is 3, and its 13th is 15."""
_FORMS = {
    PointKind.FACT: (re.compile("rec_0([0-9a-f]{31})"), _FACT),
    PointKind.ENTITY: (re.compile("entity_0([0-9a-f]{31})"), _ENTITY),
    PointKind.CHUNK: (re.compile("ep_0([0-9a-f]{31})#([0-9]|1[0-2])"), _CHUNK),
}


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
