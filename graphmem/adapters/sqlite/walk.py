"""The walk around entities, inside a read transaction."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from graphmem.adapters.sqlite import filters
from graphmem.adapters.sqlite.filters import as_list
from graphmem.adapters.sqlite.rows import facts_of
from graphmem.adapters.sqlite.statements import sql
from graphmem.model.claim import Said
from graphmem.model.entity import ValueKind
from graphmem.model.rows import entity_from
from graphmem.model.walk import Around, Lean, Reach, onward


def neighbourhood(connection: sqlite3.Connection, sid: int, reach: Reach) -> Around:
    """Walk from the seeds, breadth first; see ``Reach`` for where it goes.

    Hop by hop rather than by one recursive statement, because the limit of each entity's facts
    must come after the filter and before the next hop.
    """
    reading = _Reading(connection, sid, reach)
    known = reading.known()
    on, beside = list(dict.fromkeys(reach.seeds)), list[str]()
    walked, seen = list[str](), set(on)
    met: dict[str, _Step] = {}
    for _ in range(reach.hops):
        walked += on
        here = frozenset(on)
        found = [step for step in known if not here.isdisjoint(step.ends)]
        found += reading.leaving(on, beside)
        met.update((step.record, step) for step in found)
        ends = onward(((step.worth, step.said, step.ends) for step in found), seen)
        on, beside = ends[: reach.beam], ends[reach.beam : reach.beside]
        seen.update(on)
        if not on:
            break
    records = [step.record for step in known]
    best = sorted(met.keys() - records, key=lambda record: (-met[record].worth, record))
    values = {"sid": sid, "ids": as_list(records + best[: reach.limit])}
    rows = connection.execute(sql("facts.by_records"), values)
    return Around(
        facts=facts_of(connection, rows, reach.filter.known_at),
        walked=[*map(entity_from, reading.run("walk.walked", ids=as_list(walked)))],
    )


class _Step(NamedTuple):
    """A fact on the way."""

    record: str
    said: Said
    ends: tuple[str, ...]
    worth: float


class _Met(NamedTuple):
    """What makes a fact worth walking over."""

    record: str
    predicate: str
    statement: str
    ends: tuple[str, ...]


class _Reading:
    """The statements of one walk."""

    def __init__(self, connection: sqlite3.Connection, sid: int, reach: Reach) -> None:
        self._connection = connection
        self._sid = sid
        self._reach = reach
        clauses = filters.fact_clauses(reach.filter)
        self._values = clauses.values
        self._statements = {
            name: clauses.after(name, filters.NEWEST_SAID)
            for name in ("walk.entities", "walk.literals", "facts.related")
        }
        self._relations = as_list(sorted(reach.relations))
        self._steps: dict[str, _Step] = {}

    def run(self, name: str, **values: str) -> sqlite3.Cursor:
        """Run a statement that has no filter."""
        return self._connection.execute(sql(name), {"sid": self._sid, **values})

    def known(self) -> list[_Step]:
        """Return the facts found otherwise."""
        ids = as_list(dict.fromkeys(self._reach.known))
        return [*self._read(self.run("walk.known", ids=ids))]

    def leaving(self, on: Iterable[str], beside: Iterable[str]) -> Iterator[_Step]:
        """Yield the facts that leave entities; of those ``beside`` none to another entity."""
        on = list(on)
        fanout = self._reach.fanout
        for entity in (*on, *beside):
            yield from self._filtered("walk.literals", fanout, entity=entity)
        for entity in on:
            yield from self._filtered("walk.entities", fanout, entity=entity)
        if self._reach.relations:
            # A hub's newest facts may hide the one relation that is asked for.
            yield from self._filtered(
                "facts.related",
                self._reach.related,
                around=as_list(on),
                relations=self._relations,
            )

    def _filtered(self, name: str, limit: int, **values: str) -> Iterator[_Step]:
        given = {**self._values, "sid": self._sid, "limit": limit, **values}
        return self._read(self._connection.execute(self._statements[name], given))

    def _read(self, rows: Iterable[sqlite3.Row]) -> Iterator[_Step]:
        for row in rows:
            step = self._steps.get(row["record"])
            if step is None:
                step = self._steps[row["record"]] = _step(row, self._reach.lean)
            yield step


def _step(row: sqlite3.Row, lean: Lean) -> _Step:
    ends: tuple[str, ...] = (row["subject_key"],)
    if row["object_kind"] == ValueKind.ENTITY:
        ends = (row["subject_key"], row["object_key"])
    met = _Met(row["record"], row["predicate"], row["statement"], ends)
    said = Said(row["said_at"], row["said_turn"], row["said_place"])
    return _Step(met.record, said, ends, lean.worth(met))
