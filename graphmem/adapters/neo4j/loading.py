"""Exported rows written as they are, into one scope (``transfer`` gives them out).

What they name is asked for in one statement, so each batch is a handful of round trips. What is
there already is left; what does not fit is refused with its batch.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from graphmem.adapters.neo4j.adding import (
    add_episode,
    add_fact,
    add_revision,
    put_entity,
    rests_row,
)
from graphmem.adapters.neo4j.connection import Connection
from graphmem.adapters.neo4j.documents import Counts
from graphmem.adapters.neo4j.looking import look
from graphmem.adapters.neo4j.names import Vocabulary, indexed
from graphmem.adapters.neo4j.planned import Plan
from graphmem.adapters.neo4j.present import NOTHING, Present, wanted
from graphmem.adapters.neo4j.rows import (
    Withdrawn,
    claim_columns,
    link_columns,
    withdrawal_columns,
)
from graphmem.adapters.neo4j.tx import Tx
from graphmem.adapters.neo4j.writing import write
from graphmem.errors import TransferError
from graphmem.model.changes import Wanted
from graphmem.model.rows import (
    CANNOT_READ,
    Row,
    claim_from,
    entity_from,
    episode_from,
    fact_from,
    link_from,
    suggestion_from,
    suggestion_row,
    take_in,
)
from graphmem.model.scope import Scope
from graphmem.model.search import PointKind
from graphmem.model.time import FOREVER
from graphmem.model.touched import Touched


async def load(
    connection: Connection, vocabulary: Vocabulary, scope: Scope, rows: Sequence[Row]
) -> int:
    """Write exported rows; those already there are left. Return how many were new.

    Raises:
        TransferError: a row cannot be read, or does not fit what is there.
    """
    if not rows:
        return 0
    new = 0

    async def work(tx: Tx) -> None:
        nonlocal new
        # Where the acknowledgement of a commit was lost, the next try finds nothing new.
        new = max(new, await _load(tx, vocabulary, scope, rows))

    await connection.write(work, turn=scope.key)
    return new


async def _load(tx: Tx, vocabulary: Vocabulary, scope: Scope, rows: Sequence[Row]) -> int:
    locked = await look(tx, scope, Wanted())
    if not locked["alive"]:
        raise TransferError(f"the scope of user {scope.user!r} was erased meanwhile; load it again")
    sid = locked["sid"]
    try:
        asked = wanted(rows)  # one of no known kind is refused when its turn comes
    except CANNOT_READ as error:
        raise TransferError(f"a row cannot be read: {error!r}") from error
    fresh: bool = locked["fresh"]
    found = NOTHING
    if not fresh:  # else nothing can be there
        (found,) = await tx.run("transfer/there", sid=sid, forever=FOREVER, **asked)
    loader = _Loader(Present(found), vocabulary, locked["at"], locked["number"], fresh=fresh)
    new = sum([loader.put(row) for row in rows])
    plan = loader.plan
    plan.believed.causes = list(loader.causes)
    await write(
        tx,
        sid,
        plan,
        loader.counts,
        loader.touched,
        changes=loader.changes,
        number=loader.number,
        at=loader.at,
    )
    return new


class _Loader:
    """Plans rows of one scope, in the order of an export; ``there`` is kept up to date."""

    def __init__(
        self, there: Present, vocabulary: Vocabulary, at: int, number: int, *, fresh: bool
    ) -> None:
        self.plan = Plan()
        self.counts = Counts()
        self.touched = Touched()
        self.changes: list[dict[str, Any]] = []  # Any: properties
        self.causes: dict[str, None] = {}
        self.at = at
        self.number = number
        self._there = there
        self._vocabulary = vocabulary
        self._fresh = fresh
        self._puts: Mapping[str, Callable[[Row], bool]] = {
            "scope": self._scope,
            "episode": self._episode,
            "entity": self._entity,
            "claim": self._claim,
            "link": self._link,
            "withdrawal": self._withdrawal,
            "fact": self._fact,
            "rests": self._rests,
            "successor": self._successor,
            "suggestion": self._suggestion,
            "change": self._change,
        }

    def put(self, row: Row) -> bool:
        """Plan one row; return whether it was new.

        Raises:
            TransferError: it is of no known kind, cannot be read, or does not fit what is there.
        """
        return take_in(row, self._puts)

    def _scope(self, row: Row) -> bool:
        self.at, self.number = max(self.at, row["at"]), max(self.number, row["number"])
        fresh, self._fresh = self._fresh, False
        return fresh

    def _episode(self, row: Row) -> bool:
        episode, there = episode_from(row), self._there
        if episode.id in there.episodes:
            return False
        if episode.key is not None:
            _take(there.known_as, indexed(episode.key), f"the episode {episode.id!r} has a key")
        there.episodes.add(episode.id)
        add_episode(self.plan, self.counts, episode)
        self.touched.add(PointKind.CHUNK, episode.id)
        return True

    def _entity(self, row: Row) -> bool:
        entity, there = entity_from(row), self._there
        if entity.id in there.entities:
            return False
        _take(there.keys, entity.key, f"the entity {entity.id!r} has a key")
        if entity.is_self:
            _fit(there.own is None, f"the entity {entity.id!r} would be a second self")
            there.own = entity.id
        there.entities.add(entity.id)
        put_entity(self.plan, self.counts, self._vocabulary, entity)
        self.touched.add(PointKind.ENTITY, entity.id)
        return True

    def _claim(self, row: Row) -> bool:
        claim, there = claim_from(row), self._there
        if claim.id in there.claims:
            return False
        _fit(
            claim.episode in there.episodes,
            f"the claim {claim.id!r} was said in the episode {claim.episode!r}, which is not there",
        )
        there.claims.add(claim.id)
        there.linkable[claim.id] = claim
        columns = claim_columns(claim, row["created_at"], self._vocabulary)
        self.plan.said.claims.append({"episode": claim.episode, "properties": columns})
        return True

    def _link(self, row: Row) -> bool:
        link, there = link_from(row), self._there
        created_at, expired_at = _lasting(row)
        claim = there.linkable.get(link.claim)
        if claim is None:
            raise TransferError(f"a link names the claim {link.claim!r}, which is not there")
        if (link.claim, created_at) in there.links:
            return False
        there.links.add((link.claim, created_at))
        if expired_at >= FOREVER:
            _take(there.live_links, link.claim, f"the claim {link.claim!r} has a live link")
        columns = link_columns(claim, link, created_at, expired_at)
        self.plan.said.links.append(
            {"claim": link.claim, "subject": link.subject, "properties": columns}
        )
        return True

    def _withdrawal(self, row: Row) -> bool:
        claim = row["claim"]
        _fit(claim in self._there.claims, f"the withdrawn claim {claim!r} is not there")
        created_at, expired_at = _lasting(row)
        spans = self._there.withdrawn.setdefault(claim, [])
        if any(span.created_at == created_at for span in spans):
            return False
        spans.append(Withdrawn(created_at, expired_at, row["reason"]))
        spans.sort(key=lambda span: span.created_at)
        self.plan.said.withdrawals.append({"id": claim, "properties": withdrawal_columns(spans)})
        return True

    def _fact(self, row: Row) -> bool:
        fact, there = fact_from(row), self._there
        _, expired_at = _lasting(row)
        if fact.record in there.records:
            return False
        there.records.add(fact.record)
        if expired_at >= FOREVER:
            _take(there.live_facts, fact.id, f"the fact {fact.id!r} has a live record")
            add_fact(self.plan.believed, self.counts, self._vocabulary, fact)
            if fact.cause is not None and fact.cause.claim is not None:
                self.causes[fact.cause.claim] = None
        else:
            add_revision(self.plan.believed, self.counts, self._vocabulary, fact)
        self.touched.add(PointKind.FACT, fact.id)
        return True

    def _rests(self, row: Row) -> bool:
        fact, claim, there = row["fact"], row["claim"], self._there
        created_at, expired_at = _lasting(row)
        _fit(
            claim in there.claims,
            f"the fact {fact!r} rests on the claim {claim!r}, which is not there",
        )
        if (fact, claim, created_at) in there.rests:
            return False
        there.rests.add((fact, claim, created_at))
        if expired_at >= FOREVER:
            pair = (fact, claim)
            _take(there.live_rests, pair, f"the fact {fact!r} rests on the claim {claim!r}")
            self.causes[claim] = None
        self.plan.believed.rests.append(rests_row(fact, claim, created_at, expired_at))
        self.touched.add(PointKind.FACT, fact)
        return True

    def _successor(self, row: Row) -> bool:
        fact = row["fact"]
        if fact in self._there.gave_way:
            return False
        self._there.gave_way.add(fact)
        self.plan.believed.gave_way.append(
            {name: row[name] for name in ("fact", "successor", "created_at")}
        )
        return True

    def _suggestion(self, row: Row) -> bool:
        suggestion, there = suggestion_from(row), self._there
        if suggestion.id in there.suggestions:
            return False
        for entity in (suggestion.first, suggestion.second):
            _fit(
                entity in there.entities,
                f"the suggestion {suggestion.id!r} names the entity {entity!r}, which is not there",
            )
        there.suggestions.add(suggestion.id)
        self.plan.named.suggestions.append(
            {
                "first": suggestion.first,
                "second": suggestion.second,
                "properties": suggestion_row(suggestion),
            }
        )
        return True

    def _change(self, row: Row) -> bool:
        number, name = row["number"], row["change_id"]
        if number in self._there.changes:
            return False
        self._there.changes.add(number)
        key = None if name is None else indexed(name)
        if key is not None:
            _take(self._there.change_keys, key, f"the change {name!r} was committed")
        self.changes.append(
            {"number": number, "at": row["at"], "change_id": name, "change_key": key}
        )
        return True


def _lasting(row: Row) -> tuple[int, int]:
    created_at, expired_at = row["created_at"], row["expired_at"]
    _fit(expired_at > created_at, f"a {row['kind']} leaves before it enters: {dict(row)!r}")
    return created_at, expired_at


def _take(taken: set[Any], key: object, what: str) -> None:  # Any: ids, or pairs of them
    _fit(key not in taken, f"{what} already: {key!r}")
    taken.add(key)


def _fit(fits: bool, why: str) -> None:
    if not fits:
        raise TransferError(f"a row does not fit what is in the scope: {why}")
