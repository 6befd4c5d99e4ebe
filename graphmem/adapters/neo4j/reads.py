"""Listings and look-ups of one scope, one statement each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from graphmem.adapters.neo4j.filters import fact_parameters
from graphmem.adapters.neo4j.names import indexed, sortable
from graphmem.adapters.neo4j.rows import (
    Node,
    clamp,
    fact_of,
    linked_of,
    withdrawals_of,
)
from graphmem.adapters.neo4j.tx import Found, Tx
from graphmem.errors import InputError
from graphmem.model.claim import LinkedClaim
from graphmem.model.cursors import Place, make_cursor, read_cursor
from graphmem.model.entity import Entity, Suggestion
from graphmem.model.episode import Episode
from graphmem.model.fact import Fact
from graphmem.model.rows import entity_from, episode_from, suggestion_from
from graphmem.model.search import EntityView, FactQuery, Page
from graphmem.model.time import FOREVER
from graphmem.ports.graph_store import EpisodeQuery

T = TypeVar("T")

PRESENT = FOREVER - 1
"""The last instant of the record axis: what is live now is live then."""
_MOST = 2**31


async def facts(tx: Tx, sid: str, query: FactQuery) -> Page[Fact]:
    """List fact records that pass, newest said first."""
    values = fact_parameters(query.filter)
    if query.subjects is None and query.objects is None:
        kind = "read/facts_live" if query.filter.known_at is None else "read/facts_known"
    else:
        kind = "read/facts_about"
        values |= _about(query)
    return await _page(
        tx,
        kind,
        {"sid": sid, **values},
        ("facts", query.limit, query.cursor),
        _fact,
        lambda fact: (fact.said.at, fact.said.turn, fact.said.place, fact.record),
    )


def _about(query: FactQuery) -> Found:
    """Return what a listing is about, and where it is looked for."""
    subjects, objects = (
        None if keys is None else sorted(keys) for keys in (query.subjects, query.objects)
    )
    # One side is looked up, or both where a subject may stand as object; the conditions decide.
    near = subjects if subjects is not None else objects
    far = near if query.either else []
    by_subject, by_object = (near, far) if subjects is not None else (far, near)
    return {
        "by_subject": by_subject,
        "by_object": by_object,
        "subjects": subjects,
        "objects": objects,
        "either": query.either,
        "either_of": None if query.either_of is None else sorted(query.either_of),
    }


async def episodes(tx: Tx, sid: str, query: EpisodeQuery) -> Page[Episode]:
    """List episodes, newest first, or those of one reading state oldest first."""
    newest = query.reading is None
    if query.ids is not None:
        kind = "read/episodes_by_id" if newest else "read/episodes_read_by_id"
    elif not newest:
        kind = "read/episodes_read"
    else:
        kind = "read/episodes" if query.session is None else "read/episodes_in_session"
    return await _page(
        tx,
        kind,
        {
            "sid": sid,
            "ids": None if query.ids is None else list(dict.fromkeys(query.ids)),
            "session": query.session,
            "session_key": indexed(query.session),
            "reading": None if query.reading is None else query.reading.value,
            "before": None if query.before is None else clamp(query.before),
        },
        ("episodes" if newest else "oldest", query.limit, query.cursor),
        lambda row: episode_from(Node(row)),
        lambda episode: (episode.occurred_at, episode.place, episode.id),
    )


async def entities(
    tx: Tx,
    sid: str,
    ids: Sequence[str] | None,
    keys: Sequence[str] | None,
    limit: int,
    cursor: str | None,
) -> Page[EntityView]:
    """List entities, newest first; merged ones only where asked for by id."""
    if ids is not None:
        kind = "read/entities_by_id"
    else:
        kind = "read/entities" if keys is None else "read/entities_by_key"
    return await _page(
        tx,
        kind,
        {
            "sid": sid,
            "ids": None if ids is None else list(dict.fromkeys(ids)),
            "keys": None if keys is None else list(dict.fromkeys(keys)),
        },
        ("entities", limit, cursor),
        lambda row: EntityView(entity=entity_from(Node(row["entity"])), facts=row["facts"]),
        lambda view: (view.entity.created_at, view.entity.key),
    )


async def _page(
    tx: Tx,
    kind: str,
    values: Found,
    asked: tuple[str, int, str | None],
    read: Callable[[Any], T],  # Any: a row of the page, as the statement gives it
    place: Callable[[T], Place],
) -> Page[T]:
    """Count what passes, and read a page of it."""
    listing, limit, cursor = asked
    if limit < 0:
        raise InputError(f"limit must not be negative: {limit}")
    after = None if cursor is None else [_compared(part) for part in read_cursor(listing, cursor)]
    most = min(limit, _MOST) + 1  # one more than asked for tells whether there is a next page
    (found,) = await tx.run(kind, **values, after=after, limit=most)
    items = tuple(read(row) for row in found["page"][:limit])
    if len(found["page"]) <= limit:
        return Page(items, found["total"])
    # A page of nothing, asked for to learn the total, ends where it began.
    return Page(items, found["total"], make_cursor(listing, place(items[-1])) if items else cursor)


def _compared(part: str | int) -> str | int:
    return sortable(part) if isinstance(part, str) else part


async def records(tx: Tx, sid: str, ids: Sequence[str]) -> list[Fact]:
    """Return fact records by record id, in the order asked for."""
    wanted = list(dict.fromkeys(ids))
    found = await tx.run("read/records", sid=sid, ids=wanted, known_at=None)
    by_record = {fact.record: fact for fact in (_fact(row["row"]) for row in found)}
    return [by_record[record] for record in wanted if record in by_record]


async def history(tx: Tx, sid: str, fact: str) -> list[Fact]:
    """Return every record of a fact id, oldest first."""
    found = await tx.run("read/history", sid=sid, fact=fact, known_at=None)
    return [_fact(row["row"]) for row in found]


def _fact(row: Found) -> Fact:
    return fact_of(row["fact"], row["evidence"], row["successor"])


async def claims(
    tx: Tx, sid: str, facts: Sequence[str], known_at: int | None
) -> dict[str, tuple[LinkedClaim, ...]]:
    """Return by fact id the claims it rests on at ``known_at``, in said order."""
    at = PRESENT if known_at is None else clamp(known_at)
    wanted = list(dict.fromkeys(facts))
    resting: dict[str, list[LinkedClaim]] = {fact: [] for fact in wanted}
    for row in await tx.run("read/evidence", sid=sid, facts=wanted, at=at):
        resting[row["fact"]].append(_linked(row, at))
    return {
        fact: tuple(sorted(linked, key=lambda one: (one.claim.said, one.claim.id)))
        for fact, linked in resting.items()
        if linked
    }


async def claims_by_id(tx: Tx, sid: str, ids: Sequence[str]) -> list[LinkedClaim]:
    """Return claims by id, in said order."""
    found = await tx.run("read/claims", sid=sid, ids=list(dict.fromkeys(ids)), at=PRESENT)
    linked = [_linked(row, PRESENT) for row in found]
    return sorted(linked, key=lambda one: (one.claim.said, one.claim.id))


def _linked(row: Found, at: int) -> LinkedClaim:
    spans = withdrawals_of(row["claim"])
    withdrawn = any(span.created_at <= at < span.expired_at for span in spans)
    return linked_of(row["claim"], row["link"], withdrawn)


async def suggestions(tx: Tx, sid: str) -> list[Suggestion]:
    """Return every suggestion, newest first."""
    (found,) = await tx.run("read/suggestions", sid=sid)
    return [suggestion_from(Node(row)) for row in found["rows"]]


async def self_entity(tx: Tx, sid: str) -> Entity | None:
    """Return the scope's own user."""
    found = await tx.run("read/self", sid=sid)
    return entity_from(Node(found[0]["entity"])) if found else None
