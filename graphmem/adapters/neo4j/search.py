"""Reads by keywords."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from graphmem.adapters.neo4j.filters import fact_parameters
from graphmem.adapters.neo4j.tx import Tx
from graphmem.model.search import FactFilter, PointKind, PointRef, Scored

PLACES = 9
"""Decimals that sums of weights are rounded to, so few that the order of adding cannot show."""
_CLAUSES = 1000
"""Terms of one query; the full-text index takes no more than 1,024 clauses."""


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
