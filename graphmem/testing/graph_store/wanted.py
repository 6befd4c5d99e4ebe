"""What a decision is sent for what it wants."""

from __future__ import annotations

from dataclasses import replace

from graphmem.model.changes import ChangeSet, Family, GaveWay, Rests, Snapshot, Wanted, Withdrawal
from graphmem.model.claim import Correction
from graphmem.model.entity import SELF_KEY, Value
from graphmem.model.fact import Status
from graphmem.model.time import FOREVER
from graphmem.ports.graph_store import GraphStore
from graphmem.testing.builders import (
    ANA,
    BOB,
    T1,
    T2,
    a_claim,
    a_fact,
    a_link,
    a_suggestion,
    an_entity,
    an_episode,
    told,
)
from graphmem.testing.graph_store.base import StoreTests, begin, look, write

TEA = Value.literal("tea")
MATE = Value.literal("mate")
ROSA = Value.entity(an_entity("rosa", "Rosa"))


def claim_ids(snapshot: Snapshot) -> list[str]:
    """Return the ids of the claims sent."""
    return [linked.claim.id for linked in snapshot.claims]


def fact_ids(snapshot: Snapshot) -> list[str]:
    """Return the ids of the facts sent."""
    return sorted(fact.id for fact in snapshot.facts)


class WantedTests(StoreTests):
    """What a snapshot holds."""

    async def test_self(self, store: GraphStore) -> None:
        """The scope's own user is always sent."""
        await begin(store)
        snapshot = await look(store, Wanted())
        assert [entity.id for entity in snapshot.entities] == ["self"]

    async def test_nothing_there(self, store: GraphStore) -> None:
        """What is not there is not sent."""
        wanted = Wanted(
            episodes=("e1",), entities=("x",), families=(Family("x", "drinks"),), claims=("c1",)
        )
        snapshot = await look(store, wanted)
        assert (snapshot.episodes, snapshot.entities, snapshot.claims) == ((), (), ())
        assert snapshot.number == 1

    async def test_episodes(self, store: GraphStore) -> None:
        """Episodes are found by what they are known by and by id, each once."""
        await begin(store, told("1"), told("2"), told("3"))
        snapshot = await look(store, Wanted(episode_keys=("key of e1",), episodes=("e1", "e2")))
        assert sorted(episode.id for episode in snapshot.episodes) == ["e1", "e2"]

    async def test_odd_keys(self, store: GraphStore) -> None:
        """Keys are compared whole, whatever characters they hold."""
        odd, plain = an_episode("e1", key="k\x00one"), an_episode("e2", key="k")
        await begin(store, ChangeSet(episodes=(odd, plain)))
        snapshot = await look(store, Wanted(episode_keys=("k\x00one",), entity_keys=(SELF_KEY,)))
        assert [episode.id for episode in snapshot.episodes] == ["e1"]
        assert (await store.entities(ANA, keys=[SELF_KEY])).total == 1

    async def test_entity_by_alias(self, store: GraphStore) -> None:
        """Entities are found by normalised name and alias."""
        await begin(store, ChangeSet(entities=(an_entity("rosa", "Rosa", aliases=("Röschen",)),)))
        for key in ("rosa", "röschen"):
            snapshot = await look(store, Wanted(entity_keys=(key,)))
            assert "rosa" in {entity.id for entity in snapshot.entities}

    async def test_merged_entity(self, store: GraphStore) -> None:
        """An entity that was merged brings the one that took its place."""
        merged = an_entity("rosie", merged_into="rosa")
        await begin(store, ChangeSet(entities=(an_entity("rosa"), merged)))
        snapshot = await look(store, Wanted(entities=("rosie",)))
        assert {entity.id for entity in snapshot.entities} == {"self", "rosa", "rosie"}

    async def test_family(self, store: GraphStore) -> None:
        """A family is the claims and live facts of a subject and predicate, in said order."""
        await begin(
            store, told("2", MATE, said=T2), told("1", said=T1), told("3", predicate="eats")
        )
        snapshot = await look(store, Wanted(families=(Family("self", "drinks"),)))
        assert claim_ids(snapshot) == ["c1", "c2"]
        assert fact_ids(snapshot) == ["f1", "f2"]

    async def test_family_of_every_status(self, store: GraphStore) -> None:
        """Retracted facts and withdrawn claims belong to a family."""
        gone = ChangeSet(
            facts=(a_fact(record="f1/2", status=Status.RETRACTED),),
            withdrawals=(Withdrawal("c1"),),
        )
        await begin(store, told("1"), gone)
        snapshot = await look(store, Wanted(families=(Family("self", "drinks"),)))
        assert [(fact.record, fact.claims) for fact in snapshot.facts] == [("f1/2", ("c1",))]
        assert [linked.withdrawn for linked in snapshot.claims] == [True]

    async def test_family_of_an_object(self, store: GraphStore) -> None:
        """A family of one object holds that object's rows and those without an object."""
        none = replace(
            told("3"),
            links=(a_link("c3", None),),
            facts=(a_fact("f3", claims=("c3",), object=None),),
        )
        await begin(store, told("1"), told("2", MATE), none)
        snapshot = await look(store, Wanted(families=(Family("self", "drinks", TEA.key),)))
        assert sorted(claim_ids(snapshot)) == ["c1", "c3"]
        assert fact_ids(snapshot) == ["f1", "f3"]

    async def test_family_with_correction(self, store: GraphStore) -> None:
        """A claim that takes something back belongs to every object's family."""
        change = told("2", MATE)
        correcting = replace(change.claims[0], correction=Correction(value="juice"))
        await begin(store, told("1"), replace(change, claims=(correcting,)))
        snapshot = await look(store, Wanted(families=(Family("self", "drinks", TEA.key),)))
        assert sorted(claim_ids(snapshot)) == ["c1", "c2"]

    async def test_family_from_either_side(self, store: GraphStore) -> None:
        """``either`` adds the rows whose object is the subject."""
        people = ChangeSet(entities=(an_entity("rosa", "Rosa"),))
        me = Value.entity(an_entity())
        await begin(
            store,
            people,
            told("1", ROSA, predicate="married_to"),
            told("2", me, subject="rosa", predicate="married_to"),
        )
        one = await look(store, Wanted(families=(Family("self", "married_to"),)))
        both = await look(store, Wanted(families=(Family("self", "married_to", either=True),)))
        assert (claim_ids(one), fact_ids(one)) == (["c1"], ["f1"])
        assert (claim_ids(both), fact_ids(both)) == (["c1", "c2"], ["f1", "f2"])

    async def test_touching(self, store: GraphStore) -> None:
        """What touches an entity has it as subject or object now."""
        await begin(
            store,
            ChangeSet(entities=(an_entity("rosa", "Rosa"),)),
            told("1", ROSA, predicate="likes"),
            told("2", subject="rosa"),
            told("3"),
        )
        snapshot = await look(store, Wanted(touching=("rosa",)))
        assert claim_ids(snapshot) == ["c1", "c2"]
        assert fact_ids(snapshot) == ["f1", "f2"]

    async def test_claims_and_facts_by_id(self, store: GraphStore) -> None:
        """A fact brings its claims; a claim comes alone."""
        await begin(store, told("1"), told("2", MATE), told("3", MATE))
        snapshot = await look(store, Wanted(facts=("f1",), claims=("c2",)))
        assert fact_ids(snapshot) == ["f1"]
        assert claim_ids(snapshot) == ["c1", "c2"]

    async def test_said_in(self, store: GraphStore) -> None:
        """The claims said in an episode are sent."""
        await begin(store, told("1"), told("2"))
        assert claim_ids(await look(store, Wanted(said_in=("e2",)))) == ["c2"]

    async def test_evidence_in_said_order(self, store: GraphStore) -> None:
        """A fact's claims are in said order, however they were given."""
        later = ChangeSet(
            episodes=(an_episode("e0"),),
            claims=(a_claim("c0", "e0", T1),),
            links=(a_link("c0", TEA),),
            rests=(Rests("f1", ("c0", "c1")),),
        )
        await begin(store, told("1"), later)
        assert (await look(store, Wanted(facts=("f1",)))).facts[0].claims == ("c1", "c0")

    async def test_live_facts_only(self, store: GraphStore) -> None:
        """A fact that gave way is not sent."""
        await begin(store, told("1"), ChangeSet(gave_way=(GaveWay("f1", None),)))
        snapshot = await look(store, Wanted(families=(Family("self", "drinks"),), facts=("f1",)))
        assert snapshot.facts == ()
        assert claim_ids(snapshot) == ["c1"]

    async def test_histories(self, store: GraphStore) -> None:
        """A history has all records, and each claim with the intervals of its links."""
        first = (await begin(store, told("1")))[-1].at
        second = (await write(store, ChangeSet(links=(a_link("c1", MATE),)))).at
        third = (await write(store, ChangeSet(facts=(a_fact(record="f1/2"),)))).at
        await write(store, ChangeSet(withdrawals=(Withdrawal("c1"),)))
        fifth = (await write(store, ChangeSet(withdrawals=(Withdrawal("c1", lifted=True),)))).at
        snapshot = await look(store, Wanted(histories=(Family("self", "drinks"),)))
        (history,) = snapshot.histories
        assert (history.claim.id, history.created_at) == ("c1", first)
        assert [(a, b) for _, a, b in history.links] == [(first, second), (second, FOREVER)]
        assert history.withdrawals == ((fifth - 1, fifth),)
        spans = sorted((one.created_at, one.expired_at) for one in snapshot.records)
        assert spans == [(first, third), (third, FOREVER)]

    async def test_suggestions(self, store: GraphStore) -> None:
        """Suggestions are sent where they are wanted."""
        people = ChangeSet(entities=(an_entity("rosa"), an_entity("rosie")))
        await begin(store, replace(people, suggestions=(a_suggestion(),)))
        assert [s.id for s in (await look(store, Wanted(suggestions=True))).suggestions] == [
            "same1"
        ]
        assert (await look(store, Wanted())).suggestions == ()

    async def test_scopes_apart(self, store: GraphStore) -> None:
        """Ids of another scope do not exist."""
        await begin(store, told("1"), scope=BOB)
        wanted = Wanted(
            episode_keys=("key of e1",),
            episodes=("e1",),
            entities=("self",),
            families=(Family("self", "drinks"),),
            touching=("self",),
            claims=("c1",),
            facts=("f1",),
            said_in=("e1",),
            histories=(Family("self", "drinks"),),
        )
        snapshot = await look(store, wanted, ANA)
        assert snapshot == Snapshot(now=snapshot.now, number=1)
