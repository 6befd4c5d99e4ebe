"""From candidates to one order: floors, fusion, borrowing, boosts, mood. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from graphmem.model.episode import Role
from graphmem.model.outline import FactOutline, TurnOutline
from graphmem.model.predicate import Cardinality, Ontology, Predicate
from graphmem.model.terms import terms
from graphmem.model.time import DAY
from graphmem.retrieval.aim import Aim, fits_mood
from graphmem.retrieval.candidates import Candidates, neighbours
from graphmem.retrieval.fusion import (
    PLACES,
    boosted,
    borrowed,
    half_life,
    normalised,
)
from graphmem.retrieval.question import CueBook, Mood
from graphmem.retrieval.recipes import (
    CORROBORATION,
    CUE,
    DENSE,
    IMPORTANCE,
    KEYWORD,
    RECENCY,
    WALK,
    Method,
    Recipe,
)

LOOKED_AT = 60
"""So many of the best facts, and of the best turns, are boosted and compared."""
FULL_LIFT = 0.6
"""Lift at which nearness of meaning alone speaks with full strength."""
TURN_HALF_LIFE = 730.0
"""Days in which something merely said loses half its freshness."""
TURN_IMPORTANCE = 4
COPIED = 0.6
"""Share of terms in common from which two texts begin to be copies."""

Channels = Mapping[str, Mapping[str, float]]
"""By channel, the scores of candidates that are not below its floor."""


class Ranked(NamedTuple):
    """A candidate with its score and what the score is made of.

    ``turn`` is the turn whose words answer, where a fact stands for the whole of it.
    """

    key: str
    score: float
    parts: Mapping[str, float]
    turn: str | None = None


def above_floors(found: Candidates, floors: Mapping[str, float]) -> tuple[Channels, int]:
    """Return the channels' scores from their floors up, and how many candidates fell below all."""
    channels: dict[str, dict[str, float]] = {}
    for name, scores in (
        (DENSE, found.dense), (KEYWORD, found.keyword), (CUE, found.cue), (WALK, found.walk),
    ):  # fmt: skip
        floor = floors.get(name, 0.0)
        channels[name] = {key: s for key, s in scores.items() if s > 0 and s >= floor}
    kept = {key for scores in channels.values() for key in scores}
    hidden = {key for key in (*found.dense, *found.keyword) if key not in kept}
    return channels, sum(key in found.facts or not found.turns[key].quoted for key in hidden)


def loudness(channels: Channels) -> float:
    """Return how strongly the best channel speaks, 0 to 1.

    Fusion compares candidates with each other only; this says whether the best is any good.
    """
    best = {name: max(scores.values(), default=0.0) for name, scores in channels.items()}
    best[DENSE] = best.get(DENSE, 0.0) / FULL_LIFT
    return min(1.0, max(best.values()))


def fuse(found: Candidates, channels: Channels, recipe: Recipe) -> dict[str, float]:
    """Put the channels together; turns borrow from their neighbours."""
    fused = recipe.fused(channels)
    turns = {turn: score for turn, score in fused.items() if turn in found.turns}
    near = neighbours(found.turns.values(), turns, recipe.near, recipe.far)
    lent = borrowed(dict.fromkeys(near, 0.0) | turns, near)
    # The best turn stays as good as it was: borrowing orders turns, it does not raise them.
    best, top = max(turns.values(), default=0.0), max(lent.values(), default=0.0)
    for turn, score in lent.items():
        if score > 0:
            fused[turn] = score * best / top
    return fused


class Ranking:
    """How what was found for one question is put in order."""

    def __init__(
        self, found: Candidates, aim: Aim, mood: Mood | None, ontology: Ontology, book: CueBook
    ) -> None:
        self._found = found
        self._aim = aim
        self._mood = mood
        self._ontology = ontology
        self._predicates: dict[str, Predicate] = {}
        self._book = book

    def rank(
        self, channels: Channels, recipe: Recipe, *, facts: bool, turns: bool, limit: int, now: int
    ) -> list[Ranked]:
        """Return the best facts, turns or both, best first."""
        count = max(LOOKED_AT, 4 * limit)
        fused = fuse(self._found, channels, recipe)
        told = {key for scores in channels.values() for key in scores}
        best, stands = self._facts(fused, told, recipe, count) if facts else ({}, {})
        fit = {record: self._fit(self._found.facts[record]) for record in best}
        boosts = {record: self._boosts(self._found.facts[record], now) for record in best}
        if turns:
            weights = self._weights(fused)
            weighed = {turn: fused[turn] * weight for turn, weight in weights.items()}
            for turn in self._found.in_order(weighed, count)[:count]:
                best[turn], fit[turn] = fused[turn], weights[turn]
                boosts[turn] = turn_boosts(self._found.turns[turn], now)
        base = best
        if recipe.method is Method.WEIGHTED:
            base = classic(best, boosts, recipe.weights)
        loud = loudness(channels)
        ranked: dict[str, Ranked] = {}
        for key, score in base.items():
            total = boosted(score * loud * fit[key], boosts[key], recipe.boosts)
            total = self._answering(key, total, fit[key])
            parts = {"fused": best[key], **boosts[key]}
            ranked[key] = Ranked(key, total, parts, stands.get(key))
        return ordered(self._found, ranked.values())

    def _facts(
        self, fused: Mapping[str, float], told: set[str], recipe: Recipe, count: int
    ) -> tuple[dict[str, float], dict[str, str]]:
        """Return the best facts, and the turns that some of them stand for.

        Each borrows from the best of the turns it was said in.
        Of the facts of a turn the best stands for it, and has at least the score that the turn
        would have as something said: the rest of the turn may be what answers. A turn that no
        channel found itself, and that only borrowed, brings in none (``told`` is what they found).
        """
        found = self._found
        facts = {record: score for record, score in fused.items() if record in found.facts}
        records = {fact.id: record for record, fact in found.facts.items()}
        said: dict[str, float] = {}
        whole: dict[str, tuple[float, str]] = {}
        for turn in found.turns.values():
            score = fused.get(turn.id, 0.0)
            here = [records[fact] for fact in turn.facts if fact in records]
            if score <= 0 or not here:
                continue
            for record in here:
                said[record] = max(said.get(record, 0.0), score)
            if turn.id not in told:
                continue
            best = here[0]
            if len(here) > 1:
                best = found.in_order({record: facts.get(record, 0.0) for record in here})[0]
            facts.setdefault(best, 0.0)
            place = (weight_of_turn(turn) * score, turn.id)
            whole[best] = max(whole.get(best, place), place)
        raised = {
            record: score + recipe.lent * max(0.0, said.get(record, 0.0) - score)
            for record, score in facts.items()
        }
        more = {record: place for record, place in whole.items() if place[0] > raised[record]}
        raised |= {record: score for record, (score, _) in more.items()}
        return (
            {record: raised[record] for record in found.in_order(raised, count)[:count]},
            {record: turn for record, (_, turn) in more.items()},
        )

    def _fit(self, fact: FactOutline) -> float:
        here = 1.0 if fact.record in self._found.walked else self._aim.here(fact)
        return here * fits_mood(fact, self._mood, self._book)

    def _weights(self, fused: Mapping[str, float]) -> dict[str, float]:
        """Return what turns weigh that may be hits; facts stand for those that are quoted."""
        turns = self._found.turns
        return {
            key: weight_of_turn(turns[key])
            for key in fused
            if key in turns and not turns[key].quoted
        }

    def _answering(self, key: str, score: float, fit: float) -> float:
        """Raise a fact of just the relation asked for, about just whom the question is about.

        It answers whatever words it was told in: "I just moved to Leeds" tells where I live. The
        relation alone must tell which value is meant.
        """
        cue = self._found.cue.get(key, 0.0) * fit
        if cue < SURELY:
            return score
        if self._predicate(self._found.facts[key].predicate).cardinality is not Cardinality.ONE:
            return score
        return max(score, ANSWER * cue + (1 - ANSWER) * score)

    def _boosts(self, fact: FactOutline, now: int) -> dict[str, float]:
        """Return a fact's freshness, importance and corroboration, each 0 to 1."""
        life = self._predicate(fact.predicate).half_life_days
        return {
            RECENCY: half_life((now - fact.last_said) / DAY, life),
            IMPORTANCE: (fact.importance - 1) / 9,
            CORROBORATION: 1 - 1 / max(1, fact.claims),
        }

    def _predicate(self, slug: str) -> Predicate:
        known = self._predicates.get(slug)
        if known is None:
            known = self._predicates[slug] = self._ontology.get(slug)
        return known


SURELY, ANSWER = 0.9, 0.6


def turn_boosts(turn: TurnOutline, now: int) -> dict[str, float]:
    """Return the same for a turn."""
    return {
        RECENCY: half_life((now - turn.occurred_at) / DAY, TURN_HALF_LIFE),
        IMPORTANCE: (TURN_IMPORTANCE - 1) / 9,
        CORROBORATION: 0.0,
    }


def weight_of_turn(turn: TurnOutline) -> float:
    """Return how much of its score a turn keeps beside facts, as something merely said.

    What only asks seldom answers, and the assistant's words are nobody's statements.
    """
    weight = SAID
    if turn.content.rstrip().endswith(_ASKING):
        weight *= ASKED
    if turn.role in _ANSWERING:
        weight *= ANSWERED
    return weight


SAID, ASKED, ANSWERED = 0.85, 0.6, 0.7
_ASKING = ("?", "？")
_ANSWERING = (Role.ASSISTANT, Role.SYSTEM, Role.TOOL)


def classic(
    fused: Mapping[str, float],
    boosts: Mapping[str, Mapping[str, float]],
    weights: Mapping[str, float],
) -> dict[str, float]:
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


def ordered(found: Candidates, ranked: Iterable[Ranked]) -> list[Ranked]:
    """Return candidates best first; scores count to six places."""
    by_key = {one.key: one for one in ranked}
    scores = {key: round(one.score, PLACES) for key, one in by_key.items()}
    return [by_key[key] for key in found.in_order(scores)]


def copies(found: Candidates) -> Callable[[str, str], float]:
    """Return how much two candidates say the same, 0 to 1; facts of different values never do."""
    sets: dict[str, frozenset[str]] = {}

    def words(key: str) -> frozenset[str]:
        known = sets.get(key)
        if known is None:
            known = sets[key] = frozenset(terms(found.text(key)))
        return known

    def alike(first: str, second: str) -> float:
        one_fact, other_fact = found.facts.get(first), found.facts.get(second)
        if one_fact is not None and other_fact is not None and _differ(one_fact, other_fact):
            return 0.0
        one, other = words(first), words(second)
        either = len(one | other)
        share = len(one & other) / either if either else 0.0
        return max(0.0, (share - COPIED) / (1 - COPIED))

    return alike


def _differ(first: FactOutline, second: FactOutline) -> bool:
    return (
        first.subject != second.subject
        or first.predicate != second.predicate
        or first.object != second.object
        or first.object_text != second.object_text
        or first.polarity is not second.polarity
        or first.qualifiers != second.qualifiers
    )
