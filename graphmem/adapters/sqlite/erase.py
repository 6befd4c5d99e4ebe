"""Removes rows for good inside a change, and what was rebuilt from what remains is put in place."""

from __future__ import annotations

import sqlite3

from graphmem.adapters.sqlite import documents
from graphmem.adapters.sqlite.records import insert_rebuilt
from graphmem.adapters.sqlite.statements import sql
from graphmem.errors import RefusedError
from graphmem.model.changes import Blanked, Erased
from graphmem.model.claim import Claim
from graphmem.model.rows import episode_from
from graphmem.model.search import PointKind
from graphmem.model.touched import Touched

ERASURES = "sqlite.erasures"
"""The meta key that counts erasures; ``sweep`` keeps beside it how far the files are clean."""


class Eraser:
    """Erases in one scope, inside the caller's transaction."""

    def __init__(self, connection: sqlite3.Connection, sid: int, touched: Touched) -> None:
        self._connection = connection
        self._sid = sid
        self._touched = touched

    def erase(self, erased: Erased) -> None:
        """Remove what ``erased`` names with all that hangs on it; write the rebuilt records."""
        for fact in erased.facts:
            self._erase_fact(fact)
        for claim in erased.claims:
            self._erase_claim(claim)
        for episode in erased.episodes:
            self._erase_episode(episode)
        for entity in erased.entities:
            self._erase_entity(entity)
        for blanked in erased.blanked:
            self._blank(blanked)
        for claim in erased.rewritten:
            self._rewrite(claim)
        insert_rebuilt(self._connection, self._sid, erased.records, self._touched)
        self._connection.execute(sql("meta.bump"), {"key": ERASURES})

    def _execute(self, name: str, /, **values: str | int | None) -> sqlite3.Cursor:
        return self._connection.execute(sql(name), {"sid": self._sid, **values})

    def _erase_fact(self, fact: str) -> None:
        gone: set[str] = set()
        for row in self._execute("erase.fact_rows", fact=fact).fetchall():
            documents.clear(self._connection, self._sid, PointKind.FACT, row["row"])
            gone.add(row["record"])
        for name in ("records", "rests", "successor", "as_successor"):
            self._execute(f"erase.fact_{name}", fact=fact)
        self._touched.add(PointKind.FACT, fact, gone=gone)

    def _erase_claim(self, claim: str) -> None:
        for (fact,) in self._execute("erase.claim_rests", claim=claim).fetchall():
            self._touched.add(PointKind.FACT, fact)
        for name in ("claim_links", "claim_withdrawals", "claim"):
            self._execute(f"erase.{name}", claim=claim)

    def _erase_episode(self, episode: str) -> None:
        row = self._execute("episode.row", id=episode).fetchone()
        if row is None:
            return
        for (claim,) in self._execute("erase.claims_of_episode", episode=episode).fetchall():
            self._erase_claim(claim)
        gone = documents.clear(self._connection, self._sid, PointKind.CHUNK, row[0])
        self._execute("erase.episode", row=row[0])
        self._touched.add(PointKind.CHUNK, episode, gone=set(gone))

    def _erase_entity(self, entity: str) -> None:
        row = self._execute("entity.row", id=entity).fetchone()
        if row is None:
            return
        self._execute("erase.entity_suggestions", entity=entity)
        documents.clear(self._connection, self._sid, PointKind.ENTITY, row[0])
        self._connection.execute(sql("entity_name.clear"), {"entity": row[0]})
        self._execute("erase.entity", row=row[0])
        self._touched.add(PointKind.ENTITY, entity, gone={entity})

    def _rewrite(self, claim: Claim) -> None:
        """Put other words in a claim that stays; its facts come with the rebuilt records."""
        words = {"quote": claim.quote, "statement": claim.statement}
        if not self._execute("erase.rewrite_claim", claim=claim.id, **words).rowcount:
            raise RefusedError(f"no claim {claim.id!r} to write other words in")

    def _blank(self, blanked: Blanked) -> None:
        """Put other words in an episode; quotes that it has no more leave its claims."""
        row = self._execute("episode.row", id=blanked.episode).fetchone()
        if row is None:
            raise RefusedError(f"no episode {blanked.episode!r} to blank words in")
        gone = set(documents.clear(self._connection, self._sid, PointKind.CHUNK, row[0]))
        self._execute("erase.blank_episode", row=row[0], content=blanked.content)
        self._execute("erase.blank_quotes", episode=blanked.episode, content=blanked.content)
        episode = episode_from(self._execute("erase.get_episode", row=row[0]).fetchone())
        kept = documents.put_episode(self._connection, self._sid, row[0], episode)
        self._touched.add(PointKind.CHUNK, blanked.episode, gone=gone - set(kept))
