"""What is believed: facts, computed from claims."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from graphmem.model.claim import Modality, Polarity, Qualifiers, Said
from graphmem.model.entity import Value, ValueKind
from graphmem.model.time import FOREVER, NEVER, Certainty, Interval


class Status(StrEnum):
    """How a fact stands."""

    HELD = "held"
    DISPUTED = "disputed"
    RETRACTED = "retracted"


class Rule(StrEnum):
    """By which rule a fact ended or was retracted."""

    SUPERSEDED = "superseded"
    """Another value took its place."""
    ENDED = "ended"
    """It was said to have ended."""
    CLOSED = "closed"
    """It was told with its end."""
    PLANNED_END = "planned_end"
    """Its end was announced."""
    CALLED_OFF = "called_off"
    OVERTAKEN = "overtaken"
    """What was planned or possible came to be said as so, or its opposite."""
    CORRECTED_BY = "corrected_by"
    PLAN_VOID = "plan_void"
    """The plan did not come to pass."""
    WITHDRAWN = "withdrawn"


@dataclass(frozen=True, slots=True)
class Cause:
    """Why a fact ended or was retracted.

    Attributes:
        rule: one of ``Rule``.
        claim: the claim that did it, if one did.
        reason: words of whoever withdrew it.
    """

    rule: str
    claim: str | None = None
    reason: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """One record of a period for which something is believed.

    Attributes:
        id: random, stable while the fact lives.
        record: id of this record; each revision has its own.
        subject, object: entities or a literal; ``object`` is None in "no pets".
        predicate: canonical slug.
        polarity, modality, qualifiers, statement, confidence, importance: as its lead claim,
            the earliest said among its strongest, has them.
        interval: when it holds in the world.
        status: held, disputed or retracted.
        event: the predicate is an event, which has happened for ever after.
        said: said order of its lead claim.
        claims: ids of the claims it rests on, in said order.
        cause: what ended or retracted it.
        created_at, expired_at: when this record entered and left the store.
        successor: the fact id this id gave way to, if it did.
    """

    id: str
    record: str
    subject: Value
    predicate: str
    object: Value | None
    polarity: Polarity
    modality: Modality
    qualifiers: Qualifiers
    statement: str
    interval: Interval
    status: Status
    event: bool
    confidence: float
    importance: int
    said: Said
    claims: tuple[str, ...]
    cause: Cause | None = None
    created_at: int = 0
    expired_at: int = FOREVER
    successor: str | None = None

    @property
    def ends(self) -> tuple[str, ...]:
        """The ids of the entities it joins."""
        if self.object is None or self.object.kind is not ValueKind.ENTITY:
            return (self.subject.key,)
        return (self.subject.key, self.object.key)

    @property
    def role(self) -> str | None:
        """The role its object has for its subject, if it was told by one."""
        return dict(self.qualifiers).get("role") if self.qualifiers else None

    @property
    def reads_from(self) -> int:
        """The first instant at which a read about the world returns it.

        Latest reading of the start; a plan shows from the earliest reading of its date.
        """
        if self.modality is Modality.ASSERTED:
            return self.interval.surely_from
        start = self.interval.start
        if start is None:
            return NEVER
        return start.latest if start.earliest is None else start.earliest

    @property
    def reads_until(self) -> int:
        """The first instant at which it is over; FOREVER for what goes on or has happened."""
        return FOREVER if self.event else self.interval.may_until

    def over(self, first: int, last: int) -> Certainty | None:
        """Say how surely it holds, or has happened, at some time in ``[first, last]``."""
        if self.event:
            if self.reads_from <= last:
                return Certainty.HOLDS
            return Certainty.UNCERTAIN if self.interval.may_from <= last else None
        if self.modality is not Modality.ASSERTED:
            if self.reads_from > last or self.reads_until <= first:
                return None
            return Certainty.HOLDS if self.interval.surely_from <= last else Certainty.UNCERTAIN
        return self.interval.over(first, last)
