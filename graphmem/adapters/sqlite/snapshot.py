"""Reads what a decision wants, inside its transaction."""

from __future__ import annotations

import sqlite3
from collections import defaultdict

from graphmem.adapters.sqlite.filters import as_list
from graphmem.adapters.sqlite.glance import alike
from graphmem.adapters.sqlite.reads import self_entity
from graphmem.adapters.sqlite.rows import facts_of, linked_claims
from graphmem.adapters.sqlite.statements import sql
from graphmem.adapters.sqlite.tails import tail_of
from graphmem.model.changes import ClaimHistory, Family, Snapshot, Wanted
from graphmem.model.claim import Link
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
from graphmem.model.tail import Tail
from graphmem.model.time import FOREVER

_ALL_RECORDS = 0  # every record interval ends later than this
_LIVE_RECORDS = FOREVER


class Reader:
    """Reads for the decisions of one transaction on one scope."""

    def __init__(self, connection: sqlite3.Connection, sid: int, now: int, number: int) -> None:
        self._connection = connection
        self._sid = sid
        self._now = now
        self._number = number
        # Nothing is written before a decision is made, so it is read once.
        self._own = self_entity(connection, sid)

    def snapshot(self, wanted: Wanted) -> Snapshot:
        """Return what is wanted, without duplicates."""
        tails, families = self._tails(wanted)
        facts = self._facts(wanted, families)
        claims = set(wanted.claims)
        for family in families:
            claims |= self._family_ids(family, "claims", _LIVE_RECORDS)
        for entity in wanted.touching:
            claims |= self._ids("touching.claims", entity=entity)
        if wanted.said_in:
            claims |= self._ids("claims.said_in", episodes=as_list(wanted.said_in))
        asked = frozenset(wanted.facts)
        claims.update(claim for fact in facts if fact.id in asked for claim in fact.claims)
        histories, records = self._histories(wanted.histories)
        return Snapshot(
            now=self._now,
            number=self._number,
            episodes=self._episodes(wanted),
            entities=self._entities(wanted),
            claims=linked_claims(self._connection, self._sid, claims),
            facts=facts,
            suggestions=self._suggestions() if wanted.suggestions else (),
            histories=histories,
            records=records,
            tails=tails,
            alike=tuple(alike(self._connection, self._sid, wanted.alike)),
        )

    def _tails(self, wanted: Wanted) -> tuple[tuple[Tail, ...], tuple[Family, ...]]:
        """Return the tails that will do, and the families that are read whole."""
        tails: list[Tail] = []
        whole = list(wanted.families)
        for family in wanted.tails:
            tail = tail_of(self._connection, self._sid, family, wanted.few)
            if tail is None:
                whole.append(family)
            else:
                tails.append(tail)
        return tuple(tails), tuple(whole)

    def _ids(self, name: str, /, **values: str | int | None) -> set[str]:
        return {row[0] for row in self._connection.execute(sql(name), {"sid": self._sid, **values})}

    def _family_ids(self, family: Family, kind: str, alive: int) -> set[str]:
        """Return what the statements of a family give: ids of claims, or of fact records."""
        values = {"subject": family.subject, "predicate": family.predicate, "alive": alive}
        if family.object is not None:
            part = "pair" if family.either else "object"
            return self._ids(f"family.{kind}_{part}", **values, object=family.object)
        found = self._ids(f"family.{kind}", **values)
        if family.either:
            found |= self._ids(f"family.{kind}_either", **values)
        return found

    def _episodes(self, wanted: Wanted) -> tuple[Episode, ...]:
        if not (wanted.episode_keys or wanted.episodes):
            return ()
        found = self._connection.execute(
            sql("episodes.wanted"),
            {
                "sid": self._sid,
                "keys": as_list(wanted.episode_keys),
                "ids": as_list(wanted.episodes),
            },
        )
        return tuple(episode_from(row) for row in found)

    def _entities(self, wanted: Wanted) -> tuple[Entity, ...]:
        found: dict[str, Entity] = {}
        if self._own is not None:
            found[self._own.id] = self._own
        keys, ids = wanted.entity_keys, list(wanted.entities)
        while keys or ids:
            rows = self._connection.execute(
                sql("entities.wanted"),
                {"sid": self._sid, "keys": as_list(keys), "ids": as_list(ids)},
            )
            new = [entity_from(row) for row in rows]
            found.update((entity.id, entity) for entity in new)
            successors = {entity.merged_into for entity in new if entity.merged_into is not None}
            keys, ids = (), sorted(successors - found.keys())
            if not new:
                break
        return tuple(sorted(found.values(), key=lambda entity: (entity.created_at, entity.id)))

    def _facts(self, wanted: Wanted, families: tuple[Family, ...]) -> tuple[Fact, ...]:
        records: set[str] = set()
        for family in families:
            records |= self._family_ids(family, "facts", _LIVE_RECORDS)
        for entity in wanted.touching:
            records |= self._ids("touching.facts", entity=entity)
        if wanted.facts:
            records |= self._ids("facts.live_records", ids=as_list(wanted.facts))
        return self._records(records)

    def _records(self, records: set[str]) -> tuple[Fact, ...]:
        if not records:
            return ()
        found = self._connection.execute(
            sql("facts.by_records"), {"sid": self._sid, "ids": as_list(sorted(records))}
        )
        facts = facts_of(self._connection, found)
        return tuple(sorted(facts, key=lambda fact: (fact.said, fact.record)))

    def _suggestions(self) -> tuple[Suggestion, ...]:
        found = self._connection.execute(sql("suggestions.all"), {"sid": self._sid})
        return tuple(suggestion_from(row) for row in found)

    def _histories(
        self, families: tuple[Family, ...]
    ) -> tuple[tuple[ClaimHistory, ...], tuple[Fact, ...]]:
        claims: set[str] = set()
        records: set[str] = set()
        for family in families:
            claims |= self._family_ids(family, "claims", _ALL_RECORDS)
            records |= self._family_ids(family, "facts", _ALL_RECORDS)
        if not claims:
            return (), self._records(records)
        values = {"sid": self._sid, "ids": as_list(sorted(claims))}
        links: defaultdict[str, list[tuple[Link, int, int]]] = defaultdict(list)
        for row in self._connection.execute(sql("claims.links"), values):
            links[row["claim"]].append((link_from(row), row["created_at"], row["expired_at"]))
        withdrawals: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
        for row in self._connection.execute(sql("claims.withdrawals"), values):
            withdrawals[row["claim"]].append((row["created_at"], row["expired_at"]))
        histories = tuple(
            ClaimHistory(
                claim_from(row),
                row["created_at"],
                tuple(links[row["id"]]),
                tuple(withdrawals[row["id"]]),
            )
            for row in self._connection.execute(sql("claims.by_ids"), values)
        )
        return histories, self._records(records)
