"""Changes: record time, atomicity, and what each part of a change set does."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import anyio
import anyio.to_thread
import pytest

from graphmem.model.changes import (
    Changed,
    ChangeSet,
    Decision,
    GaveWay,
    ReadMark,
    Rests,
    Wanted,
    Withdrawal,
)
from graphmem.model.entity import SuggestionState, Value
from graphmem.model.episode import Reading
from graphmem.model.fact import Status
from graphmem.model.time import FOREVER, SECOND
from graphmem.ports.graph_store import EpisodeQuery, GraphStore
from graphmem.testing.builders import (
    ANA,
    BOB,
    T0,
    T1,
    a_claim,
    a_fact,
    a_link,
    a_suggestion,
    an_entity,
    an_episode,
    told,
    writing,
)
from graphmem.testing.clock import FrozenClock
from graphmem.testing.graph_store.base import StoreTests, begin, listed, look, the_fact, write


def another_claim(id: str = "c2") -> ChangeSet:
    """Return a change with a second claim for the first fact."""
    return ChangeSet(
        episodes=(an_episode(f"e{id}"),),
        claims=(a_claim(id, f"e{id}", T1),),
        links=(a_link(id, Value.literal("tea")),),
    )


class ChangeTests(StoreTests):
    """What a change promises."""

    async def test_first_change(self, store: GraphStore) -> None:
        """The first change of a scope has the clock's time and number 1."""
        changed = await write(store, ChangeSet(entities=(an_entity(),)))
        assert (changed.at, changed.number) == (T0, 1)

    async def test_record_time_grows(self, store: GraphStore) -> None:
        """While the clock stands still, record times still grow."""
        changed = await begin(store, told("1"), told("2"))
        assert [one.at for one in changed] == [T0, T0 + 1, T0 + 2]

    async def test_clock_steps_back(self, store: GraphStore, clock: FrozenClock) -> None:
        """A clock that steps back does not take the record time along."""
        await begin(store)
        clock.advance(-SECOND)
        assert (await write(store, told("1"))).at == T0 + 1

    async def test_scopes_count_apart(self, store: GraphStore) -> None:
        """Each scope has change numbers of its own."""
        await begin(store, told("1"))
        assert (await begin(store, scope=BOB))[0].number == 1

    async def test_empty_change(self, store: GraphStore) -> None:
        """A change set that is empty advances nothing."""
        last = (await begin(store))[-1]
        assert await write(store, ChangeSet()) == Changed(last.number, last.at, ChangeSet())

    async def test_empty_change_makes_no_scope(self, store: GraphStore) -> None:
        """Looking at a scope does not make it."""
        await look(store, Wanted(entity_keys=("rosa",)))
        assert await store.scopes() == []

    async def test_failed_decision(self, store: GraphStore) -> None:
        """An error inside a decision passes through, and nothing is written."""

        def decide() -> Decision:
            yield Wanted()
            raise LookupError("changed its mind")

        with pytest.raises(LookupError, match="changed its mind"):
            await store.change(ANA, decide)
        assert await store.scopes() == []

    async def test_several_looks(self, store: GraphStore) -> None:
        """All snapshots of one decision have one record time and number, those of the change."""
        await begin(store)
        seen: list[tuple[int, int]] = []

        def decide() -> Decision:
            for wanted in (Wanted(), Wanted(suggestions=True)):
                snapshot = yield wanted
                seen.append((snapshot.now, snapshot.number))
            return told("1")

        changed = await store.change(ANA, decide)
        assert seen == [(changed.at, changed.number)] * 2

    async def test_change_id(self, store: GraphStore) -> None:
        """A change id that was committed is not applied again; its number and time come back."""
        await begin(store)
        first = await store.change(ANA, writing(told("1")), change_id="once")
        await write(store, told("2"))
        again = await store.change(ANA, writing(told("3")), change_id="once")
        assert again == Changed(first.number, first.at, ChangeSet())
        assert "f3" not in await listed(store)

    async def test_change_ids_of_scopes(self, store: GraphStore) -> None:
        """One change id in two scopes is two changes."""
        for scope in (ANA, BOB):
            await begin(store, scope=scope)
            await store.change(scope, writing(told("1")), change_id="once")
        assert await listed(store, scope=BOB) == ["f1"]

    async def test_one_at_a_time(self, store: GraphStore) -> None:
        """Changes of one scope that start at once run one after the other."""
        await begin(store)
        done: list[Changed] = []

        async def run(number: int) -> None:
            done.append(await write(store, told(str(number))))

        async with anyio.create_task_group() as group:
            for number in range(10):
                group.start_soon(run, number)
        assert sorted(one.number for one in done) == list(range(2, 12))
        assert len({one.at for one in done}) == 10

    async def test_cancelled(self, store: GraphStore) -> None:
        """A change whose caller is cancelled is whole or not there, and blocks nobody."""
        await begin(store)
        task = asyncio.ensure_future(write(store, told("1")))
        await asyncio.sleep(0)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        await write(store, told("2"))
        assert "f2" in await listed(store)
        assert await store.check() == []

    async def test_stamps(self, store: GraphStore) -> None:
        """New episodes, entities and records carry the change's record time."""
        at = (await begin(store, replace(told("1"), entities=(an_entity("rosa"),))))[-1].at
        fact = await the_fact(store)
        episode = (await store.episodes(ANA, EpisodeQuery())).items[0]
        entity = (await store.entities(ANA, ids=("rosa",))).items[0].entity
        assert (fact.created_at, fact.expired_at) == (at, FOREVER)
        assert (episode.created_at, entity.created_at) == (at, at)

    async def test_revision(self, store: GraphStore) -> None:
        """A new record of a fact ends the one before at the same instant."""
        at = (await begin(store, told("1"), ChangeSet(facts=(a_fact(record="f1/2", end=T1),))))[
            -1
        ].at
        records = await store.history(ANA, "f1")
        assert [(one.record, one.expired_at) for one in records] == [
            ("f1/1", at),
            ("f1/2", FOREVER),
        ]
        assert records[1].created_at == at

    async def test_past_view(self, store: GraphStore) -> None:
        """What was known before a revision is still known as of then."""
        before = (await begin(store, told("1")))[-1].at
        seen = await the_fact(store, known_at=before)
        await write(store, ChangeSet(facts=(a_fact(record="f1/2", status=Status.RETRACTED),)))
        assert replace(await the_fact(store, known_at=before), expired_at=FOREVER) == seen

    async def test_corroboration(self, store: GraphStore) -> None:
        """Evidence alone changes without a new record, and past views keep the evidence of then."""
        before = (await begin(store, told("1")))[-1].at
        await write(store, replace(another_claim(), rests=(Rests("f1", ("c1", "c2")),)))
        assert (await the_fact(store)).claims == ("c1", "c2")
        assert (await the_fact(store, known_at=before)).claims == ("c1",)
        assert len(await store.history(ANA, "f1")) == 1

    async def test_evidence_leaves(self, store: GraphStore) -> None:
        """A claim that a fact no longer rests on leaves its evidence, not its past."""
        change = replace(another_claim(), rests=(Rests("f1", ("c1", "c2")),))
        before = (await begin(store, told("1"), change))[-1].at
        await write(store, ChangeSet(rests=(Rests("f1", ("c2",)),)))
        assert (await the_fact(store)).claims == ("c2",)
        assert (await the_fact(store, known_at=before)).claims == ("c1", "c2")

    async def test_gave_way(self, store: GraphStore) -> None:
        """A fact id that gave way has no live record, keeps its past and names its successor."""
        moved = replace(
            told("2"), facts=(a_fact("f2", claims=("c2", "c1")),), gave_way=(GaveWay("f1", "f2"),)
        )
        await begin(store, told("1"), moved)
        assert await listed(store) == ["f2"]
        (record,) = await store.history(ANA, "f1")
        assert (record.successor, record.claims) == ("f2", ("c1",))

    async def test_withdrawal(self, store: GraphStore) -> None:
        """A withdrawn claim is sent as such, and stands again once that is lifted."""
        await begin(store, told("1"), ChangeSet(withdrawals=(Withdrawal("c1", reason="no"),)))
        (claim,) = await store.claims_by_id(ANA, ["c1"])
        assert claim.withdrawn
        await write(store, ChangeSet(withdrawals=(Withdrawal("c1", lifted=True),)))
        (claim,) = await store.claims_by_id(ANA, ["c1"])
        assert not claim.withdrawn

    async def test_withdrawal_in_the_past(self, store: GraphStore) -> None:
        """As known before the withdrawal, the claim stands."""
        before = (await begin(store, told("1")))[-1].at
        await write(store, ChangeSet(withdrawals=(Withdrawal("c1"),)))
        assert not (await store.claims(ANA, ["f1"], known_at=before))["f1"][0].withdrawn
        assert (await store.claims(ANA, ["f1"]))["f1"][0].withdrawn

    async def test_new_link(self, store: GraphStore) -> None:
        """A new link takes the place of a claim's link from now on."""
        before = (await begin(store, told("1")))[-1].at
        link = a_link("c1", Value.literal("mint tea"))
        await write(store, ChangeSet(links=(link,)))
        assert (await store.claims(ANA, ["f1"]))["f1"][0].link == link
        then = (await store.claims(ANA, ["f1"], known_at=before))["f1"][0].link
        assert then.object == Value.literal("tea")

    async def test_read_mark(self, store: GraphStore) -> None:
        """What became of an episode's extraction is kept with it."""
        mark = ReadMark("e1", Reading.PENDING, "the model is away")
        await begin(store, told("1"), ChangeSet(reads=(mark,)))
        episode = (await store.episodes(ANA, EpisodeQuery(ids=("e1",)))).items[0]
        assert (episode.reading, episode.reason) == (Reading.PENDING, "the model is away")

    async def test_entity_changes(self, store: GraphStore) -> None:
        """An entity is changed under its id and keeps the time it came."""
        came = (await begin(store, ChangeSet(entities=(an_entity("rosa"),))))[-1].at
        await write(store, ChangeSet(entities=(an_entity("rosa", aliases=("Rosie",)),)))
        entity = (await store.entities(ANA, keys=("rosie",))).items[0].entity
        assert (entity.id, entity.created_at) == ("rosa", came)

    async def test_suggestion_changes(self, store: GraphStore) -> None:
        """A suggestion is decided under its id."""
        open_one = a_suggestion()
        people = ChangeSet(entities=(an_entity("rosa"), an_entity("rosie")))
        await begin(store, replace(people, suggestions=(open_one,)))
        decided = replace(open_one, state=SuggestionState.REJECTED)
        await write(store, ChangeSet(suggestions=(decided,)))
        (suggestion,) = await store.suggestions(ANA)
        assert suggestion.state is SuggestionState.REJECTED

    async def test_any_thread_and_loop(self, store: GraphStore) -> None:
        """The store works in another thread, and there in one event loop after another."""
        await begin(store)

        def elsewhere() -> list[str]:
            asyncio.run(write(store, told("1")))
            return asyncio.run(listed(store))

        assert await anyio.to_thread.run_sync(elsewhere) == ["f1"]
