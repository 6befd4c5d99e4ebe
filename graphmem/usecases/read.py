"""Reads that are no search: listings, one fact, its history, and why it is what it is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from graphmem.errors import InputError, NotFoundError
from graphmem.model.claim import LinkedClaim, Polarity
from graphmem.model.entity import SELF_KEY, ValueKind, name_keys
from graphmem.model.explanation import Explanation
from graphmem.model.fact import Fact, Rule, Status
from graphmem.model.ids import IdKind, kind_of
from graphmem.model.predicate import Cardinality, ValueType
from graphmem.model.scope import Scope
from graphmem.model.search import FactFilter, FactQuery, Page, Source
from graphmem.model.text import normal_key
from graphmem.ports.graph_store import EpisodeQuery
from graphmem.usecases.lookup import latest_record, means_self
from graphmem.usecases.services import Services

EVERY_STATUS = frozenset(Status)
_SLOT_LIMIT = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """What ``facts()`` asks for, in the caller's words.

    Attributes:
        subject, object: a name, an alias, an entity id, "me", or a literal's words.
        predicate: any name the registry knows.
        filter: everything else.
        limit, cursor: as in ``FactQuery``.
    """

    subject: str | None = None
    predicate: str | None = None
    object: str | None = None
    filter: FactFilter = field(default_factory=FactFilter)
    limit: int = 100
    cursor: str | None = None


async def facts(services: Services, scope: Scope, listing: Listing) -> Page[Fact]:
    """List facts, newest said first.

    A predicate may be given by its inverse or opposite; a symmetric one is found from either
    side. A name nobody has gives an empty page.

    Raises:
        InputError: a limit below 1.
        NotFoundError: an entity id that is not there.
    """
    if listing.limit < 1:
        raise InputError(f"limit must be at least 1, not {listing.limit!r}")
    wanted = listing.filter
    subject, thing = listing.subject, listing.object
    symmetric = frozenset(p.slug for p in services.ontology if p.symmetric)
    literal = None
    if listing.predicate is not None:
        resolved = services.ontology.resolve(listing.predicate)
        predicate = resolved.predicate
        wanted = replace(wanted, predicates=frozenset({predicate.slug}))
        if resolved.negated:
            polarity = (wanted.polarity or Polarity.POSITIVE).flipped
            wanted = replace(wanted, polarity=polarity)
        if resolved.flipped:
            subject, thing = thing, subject
        if resolved.known and predicate.value not in (ValueType.ENTITY, ValueType.NONE):
            literal = ValueKind(predicate.value.value)
    subjects = await _ends(services, scope, subject)
    objects = await _ends(services, scope, thing)
    if objects is not None and thing is not None:
        kinds = [literal] if literal else [k for k in ValueKind if k is not ValueKind.ENTITY]
        objects |= {f"{kind.value}:{normal_key(thing)}" for kind in kinds}
    query = FactQuery(
        filter=wanted,
        subjects=subjects,
        objects=objects,
        either=True,
        either_of=symmetric,
        limit=listing.limit,
        cursor=listing.cursor,
    )
    return await services.store.facts(scope, query)


async def _ends(services: Services, scope: Scope, name: str | None) -> frozenset[str] | None:
    """Return the ids of the entities called ``name``; empty if nobody is."""
    if name is None:
        return None
    if kind_of(name) is IdKind.ENTITY:
        page = await services.store.entities(scope, ids=[name])
        if not page.items:
            raise NotFoundError(f"no entity {name!r} for user {scope.user!r}")
        return frozenset(view.entity.merged_into or view.entity.id for view in page.items)
    keys = list(name_keys(name))
    if means_self(name, scope.user):
        keys.append(SELF_KEY)
    for key in keys:
        page = await services.store.entities(scope, keys=[key])
        if page.items:
            return frozenset(view.entity.id for view in page.items)
    return frozenset()


async def get(services: Services, scope: Scope, fact_id: str) -> Fact:
    """Return a fact by id; an id that gave way gives the fact that took its place.

    Raises:
        NotFoundError: no such fact in this scope.
    """
    return await latest_record(services.store, scope, fact_id)


async def history(
    services: Services, scope: Scope, fact_id: str, *, limit: int = 100, cursor: str | None = None
) -> Page[Fact]:
    """Return every record of the fact's slot, newest record first.

    The slot is what can end it: of a predicate with one value, all the subject's values; else
    what is said of the same object. Revisions (``expired_at`` set) are what was believed before.

    Raises:
        NotFoundError: no such fact in this scope.
        InputError: a limit below 1, or a cursor that is not one of ours.
    """
    if limit < 1:
        raise InputError(f"limit must be at least 1, not {limit!r}")
    fact = await latest_record(services.store, scope, fact_id)
    slot = await _slot(services, scope, fact)
    records: dict[str, Fact] = {}
    for known in {fact_id, fact.id, *(f.id for f in slot)}:
        for record in await services.store.history(scope, known):
            records[record.record] = record
    ordered = sorted(
        records.values(),
        key=lambda r: (r.created_at, r.interval.may_from, r.said, r.record),
        reverse=True,
    )
    first = _offset(cursor)
    shown = tuple(ordered[first : first + limit])
    more = first + limit < len(ordered)
    return Page(shown, len(ordered), str(first + limit) if more else None)


def _offset(cursor: str | None) -> int:
    if cursor is None:
        return 0
    if not cursor.isdecimal():
        raise InputError(f"cursor {cursor!r} is not one that history() gave")
    return int(cursor)


async def _slot(services: Services, scope: Scope, fact: Fact) -> Sequence[Fact]:
    predicate = services.ontology.get(fact.predicate)
    ends = {fact.subject.key}
    objects: frozenset[str] | None = None
    if predicate.symmetric and fact.object is not None:
        ends.add(fact.object.key)
    elif predicate.cardinality is Cardinality.MANY and fact.object is not None:
        objects = frozenset({fact.object.key})
    query = FactQuery(
        filter=FactFilter(statuses=EVERY_STATUS, predicates=frozenset({fact.predicate})),
        subjects=frozenset(ends),
        objects=objects,
        either=predicate.symmetric,
        limit=_SLOT_LIMIT,
    )
    page = await services.store.facts(scope, query)
    return page.items


async def explain(services: Services, scope: Scope, fact_id: str) -> Explanation:
    """Return why a fact is what it is: its evidence, what ended it, and what it ended.

    Raises:
        NotFoundError: no such fact in this scope.
    """
    fact = await latest_record(services.store, scope, fact_id)
    store = services.store
    evidence = (await store.claims(scope, [fact.id])).get(fact.id, ())
    if not evidence:
        evidence = tuple(await store.claims_by_id(scope, fact.claims))
    by = fact.cause.claim if fact.cause else None
    enders = await store.claims_by_id(scope, [by]) if by else []
    sources = await sources_of(services, scope, [*evidence, *enders])
    slot = await _slot(services, scope, fact)
    own = set(fact.claims)
    replaced_by = next((f for f in slot if by and by in f.claims and f.id != fact.id), None)
    ended = tuple(f for f in slot if f.id != fact.id and f.cause and f.cause.claim in own)
    ended_by = sources.get(enders[0].claim.id) if enders else None
    return Explanation(
        fact=fact,
        why=_why(fact, ended_by),
        claims=evidence,
        sources=tuple(sources[c.claim.id] for c in evidence if c.claim.id in sources),
        ended_by=ended_by,
        replaced_by=replaced_by,
        ended=ended,
    )


async def sources_of(
    services: Services, scope: Scope, claims: Sequence[LinkedClaim]
) -> dict[str, Source]:
    """Return the turn behind each claim, by the claim's id."""
    ids = tuple(dict.fromkeys(c.claim.episode for c in claims))
    if not ids:
        return {}
    page = await services.store.episodes(scope, EpisodeQuery(ids=ids, limit=len(ids)))
    episodes = {e.id: e for e in page.items}
    result: dict[str, Source] = {}
    for linked in claims:
        episode = episodes.get(linked.claim.episode)
        if episode is not None:
            result[linked.claim.id] = Source(
                episode.id,
                episode.speaker or episode.role.value,
                linked.claim.quote,
                episode.occurred_at,
                episode.zone,
            )
    return result


BY_RULE: Mapping[str, str] = {
    Rule.SUPERSEDED: "another value took its place",
    Rule.ENDED: "it was said to have ended",
    Rule.CLOSED: "it was told with its end",
    Rule.PLANNED_END: "it was said beforehand that it would end",
    Rule.CORRECTED_BY: "what was said later leaves nothing of it",
    Rule.PLAN_VOID: "the plan did not come to pass",
    Rule.WITHDRAWN: "it was taken back",
    Rule.CALLED_OFF: "it was called off",
    Rule.OVERTAKEN: "what was planned or possible came to be said as so, or its opposite",
}


def _why(fact: Fact, ended_by: Source | None) -> str:
    rule = BY_RULE.get(fact.cause.rule, fact.cause.rule) if fact.cause else None
    words = f': "{ended_by.quote}"' if ended_by is not None and ended_by.quote else ""
    if fact.status is Status.RETRACTED:
        reason = f" ({fact.cause.reason})" if fact.cause and fact.cause.reason else ""
        return f"retracted: {rule or 'taken back'}{reason}{words}"
    if fact.status is Status.DISPUTED:
        return "disputed: a weaker source says so against a stronger one"
    if rule is not None:
        return f"ended: {rule}{words}"
    said = "once" if len(fact.claims) == 1 else f"{len(fact.claims)} times"
    return f"held: said {said}, and nothing has ended it"
