"""Plans how a change set is written: pure, from what is there, in the order of its parts.

Whatever breaks a rule is refused here; the caller rolls back.
"""

from __future__ import annotations

from dataclasses import replace

from graphmem.adapters.neo4j.adding import add_episode, put_entity
from graphmem.adapters.neo4j.believing import Believer
from graphmem.adapters.neo4j.documents import Counts
from graphmem.adapters.neo4j.names import Vocabulary, indexed
from graphmem.adapters.neo4j.planned import Plan
from graphmem.adapters.neo4j.rows import (
    Withdrawn,
    claim_columns,
    link_columns,
    withdrawal_columns,
)
from graphmem.adapters.neo4j.there import There
from graphmem.errors import RefusedError
from graphmem.model.changes import ChangeSet, ReadMark, Withdrawal
from graphmem.model.claim import Claim
from graphmem.model.entity import Entity, Suggestion
from graphmem.model.episode import Episode
from graphmem.model.refusals import refuse_broken
from graphmem.model.rows import suggestion_row
from graphmem.model.search import PointKind
from graphmem.model.time import FOREVER
from graphmem.model.touched import Touched


class Writer:
    """Plans for one scope at one record time; what it writes is noted in ``counts`` and
    ``touched``."""

    def __init__(
        self, there: There, now: int, vocabulary: Vocabulary, counts: Counts, touched: Touched
    ) -> None:
        self._there = there
        self._now = now
        self._vocabulary = vocabulary
        self._counts = counts
        self._touched = touched
        self._plan = Plan()

    def plan(self, changes: ChangeSet) -> Plan:
        """Return the rows that write ``changes``.

        Raises:
            RefusedError: they break a rule.
        """
        believer = Believer(
            self._there,
            self._now,
            self._vocabulary,
            self._plan.believed,
            self._counts,
            self._touched,
        )
        refuse_broken(changes)
        believer.rebuild(() if changes.erased is None else changes.erased.records)
        for episode in changes.episodes:
            self._add_episode(episode)
        for mark in changes.reads:
            self._mark(mark)
        for entity in {entity.id: entity for entity in changes.entities}.values():
            self._put_entity(entity)
        for claim in changes.claims:
            self._add_claim(claim)
        self._put_links(changes)
        for withdrawal in changes.withdrawals:
            self._withdraw(withdrawal)
        believer.believe(changes)
        for suggestion in {one.id: one for one in changes.suggestions}.values():
            self._put_suggestion(suggestion)
        return self._plan

    def _add_episode(self, episode: Episode) -> None:
        there, key = self._there, indexed(episode.key)
        if episode.id in there.episodes or (episode.key is not None and key in there.keys):
            raise RefusedError(
                f"the episode {episode.id!r} (known by {episode.key!r}) is there already; a turn "
                "is stored once"
            )
        there.episodes.add(episode.id)
        there.keys.add(key)
        stamped = replace(episode, created_at=self._now)
        add_episode(self._plan, self._counts, stamped)
        self._touched.add(PointKind.CHUNK, episode.id)

    def _mark(self, mark: ReadMark) -> None:
        if mark.episode not in self._there.episodes:
            raise RefusedError(f"no episode {mark.episode!r} to mark as {mark.reading.value}")
        self._plan.said.reads.append(
            {"id": mark.episode, "reading": mark.reading.value, "reason": mark.reason}
        )

    def _put_entity(self, entity: Entity) -> None:
        there = self._there
        holder = there.holders.setdefault(entity.key, entity.id)
        if holder != entity.id:
            raise RefusedError(f"the entity key {entity.key!r} is taken by {holder!r}")
        self._take_self(entity)
        old = there.entities.get(entity.id)
        created_at = self._now if old is None else old["entity"]["created_at"]
        stamped = replace(entity, created_at=created_at)
        columns = put_entity(self._plan, self._counts, self._vocabulary, stamped, old)
        there.entities.setdefault(entity.id, {"entity": columns})
        left = () if entity.merged_into is None or old is None else (entity.id,)
        self._touched.add(PointKind.ENTITY, entity.id, gone=left)

    def _take_self(self, entity: Entity) -> None:
        if not entity.is_self:
            return
        if self._there.own not in (None, entity.id):
            raise RefusedError(
                f"the entity {entity.id!r} would be a second self beside {self._there.own!r}"
            )
        self._there.own = entity.id

    def _add_claim(self, claim: Claim) -> None:
        if claim.episode not in self._there.episodes:
            raise RefusedError(
                f"the claim {claim.id!r} was said in the episode {claim.episode!r}, which is not "
                "there (it may have been erased meanwhile)"
            )
        if claim.id in self._there.claims:
            raise RefusedError(f"the claim {claim.id!r} is there already")
        self._there.claims.add(claim.id)
        self._plan.said.claims.append(
            {
                "episode": claim.episode,
                "properties": claim_columns(claim, self._now, self._vocabulary),
            }
        )

    def _put_links(self, changes: ChangeSet) -> None:
        new = {claim.id: claim for claim in changes.claims}
        for link in {link.claim: link for link in changes.links}.values():
            claim = new.get(link.claim) or self._there.linked.get(link.claim)
            if claim is None:
                raise RefusedError(f"no claim {link.claim!r} to link in this scope")
            since = self._there.live_links.get(claim.id)
            if since is not None:
                said = self._plan.said
                ended = said.links_gone if since >= self._now else said.links_ended
                ended.append({"claim": claim.id, "at": self._now})
            self._plan.said.links.append(
                {
                    "claim": claim.id,
                    "subject": link.subject,
                    "properties": link_columns(claim, link, self._now, FOREVER),
                }
            )

    def _withdraw(self, withdrawal: Withdrawal) -> None:
        if withdrawal.claim not in self._there.claims:
            raise RefusedError(f"no claim {withdrawal.claim!r} to withdraw in this scope")
        spans = self._there.withdrawn.setdefault(withdrawal.claim, [])
        live = bool(spans) and spans[-1].expired_at >= FOREVER
        if live is not withdrawal.lifted:
            return
        if not live:
            spans.append(Withdrawn(self._now, FOREVER, withdrawal.reason))
        elif spans[-1].created_at >= self._now:
            spans.pop()  # it was never to be seen
        else:
            spans[-1] = spans[-1]._replace(expired_at=self._now)
        self._plan.said.withdrawals.append(
            {"id": withdrawal.claim, "properties": withdrawal_columns(spans)}
        )

    def _put_suggestion(self, suggestion: Suggestion) -> None:
        for entity in (suggestion.first, suggestion.second):
            if entity not in self._there.entities:
                raise RefusedError(
                    f"the suggestion {suggestion.id!r} names the entity {entity!r}, which is not "
                    "there"
                )
        created_at = self._there.suggestions.get(suggestion.id, self._now)
        self._plan.named.suggestions_gone.append(suggestion.id)
        self._plan.named.suggestions.append(
            {
                "first": suggestion.first,
                "second": suggestion.second,
                "properties": suggestion_row(replace(suggestion, created_at=created_at)),
            }
        )
