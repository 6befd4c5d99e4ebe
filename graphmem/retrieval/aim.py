"""Whom and what a question is about, and how well a fact fits that. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

from graphmem.model.claim import Polarity
from graphmem.model.entity import Entity
from graphmem.model.roles import may_hold
from graphmem.model.walk import ASTRAY, Met, astray
from graphmem.retrieval.question import CueBook, Cues, Mood

APART = 0.4
"""What a relation asked for is worth at an entity the question does not speak of."""
ELSEWHERE = 0.6
"""What is left of a score if the fact touches nothing that the question speaks of."""
WRONG_WAY = 0.3
"""What is left of a score if the fact says the opposite of what is asked for."""


class Told(Met, Protocol):
    """What a fact and its outline have in common."""

    @property
    def polarity(self) -> Polarity:
        """Affirmed or denied."""
        ...

    @property
    def role(self) -> str | None:
        """The role its object has for its subject."""
        ...


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


@dataclass(frozen=True, kw_only=True)
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

    @cached_property
    def ids(self) -> frozenset[str]:
        """The entities' ids."""
        return frozenset(entity.id for entity in self.entities)

    def means(self, fact: Told) -> bool:
        """Whether a relation to somebody may be the one asked for: a sister is no brother."""
        role = fact.role
        return role is None or may_hold(role, self.roles)

    def touches(self, fact: Told) -> bool:
        """Whether a fact is about something the question speaks of."""
        return not self.ids.isdisjoint(fact.ends)

    def astray(self, fact: Told) -> bool:
        """Whether a fact is about the user alone, where the question goes by a relation."""
        return astray(fact, self.own, self.ids, self.kin)

    def fit(self, fact: Told) -> float:
        """Return how well a fact's relation fits, wherever it lies."""
        fit = self.relations.get(fact.predicate, 0.0)
        return fit * ASTRAY if fit and self.astray(fact) else fit

    def fit_here(self, fact: Told) -> float:
        """Return how well a fact's relation fits, less where it is about somebody else."""
        fit = self.fit(fact)
        return fit * (1.0 if self.touches(fact) else APART) if fit else 0.0

    def here(self, fact: Told) -> float:
        """Return what is left of a fact's score: less if it is about nobody asked about."""
        return 1.0 if not self.entities or self.touches(fact) else ELSEWHERE


def fits_mood(fact: Told, mood: Mood | None, book: CueBook) -> float:
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
