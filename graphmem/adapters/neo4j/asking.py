"""Reads that answer a question, one statement each."""

from __future__ import annotations

from collections.abc import Sequence

from graphmem.adapters.neo4j.filters import fact_parameters
from graphmem.adapters.neo4j.rows import Node
from graphmem.adapters.neo4j.tx import Found, Tx
from graphmem.model.claim import Polarity, Said
from graphmem.model.entity import ValueKind
from graphmem.model.episode import Role
from graphmem.model.outline import FactOutline, Ground, Outlines, Shown, Sought, TurnOutline, Words
from graphmem.model.rows import bound_of, entity_from, episode_from, fact_from, qualifiers_of
from graphmem.model.search import Source, TermCounts
from graphmem.model.time import as_of

_NAMED = 1000
"""At most so many entities are named by one question."""
_POLARITY = {polarity.value: polarity for polarity in Polarity}
_ROLE = {role.value: role for role in Role}


async def words(tx: Tx, key: str, keys: Sequence[str], terms: Sequence[str]) -> Words:
    """Return which entities have one of ``keys``, and how telling ``terms`` are."""
    asked = dict.fromkeys(terms, 0)
    (found,) = await tx.run(
        "question/words", key=key, keys=list(dict.fromkeys(keys)), terms=list(asked), limit=_NAMED
    )
    return Words(
        own=next((entity_from(Node(row)) for row in found["own"]), None),
        named=tuple(entity_from(Node(row)) for row in found["named"]),
        counts=TermCounts(found["points"] or 0, asked | dict(found["frequency"])),
    )


async def outlines(tx: Tx, key: str, wanted: Sought) -> Outlines:
    """Return the candidates asked for that pass the filter."""
    (found,) = await tx.run(
        "question/outlines",
        key=key,
        records=list(dict.fromkeys(wanted.records)),
        turns=list(dict.fromkeys(wanted.turns)),
        beside=list(dict.fromkeys(wanted.beside)),
        entities=list(dict.fromkeys(wanted.entities)),
        around=sorted(wanted.around),
        relations=sorted(wanted.relations),
        limit=wanted.limit,
        at=as_of(wanted.filter.known_at),
        **fact_parameters(wanted.filter),
    )
    return Outlines(
        facts=[_fact(**row) for row in found["facts"]],
        turns=[_turn(**row) for row in found["turns"]],
        entities=[entity_from(Node(row)) for row in found["entities"]],
    )


def _fact(fact: Found, claims: int, last_said: int | None) -> FactOutline:
    subject: str = fact["subject_key"]
    value: str | None = fact["object_key"]
    joins = fact["object_kind"] == ValueKind.ENTITY and value is not None
    start = bound_of(fact["start"])
    said_at: int = fact["said_at"]
    return FactOutline(
        record=fact["record"],
        id=fact["id"],
        subject=subject,
        subject_text=fact["subject_text"],
        predicate=fact["predicate"],
        object=value,
        object_text=fact["object_text"] or "",
        ends=(subject, value) if joins and value is not None else (subject,),
        polarity=_POLARITY[fact["polarity"]],
        qualifiers=qualifiers_of(fact["qualifiers"]),
        statement=fact["statement"],
        start=0 if start is None else start.latest,
        importance=fact["importance"],
        said_at=said_at,
        said_turn=fact["said_turn"],
        said_place=fact["said_place"],
        claims=claims,
        last_said=said_at if claims < 2 or last_said is None else last_said,
    )


def _turn(turn: Found, facts: list[str], quoted: bool) -> TurnOutline:
    return TurnOutline(
        id=turn["id"],
        session=turn["session"],
        occurred_at=turn["occurred_at"],
        place=turn["place"],
        role=_ROLE[turn["role"]],
        speaker=turn["speaker"],
        content=turn["content"],
        facts=tuple(facts),
        quoted=quoted,
    )


async def shown(
    tx: Tx, key: str, records: Sequence[str], turns: Sequence[str], known_at: int | None
) -> Shown:
    """Return all that is shown of some records and turns, as of ``known_at``."""
    (found,) = await tx.run(
        "question/shown",
        key=key,
        records=list(dict.fromkeys(records)),
        turns=list(dict.fromkeys(turns)),
        at=as_of(known_at),
    )
    grounds: dict[str, list[Ground]] = {}
    for row in found["grounds"]:
        grounds.setdefault(row["fact"], []).append(_ground(row["claim"], row["turn"]))
    for each in grounds.values():
        each.sort(key=lambda one: (one.said, one.claim))
    rests = {fact: tuple(one.claim for one in each) for fact, each in grounds.items()}
    causes = [_ground(**row) for row in found["causes"]]
    facts = [
        fact_from(Node(row["fact"]), rests.get(row["fact"]["id"], ()), row["successor"])
        for row in found["facts"]
    ]
    return Shown(
        facts={fact.record: fact for fact in facts},
        grounds=grounds,
        causes={ground.claim: ground for ground in causes},
        turns={row["id"]: episode_from(Node(row)) for row in found["turns"]},
    )


def _ground(claim: Found, turn: Found) -> Ground:
    return Ground(
        claim=claim["id"],
        statement=claim["statement"],
        said=Said(claim["said_at"], claim["said_turn"], claim["said_place"]),
        source=Source(
            episode=turn["id"],
            speaker=turn["speaker"] or turn["role"],
            quote=claim["quote"],
            occurred_at=turn["occurred_at"],
            zone=turn["zone"],
        ),
    )
