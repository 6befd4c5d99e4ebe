"""Reads that answer a question, one statement each."""

from __future__ import annotations

from collections.abc import Sequence

from graphmem.adapters.neo4j.filters import fact_parameters
from graphmem.adapters.neo4j.reads import PRESENT
from graphmem.adapters.neo4j.rows import Node, clamp
from graphmem.adapters.neo4j.tx import Found, Tx
from graphmem.model.claim import Polarity, Said
from graphmem.model.entity import ValueKind
from graphmem.model.episode import Role
from graphmem.model.outline import FactOutline, Ground, Outlines, Shown, Sought, TurnOutline, Words
from graphmem.model.rows import bound_of, entity_from, episode_from, fact_from, qualifiers_of
from graphmem.model.search import Source, TermCounts

_NAMED = 1000
"""At most so many entities are named by one question."""
_POLARITY = {polarity.value: polarity for polarity in Polarity}
_ROLE = {role.value: role for role in Role}


async def words(tx: Tx, sid: str, keys: Sequence[str], terms: Sequence[str]) -> Words:
    """Return which entities have one of ``keys``, and how telling ``terms`` are."""
    asked = list(dict.fromkeys(terms))
    (found,) = await tx.run(
        "question/words", sid=sid, keys=list(dict.fromkeys(keys)), terms=asked, limit=_NAMED
    )
    own = found["own"]
    return Words(
        own=None if own is None else entity_from(Node(own)),
        named=tuple(entity_from(Node(row)) for row in found["named"]),
        counts=TermCounts(found["points"] or 0, dict.fromkeys(asked, 0) | dict(found["counts"])),
    )


async def outlines(tx: Tx, sid: str, wanted: Sought) -> Outlines:
    """Return the candidates asked for that pass the filter."""
    known_at = wanted.filter.known_at
    (found,) = await tx.run(
        "question/outlines",
        sid=sid,
        records=list(dict.fromkeys(wanted.records)),
        turns=list(dict.fromkeys(wanted.turns)),
        entities=list(dict.fromkeys(wanted.entities)),
        around=sorted(wanted.around),
        relations=sorted(wanted.relations),
        limit=wanted.limit,
        at=PRESENT if known_at is None else clamp(known_at),
        blank="",
        **fact_parameters(wanted.filter),
    )
    return Outlines(
        facts=[_fact(*row) for row in found["facts"]],
        turns=[_turn(row) for row in found["turns"]],
        entities=[entity_from(Node(row)) for row in found["entities"]],
    )


def _fact(
    record: str,
    id: str,
    subject: str,
    subject_text: str,
    predicate: str,
    object_kind: str | None,
    object: str | None,
    object_text: str | None,
    polarity: str,
    qualifiers: str,
    statement: str,
    start: str | None,
    importance: int,
    said_at: int,
    said_turn: int,
    said_place: int,
    claims: int,
    last_said: int | None,
) -> FactOutline:
    joins = object is not None and object_kind == ValueKind.ENTITY
    bound = bound_of(start)
    return FactOutline(
        record,
        id,
        subject,
        subject_text,
        predicate,
        object,
        object_text or "",
        (subject, object) if joins and object is not None else (subject,),
        _POLARITY[polarity],
        qualifiers_of(qualifiers),
        statement,
        bound.latest if bound is not None else 0,
        importance,
        said_at,
        said_turn,
        said_place,
        claims,
        last_said if last_said is not None and claims > 1 else said_at,
    )


def _turn(row: Found) -> TurnOutline:
    turn, session, occurred_at, place, role, speaker, content = row["turn"]
    grounds = row["grounds"]
    return TurnOutline(
        turn,
        session,
        occurred_at,
        place,
        _ROLE[role],
        speaker,
        content,
        tuple(dict.fromkeys(fact for ground in grounds for fact in ground["facts"])),
        any(ground["quotes"] for ground in grounds),
    )


async def shown(
    tx: Tx, sid: str, records: Sequence[str], turns: Sequence[str], known_at: int | None
) -> Shown:
    """Return all that is shown of some records and turns, as of ``known_at``."""
    (found,) = await tx.run(
        "question/shown",
        sid=sid,
        records=list(dict.fromkeys(records)),
        turns=list(dict.fromkeys(turns)),
        at=PRESENT if known_at is None else clamp(known_at),
    )
    grounds = {
        row["fact"]["id"]: sorted(
            (_ground(*ground) for ground in row["grounds"]), key=lambda one: (one.said, one.claim)
        )
        for row in found["facts"]
    }
    return Shown(
        facts={
            row["fact"]["record"]: fact_from(
                Node(row["fact"]),
                tuple(ground.claim for ground in grounds[row["fact"]["id"]]),
                row["successor"],
            )
            for row in found["facts"]
        },
        grounds={fact: each for fact, each in grounds.items() if each},
        causes={ground[0]: _ground(*ground) for ground in found["causes"]},
        turns={row["id"]: episode_from(Node(row)) for row in found["turns"]},
    )


def _ground(
    claim: str,
    statement: str,
    said_at: int,
    said_turn: int,
    said_place: int,
    quote: str,
    episode: str,
    speaker: str | None,
    role: str,
    occurred_at: int,
    zone: str,
) -> Ground:
    source = Source(episode, speaker or role, quote, occurred_at, zone)
    return Ground(claim, statement, Said(said_at, said_turn, said_place), source)
