"""Listings and look-ups of one scope, inside a read transaction."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from typing import TypeVar

from graphmem.adapters.sqlite import filters
from graphmem.adapters.sqlite.filters import Clauses, as_list
from graphmem.adapters.sqlite.rows import facts_of, linked_claims
from graphmem.adapters.sqlite.statements import sql
from graphmem.errors import InputError
from graphmem.model.claim import LinkedClaim
from graphmem.model.cursors import make_cursor
from graphmem.model.entity import Entity, Suggestion
from graphmem.model.episode import Episode
from graphmem.model.fact import Fact
from graphmem.model.rows import entity_from, episode_from, suggestion_from
from graphmem.model.search import EntityView, FactQuery, Page
from graphmem.model.time import as_of
from graphmem.ports.graph_store import EpisodeQuery

T = TypeVar("T")


def facts(connection: sqlite3.Connection, sid: int, query: FactQuery) -> Page[Fact]:
    """List fact records that pass, newest said first."""
    listing = _Listing(connection, sid, query.limit, query.cursor)
    known_at = query.filter.known_at
    kind, clauses = filters.query_clauses(query)
    return listing.page(
        kind,
        clauses,
        filters.NEWEST_SAID,
        "facts",
        lambda rows: facts_of(connection, rows, known_at),
        lambda fact: (fact.said.at, fact.said.turn, fact.said.place, fact.record),
    )


def episodes(connection: sqlite3.Connection, sid: int, query: EpisodeQuery) -> Page[Episode]:
    """List episodes, newest first, or those of one reading state oldest first."""
    listing = _Listing(connection, sid, query.limit, query.cursor)
    newest = query.reading is None
    return listing.page(
        "episodes",
        filters.episode_clauses(query),
        filters.NEWEST_EPISODE if newest else filters.OLDEST_EPISODE,
        "episodes" if newest else "oldest",
        lambda rows: [episode_from(row) for row in rows],
        lambda episode: (episode.occurred_at, episode.place, episode.id),
    )


def entities(
    connection: sqlite3.Connection,
    sid: int,
    ids: Sequence[str] | None,
    keys: Sequence[str] | None,
    limit: int,
    cursor: str | None,
) -> Page[EntityView]:
    """List entities, newest first; merged ones only where asked for by id."""
    clauses = Clauses()
    if ids is None:
        clauses.add(filters.NOT_MERGED)
    else:
        clauses.add(filters.ENTITY_IDS, ids=as_list(ids))
    if keys is not None:
        clauses.add(filters.ENTITY_KEYS, keys=as_list(keys))
    return _Listing(connection, sid, limit, cursor).page(
        "entities",
        clauses,
        filters.NEWEST_ENTITY,
        "entities",
        lambda rows: [EntityView(entity=entity_from(row), facts=row["facts"]) for row in rows],
        lambda view: (view.entity.created_at, view.entity.key),
    )


class _Listing:
    """One page of one listing."""

    def __init__(
        self, connection: sqlite3.Connection, sid: int, limit: int, cursor: str | None
    ) -> None:
        if limit < 0:
            raise InputError(f"limit must not be negative: {limit}")
        self._connection = connection
        self._sid = sid
        self._limit = limit
        self._cursor = cursor

    def page(
        self,
        kind: str,
        clauses: Clauses,
        order: str,
        listing: str,
        read: Callable[[list[sqlite3.Row]], list[T]],
        place: Callable[[T], tuple[str | int, ...]],
    ) -> Page[T]:
        """Count what passes, and read a page of it."""
        total = self._connection.execute(
            clauses.after(f"{kind}.count"), {"sid": self._sid, **clauses.values}
        ).fetchone()[0]
        filters.go_on(clauses, listing, self._cursor)
        rows = self._connection.execute(
            clauses.after(f"{kind}.select", order),
            # One more than asked for tells whether there is a next page.
            {"sid": self._sid, "limit": min(self._limit, 2**31) + 1, **clauses.values},
        ).fetchall()
        items = read(rows[: self._limit])
        if len(rows) <= self._limit:
            return Page(tuple(items), total)
        # A page of nothing, asked for to learn the total, ends where it began.
        cursor = make_cursor(listing, place(items[-1])) if items else self._cursor
        return Page(tuple(items), total, cursor)


def records(connection: sqlite3.Connection, sid: int, ids: Sequence[str]) -> list[Fact]:
    """Return fact records by record id, in the order asked for."""
    wanted = list(dict.fromkeys(ids))
    rows = connection.execute(sql("facts.by_records"), {"sid": sid, "ids": as_list(wanted)})
    return facts_of(connection, rows)


def history(connection: sqlite3.Connection, sid: int, fact: str) -> list[Fact]:
    """Return every record of a fact id, oldest first."""
    rows = connection.execute(sql("facts.history"), {"sid": sid, "fact": fact})
    return facts_of(connection, rows)


def claims(
    connection: sqlite3.Connection, sid: int, facts: Sequence[str], known_at: int | None
) -> dict[str, tuple[LinkedClaim, ...]]:
    """Return by fact id the claims it rests on at ``known_at``, in said order."""
    at = as_of(known_at)
    evidence: dict[str, list[str]] = {}
    for fact, claim in connection.execute(
        sql("facts.evidence"), {"sid": sid, "facts": as_list(dict.fromkeys(facts)), "at": at}
    ):
        evidence.setdefault(fact, []).append(claim)
    wanted = {claim for resting in evidence.values() for claim in resting}
    linked = linked_claims(connection, sid, wanted, at)
    places = {one.claim.id: place for place, one in enumerate(linked)}
    return {
        fact: tuple(linked[place] for place in sorted(places[claim] for claim in evidence[fact]))
        for fact in dict.fromkeys(facts)
        if fact in evidence
    }


def suggestions(connection: sqlite3.Connection, sid: int) -> list[Suggestion]:
    """Return every suggestion, newest first."""
    rows = connection.execute(sql("suggestions.all"), {"sid": sid})
    return [suggestion_from(row) for row in rows]


def self_entity(connection: sqlite3.Connection, sid: int) -> Entity | None:
    """Return the scope's own user."""
    row = connection.execute(sql("entities.self"), {"sid": sid}).fetchone()
    return None if row is None else entity_from(row)
