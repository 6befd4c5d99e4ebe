"""What a walk of the graph asks of a store, and what leads it: one rule for all stores. Pure."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from graphmem.model.claim import Said
from graphmem.model.entity import Entity
from graphmem.model.fact import Fact
from graphmem.model.search import FactFilter
from graphmem.model.terms import term_set

CUE, WORDS, MEANING = 0.8, 0.75, 0.5
"""What each kind of relevance is worth alone, at its most."""
ASTRAY = 0.2
"""What is left if a fact is about the user alone, where the question asks about somebody else."""
PLACES = 9
"""Decimals of a fact's worth, so few that the order of adding cannot show."""


@dataclass(frozen=True, slots=True)
class Relevance:
    """How much a fact by itself has to do with the question, 0 to 1.

    Attributes:
        cue: its relation is asked for. words: it holds telling words of the question, names of
            the seeds apart. meaning: its statement is near the question.
    """

    cue: float = 0.0
    words: float = 0.0
    meaning: float = 0.0

    @property
    def total(self) -> float:
        """All three together."""
        return 1 - (1 - CUE * self.cue) * (1 - WORDS * self.words) * (1 - MEANING * self.meaning)


class Met(Protocol):
    """What a walk looks at in a fact."""

    @property
    def record(self) -> str:
        """The record's id."""
        ...

    @property
    def predicate(self) -> str:
        """The canonical slug."""
        ...

    @property
    def statement(self) -> str:
        """Its sentence."""
        ...

    @property
    def ends(self) -> tuple[str, ...]:
        """The ids of the entities it joins."""
        ...


def astray(fact: Met, own: str | None, around: frozenset[str], kin: frozenset[str]) -> bool:
    """Whether a fact is about the user alone, where the question goes by a relation.

    That is, it joins ``own`` and no other of ``around`` by a predicate that is none of ``kin``; no
    fact is astray if there are no ``kin``.
    """
    if not kin or fact.predicate in kin:
        return False
    return own in fact.ends and len(around.intersection(fact.ends)) == 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Lean:
    """What makes a fact worth walking over.

    Attributes:
        cues: how surely each predicate is asked for. words: which share of what tells in the
            question each term is. near: how near the statements of records are to it.
        own, around, kin: by which facts are ``astray``.
    """

    cues: Mapping[str, float] = field(default_factory=dict[str, float])
    words: Mapping[str, float] = field(default_factory=dict[str, float])
    near: Mapping[str, float] = field(default_factory=dict[str, float])
    own: str | None = None
    around: frozenset[str] = frozenset()
    kin: frozenset[str] = frozenset()

    def relevance(self, fact: Met) -> Relevance:
        """Return what a fact by itself has to do with the question."""
        left = ASTRAY if astray(fact, self.own, self.around, self.kin) else 1.0
        words = 0.0
        if self.words:
            held = term_set(fact.statement)
            words = sum(share for term, share in self.words.items() if term in held)
        return Relevance(
            cue=left * self.cues.get(fact.predicate, 0.0),
            words=left * words,
            meaning=self.near.get(fact.record, 0.0),
        )

    def worth(self, fact: Met) -> float:
        """Return how well a fact leads on, as stores compare it."""
        return round(self.relevance(fact).total, PLACES)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach:
    """How far a walk goes, and by what.

    Attributes:
        filter: which facts are walked over.
        seeds: ids of the entities it starts from.
        known: records found otherwise, walked over where they are met, whatever the filter.
        lean: what is worth walking over.
        hops: how many facts one after the other.
        fanout: of an entity so many facts to others are looked at, and so many to words or to
            nothing, newest said first; besides, at each hop, ``related`` of those of ``relations``.
        beam: how many entities are walked on from at each hop; of ``beside`` entities in all the
            facts to words or to nothing are looked at. The best are those that the worthiest facts
            lead to; of equals those said last.
        limit: how many facts, the worthiest, are returned beside ``known``.
    """

    filter: FactFilter = field(default_factory=FactFilter)
    seeds: Sequence[str] = ()
    known: Sequence[str] = ()
    lean: Lean = field(default_factory=Lean)
    relations: frozenset[str] = frozenset()
    hops: int = 4
    fanout: int = 40
    beam: int = 12
    beside: int = 48
    limit: int = 480

    @property
    def related(self) -> int:
        """How many facts of ``relations`` are looked at at each hop, newest said first."""
        return 2 * self.fanout


class Around(NamedTuple):
    """What a walk met.

    Attributes:
        facts: those known, in the order asked for, then the worthiest, ties by record.
        walked: entities it went on from, in its order, the seeds first.
    """

    facts: Sequence[Fact]
    walked: Sequence[Entity]


def onward(met: Iterable[tuple[float, Said, tuple[str, ...]]], seen: Container[str]) -> list[str]:
    """Return the ids of entities not ``seen`` that facts lead to, best first.

    ``met`` are facts by worth, said order and ends.
    """
    best: dict[str, tuple[float, Said]] = {}
    for worth, said, ends in met:
        for end in ends:
            if end not in seen:
                best[end] = max(best.get(end, (worth, said)), (worth, said))
    return sorted(sorted(best), key=lambda end: best[end], reverse=True)
