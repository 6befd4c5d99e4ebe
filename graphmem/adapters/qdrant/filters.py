"""Which points pass: what ``FactFilter.admits`` says, as conditions on the payload.

Qdrant Edge and a Qdrant server take them in classes of their own, made from the one description
here (``edge_filters``, ``server_filters``), so that both let the same points pass.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias

from graphmem.adapters.qdrant.fields import EDGE, clamped
from graphmem.model.claim import Modality
from graphmem.model.search import PointKind
from graphmem.ports.vector_index import PointFilter


@dataclass(frozen=True, slots=True)
class Is:
    """``field`` is, or has, ``value``."""

    field: str
    value: str


@dataclass(frozen=True, slots=True)
class AnyOf:
    """``field`` is, or has, one of ``values``; of none, never."""

    field: str
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Within:
    """``field`` is a number inside every bound that is given; without the field, it is not."""

    field: str
    gt: float | None = None
    gte: float | None = None
    lte: float | None = None


@dataclass(frozen=True, slots=True)
class All:
    """Every one of ``conditions`` holds."""

    conditions: tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class Some:
    """At least one of ``conditions`` holds."""

    conditions: tuple[Condition, ...]


Condition: TypeAlias = "Is | AnyOf | Within | All | Some"


def of_scope(scope: str) -> All:
    """Return that a point is of ``scope``."""
    return All((Is("scope", scope),))


def not_newer(change: int) -> All:
    """Return that a point was written at ``change`` or before."""
    return All((_up_to("change", change),))


def wanted(asked: PointFilter) -> All:
    """Return which points pass.

    Instants beyond ±2^53 let through a little more than asked; the graph store looks again.
    """
    must: list[Condition] = [
        Is("scope", asked.scope),
        _any_of("kind", [kind.value for kind in asked.kinds]),
        *_recorded(asked.known_at),
    ]
    for name, labels in (("sessions", asked.sessions), ("agents", asked.agents)):
        if labels is not None:
            # An entity was said in no one session.
            must.append(Some((_any_of(name, labels), Is("kind", PointKind.ENTITY.value))))
    if PointKind.FACT in asked.kinds and (about := _about_facts(asked)):
        others = [kind.value for kind in asked.kinds if kind is not PointKind.FACT]
        must.append(Some((_any_of("kind", others), All((*about,)))))
    return All((*must,))


def _any_of(field: str, values: Iterable[str]) -> Is | AnyOf:
    some = (*sorted(values),)
    return Is(field, some[0]) if len(some) == 1 else AnyOf(field, some)


def _up_to(field: str, most: int) -> Within:
    return Within(field=field, lte=float(clamped(most)))


def _beyond(field: str, least: int) -> Within:
    """What lies beyond every number always is beyond ``least``."""
    return Within(field=field, gt=float(min(least, EDGE - 1)))


def _recorded(known_at: int | None) -> list[Condition]:
    if known_at is None:
        return [Within(field="expired_at", gte=float(EDGE))]
    return [_up_to("created_at", known_at), _beyond("expired_at", known_at)]


def _about_facts(asked: PointFilter) -> list[Condition]:
    must: list[Condition] = []
    if asked.statuses is not None:
        must.append(_any_of("status", asked.statuses))
    if asked.polarity is not None:
        must.append(Is("polarity", asked.polarity))
    if asked.modality is not None:
        must.append(Is("modality", asked.modality))
    if asked.predicates is not None:
        must.append(_any_of("predicate", asked.predicates))
    if asked.valid is not None:
        must.extend(_true(*asked.valid, upcoming=asked.upcoming, uncertain=asked.uncertain))
    return must


def _true(first: int, last: int, *, upcoming: bool, uncertain: bool) -> list[Condition]:
    ways: list[Condition] = [_up_to("reads_from", last)]
    if upcoming:
        ways.append(Is("modality", Modality.PLANNED.value))
    if uncertain:
        ways.append(_up_to("may_from", last))
    begun = Some((*ways,))
    # Before the earliest number that can be told apart, everything still lies ahead.
    return [begun] if first < -EDGE else [_beyond("reads_until", first), begun]
