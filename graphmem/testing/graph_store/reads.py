"""Look-ups by id, listings of episodes and entities, and the store's own values."""

from __future__ import annotations

from dataclasses import replace

import anyio

from graphmem.model.changes import ChangeSet, Rests
from graphmem.model.entity import Value
from graphmem.model.episode import Reading
from graphmem.ports.graph_store import EpisodeQuery, GraphStore
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
    a_suggestion,
    an_entity,
    an_episode,
    told,
)
from graphmem.testing.graph_store.base import StoreTests, begin, write

TURNS = ChangeSet(
    episodes=(
        an_episode("e2", occurred_at=T2, reading=Reading.PENDING),
        an_episode("e1", occurred_at=T1, session="s2", reading=Reading.PENDING),
        an_episode("e3", occurred_at=T3),
    )
)


async def episode_ids(store: GraphStore, query: EpisodeQuery) -> list[str]:
    """Return the ids of a page of episodes."""
    return [episode.id for episode in (await store.episodes(ANA, query)).items]


async def entity_ids(store: GraphStore, **which: list[str]) -> list[str]:
    """Return the ids of a page of entities."""
    ids, keys = which.get("ids"), which.get("keys")
    return [view.entity.id for view in (await store.entities(ANA, ids=ids, keys=keys)).items]


class ReadTests(StoreTests):
    """What the plain reads promise."""

    async def test_records(self, store: GraphStore) -> None:
        """Records are read by record id, live and past ones, in the order asked for."""
        await begin(store, told("1"), ChangeSet(facts=(a_fact(record="f1/2"),)))
        found = await store.records(ANA, ["f1/2", "nothing", "f1/1", "f1/2"])
        assert [fact.record for fact in found] == ["f1/2", "f1/1"]
        assert await store.records(BOB, ["f1/1"]) == []

    async def test_history_of_evidence(self, store: GraphStore) -> None:
        """Each past record shows what it rested on when it left."""
        await begin(
            store,
            told("1"),
            told("2"),
            ChangeSet(rests=(Rests("f1", ("c1", "c2")),)),
            ChangeSet(facts=(a_fact(record="f1/2", claims=("c2",)),)),
        )
        history = await store.history(ANA, "f1")
        assert [set(record.claims) for record in history] == [{"c1", "c2"}, {"c2"}]
        assert await store.history(ANA, "nothing") == []

    async def test_claims_of_facts(self, store: GraphStore) -> None:
        """Claims come by fact id, linked, in said order; unknown facts give nothing."""
        earlier = ChangeSet(
            episodes=(an_episode("e0"),),
            claims=(a_claim("c0", "e0", T0 - 1),),
            links=(a_link("c0", Value.literal("tea")),),
            rests=(Rests("f1", ("c1", "c0")),),
        )
        await begin(store, told("1"), earlier, told("2"))
        found = await store.claims(ANA, ["f1", "f2", "nothing"])
        ids = {fact: [one.claim.id for one in claims] for fact, claims in found.items()}
        assert ids == {"f1": ["c0", "c1"], "f2": ["c2"]}

    async def test_claim_round_trip(self, store: GraphStore) -> None:
        """A claim comes back as it was written, with its link."""
        change = told("1")
        await begin(store, change)
        (found,) = await store.claims_by_id(ANA, ["c1", "nothing"])
        assert (found.claim, found.link) == (change.claims[0], change.links[0])

    async def test_episode_round_trip(self, store: GraphStore) -> None:
        """An episode comes back word for word."""
        words = "第一行\nsecond\tline \x00 — 😀 \u200b"
        episode = an_episode("e1", words, speaker="Rosa", agent="a1", key=None, reason="r")
        at = (await begin(store, ChangeSet(episodes=(episode,))))[-1].at
        (found,) = (await store.episodes(ANA, EpisodeQuery())).items
        assert found == replace(episode, created_at=at)

    async def test_episodes_newest_first(self, store: GraphStore) -> None:
        """Episodes are listed by when they were said, newest first."""
        await begin(store, TURNS)
        assert await episode_ids(store, EpisodeQuery()) == ["e3", "e2", "e1"]

    async def test_pending_episodes_oldest_first(self, store: GraphStore) -> None:
        """Episodes of one reading state are listed oldest first."""
        await begin(store, TURNS)
        assert await episode_ids(store, EpisodeQuery(reading=Reading.PENDING)) == ["e1", "e2"]

    async def test_episode_filters(self, store: GraphStore) -> None:
        """Episodes are narrowed by id, session, and by having been said before an instant."""
        await begin(store, TURNS)
        assert await episode_ids(store, EpisodeQuery(session="s2")) == ["e1"]
        assert await episode_ids(store, EpisodeQuery(before=T2)) == ["e1"]
        assert await episode_ids(store, EpisodeQuery(ids=("e3", "e9"))) == ["e3"]

    async def test_episode_pages(self, store: GraphStore) -> None:
        """Episodes come in pages, in both directions."""
        await begin(store, TURNS)
        for query in (EpisodeQuery(limit=1), EpisodeQuery(limit=1, reading=Reading.PENDING)):
            first = await store.episodes(ANA, query)
            rest = await store.episodes(ANA, replace(query, cursor=first.cursor, limit=9))
            ids = [episode.id for episode in (*first.items, *rest.items)]
            assert ids == await episode_ids(store, replace(query, limit=9))
            assert rest.cursor is None

    async def test_entities(self, store: GraphStore) -> None:
        """Entities are listed newest first, each with how many live facts touch it."""
        rosa = Value.entity(an_entity("rosa", "Rosa"))
        await begin(
            store,
            ChangeSet(entities=(an_entity("rosa", "Rosa"),)),
            told("1", rosa, predicate="likes"),
            told("2"),
        )
        page = await store.entities(ANA)
        assert [(view.entity.id, view.facts) for view in page.items] == [("rosa", 1), ("self", 2)]

    async def test_merged_entities(self, store: GraphStore) -> None:
        """A merged entity is found by id alone."""
        await begin(store, ChangeSet(entities=(an_entity("rosa"),)))
        merged = an_entity("rosie", merged_into="rosa")
        survivor = an_entity("rosa", aliases=("rosie",))
        await write(store, ChangeSet(entities=(survivor, merged)))
        assert await entity_ids(store) == ["rosa", "self"]
        assert await entity_ids(store, keys=["rosie"]) == ["rosa"]
        assert await entity_ids(store, ids=["rosie"]) == ["rosie"]

    async def test_entity_pages(self, store: GraphStore) -> None:
        """Entities come in pages, with the total."""
        await begin(store, *(ChangeSet(entities=(an_entity(f"n{n}"),)) for n in range(4)))
        first = await store.entities(ANA, limit=3)
        rest = await store.entities(ANA, limit=3, cursor=first.cursor)
        ids = [view.entity.id for view in (*first.items, *rest.items)]
        assert ids == ["n3", "n2", "n1", "n0", "self"]
        assert (first.total, rest.cursor) == (5, None)

    async def test_entities_that_entered_together(self, store: GraphStore) -> None:
        """Entities of one change are listed by their keys, whatever their ids, page by page."""
        names = ("c", "\U0001f600", "a", "\ufffd", "b", "é")
        people = tuple(an_entity(f"n{n}", name) for n, name in enumerate(names))
        await begin(store, ChangeSet(entities=people))
        listed: list[str] = []
        cursor = None
        for _ in range(4):
            page = await store.entities(ANA, limit=2, cursor=cursor)
            listed += [view.entity.name for view in page.items]
            cursor = page.cursor
        assert listed == ["\U0001f600", "\ufffd", "é", "c", "b", "a", "self"]
        assert cursor is None

    async def test_suggestions_that_entered_together(self, store: GraphStore) -> None:
        """Suggestions of one change are listed by the keys of what they join."""
        people = tuple(an_entity(f"n{n}", name) for n, name in enumerate("cab"))
        pairs = (("z", "n0", "n2"), ("y", "n1", "n2"), ("x", "n1", "n0"))
        suggestions = tuple(a_suggestion(*pair) for pair in pairs)
        await begin(store, ChangeSet(entities=people), ChangeSet(suggestions=suggestions))
        assert [one.id for one in await store.suggestions(ANA)] == ["y", "x", "z"]

    async def test_self_entity(self, store: GraphStore) -> None:
        """The scope's own user is there once something was written."""
        assert await store.self_entity(ANA) is None
        await begin(store)
        own = await store.self_entity(ANA)
        assert own is not None
        assert own.id == "self"

    async def test_suggestions_newest_first(self, store: GraphStore) -> None:
        """Suggestions are listed newest first."""
        people = ChangeSet(entities=(an_entity("rosa"), an_entity("rosie"), an_entity("ros")))
        one, two = a_suggestion("same1"), a_suggestion("same2", "rosa", "ros")
        await begin(store, people, ChangeSet(suggestions=(one,)), ChangeSet(suggestions=(two,)))
        assert [suggestion.id for suggestion in await store.suggestions(ANA)] == ["same2", "same1"]

    async def test_scopes(self, store: GraphStore) -> None:
        """Every scope that holds something is named."""
        await begin(store)
        await begin(store, scope=BOB)
        assert await store.scopes() == [ANA, BOB]

    async def test_meta(self, store: GraphStore) -> None:
        """Values kept with the store are read back, and replaced."""
        assert await store.get_meta("embedder") is None
        await store.set_meta("embedder", "one")
        await store.set_meta("embedder", "two")
        assert await store.get_meta("embedder") == "two"

    async def test_first_meta(self, store: GraphStore) -> None:
        """The first value stays, and whoever comes later, or at the same time, gets it."""
        got: list[str] = []

        async def put(value: str) -> None:
            got.append(await store.first_meta("owner", value))

        async with anyio.create_task_group() as group:
            for value in ("one", "two", "three"):
                group.start_soon(put, value)
        assert len(set(got)) == 1
        assert await store.first_meta("owner", "four") == got[0]
        assert await store.get_meta("owner") == got[0]

    async def test_swap_meta(self, store: GraphStore) -> None:
        """A value takes the place of the one that is named, of "" where none is kept; of several
        that come at once one does."""
        assert not await store.swap_meta("owed", "much", "little")
        assert await store.get_meta("owed") in (None, "")
        assert await store.swap_meta("owed", "", "much")
        assert await store.swap_meta("owed", "", "much")
        done: list[bool] = []

        async def swap(value: str) -> None:
            done.append(await store.swap_meta("owed", "much", value))

        async with anyio.create_task_group() as group:
            for value in ("one", "two", "three"):
                group.start_soon(swap, value)
        assert done.count(True) == 1
        kept = await store.get_meta("owed")
        assert kept in ("one", "two", "three")
        assert await store.swap_meta("owed", kept, "")
        assert await store.get_meta("owed") == ""

    async def test_healthy(self, store: GraphStore) -> None:
        """A store that was only written through changes has nothing wrong."""
        await begin(store, told("1"), ChangeSet(facts=(a_fact(record="f1/2"),)), told("2"))
        assert await store.check() == []

    async def test_unfounded_fact(self, store: GraphStore) -> None:
        """A held fact that rests on nothing is found by the check."""
        await begin(store, told("1"), ChangeSet(rests=(Rests("f1", ()),)))
        assert any("f1" in finding for finding in await store.check())

    async def test_close_twice(self, store: GraphStore) -> None:
        """Closing twice is safe."""
        await store.close()
        await store.close()
