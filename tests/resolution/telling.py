"""Claims in one line each, and what they give in one line each."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from graphmem.model.claim import (
    Claim,
    Correction,
    Form,
    Link,
    LinkedClaim,
    Mention,
    Modality,
    Polarity,
    Qualifiers,
    Said,
)
from graphmem.model.entity import Value, ValueKind
from graphmem.model.fact import Fact, Status
from graphmem.model.predicate import Cardinality, Predicate, PredicateKind
from graphmem.model.time import Bound, Grain, Span, Stated, to_micros
from graphmem.resolution.slots import resolve

ME = Value(ValueKind.ENTITY, "me", "me")
ONE = Predicate(slug="lives_in", cardinality=Cardinality.ONE, discriminators=("when",))
MANY = Predicate(slug="likes")
EVENT = Predicate(slug="visited", kind=PredicateKind.EVENT)
YEAR = 365 * 86_400 * 10**6


def day(text: str) -> int:
    """Read "2024-03-10" as microseconds UTC."""
    return to_micros(datetime.strptime(text, "%Y-%m-%d").replace(tzinfo=UTC))


def exactly(instant: int | None) -> Stated | None:
    """State an exact instant."""
    return None if instant is None else Stated(str(instant), Span.at(instant))


def over(first: int, after: int) -> Stated:
    """State a coarse stretch."""
    return Stated(f"{first} to {after}", Span(first, after, Grain.MONTH))


def tell(
    name: str,
    value: str | None,
    form: str = "state",
    *,
    said: int,
    start: int | Stated | None = None,
    end: int | Stated | None = None,
    no: bool = False,
    planned: bool = False,
    possible: bool = False,
    authority: int = 100,
    qualifiers: Qualifiers = (),
    beside: bool = False,
    correction: Correction | None = None,
    withdrawn: bool = False,
    session: str | None = None,
    place: int = 0,
) -> LinkedClaim:
    """Make a claim about "me"."""
    modality = Modality.PLANNED if planned else Modality.ASSERTED
    thing = None if value is None else Value.literal(value)
    claim = Claim(
        id=name,
        episode=f"e-{name}",
        session=session,
        subject=Mention("me", is_self=True),
        predicate="p",
        object=Mention(value) if value is not None else None,
        polarity=Polarity.NEGATIVE if no else Polarity.POSITIVE,
        modality=Modality.POSSIBLE if possible else modality,
        form=Form(form),
        start=exactly(start) if isinstance(start, int) else start,
        end=exactly(end) if isinstance(end, int) else end,
        qualifiers=qualifiers,
        beside=beside,
        correction=correction,
        quote=value or "",
        said=Said(said, 0, place),
        authority=authority,
        statement=f"{value or 'none'}",
    )
    return LinkedClaim(claim, Link(name, ME.key, "p", thing, claim.polarity), withdrawn)


def shown(facts: Sequence[Fact]) -> list[str]:
    """Write facts as the design does: "A [by 1, 5)", "B [3,) planned", "A retracted"."""
    return sorted(_shown(fact) for fact in facts)


def _shown(fact: Fact) -> str:
    words = fact.object.text if fact.object else "none"
    if fact.polarity is Polarity.NEGATIVE and fact.object:
        words = f"not {words}"
    if fact.status is Status.RETRACTED:
        return f"{words} retracted"
    start = "unknown" if fact.interval.start is None else _bound(fact.interval.start)
    end = _bound(fact.interval.end) if fact.interval.end else ""
    text = f"{words} [{start}, {end})" if end else f"{words} [{start},)"
    if fact.status is Status.DISPUTED:
        text += " disputed"
    return text if fact.modality is Modality.ASSERTED else f"{text} {fact.modality.value}"


def _bound(bound: Bound) -> str:
    # A place just after an instant reads as that instant.
    if bound.stated and bound.earliest is not None:
        return str(bound.earliest)
    return f"by {bound.latest}"


def facts_of(claims: Sequence[LinkedClaim], predicate: Predicate = ONE) -> list[str]:
    """Resolve and write."""
    return shown(resolve(ME, claims, predicate))
