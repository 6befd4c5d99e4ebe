"""Keywords and the neighbourhood of entities."""

from __future__ import annotations

from dataclasses import replace

from graphmem.model.changes import ChangeSet, GaveWay
from graphmem.model.entity import Value
from graphmem.model.fact import Status
from graphmem.model.search import FactFilter, PointKind
from graphmem.model.terms import document_weights, terms
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


async def walked(
    store: GraphStore, *seeds: str, hops: int, fanout: int = 10, filter: FactFilter | None = None
) -> list[str]:
    """Return the ids of the facts around the seeds, sorted."""
    facts = await store.neighbourhood(
        ANA, seeds, hops=hops, fanout=fanout, filter=filter or FactFilter()
    )
    return sorted(fact.id for fact in facts)


CHAIN = (
    ChangeSet(entities=tuple(an_entity(name) for name in ("mango", "salad", "grill"))),
    told("1", place("mango"), predicate="allergic_to", said=T0 + 1),
    told("2", place("mango"), subject="salad", predicate="contains", said=T0 + 2),
    told("3", place("salad"), subject="grill", predicate="serves", said=T0 + 3),
    told("4", Value.literal("1990"), subject="grill", predicate="opened", said=T0 + 4),
)
"""self - mango - salad - grill, and a date of the grill."""


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
        """Each hop reaches one relation further, in either direction."""
        await begin(store, *CHAIN)
        assert await walked(store, "self", hops=1) == ["f1"]
        assert await walked(store, "self", hops=2) == ["f1", "f2"]
        assert await walked(store, "self", hops=3) == ["f1", "f2", "f3", "f4"]
        assert await walked(store, "grill", hops=1) == ["f3", "f4"]

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
        """At most so many relations leave an entity, those said last."""
        names = [f"n{number}" for number in range(6)]
        await begin(
            store,
            ChangeSet(entities=tuple(an_entity(name) for name in names)),
            *(
                told(str(number), place(name), predicate="knows", said=T0 + number)
                for number, name in enumerate(names)
            ),
        )
        assert await walked(store, "self", hops=1, fanout=2) == ["f4", "f5"]

    async def test_walk_is_deterministic(self, store: GraphStore) -> None:
        """The same walk gives the same facts in the same order."""
        await begin(store, *CHAIN)
        ways = [
            await store.neighbourhood(ANA, seeds, hops=2, fanout=9, filter=FactFilter())
            for seeds in (["self", "grill"], ["self", "grill"])
        ]
        assert ways[0] == ways[1]
        assert len(ways[0]) == len({fact.record for fact in ways[0]}) == 4

    async def test_walk_stays_in_scope(self, store: GraphStore) -> None:
        """Another scope's relations are not walked, even between equal ids."""
        await begin(store, *CHAIN, scope=BOB)
        await begin(store, replace(CHAIN[0]), CHAIN[1])
        assert await walked(store, "self", hops=3) == ["f1"]
