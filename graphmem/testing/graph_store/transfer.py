"""Export and load: everything of a scope as flat rows."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from graphmem.errors import TransferError
from graphmem.model.changes import ChangeSet, GaveWay, Rests, Withdrawal
from graphmem.model.entity import Value
from graphmem.model.rows import Row
from graphmem.model.search import FactFilter, FactQuery
from graphmem.model.terms import terms
from graphmem.ports.graph_store import EpisodeQuery, GraphStore
from graphmem.testing.builders import ANA, BOB, T1, a_fact, a_link, a_suggestion, an_entity, told
from graphmem.testing.clock import FrozenClock
from graphmem.testing.graph_store.base import EVERY_STATUS, StoreTests, begin

KINDS = (
    "scope",
    "episode",
    "entity",
    "claim",
    "link",
    "withdrawal",
    "fact",
    "rests",
    "successor",
    "suggestion",
    "change",
)
PEOPLE = ChangeSet(entities=(an_entity("rosa", "Rosa", aliases=("罗莎",)), an_entity("rosie")))
LIFE = (
    replace(PEOPLE, suggestions=(a_suggestion(),)),
    told("1"),
    told("2", Value.literal("mate"), said=T1),
    ChangeSet(rests=(Rests("f1", ("c1", "c2")),)),
    ChangeSet(facts=(a_fact(record="f1/2", end=T1),), links=(a_link("c2", Value.literal("tea")),)),
    ChangeSet(withdrawals=(Withdrawal("c2", reason="no"),)),
    ChangeSet(withdrawals=(Withdrawal("c2", lifted=True),), gave_way=(GaveWay("f2", "f1"),)),
)
"""Changes that leave at least one row of every kind."""


async def exported(store: GraphStore) -> list[Row]:
    """Return every row of a scope."""
    return [row async for row in store.export(ANA)]


async def answers(store: GraphStore, instants: range) -> list[object]:
    """Return what the store says of everything, at each instant of the record axis."""
    said: list[object] = []
    for known_at in (None, *instants):
        asked = FactFilter(known_at=known_at, statuses=EVERY_STATUS)
        said.append(await store.facts(ANA, FactQuery(filter=asked)))
        said.append(await store.claims(ANA, ["f1", "f2"], known_at=known_at))
    said.append(await store.history(ANA, "f2"))
    said.append(await store.episodes(ANA, EpisodeQuery()))
    said.append(await store.entities(ANA))
    said.append(await store.entities(ANA, keys=["罗莎"]))
    said.append(await store.suggestions(ANA))
    said.append(await store.words(ANA, keys=[], terms=[*terms("tea drinks 罗莎")]))
    return said


class TransferTests(StoreTests):
    """What export and load promise."""

    async def test_rows(self, store: GraphStore) -> None:
        """Rows are flat JSON objects, by kind in order, then by record time."""
        await begin(store, *LIFE)
        rows = await exported(store)
        assert [json.loads(json.dumps(row)) for row in rows] == rows
        assert all(not isinstance(value, list | dict) for row in rows for value in row.values())
        kinds = [KINDS.index(row["kind"]) for row in rows]
        assert kinds == sorted(kinds)
        assert set(kinds) == set(range(len(KINDS)))
        times = [row["created_at"] for row in rows if row["kind"] == "fact"]
        assert times == sorted(times)

    async def test_same_answers(
        self, store: GraphStore, tmp_path: Path, clock: FrozenClock
    ) -> None:
        """A store that loaded an export gives the same answers, of now and of the past."""
        changed = await begin(store, *LIFE)
        instants = range(changed[0].at - 1, changed[-1].at + 2)
        async with self.opened(tmp_path / "other", clock) as other:
            await other.load(ANA, await exported(store))
            assert await answers(other, instants) == await answers(store, instants)
            assert await other.check() == []

    async def test_same_export(self, store: GraphStore, tmp_path: Path, clock: FrozenClock) -> None:
        """What was loaded is exported again row for row."""
        await begin(store, *LIFE)
        rows = await exported(store)
        async with self.opened(tmp_path / "other", clock) as other:
            assert await other.load(ANA, rows) == len(rows)
            assert await exported(other) == rows

    async def test_load_again(self, store: GraphStore) -> None:
        """Rows that are there are left as they are."""
        await begin(store, *LIFE)
        rows = await exported(store)
        assert await store.load(ANA, rows) == 0
        assert await exported(store) == rows

    async def test_load_goes_on(
        self, store: GraphStore, tmp_path: Path, clock: FrozenClock
    ) -> None:
        """A load that was cut off anywhere is finished by the same rows."""
        await begin(store, *LIFE)
        rows = await exported(store)
        async with self.opened(tmp_path / "other", clock) as other:
            half = len(rows) // 2
            await other.load(ANA, rows[:half])
            assert await other.load(ANA, rows) == len(rows) - half
            assert await exported(other) == rows

    async def test_load_fills_the_outbox(
        self, store: GraphStore, tmp_path: Path, clock: FrozenClock
    ) -> None:
        """What was loaded waits to be indexed."""
        await begin(store, *LIFE)
        async with self.opened(tmp_path / "other", clock) as other:
            await other.load(ANA, await exported(store))
            assert {row.id for row in await other.outbox(100)} == {
                *("self", "rosa", "rosie"),
                *("e1", "e2"),
                *("f1", "f2"),
            }

    async def test_record_time_goes_on(
        self, store: GraphStore, tmp_path: Path, clock: FrozenClock
    ) -> None:
        """Changes after a load are later, and have higher numbers, than those loaded."""
        last = (await begin(store, *LIFE))[-1]
        async with self.opened(tmp_path / "other", clock) as other:
            await other.load(ANA, await exported(store))
            (changed,) = await begin(other)
            assert (changed.at, changed.number) == (last.at + 1, last.number + 1)

    async def test_another_name(self, store: GraphStore) -> None:
        """Rows can be loaded as another scope."""
        await begin(store, *LIFE)
        await store.load(BOB, await exported(store))
        assert await store.scopes() == [ANA, BOB]
        ana, bob = [await store.facts(scope, FactQuery()) for scope in (ANA, BOB)]
        assert ana == bob

    @pytest.mark.parametrize(
        "row",
        [
            {"kind": "mystery"},
            {"id": "e1"},
            {"kind": "episode", "id": "e1"},
            {
                "kind": "entity",
                "id": "n1",
                "name": 5,
                "key": "n1",
                "types": "[]",
                "aliases": "[]",
                "is_self": 0,
                "merged_into": None,
                "created_at": 1,
            },
            {"kind": "rests", "fact": "f1", "claim": "c9", "created_at": 1, "expired_at": 2},
        ],
        ids=lambda row: str(row.get("kind")),
    )
    async def test_unreadable_row(self, store: GraphStore, row: Row) -> None:
        """A row that cannot be read is refused, and nothing of its batch is written."""
        with pytest.raises(TransferError):
            await store.load(ANA, [{"kind": "scope", "at": 1, "number": 1}, row])
        assert await store.scopes() == []
