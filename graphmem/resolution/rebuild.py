"""The record history of families, computed anew from the claims that remain after an erasure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from graphmem.model.changes import ClaimHistory
from graphmem.model.claim import LinkedClaim
from graphmem.model.entity import Entity
from graphmem.model.fact import Fact, Status
from graphmem.model.ids import IdKind, new_id
from graphmem.model.predicate import Ontology
from graphmem.model.time import FOREVER
from graphmem.resolution.diff import difference
from graphmem.resolution.families import Families

Group = tuple[str, str]
"""A subject's entity id and a predicate's slug."""


def rebuild(
    groups: Iterable[Group],
    histories: Sequence[ClaimHistory],
    records: Sequence[Fact],
    entities: Mapping[str, Entity],
    ontology: Ontology,
) -> list[Fact]:
    """Compute every record that the remaining claims would have left.

    Args:
        groups: the families.
        histories: the claims that remain, with the record intervals of their links and
            withdrawals; those of what the places told of lie in too.
        records: the old records of the families; facts that live on keep their ids.
        entities: by id, for names.
        ontology: the predicates in force.

    Returns:
        Records with ids and record times, as if what was erased had never been said.
    """
    naming = _Naming(records)
    live: dict[str, Fact] = {}
    done: list[Fact] = []
    for at in _times(histories):
        families = Families(ontology, dict(entities))
        withdrawn: set[str] = set()
        for linked in _known_at(histories, at):
            families.put(linked)
            if linked.withdrawn:
                withdrawn.add(linked.claim.id)
        families.learn_containment()
        computed = families.facts(groups)
        change = difference(
            computed,
            live.values(),
            withdrawn=withdrawn,
            name=lambda f, at=at: naming.id(f, at),
            renamed=families.renamed,
        )
        done += [
            replace(live.pop(gone.fact), expired_at=at, successor=gone.successor)
            for gone in change.gave_way
        ]
        for fact in change.facts:
            if fact.id in live:
                done.append(replace(live.pop(fact.id), expired_at=at))
            live[fact.id] = naming.with_reason(replace(fact, created_at=at))
        for rests in change.rests:
            live[rests.fact] = replace(live[rests.fact], claims=rests.claims)
    return [*done, *live.values()]


def _times(histories: Iterable[ClaimHistory]) -> list[int]:
    times: set[int] = set()
    for history in histories:
        times.add(history.created_at)
        for _, first, after in history.links:
            times |= {first, after}
        for first, after in history.withdrawals:
            times |= {first, after}
    return sorted(times - {FOREVER})


def _known_at(histories: Iterable[ClaimHistory], at: int) -> Iterable[LinkedClaim]:
    for history in histories:
        link = next((ln for ln, first, after in history.links if first <= at < after), None)
        if history.created_at <= at and link is not None:
            withdrawn = any(first <= at < after for first, after in history.withdrawals)
            yield LinkedClaim(history.claim, link, withdrawn)


class _Naming:
    """Gives rebuilt facts the ids they had."""

    def __init__(self, records: Sequence[Fact]) -> None:
        self.by_claim: defaultdict[str, list[Fact]] = defaultdict(list)
        for record in records:
            for claim in record.claims:
                self.by_claim[claim].append(record)
        self.used: set[str] = set()

    def id(self, fact: Fact, at: int) -> str:
        """Return the id of the old fact that this one was at ``at``, or a new one."""
        for record in self._candidates(fact, at):
            if record.id not in self.used:
                self.used.add(record.id)
                return record.id
        return new_id(IdKind.FACT)

    def _candidates(self, fact: Fact, at: int) -> list[Fact]:
        holding = self.by_claim.get(fact.claims[0], [])
        return sorted(
            holding,
            key=lambda r: (
                not r.created_at <= at < r.expired_at,
                r.object != fact.object,
                r.polarity is not fact.polarity,
                abs(r.created_at - at),
                r.id,
            ),
        )

    def with_reason(self, fact: Fact) -> Fact:
        """Give a retracted fact back the reason its old record had."""
        if fact.status is not Status.RETRACTED or fact.cause is None or fact.cause.claim:
            return fact
        for record in self.by_claim.get(fact.claims[0], []):
            if record.id == fact.id and record.cause and record.cause.rule == fact.cause.rule:
                return replace(fact, cause=record.cause)
        return fact
