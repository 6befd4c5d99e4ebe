"""Which change sets break a rule by themselves, whatever is in the scope. Pure.

What depends on what is there, a store refuses inside its transaction.
"""

from __future__ import annotations

from collections import Counter

from graphmem.errors import RefusedError
from graphmem.model.changes import ChangeSet
from graphmem.model.entity import Entity
from graphmem.model.fact import Fact
from graphmem.model.text import KEY_LIMIT


def refuse_broken(changes: ChangeSet) -> None:
    """Refuse two live records of one fact, a fact that ends before it begins or gives way to
    itself, a new claim without a link, and a blank or oversize key of an entity.

    Raises:
        RefusedError: with the value and the rule.
    """
    ids = [fact.id for fact in changes.facts]
    ids.extend(gave_way.fact for gave_way in changes.gave_way)
    for fact, count in Counter(ids).items():
        if count > 1:
            raise RefusedError(f"the fact {fact!r} would have two live records after one change")
    for entity in changes.entities:
        _refuse_key(entity)
    linked = {link.claim for link in changes.links}
    for claim in changes.claims:
        if claim.id not in linked:
            raise RefusedError(f"the claim {claim.id!r} has no link; send one with it")
    for gave_way in changes.gave_way:
        if gave_way.successor == gave_way.fact:
            raise RefusedError(f"the fact {gave_way.fact!r} cannot give way to itself")
    for fact in changes.facts:
        _refuse_backwards(fact)


def _refuse_key(entity: Entity) -> None:
    if not entity.key.strip() or len(entity.key) > KEY_LIMIT:
        raise RefusedError(
            f"the entity key {entity.key[:60]!r} has {len(entity.key)} characters; it needs 1 to "
            f"{KEY_LIMIT}, not all blank"
        )


def _refuse_backwards(fact: Fact) -> None:
    interval = fact.interval
    if interval.may_until < interval.may_from:
        raise RefusedError(
            f"the fact {fact.id!r} would end ({interval.may_until}) before it begins "
            f"({interval.may_from})"
        )
