"""The difference between what is live and what the claims give now."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace

from graphmem.model.changes import GaveWay, Rests
from graphmem.model.fact import Cause, Fact, Rule, Status
from graphmem.model.ids import IdKind, new_id
from graphmem.model.receipt import FactChange, FactOutcome
from graphmem.model.time import FOREVER


@dataclass(frozen=True, slots=True)
class Difference:
    """What has to be written so that what is live is what the claims give.

    Attributes:
        facts: new live records. rests: changes of evidence alone. gave_way: ids that ended.
        outcomes: the same for a receipt.
    """

    facts: tuple[Fact, ...]
    rests: tuple[Rests, ...]
    gave_way: tuple[GaveWay, ...]
    outcomes: tuple[FactOutcome, ...]


def together(changes: Sequence[Difference]) -> Difference:
    """Return the differences of several slots as one."""
    return Difference(
        tuple(fact for change in changes for fact in change.facts),
        tuple(rests for change in changes for rests in change.rests),
        tuple(gone for change in changes for gone in change.gave_way),
        tuple(outcome for change in changes for outcome in change.outcomes),
    )


def difference(
    computed: Iterable[Fact],
    live: Iterable[Fact],
    *,
    withdrawn: Collection[str] = (),
    reason: str | None = None,
    make_id: Callable[[IdKind], str] = new_id,
    name: Callable[[Fact], str] | None = None,
    renamed: Callable[[Fact], Fact] | None = None,
) -> Difference:
    """Match computed facts with live ones and say what changes.

    A computed fact keeps the live id that holds the earliest said of its claims. A live fact
    that is not matched becomes a retracted record if all its claims are withdrawn, else its id
    gives way to the fact that holds its earliest claim.

    Args:
        computed: facts without ids, claims in said order.
        live: the live records of the same slots, of every status.
        withdrawn: ids of withdrawn claims. reason: why, for those withdrawn now.
        make_id: makes ids for new facts and records.
        name: gives the id of a new fact instead, when a history is rebuilt.
        renamed: gives a fact whose claims are withdrawn the ends that they mean now.
    """
    plan = _Plan(list(live), make_id, name)
    for fact in sorted(computed, key=_order):
        plan.place(fact)
    plan.leftovers(frozenset(withdrawn), reason, renamed or _as_it_is)
    return plan.difference()


def _order(fact: Fact) -> tuple[object, ...]:
    # Held before disputed before retracted: the fact that lives keeps the id.
    rank = {Status.HELD: 0, Status.DISPUTED: 1, Status.RETRACTED: 2}[fact.status]
    return (rank, fact.interval.may_from, fact.said, fact.statement)


class _Plan:
    def __init__(
        self,
        live: Sequence[Fact],
        make_id: Callable[[IdKind], str],
        name: Callable[[Fact], str] | None,
    ) -> None:
        self.live = sorted(live, key=lambda f: (f.interval.may_from, f.said, f.id))
        self.make_id = make_id
        self.name = name
        self.by_claim: defaultdict[str, list[Fact]] = defaultdict(list)
        for fact in self.live:
            for claim in fact.claims:
                self.by_claim[claim].append(fact)
        self.taken: set[str] = set()
        self.placed: list[Fact] = []
        self.facts: list[Fact] = []
        self.rests: list[Rests] = []
        self.gave_way: list[GaveWay] = []
        self.outcomes: list[FactOutcome] = []

    def place(self, fact: Fact) -> None:
        """Find the live fact that ``fact`` goes on from, and note what changes."""
        holders = [f for f in self.by_claim.get(fact.claims[0], ()) if f.id not in self.taken]
        old = min(holders, key=lambda f: _unlike(f, fact), default=None)
        if old is None:
            fact_id = self.name(fact) if self.name else self.make_id(IdKind.FACT)
            new = self._record(fact, fact_id)
            self.facts.append(new)
            self.outcomes.append(FactOutcome(_arrival(new), new, new.cause))
        else:
            self.taken.add(old.id)
            new = self._changed(old, fact)
        self.placed.append(new)

    def _changed(self, old: Fact, fact: Fact) -> Fact:
        same = replace(
            fact,
            id=old.id,
            record=old.record,
            created_at=old.created_at,
            expired_at=old.expired_at,
            successor=old.successor,
        )
        if same == old:
            return old
        if replace(same, claims=old.claims) == old:
            self.rests.append(Rests(old.id, fact.claims))
            if set(fact.claims) - set(old.claims):
                self.outcomes.append(FactOutcome(FactChange.CORROBORATED, same))
            return same
        new = self._record(fact, old.id)
        self.facts.append(new)
        self.outcomes.append(FactOutcome(_change(old, new), new, new.cause))
        return new

    def _record(self, fact: Fact, fact_id: str) -> Fact:
        return replace(
            fact,
            id=fact_id,
            record=self.make_id(IdKind.RECORD),
            created_at=0,
            expired_at=FOREVER,
            successor=None,
        )

    def leftovers(
        self, withdrawn: frozenset[str], reason: str | None, renamed: Callable[[Fact], Fact]
    ) -> None:
        """Settle live facts that nothing computed goes on from."""
        holder = {claim: fact for fact in reversed(self.placed) for claim in fact.claims}
        for fact in self.live:
            if fact.id in self.taken:
                continue
            if all(claim in withdrawn for claim in fact.claims):
                self._retract(fact, renamed(fact), reason)
                continue
            heirs = [holder[claim].id for claim in fact.claims if claim in holder]
            heirs += [f.id for f in self.placed if f.cause and f.cause.claim in fact.claims]
            self.gave_way.append(GaveWay(fact.id, heirs[0] if heirs else None))

    def _retract(self, fact: Fact, renamed: Fact, reason: str | None) -> None:
        change, cause = FactChange.RETRACTED, Cause(Rule.WITHDRAWN, None, reason)
        if fact.status is Status.RETRACTED and fact.cause and fact.cause.rule == Rule.WITHDRAWN:
            if renamed == fact:
                return
            change, cause = FactChange.CHANGED, fact.cause
        new = self._record(replace(renamed, status=Status.RETRACTED, cause=cause), fact.id)
        self.facts.append(new)
        self.outcomes.append(FactOutcome(change, new, cause))

    def difference(self) -> Difference:
        """Return what was planned."""
        return Difference(
            tuple(self.facts), tuple(self.rests), tuple(self.gave_way), tuple(self.outcomes)
        )


def _as_it_is(fact: Fact) -> Fact:
    return fact


def _unlike(old: Fact, new: Fact) -> tuple[object, ...]:
    return (
        _value(old) != _value(new),
        old.polarity is not new.polarity,
        old.status is not new.status,
        abs(old.reads_from - new.reads_from),
        old.id,
    )


def _value(fact: Fact) -> str:
    return fact.object.key if fact.object else ""


def _arrival(fact: Fact) -> FactChange:
    return {
        Status.HELD: FactChange.ADDED,
        Status.DISPUTED: FactChange.DISPUTED,
        Status.RETRACTED: FactChange.RETRACTED,
    }[fact.status]


def _change(old: Fact, new: Fact) -> FactChange:
    if new.status is not old.status:
        if new.status is Status.HELD:
            return FactChange.RESTORED
        return _arrival(new)
    if new.interval.end is not None and old.interval.end is None:
        return FactChange.ENDED
    return FactChange.CHANGED
