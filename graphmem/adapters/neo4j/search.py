"""Reads for retrieval: keywords and the neighbourhood of entities."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from graphmem.adapters.neo4j.filters import fact_parameters
from graphmem.adapters.neo4j.rows import fact_of
from graphmem.adapters.neo4j.tx import Found, Tx
from graphmem.model.entity import ValueKind
from graphmem.model.fact import Fact
from graphmem.model.search import FactFilter, PointKind, PointRef, Scored

PLACES = 9
"""Decimals that sums of weights are rounded to, so few that the order of adding cannot show."""
_CLAUSES = 1000
"""Terms of one query; the full-text index takes no more than 1,024 clauses."""
_TRIES = 5


async def keyword(
    tx: Tx,
    key: str,
    weights: Mapping[str, float],
    asked: FactFilter,
    kinds: frozenset[PointKind],
    limit: int,
) -> list[Scored]:
    """Return the records that share most of the weighted terms, best first, ties by id."""
    terms = [term for term in weights if term.split() == [term]]  # no other is a term of a record
    if not terms or not kinds:
        return []
    facts, chunks = PointKind.FACT in kinds, PointKind.CHUNK in kinds
    (found,) = await tx.run(
        "question/keyword",
        key=key,
        scoped="+sid:",
        queries=_queries(terms) if facts or chunks else [],
        terms=terms if PointKind.ENTITY in kinds else [],
        weights={term: float(weights[term]) for term in terms},
        facts=facts,
        chunks=chunks,
        fact=PointKind.FACT.value,
        chunk=PointKind.CHUNK.value,
        entity=PointKind.ENTITY.value,
        places=PLACES,
        limit=limit,
        **fact_parameters(asked),
    )
    return [Scored(PointRef(PointKind(kind), ref), score) for kind, ref, score in found["found"]]


def _queries(terms: Sequence[str]) -> list[str]:
    """Return what queries of the full-text index say of terms."""
    return [
        f" +terms:({' '.join(map(_quoted, terms[start : start + _CLAUSES]))})"
        for start in range(0, len(terms), _CLAUSES)
    ]


def _quoted(term: str) -> str:
    """Return a term as a phrase, in which nothing is syntax."""
    escaped = term.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


async def neighbourhood(
    tx: Tx, key: str, seeds: Sequence[str], hops: int, fanout: int, asked: FactFilter
) -> list[Fact]:
    """Walk from the seeds, breadth first, by one statement for two hops; see the port for what is
    returned.

    A change that comes between the statements lets the walk begin anew, a few times.
    """
    values = {
        "key": key,
        "thing": ValueKind.ENTITY.value,
        "fanout": fanout,
        **fact_parameters(asked),
    }
    met: dict[str, Fact] = {}
    for _ in range(_TRIES):
        met, numbers = await _walk(tx, values, seeds, hops)
        if len(numbers) <= 1:
            break
    return list(met.values())


async def _walk(
    tx: Tx, values: Found, seeds: Iterable[str], hops: int
) -> tuple[dict[str, Fact], set[int | None]]:
    """Return the facts of a walk by record, in the order in which it meets them, and the numbers
    that the scope's last change had meanwhile."""
    met: dict[str, Fact] = {}
    numbers: set[int | None] = set()
    frontier = list(dict.fromkeys(seeds))
    reached = set(frontier)
    leaving: dict[str, _Left] = {}
    for hop in range(hops + 1):
        if not frontier:
            break
        if hop % 2 == 0:
            (found,) = await tx.run(
                "walk/step",
                **values,
                entities=frontier,
                reached=sorted(reached),
                further=hop < hops,
                beyond=hop + 1 < hops,
            )
            numbers.add(found["number"])
            leaving = _leaving(found["left"])
        following: list[str] = []
        for entity in frontier:
            left = leaving.get(entity, _NONE)
            met.update((fact.record, fact) for fact in (*left.words, *left.things))
            for end in (end for fact in left.things for end in _ends(fact)):
                if end not in reached:
                    reached.add(end)
                    following.append(end)
        frontier = following
    return met, numbers


def _ends(fact: Fact) -> tuple[str, ...]:
    """Return the things that a fact whose object is one leads to."""
    return tuple(v.key for v in (fact.subject, fact.object) if v and v.kind is ValueKind.ENTITY)


@dataclass(frozen=True, slots=True)
class _Left:
    """Facts that leave an entity, newest said first: to words or nothing, and to other things."""

    words: list[Fact] = field(default_factory=list[Fact])
    things: list[Fact] = field(default_factory=list[Fact])


_NONE = _Left()


def _leaving(rows: Iterable[Found]) -> dict[str, _Left]:
    leaving: dict[str, _Left] = {}
    for row in rows:
        left = leaving.setdefault(row["entity"], _Left())
        fact = fact_of(row["fact"], row["evidence"], row["successor"])
        (left.things if row["further"] else left.words).append(fact)
    for left in leaving.values():
        for facts in (left.words, left.things):
            facts.sort(key=lambda fact: fact.record)
            facts.sort(key=lambda fact: fact.said, reverse=True)
    return leaving
