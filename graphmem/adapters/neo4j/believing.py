"""Plans how facts are written: records, revisions, evidence, and what people see of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from graphmem.adapters.neo4j.adding import add_fact, add_revision, rests_row
from graphmem.adapters.neo4j.documents import Counts
from graphmem.adapters.neo4j.names import Vocabulary
from graphmem.adapters.neo4j.planned import Believed
from graphmem.adapters.neo4j.rows import Properties
from graphmem.adapters.neo4j.there import There
from graphmem.errors import RefusedError
from graphmem.model.changes import ChangeSet, GaveWay, Rests
from graphmem.model.fact import Fact
from graphmem.model.search import PointKind
from graphmem.model.time import FOREVER
from graphmem.model.touched import Touched


class Believer:
    """Plans what is believed in one scope at one record time (see ``Writer``)."""

    def __init__(
        self,
        there: There,
        now: int,
        vocabulary: Vocabulary,
        rows: Believed,
        counts: Counts,
        touched: Touched,
    ) -> None:
        self._there = there
        self._now = now
        self._vocabulary = vocabulary
        self._rows = rows
        self._counts = counts
        self._touched = touched
        self._rebuilt: dict[str, Fact] = {}
        self._causes: dict[str, None] = {}
        self._rests: dict[tuple[str, str], Properties] = {}

    def rebuild(self, records: Iterable[Fact]) -> None:
        """Plan rebuilt records with their own record times; they rested on their claims throughout.

        Raises:
            RefusedError: a record is there already, or rests on a claim that is not.
        """
        for fact in records:
            live = fact.expired_at >= FOREVER
            second = live and (fact.id in self._rebuilt or fact.id in self._there.facts)
            if fact.record in self._there.records or second or fact.expired_at <= fact.created_at:
                raise RefusedError(
                    f"the rebuilt record {fact.record!r} of the fact {fact.id!r} is there already, "
                    "is a second live one, or has an empty record interval"
                )
            self._there.records.add(fact.record)
            self._touched.keep(PointKind.FACT, fact.id, fact.record)
            self._require_claims(fact.id, fact.claims)
            if live:
                self._rebuilt[fact.id] = fact
            else:
                self._revise(fact)
            for claim in dict.fromkeys(fact.claims):
                if live:
                    self._there.rests[fact.id][claim] = fact.created_at
                    self._open(fact.id, claim, fact.created_at)
                else:
                    self._rows.rests.append(
                        rests_row(fact.id, claim, fact.created_at, fact.expired_at)
                    )

    def believe(self, changes: ChangeSet) -> None:
        """Plan what ends, what is believed now, and what it rests on.

        Raises:
            RefusedError: it breaks a rule.
        """
        for gave_way in changes.gave_way:
            self._give_way(gave_way)
        more = {rests.fact for rests in changes.rests if rests.more}
        for fact in changes.facts:
            self._put(fact, keeps=fact.id in more)
        new = {claim.id: claim.episode for claim in changes.claims}
        for rests in changes.rests:
            self._rest(rests, new)
        for fact in self._rebuilt.values():
            self._write(fact)
        self._rows.rests.extend(self._rests.values())
        self._rows.causes = list(self._causes)

    def _put(self, fact: Fact, *, keeps: bool) -> None:
        if fact.record in self._there.records:
            raise RefusedError(f"the fact record {fact.record!r} is there already")
        self._there.records.add(fact.record)
        self._end(fact.id)
        stamped = replace(fact, created_at=self._now, expired_at=FOREVER)
        self._write(stamped)
        self._there.facts[fact.id] = {"id": fact.id, "record": fact.record}
        self._touched.keep(PointKind.FACT, fact.id, fact.record)
        self._rows.going.append(fact.id)
        if not keeps:
            self._rest_on(fact.id, fact.claims)

    def _write(self, fact: Fact) -> None:
        add_fact(self._rows, self._counts, self._vocabulary, fact)
        if fact.cause is not None and fact.cause.claim is not None:
            self._causes[fact.cause.claim] = None

    def _revise(self, fact: Fact) -> None:
        add_revision(self._rows, self._counts, self._vocabulary, fact)

    def _end(self, fact: str) -> None:
        """End the live record; one that began now was never to be seen, so it goes."""
        rebuilt = self._rebuilt.pop(fact, None)
        if rebuilt is not None:
            if rebuilt.created_at >= self._now:
                self._touched.add(PointKind.FACT, fact, gone=(rebuilt.record,))
            else:
                self._revise(replace(rebuilt, expired_at=self._now))
            return
        live = self._there.facts.pop(fact, None)
        if live is None:
            return
        self._rows.left.append(fact)
        if live["created_at"] >= self._now:
            self._rows.dropped.append(fact)
            self._counts.remove(live["terms"] or ())
            self._touched.add(PointKind.FACT, fact, gone=(live["record"],))
        else:
            self._rows.ended.append({"id": fact, "at": self._now})

    def _give_way(self, gave_way: GaveWay) -> None:
        self._end(gave_way.fact)
        self._rest_on(gave_way.fact, ())
        if gave_way.successor is not None:
            self._rows.going.append(gave_way.fact)
            self._rows.gave_way.append(
                {
                    "fact": gave_way.fact,
                    "successor": gave_way.successor,
                    "created_at": self._now,
                }
            )
        self._touched.add(PointKind.FACT, gave_way.fact)

    def _rest(self, rests: Rests, new: dict[str, str]) -> None:
        if rests.fact not in self._there.facts and rests.fact not in self._rebuilt:
            raise RefusedError(f"no live fact {rests.fact!r} to change the evidence of")
        if not rests.more:
            self._rest_on(rests.fact, rests.claims)
            self._touched.add(PointKind.FACT, rests.fact)
            return
        # The fact's point changes only by a label that no other evidence has.
        self._require_claims(rests.fact, rests.claims)
        if any((rests.fact, new.get(one)) not in self._there.labels for one in rests.claims):
            self._touched.add(PointKind.FACT, rests.fact)
        for claim in rests.claims:
            if claim not in self._there.rests[rests.fact]:
                self._open(rests.fact, claim, self._now)

    def _rest_on(self, fact: str, claims: tuple[str, ...]) -> None:
        """Open and end links so that the live ones are exactly ``claims``."""
        live = self._there.rests[fact]
        new = [claim for claim in dict.fromkeys(claims) if claim not in live]
        self._require_claims(fact, new)
        for claim in new:
            self._open(fact, claim, self._now)
        for claim in sorted(live.keys() - set(claims)):
            self._close(fact, claim, live.pop(claim))
        live.update(dict.fromkeys(new, self._now))

    def _open(self, fact: str, claim: str, since: int) -> None:
        self._causes[claim] = None
        self._rests[fact, claim] = rests_row(fact, claim, since, FOREVER)

    def _close(self, fact: str, claim: str, since: int) -> None:
        self._causes[claim] = None
        planned = self._rests.pop((fact, claim), None)
        if planned is not None:
            if since < self._now:
                self._rows.rests.append(rests_row(fact, claim, since, self._now))
        elif since >= self._now:
            self._rows.rests_gone.append({"fact": fact, "claim": claim})
        else:
            self._rows.rests_ended.append({"fact": fact, "claim": claim, "at": self._now})

    def _require_claims(self, fact: str, claims: Iterable[str]) -> None:
        for claim in claims:
            if claim not in self._there.claims:
                raise RefusedError(
                    f"the fact {fact!r} rests on the claim {claim!r}, which is not in this scope"
                )
