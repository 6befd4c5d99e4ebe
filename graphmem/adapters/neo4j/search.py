"""Reads by keywords."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from graphmem.adapters.neo4j.filters import fact_parameters
from graphmem.adapters.neo4j.tx import Tx
from graphmem.model.search import FactFilter, PointKind, PointRef, Scored

PLACES = 9
"""Decimals that sums of weights are rounded to, so few that the order of adding cannot show."""
_EACH = 2
"""Records that the full-text index finds best are scored for each that is wanted. It weighs terms
alike, but by what all scopes hold, so what it finds worse could hardly be among those wanted; where
thousands share a common word, the rest are not looked at."""
_LEAST = 500
"""Records that are scored at least, if there are so many."""
_MORE = 8
"""Times as many are looked at, where too few of them pass."""
_ALL = 1 << 30
"""More than any index holds."""
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
    most = min(max(_LEAST, _EACH * limit), _ALL)
    while True:
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
            most=most,
            **fact_parameters(asked),
        )
        scored: list[tuple[str, str, float]] = found["found"]
        if len(scored) >= limit or not found["more"] or most == _ALL:
            return [Scored(PointRef(PointKind(kind), ref), score) for kind, ref, score in scored]
        most = min(_MORE * most, _ALL)


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
