"""Erasing: at once invisible, then gone, and the index is told."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

import pytest

from graphmem.errors import RefusedError
from graphmem.model.changes import Blanked, ChangeSet, Erased, Family, Rests, Wanted
from graphmem.model.entity import Value
from graphmem.model.search import FactFilter, FactQuery, PointKind
from graphmem.model.terms import terms
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
)
from graphmem.testing.graph_store.base import StoreTests, begin, listed, look, write
from graphmem.testing.graph_store.outbox import settle_all


def erasing(**what: tuple[str, ...]) -> ChangeSet:
    """Return a change that erases things by id."""
    return ChangeSet(erased=replace(Erased(), **what))


async def removed_points(store: GraphStore) -> dict[PointKind, set[str]]:
    """Return the points that must leave the index, by kind."""
    gone: dict[PointKind, set[str]] = {}
    for row in await store.outbox(1000):
        if row.removed:
            gone.setdefault(row.kind, set()).update(row.removed)
    return gone


class ErasingTests(StoreTests):
    """What erasing promises.

    ``cleans`` says whether a sweep can remove what was erased from every file. A store whose files
    are a server's may not: then each sweep says what still holds it, however late.
    """

    cleans: ClassVar[bool] = True

    async def test_scope_is_gone_at_once(self, store: GraphStore) -> None:
        """Nothing of an erased scope can be read, before any sweep."""
        await begin(store, told("1"))
        await begin(store, told("1"), scope=BOB)
        counts = await store.erase_scope(ANA)
        assert counts["episodes"] == counts["claims"] == counts["facts"] == 1
        assert await store.scopes() == [BOB]
        assert await listed(store) == []
        assert await store.history(ANA, "f1") == []
        assert (await store.episodes(ANA, EpisodeQuery())).total == 0
        assert await store.self_entity(ANA) is None
        assert [row async for row in store.export(ANA)] == []
        assert await listed(store, scope=BOB) == ["f1"]

    async def test_erased_scope_leaves_the_index(self, store: GraphStore) -> None:
        """Every point of an erased scope is named to be removed."""
        await begin(store, told("1"), ChangeSet(facts=(a_fact(record="f1/2"),)))
        await settle_all(store)
        await store.erase_scope(ANA)
        assert await removed_points(store) == {
            PointKind.FACT: {"f1/1", "f1/2"},
            PointKind.CHUNK: {"e1#0"},
            PointKind.ENTITY: {"self"},
        }
        assert {row.scope for row in await store.outbox(100)} == {ANA}

    async def test_scope_begins_anew(self, store: GraphStore) -> None:
        """The same scope can be used again at once, and a sweep does not touch the new one."""
        await begin(store, told("1"))
        await store.erase_scope(ANA)
        await begin(store, told("1"))
        await settle_all(store)
        await store.sweep()
        assert await listed(store) == ["f1"]
        assert await store.check() == []

    async def test_sweep(self, store: GraphStore) -> None:
        """A sweep removes what was erased; once the index has forgotten it, all is clean."""
        await begin(store, told("1"))
        await store.erase_scope(ANA)
        await settle_all(store)
        swept = await store.sweep()
        assert swept.removed["episodes"] == 1
        assert (swept.waiting == ()) is self.cleans
        assert (await store.sweep()).waiting == swept.waiting
        assert await store.check() == []

    async def test_sweep_waits_for_the_index(self, store: GraphStore) -> None:
        """While the index has not forgotten an erased scope, the sweep says so."""
        await begin(store, told("1"))
        await store.erase_scope(ANA)
        waiting = (await store.sweep()).waiting
        await settle_all(store)
        later = (await store.sweep()).waiting
        assert set(later) < set(waiting)
        assert (later == ()) is self.cleans

    async def test_nothing_to_erase(self, store: GraphStore) -> None:
        """Erasing a scope that holds nothing is no error, and there is nothing to sweep."""
        assert await store.erase_scope(ANA) == {}
        swept = await store.sweep()
        assert (dict(swept.removed), swept.waiting) == ({}, ())

    async def test_episode(self, store: GraphStore) -> None:
        """An erased episode takes its claims along, and its turn is new again."""
        await begin(store, told("1"), told("2", Value.literal("mate")))
        await settle_all(store)
        await write(store, erasing(episodes=("e1",), facts=("f1",)))
        assert await store.claims_by_id(ANA, ["c1"]) == []
        assert await listed(store) == ["f2"]
        assert await removed_points(store) == {PointKind.FACT: {"f1/1"}, PointKind.CHUNK: {"e1#0"}}
        await write(store, told("1"))
        assert await listed(store) == ["f1", "f2"]

    async def test_fact(self, store: GraphStore) -> None:
        """An erased fact leaves no record of any time and no term."""
        before = (await begin(store, told("1", statement="zinnia")))[-1].at
        await write(store, ChangeSet(facts=(a_fact(record="f1/2"),)))
        await write(store, erasing(facts=("f1",), claims=("c1",)))
        assert await store.history(ANA, "f1") == []
        assert await listed(store, FactFilter(known_at=before)) == []
        counts = (await store.words(ANA, keys=[], terms=[*terms("zinnia")])).counts
        assert set(counts.frequency.values()) == {1}  # the turn, which nobody erased
        assert await store.check() == []

    async def test_claim_leaves_evidence(self, store: GraphStore) -> None:
        """An erased claim is in no fact's evidence of any time."""
        await begin(store, told("1"), told("2"))
        both = (await write(store, ChangeSet(rests=(Rests("f1", ("c1", "c2")),)))).at
        await write(store, erasing(claims=("c2",), facts=("f2",)))
        page = await store.facts(ANA, FactQuery(filter=FactFilter(known_at=both)))
        assert [fact.claims for fact in page.items] == [("c1",)]

    async def test_blanked_episode(self, store: GraphStore) -> None:
        """A blanked episode has new words, no hash and no key; old words find nothing."""
        await begin(store, told("1", statement="tulips and zinnias"))
        await settle_all(store)
        blank = ChangeSet(
            erased=Erased(facts=("f1",), claims=("c1",), blanked=(Blanked("e1", "tulips ▇"),))
        )
        await write(store, blank)
        (episode,) = (await store.episodes(ANA, EpisodeQuery())).items
        assert (episode.content, episode.digest, episode.key) == ("tulips ▇", "", None)
        words = [*terms("zinnia"), *terms("tulips")]
        counts = (await store.words(ANA, keys=[], terms=words)).counts
        assert list(counts.frequency.values()) == [0, 1]
        assert (PointKind.CHUNK, "e1") in {(r.kind, r.id) for r in await store.outbox(10)}

    async def test_blanked_quotes(self, store: GraphStore) -> None:
        """A claim that stays loses a quote whose words were blanked."""
        second = ChangeSet(
            claims=(a_claim("c2", "e1", quote="tulips"), a_claim("c3", "e1", quote="zinnias")),
            links=(a_link("c2"), a_link("c3")),
        )
        await begin(store, told("1", statement="tulips and zinnias"), second)
        await write(store, ChangeSet(erased=Erased(blanked=(Blanked("e1", "tulips and ▇"),))))
        quotes = {
            one.claim.id: one.claim.quote for one in await store.claims_by_id(ANA, ["c2", "c3"])
        }
        assert quotes == {"c2": "tulips", "c3": ""}

    async def test_rewritten_claim(self, store: GraphStore) -> None:
        """A claim that stays gets other words, and nothing else of it changes."""
        await begin(store, told("1", statement="tulips and zinnias"))
        (before,) = await store.claims_by_id(ANA, ["c1"])
        claim = replace(before.claim, quote="", statement="tulips")
        await write(store, ChangeSet(erased=Erased(rewritten=(claim,))))
        assert await store.claims_by_id(ANA, ["c1"]) == [replace(before, claim=claim)]

    async def test_unknown_rewrite(self, store: GraphStore) -> None:
        """A claim that is not there gets no other words."""
        await begin(store)
        with pytest.raises(RefusedError):
            await write(store, ChangeSet(erased=Erased(rewritten=(a_claim("c9"),))))

    async def test_unknown_blank(self, store: GraphStore) -> None:
        """Words cannot be blanked in an episode that is not there."""
        await begin(store)
        with pytest.raises(RefusedError):
            await write(store, ChangeSet(erased=Erased(blanked=(Blanked("e9", "x"),))))

    async def test_entity(self, store: GraphStore) -> None:
        """An erased entity leaves with its names, terms and suggestions."""
        people = ChangeSet(entities=(an_entity("rosa"), an_entity("rosie")))
        await begin(store, replace(people, suggestions=(a_suggestion(),)))
        await settle_all(store)
        await write(store, erasing(entities=("rosie",)))
        assert (await store.entities(ANA, keys=["rosie"])).total == 0
        assert (await store.entities(ANA, ids=["rosie"])).total == 0
        assert await store.suggestions(ANA) == []
        assert await removed_points(store) == {PointKind.ENTITY: {"rosie"}}
        await write(store, ChangeSet(entities=(an_entity("rosie"),)))

    async def test_rebuilt_records(self, store: GraphStore) -> None:
        """Rebuilt records are written with their own record times and evidence."""
        first = (await begin(store, told("1")))[-1].at
        second = (await write(store, told("2", Value.literal("mate")))).at
        rebuilt = (
            a_fact("f1", record="f1/7", created_at=first, expired_at=second),
            a_fact("f1", record="f1/8", end=T1, created_at=second),
        )
        await write(store, ChangeSet(erased=Erased(facts=("f1",), records=rebuilt)))
        assert await store.history(ANA, "f1") == list(rebuilt)
        then = await store.facts(ANA, FactQuery(filter=FactFilter(known_at=first)))
        assert [(fact.record, fact.claims) for fact in then.items] == [("f1/7", ("c1",))]
        assert await store.check() == []

    async def test_rebuilt_records_stay_indexed(self, store: GraphStore) -> None:
        """A record id that was rebuilt is not named to be removed."""
        at = (await begin(store, told("1")))[-1].at
        await settle_all(store)
        again = a_fact("f1", record="f1/1", start=T0 - 1, created_at=at)
        await write(store, ChangeSet(erased=Erased(facts=("f1",), records=(again,))))
        rows = await store.outbox(10)
        assert [(row.kind, row.id, row.removed) for row in rows] == [(PointKind.FACT, "f1", ())]

    async def test_history_after_erasing(self, store: GraphStore) -> None:
        """The histories of a family hold nothing that was erased."""
        await begin(store, told("1"), told("2"))
        await write(store, erasing(claims=("c1",), facts=("f1",)))
        snapshot = await look(store, Wanted(histories=(Family("self", "drinks"),)))
        assert [history.claim.id for history in snapshot.histories] == ["c2"]
        assert [record.id for record in snapshot.records] == ["f2"]

    async def test_late_claim(self, store: GraphStore) -> None:
        """A claim whose episode was erased meanwhile cannot bring anything back."""
        await begin(store, ChangeSet(episodes=(an_episode("e1"),)))
        await write(store, erasing(episodes=("e1",)))
        with pytest.raises(RefusedError):
            await write(store, ChangeSet(claims=(a_claim("c1"),), links=(a_link("c1"),)))
