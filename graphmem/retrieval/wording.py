"""Dates, labels and reasons in plain words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from graphmem.model.claim import Modality, Said
from graphmem.model.dates import date, stretch
from graphmem.model.fact import Fact, Rule, Status
from graphmem.model.instants import zone_or_utc
from graphmem.model.time import FOREVER, Bound, Certainty


def day(micros: int, zone: str = "UTC") -> str:
    """Return a date in words, as it was where it was said ("3 May 2024")."""
    return date(micros, zone_or_utc(zone))


def date_of(bound: Bound, zone: str = "UTC") -> str:
    """Return a bound as finely as it is known: a day, a month, a year, or between days."""
    first = bound.latest if bound.earliest is None or not bound.stated else bound.earliest
    if first == bound.latest:
        return day(first, zone)
    how, words = stretch(first, bound.latest, zone_or_utc(zone))
    return f"between {words}" if how == "between" else words


def label_of(fact: Fact, instants: tuple[int, int]) -> str:
    """Say how a fact stands over the instants asked about."""
    first, last = instants
    if fact.status is not Status.HELD:
        return fact.status.value
    if fact.modality is Modality.POSSIBLE:
        return "possible"
    if fact.modality is Modality.PLANNED:
        return "ended" if fact.reads_until <= first else "planned"
    if fact.event:
        return "planned" if fact.interval.may_from > last else "happened"
    if fact.reads_until <= first:
        return "ended"
    return "current"


def validity(fact: Fact, label: str, zone: str = "UTC") -> str:
    """Return when a fact holds, in words ("since May 2024", "until March 2024")."""
    start, end = fact.interval.start, fact.interval.end
    if label in {"planned", "possible"}:
        words = f"{label} from {date_of(start, zone)}" if start and start.stated else label
        return words if end is None else f"{words} until {date_of(end, zone)}"
    if fact.event:
        return f"on {date_of(start, zone)}" if start and start.stated else "date unknown"
    since = ""
    if start is not None:
        since = f"since {date_of(start, zone)}" if start.stated else f"by {day(start.latest, zone)}"
    if end is None:
        return since or "start unknown"
    until = f"until {date_of(end, zone)}" if end.stated else f"over by {day(end.latest, zone)}"
    return f"{since}, {until}" if since else until


BECAUSE: Mapping[str, str] = {
    Rule.SUPERSEDED: "replaced by",
    Rule.ENDED: "ended by",
    Rule.PLANNED_END: "its end was announced by",
    Rule.CLOSED: "a closed period, told by",
    Rule.CALLED_OFF: "called off by",
    Rule.OVERTAKEN: "overtaken by",
    Rule.CORRECTED_BY: "corrected by",
    Rule.PLAN_VOID: "did not happen, by",
    Rule.WITHDRAWN: "withdrawn",
}


class Cited(Protocol):
    """What a reason tells of a claim."""

    @property
    def statement(self) -> str:
        """Its sentence."""
        ...

    @property
    def said(self) -> Said:
        """When it was said."""
        ...


def reason(
    fact: Fact,
    label: str,
    certainty: Certainty,
    said: Sequence[tuple[int, str]],
    cause: Cited | None,
    cause_zone: str = "UTC",
) -> str:
    """Say in one sentence why a fact is returned as it is.

    ``said`` is when and in which zone each of its claims was said, in said order.
    """
    parts: list[str] = []
    if certainty is Certainty.UNCERTAIN:
        parts.append("may have held then; nobody said so for that time")
    elif certainty is Certainty.LIKELY:
        parts.append("likely held then")
    if said:
        first = day(*said[0])
        again = len(said) - 1
        parts.append(
            f"said on {first}" if not again else f"said on {first} and {_times(again)} since"
        )
    parts.append(_standing(fact, label, cause, cause_zone))
    return "; ".join(part for part in parts if part)


def _times(count: int) -> str:
    return "once" if count == 1 else "twice" if count == 2 else f"{count} times"


def _standing(fact: Fact, label: str, cause: Cited | None, zone: str) -> str:
    if label == "happened":
        return "what happened stays true"
    if label == "disputed":
        return "a stronger source says otherwise"
    if fact.cause is None and fact.interval.end is None and fact.expired_at == FOREVER:
        return {"planned": "not confirmed yet", "possible": "said as a possibility"}.get(
            label, "nothing has ended it"
        )
    if fact.cause is None:
        return "its end was stated" if fact.interval.end is not None else ""
    words = BECAUSE.get(fact.cause.rule, f"{fact.cause.rule.replace('_', ' ')}, by")
    if cause is not None:
        told = f"“{cause.statement}”, said on {day(cause.said.at, zone)}"
        return f"{words.removesuffix(' by') if words == 'withdrawn' else words} {told}"
    if fact.cause.reason:
        return f"{words.removesuffix(', by').removesuffix(' by')}: {fact.cause.reason}"
    return words.removesuffix(", by").removesuffix(" by")
