"""Reads for retrieval: keywords and the neighbourhood of entities."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from graphmem.adapters.neo4j.filters import fact_parameters
from graphmem.adapters.neo4j.rows import fact_of
from graphmem.adapters.neo4j.tx import Found, Tx
from graphmem.errors import InputError
from graphmem.model.entity import ValueKind
from graphmem.model.fact import Fact
from graphmem.model.search import FactFilter, PointKind, PointRef, Scored

PLACES = 12
"""Decimals that sums of weights are rounded to, so that the order of adding cannot show."""
MOST_HOPS = 3

_INDEX = "graphmem_terms"
_KEYWORD = {
    PointKind.FACT: "question/keyword_facts",
    PointKind.CHUNK: "question/keyword_chunks",
    PointKind.ENTITY: "question/keyword_entities",
}


async def keyword(
    tx: Tx,
    sid: str,
    weights: Mapping[str, float],
    asked: FactFilter,
    kinds: frozenset[PointKind],
    limit: int,
) -> list[Scored]:
    """Return the records that share most of the weighted terms, best first, ties by id."""
    if not weights or not sid or limit < 1:
        return []
    values: Found = {
        "index": _INDEX,
        "query": _query(sid, weights),
        "weights": dict(weights),
        "places": PLACES,
        "limit": limit,
        "sid": sid,
        **fact_parameters(asked),
    }
    found: list[Scored] = []
    for kind in sorted(kinds):
        rows = await tx.run(_KEYWORD[kind], **values)
        found.extend(Scored(PointRef(kind, row["ref"]), row["score"]) for row in rows)
    found.sort(key=lambda scored: (-scored.score, scored.ref.id))
    return found[:limit]


def _query(sid: str, terms: Mapping[str, float]) -> str:
    """Return the query of the full-text index for records of a scope with one of ``terms``."""
    return f"+sid:{_quoted(sid)} +terms:({' '.join(map(_quoted, terms))})"


def _quoted(term: str) -> str:
    """Return a term as a phrase, in which nothing is syntax."""
    escaped = term.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


async def neighbourhood(
    tx: Tx, sid: str, seeds: Sequence[str], hops: int, fanout: int, asked: FactFilter
) -> list[Fact]:
    """Walk from the seeds, breadth first; see the port for what is returned.

    One statement walks, and gives for each entity it comes to the records that leave it; another
    one reads them whole.

    Raises:
        InputError: more than ``MOST_HOPS`` hops.
    """
    if hops > MOST_HOPS:
        raise InputError(f"a walk of {hops} hops is too far; the limit is {MOST_HOPS}")
    values = {"sid": sid, **fact_parameters(asked)}
    (found,) = await tx.run(
        "walk/reach",
        **values,
        entity=ValueKind.ENTITY.value,
        seeds=list(dict.fromkeys(seeds)),
        hops=hops,
        fanout=fanout,
    )
    records = _met(found["steps"], seeds, hops)
    rows = await tx.run("read/records", sid=sid, ids=records, known_at=values["known_at"])
    facts = (
        fact_of(row["row"]["fact"], row["row"]["evidence"], row["row"]["successor"]) for row in rows
    )
    by_record = {fact.record: fact for fact in facts}
    return [by_record[record] for record in records if record in by_record]


def _met(steps: Sequence[Found], seeds: Sequence[str], hops: int) -> list[str]:
    """Return records in the order in which a walk, breadth first, meets them."""
    leaving = {step["entity"]: step for step in steps}
    met: dict[str, None] = {}
    reached = set(seeds)
    frontier = list(dict.fromkeys(seeds))
    for hop in range(hops + 1):
        following: list[str] = []
        for entity in frontier:
            step = leaving[entity]
            met.update(dict.fromkeys(step["literals"]))
            for relation in step["relations"] if hop < hops else ():
                met[relation["record"]] = None
                for end in relation["ends"]:
                    if end not in reached:
                        reached.add(end)
                        following.append(end)
        frontier = following
    return list(met)
