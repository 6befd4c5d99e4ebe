"""Writes a change set, whole or not at all."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any, TypeVar

from graphmem.adapters.sqlite import documents, outbox
from graphmem.adapters.sqlite.erase import Eraser
from graphmem.adapters.sqlite.filters import as_list
from graphmem.adapters.sqlite.left import Brought, left
from graphmem.adapters.sqlite.records import insert_fact, require_claims
from graphmem.adapters.sqlite.rows import link_columns
from graphmem.adapters.sqlite.statements import sql
from graphmem.errors import RefusedError
from graphmem.model.changes import ChangeSet, GaveWay, ReadMark, Rests, Withdrawal
from graphmem.model.claim import Claim
from graphmem.model.entity import Entity, Suggestion
from graphmem.model.episode import Episode
from graphmem.model.fact import Fact
from graphmem.model.refusals import refuse_broken
from graphmem.model.rows import (
    claim_from,
    claim_row,
    entity_row,
    episode_row,
    suggestion_row,
)
from graphmem.model.scope import Scope
from graphmem.model.search import PointKind
from graphmem.model.time import FOREVER
from graphmem.model.touched import Touched
from graphmem.ports.graph_store import Due

T = TypeVar("T")

_SAME_RECORD = 2
"""What ``fact.known`` gives where the very record is there."""


class Writer:
    """Writes into one scope at one record time, inside the caller's transaction."""

    def __init__(self, connection: sqlite3.Connection, sid: int, now: int, number: int) -> None:
        self._connection = connection
        self._sid = sid
        self._now = now
        self._number = number
        self._touched = Touched()
        self._brought = Brought()

    def apply(self, changes: ChangeSet) -> None:
        """Write ``changes`` and their outbox rows.

        Raises:
            RefusedError: they break a rule; the caller rolls back.
        """
        refuse_broken(changes)
        if changes.erased is not None:
            Eraser(self._connection, self._sid, self._touched).erase(changes.erased)
        _each(self._add_episode, changes.episodes)
        _each(self._mark, changes.reads)
        _each(self._put_entity, changes.entities)
        _each(self._add_claim, changes.claims)
        self._put_links(changes)
        _each(self._withdraw, changes.withdrawals)
        _each(self._give_way, changes.gave_way)
        more = {rests.fact for rests in changes.rests if rests.more}
        for fact in changes.facts:
            self._put_fact(fact, keeps=fact.id in more)
        _each(self._rest, changes.rests)
        _each(self._put_suggestion, changes.suggestions)
        outbox.write(self._connection, self._sid, self._number, self._touched)

    def left(self, scope: Scope) -> Due | None:
        """Return all that waits for the index, where that is what was applied here and not much."""
        change = (self._sid, self._number, self._now)
        return left(self._connection, scope, change, self._touched, self._brought)

    def _execute(self, name: str, /, **values: str | float | None) -> sqlite3.Cursor:
        return self._connection.execute(sql(name), {"sid": self._sid, **values})

    def _scalar(self, name: str, /, **values: str | float | None) -> Any:  # Any: a column
        row = self._execute(name, **values).fetchone()
        return None if row is None else row[0]

    def _add_episode(self, episode: Episode) -> None:
        stamped = replace(episode, created_at=self._now)
        try:
            row = self._execute("episode.insert", **episode_row(stamped)).lastrowid
        except sqlite3.IntegrityError as error:
            raise RefusedError(
                f"the episode {episode.id!r} (known by {episode.key!r}) is there already; a turn "
                "is stored once"
            ) from error
        if row is not None:
            documents.put_episode(self._connection, self._sid, row, stamped)
        self._brought.episodes[episode.id] = stamped
        self._touched.add(PointKind.CHUNK, episode.id)

    def _mark(self, mark: ReadMark) -> None:
        marked = self._execute(
            "episode.mark", id=mark.episode, reading=mark.reading.value, reason=mark.reason
        )
        if not marked.rowcount:
            raise RefusedError(f"no episode {mark.episode!r} to mark as {mark.reading.value}")
        self._brought.episodes.pop(mark.episode, None)

    def _put_entity(self, entity: Entity) -> None:
        holder = self._scalar("entity.holder", key=entity.key)
        if holder is not None and holder != entity.id:
            raise RefusedError(f"the entity key {entity.key!r} is taken by {holder!r}")
        row = self._scalar("entity.row", id=entity.id)
        gone: set[str] = set()
        if row is None:
            stamped = replace(entity, created_at=self._now)
            row = self._execute("entity.insert", **entity_row(stamped)).lastrowid
            self._brought.entities[entity.id] = stamped
        else:
            columns = entity_row(entity)
            del columns["created_at"]  # what is there keeps its own
            self._execute("entity.update", **columns)
            self._brought.entities.pop(entity.id, None)
            for name in ("entity_name.clear", "entity_word.clear"):
                self._connection.execute(sql(name), {"entity": row})
            gone.update(documents.clear(self._connection, self._sid, PointKind.ENTITY, row))
        if row is not None:
            documents.name_entity(self._connection, self._sid, row, entity)
        if entity.merged_into is None:
            gone.clear()
        self._touched.add(PointKind.ENTITY, entity.id, gone=gone)

    def _add_claim(self, claim: Claim) -> None:
        known = claim.episode in self._brought.episodes
        if not known and self._scalar("episode.row", id=claim.episode) is None:
            raise RefusedError(
                f"the claim {claim.id!r} was said in the episode {claim.episode!r}, which is not "
                "there (it may have been erased meanwhile)"
            )
        try:
            self._execute("claim.insert", **claim_row(claim, self._now))
        except sqlite3.IntegrityError as error:
            raise RefusedError(f"the claim {claim.id!r} is there already") from error
        self._brought.claims[claim.id] = claim

    def _put_links(self, changes: ChangeSet) -> None:
        new = {claim.id: claim for claim in changes.claims}
        for link in changes.links:
            claim = new.get(link.claim)
            if claim is None:
                row = self._execute("claim.get", id=link.claim).fetchone()
                if row is None:
                    raise RefusedError(f"no claim {link.claim!r} to link in this scope")
                claim = claim_from(row)
                self._execute("link.drop_new", claim=link.claim, now=self._now)
                self._execute("link.end", claim=link.claim, now=self._now)
            self._execute("link.insert", **link_columns(claim, link, self._now, FOREVER))

    def _withdraw(self, withdrawal: Withdrawal) -> None:
        if self._scalar("claim.row", id=withdrawal.claim) is None:
            raise RefusedError(f"no claim {withdrawal.claim!r} to withdraw in this scope")
        live = self._execute("withdrawal.live", claim=withdrawal.claim).fetchone()
        if live is None and not withdrawal.lifted:
            self._execute(
                "withdrawal.insert",
                claim=withdrawal.claim,
                reason=withdrawal.reason,
                created_at=self._now,
                expired_at=FOREVER,
            )
        elif live is not None and withdrawal.lifted:
            self._end("withdrawal", live)

    def _end(self, kind: str, live: sqlite3.Row) -> None:
        """End a live row now; one that began now was never to be seen, so it goes."""
        if live["created_at"] >= self._now:
            self._connection.execute(sql(f"{kind}.drop"), {"row": live["row"]})
        else:
            self._connection.execute(sql(f"{kind}.end"), {"row": live["row"], "now": self._now})

    def _put_fact(self, fact: Fact, *, keeps: bool) -> None:
        known = self._scalar("fact.known", fact=fact.id, record=fact.record)
        if known == _SAME_RECORD:
            raise RefusedError(f"the fact record {fact.record!r} is there already")
        if known:
            self._end_fact(fact.id)
        stamped = replace(fact, created_at=self._now, expired_at=FOREVER, claims=())
        insert_fact(self._connection, self._sid, stamped)
        self._touched.keep(PointKind.FACT, fact.id, fact.record)
        if known:
            self._execute("successor.clear", fact=fact.id)
        else:
            self._brought.bring(stamped, fact.claims)
        if not keeps:
            self._rest_on(fact.id, fact.claims, afresh=not known)

    def _end_fact(self, fact: str) -> None:
        live = self._execute("fact.live", fact=fact).fetchone()
        if live is None:
            return
        if live["created_at"] >= self._now:
            gone = documents.clear(self._connection, self._sid, PointKind.FACT, live["row"])
            self._touched.add(PointKind.FACT, fact, gone=set(gone))
        self._end("fact", live)

    def _rest(self, rests: Rests) -> None:
        if self._scalar("fact.live", fact=rests.fact) is None:
            raise RefusedError(f"no live fact {rests.fact!r} to change the evidence of")
        self._brought.facts.pop(rests.fact, None)
        if rests.more:
            self._rest_more(rests)
        else:
            self._rest_on(rests.fact, rests.claims)
            self._touched.add(PointKind.FACT, rests.fact)

    def _rest_more(self, rests: Rests) -> None:
        """Add evidence; the fact's point changes only by a label that no other evidence has."""
        self._require_claims(rests.fact, rests.claims)
        claims = as_list(rests.claims)
        if self._scalar("rest.new_label", fact=rests.fact, claims=claims) is not None:
            self._touched.add(PointKind.FACT, rests.fact)
        for claim in rests.claims:
            self._add_rest(rests.fact, claim)

    def _add_rest(self, fact: str, claim: str) -> None:
        self._execute(
            "rest.insert", fact=fact, claim=claim, created_at=self._now, expired_at=FOREVER
        )

    def _rest_on(self, fact: str, claims: tuple[str, ...], *, afresh: bool = False) -> None:
        """Open and end links so that the live ones are exactly ``claims``.

        ``afresh`` says that the fact rests on none yet.
        """
        rows = () if afresh else self._execute("rest.live", fact=fact)
        live = {row["claim"]: row["created_at"] for row in rows}
        added = [claim for claim in dict.fromkeys(claims) if claim not in live]
        self._require_claims(fact, added)
        for claim in added:
            self._add_rest(fact, claim)
        for claim in live.keys() - set(claims):
            name = "rest.drop_new" if live[claim] >= self._now else "rest.end"
            self._execute(name, fact=fact, claim=claim, now=self._now)

    def _require_claims(self, fact: str, claims: Iterable[str]) -> None:
        unsure = [claim for claim in claims if claim not in self._brought.claims]
        if unsure:
            require_claims(self._connection, self._sid, fact, unsure)

    def _give_way(self, gave_way: GaveWay) -> None:
        self._end_fact(gave_way.fact)
        self._rest_on(gave_way.fact, ())
        if gave_way.successor is not None:
            self._execute(
                "successor.put",
                fact=gave_way.fact,
                successor=gave_way.successor,
                created_at=self._now,
            )
        self._touched.add(PointKind.FACT, gave_way.fact)

    def _put_suggestion(self, suggestion: Suggestion) -> None:
        self._execute("suggestion.put", **suggestion_row(replace(suggestion, created_at=self._now)))


def _each(write: Callable[[T], None], values: tuple[T, ...]) -> None:
    for value in values:
        write(value)
