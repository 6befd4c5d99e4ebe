"""Change sets that break a rule are refused, whole."""

from __future__ import annotations

from dataclasses import replace

import pytest

from graphmem.errors import RefusedError
from graphmem.model.changes import ChangeSet, ReadMark, Rests, Withdrawal
from graphmem.model.episode import Reading
from graphmem.ports.graph_store import EpisodeQuery, GraphStore
from graphmem.testing.builders import (
    ANA,
    BOB,
    T0,
    T1,
    a_claim,
    a_fact,
    a_link,
    an_entity,
    an_episode,
    told,
)
from graphmem.testing.graph_store.base import StoreTests, begin, listed, write

REFUSED = {
    "two live records": ChangeSet(facts=(a_fact("f9"), a_fact("f9", record="f9/2"))),
    "a record id again": ChangeSet(facts=(a_fact("f1", record="f1/1"),)),
    "an end before the start": ChangeSet(facts=(a_fact("f9", start=T1, end=T0),)),
    "an unknown claim": ChangeSet(facts=(a_fact("f9", claims=("c9",)),)),
    "evidence of an unknown fact": ChangeSet(rests=(Rests("f9", ("c1",)),)),
    "unknown evidence": ChangeSet(rests=(Rests("f1", ("c9",)),)),
    "a claim of an unknown episode": ChangeSet(
        claims=(a_claim("c9", "e9"),), links=(a_link("c9"),)
    ),
    "a claim id again": ChangeSet(claims=(a_claim("c1"),), links=(a_link("c1"),)),
    "a claim without a link": ChangeSet(claims=(a_claim("c9"),)),
    "a link of an unknown claim": ChangeSet(links=(a_link("c9"),)),
    "a withdrawal of an unknown claim": ChangeSet(withdrawals=(Withdrawal("c9"),)),
    "a mark on an unknown episode": ChangeSet(reads=(ReadMark("e9", Reading.READ),)),
    "an episode key again": ChangeSet(episodes=(an_episode("e9", key="key of e1"),)),
    "an episode id again": ChangeSet(episodes=(an_episode("e1", key="other"),)),
    "a taken entity key": ChangeSet(entities=(an_entity("other", "Rosa"),)),
    "a blank entity key": ChangeSet(entities=(an_entity("blank", key=" "),)),
    "an oversize entity key": ChangeSet(entities=(an_entity("long", key="x" * 300),)),
}


class RefusalTests(StoreTests):
    """What a store refuses."""

    @pytest.mark.parametrize("changes", REFUSED.values(), ids=REFUSED.keys())
    async def test_refused_whole(self, store: GraphStore, changes: ChangeSet) -> None:
        """A change set that breaks a rule is refused, and nothing of it is written."""
        good = an_episode("good")
        await begin(store, replace(told("1"), entities=(an_entity("rosa", "Rosa"),)))
        with pytest.raises(RefusedError):
            await write(store, replace(changes, episodes=(good, *changes.episodes)))
        assert (await store.episodes(ANA, EpisodeQuery(ids=("good",)))).total == 0
        assert await listed(store) == ["f1"]

    async def test_no_number_is_lost(self, store: GraphStore) -> None:
        """A refused change takes no change number."""
        await begin(store)
        with pytest.raises(RefusedError):
            await write(store, REFUSED["an unknown claim"])
        assert (await write(store, told("1"))).number == 2

    async def test_claim_of_another_scope(self, store: GraphStore) -> None:
        """A fact cannot rest on a claim of another scope."""
        await begin(store, told("1"), scope=BOB)
        with pytest.raises(RefusedError):
            await write(store, ChangeSet(entities=(an_entity(),), facts=(a_fact("f1"),)))
        assert await listed(store) == []

    async def test_episode_of_another_scope(self, store: GraphStore) -> None:
        """A claim cannot be said in an episode of another scope."""
        await begin(store, told("1"), scope=BOB)
        with pytest.raises(RefusedError):
            await write(store, ChangeSet(claims=(a_claim("c9", "e1"),), links=(a_link("c9"),)))
