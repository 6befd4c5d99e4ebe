"""What a change leaves for the index: known from writing it, so that nobody need read it again."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from graphmem.adapters.sqlite.statements import sql
from graphmem.adapters.sqlite.things import things
from graphmem.model.claim import Claim
from graphmem.model.entity import Entity
from graphmem.model.episode import Episode
from graphmem.model.fact import Fact
from graphmem.model.scope import Scope
from graphmem.model.search import PointKind
from graphmem.model.touched import Touched
from graphmem.ports.graph_store import Due, Label, OutboxRow, Things, named

MOST = 64
"""Things of a change that are kept at hand; what touches more is read again."""


@dataclass(slots=True)
class Brought:
    """What a change brings that was not there, as it is stored, by id.

    ``facts`` are those with one record that rest on claims of this change alone; they name no
    claims, and ``labels`` are those of where these were said.
    """

    episodes: dict[str, Episode] = field(default_factory=dict[str, Episode])
    entities: dict[str, Entity] = field(default_factory=dict[str, Entity])
    claims: dict[str, Claim] = field(default_factory=dict[str, Claim])
    facts: dict[str, Fact] = field(default_factory=dict[str, Fact])
    labels: dict[str, tuple[Label, ...]] = field(default_factory=dict[str, tuple[Label, ...]])

    def bring(self, fact: Fact, claims: tuple[str, ...]) -> None:
        """Note a new fact, if all that it rests on was said in this change."""
        said_in: dict[Label, None] = {}
        for claim in claims:
            said = self.claims.get(claim)
            episode = said and self.episodes.get(said.episode)
            if episode is None:
                return
            if episode.session is not None or episode.agent is not None:
                said_in[Label(episode.session, episode.agent)] = None
        self.facts[fact.id] = fact
        if said_in:
            self.labels[fact.record] = tuple(said_in)

    def things(
        self, connection: sqlite3.Connection, sid: int, ids: Mapping[PointKind, Sequence[str]]
    ) -> Things:
        """Return what was touched as it is now; what was there before is read."""
        facts, episodes = ids[PointKind.FACT], ids[PointKind.CHUNK]
        entities = ids[PointKind.ENTITY]
        rest = things(
            connection,
            sid,
            [name for name in facts if name not in self.facts],
            [name for name in episodes if name not in self.episodes],
            [name for name in entities if name not in self.entities],
        )
        new = {name: (self.facts[name],) for name in facts if name in self.facts}
        labels = {
            record.record: self.labels[record.record]
            for (record,) in new.values()
            if record.record in self.labels
        }
        return Things(
            entities=(*(self.entities[e] for e in entities if e in self.entities), *rest.entities),
            episodes=(*(self.episodes[e] for e in episodes if e in self.episodes), *rest.episodes),
            records={**new, **rest.records},
            labels={**labels, **rest.labels},
        )


def left(
    connection: sqlite3.Connection,
    scope: Scope,
    change: tuple[int, int, int],
    touched: Touched,
    brought: Brought,
) -> Due | None:
    """Return all that waits in the outbox, where that is what this change wrote there.

    ``change`` is the row of the scope, the number and the record time. None where other rows wait
    too, or many.
    """
    size = len(touched)
    if not 0 < size <= MOST:
        return None
    waiting = connection.execute(sql("outbox.waiting"), {"limit": size + 1}).fetchall()
    told = [*touched]
    if [(kind, name) for _, kind, name in waiting] != [(k.value, name) for k, name, _ in told]:
        return None
    sid, number, at = change
    rows = tuple(
        OutboxRow(row[0], scope, kind, name, number, tuple(gone), at)
        for row, (kind, name, gone) in zip(waiting, told, strict=True)
    )
    return Due(rows, {scope: brought.things(connection, sid, named(rows)[scope])})
