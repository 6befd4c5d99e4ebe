"""From ranked candidates to hits: sources, labels, paths, reasons."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from graphmem.model.claim import LinkedClaim
from graphmem.model.episode import Episode
from graphmem.model.fact import Fact
from graphmem.model.scope import Scope
from graphmem.model.search import Hit, PointKind, Source
from graphmem.model.time import Certainty
from graphmem.ports.graph_store import EpisodeQuery, GraphStore
from graphmem.retrieval.candidates import Candidates
from graphmem.retrieval.fusion import PLACES
from graphmem.retrieval.question import Question
from graphmem.retrieval.ranking import Ranked
from graphmem.retrieval.wording import day, label_of, reason

SAID = "said"


async def episodes_of(
    store: GraphStore, scope: Scope, claims: Mapping[str, Sequence[LinkedClaim]]
) -> dict[str, Episode]:
    """Return, by id, the episodes that claims were said in."""
    ids = sorted({linked.claim.episode for group in claims.values() for linked in group})
    if not ids:
        return {}
    page = await store.episodes(scope, EpisodeQuery(ids=tuple(ids), limit=len(ids)))
    return {episode.id: episode for episode in page.items}


def speaker_of(episode: Episode) -> str:
    """Return who spoke: the name, else the role."""
    return episode.speaker or episode.role.value


def sources_of(
    claims: Sequence[LinkedClaim], episodes: Mapping[str, Episode]
) -> tuple[Source, ...]:
    """Return where a fact comes from, said order."""
    return tuple(
        Source(
            episode=episode.id,
            speaker=speaker_of(episode),
            quote=linked.claim.quote,
            occurred_at=episode.occurred_at,
            zone=episode.zone,
        )
        for linked in claims
        if (episode := episodes.get(linked.claim.episode)) is not None
    )


def certainty_of(fact: Fact, question: Question) -> Certainty:
    """Return how surely a fact holds at the time asked about; any time asks nothing."""
    if question.filter.valid is None:
        return Certainty.HOLDS
    return fact.over(*question.filter.valid) or Certainty.HOLDS


async def hits_of(
    store: GraphStore,
    scope: Scope,
    question: Question,
    found: Candidates,
    ranked: Sequence[Ranked],
) -> list[Hit]:
    """Make hits of ranked candidates, in their order."""
    facts = [found.facts[one.key.id] for one in ranked if one.key.kind is PointKind.FACT]
    known_at = question.filter.known_at
    claims = await store.claims(scope, [fact.id for fact in facts], known_at=known_at)
    causes = await _causes(store, scope, facts)
    episodes = await episodes_of(
        store, scope, {**claims, **{name: (linked,) for name, linked in causes.items()}}
    )
    return [
        _fact_hit(found, one, question, claims, causes, episodes)
        if one.key.kind is PointKind.FACT
        else _turn_hit(found, one)
        for one in ranked
    ]


async def _causes(store: GraphStore, scope: Scope, facts: Sequence[Fact]) -> dict[str, LinkedClaim]:
    ids = sorted({fact.cause.claim for fact in facts if fact.cause and fact.cause.claim})
    if not ids:
        return {}
    return {linked.claim.id: linked for linked in await store.claims_by_id(scope, ids)}


def _fact_hit(
    found: Candidates,
    one: Ranked,
    question: Question,
    claims: Mapping[str, Sequence[LinkedClaim]],
    causes: Mapping[str, LinkedClaim],
    episodes: Mapping[str, Episode],
) -> Hit:
    fact = found.facts[one.key.id]
    rests = claims.get(fact.id, ())
    label = label_of(fact, question.instants)
    certainty = certainty_of(fact, question)
    said = [(linked.claim.said.at, zone_in(episodes, linked.claim.episode)) for linked in rests]
    cause = causes.get(fact.cause.claim) if fact.cause and fact.cause.claim else None
    why = reason(
        fact,
        label,
        certainty,
        said,
        cause.claim if cause else None,
        zone_in(episodes, cause.claim.episode) if cause else "UTC",
    )
    walked = found.walked.get(fact.record)
    if walked is not None and walked.alike:
        why = f"{why}; {', '.join(walked.alike)}"
    return Hit(
        kind=PointKind.FACT,
        text=fact.statement,
        score=round(one.score, PLACES),
        fact=fact,
        parts={name: round(value, PLACES) for name, value in one.parts.items()},
        label=label,
        certainty=certainty,
        path=walked.path if walked is not None else (),
        sources=sources_of(rests, episodes),
        why=why,
    )


def zone_in(episodes: Mapping[str, Episode], episode: str) -> str:
    """Return the zone an episode was said in; UTC where it is gone."""
    found = episodes.get(episode)
    return found.zone if found is not None else "UTC"


def _turn_hit(found: Candidates, one: Ranked) -> Hit:
    turn = found.turns[one.key.id]
    episode = turn.episode
    return Hit(
        kind=PointKind.CHUNK,
        text=turn.text,
        score=round(one.score, PLACES),
        episode=episode,
        parts={name: round(value, PLACES) for name, value in one.parts.items()},
        label=SAID,
        sources=(
            Source(
                episode=episode.id,
                speaker=speaker_of(episode),
                quote=turn.text,
                occurred_at=episode.occurred_at,
                zone=episode.zone,
            ),
        ),
        why=f"said on {day(episode.occurred_at, episode.zone)}; no fact was taken from it",
    )
