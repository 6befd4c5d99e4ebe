"""Listings of facts: filters, order, pages and the past."""

from __future__ import annotations

from dataclasses import replace

import pytest

from graphmem.errors import InputError
from graphmem.model.changes import ChangeSet, GaveWay, Rests
from graphmem.model.claim import Modality, Polarity
from graphmem.model.entity import Value
from graphmem.model.fact import Status
from graphmem.model.search import FactFilter, FactQuery
from graphmem.model.time import Bound, Interval
from graphmem.ports.graph_store import GraphStore
from graphmem.testing.builders import ANA, BOB, T0, T1, T2, T3, a_fact, an_entity, told
from graphmem.testing.graph_store.base import StoreTests, begin, listed, the_fact, write

ROSA = Value.entity(an_entity("rosa", "Rosa"))
ME = Value.entity(an_entity())


async def queried(store: GraphStore, **parts: frozenset[str] | bool) -> set[str]:
    """Return the ids of the facts of a query."""
    page = await store.facts(ANA, replace(FactQuery(), **parts))
    return {fact.id for fact in page.items}


class FactTests(StoreTests):
    """What a listing of facts promises."""

    async def test_round_trip(self, store: GraphStore) -> None:
        """A fact comes back as it was written, with its record time."""
        fact = a_fact(
            qualifiers=(("at", "work"), ("time", "mornings")),
            interval=Interval(Bound(None, T1, stated=False), Bound(T2, T3, phrase="until 春天")),
            confidence=0.25,
            importance=9,
        )
        at = (await begin(store, replace(told("1"), facts=(fact,))))[-1].at
        assert await the_fact(store) == replace(fact, created_at=at)

    async def test_newest_said_first(self, store: GraphStore) -> None:
        """Facts are listed by said order, newest first, however they arrived."""
        await begin(store, told("2", said=T1), told("3", said=T2), told("1", said=T0))
        assert await listed(store) == ["f3", "f2", "f1"]

    async def test_ties_by_record(self, store: GraphStore) -> None:
        """Facts said at once are listed by record id."""
        await begin(store, told("2"), told("3"), told("1"))
        assert await listed(store) == ["f1", "f2", "f3"]

    async def test_pages(self, store: GraphStore) -> None:
        """Pages follow each other without gap or double, and each gives the total."""
        await begin(store, *(told(str(n), said=T0 + n // 2) for n in range(1, 6)))
        seen: list[str] = []
        cursor = None
        while True:
            page = await store.facts(ANA, FactQuery(limit=2, cursor=cursor))
            seen.extend(fact.id for fact in page.items)
            assert page.total == 5
            cursor = page.cursor
            if cursor is None:
                break
        assert seen == await listed(store)

    async def test_pages_under_inserts(self, store: GraphStore) -> None:
        """A fact that arrives between two pages moves nothing."""
        await begin(store, *(told(str(n), said=T0 + n) for n in range(1, 5)))
        first = await store.facts(ANA, FactQuery(limit=2))
        await write(store, told("9", said=T3))
        second = await store.facts(ANA, FactQuery(limit=2, cursor=first.cursor))
        assert [fact.id for fact in (*first.items, *second.items)] == ["f4", "f3", "f2", "f1"]

    async def test_foreign_cursor(self, store: GraphStore) -> None:
        """A cursor that no page gave is an input error."""
        for cursor in ("rubbish", "W10", "é"):
            with pytest.raises(InputError, match="cursor"):
                await store.facts(ANA, FactQuery(cursor=cursor))

    async def test_scopes_apart(self, store: GraphStore) -> None:
        """Facts of another scope are not listed."""
        await begin(store, told("1"), scope=BOB)
        await begin(store, told("1"), told("2"))
        assert await listed(store, scope=BOB) == ["f1"]

    async def test_held_by_default(self, store: GraphStore) -> None:
        """Disputed and retracted facts are listed on request alone."""
        await begin(
            store,
            told("1"),
            told("2", status=Status.DISPUTED),
            told("3", status=Status.RETRACTED),
        )
        assert await listed(store) == ["f1"]
        asked = FactFilter(statuses=frozenset({Status.DISPUTED, Status.RETRACTED}))
        assert await listed(store, asked) == ["f2", "f3"]

    async def test_valid(self, store: GraphStore) -> None:
        """A period asked about admits the facts that hold at some time in it."""
        await begin(
            store,
            told("1", interval=Interval(Bound(T0, T0), Bound(T1, T1))),
            told("2", interval=Interval(Bound(T1, T1), Bound(T2, T2))),
            told("3", interval=Interval(Bound(T2, T2))),
        )
        assert await listed(store, FactFilter(valid=(T1, T1))) == ["f2"]
        assert await listed(store, FactFilter(valid=(T1 - 1, T2))) == ["f1", "f2", "f3"]
        assert await listed(store, FactFilter(valid=(T0 - 2, T0 - 1))) == []

    async def test_upcoming(self, store: GraphStore) -> None:
        """``upcoming`` adds plans whose date lies ahead, and plans alone."""
        later = Interval(Bound(T2, T2))
        await begin(
            store, told("1", modality=Modality.PLANNED, interval=later), told("2", interval=later)
        )
        assert await listed(store, FactFilter(valid=(T1, T1))) == []
        assert await listed(store, FactFilter(valid=(T1, T1), upcoming=True)) == ["f1"]

    async def test_uncertain(self, store: GraphStore) -> None:
        """``uncertain`` adds what only may hold then."""
        await begin(store, told("1", interval=Interval(Bound(None, T2, stated=False))))
        assert await listed(store, FactFilter(valid=(T1, T1))) == []
        assert await listed(store, FactFilter(valid=(T1, T1), uncertain=True)) == ["f1"]

    async def test_events_are_never_over(self, store: GraphStore) -> None:
        """What has happened is listed ever after."""
        once = Interval(Bound(T0, T0), Bound(T1, T1))
        await begin(store, told("1", event=True, interval=once), told("2", interval=once))
        assert await listed(store, FactFilter(valid=(T3, T3))) == ["f1"]

    async def test_simple_filters(self, store: GraphStore) -> None:
        """Polarity, modality and predicate narrow a listing."""
        await begin(
            store,
            told("1"),
            told("2", polarity=Polarity.NEGATIVE),
            told("3", modality=Modality.POSSIBLE),
            told("4", predicate="eats"),
        )
        assert await listed(store, FactFilter(polarity=Polarity.NEGATIVE)) == ["f2"]
        assert await listed(store, FactFilter(modality=Modality.POSSIBLE)) == ["f3"]
        assert await listed(store, FactFilter(predicates=frozenset({"eats", "has"}))) == ["f4"]
        assert await listed(store, FactFilter(predicates=frozenset())) == []

    async def test_labels(self, store: GraphStore) -> None:
        """A fact has the labels of every episode it rests on."""
        await begin(
            store,
            told("1", session="s1", agent="a1"),
            told("2", session="s2", agent="a2"),
            ChangeSet(rests=(Rests("f1", ("c1", "c2")),)),
        )
        assert await listed(store, FactFilter(sessions=frozenset({"s1"}))) == ["f1"]
        assert await listed(store, FactFilter(sessions=frozenset({"s2"}))) == ["f1", "f2"]
        assert await listed(store, FactFilter(agents=frozenset({"a2", "a3"}))) == ["f1", "f2"]
        assert await listed(store, FactFilter(agents=frozenset({"a3"}))) == []

    async def test_labels_in_the_past(self, store: GraphStore) -> None:
        """As known before a corroboration, its label does not count."""
        before = (await begin(store, told("1", session="s1"), told("2", session="s2")))[-1].at
        await write(store, ChangeSet(rests=(Rests("f1", ("c1", "c2")),)))
        asked = FactFilter(sessions=frozenset({"s2"}), known_at=before)
        assert await listed(store, asked) == ["f2"]

    async def test_known_at(self, store: GraphStore) -> None:
        """As known at an instant, exactly the records of then are listed."""
        first, second = (await begin(store, told("1"), told("2")))[1:]
        third = await write(store, ChangeSet(gave_way=(GaveWay("f1", "f2"),)))
        assert await listed(store, FactFilter(known_at=first.at - 1)) == []
        assert await listed(store, FactFilter(known_at=first.at)) == ["f1"]
        assert await listed(store, FactFilter(known_at=second.at)) == ["f1", "f2"]
        assert await listed(store, FactFilter(known_at=third.at)) == ["f2"]

    async def test_no_known_at_reads_the_newest(self, store: GraphStore) -> None:
        """Without ``known_at`` the newest records are read, whatever the clock says."""
        await begin(store, told("1"), told("2"))
        assert await listed(store) == ["f1", "f2"]

    async def test_subjects_and_objects(self, store: GraphStore) -> None:
        """A listing can be narrowed to subjects and objects."""
        await begin(
            store,
            ChangeSet(entities=(an_entity("rosa", "Rosa"),)),
            told("1", ROSA, predicate="likes"),
            told("2", subject="rosa"),
            told("3"),
        )
        tea = Value.literal("tea").key
        assert await queried(store, subjects=frozenset({"rosa"})) == {"f2"}
        assert await queried(store, objects=frozenset({tea})) == {"f2", "f3"}
        both = {"subjects": frozenset({"self"}), "objects": frozenset({tea, "rosa"})}
        assert await queried(store, **both) == {"f1", "f3"}

    async def test_either_side(self, store: GraphStore) -> None:
        """``either`` finds a fact from both of its ends."""
        await begin(
            store,
            ChangeSet(entities=(an_entity("rosa", "Rosa"),)),
            told("1", ROSA, predicate="married_to"),
            told("2", ME, subject="rosa", predicate="married_to"),
        )
        me, rosa = frozenset({"self"}), frozenset({"rosa"})
        assert await queried(store, subjects=me, either=True) == {"f1", "f2"}
        assert await queried(store, subjects=me, objects=rosa, either=True) == {"f1", "f2"}
        assert await queried(store, subjects=me, objects=rosa) == {"f1"}
        assert await queried(store, subjects=me, objects=me, either=True) == set()

    async def test_either_side_of_some_predicates(self, store: GraphStore) -> None:
        """``either_of`` lets only these predicates be found from their other end."""
        await begin(
            store,
            ChangeSet(entities=(an_entity("rosa", "Rosa"),)),
            told("1", ROSA, predicate="knows"),
            told("2", ROSA, predicate="likes"),
        )
        rosa, some = frozenset({"rosa"}), frozenset({"knows"})
        assert await queried(store, subjects=rosa, either=True, either_of=some) == {"f1"}
        assert await queried(store, objects=rosa, either=True, either_of=some) == {"f1", "f2"}

    async def test_odd_labels(self, store: GraphStore) -> None:
        """Labels are compared whole, whatever characters they hold."""
        labels = ("a", "a\x00b", "a\x1a0b", 'a"b', "会话")
        await begin(store, *(told(str(n), session=label) for n, label in enumerate(labels)))
        for number, label in enumerate(labels):
            assert await listed(store, FactFilter(sessions=frozenset({label}))) == [f"f{number}"]
