"""Told the same, the embedded store and Neo4j give the same answers, in the same order."""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import TypeVar

import pytest

from graphmem.adapters.sqlite.store import SqliteStore
from graphmem.model.changes import NameQuery
from graphmem.model.claim import Modality, Polarity
from graphmem.model.episode import Reading
from graphmem.model.fact import Status
from graphmem.model.outline import Outlines, Sought
from graphmem.model.scope import Scope
from graphmem.model.search import FactFilter, FactQuery, Page, PointKind
from graphmem.model.terms import terms
from graphmem.model.text import normal_key
from graphmem.model.walk import Lean, Reach
from graphmem.ports.graph_store import EpisodeQuery, GlanceQuery, GraphStore
from graphmem.testing.builders import T0, T1, T2, writing
from graphmem.testing.clock import FrozenClock
from tests.neo4j.histories import AGENTS, NAMES, PREDICATES, SESSIONS, WORDS, History
from tests.services.neo4j_server import Address
from tests.services.stores import open_store

SEEDS = int(os.environ.get("GRAPHMEM_TEST_HISTORIES", "4"))
"""How many histories are compared; more take longer."""
STEPS, QUESTIONS = 40, 40

T = TypeVar("T")
Ask = Callable[[GraphStore], Awaitable[object]]


class Questions:
    """Questions by chance, about what a history told."""

    def __init__(self, chance: Random, scope: Scope, history: History, times: list[int]) -> None:
        self._chance = chance
        self._scope = scope
        self._history = history
        self._times = times

    def filter(self) -> FactFilter:
        """Return a filter that lets some facts pass."""
        chance = self._chance
        instants = sorted(chance.choices((T0 - 9, T0, T0 + 1, T1, T2, T2 + 9), k=2))
        return FactFilter(
            valid=chance.choice((None, (instants[0], instants[1]), (T1, T1))),
            upcoming=chance.random() < 0.3,
            uncertain=chance.random() < 0.3,
            known_at=chance.choice((None, None, *self._times)),
            statuses=chance.choice(
                (frozenset({Status.HELD}), frozenset(Status), frozenset({Status.RETRACTED}))
            ),
            polarity=self._maybe(list(Polarity), 0.2),
            modality=self._maybe(list(Modality), 0.2),
            predicates=self._any(PREDICATES, 0.3),
            sessions=self._any([one for one in SESSIONS if one], 0.3),
            agents=self._any([one for one in AGENTS if one], 0.2),
        )

    def query(self) -> FactQuery:
        """Return a listing of facts."""
        chance = self._chance
        keys = ["self", "n0", "n1", "n2", "text:tea", "nobody"]
        return FactQuery(
            filter=self.filter(),
            subjects=self._any(keys, 0.5),
            objects=self._any(keys, 0.3),
            either=chance.random() < 0.5,
            either_of=self._any(PREDICATES, 0.3),
            limit=chance.choice((0, 1, 3, 50)),
        )

    def turns(self) -> EpisodeQuery:
        """Return a listing of turns."""
        chance = self._chance
        return EpisodeQuery(
            ids=None if chance.random() < 0.6 else tuple(self._few(self._history.episodes)),
            session=chance.choice(SESSIONS),
            reading=self._maybe(list(Reading), 0.4),
            before=chance.choice((None, T1, T1 + 1, T2)),
            limit=chance.choice((1, 3, 50)),
        )

    def reach(
        self, asked: FactFilter, seeds: list[str], known: list[str], weights: dict[str, float]
    ) -> Reach:
        """Return a walk."""
        chance = self._chance
        beam, total = chance.randrange(1, 4), sum(weights.values())
        lean = Lean(
            cues={slug: chance.random() for slug in self._few(PREDICATES)},
            words={term: weight / total for term, weight in weights.items()},
            near={record: chance.random() for record in self._few(self._history.records)},
            own=self._maybe(["self"], 0.7),
            around=frozenset({"self", *self._few(seeds)}),
            kin=frozenset(self._few(PREDICATES)) if chance.random() < 0.5 else frozenset(),
        )
        return Reach(
            filter=asked,
            seeds=seeds,
            known=[*known, "nothing"] if chance.random() < 0.5 else (),
            lean=lean if chance.random() < 0.8 else Lean(),
            relations=frozenset(self._few(PREDICATES)) if chance.random() < 0.5 else frozenset(),
            hops=chance.randrange(5),
            fanout=chance.randrange(1, 4),
            beam=beam,
            beside=beam + chance.randrange(3),
            limit=chance.randrange(1, 20),
        )

    def all(self) -> list[Ask]:
        """Return one question of each kind."""
        chance, scope = self._chance, self._scope
        query, turns, asked = self.query(), self.turns(), self.filter()
        records, facts = self._few(self._history.records), [*self._history.facts, "nobody"]
        episodes, claims = self._few(self._history.episodes), self._few(self._history.claims)
        seeds = [*self._few(["self", "n0", "n1", "n2", "n3"]), "nobody"]
        ids = self._any(["self", *(f"n{number}" for number in range(6))], 0.5)
        keys = self._any([normal_key(f"{name} Fink") for name in NAMES], 0.4)
        limit = chance.randrange(1, 5)
        weights = {term: chance.random() * 3 for word in self._few(WORDS) for term in terms(word)}
        kinds = frozenset(chance.sample(list(PointKind), chance.randrange(1, 4)))
        sought = Sought(
            filter=asked,
            records=records,
            turns=episodes,
            entities=seeds,
            around=frozenset(seeds),
            relations=frozenset(self._few(PREDICATES)),
            limit=limit,
        )
        reach = self.reach(asked, seeds, records, weights)
        names = [
            NameQuery(words=tuple(weights), limit=limit, most=chance.choice((1, 200))),
            NameQuery(keys=tuple(keys or ()), newest=limit),
            NameQuery(words=("rosa", "fink"), limit=2, keys=("rosa",), newest=1),
        ]
        look = GlanceQuery(
            named=limit,
            statements=limit,
            keys=(f"key of {episodes[0]}" if episodes else "nothing",),
            session=chance.choice(SESSIONS),
            before=T2,
            episodes=limit,
        )
        known_at = asked.known_at
        return [
            lambda store: whole(
                query.limit, lambda cursor: store.facts(scope, replace(query, cursor=cursor))
            ),
            lambda store: whole(
                turns.limit, lambda cursor: store.episodes(scope, replace(turns, cursor=cursor))
            ),
            lambda store: whole(
                limit,
                lambda cursor: store.entities(
                    scope,
                    ids=None if ids is None else sorted(ids),
                    keys=None if keys is None else sorted(keys),
                    limit=limit,
                    cursor=cursor,
                ),
            ),
            lambda store: store.records(scope, [*records, "nothing"]),
            lambda store: store.history(scope, chance_of(facts, limit)),
            lambda store: store.claims(scope, facts, known_at=known_at),
            lambda store: store.claims_by_id(scope, claims),
            lambda store: store.suggestions(scope),
            lambda store: store.self_entity(scope),
            lambda store: store.neighbourhood(scope, reach),
            lambda store: store.keyword(scope, weights, asked, kinds, limit),
            lambda store: store.words(scope, keys=sorted(keys or ()), terms=[*weights, "nothing"]),
            lambda store: in_order(store.outlines(scope, sought)),
            lambda store: store.shown(scope, records=records, episodes=episodes, known_at=known_at),
            lambda store: store.glance(scope, look),
            lambda store: store.alike(scope, names),
        ]

    def _few(self, pool: Sequence[str]) -> list[str]:
        return self._chance.sample(list(pool), min(len(pool), self._chance.randrange(1, 6)))

    def _any(self, pool: Sequence[str], chance: float) -> frozenset[str] | None:
        return frozenset(self._few(pool)) if self._chance.random() < chance else None

    def _maybe(self, pool: Sequence[T], chance: float) -> T | None:
        return self._chance.choice(pool) if self._chance.random() < chance else None


def chance_of(pool: Sequence[str], number: int) -> str:
    """Return one of ``pool`` that stays the same for a number."""
    return pool[number % len(pool)]


async def whole(limit: int, read: Callable[[str | None], Awaitable[Page[T]]]) -> list[Page[T]]:
    """Return every page of a listing."""
    pages = [await read(None)]
    while pages[-1].cursor is not None and limit:
        pages.append(await read(pages[-1].cursor))
    return pages


async def in_order(found: Awaitable[Outlines]) -> object:
    """Return outlines, which have no order, in one."""
    outlines = await found
    return (
        sorted(outlines.facts),
        sorted(turn._replace(facts=tuple(sorted(turn.facts))) for turn in outlines.turns),
        sorted(outlines.entities, key=lambda entity: entity.id),
    )


def by_chance(seed: int) -> Random:
    """Return the same chance for the same seed."""
    return Random(seed)  # noqa: S311 - no secret


async def tell(store: GraphStore, scope: Scope, history: History) -> list[int]:
    """Write a history; return the record times of its changes."""
    return [(await store.change(scope, writing(change))).at for change in history.changes(STEPS)]


@pytest.mark.anyio
@pytest.mark.parametrize("seed", range(SEEDS))
async def test_same_answers(neo4j: Address, tmp_path: Path, seed: int) -> None:
    """Listings with their cursors and totals, look-ups, walks, keywords and all that a question
    reads are equal, in the present and as known at any instant."""
    scope = Scope("default", f"user {seed}")
    embedded = SqliteStore.open(tmp_path / "graph.db", FrozenClock(T2))
    served = open_store(neo4j, FrozenClock(T2))
    try:
        history = History(by_chance(seed))
        times = await tell(embedded, scope, history)
        assert await tell(served, scope, History(by_chance(seed))) == times
        questions = Questions(by_chance(seed), scope, history, times)
        for _ in range(QUESTIONS):
            for ask in questions.all():
                assert await ask(served) == await ask(embedded)
    finally:
        await served.close()
        await embedded.close()
