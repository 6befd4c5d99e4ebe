"""Words, walks and filters of the Neo4j store, beyond what every store promises."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable

import pytest

from graphmem.adapters.neo4j import search
from graphmem.adapters.neo4j.statements import cypher, names
from graphmem.adapters.neo4j.store import Neo4jStore
from graphmem.model.changes import ChangeSet, NameQuery
from graphmem.model.entity import Value
from graphmem.model.outline import Sought
from graphmem.model.search import FactFilter, FactQuery, PointKind
from graphmem.model.terms import terms
from graphmem.model.walk import Reach
from graphmem.ports.graph_store import EpisodeQuery, GlanceQuery
from graphmem.testing.builders import ANA, T0, an_entity, told
from graphmem.testing.graph_store.base import begin

FACTS = frozenset({PointKind.FACT})
EVERY_KIND = frozenset(PointKind)
ROSA = Value.entity(an_entity("rosa", "Rosa"))
PEOPLE = ChangeSet(entities=(an_entity("rosa", "Rosa"), an_entity("rosie")))
KNOWS = told("1", ROSA, predicate="knows", said=T0)
KNOWN = told("2", Value.entity(an_entity("rosie")), subject="rosa", predicate="knows")


def conditions() -> dict[str, set[str]]:
    """Return what a fact must pass in each statement, from its polarity to its agents."""
    found: dict[str, set[str]] = {}
    for name in names():
        text = " ".join(cypher(name).split())
        blocks = re.findall(r"\(\$p\.polarity IS NULL.*?e\.agent IN \$p\.agents \}\)", text)
        if blocks:
            found[name] = set(blocks)
    return found


def test_every_statement_filters_alike() -> None:
    """The conditions of a filter are the same text wherever they are written out."""
    found = conditions()
    assert {
        "question/outlines",
        "question/keyword",
        "walk/around",
        "read/facts_live",
    } <= found.keys()
    assert len(set[str]().union(*found.values())) == 1


@pytest.mark.anyio
@pytest.mark.parametrize(
    "odd", ['"', "\\", '\\" OR sid:*', "*", "a b", "", "+", "tea~", "[a TO z]"]
)
async def test_no_term_is_syntax(store: Neo4jStore, odd: str) -> None:
    """A term that the full-text index would read as syntax is only a term, which nothing has."""
    await begin(store, told("1", statement="tea"))
    (tea,) = terms("tea")
    assert await store.keyword(ANA, {odd: 1.0}, FactFilter(), EVERY_KIND, 10) == []
    both = await store.keyword(ANA, {odd: 1.0, tea: 1.0}, FactFilter(), FACTS, 10)
    assert [one.ref.id for one in both] == ["f1/1"]


@pytest.mark.anyio
async def test_thousands_of_terms(store: Neo4jStore) -> None:
    """More terms than one query of the index may hold find each record once, with its whole
    score."""
    await begin(store, told("1", statement="tea and coffee"))
    (tea,), (coffee,) = terms("tea"), terms("coffee")
    few = await store.keyword(ANA, {tea: 1.0, coffee: 1.0}, FactFilter(), FACTS, 10)
    many = {tea: 1.0, **{f"word{n}": 1.0 for n in range(2500)}, coffee: 1.0}
    assert await store.keyword(ANA, many, FactFilter(), FACTS, 10) == few


@pytest.mark.anyio
async def test_a_common_word(store: Neo4jStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the records that share a common word only those that the index finds best are scored, and
    more of them where too few pass."""
    monkeypatch.setattr(search, "_LEAST", 2)
    monkeypatch.setattr(search, "_EACH", 3)
    long = "tea with " + " and ".join(f"thing{number}" for number in range(9))
    talk = [*(told(f"{n}", statement=long) for n in range(20)), told("best", statement="tea mug")]
    await begin(store, *talk, told("x", predicate="knows", statement=f"{long} and more"))
    (tea,), (mug,) = terms("tea"), terms("mug")

    async def found(weights: dict[str, float], asked: FactFilter, limit: int) -> tuple[int, int]:
        before = store.connection.counts.statements
        got = await store.keyword(ANA, weights, asked, FACTS, limit)
        assert got[0].ref.id == ("fx/1" if asked.predicates else "fbest/1")
        return len(got), store.connection.counts.statements - before

    assert await found({tea: 0.1, mug: 1.0}, FactFilter(), 3) == (3, 1)
    assert await found({tea: 0.1}, FactFilter(predicates=frozenset({"knows"})), 3) == (1, 2)


@pytest.mark.anyio
async def test_round_trips(store: Neo4jStore) -> None:
    """Each read is one statement, however much is asked for and however far a walk goes."""
    await begin(store, PEOPLE, KNOWS, KNOWN)
    asked = FactFilter()
    names_asked = [NameQuery(words=("rosa",), keys=("rosa",), newest=2), NameQuery(newest=3)]
    wanted = Sought(
        records=["f1/1"], turns=["e1"], entities=["rosa"],
        around=frozenset({"rosa"}), relations=frozenset({"knows"}),
    )  # fmt: skip
    reads: list[tuple[Callable[[], Awaitable[object]], int]] = [
        (lambda: store.words(ANA, keys=["rosa"], terms=["rosa"]), 1),
        (lambda: store.outlines(ANA, wanted), 1),
        (lambda: store.shown(ANA, records=["f1/1"], episodes=["e1"]), 1),
        (lambda: store.glance(ANA, GlanceQuery(named=9, statements=9)), 1),
        (lambda: store.alike(ANA, names_asked), 1),
        (lambda: store.keyword(ANA, {"rosa": 1.0}, asked, EVERY_KIND, 9), 1),
        (lambda: store.facts(ANA, FactQuery()), 1),
        (lambda: store.history(ANA, "f1"), 1),
        (lambda: store.claims(ANA, ["f1"]), 1),
        (lambda: store.episodes(ANA, EpisodeQuery()), 1),
        (lambda: store.entities(ANA, ids=["rosa"]), 1),
        (lambda: store.neighbourhood(ANA, Reach(seeds=["self"])), 1),
    ]
    for read, statements in reads:
        before = store.connection.counts.statements
        await read()
        assert store.connection.counts.statements - before == statements
