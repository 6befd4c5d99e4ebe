"""What may answer: facts and turns from every channel, with the channels' calibrated scores."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from graphmem.model.chunks import chunks
from graphmem.model.claim import Polarity
from graphmem.model.entity import Entity
from graphmem.model.episode import Episode
from graphmem.model.fact import Fact
from graphmem.model.roles import may_hold
from graphmem.model.search import PointKind, PointRef, Scored
from graphmem.model.terms import query_terms, terms
from graphmem.model.time import SECOND
from graphmem.retrieval.calibration import Script, lift, script_of
from graphmem.retrieval.question import CueBook, Cues, Mood
from graphmem.retrieval.walk import ANSWERS, Judge, Relevance, Walked, ends

MEANT = 0.4
"""Lift from which nearness of meaning counts as relevance in a walk."""
APART = 0.4
"""What a relation asked for is worth at an entity the question does not speak of."""
ASTRAY = 0.2
"""What is left if a fact is about the user alone, where the question asks about somebody else."""
ELSEWHERE = 0.6
"""What is left of a score if the fact touches nothing that the question speaks of."""
WRONG_WAY = 0.3
"""What is left of a score if the fact says the opposite of what is asked for."""
TOGETHER = 180 * SECOND
"""Turns added one by one are neighbours if they were said within three minutes."""


def fact_key(fact: Fact) -> PointRef:
    """Return the key of a fact among candidates."""
    return PointRef(PointKind.FACT, fact.record)


def turn_key(episode: str) -> PointRef:
    """Return the key of a turn among candidates."""
    return PointRef(PointKind.CHUNK, episode)


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn with the id of the piece of it that was found."""

    episode: Episode
    chunk: str

    @property
    def text(self) -> str:
        """The words of the piece, "speaker: words"; cut anew at each call."""
        for piece in chunks(self.episode):
            if piece.id == self.chunk:
                return piece.text
        return f"{self.episode.speaker or self.episode.role.value}: {self.episode.content}"


@dataclass(slots=True)
class Candidates:
    """Facts by record and turns by episode, with raw scores by channel.

    Attributes:
        facts, turns: what may answer.
        quoted: episodes that claims quote from; their facts stand for them.
        dense: lift. keyword: share of the question's telling terms. cue: how well the relation
            fits. walk: of walked facts. Each 0 to 1.
        walked: how walked facts were reached, by record.
    """

    facts: dict[str, Fact] = field(default_factory=dict[str, Fact])
    turns: dict[str, Turn] = field(default_factory=dict[str, Turn])
    quoted: set[str] = field(default_factory=set[str])
    dense: dict[PointRef, float] = field(default_factory=dict[PointRef, float])
    keyword: dict[PointRef, float] = field(default_factory=dict[PointRef, float])
    cue: dict[PointRef, float] = field(default_factory=dict[PointRef, float])
    walk: dict[PointRef, float] = field(default_factory=dict[PointRef, float])
    walked: dict[str, Walked] = field(default_factory=dict[str, Walked])

    def text(self, key: PointRef) -> str:
        """Return the words of a candidate."""
        if key.kind is PointKind.FACT:
            return self.facts[key.id].statement
        return self.turns[key.id].text

    def drop(self, key: PointRef) -> None:
        """Let a fact be a candidate no more."""
        del self.facts[key.id]
        for scores in (self.dense, self.keyword, self.cue, self.walk):
            scores.pop(key, None)

    def scripts(self) -> set[Script]:
        """Return the scripts that candidates are in."""
        keys = (*map(fact_key, self.facts.values()), *map(turn_key, self.turns))
        return {self.script(key) for key in keys}

    def script(self, key: PointRef) -> Script:
        """Return the script a candidate is in."""
        if key.kind is PointKind.FACT:
            return script_of(self.facts[key.id].statement)
        return script_of(self.turns[key.id].episode.content)


def episode_of(chunk: str) -> str:
    """Return the episode a chunk id (``EPISODE#N``) belongs to."""
    return chunk.rpartition("#")[0]


def best_pieces(scored: Iterable[Sequence[Scored]]) -> dict[str, str]:
    """Return, by episode, the id of its best-placed chunk over all channels."""
    places: dict[str, tuple[int, str]] = {}
    for channel in scored:
        for place, hit in enumerate(channel):
            if hit.ref.kind is PointKind.CHUNK:
                here = (place, hit.ref.id)
                episode = episode_of(hit.ref.id)
                places[episode] = min(places.get(episode, here), here)
    return {episode: chunk for episode, (_, chunk) in places.items()}


def by_candidate(found: Candidates, scored: Sequence[Scored]) -> dict[PointRef, float]:
    """Return a channel's best score by candidate; records that are none any more fall away."""
    scores: dict[PointRef, float] = {}
    for hit in scored:
        if hit.ref.kind is PointKind.FACT:
            key, known = hit.ref, hit.ref.id in found.facts
        else:
            episode = episode_of(hit.ref.id)
            key, known = turn_key(episode), episode in found.turns
        if known:
            scores[key] = max(scores.get(key, hit.score), hit.score)
    return scores


def lifts(
    found: Candidates, cosines: Mapping[PointRef, float], levels: Mapping[Script, float]
) -> dict[PointRef, float]:
    """Return cosines as lift over the background of each candidate's own script."""
    return {key: lift(cosine, levels[found.script(key)]) for key, cosine in cosines.items()}


def shares(scores: Mapping[PointRef, float], best: float) -> dict[PointRef, float]:
    """Return keyword scores as shares of what holding every telling term once is worth."""
    if best <= 0:
        return dict.fromkeys(scores, 0.0)
    return {key: min(1.0, score / best) for key, score in scores.items()}


def asked_for(cues: Cues, book: CueBook) -> dict[str, float]:
    """Return the relations a question asks for: those it names, and those its mood calls up."""
    asked = dict(cues.predicates)
    moods: dict[Mood, tuple[tuple[frozenset[str], float], ...]] = {
        Mood.AVOID: ((book.constraints, 0.9), (frozenset({"fears"}), 0.5)),
        Mood.SUGGEST: ((book.constraints, 0.7), (book.preferences, 0.6)),
        Mood.LIKES: ((book.preferences, 0.7),),
        Mood.DISLIKES: ((book.preferences, 0.7), (book.constraints, 0.5)),
    }
    for slugs, strength in moods.get(cues.mood, ()) if cues.mood else ():
        for slug in slugs:
            asked[slug] = max(asked.get(slug, 0.0), strength)
    return dict(sorted(asked.items()))


@dataclass(frozen=True, slots=True, kw_only=True)
class Aim:
    """Whom and what a question is about.

    Attributes:
        relations: slugs of relations asked for, with how surely.
        entities: those it speaks of, the scope's own user among them if meant.
        own: the id of the scope's own user, if it is meant.
        kin: relations to people that it goes by: "my sister's job" asks for no job of the
            speaker's own.
        roles: what it calls them.
    """

    relations: Mapping[str, float]
    entities: tuple[Entity, ...]
    own: str | None
    kin: frozenset[str]
    roles: frozenset[str] = frozenset()

    def means(self, fact: Fact) -> bool:
        """Whether a relation to somebody may be the one asked for: a sister is no brother."""
        role = dict(fact.qualifiers).get("role")
        return role is None or may_hold(role, self.roles)

    @property
    def ids(self) -> frozenset[str]:
        """The entities' ids."""
        return frozenset(entity.id for entity in self.entities)

    def astray(self, fact: Fact) -> bool:
        """Whether a fact is about the user alone, where the question goes by a relation."""
        if not self.kin or fact.predicate in self.kin:
            return False
        met = self.ids.intersection(ends(fact))
        return len(met) == 1 and self.own in met

    def fit(self, fact: Fact) -> float:
        """Return how well a fact's relation fits, wherever it lies."""
        return self.relations.get(fact.predicate, 0.0) * (ASTRAY if self.astray(fact) else 1.0)

    def fit_here(self, fact: Fact) -> float:
        """Return how well a fact's relation fits, less where it is about somebody else."""
        return self.fit(fact) * (1.0 if self.touches(fact) else APART)

    def touches(self, fact: Fact) -> bool:
        """Whether a fact is about something the question speaks of."""
        return not self.ids.isdisjoint(ends(fact))


def beside_the_way(found: Candidates, aim: Aim, judge: Judge) -> set[PointRef]:
    """Return facts that a walk passed by: nothing of the question's chain leads over them.

    Those are other neighbours of what the question names, found by that name alone, and facts of
    the relation that was asked for at the end of the chain, about something the chain does not
    reach. Where the walk found nothing, nothing is beside it.
    """
    answered = {walked.fact.predicate for walked in found.walked.values() if walked.answers}
    if not answered:
        return set()
    return {
        fact_key(fact)
        for record, fact in found.facts.items()
        if record not in found.walked
        and (
            judge(fact).total < ANSWERS
            if aim.touches(fact)
            else fact.predicate in answered and fact.predicate in aim.relations
        )
    }


def fits_aim(fact: Fact, aim: Aim, walked: bool) -> float:
    """Return what is left of a fact's score: less if it is about nobody the question is about."""
    return 1.0 if walked or not aim.entities or aim.touches(fact) else ELSEWHERE


def fits_mood(fact: Fact, mood: Mood | None, book: CueBook) -> float:
    """Return what is left of a fact's score: less if it says the opposite of what is asked."""
    if fact.predicate in book.preferences or fact.predicate.startswith("favourite_"):
        negative = fact.polarity is Polarity.NEGATIVE
    elif fact.predicate in book.constraints:
        negative = fact.polarity is Polarity.POSITIVE
    else:
        return 1.0
    if negative and mood is Mood.LIKES:
        return WRONG_WAY
    return WRONG_WAY if not negative and mood in {Mood.AVOID, Mood.DISLIKES} else 1.0


def judge_of(found: Candidates, aim: Aim, weights: Mapping[str, float]) -> Judge:
    """Return how to tell what a fact by itself has to do with the question."""
    own = {
        term for seed in aim.entities for name in (seed.name, *seed.aliases) for term in terms(name)
    }
    telling = {term: weight for term, weight in weights.items() if term not in own}
    total = sum(telling.values())
    known: dict[str, Relevance] = {}

    def judge(fact: Fact) -> Relevance:
        relevance = known.get(fact.record)
        if relevance is None:
            held = set(query_terms(fact.statement))
            words = sum(weight for term, weight in telling.items() if term in held)
            words *= ASTRAY if aim.astray(fact) else 1.0
            near = found.dense.get(fact_key(fact), 0.0)
            relevance = known[fact.record] = Relevance(
                cue=aim.fit(fact),
                words=words / total if total > 0 else 0.0,
                meaning=max(0.0, (near - MEANT) / (1 - MEANT)),
            )
        return relevance

    return judge


def neighbours(
    turns: Iterable[Turn], near: float, far: float
) -> dict[PointRef, list[tuple[PointRef, float]]]:
    """Return, by turn, the turns said just before and after it that are among ``turns``."""
    sessions: dict[str | None, list[Episode]] = {}
    for turn in turns:
        sessions.setdefault(turn.episode.session, []).append(turn.episode)
    found: dict[PointRef, list[tuple[PointRef, float]]] = {}
    for episodes in sessions.values():
        episodes.sort(key=lambda e: (e.occurred_at, e.place, e.id))
        for index, first in enumerate(episodes):
            for second in episodes[index + 1 : index + 3]:
                share = _closeness(first, second, near, far)
                if share:
                    found.setdefault(turn_key(first.id), []).append((turn_key(second.id), share))
                    found.setdefault(turn_key(second.id), []).append((turn_key(first.id), share))
    return found


def _closeness(first: Episode, second: Episode, near: float, far: float) -> float:
    apart = second.place - first.place
    if second.occurred_at - first.occurred_at > (20 * TOGETHER if apart else TOGETHER):
        return 0.0
    return {0: near, 1: near, 2: far}.get(apart, 0.0)
