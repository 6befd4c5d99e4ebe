"""What is said after everything else of a large family: added to its end, the rest unread.

A bare claim said later than all its family speaks of, in a family whose claims are all put alike
and of which none bears on what comes later (``Tail``), can only go on with what is believed last,
or end it. So the fact that is believed last and the new claims give what all claims would give;
property tests compare the two.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import pairwise, takewhile

from graphmem.model.changes import Rests
from graphmem.model.claim import Claim, Form, LinkedClaim, Modality, Polarity
from graphmem.model.entity import Value
from graphmem.model.fact import Cause, Fact, Rule, Status
from graphmem.model.ids import IdKind, new_id
from graphmem.model.predicate import Cardinality, Predicate
from graphmem.model.receipt import FactChange, FactOutcome
from graphmem.model.tail import Tail, manner
from graphmem.model.time import FOREVER, Bound, Interval
from graphmem.resolution.diff import Difference, difference
from graphmem.resolution.slots import resolve

_BARE = frozenset({Form.STATE, Form.CHANGE})
_SEEN_WHEN_SAID = frozenset({Form.STATE, Form.CHANGE, Form.SINCE})


def appendable(claims: Iterable[LinkedClaim], predicate: Predicate) -> bool:
    """Whether new claims of a family are such that its tail may do for them."""
    if predicate.is_event or (predicate.symmetric and predicate.cardinality is Cardinality.ONE):
        return False
    return all(map(_plain, claims))


def _plain(linked: LinkedClaim) -> bool:
    claim = linked.claim
    return (
        not linked.withdrawn
        and linked.link.object is not None
        and linked.link.polarity is Polarity.POSITIVE
        and claim.modality is Modality.ASSERTED
        and claim.form in _BARE
        and not claim.beside
        and claim.correction is None
        and _undated(claim)
    )


def _undated(claim: Claim) -> bool:
    return not any(stated and stated.span for stated in (claim.start, claim.end))


def append(
    tail: Tail, claims: Sequence[LinkedClaim], subject: Value, predicate: Predicate
) -> Difference | None:
    """Add ``claims``, which are ``appendable``, to the end of their family.

    Returns:
        What changes; None if the family has to be read after all.
    """
    news = sorted(claims, key=lambda c: (c.claim.said, c.claim.id))
    instants = [tail.reach, *(c.claim.said.at for c in news)]
    if any(after <= before for before, after in pairwise(instants)):
        return None
    if any(manner(c.claim, c.link) != tail.manner for c in news) or not _goes_on(tail, subject):
        return None
    again = [*takewhile(lambda c: _key(c) == _value(tail.fact), news)]
    others = news[len(again) :]
    if others and predicate.cardinality is not Cardinality.ONE:
        return None
    rests = Rests(tail.fact.id, tuple(c.claim.id for c in again), more=True)
    if not others:
        fact = replace(tail.fact, claims=(*tail.fact.claims, *rests.claims))
        outcome = FactOutcome(FactChange.CORROBORATED, fact)
        return Difference((), (rests,), (), (outcome,))
    last = (again[-1] if again else tail.last).claim
    ended = _ended(tail.fact, last.said.at, others[0].claim, rests.claims)
    new = difference(resolve(subject, others, predicate), ())
    outcome = FactOutcome(FactChange.ENDED, ended, ended.cause)
    return Difference((ended, *new.facts), (rests,), (), (outcome, *new.outcomes))


def _goes_on(tail: Tail, subject: Value) -> bool:
    """Whether the fact is what is believed last, seen when its last claim was said."""
    fact, last = tail.fact, tail.last
    return (
        fact.status is Status.HELD
        and fact.modality is Modality.ASSERTED
        and fact.polarity is Polarity.POSITIVE
        and fact.interval.end is None
        and fact.subject == subject
        and _key(last) == _value(fact)
        and not last.withdrawn
        and last.claim.form in _SEEN_WHEN_SAID
        and last.claim.said.at == tail.reach
        and _undated(last.claim)
    )


def _ended(fact: Fact, seen: int, by: Claim, added: tuple[str, ...]) -> Fact:
    end = Bound(seen, by.said.at, stated=False)
    return replace(
        fact,
        record=new_id(IdKind.RECORD),
        interval=Interval(fact.interval.start, end),
        cause=Cause(Rule.SUPERSEDED, by.id),
        claims=(*fact.claims, *added),
        created_at=0,
        expired_at=FOREVER,
        successor=None,
    )


def _key(linked: LinkedClaim) -> str | None:
    return linked.link.object.key if linked.link.object else None


def _value(fact: Fact) -> str | None:
    return fact.object.key if fact.object else None
