"""Keywords and the neighbourhood of entities."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from graphmem.model.changes import ChangeSet, GaveWay
from graphmem.model.entity import Value
from graphmem.model.fact import Status
from graphmem.model.search import FactFilter, PointKind
from graphmem.model.terms import document_weights, terms
from graphmem.model.walk import Around, Lean, Reach
from graphmem.ports.graph_store import GraphStore
from graphmem.testing.builders import ANA, BOB, T0, a_fact, an_entity, an_episode, told
from graphmem.testing.graph_store.base import StoreTests, begin, write

EVERY_KIND = frozenset(PointKind)
FACTS = frozenset({PointKind.FACT})
CHUNKS = frozenset({PointKind.CHUNK})
ENTITIES = frozenset({PointKind.ENTITY})


async def found(
    store: GraphStore,
    words: str,
    kinds: frozenset[PointKind] = FACTS,
    filter: FactFilter | None = None,
    limit: int = 10,
) -> list[str]:
    """Return the ids of what is found by words, each of the same weight."""
    weights = dict.fromkeys(terms(words), 1.0)
    scored = await store.keyword(ANA, weights, filter or FactFilter(), kinds, limit)
    return [one.ref.id for one in scored]


def place(name: str) -> Value:
    """Return an entity as a value."""
    return Value.entity(an_entity(name))


async def around(store: GraphStore, *seeds: str, **how: Any) -> Around:  # Any: parts of a reach
    """Walk from the seeds, over all that holds unless told otherwise."""
    return await store.neighbourhood(ANA, Reach(seeds=seeds, **how))


async def walked(store: GraphStore, *seeds: str, **how: Any) -> list[str]:  # Any: as above
    """Return the ids of the facts around the seeds, sorted."""
    return sorted(fact.id for fact in (await around(store, *seeds, **how)).facts)


def knows(number: int, name: str, subject: str = "self") -> ChangeSet:
    """Tell that somebody knows somebody, the higher the number the later."""
    told_at = T0 + number
    return told(str(number), place(name), subject=subject, predicate="knows", said=told_at)


CHAIN = (
    ChangeSet(entities=tuple(an_entity(name) for name in ("mango", "salad", "grill"))),
    told("1", place("mango"), predicate="allergic_to", said=T0 + 1),
    told("2", place("mango"), subject="salad", predicate="contains", said=T0 + 2),
    told("3", place("salad"), subject="grill", predicate="serves", said=T0 + 3),
    told("4", Value.literal("1990"), subject="grill", predicate="opened", said=T0 + 4),
)
"""self - mango - salad - grill, and a date of the grill."""

PEOPLE = ChangeSet(
    entities=tuple(an_entity(name) for name in ("far", *(f"n{n}" for n in range(6))))
)
"""People to be known."""


class FindingTests(StoreTests):
    """What retrieval relies on."""

    async def test_keyword_score(self, store: GraphStore) -> None:
        """The score is the sum over the terms of given weight times weight in the record."""
        await begin(store, told("1", statement="green tea and black tea"))
        weighed = document_weights(terms("green tea and black tea"))
        (green,), (tea,) = terms("green"), terms("tea")
        (scored,) = await store.keyword(ANA, {green: 2.0, tea: 0.5}, FactFilter(), FACTS, 10)
        assert abs(scored.score - (2.0 * weighed[green] + 0.5 * weighed[tea])) < 1e-9
        assert (scored.ref.kind, scored.ref.id) == (PointKind.FACT, "f1/1")

    async def test_keyword_order(self, store: GraphStore) -> None:
        """The best comes first, equals by id, and no more than the limit."""
        await begin(
            store,
            told("3", statement="tea in the morning"),
            told("2", statement="tea in the morning"),
            told("1", statement="coffee in the morning"),
        )
        assert await found(store, "morning tea") == ["f2/1", "f3/1", "f1/1"]
        assert await found(store, "morning tea", limit=2) == ["f2/1", "f3/1"]

    async def test_keyword_without_overlap(self, store: GraphStore) -> None:
        """Words that occur nowhere find nothing."""
        await begin(store, told("1"))
        assert await found(store, "submarine", EVERY_KIND) == []
        assert await found(store, "", EVERY_KIND) == []

    async def test_keyword_in_chinese(self, store: GraphStore) -> None:
        """Chinese words of one and two characters are found inside a sentence."""
        await begin(store, told("1", statement="我喜欢喝茶"), told("2", statement="我会弹钢琴"))
        assert await found(store, "茶") == ["f1/1"]
        assert await found(store, "钢琴") == ["f2/1"]

    async def test_keyword_filter(self, store: GraphStore) -> None:
        """The filter applies before the limit."""
        await begin(
            store,
            *(told(str(n), statement="tea", status=Status.RETRACTED) for n in range(1, 9)),
            told("9", statement="tea and a long list of other things"),
        )
        assert await found(store, "tea", limit=1) == ["f9/1"]

    async def test_keyword_in_the_past(self, store: GraphStore) -> None:
        """As known at an instant, the record of then is found."""
        before = (await begin(store, told("1", statement="tea")))[-1].at
        await write(store, ChangeSet(facts=(a_fact(record="f1/2", statement="coffee"),)))
        assert await found(store, "tea") == []
        assert await found(store, "tea", filter=FactFilter(known_at=before)) == ["f1/1"]

    async def test_keyword_of_chunks(self, store: GraphStore) -> None:
        """Turns are found by chunk, narrowed by their labels and record time."""
        before = (await begin(store, ChangeSet(episodes=(an_episode("e1", "a red kite"),))))[-1].at
        later = an_episode("e2", "a red kite", session="s2", agent="a2")
        await write(store, ChangeSet(episodes=(later,)))
        assert await found(store, "kite", CHUNKS) == ["e1#0", "e2#0"]
        for asked, ids in (
            (FactFilter(sessions=frozenset({"s2"})), ["e2#0"]),
            (FactFilter(agents=frozenset({"a1"})), []),
            (FactFilter(known_at=before), ["e1#0"]),
        ):
            assert await found(store, "kite", CHUNKS, asked) == ids

    async def test_keyword_of_entities(self, store: GraphStore) -> None:
        """Entities are found by name and alias as they are now; merged ones are not."""
        await begin(store, ChangeSet(entities=(an_entity("rosa", "Rosa Fink"), an_entity("zoe"))))
        renamed = an_entity("rosa", "Rosa Fink", aliases=("Röschen",))
        merged = an_entity("zoe", merged_into="rosa")
        await write(store, ChangeSet(entities=(renamed, merged)))
        assert await found(store, "roschen", ENTITIES) == ["rosa"]
        assert await found(store, "fink", ENTITIES) == ["rosa"]
        assert await found(store, "zoe", ENTITIES) == []

    async def test_hops(self, store: GraphStore) -> None:
        """Each hop reaches one fact further, in either direction."""
        await begin(store, *CHAIN)
        assert await walked(store, "self", hops=1) == ["f1"]
        assert await walked(store, "self", hops=2) == ["f1", "f2"]
        assert await walked(store, "self", hops=3) == ["f1", "f2", "f3"]
        assert await walked(store, "self", hops=4) == ["f1", "f2", "f3", "f4"]
        assert await walked(store, "grill", hops=1) == ["f3", "f4"]

    async def test_walked_over(self, store: GraphStore) -> None:
        """A walk names the things that it went on from, in its order."""
        await begin(store, *CHAIN)
        things = (await around(store, "self", "grill", hops=2)).walked
        assert [thing.id for thing in things] == ["self", "grill", "salad", "mango"]

    async def test_walk_filter(self, store: GraphStore) -> None:
        """What the filter hides is not walked over."""
        await begin(store, *CHAIN)
        predicates = frozenset({"allergic_to", "serves", "opened"})
        asked = FactFilter(predicates=predicates)
        assert await walked(store, "self", hops=3, filter=asked) == ["f1"]

    async def test_walk_in_the_past(self, store: GraphStore) -> None:
        """As known at an instant, the relations of then are walked."""
        before = (await begin(store, *CHAIN))[-1].at
        await write(store, ChangeSet(gave_way=(GaveWay("f2", None),)))
        assert await walked(store, "self", hops=2) == ["f1"]
        assert await walked(store, "self", hops=2, filter=FactFilter(known_at=before)) == [
            "f1",
            "f2",
        ]

    async def test_fanout(self, store: GraphStore) -> None:
        """At most so many facts leave a thing, those said last."""
        await begin(store, PEOPLE, *(knows(number, f"n{number}") for number in range(6)))
        assert await walked(store, "self", hops=1, fanout=2) == ["f4", "f5"]

    async def test_relations_asked_for_are_found_behind_others(self, store: GraphStore) -> None:
        """Of them come more than of others, out of a thing or into it."""
        into = told("old", place("self"), subject="n0", predicate="likes", said=T0 - 1)
        await begin(store, PEOPLE, into, *(knows(number, f"n{number}") for number in range(6)))
        assert await walked(store, "self", hops=1, fanout=1) == ["f5"]
        asked = frozenset({"likes"})
        assert await walked(store, "self", hops=1, fanout=1, relations=asked) == ["f5", "fold"]

    async def test_the_worthiest_is_walked_on_from(self, store: GraphStore) -> None:
        """Whatever makes a fact worth it: its relation, its words or that it is near; of equals
        what was said last."""
        await begin(
            store,
            PEOPLE,
            *(knows(number, f"n{number}") for number in range(3)),
            told("3", place("n3"), predicate="likes", said=T0 - 3),
            told("4", place("n4"), statement="green grapes", predicate="knows", said=T0 - 4),
            *(knows(10 + number, "far", f"n{number}") for number in range(5)),
        )
        for lean, ids in (
            (Lean(), ["f2", "f12"]),
            (Lean(cues={"likes": 0.5}), ["f3", "f13"]),
            (Lean(words=dict.fromkeys(terms("grapes"), 0.5)), ["f4", "f14"]),
            (Lean(near={"f1/1": 0.5}), ["f1", "f11"]),
            (Lean(cues={"likes": 0.5}, near={"f1/1": 0.7}), ["f3", "f13"]),
        ):
            facts = (await around(store, "self", hops=2, beam=1, beside=1, lean=lean)).facts
            assert set(ids) <= {fact.id for fact in facts}
            assert len(facts) == 6

    async def test_what_is_astray_is_worth_less(self, store: GraphStore) -> None:
        """Where a question goes by a relation, facts about the user alone lead nowhere."""
        await begin(
            store,
            PEOPLE,
            told("1", place("n1"), predicate="works_at", said=T0 + 9),
            told("2", place("n2"), predicate="has_sibling"),
            told("3", place("n3"), subject="n2", predicate="works_at"),
            told("4", place("n4"), subject="n1", predicate="located_in"),
        )
        cues = {"works_at": 0.9, "has_sibling": 0.5}
        straight = Lean(cues=cues)
        by_kin = Lean(
            cues=cues, own="self", around=frozenset({"self"}), kin=frozenset({"has_sibling"})
        )
        way = {"hops": 2, "beam": 1, "beside": 1}
        assert await walked(store, "self", lean=straight, **way) == ["f1", "f2", "f4"]
        assert await walked(store, "self", lean=by_kin, **way) == ["f1", "f2", "f3"]

    async def test_beside_the_way(self, store: GraphStore) -> None:
        """What things not walked on from are like is read; where they lead is not."""
        await begin(
            store,
            PEOPLE,
            *(knows(number, f"n{number}") for number in range(3)),
            *(
                told(f"w{n}", Value.literal("1990"), subject=f"n{n}", predicate="born")
                for n in range(3)
            ),
            knows(10, "far", "n0"),
            knows(11, "far", "n1"),
        )
        found = await walked(store, "self", hops=2, beam=1, beside=2)
        assert found == ["f0", "f1", "f2", "fw1", "fw2"]

    async def test_the_worthiest_are_returned(self, store: GraphStore) -> None:
        """At most so many, best first, ties by record; those known beside them."""
        await begin(store, PEOPLE, *(knows(number, f"n{number}") for number in range(5)))
        lean = Lean(near={"f4/1": 0.5, "f2/1": 0.9})
        facts = (await around(store, "self", lean=lean, limit=3, known=["f3/1"])).facts
        assert [fact.id for fact in facts] == ["f3", "f2", "f4", "f0"]

    async def test_known_facts_are_walked_over(self, store: GraphStore) -> None:
        """What was found otherwise is walked over, though it is not among the newest; what is not
        met is returned too."""
        await begin(
            store,
            PEOPLE,
            *(knows(number, f"n{number}") for number in range(3)),
            knows(10, "far", "n0"),
            knows(11, "n5", "n4"),
        )
        known = ["f11/1", "f0/1"]
        facts = (await around(store, "self", hops=2, fanout=1, known=known)).facts
        assert [fact.id for fact in facts] == ["f11", "f0", "f10", "f2"]

    async def test_walk_is_deterministic(self, store: GraphStore) -> None:
        """The same walk gives the same facts in the same order."""
        await begin(store, *CHAIN)
        ways = [await around(store, "self", "grill", hops=2) for _ in range(2)]
        assert ways[0] == ways[1]
        assert len(ways[0].facts) == len({fact.record for fact in ways[0].facts}) == 4

    async def test_walk_stays_in_scope(self, store: GraphStore) -> None:
        """Another scope's relations are not walked, even between equal ids."""
        await begin(store, *CHAIN, scope=BOB)
        await begin(store, replace(CHAIN[0]), CHAIN[1])
        assert await walked(store, "self", hops=3) == ["f1"]
