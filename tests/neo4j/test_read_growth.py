"""What a read reads in the database does not grow with what its scope holds beside the answer."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import pytest

from graphmem.adapters.neo4j.store import Neo4jStore
from graphmem.model.changes import ChangeSet, NameQuery
from graphmem.model.entity import Value
from graphmem.model.outline import Sought
from graphmem.model.search import FactFilter, FactQuery, PointKind
from graphmem.model.terms import terms
from graphmem.model.walk import Reach
from graphmem.ports.graph_store import EpisodeQuery, GlanceQuery
from graphmem.testing.builders import ANA, T0, an_entity, told
from graphmem.testing.graph_store.base import begin, write
from tests.neo4j.profiling import count_hits

FEW, MANY = 20, 400
PAGE = 5
ROSA = Value.entity(an_entity("rosa"))
OWN = frozenset({"self"})
OLIVE = dict.fromkeys(terms("olive"), 1.0)
EVERY_KIND = frozenset(PointKind)

Read = Callable[[Neo4jStore], Awaitable[object]]

READS: dict[str, Read] = {
    "history": lambda store: store.history(ANA, "f1"),
    "records": lambda store: store.records(ANA, ["f1/1", "f2/1"]),
    "claims": lambda store: store.claims(ANA, ["f1", "f2"]),
    "claims by id": lambda store: store.claims_by_id(ANA, ["c1", "c2"]),
    "facts of a predicate": lambda store: store.facts(
        ANA, FactQuery(filter=FactFilter(predicates=frozenset({"knows"})), subjects=OWN)
    ),
    "facts about somebody": lambda store: store.facts(
        ANA, FactQuery(subjects=frozenset({"rosa"}), either=True)
    ),
    "facts of a session": lambda store: store.facts(
        ANA, FactQuery(filter=FactFilter(sessions=frozenset({"far"})))
    ),
    "turns of a session": lambda store: store.episodes(ANA, EpisodeQuery(session="far")),
    "turns by id": lambda store: store.episodes(ANA, EpisodeQuery(ids=("e1", "e2"))),
    "things by id": lambda store: store.entities(ANA, ids=["self", "rosa"]),
    "things by key": lambda store: store.entities(ANA, keys=["rosa", "n1"]),
    "words": lambda store: store.words(ANA, keys=["rosa"], terms=["tea", "rosa"]),
    "outlines": lambda store: store.outlines(
        ANA, Sought(records=["f1/1"], turns=["e1", "e2"], entities=["rosa"], around=OWN,
                    relations=frozenset({"knows"})),
    ),
    "shown": lambda store: store.shown(ANA, records=["f1/1", "f2/1"], episodes=["e1"]),
    "walk": lambda store: store.neighbourhood(
        ANA, Reach(seeds=["self"], hops=2, fanout=PAGE, known=["f1/1"])
    ),
    "glance": lambda store: store.glance(
        ANA, GlanceQuery(named=PAGE, statements=PAGE, session="s1", before=T0 * 2, episodes=PAGE)
    ),
    "alike": lambda store: store.alike(
        ANA, [NameQuery(words=("rosa",), keys=("rosa",), newest=PAGE)]
    ),
    "keyword": lambda store: store.keyword(ANA, OLIVE, FactFilter(), EVERY_KIND, PAGE),
}  # fmt: skip
"""Reads whose answer stays as large as it was."""

COUNTED: dict[str, tuple[Read, int]] = {
    "facts": (lambda store: store.facts(ANA, FactQuery(limit=PAGE)), 1),
    "facts that hold": (
        lambda store: store.facts(
            ANA, FactQuery(filter=FactFilter(valid=(T0, T0 * 2)), limit=PAGE)
        ),
        1,
    ),
    "turns": (lambda store: store.episodes(ANA, EpisodeQuery(limit=PAGE)), 1),
    "things": (lambda store: store.entities(ANA, limit=PAGE), 2),
    "known facts": (
        lambda store: store.facts(ANA, FactQuery(filter=FactFilter(known_at=T0 * 2), limit=PAGE)),
        3,
    ),
}  # fmt: skip
"""Pages of all there is: the total is counted, at so many reads a row."""


async def _grow(store: Neo4jStore, first: int, after: int) -> None:
    """Write turns about the user, each with a fact and a person of its own, few in a change."""
    for start in range(first, after, FEW):
        await _write(store, start, start + FEW)


async def _write(store: Neo4jStore, first: int, after: int) -> None:
    turns = [told(str(n), said=T0 + n, statement=f"Tea number {n}.") for n in range(first, after)]
    await write(
        store,
        ChangeSet(
            entities=tuple(an_entity(f"n{n}", f"Person n{n}") for n in range(first, after)),
            episodes=tuple(turn.episodes[0] for turn in turns),
            claims=tuple(turn.claims[0] for turn in turns),
            links=tuple(turn.links[0] for turn in turns),
            facts=tuple(turn.facts[0] for turn in turns),
        ),
    )


@pytest.mark.anyio
async def test_reads_do_not_grow(store: Neo4jStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """With twenty times as many facts, turns and things beside it, an answer costs as much, and a
    page of all of them as much and a count by an index."""
    knows = told("rosa", ROSA, predicate="knows", session="far", statement="An olive tree.")
    await begin(store, ChangeSet(entities=(an_entity("rosa"),)), knows)
    every = READS | {name: read for name, (read, _) in COUNTED.items()}
    costs: list[dict[str, int]] = []
    for first, after in ((0, FEW), (FEW, MANY)):
        await _grow(store, first, after)
        cost: dict[str, int] = {}
        with monkeypatch.context() as patched:
            hits = count_hits(patched)
            for name, read in every.items():
                hits.clear()
                await read(store)
                cost[name] = hits.total()
        costs.append(cost)
    few, many = costs
    assert {name: (few[name], many[name]) for name in READS if many[name] > few[name] + PAGE} == {}
    grown = MANY - FEW
    assert {
        name: (few[name], many[name])
        for name, (_, each) in COUNTED.items()
        if many[name] > few[name] + each * grown + PAGE
    } == {}
