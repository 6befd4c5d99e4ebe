"""Erase: a user, a turn or a fact goes physically, and what only it had ended holds again."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from graphmem.errors import NotFoundError
from graphmem.extraction.linker import NAMING
from graphmem.model.changes import (
    Blanked,
    ChangeSet,
    ClaimHistory,
    Decision,
    Erased,
    Family,
    Snapshot,
    Wanted,
)
from graphmem.model.claim import Claim, LinkedClaim
from graphmem.model.entity import Entity
from graphmem.model.episode import Episode
from graphmem.model.fact import Fact, Status
from graphmem.model.predicate import Ontology
from graphmem.model.receipt import ErasureReceipt
from graphmem.model.scope import Scope
from graphmem.model.text import normal_key
from graphmem.model.time import FOREVER
from graphmem.ports.graph_store import EpisodeQuery
from graphmem.resolution.rebuild import Group, rebuild
from graphmem.usecases.lookup import latest_record
from graphmem.usecases.services import Services

BLANK = "‹erased›"


async def erase_user(services: Services, scope: Scope) -> ErasureReceipt:
    """Erase everything of a scope; other scopes are not touched."""
    removed = await services.store.erase_scope(scope)
    return await _finish(services, removed, ())


async def erase_fact(services: Services, scope: Scope, fact_id: str) -> ErasureReceipt:
    """Erase a fact and its claims, and blank their quotes in the turns.

    Raises:
        NotFoundError: no such fact in this scope.
    """
    fact = await latest_record(services.store, scope, fact_id)
    work = _Work()

    def decide() -> Decision:
        snapshot = yield Wanted(facts=(fact.id,), claims=fact.claims)
        gone = {c.claim.id: c for c in snapshot.claims if c.claim.id in fact.claims}
        return (yield from _erase(gone, None, services.ontology, work))

    await services.store.change(scope, decide)
    return await _finish(services, work.removed, work.reopened)


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
    return await _finish(services, work.removed, work.reopened)


async def _finish(
    services: Services, removed: Mapping[str, int], reopened: Sequence[Fact]
) -> ErasureReceipt:
    waiting = [*await services.forget()]
    sweep = await services.store.sweep()
    waiting += sweep.waiting
    return ErasureReceipt(
        removed=dict(removed),
        reopened=tuple(reopened),
        clean=not waiting,
        waiting=tuple(waiting),
    )


@dataclass(slots=True)
class _Work:
    removed: dict[str, int] = field(default_factory=dict[str, int])
    reopened: tuple[Fact, ...] = ()


def _erase(
    gone: Mapping[str, LinkedClaim], episode: str | None, ontology: Ontology, work: _Work
) -> Generator[Wanted, Snapshot, ChangeSet]:
    """Decide what goes with the claims ``gone``, and what the rest then gives."""
    said_in = tuple(sorted({c.claim.episode for c in gone.values()}))
    ends = _entities(gone.values())
    snapshot = yield Wanted(
        episodes=said_in,
        said_in=said_in,
        touching=tuple(sorted(ends)),
        entities=tuple(sorted(ends)),
    )
    beside = [c for c in snapshot.claims if c.claim.episode in said_in and c.claim.id not in gone]
    blanked, rewritten = _blank(snapshot.episodes, gone, beside, episode)
    entities = {e.id: e for e in snapshot.entities}
    left = [c for c in snapshot.claims if c.claim.id not in gone]
    orphans = _orphans(ends, left, entities)
    touched = [*gone.values(), *(c for c in beside if c.claim.id in rewritten)]
    groups, histories, records = yield from _histories(touched, ontology)
    remaining = [
        replace(h, claim=rewritten.get(h.claim.id, h.claim))
        for h in histories
        if h.claim.id not in gone
    ]
    named = {link.subject for h in remaining for link, _, _ in h.links} - set(entities)
    if named:
        more = yield Wanted(entities=tuple(sorted(named)))
        entities |= {e.id: e for e in more.entities}
    rebuilt = rebuild(sorted(groups), remaining, records, entities, ontology)
    work.reopened = _reopened(records, rebuilt)
    facts = {record.id for record in records}
    kept = {record.id for record in rebuilt if record.expired_at == FOREVER}
    episodes = (episode,) if episode is not None else ()
    work.removed = {
        "episodes": len(episodes),
        "claims": len(gone),
        "facts": len(facts - kept),
        "entities": len(orphans),
        "quotes": len(blanked),
    }
    return ChangeSet(
        entities=tuple(_without_names(gone.values(), left, entities, orphans)),
        erased=Erased(
            episodes=episodes,
            claims=tuple(sorted(gone)),
            entities=tuple(sorted(orphans)),
            facts=tuple(sorted(facts)),
            blanked=blanked,
            rewritten=tuple(rewritten.values()),
            records=tuple(rebuilt),
        ),
    )


def _entities(claims: Iterable[LinkedClaim]) -> set[str]:
    return {
        end
        for c in claims
        for end in (c.link.subject, c.link.object.key if c.link.object else None)
        if end is not None
    }


def _orphans(
    ends: Iterable[str], left: Sequence[LinkedClaim], entities: Mapping[str, Entity]
) -> set[str]:
    """Return the entities that no remaining claim speaks of."""
    spoken_of = _entities(left)
    return {
        end
        for end in ends
        if end in entities and end not in spoken_of and not entities[end].is_self
    }


def _without_names(
    gone: Iterable[LinkedClaim],
    left: Sequence[LinkedClaim],
    entities: Mapping[str, Entity],
    orphans: set[str],
) -> Iterable[Entity]:
    """Take back names that only an erased claim gave."""
    names: defaultdict[str, set[str]] = defaultdict(set)
    for c in gone:
        if c.link.predicate in NAMING and c.link.object is not None:
            names[c.link.subject].add(c.link.object.text)
    for c in left:
        if c.link.predicate in NAMING and c.link.object is not None:
            names[c.link.subject].discard(c.link.object.text)
    for end, given in names.items():
        entity = entities.get(end)
        if entity is not None and end not in orphans and given & set(entity.aliases):
            yield replace(entity, aliases=tuple(a for a in entity.aliases if a not in given))


def _blank(
    episodes: Iterable[Episode],
    gone: Mapping[str, LinkedClaim],
    beside: Sequence[LinkedClaim],
    erased: str | None,
) -> tuple[tuple[Blanked, ...], dict[str, Claim]]:
    """Blank the erased quotes in turns that stay, and rewrite claims that share words with them."""
    blanked: list[Blanked] = []
    rewritten: dict[str, Claim] = {}
    for episode in episodes:
        quotes = {c.claim.quote for c in gone.values() if c.claim.episode == episode.id}
        quotes.discard("")
        if episode.id == erased or not quotes:
            continue
        content = episode.content
        for quote in sorted(quotes, key=len, reverse=True):
            content = content.replace(quote, BLANK) if quote in content else BLANK
        blanked.append(Blanked(episode.id, content))
        words = [w for c in gone.values() if c.claim.episode == episode.id for w in _words(c.claim)]
        for c in beside:
            claim = c.claim
            shared = claim.quote not in content or any(w in claim.statement for w in words)
            if claim.episode == episode.id and shared:
                rewritten[claim.id] = replace(claim, quote="", statement=_plainly(c))
    return tuple(blanked), rewritten


def _words(claim: Claim) -> list[str]:
    """Return the words of a claim that must not stay in other statements."""
    mentions = [claim.quote, claim.object.text if claim.object else ""]
    return [words for words in mentions if normal_key(words)]


def _plainly(linked: LinkedClaim) -> str:
    """Return a statement made of a claim's parts alone."""
    claim = linked.claim
    parts = [claim.subject.text, claim.predicate.replace("_", " ")]
    if claim.object is not None:
        parts.append(claim.object.text)
    return " ".join(parts)


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
    # Twice: the other ends of symmetric families lean on families of their own.
    for _ in range(2):
        new = sorted(groups - asked)
        if not new:
            break
        asked.update(new)
        families = tuple(
            Family(subject, slug, either=ontology.get(slug).symmetric) for subject, slug in new
        )
        snapshot = yield Wanted(histories=families)
        claims |= {h.claim.id: h for h in snapshot.histories}
        records |= {r.record: r for r in snapshot.records}
        for history in snapshot.histories:
            for link, _, _ in history.links:
                groups.add((link.subject, link.predicate))
                if ontology.get(link.predicate).symmetric and link.object is not None:
                    groups.add((link.object.key, link.predicate))
    return asked, list(claims.values()), list(records.values())


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
