"""Listings and look-ups of one scope, by its key; one statement each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from graphmem.adapters.neo4j.filters import fact_parameters
from graphmem.adapters.neo4j.listing import Listing
from graphmem.adapters.neo4j.names import indexed
from graphmem.adapters.neo4j.rows import (
    Node,
    Properties,
    fact_of,
    linked_of,
    withdrawals_of,
)
from graphmem.adapters.neo4j.tx import Found, Tx
from graphmem.model.claim import LinkedClaim
from graphmem.model.cursors import Place
from graphmem.model.entity import Entity, Suggestion
from graphmem.model.episode import Episode
from graphmem.model.fact import Fact
from graphmem.model.rows import entity_from, episode_from, suggestion_from
from graphmem.model.search import EntityView, FactFilter, FactQuery, Page
from graphmem.model.time import LARGEST, PRESENT, as_of, clamp
from graphmem.ports.graph_store import EpisodeQuery


async def facts(tx: Tx, key: str, query: FactQuery) -> Page[Fact]:
    """List fact records that pass, newest said first."""
    listing = Listing.of("facts", query.limit, query.cursor)
    name, where = _way(query)
    (found,) = await tx.run(
        name,
        key=key,
        **where,
        **fact_parameters(query.filter),
        **listing.values,
        said_by=listing.begin(LARGEST),
    )
    return listing.page(
        found["total"],
        found["page"],
        _fact,
        lambda fact: (fact.said.at, fact.said.turn, fact.said.place, fact.record),
    )


def _way(query: FactQuery) -> tuple[str, Found]:
    """Return the statement that has least to read for a listing, and where it looks."""
    asked = query.filter
    if query.subjects is not None or query.objects is not None:
        some = asked.predicates is not None
        return "read/facts_related" if some else "read/facts_about", _about(query)
    if asked.sessions is not None or asked.agents is not None:
        return "read/facts_said", _said(asked)
    return "read/facts_live" if asked.known_at is None else "read/facts_known", {}


def _about(query: FactQuery) -> Found:
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


def _said(asked: FactFilter) -> Found:
    # Sessions are smaller than what an agent ever said; the conditions decide.
    agents = asked.agents if asked.sessions is None else None
    return {
        "session_keys": sorted(map(indexed, asked.sessions or ())),
        "agent_keys": sorted(map(indexed, agents or ())),
    }


async def episodes(tx: Tx, key: str, query: EpisodeQuery) -> Page[Episode]:
    """List episodes, newest first, or those of one reading state oldest first."""
    newest = query.reading is None
    listing = Listing.of("episodes" if newest else "oldest", query.limit, query.cursor)
    last = LARGEST if query.before is None else clamp(query.before) - 1
    values: Found = {
        "key": key,
        "session": query.session,
        "reading": None if query.reading is None else query.reading.value,
        "last": last,
    }
    if query.ids is not None:
        ids = list(dict.fromkeys(query.ids))
        (found,) = await tx.run("read/episodes_by_id", **values, ids=ids)
        return _among(listing, map(_episode, found["rows"]), newest=newest)
    if not newest:
        kind, begin = "read/episodes_read", listing.begin(-LARGEST - 1)
    else:
        kind = "read/episodes" if query.session is None else "read/episodes_in_session"
        begin = min(listing.begin(last), last)
    (found,) = await tx.run(
        kind, **values, **listing.values, session_key=indexed(query.session), begin=begin
    )
    return listing.page(found["total"], found["page"], _episode, _place)


def _episode(row: Properties) -> Episode:
    return episode_from(Node(row))


def _place(episode: Episode) -> Place:
    return episode.occurred_at, episode.place, episode.id


def _among(listing: Listing, found: Iterable[Episode], *, newest: bool) -> Page[Episode]:
    """Return a page of episodes that were all read."""
    said = sorted(found, key=_place, reverse=newest)
    left = said
    if listing.after is not None:
        after = listing.after
        left = [one for one in said if (_place(one) < after if newest else _place(one) > after)]
    return listing.page(len(said), left, lambda one: one, _place)


async def entities(
    tx: Tx,
    key: str,
    ids: Sequence[str] | None,
    keys: Sequence[str] | None,
    limit: int,
    cursor: str | None,
) -> Page[EntityView]:
    """List entities, newest first; merged ones only where asked for by id."""
    listing = Listing.of("entities", limit, cursor)
    if ids is not None:
        kind = "read/entities_by_id"
    else:
        kind = "read/entities" if keys is None else "read/entities_by_key"
    (found,) = await tx.run(
        kind,
        key=key,
        ids=None if ids is None else list(dict.fromkeys(ids)),
        keys=None if keys is None else list(dict.fromkeys(keys)),
        created_by=listing.begin(LARGEST),
        **listing.values,
    )
    return listing.page(
        found["total"],
        found["page"],
        lambda row: EntityView(entity=entity_from(Node(row["entity"])), facts=row["facts"]),
        lambda view: (view.entity.created_at, view.entity.key),
    )


async def records(tx: Tx, key: str, ids: Sequence[str]) -> list[Fact]:
    """Return fact records by record id, in the order asked for."""
    wanted = list(dict.fromkeys(ids))
    (found,) = await tx.run("read/records", key=key, ids=wanted, known_at=None)
    return [_fact(row) for row in found["rows"]]


async def history(tx: Tx, key: str, fact: str) -> list[Fact]:
    """Return every record of a fact id, oldest first."""
    (found,) = await tx.run("read/history", key=key, fact=fact, known_at=None)
    return [_fact(row) for row in found["rows"]]


def _fact(row: Found) -> Fact:
    return fact_of(row["fact"], row["evidence"], row["successor"])


async def claims(
    tx: Tx, key: str, facts: Sequence[str], known_at: int | None
) -> dict[str, tuple[LinkedClaim, ...]]:
    """Return by fact id the claims it rests on at ``known_at``, in said order."""
    at = as_of(known_at)
    wanted = list(dict.fromkeys(facts))
    resting: dict[str, list[LinkedClaim]] = {fact: [] for fact in wanted}
    (found,) = await tx.run("read/evidence", key=key, facts=wanted, at=at)
    for row in found["rows"]:
        resting[row["fact"]].append(_linked(row, at))
    return {fact: tuple(linked) for fact, linked in resting.items() if linked}


async def claims_by_id(tx: Tx, key: str, ids: Sequence[str]) -> list[LinkedClaim]:
    """Return claims by id, in said order."""
    (found,) = await tx.run("read/claims", key=key, ids=list(dict.fromkeys(ids)), at=PRESENT)
    return [_linked(row, PRESENT) for row in found["rows"]]


def _linked(row: Found, at: int) -> LinkedClaim:
    spans = withdrawals_of(row["claim"])
    withdrawn = any(span.created_at <= at < span.expired_at for span in spans)
    return linked_of(row["claim"], row["link"], withdrawn)


async def suggestions(tx: Tx, key: str) -> list[Suggestion]:
    """Return every suggestion, newest first."""
    (found,) = await tx.run("read/suggestions", key=key)
    return [suggestion_from(Node(row)) for row in found["rows"]]


async def self_entity(tx: Tx, key: str) -> Entity | None:
    """Return the scope's own user."""
    found = await tx.run("read/self", key=key)
    return entity_from(Node(found[0]["entity"])) if found else None
