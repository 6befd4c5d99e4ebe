"""Erase: a user, a turn or a fact goes physically, and what only it had ended holds again."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from graphmem.errors import NotFoundError
from graphmem.model.changes import (
    ChangeSet,
    ClaimHistory,
    Decision,
    Erased,
    Family,
    Snapshot,
    Wanted,
)
from graphmem.model.claim import LinkedClaim
from graphmem.model.episode import Channel, Episode
from graphmem.model.fact import Fact, Status
from graphmem.model.predicate import Ontology
from graphmem.model.receipt import ErasureReceipt
from graphmem.model.scope import Scope
from graphmem.model.time import FOREVER
from graphmem.ports.graph_store import EpisodeQuery
from graphmem.resolution.families import CONTAINMENT, NESTED
from graphmem.resolution.rebuild import Group, rebuild
from graphmem.usecases.blanking import blank
from graphmem.usecases.forgetting import Named, ends_of, lessened, orphaned
from graphmem.usecases.lookup import latest_record
from graphmem.usecases.services import Services
from graphmem.usecases.transfer import forget_import


async def erase_user(services: Services, scope: Scope) -> ErasureReceipt:
    """Erase everything of a scope; other scopes are not touched."""
    removed = await services.store.erase_scope(scope)
    await forget_import(services.store, scope)
    return await _finish(services, scope, removed, ())


async def erase_fact(services: Services, scope: Scope, fact_id: str) -> ErasureReceipt:
    """Erase a fact and its claims, and blank their quotes in the turns.

    Raises:
        NotFoundError: no such fact in this scope.
    """
    fact = await latest_record(services.store, scope, fact_id)
    work = _Work()

    def decide() -> Decision:
        # The live record may have gained claims; one that is no more has those it had.
        snapshot = yield Wanted(facts=(fact.id,), claims=fact.claims)
        live = next((f for f in snapshot.facts if f.id == fact.id), fact)
        gone = {c.claim.id: c for c in snapshot.claims if c.claim.id in live.claims}
        gone |= yield from _told_again(gone)
        return (yield from _erase(gone, None, services.ontology, work))

    await services.store.change(scope, decide)
    return await _finish(services, scope, work.removed, work.reopened)


async def erase_episode(services: Services, scope: Scope, episode_id: str) -> ErasureReceipt:
    """Erase a turn and all its claims.

    Raises:
        NotFoundError: no such episode in this scope.
    """
    page = await services.store.episodes(scope, EpisodeQuery(ids=(episode_id,)))
    if not page.items:
        raise NotFoundError(f"no episode {episode_id!r} for user {scope.user!r}")
    work = _Work()

    def decide() -> Decision:
        snapshot = yield Wanted(said_in=(episode_id,))
        gone = {c.claim.id: c for c in snapshot.claims if c.claim.episode == episode_id}
        return (yield from _erase(gone, episode_id, services.ontology, work))

    await services.store.change(scope, decide)
    return await _finish(services, scope, work.removed, work.reopened)


def _told_again(
    gone: Mapping[str, LinkedClaim],
) -> Generator[Wanted, Snapshot, dict[str, LinkedClaim]]:
    """Return other claims that are the same saying: one puts the other right, in its own words.

    So values are put side by side that were said at one time; without this, what is erased would
    stand again as it was first read.
    """
    said_in = tuple(sorted({c.claim.episode for c in gone.values()}))
    snapshot = yield Wanted(said_in=said_in)
    found: dict[str, LinkedClaim] = {}
    for linked in snapshot.claims:
        if linked.claim.id not in gone and any(_one_saying(linked, c) for c in gone.values()):
            found[linked.claim.id] = linked
    return found


def _one_saying(one: LinkedClaim, other: LinkedClaim) -> bool:
    if (one.claim.episode, one.claim.quote) != (other.claim.episode, other.claim.quote):
        return False
    return any(
        claim.correction is not None and of.id in claim.correction.claims
        for claim, of in ((one.claim, other.claim), (other.claim, one.claim))
    )


async def finish(services: Services, scope: Scope | None = None) -> list[str]:
    """Remove what erasures (in ``scope``) have marked from every file; return what that still waits
    for."""
    waiting = await services.forget(scope)
    sweep = await services.store.sweep()
    return [*waiting, *sweep.waiting]


async def _finish(
    services: Services, scope: Scope, removed: Mapping[str, int], reopened: Sequence[Fact]
) -> ErasureReceipt:
    waiting = await finish(services, scope)
    return ErasureReceipt(
        removed=dict(removed),
        reopened=tuple(reopened),
        clean=not waiting,
        waiting=tuple(waiting),
    )


_REBUILT = 2
"""The touched families, and those of their other ends."""


@dataclass(slots=True)
class _Work:
    removed: dict[str, int] = field(default_factory=dict[str, int])
    reopened: tuple[Fact, ...] = ()


def _erase(
    gone: Mapping[str, LinkedClaim], episode: str | None, ontology: Ontology, work: _Work
) -> Generator[Wanted, Snapshot, ChangeSet]:
    """Decide what goes with the claims ``gone``, and what the rest then gives."""
    said_in = tuple(sorted({c.claim.episode for c in gone.values()}))
    snapshot = yield Wanted(episodes=said_in, said_in=said_in)
    beside = [c for c in snapshot.claims if c.claim.episode in said_in and c.claim.id not in gone]
    leaving = _leaving(snapshot.episodes, beside, episode)
    staying = [e for e in snapshot.episodes if e.id not in leaving]
    blanked, rewritten = blank(staying, gone, beside)
    touched = [*gone.values(), *(c for c in beside if c.claim.id in rewritten)]
    touched += yield from _leaning(gone.values(), ontology)
    groups, histories, records = yield from _histories(touched, ontology)
    histories += yield from _containers(histories, ontology)
    named = yield from _named(gone, histories)
    remaining = [
        replace(h, claim=rewritten.get(h.claim.id, h.claim))
        for h in histories
        if h.claim.id not in gone
    ]
    entities = named.entities
    missing = {link.subject for h in remaining for link, _, _ in h.links} - set(entities)
    if missing:
        more = yield Wanted(entities=tuple(sorted(missing)))
        entities = entities | {e.id: e for e in more.entities}
    rebuilt = rebuild(sorted(groups), remaining, records, entities, ontology)
    work.reopened = _reopened(records, rebuilt)
    facts = {record.id for record in records}
    kept = {record.id for record in rebuilt if record.expired_at == FOREVER}
    work.removed = {
        "episodes": len(leaving),
        "claims": len(gone),
        "facts": len(facts - kept),
        "entities": len(named.orphans),
        "quotes": len(blanked),
    }
    return ChangeSet(
        entities=lessened(gone.values(), named, ontology),
        erased=Erased(
            episodes=tuple(sorted(leaving)),
            claims=tuple(sorted(gone)),
            entities=tuple(sorted(named.orphans)),
            facts=tuple(sorted(facts)),
            blanked=blanked,
            rewritten=tuple(rewritten.values()),
            records=tuple(rebuilt),
        ),
    )


def _leaving(
    episodes: Iterable[Episode], beside: Iterable[LinkedClaim], erased: str | None
) -> set[str]:
    """Return the turns that go: the erased one, and statements given by their parts alone."""
    spoken = {c.claim.episode for c in beside}
    return {
        e.id
        for e in episodes
        if e.id == erased or (e.channel is Channel.DIRECT and e.id not in spoken)
    } | ({erased} if erased is not None else set())


def _named(
    gone: Mapping[str, LinkedClaim], histories: Iterable[ClaimHistory]
) -> Generator[Wanted, Snapshot, Named]:
    """Read the things that erased claims ever spoke of, and which of them nothing speaks of now."""
    links = [link for h in histories if h.claim.id in gone for link, _, _ in h.links]
    ends = ends_of([*links, *(c.link for c in gone.values())])
    snapshot = yield Wanted(touching=tuple(sorted(ends)), entities=tuple(sorted(ends)))
    entities = {e.id: e for e in snapshot.entities}
    left = tuple(c for c in snapshot.claims if c.claim.id not in gone)
    orphans = orphaned(ends, left, entities)
    # What was merged into a thing goes with it.
    keys = {key for end in orphans for key in entities[end].keys}
    if keys:
        snapshot = yield Wanted(entity_keys=tuple(sorted(keys)))
        merged = {e.id: e for e in snapshot.entities if e.merged_into in orphans}
        entities |= merged
        orphans |= set(merged)
    return Named(entities, left, frozenset(orphans))


def _histories(
    touched: Sequence[LinkedClaim], ontology: Ontology
) -> Generator[Wanted, Snapshot, tuple[set[Group], list[ClaimHistory], list[Fact]]]:
    """Read the whole record history of the touched families, and of what they lean on."""
    groups: set[Group] = set()
    for c in touched:
        groups.add((c.link.subject, c.link.predicate))
        if ontology.get(c.link.predicate).symmetric and c.link.object is not None:
            groups.add((c.link.object.key, c.link.predicate))
    claims: dict[str, ClaimHistory] = {}
    records: dict[str, Fact] = {}
    asked: set[Group] = set()
    rebuilt: set[Group] = set()
    # What is rebuilt of symmetric families leans on those of their other ends, and these on what
    # corrects them.
    for depth in range(4):
        new = sorted(groups - asked)
        if not new:
            break
        asked.update(new)
        if depth < _REBUILT:
            rebuilt.update(new)
        families = tuple(
            Family(subject, slug, either=ontology.get(slug).symmetric) for subject, slug in new
        )
        snapshot = yield Wanted(histories=families)
        claims |= {h.claim.id: h for h in snapshot.histories}
        if depth < _REBUILT:
            records |= {r.record: r for r in snapshot.records}
        for history in snapshot.histories:
            for link, _, _ in history.links:
                groups.add((link.subject, link.predicate))
                if ontology.get(link.predicate).symmetric and link.object is not None:
                    groups.add((link.object.key, link.predicate))
    return rebuilt, list(claims.values()), list(records.values())


def _leaning(
    gone: Iterable[LinkedClaim], ontology: Ontology
) -> Generator[Wanted, Snapshot, list[LinkedClaim]]:
    """Read the claims about places that an erased containment made less or more precise."""
    places = {end for c in gone if c.link.predicate == CONTAINMENT for end in ends_of([c.link])}
    if not places:
        return []
    snapshot = yield Wanted(touching=tuple(sorted(places)))
    return [
        c
        for c in snapshot.claims
        if c.link.predicate != CONTAINMENT and ontology.get(c.link.predicate).contained
    ]


def _containers(
    histories: Iterable[ClaimHistory], ontology: Ontology
) -> Generator[Wanted, Snapshot, list[ClaimHistory]]:
    """Read, upwards, how the places told of were known to lie in each other."""
    known = {h.claim.id for h in histories}
    found: dict[str, ClaimHistory] = {}
    seen: set[str] = set()
    frontier = {
        link.object.key
        for h in histories
        for link, _, _ in h.links
        if link.object is not None and ontology.get(link.predicate).contained
    }
    for _ in range(NESTED):
        frontier -= seen
        if not frontier:
            break
        seen |= frontier
        families = tuple(Family(place, CONTAINMENT) for place in sorted(frontier))
        snapshot = yield Wanted(histories=families)
        found |= {h.claim.id: h for h in snapshot.histories if h.claim.id not in known}
        frontier = {
            link.object.key
            for h in snapshot.histories
            for link, _, _ in h.links
            if link.object is not None
        }
    return list(found.values())


def _reopened(before: Iterable[Fact], after: Iterable[Fact]) -> tuple[Fact, ...]:
    """Return the facts that go on now and had ended, or been taken back, before."""
    old = {f.id: f for f in before if f.expired_at == FOREVER}
    result: list[Fact] = []
    for fact in after:
        known = old.get(fact.id)
        if fact.expired_at != FOREVER or fact.status is not Status.HELD or known is None:
            continue
        if known.status is not Status.HELD or (known.interval.end and not fact.interval.end):
            result.append(fact)
    return tuple(result)
