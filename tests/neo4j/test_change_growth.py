"""What a change reads in the database does not grow with what its scope and its family hold."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from graphmem.adapters.neo4j.store import Neo4jStore
from graphmem.model.changes import ChangeSet, Decision, Family, GaveWay, Rests, Wanted
from graphmem.model.entity import Value
from graphmem.testing.builders import ANA, T0, an_entity, told
from graphmem.testing.graph_store.base import begin, write
from tests.neo4j.profiling import count_hits

pytestmark = pytest.mark.anyio

ROSA = Value.entity(an_entity("rosa"))
MORE = 60
"""Reads that may come on top; a family that is read whole takes several for each of its claims."""


@pytest.fixture
def hits(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """Count what each statement reads in the database."""
    return count_hits(monkeypatch)


async def written(store: Neo4jStore, hits: Counter[str], changes: ChangeSet) -> Counter[str]:
    """Return what it reads to write ``changes`` after a look at the family."""

    def decide() -> Decision:
        yield Wanted(tails=(Family("self", "drinks"), Family("self", "drinks", "text:tea")), few=5)
        return changes

    hits.clear()
    await store.change(ANA, decide)
    return Counter(hits)


async def grow(store: Neo4jStore, first: int, after: int) -> None:
    """Write many turns, each with a fact of its own, in one change."""
    turns = [told(str(number), said=T0 + number) for number in range(first, after)]
    await write(
        store,
        ChangeSet(
            episodes=tuple(turn.episodes[0] for turn in turns),
            claims=tuple(turn.claims[0] for turn in turns),
            links=tuple(turn.links[0] for turn in turns),
            facts=tuple(turn.facts[0] for turn in turns),
        ),
    )


async def test_reads_of_a_change(store: Neo4jStore, hits: Counter[str]) -> None:
    """A new fact, more evidence, a revision and an end cost what they cost in a small family."""
    await begin(store, ChangeSet(entities=(an_entity("rosa"),)))
    costs: list[list[Counter[str]]] = []
    for first, after in ((0, 20), (20, 400)):
        await grow(store, first, after)
        new = told(f"new {first}", ROSA, said=T0 + after, predicate="knows")
        fact = new.facts[0]
        more = told(f"more {first}", said=T0 + after)
        claims = (*fact.claims, more.claims[0].id)
        rests = Rests(fact.id, claims, more=True)
        costs.append(
            [
                await written(store, hits, changes)
                for changes in (
                    new,
                    replace(more, facts=(), rests=(rests,)),
                    ChangeSet(facts=(replace(fact, record=f"again {first}", claims=claims),)),
                    ChangeSet(gave_way=(GaveWay(fact.id, "f1"),)),
                )
            ]
        )
    for few, many in zip(*costs, strict=True):
        assert few.keys() == many.keys()
        for name, cost in many.items():
            assert cost <= few[name] + MORE, (name, few, many)
