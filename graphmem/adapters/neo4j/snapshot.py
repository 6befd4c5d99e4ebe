"""Reads what a decision wants, inside its transaction."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from graphmem.adapters.neo4j.families import seeks
from graphmem.adapters.neo4j.glance import alike
from graphmem.adapters.neo4j.looking import look, numbered
from graphmem.adapters.neo4j.rows import Node, Properties, fact_of, linked_of, withdrawals_of
from graphmem.adapters.neo4j.tails import tails_of
from graphmem.adapters.neo4j.tx import Found, Tx
from graphmem.model.changes import ClaimHistory, Family, Snapshot, Wanted
from graphmem.model.claim import LinkedClaim
from graphmem.model.entity import Entity, Suggestion
from graphmem.model.episode import Episode
from graphmem.model.fact import Fact
from graphmem.model.rows import (
    claim_from,
    entity_from,
    episode_from,
    link_from,
    suggestion_from,
)
from graphmem.model.scope import Scope
from graphmem.model.tail import Tail


class Reader:
    """Reads for the decisions of one transaction on one scope, whose lock it takes.

    Of a ``fresh`` scope, whose node it made, nothing is there to be read.
    """

    def __init__(self, tx: Tx, scope: Scope) -> None:
        self._tx = tx
        self._scope = scope
        self._sid = ""
        self._now = self._number = 0
        self._own: Entity | None = None
        self._fresh = False
        self._first: Found | None = None

    async def begin(self, wanted: Wanted, change_key: str) -> Found:
        """Take the lock, and read what is wanted first in the same statement; return what ``look``
        does."""
        locked = await look(self._tx, self._scope, wanted, change_key=change_key)
        self._first = locked
        self._sid, self._fresh = locked["sid"], locked["fresh"]
        own = locked["self"]
        self._own = None if own is None else entity_from(Node(own))
        return locked

    def stamp(self, now: int, number: int) -> None:
        """Set the record time and the number of the change."""
        self._now, self._number = now, number

    async def snapshot(self, wanted: Wanted) -> Snapshot:
        """Return what is wanted, without duplicates: one statement, but for what was wanted first,
        and a second one where a family is large, a merged entity is not the last of its line, or
        things that are alike are wanted."""
        first, self._first = self._first, None
        own = () if self._own is None else (self._own,)
        sent = Snapshot(now=self._now, number=self._number, entities=own)
        if self._fresh:
            return replace(sent, alike=tuple(() for _ in wanted.alike))
        if wanted.alike:
            sent = replace(sent, alike=tuple(await alike(self._tx, self._scope.key, wanted.alike)))
            wanted = replace(wanted, alike=())
        if wanted.empty:
            return sent
        if wanted.histories:
            sent = replace(sent, **await self._histories(wanted.histories))
            wanted = replace(wanted, histories=())
            if wanted.empty:
                return sent
        found = await self._look(wanted) if first is None else first
        large = [one for one in numbered(wanted) if one[0] not in set(found["small"])]
        tails = await tails_of(self._tx, self._sid, large)
        rest = [family for number, family in large if number not in tails]
        if rest:  # they are read whole after all, which asks for all their claims anyway
            more = await self._look(Wanted(families=tuple(rest)))
            found = {**found, **{name: found[name] + more[name] for name in ("claims", "facts")}}
        return replace(
            sent,
            episodes=_episodes(found),
            entities=await self._entities(found["entities"]),
            claims=_linked(found["claims"]),
            facts=_facts(found["facts"]),
            suggestions=_suggestions(found["suggestions"]),
            tails=_in_order(tails),
        )

    async def _look(self, wanted: Wanted) -> Found:
        return await look(self._tx, self._scope, wanted)

    async def _entities(self, rows: list[Properties]) -> tuple[Entity, ...]:
        """Return entities with those that took their place, whose line may be long."""
        found = {} if self._own is None else {self._own.id: self._own}
        while True:
            new = [entity_from(Node(row)) for row in rows]
            found.update((entity.id, entity) for entity in new)
            gone = {entity.merged_into for entity in new if entity.merged_into is not None}
            if not gone - found.keys():
                break
            look = await self._look(Wanted(entities=tuple(sorted(gone - found.keys()))))
            rows = look["entities"]
        return tuple(sorted(found.values(), key=lambda entity: (entity.created_at, entity.key)))

    async def _histories(self, families: Sequence[Family]) -> Found:
        (found,) = await self._tx.run("change/histories", sid=self._sid, **seeks(families).values())
        histories = [_history(row) for row in found["claims"]]
        histories.sort(key=lambda one: (one.claim.said, one.claim.id))
        return {"histories": tuple(histories), "records": _facts(found["records"])}


def _episodes(found: Found) -> tuple[Episode, ...]:
    episodes = [episode_from(Node(row)) for row in found["episodes"]]
    return tuple(sorted(episodes, key=lambda one: (one.occurred_at, one.place, one.id)))


def _linked(rows: Iterable[Found]) -> tuple[LinkedClaim, ...]:
    linked = {
        row["claim"]["id"]: linked_of(row["claim"], row["link"], row["withdrawn"]) for row in rows
    }
    return tuple(sorted(linked.values(), key=lambda one: (one.claim.said, one.claim.id)))


def _facts(rows: Iterable[Found]) -> tuple[Fact, ...]:
    facts = {
        row["fact"]["record"]: fact_of(row["fact"], row["evidence"], row["successor"])
        for row in rows
    }
    return tuple(sorted(facts.values(), key=lambda fact: (fact.said, fact.record)))


def _suggestions(rows: Iterable[Properties]) -> tuple[Suggestion, ...]:
    return tuple(suggestion_from(Node(row)) for row in rows)


def _in_order(tails: dict[int, Tail]) -> tuple[Tail, ...]:
    return tuple(tail for _, tail in sorted(tails.items(), key=lambda one: one[0]))


def _history(row: Found) -> ClaimHistory:
    node = Node(row["claim"])
    links = sorted((Node(link) for link in row["links"]), key=lambda link: link["created_at"])
    return ClaimHistory(
        claim_from(node),
        node["created_at"],
        tuple((link_from(link), link["created_at"], link["expired_at"]) for link in links),
        tuple((span.created_at, span.expired_at) for span in withdrawals_of(node)),
    )
