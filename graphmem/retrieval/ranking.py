"""From candidates to one order: floors, fusion, borrowing, boosts, mood. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from graphmem.model.claim import LinkedClaim
from graphmem.model.episode import Episode, Role
from graphmem.model.fact import Fact
from graphmem.model.predicate import Ontology
from graphmem.model.search import PointKind, PointRef
from graphmem.model.terms import terms
from graphmem.model.time import DAY
from graphmem.retrieval.candidates import Candidates, fact_key, neighbours, turn_key
from graphmem.retrieval.fusion import (
    PLACES,
    borrowed,
    half_life,
    normalised,
    reciprocal_rank,
    summed,
)
from graphmem.retrieval.recipes import (
    CORROBORATION,
    CUE,
    DENSE,
    IMPORTANCE,
    KEYWORD,
    RECENCY,
    SCALES,
    WALK,
    Method,
    Recipe,
)

FULL_LIFT = 0.6
"""Lift at which nearness of meaning alone speaks with full strength."""
TURN_HALF_LIFE = 730.0
"""Days in which something merely said loses half its freshness."""
TURN_IMPORTANCE = 4
COPIED = 0.6
"""Share of terms in common from which two texts begin to be copies."""

Evidence = Mapping[str, tuple[LinkedClaim, ...]]
"""By fact id, the claims it rests on."""


@dataclass(frozen=True, slots=True)
class Ranked:
    """A candidate with its score and what the score is made of."""

    key: PointRef
    score: float
    parts: Mapping[str, float]


def above_floors(
    found: Candidates, floors: Mapping[str, float]
) -> tuple[dict[str, dict[PointRef, float]], int]:
    """Return the channels' scores from their floors up, and how many candidates fell below all."""
    channels: dict[str, dict[PointRef, float]] = {}
    for name, scores in (
        (DENSE, found.dense), (KEYWORD, found.keyword), (CUE, found.cue), (WALK, found.walk),
    ):  # fmt: skip
        floor = floors.get(name, 0.0)
        channels[name] = {key: s for key, s in scores.items() if s > 0 and s >= floor}
    kept = {key for scores in channels.values() for key in scores}
    hidden = {
        key
        for key in (*found.dense, *found.keyword)
        if key not in kept and not (key.kind is PointKind.CHUNK and key.id in found.quoted)
    }
    return channels, len(hidden)


def loudness(channels: Mapping[str, Mapping[PointRef, float]]) -> float:
    """Return how strongly the best channel speaks, 0 to 1.

    Fusion compares candidates with each other only; this says whether the best is any good.
    """
    best = {name: max(scores.values(), default=0.0) for name, scores in channels.items()}
    best[DENSE] = best.get(DENSE, 0.0) / FULL_LIFT
    return min(1.0, max(best.values()))


def fuse(
    found: Candidates, channels: Mapping[str, Mapping[PointRef, float]], recipe: Recipe
) -> dict[PointRef, float]:
    """Put the channels together; turns borrow from their neighbours."""
    if recipe.method is Method.RECIPROCAL_RANK:
        fused = reciprocal_rank(channels, recipe.weights, recipe.rank_constant)
    else:
        fused = summed(channels, recipe.weights, SCALES)
    turns = {
        turn_key(episode): fused.get(turn_key(episode), 0.0) for episode in sorted(found.turns)
    }
    near = neighbours((found.turns[key.id] for key in turns), recipe.near, recipe.far)
    lent = borrowed(turns, near)
    # The best turn stays as good as it was: borrowing orders turns, it does not raise them.
    best, top = max(turns.values(), default=0.0), max(lent.values(), default=0.0)
    for key, score in lent.items():
        if score > 0:
            fused[key] = score * best / top
    return fused


def lend_to_facts(
    fused: Mapping[PointRef, float], facts: Sequence[Fact], evidence: Evidence, recipe: Recipe
) -> dict[PointRef, float]:
    """Let facts borrow from the best of the turns they were said in."""
    raised = dict(fused)
    for fact in facts:
        key = fact_key(fact)
        said = (
            fused.get(turn_key(linked.claim.episode), 0.0) for linked in evidence.get(fact.id, ())
        )
        own = fused.get(key, 0.0)
        raised[key] = own + recipe.lent * max(0.0, max(said, default=0.0) - own)
    return raised


def fact_boosts(
    fact: Fact, claims: Sequence[LinkedClaim], ontology: Ontology, now: int
) -> dict[str, float]:
    """Return a fact's freshness, importance and corroboration, each 0 to 1."""
    last = max((linked.claim.said.at for linked in claims), default=fact.said.at)
    life = ontology.get(fact.predicate).half_life_days
    return {
        RECENCY: half_life((now - last) / DAY, life),
        IMPORTANCE: (fact.importance - 1) / 9,
        CORROBORATION: 1 - 1 / max(1, len(fact.claims)),
    }


def turn_boosts(episode: Episode, now: int) -> dict[str, float]:
    """Return the same for a turn."""
    return {
        RECENCY: half_life((now - episode.occurred_at) / DAY, TURN_HALF_LIFE),
        IMPORTANCE: (TURN_IMPORTANCE - 1) / 9,
        CORROBORATION: 0.0,
    }


def answering(score: float, cue: float) -> float:
    """Raise a fact of just the relation asked for, about just whom the question is about.

    It answers whatever words it was told in: "I just moved to Leeds" tells where I live.
    """
    return score if cue < SURELY else max(score, ANSWER * cue + (1 - ANSWER) * score)


SURELY, ANSWER = 0.9, 0.6


def weight_of_turn(episode: Episode) -> float:
    """Return how much of its score a turn keeps beside facts, as something merely said.

    What only asks seldom answers, and the assistant's words are nobody's statements.
    """
    weight = SAID
    if episode.content.rstrip().endswith(_ASKING):
        weight *= ASKED
    if episode.role in (Role.ASSISTANT, Role.SYSTEM, Role.TOOL):
        weight *= ANSWERED
    return weight


SAID, ASKED, ANSWERED = 0.85, 0.6, 0.7
_ASKING = ("?", "？")


def classic(
    fused: Mapping[PointRef, float],
    boosts: Mapping[PointRef, Mapping[str, float]],
    weights: Mapping[str, float],
) -> dict[PointRef, float]:
    """Return the weighted sum of relevance (all channels), recency and importance, in [0, 1]."""
    relevant = normalised(fused)
    total = 1.0 + sum(weights.get(name, 0.0) for name in (RECENCY, IMPORTANCE))
    return {
        key: (
            score
            + sum(
                weights.get(name, 0.0) * boosts.get(key, {}).get(name, 0.0)
                for name in (RECENCY, IMPORTANCE)
            )
        )
        / total
        for key, score in relevant.items()
    }


def tie_order(found: Candidates, key: PointRef) -> tuple[object, ...]:
    """Return what decides between equal scores: said order, start, subject, predicate, object."""
    if key.kind is PointKind.FACT:
        fact = found.facts[key.id]
        start = fact.interval.start
        value = fact.object.text if fact.object is not None else ""
        return (
            fact.said.at, fact.said.turn, fact.said.place, start.latest if start else 0,
            fact.subject.text, fact.predicate, value, fact.polarity.value,
        )  # fmt: skip
    episode = found.turns[key.id].episode
    return (
        episode.occurred_at,
        episode.place,
        0,
        0,
        episode.speaker or "",
        "",
        episode.content,
        "",
    )


def ordered(found: Candidates, ranked: Sequence[Ranked]) -> list[Ranked]:
    """Return candidates best first; scores count to six places."""
    return sorted(ranked, key=lambda one: (-round(one.score, PLACES), tie_order(found, one.key)))


def copies(found: Candidates) -> Callable[[PointRef, PointRef], float]:
    """Return how much two candidates say the same, 0 to 1; facts of different values never do."""
    sets: dict[PointRef, frozenset[str]] = {}

    def words(key: PointRef) -> frozenset[str]:
        known = sets.get(key)
        if known is None:
            known = sets[key] = frozenset(terms(found.text(key)))
        return known

    def alike(first: PointRef, second: PointRef) -> float:
        if first.kind is second.kind is PointKind.FACT and _differ(
            found.facts[first.id], found.facts[second.id]
        ):
            return 0.0
        one, other = words(first), words(second)
        either = len(one | other)
        share = len(one & other) / either if either else 0.0
        return max(0.0, (share - COPIED) / (1 - COPIED))

    return alike


def _differ(first: Fact, second: Fact) -> bool:
    return (
        first.subject.key != second.subject.key
        or first.predicate != second.predicate
        or first.object != second.object
        or first.polarity is not second.polarity
        or first.qualifiers != second.qualifiers
    )
