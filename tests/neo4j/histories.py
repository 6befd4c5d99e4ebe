"""Invented histories of a scope, by chance: what one store is told, another can be told too."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random

from graphmem.model.changes import ChangeSet, GaveWay, Rests, Withdrawal
from graphmem.model.claim import Modality, Polarity
from graphmem.model.entity import Entity, Value
from graphmem.model.episode import Reading, Role
from graphmem.model.fact import Cause, Fact, Rule, Status
from graphmem.model.time import Bound, Interval
from graphmem.testing.builders import (
    T0,
    T1,
    T2,
    a_claim,
    a_link,
    a_suggestion,
    an_entity,
    an_episode,
    told,
)

NAMES = ("Rosa", "罗莎", "Zoë `x`", "😀 Ann", "\ufffd", 'Bo "]-() //')
PREDICATES = ("knows", "likes", "lives_in", "odd `]->() $p")
SESSIONS = (None, "s1", "a session " * 40, 's"2\\')
AGENTS = (None, "bot", "agent " * 50)
WORDS = (
    "tea",
    "茶",
    "kites",
    "rosa",
    "罗莎",
    "coffee",
    "green-tea",
    "x+y:",
    "AND",
    "\\",
    "evening",
)
INSTANTS = (T0, T0 + 1, T1, T1 + 5, T2)


class History:
    """Changes of one scope, in order, and what they told.

    Attributes:
        entities: by id. facts: the newest record of each fact, by id. claims, records: ids.
    """

    def __init__(self, chance: Random) -> None:
        self._chance = chance
        self._count = 0
        self.entities = {"self": an_entity()}
        self.facts: dict[str, Fact] = {}
        self.claims: list[str] = []
        self.records: list[str] = []
        self.episodes: list[str] = []

    def changes(self, steps: int) -> Iterator[ChangeSet]:
        """Yield changes: the people first, then so many of all kinds."""
        for number, name in enumerate(NAMES):
            self.entities[f"n{number}"] = an_entity(f"n{number}", name, aliases=(f"{name} Fink",))
        yield ChangeSet(entities=tuple(self.entities.values()))
        for _ in range(steps):
            kinds = [self._told] * 6
            if self.facts:
                kinds += [self._revised, self._again, self._gave_way, self._withdrawn]
            kinds += [self._episode, self._suggested, self._merged]
            yield self._chance.choice(kinds)()

    def id(self, kind: str) -> str:
        """Return a new id, which sorts by chance."""
        self._count += 1
        return f"{kind}{self._chance.randrange(100):02}-{self._count}"

    def sentence(self) -> str:
        """Return some words."""
        return " ".join(self._chance.choices(WORDS, k=self._chance.randrange(1, 6)))

    def _things(self) -> list[Entity]:
        return [entity for entity in self.entities.values() if entity.merged_into is None]

    def _object(self) -> Value | None:
        of_one = [Value.literal("tea"), Value.literal("a 'kite'"), None]
        things = [Value.entity(entity) for entity in self._things()]
        return self._chance.choice([*of_one, *things])

    def _interval(self) -> Interval:
        start, end = sorted(self._chance.sample(INSTANTS, 2))
        vague = self._chance.choice((0, 0, 50))
        first = Bound(start - vague or None, start)
        return Interval(
            self._chance.choice((None, first, first)),
            self._chance.choice((None, None, Bound(end, end + vague))),
        )

    def _changed(self, fact: Fact) -> Fact:
        chance = self._chance
        cause = Cause(Rule.ENDED, chance.choice(self.claims or [None]), "so it was")
        return replace(
            fact,
            record=self.id("r"),
            interval=self._interval(),
            status=chance.choice((Status.HELD, Status.HELD, *Status)),
            modality=chance.choice((Modality.ASSERTED, *Modality)),
            importance=chance.randrange(1, 9),
            event=chance.random() < 0.2,
            cause=chance.choice((None, cause)),
            statement=self.sentence(),
        )

    def _told(self) -> ChangeSet:
        chance = self._chance
        subject = chance.choice(["self", chance.choice(self._things()).id])
        name = self.id("")
        made = told(
            name,
            said=chance.choice(INSTANTS),
            subject=subject,
            predicate=chance.choice(PREDICATES),
            session=chance.choice(SESSIONS),
            agent=chance.choice(AGENTS),
            polarity=chance.choice((Polarity.POSITIVE, *Polarity)),
        )
        value = self._object()
        (fact,) = made.facts
        fact = self._changed(
            replace(fact, subject=Value.entity(self.entities[subject]), object=value)
        )
        (link,) = made.links
        (episode,) = made.episodes
        self._note(fact, episode.id)
        self.claims.append(link.claim)
        return replace(
            made,
            facts=(fact,),
            links=(replace(link, object=value, polarity=fact.polarity),),
            episodes=(replace(episode, place=chance.randrange(3), content=self.sentence()),),
        )

    def _note(self, fact: Fact, episode: str | None = None) -> None:
        self.facts[fact.id] = fact
        self.records.append(fact.record)
        if episode is not None:
            self.episodes.append(episode)

    def _some(self) -> Fact:
        return self._chance.choice([*self.facts.values()])

    def _revised(self) -> ChangeSet:
        fact = self._changed(self._some())
        self._note(fact)
        return ChangeSet(facts=(fact,))

    def _again(self) -> ChangeSet:
        fact, name = self._some(), self.id("again")
        session = self._chance.choice(SESSIONS)
        said = self._chance.choice(INSTANTS)
        episode = an_episode(f"e{name}", self.sentence(), session=session, occurred_at=said)
        claim = a_claim(f"c{name}", episode.id, said, session=session, quote="")
        link = a_link(claim.id, fact.object, subject=fact.subject.key, predicate=fact.predicate)
        claims = (*fact.claims, claim.id)
        self.claims.append(claim.id)
        self._note(replace(fact, claims=claims), episode.id)
        return ChangeSet(
            episodes=(episode,), claims=(claim,), links=(link,), rests=(Rests(fact.id, claims),)
        )

    def _gave_way(self) -> ChangeSet:
        fact = self._some()
        others = [one for one in self.facts if one != fact.id]
        del self.facts[fact.id]
        successor = self._chance.choice([None, *others])
        return ChangeSet(gave_way=(GaveWay(fact.id, successor),))

    def _withdrawn(self) -> ChangeSet:
        claim = self._chance.choice(self.claims)
        return ChangeSet(withdrawals=(Withdrawal(claim, reason=self._chance.choice((None, ""))),))

    def _episode(self) -> ChangeSet:
        chance = self._chance
        episode = an_episode(
            self.id("e"),
            self.sentence(),
            session=chance.choice(SESSIONS),
            agent=chance.choice(AGENTS),
            place=chance.randrange(3),
            role=chance.choice([*Role]),
            speaker=chance.choice((None, "Rosa")),
            occurred_at=chance.choice(INSTANTS),
            reading=chance.choice([*Reading]),
        )
        self.episodes.append(episode.id)
        return ChangeSet(episodes=(episode,))

    def _suggested(self) -> ChangeSet:
        pairs: Sequence[Entity] = self._chance.sample(self._things(), 2)
        first, second = sorted(entity.id for entity in pairs)
        return ChangeSet(suggestions=(a_suggestion(self.id("same"), first, second),))

    def _merged(self) -> ChangeSet:
        gone, stays = self._chance.sample(self._things(), 2)
        if gone.is_self or len(self._things()) < 4:
            return self._episode()
        aliases = (*stays.aliases, gone.name, *gone.aliases)
        for entity in (
            replace(gone, merged_into=stays.id),
            replace(stays, aliases=tuple(dict.fromkeys(aliases))),
        ):
            self.entities[entity.id] = entity
        return ChangeSet(entities=(self.entities[stays.id], self.entities[gone.id]))
