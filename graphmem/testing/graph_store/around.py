"""What a write looks around with, and how it adds to what it does not read."""

from __future__ import annotations

from dataclasses import replace

from graphmem.model.changes import ChangeSet, Family, NameQuery, Rests, Wanted
from graphmem.model.claim import Modality
from graphmem.model.entity import Value
from graphmem.model.search import PointKind
from graphmem.model.text import normal_key
from graphmem.ports.graph_store import GlanceQuery, GraphStore, Label
from graphmem.testing.builders import (
    ANA,
    BOB,
    T0,
    T1,
    T2,
    T3,
    a_claim,
    a_fact,
    a_link,
    an_entity,
    an_episode,
    told,
)
from graphmem.testing.graph_store.base import StoreTests, begin, look, the_fact, write

DRINKS = Family("self", "drinks")
TEA = Value.literal("tea")
EVERYTHING = GlanceQuery(named=9, statements=9)


def again(id: str, said: int, session: str = "s1") -> ChangeSet:
    """Return a change in which a claim is added to the evidence of the fact f1."""
    return ChangeSet(
        episodes=(an_episode(f"e{id}", session=session, occurred_at=said),),
        claims=(a_claim(f"c{id}", f"e{id}", said, session=session),),
        links=(a_link(f"c{id}", TEA),),
        rests=(Rests("f1", (f"c{id}",), more=True),),
    )


class AroundTests(StoreTests):
    """What a write relies on in a scope that is large."""

    async def test_tail(self, store: GraphStore) -> None:
        """A family of more than a few claims comes as its last claim and the fact on it."""
        await begin(store, told("1"), again("3", T3), again("2", T2))
        snapshot = await look(store, Wanted(tails=(DRINKS,), few=2))
        (tail,) = snapshot.tails
        assert (tail.last.claim.id, tail.reach) == ("c3", T3)
        assert (tail.fact.id, tail.fact.claims) == ("f1", ("c3",))
        assert (snapshot.claims, snapshot.facts) == ((), ())

    async def test_few_claims_are_read_whole(self, store: GraphStore) -> None:
        """A family of a few claims, or of an object that has few, has no tail."""
        await begin(store, told("1"), again("2", T2))
        few = await look(store, Wanted(tails=(DRINKS,), few=2))
        other = await look(store, Wanted(tails=(replace(DRINKS, object="milk"),), few=0))
        assert few.tails == other.tails == ()
        assert [linked.claim.id for linked in few.claims] == ["c1", "c2"]

    async def test_an_odd_claim_leaves_no_tail(self, store: GraphStore) -> None:
        """A plan, or a claim of another weight, lets the family be read whole."""
        plan, weak = again("2", T2), again("3", T3)
        plan = replace(plan, claims=(replace(plan.claims[0], modality=Modality.PLANNED),))
        weak = replace(weak, claims=(replace(weak.claims[0], authority=50),))
        for scope, odd in ((ANA, plan), (BOB, weak)):
            await begin(store, told("1"), odd, scope=scope)
            snapshot = await look(store, Wanted(tails=(DRINKS,), few=1), scope)
            assert (len(snapshot.tails), len(snapshot.claims)) == (0, 2)

    async def test_pair(self, store: GraphStore) -> None:
        """A pair's family is told from either side, with what goes beyond it, and has a tail."""
        me, rosa = Value.entity(an_entity()), Value.entity(an_entity("rosa", "Rosa"))
        pair = Family("self", "knows", "rosa", either=True)
        none = replace(told("3", predicate="knows"), links=(a_link("c3", predicate="knows"),))
        one_side = (told("1", rosa, predicate="knows"), told("2", TEA, predicate="knows"))
        await begin(store, ChangeSet(entities=(an_entity("rosa", "Rosa"),)), *one_side)
        (tail,) = (await look(store, Wanted(tails=(pair,), few=0))).tails
        assert (tail.last.claim.id, tail.either) == ("c1", True)
        await write(store, replace(none, facts=()))
        await write(store, told("4", me, subject="rosa", predicate="knows"))
        snapshot = await look(store, Wanted(tails=(pair,), few=0))
        assert [linked.claim.id for linked in snapshot.claims] == ["c1", "c3", "c4"]
        assert ([fact.id for fact in snapshot.facts], snapshot.tails) == (["f1", "f4"], ())

    async def test_evidence_is_added(self, store: GraphStore) -> None:
        """What is added joins what was there, also where the fact has a new record."""
        more = replace(again("3", T2), facts=(a_fact(record="f1/2", claims=("c3",)),))
        await begin(store, told("1"), again("2", T1), more)
        fact = await the_fact(store)
        assert (fact.record, fact.claims) == ("f1/2", ("c1", "c2", "c3"))

    async def test_only_a_new_label_is_a_row(self, store: GraphStore) -> None:
        """More evidence is told to the index if it comes from another session."""
        await begin(store, told("1"))
        for change, rows in ((again("2", T1), []), (again("3", T2, "s2"), ["f1"])):
            await store.settle([row.seq for row in await store.outbox(100)])
            await write(store, change)
            found = [row.id for row in await store.outbox(100) if row.kind is PointKind.FACT]
            assert found == rows

    async def test_things(self, store: GraphStore) -> None:
        """Things come by id; a fact with all its records, and the labels of each."""
        revised = ChangeSet(facts=(a_fact(record="f1/2", claims=("c2",)),))
        second = replace(told("2", session="s2", agent="a"), facts=())
        await begin(store, told("1"), second, revised)
        found = await store.things(ANA, facts=["f1"], episodes=["e2"], entities=["self"])
        assert [one.record for one in found.records["f1"]] == ["f1/1", "f1/2"]
        assert found.labels == {"f1/1": (Label("s1", None),), "f1/2": (Label("s2", "a"),)}
        assert [one.id for one in (*found.episodes, *found.entities)] == ["e2", "self"]
        elsewhere = await store.things(BOB, facts=["f1"], episodes=["e2"], entities=["self"])
        assert (elsewhere.episodes, elsewhere.entities) == ((), ())
        assert not any(elsewhere.records.values())

    async def test_glance(self, store: GraphStore) -> None:
        """What was said and named last comes first; the user apart."""
        rosa = an_entity("rosa", "Rosa", types=("person",))
        later = told("2", said=T1, statement="The user drinks milk.")
        await begin(store, told("1"), later, ChangeSet(entities=(rosa,)))
        seen = await store.glance(ANA, EVERYTHING)
        assert seen.own is not None
        assert seen.named == (("Rosa", ("person",)),)
        assert seen.statements == ("The user drinks milk.", "The user drinks tea.")
        assert (await store.glance(BOB, EVERYTHING)).statements == ()

    async def test_glance_at_a_session(self, store: GraphStore) -> None:
        """The turns before an instant are those of the session; known turns are told."""
        await begin(store, told("1"), told("2", said=T1), told("3", said=T2, session="s2"))
        query = GlanceQuery(named=0, statements=0, session="s1", before=T2, episodes=1)
        seen = await store.glance(ANA, replace(query, keys=("key of e3", "no key")))
        assert ([e.id for e in seen.earlier], seen.there) == (["e2"], True)
        seen = await store.glance(ANA, replace(query, before=T0, keys=("no key",)))
        assert (seen.earlier, seen.there) == ((), False)

    async def test_alike(self, store: GraphStore) -> None:
        """Things are found by words of their names, by key, and as the newest."""
        names = ("Rosa Reed", "Rosa Lund", "Mona")
        things = tuple(an_entity(name.split()[-1], name) for name in names)
        await begin(store, *(ChangeSet(entities=(one,)) for one in things))
        queries = (
            NameQuery(words=("rosa", "lund")),
            NameQuery(words=("rosa", "lund"), most=1),
            NameQuery(keys=(normal_key("Mona"),), newest=1),
        )
        found = await store.alike(ANA, queries)
        assert [[one.id for one in each] for each in found] == [
            ["Lund", "Reed"],
            ["Lund"],
            ["Mona"],
        ]
        assert await store.alike(BOB, queries[:1]) == [()]
        assert (await look(store, Wanted(alike=queries))).alike == tuple(found)
        assert (await look(store, Wanted(alike=queries[:1]), BOB)).alike == ((),)
