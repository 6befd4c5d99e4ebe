"""The three reads that answer a question: its words, its candidates, what is shown."""

from __future__ import annotations

from dataclasses import replace

from graphmem.model.changes import ChangeSet, Rests
from graphmem.model.claim import Polarity, Said
from graphmem.model.entity import Value
from graphmem.model.episode import Role
from graphmem.model.fact import Cause, Rule, Status
from graphmem.model.outline import FactOutline, Ground, Sought, TurnOutline
from graphmem.model.search import FactFilter, Source
from graphmem.model.terms import terms
from graphmem.ports.graph_store import GraphStore
from graphmem.testing.builders import (
    ANA,
    BOB,
    T0,
    T1,
    T2,
    a_claim,
    a_fact,
    a_link,
    an_entity,
    an_episode,
    told,
)
from graphmem.testing.graph_store.base import EVERY_STATUS, StoreTests, begin, write

ROSA = Value.entity(an_entity("rosa", "Rosa"))
PEOPLE = ChangeSet(entities=(an_entity("rosa", "Rosa", aliases=("Rosie",)),))
AGAIN = ChangeSet(
    episodes=(an_episode("e9", occurred_at=T2),),
    claims=(a_claim("c9", "e9", T2),),
    links=(a_link("c9", Value.literal("tea")),),
    rests=(Rests("f1", ("c1", "c9")),),
)
"""The first fact, said once more."""


async def facts(store: GraphStore, wanted: Sought) -> list[str]:
    """Return the ids of the facts among the candidates, sorted."""
    return sorted(fact.id for fact in (await store.outlines(ANA, wanted)).facts)


class AskingTests(StoreTests):
    """What answering a question relies on."""

    async def test_words_name_entities(self, store: GraphStore) -> None:
        """Entities are known by the keys of names and aliases; merged ones are not."""
        merged = ChangeSet(entities=(an_entity("rose", merged_into="rosa"),))
        await begin(store, PEOPLE, merged)
        found = await store.words(ANA, keys=["rosie", "rosa", "rose", "nobody"], terms=[])
        assert [entity.id for entity in found.named] == ["rosa"]
        assert found.own is not None
        assert found.own.id == "self"

    async def test_words_are_counted(self, store: GraphStore) -> None:
        """Terms are counted over the records of one scope."""
        await begin(store, told("1", statement="tea"), told("2", statement="coffee"))
        await begin(store, told("1", statement="tea"), scope=BOB)
        (tea,) = terms("tea")
        counts = (await store.words(ANA, keys=[], terms=[tea, "nothing"])).counts
        # the user, two turns, two facts; tea in one turn and one fact
        assert (counts.points, counts.frequency) == (5, {tea: 2, "nothing": 0})

    async def test_words_mean_nothing_to_nobody(self, store: GraphStore) -> None:
        """A scope that holds nothing knows no names and has no records, whoever else has."""
        await begin(store, PEOPLE, scope=BOB)
        found = await store.words(ANA, keys=["rosa"], terms=["rosa"])
        assert (found.own, list(found.named), found.counts.points) == (None, [], 0)

    async def test_an_outline_of_a_fact(self, store: GraphStore) -> None:
        """An outline says what the record says."""
        change = told(
            "1", ROSA, predicate="knows", said=T1, qualifiers=(("role", "sister"),),
            statement="Rosa is her sister.", importance=7, polarity=Polarity.NEGATIVE,
        )  # fmt: skip
        await begin(store, PEOPLE, change)
        (found,) = (await store.outlines(ANA, Sought(records=["f1/1", "nothing"]))).facts
        assert found == FactOutline(
            record="f1/1", id="f1", subject="self", subject_text="self", predicate="knows",
            object="rosa", object_text="Rosa", ends=("self", "rosa"), polarity=Polarity.NEGATIVE,
            qualifiers=(("role", "sister"),), statement="Rosa is her sister.", start=T1,
            importance=7, said_at=T1, said_turn=0, said_place=0, claims=1, last_said=T1,
        )  # fmt: skip
        assert found.role == "sister"

    async def test_an_outline_of_a_literal_joins_one_entity(self, store: GraphStore) -> None:
        """A literal, or nothing, is no end to walk to."""
        nothing = ChangeSet(facts=(a_fact("f2", predicate="has_pet", object=None),))
        await begin(store, told("1"), nothing)
        found = (await store.outlines(ANA, Sought(records=["f1/1", "f2/1"]))).facts
        assert sorted((f.object, f.object_text, f.ends) for f in found if f.object is None) == [
            (None, "", ("self",))
        ]
        assert [fact.ends for fact in found] == [("self",), ("self",)]

    async def test_candidates_pass_the_filter(self, store: GraphStore) -> None:
        """What the filter hides is no candidate, by id or by relation."""
        await begin(
            store,
            told("1"),
            told("2", status=Status.RETRACTED),
            told("3", session="s2"),
        )
        everything = [f"f{number}/1" for number in range(1, 4)]
        about = Sought(around=frozenset({"self"}), relations=frozenset({"drinks"}))
        for asked, ids in (
            (FactFilter(), ["f1", "f3"]),
            (FactFilter(statuses=EVERY_STATUS), ["f1", "f2", "f3"]),
            (FactFilter(sessions=frozenset({"s2"})), ["f3"]),
        ):
            assert await facts(store, Sought(filter=asked, records=everything)) == ids
            assert await facts(store, replace(about, filter=asked)) == ids

    async def test_candidates_of_a_relation(self, store: GraphStore) -> None:
        """The newest facts of a relation are found at either end of it."""
        await begin(
            store,
            PEOPLE,
            told("1", ROSA, predicate="knows", said=T0),
            told("2", Value.literal("tea"), subject="rosa", predicate="knows", said=T1),
            told("3", Value.literal("tea"), subject="rosa", predicate="drinks", said=T2),
            told("4", Value.literal("tea"), predicate="knows", said=T2),
        )
        wanted = Sought(around=frozenset({"rosa"}), relations=frozenset({"knows"}))
        assert await facts(store, wanted) == ["f1", "f2"]
        newest = Sought(around=wanted.around, relations=wanted.relations, limit=1)
        assert await facts(store, newest) == ["f2"]

    async def test_what_a_fact_rests_on(self, store: GraphStore) -> None:
        """An outline counts claims, as of the instant asked about."""
        before = (await begin(store, told("1")))[-1].at
        await write(store, AGAIN)
        for known_at, rests in ((None, (2, T2)), (before, (1, T0))):
            wanted = Sought(filter=FactFilter(known_at=known_at), records=["f1/1"])
            (found,) = (await store.outlines(ANA, wanted)).facts
            assert (found.claims, found.last_said) == rests

    async def test_an_outline_of_a_turn(self, store: GraphStore) -> None:
        """A turn says which facts rest on it, and whether it is quoted."""
        other = an_episode("e2", "Is it raining?", speaker="Rosa", role=Role.ASSISTANT, place=3)
        await begin(store, told("1"), ChangeSet(episodes=(other,)))
        found = (await store.outlines(ANA, Sought(turns=["e1", "e2", "nothing"]))).turns
        assert sorted(found) == [
            TurnOutline("e1", "s1", T0, 0, Role.USER, None, "The user drinks tea.", ("f1",), True),
            TurnOutline("e2", "s1", T0, 3, Role.ASSISTANT, "Rosa", "Is it raining?", (), False),
        ]

    async def test_facts_come_with_their_turns(self, store: GraphStore) -> None:
        """With a turn come the facts that rest on it and pass the filter, whatever was asked."""
        await begin(store, told("1"), told("2", status=Status.RETRACTED), told("3"))
        assert await facts(store, Sought(turns=["e1", "e2"])) == ["f1"]
        both = FactFilter(statuses=EVERY_STATUS)
        assert await facts(store, Sought(turns=["e1", "e2"], filter=both)) == ["f1", "f2"]

    async def test_turns_come_with_those_beside_them(self, store: GraphStore) -> None:
        """Two before and two after in the same session, by time, place and id; no facts of them."""
        said = [
            an_episode(f"e{number}", occurred_at=T0 + number // 3, place=number % 3)
            for number in range(7)
        ]
        others = [
            an_episode("x1", occurred_at=T0 + 1, session="s2"),
            an_episode("x2", session=None),
        ]
        await begin(store, ChangeSet(episodes=(*reversed(said), *others)), told("7", said=T0 + 2))
        for turns, beside, found in (
            (["e3"], ["e3"], ["e1", "e2", "e3", "e4", "e5"]),
            ([], ["e0", "nothing"], ["e1", "e2"]),
            ([], ["e3", "e4"], ["e1", "e2", "e3", "e4", "e5", "e6"]),
            ([], ["x1", "x2"], []),
        ):
            outlines = await store.outlines(ANA, Sought(turns=turns, beside=beside))
            assert sorted(turn.id for turn in outlines.turns) == found
            assert not outlines.facts
        (last,) = (await store.outlines(ANA, Sought(turns=["e7"]))).turns
        assert last in (await store.outlines(ANA, Sought(beside=["e5"]))).turns

    async def test_only_turns_that_pass_come_beside(self, store: GraphStore) -> None:
        """What was recorded later, or said to another agent, is not beside, nor in between."""
        first = ChangeSet(
            episodes=tuple(
                an_episode(f"e{number}", occurred_at=T0 + number, agent=agent, session=None)
                for number, agent in ((1, "a"), (2, "b"), (4, "a"), (6, "a"))
            )
        )
        at = (await begin(store, first))[-1].at
        later = an_episode("e3", occurred_at=T0 + 3, agent="a", session=None)
        await write(store, ChangeSet(episodes=(later,)))
        for asked, found in (
            (FactFilter(), ["e2", "e3"]),
            (FactFilter(known_at=at), ["e2", "e4"]),
            (FactFilter(agents=frozenset({"a"})), ["e3", "e4"]),
        ):
            outlines = await store.outlines(ANA, Sought(beside=["e1"], filter=asked))
            assert sorted(turn.id for turn in outlines.turns) == found

    async def test_candidates_stay_in_scope(self, store: GraphStore) -> None:
        """Ids of another scope are nothing here."""
        await begin(store, PEOPLE, told("1"), scope=BOB)
        await begin(store)
        wanted = Sought(
            records=["f1/1"], turns=["e1"], entities=["rosa"],
            around=frozenset({"self"}), relations=frozenset({"drinks"}),
        )  # fmt: skip
        found = await store.outlines(ANA, wanted)
        assert (list(found.facts), list(found.turns), list(found.entities)) == ([], [], [])
        shown = await store.shown(ANA, records=["f1/1"], episodes=["e1"])
        assert (shown.facts, shown.grounds, shown.turns) == ({}, {}, {})

    async def test_entities_among_the_candidates(self, store: GraphStore) -> None:
        """Entities come by id; one that was merged away does not."""
        await begin(store, PEOPLE, ChangeSet(entities=(an_entity("rose", merged_into="rosa"),)))
        found = (await store.outlines(ANA, Sought(entities=["rose", "rosa"]))).entities
        assert [entity.id for entity in found] == ["rosa"]

    async def test_what_is_shown(self, store: GraphStore) -> None:
        """A fact comes with what it rests on and what ended it, each with its turn."""
        ended = a_fact(record="f1/2", cause=Cause(Rule.ENDED, "c2"), end=T1)
        await begin(store, told("1"), told("2", predicate="stops", said=T1))
        await write(store, ChangeSet(facts=(ended,)))
        await write(store, ChangeSet(episodes=(an_episode("e3", "Rain again."),)))
        shown = await store.shown(ANA, records=["f1/2"], episodes=["e3"])
        assert shown.facts["f1/2"].cause == Cause(Rule.ENDED, "c2")
        source = Source("e1", "user", "The user drinks tea.", T0)
        assert list(shown.grounds["f1"]) == [Ground("c1", "The user drinks tea.", Said(T0), source)]
        assert [shown.causes["c2"].source.episode, *shown.causes] == ["e2", "c2"]
        assert [turn.content for turn in shown.turns.values()] == ["Rain again."]

    async def test_what_was_shown(self, store: GraphStore) -> None:
        """As known at an instant, a fact rests on what it rested on then."""
        before = (await begin(store, told("1")))[-1].at
        await write(store, AGAIN)
        then = await store.shown(ANA, records=["f1/1"], episodes=[], known_at=before)
        now = await store.shown(ANA, records=["f1/1"], episodes=[])
        assert (then.facts["f1/1"].claims, now.facts["f1/1"].claims) == (("c1",), ("c1", "c9"))
        grounds = [[one.claim for one in shown.grounds["f1"]] for shown in (then, now)]
        assert grounds == [["c1"], ["c1", "c9"]]
