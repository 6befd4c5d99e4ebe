"""Short ways to make points of an index, and filters, for tests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import Any

from graphmem.model.claim import Modality, Polarity
from graphmem.model.fact import Fact, Status
from graphmem.model.scope import Scope, opaque
from graphmem.model.search import FactFilter, PointKind, PointRef, Scored
from graphmem.model.time import FOREVER, Bound, Interval
from graphmem.ports.embedder import Vector
from graphmem.ports.vector_index import Payload, Point, PointFilter
from graphmem.testing.builders import ANA, a_fact

SIZE = 4
EAST: Vector = (1.0, 0.0, 0.0, 0.0)
NORTH: Vector = (0.0, 1.0, 0.0, 0.0)
NORTH_EAST: Vector = (0.6, 0.8, 0.0, 0.0)
ALL_KINDS = frozenset(PointKind)


def a_ref(id: str, kind: PointKind = PointKind.FACT) -> PointRef:
    """Return what a point stands for."""
    return PointRef(kind, id)


def a_point(
    id: str = "r1",
    dense: Vector | None = EAST,
    sparse: Mapping[int, float] | None = None,
    *,
    kind: PointKind = PointKind.FACT,
    scope: Scope = ANA,
    **payload: Any,  # Any: fields of the payload
) -> Point:
    """Return a point that is live and held; ``payload`` replaces fields."""
    plain = Payload(
        kind=kind,
        scope=scope.key,
        status="held",
        polarity="+",
        modality="asserted",
        expired_at=2**53,
    )
    weights = {1: 1.0} if sparse is None else sparse
    return Point(a_ref(id, kind), replace(plain, **payload), dense, weights)


def everything(scope: Scope = ANA, **fields: Any) -> PointFilter:  # Any: fields of the filter
    """Return a filter that lets all live points of a scope pass; ``fields`` narrow it."""
    return replace(PointFilter(scope=scope.key, kinds=ALL_KINDS), **fields)


def ids(found: Sequence[Scored]) -> list[str]:
    """Return the ids found, in order."""
    return [scored.ref.id for scored in found]


_INSTANTS = (-50, -3, 0, 1, 2, 5, 9, 40)


def some_fact(random: Random, number: int) -> Fact:
    """Return a fact record with times, status and the like by chance."""

    def bound() -> Bound | None:
        if random.random() < 0.3:
            return None
        first, last = sorted(random.choices(_INSTANTS, k=2))
        return Bound(None if random.random() < 0.3 else first, last)

    created = random.choice(_INSTANTS)
    return replace(
        a_fact(f"f{number}"),
        record=f"r{number}",
        interval=Interval(bound(), bound()),
        created_at=created,
        expired_at=random.choice([FOREVER, created + random.randint(1, 9)]),
        status=random.choice([*Status, Status.HELD]),
        polarity=random.choice([*Polarity]),
        modality=random.choice([*Modality]),
        event=random.random() < 0.3,
        predicate=random.choice(["lives_in", "drinks", "not_in_the_registry"]),
    )


def some_filter(random: Random) -> FactFilter:
    """Return a filter by chance."""
    first, last = sorted(random.choices(_INSTANTS, k=2))
    maybe = random.random
    return FactFilter(
        valid=(first, last) if maybe() < 0.7 else None,
        upcoming=maybe() < 0.4,
        uncertain=maybe() < 0.4,
        known_at=random.choice(_INSTANTS) if maybe() < 0.5 else None,
        statuses=frozenset(random.choices([*Status], k=2)),
        polarity=random.choice([*Polarity]) if maybe() < 0.2 else None,
        modality=random.choice([*Modality]) if maybe() < 0.2 else None,
        predicates=frozenset({"drinks", "not_in_the_registry"}) if maybe() < 0.2 else None,
    )


def as_points(asked: FactFilter) -> PointFilter:
    """Return the filter of points that means the same, for facts of ``some_fact``."""
    unknown = opaque(ANA, "predicate", "not_in_the_registry")
    return PointFilter(
        scope=ANA.key,
        kinds=frozenset({PointKind.FACT}),
        valid=asked.valid,
        upcoming=asked.upcoming,
        uncertain=asked.uncertain,
        known_at=asked.known_at,
        statuses=frozenset(asked.statuses),
        polarity=asked.polarity,
        modality=asked.modality,
        predicates=None if asked.predicates is None else frozenset({"drinks", unknown}),
    )
