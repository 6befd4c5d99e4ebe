"""Reads that answer a question, inside one read transaction each."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from typing import Any

from graphmem.adapters.sqlite import filters, reads
from graphmem.adapters.sqlite.filters import as_list
from graphmem.adapters.sqlite.search import term_counts
from graphmem.adapters.sqlite.statements import sql
from graphmem.model.claim import Polarity, Said
from graphmem.model.entity import ValueKind
from graphmem.model.episode import Role
from graphmem.model.outline import FactOutline, Ground, Outlines, Shown, Sought, TurnOutline, Words
from graphmem.model.rows import bound_of, entity_from, episode_from, fact_from, qualifiers_of
from graphmem.model.search import Source
from graphmem.model.time import as_of, clamp

_NAMED = 1000
"""At most so many entities are named by one question."""
_POLARITY = {polarity.value: polarity for polarity in Polarity}
_ROLE = {role.value: role for role in Role}


def words(
    connection: sqlite3.Connection, sid: int, keys: Sequence[str], terms: Sequence[str]
) -> Words:
    """Return which entities have one of ``keys``, and how telling ``terms`` are."""
    named = connection.execute(
        sql("words.entities"), {"sid": sid, "keys": as_list(keys), "limit": _NAMED}
    )
    return Words(
        own=reads.self_entity(connection, sid),
        named=tuple(map(entity_from, named)),
        counts=term_counts(connection, sid, terms),
    )


def outlines(connection: sqlite3.Connection, sid: int, wanted: Sought) -> Outlines:
    """Return the candidates asked for that pass the filter."""
    known_at = wanted.filter.known_at
    at = as_of(known_at)
    clauses = filters.fact_clauses(wanted.filter)
    records = dict.fromkeys(wanted.records)
    if wanted.around and wanted.relations:
        listed = _tuples(
            connection,
            clauses.after("facts.related", filters.NEWEST_SAID),
            **clauses.values,
            sid=sid,
            around=as_list(sorted(wanted.around)),
            relations=as_list(sorted(wanted.relations)),
            limit=wanted.limit,
        )
        records.update((record, None) for record, *_ in listed)
    asked = {*wanted.turns}
    turns = _turns(connection, sid, [*wanted.turns, *_beside(connection, sid, wanted)], at)
    resting = as_list(sorted({fact for t in turns if t.id in asked for fact in t.facts}))
    values = {**clauses.values, "sid": sid, "at": at}
    rows = _tuples(connection, clauses.after("outline.resting"), **values, facts=resting)
    facts = [_fact(*row) for row in rows]
    for fact in facts:
        records.pop(fact.record, None)
    rows = _tuples(connection, clauses.after("outline.facts"), **values, records=as_list(records))
    facts += [_fact(*row) for row in rows]
    again = [fact.id for fact in facts if fact.claims > 1]
    if again:
        last = dict(
            _tuples(connection, sql("outline.last_said"), sid=sid, facts=as_list(again), at=at)
        )
        facts = [fact._replace(last_said=last.get(fact.id, fact.last_said)) for fact in facts]
    entities = connection.execute(
        sql("outline.entities"), {"sid": sid, "ids": as_list(dict.fromkeys(wanted.entities))}
    )
    return Outlines(
        facts=facts,
        turns=turns,
        entities=[entity_from(row) for row in entities],
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
        said_at,
    )


def _turns(
    connection: sqlite3.Connection, sid: int, ids: Sequence[str], at: int
) -> list[TurnOutline]:
    if not ids:
        return []
    asked = as_list(dict.fromkeys(ids))
    facts: dict[str, list[str]] = {}
    quoted: set[str] = set()
    for episode, quotes, fact in _tuples(
        connection, sql("outline.grounds"), sid=sid, ids=asked, at=at
    ):
        if quotes:
            quoted.add(episode)
        if fact is not None:
            facts.setdefault(episode, []).append(fact)
    return [
        TurnOutline(
            turn,
            session,
            occurred_at,
            place,
            _ROLE[role],
            speaker,
            content,
            tuple(facts.get(turn, ())),
            turn in quoted,
        )
        for turn, session, occurred_at, place, role, speaker, content in _tuples(
            connection, sql("outline.turns"), sid=sid, ids=asked
        )
    ]


def _beside(connection: sqlite3.Connection, sid: int, wanted: Sought) -> list[str]:
    """Return the turns beside those asked for, as far as they were not asked for themselves."""
    if not wanted.beside:
        return []
    known_at, agents = wanted.filter.known_at, wanted.filter.agents
    asked = set(wanted.turns)
    return [
        turn
        for (turn,) in _tuples(
            connection,
            sql("outline.beside"),
            sid=sid,
            ids=as_list(wanted.beside),
            known_at=None if known_at is None else clamp(known_at),
            agents=None if agents is None else as_list(sorted(agents)),
        )
        if turn not in asked
    ]


def _tuples(
    connection: sqlite3.Connection, statement: str, **values: str | float | None
) -> Iterable[tuple[Any, ...]]:  # Any: columns, in the order of the statement
    cursor = connection.cursor()
    cursor.row_factory = None
    return cursor.execute(statement, values)


def _named(
    connection: sqlite3.Connection, statement: str, **values: str | float | None
) -> list[dict[str, Any]]:  # Any: a column
    """Return rows of many columns as mappings, which find one sooner than SQLite's own rows."""
    cursor = connection.cursor()
    cursor.row_factory = None
    rows = cursor.execute(statement, values).fetchall()
    names = [column[0] for column in cursor.description]
    return [dict(zip(names, row, strict=True)) for row in rows]


def shown(
    connection: sqlite3.Connection,
    sid: int,
    records: Sequence[str],
    turns: Sequence[str],
    known_at: int | None,
) -> Shown:
    """Return all that is shown of some records and turns, as of ``known_at``."""
    at = as_of(known_at)
    rows = _named(connection, sql("facts.by_records"), sid=sid, ids=as_list(records))
    grounds: dict[str, list[Ground]] = {}
    for fact, *ground in _tuples(
        connection,
        sql("shown.grounds"),
        sid=sid,
        facts=as_list(dict.fromkeys(row["id"] for row in rows)),
        at=at,
    ):
        grounds.setdefault(fact, []).append(_ground(*ground))
    facts = {
        row["record"]: fact_from(
            row, tuple(one.claim for one in grounds.get(row["id"], ())), row["successor"]
        )
        for row in rows
    }
    ended = {fact.cause.claim for fact in facts.values() if fact.cause and fact.cause.claim}
    causes = (
        _tuples(connection, sql("shown.causes"), sid=sid, claims=as_list(sorted(ended)))
        if ended
        else ()
    )
    said = _named(connection, sql("shown.turns"), sid=sid, ids=as_list(turns)) if turns else ()
    return Shown(
        facts=facts,
        grounds=grounds,
        causes={claim: _ground(*ground) for claim, *ground in causes},
        turns={row["id"]: episode_from(row) for row in said},
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
