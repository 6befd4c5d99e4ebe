"""The graph walk: which facts a chain of relations leads to, and by which path.

``fetch`` reads the graph around the seeds, as far as it matters for the question, in one go, and
once more for names that mean the same in other words; ``rank`` is pure: it finds the surest path to
every fact that answers, and orders them by personalised PageRank. What lies beside the paths, as
the other neighbours of a hub, does not come back.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TypeAlias, cast

import networkx as nx
import numpy as np

from graphmem.model.fact import Fact
from graphmem.model.scope import Scope
from graphmem.model.walk import Met, Reach, Relevance
from graphmem.ports.graph_store import GraphStore
from graphmem.retrieval.likeness import Alike, Likeness

HOPS = Reach().hops
ANCHORS = 6
"""The walk also starts from so many entities of facts that hold the question's words."""
FACTS = 240
"""So many facts, the most relevant, are ranked."""

ANSWERS = 0.3
"""Relevance from which a fact answers, rather than only leading on."""
LEADS = 0.15
"""What a step is worth that the question says nothing of."""
BESIDE = 0.35
"""Paths worth less than this share of the best path of their length are dropped."""
DAMPING = 0.8

Graph: TypeAlias = "nx.DiGraph[str]"
Judge = Callable[[Met], Relevance]


@dataclass(frozen=True, slots=True)
class Fetched:
    """A fetched piece of the graph: facts by record, and likenesses."""

    facts: Mapping[str, Fact]
    alike: Sequence[Alike]


@dataclass(frozen=True, slots=True)
class Walked:
    """A fact that was walked to.

    Attributes:
        fact: it. score: 0 to 1.
        path: the facts from a seed to it, itself last.
        alike: why one name was taken for another on the way.
        answers: it is what was asked for; otherwise it only leads there.
    """

    fact: Fact
    score: float
    path: tuple[Fact, ...]
    alike: tuple[str, ...] = ()
    answers: bool = True


async def fetch(
    store: GraphStore, scope: Scope, reach: Reach, likeness: Likeness, notes: list[str]
) -> Fetched:
    """Read what lies within reach, and beyond the names that are like those walked over.

    What kept names from being compared is added to ``notes``.
    """
    around = await store.neighbourhood(scope, reach)
    facts = {fact.record: fact for fact in around.facts}
    alike = await likeness.find(scope, around.walked, notes)
    walked = {entity.id for entity in around.walked}
    beyond = [pair.second.id for pair in alike if pair.second.id not in walked]
    if beyond:
        further = await store.neighbourhood(scope, replace(reach, seeds=beyond))
        facts.update((fact.record, fact) for fact in further.facts)
    return Fetched(facts, alike)


def anchors(known: Iterable[Met], judge: Judge) -> list[str]:
    """Return ends of facts that hold the question's words: the far end of a chain."""
    telling = [fact for fact in known if judge(fact).words >= ANSWERS]
    telling.sort(key=lambda fact: (-judge(fact).words, fact.record))
    return list(dict.fromkeys(end for fact in telling for end in fact.ends))[:ANCHORS]


def rank(
    facts: Iterable[Fact], alike: Iterable[Alike], seeds: Mapping[str, float], judge: Judge
) -> list[Walked]:
    """Return the facts that answer, and those that lead to them, best first.

    ``seeds`` maps entity ids to how surely the question speaks of them.
    """
    relevance = {fact.record: judge(fact) for fact in facts}
    by_record = {fact.record: fact for fact in facts}
    kept = sorted(
        by_record.values(), key=lambda fact: (-relevance[fact.record].total, fact.record)
    )[:FACTS]
    graph = _graph(kept, alike, seeds, relevance)
    if _SOURCE not in graph:
        return []
    _, routes = cast(
        "tuple[dict[str, float], dict[str, list[str]]]",
        nx.single_source_dijkstra(graph, _SOURCE, weight="cost"),
    )
    ended = [
        _Route(
            by_record[record], _facts(route, by_record), _worth(graph, route), _why(graph, route)
        )
        for record, route in routes.items()
        if record in by_record and relevance[record].total >= ANSWERS
    ]
    good = [route for route in ended if len(route.path) <= HOPS and _leads(route, relevance)]
    return _placed(_surest(good), _page_rank(graph, seeds))


_SOURCE = "\x00question"


@dataclass(frozen=True, slots=True)
class _Route:
    fact: Fact
    path: tuple[Fact, ...]
    worth: float
    alike: tuple[str, ...]


def _graph(
    facts: Sequence[Fact],
    alike: Iterable[Alike],
    seeds: Mapping[str, float],
    relevance: Mapping[str, Relevance],
) -> Graph:
    graph: Graph = nx.DiGraph()
    for fact in facts:
        strength = LEADS + (1 - LEADS) * relevance[fact.record].total
        for entity in fact.ends:
            # The step onto a fact costs; the step off it is free.
            _join(graph, entity, fact.record, strength)
            _join(graph, fact.record, entity, strength, cost=0.0)
    pairs = list(alike)
    for pair in pairs:
        _join(graph, pair.second.id, pair.first.id, pair.strength, why=pair.why)
    for pair in pairs:  # which way a pair was found is how it is told
        _join(graph, pair.first.id, pair.second.id, pair.strength, why=pair.why)
    for entity, weight in seeds.items():
        if entity in graph:
            _join(graph, _SOURCE, entity, weight)
    return graph


def _join(
    graph: Graph,
    first: str,
    second: str,
    strength: float,
    *,
    cost: float | None = None,
    why: str = "",
) -> None:
    price = -math.log(max(strength, 1e-6)) if cost is None else cost
    graph.add_edge(first, second, cost=price, weight=strength, why=why)


def _facts(route: Sequence[str], by_record: Mapping[str, Fact]) -> tuple[Fact, ...]:
    return tuple(by_record[node] for node in route if node in by_record)


def _worth(graph: Graph, route: Sequence[str]) -> float:
    cost = math.fsum(graph.edges[pair]["cost"] for pair in pairwise(route))
    return math.exp(-cost)


def _why(graph: Graph, route: Sequence[str]) -> tuple[str, ...]:
    words = (str(graph.edges[pair]["why"]) for pair in pairwise(route))
    return tuple(word for word in words if word)


def _leads(route: _Route, relevance: Mapping[str, Relevance]) -> bool:
    """Whether the way there has to do with the question.

    A fact that only has the relation asked for answers only at the end of relations asked for:
    a dish that contains pork is no answer because the user likes it. A fact that holds the
    question's own words may be reached over anything.
    """
    if relevance[route.fact.record].words >= ANSWERS:
        return True
    return all(relevance[fact.record].total >= ANSWERS for fact in route.path)


def _surest(routes: Sequence[_Route]) -> list[_Route]:
    best: dict[int, float] = {}
    for route in routes:
        length = len(route.path)
        best[length] = max(best.get(length, 0.0), route.worth)
    return [route for route in routes if route.worth >= BESIDE * best[len(route.path)]]


def _placed(routes: Sequence[_Route], rank: Mapping[str, float]) -> list[Walked]:
    top = max((rank[route.fact.record] for route in routes), default=1.0) or 1.0
    found: dict[str, Walked] = {}
    for route in routes:
        # The mean of its steps, so that a longer way is no worse for being long.
        sure = route.worth ** (1 / (len(route.path) + len(route.alike)))
        score = sure * (0.8 + 0.2 * rank[route.fact.record] / top)
        _keep(found, Walked(route.fact, score, route.path, route.alike))
        for place, fact in enumerate(route.path[:-1], start=1):
            _keep(found, Walked(fact, 0.85 * score, route.path[:place], answers=False))
    return sorted(found.values(), key=lambda walked: (-walked.score, walked.fact.record))


def _keep(found: dict[str, Walked], walked: Walked) -> None:
    other = found.get(walked.fact.record)
    if other is None:
        found[walked.fact.record] = walked
        return
    # What answers by itself keeps its own path and likeness; a better score is taken over.
    first, second = (other, walked) if other.answers >= walked.answers else (walked, other)
    score = max(first.score, second.score)
    found[walked.fact.record] = Walked(first.fact, score, first.path, first.alike, first.answers)


def _page_rank(graph: Graph, seeds: Mapping[str, float]) -> dict[str, float]:
    nodes = sorted(node for node in graph if node != _SOURCE)
    inner = graph.subgraph(nodes)
    start = {node: seeds[node] for node in nodes if node in seeds}
    matrix = np.asarray(
        nx.google_matrix(inner, alpha=DAMPING, personalization=start, nodelist=nodes)
    )
    mass = np.array([start.get(node, 0.0) for node in nodes])
    mass /= mass.sum()
    for _ in range(30):
        mass = mass @ matrix
    return dict(zip(nodes, (round(float(value), 12) for value in mass), strict=True))
