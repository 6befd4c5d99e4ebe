"""Comparing, mending and rebuilding the index."""

from __future__ import annotations

from dataclasses import replace

import pytest

from graphmem.adapters.qdrant.edge import EdgeIndex
from graphmem.errors import EmbedderError, IndexUnavailableError, RefusedError
from graphmem.model.ontology import default_ontology
from graphmem.model.search import PointKind, PointRef
from graphmem.testing.builders import ANA, BOB, told
from graphmem.testing.embedders import HashEmbedder
from graphmem.testing.points import a_point
from graphmem.usecases.indexing import Indexer
from graphmem.usecases.upkeep import Trouble, reindex, repair, verify
from tests.index.house import House

pytestmark = pytest.mark.anyio

TEA = PointRef(PointKind.FACT, "f1/1")
CHUNK = PointRef(PointKind.CHUNK, "e1#0")


async def furnished(house: House) -> None:
    """Write two facts of Ana and one of Bob, and index them."""
    ana = {"subject": "self-ana"}
    await house.write(
        told("1", statement="Ana drinks green tea.", **ana),  # pyright: ignore[reportArgumentType]
        told("2", statement="Ana plays chess.", **ana),  # pyright: ignore[reportArgumentType]
    )
    await house.write(told("3", subject="self-bob", statement="Bob swims."), scope=BOB)
    await house.indexer.drain()


async def test_an_index_in_step_is_clean(house: House) -> None:
    """Every point is there, says what its record says, and has its vector."""
    await furnished(house)
    report = await verify(house.indexer)
    assert report.clean, report
    assert [(one.scope, one.points) for one in report.scopes] == [(ANA, 5), (BOB, 3)]


async def test_backlog_is_no_fault_and_not_clean(house: House) -> None:
    """What waits in the outbox will come."""
    await house.write(told("1", subject="self-ana"))
    report = await verify(house.indexer)
    assert (report.backlog, report.clean) == (3, False)
    assert [one.faults for one in report.scopes] == [()]


async def test_what_is_missing_stale_extra_or_bare_is_found_and_mended(house: House) -> None:
    """``repair`` mends exactly what ``verify`` finds."""
    await furnished(house)
    (fact,) = await house.index.points([TEA])
    (chunk,) = await house.index.points([CHUNK])
    await house.index.remove([PointRef(PointKind.FACT, "f3/1")])
    await house.index.upsert(
        [
            replace(fact, payload=replace(fact.payload, status="retracted", change=900)),
            replace(chunk, dense=None),
            a_point("ghost", None),
        ]
    )
    report = await verify(house.indexer)
    first, second = report.scopes
    assert {(fault.ref, fault.trouble) for fault in first.faults} == {
        (TEA, Trouble.STALE),
        (CHUNK, Trouble.UNEMBEDDED),
    }
    assert (second.count(Trouble.MISSING), report.extra) == (
        1,
        (PointRef(PointKind.FACT, "ghost"),),
    )
    assert (await repair(house.indexer)).clean
    assert await house.near("green tea") == ["f1/1", "f2/1"]


async def test_changed_terms_are_found(house: House) -> None:
    """A point with other keywords than its record is stale."""
    await furnished(house)
    (fact,) = await house.index.points([TEA])
    await house.index.upsert([replace(fact, sparse={1: 1.0})])
    (report, _) = (await verify(house.indexer)).scopes
    assert [fault.trouble for fault in report.faults] == [Trouble.STALE]


async def test_one_scope_can_be_looked_at_alone(house: House) -> None:
    """Faults of another scope are not reported."""
    await furnished(house)
    await house.index.remove([PointRef(PointKind.FACT, "f3/1")])
    assert (await verify(house.indexer, ANA)).clean
    assert not (await verify(house.indexer, BOB)).clean


async def test_what_was_not_embedded_is_embedded_by_repair(house: House) -> None:
    """After the embedder came back nothing is left behind."""
    await house.index.count()
    house.embedder.down = True
    await furnished(house)
    house.embedder.down = False
    report = await verify(house.indexer)
    assert sum(one.count(Trouble.UNEMBEDDED) for one in report.scopes) == 8
    assert (await repair(house.indexer)).clean
    assert len(await house.near("tea")) == 2


async def test_an_index_that_is_away_is_said(house: House) -> None:
    """Nothing can be compared, and that is not clean."""
    (house.folder / "index").write_text("in the way")
    report = await verify(house.indexer)
    assert not report.clean
    assert "cannot be opened" in report.notes[0]
    assert not (await repair(house.indexer)).clean


async def test_reindex_changes_the_embedder(house: House) -> None:
    """Every scope is embedded anew; what was written before and after is found."""
    await furnished(house)
    await house.index.close()
    other = HashEmbedder(96, identity="other/96")
    index = EdgeIndex(house.folder / "index", other)
    indexer = Indexer(house.store, index, other, default_ontology())
    await house.write(told("4", subject="self-ana", statement="Ana paints."))
    assert (await indexer.drain()).backlog == 2
    told_of: list[tuple[int, int]] = []
    state = await reindex(indexer, lambda done, total: told_of.append((done, total)))
    assert (state.applied, state.backlog, state.unembedded) == (12, 0, 0)
    assert told_of[-1] == (10, 10)
    assert (await index.info()).size == 96
    assert (await verify(indexer)).clean
    await index.close()


async def test_a_reindex_that_fails_leaves_the_old_index(house: House) -> None:
    """The old index serves until the new one is whole."""
    await furnished(house)
    failing = HashEmbedder(identity="failing/64")
    index = EdgeIndex(house.folder / "index", failing)
    size = await failing.size()
    failing.down = True

    async def known_size() -> int:
        return size

    failing.size = known_size
    with pytest.raises(EmbedderError, match="the old index stays"):
        await reindex(Indexer(house.store, index, failing, default_ontology()))
    await index.close()
    assert await house.near("tea") == ["f1/1", "f2/1"]
    assert (await verify(house.indexer)).clean


async def test_a_damaged_index_is_rebuilt(house: House) -> None:
    """Whatever happened to its files, the graph gives it back."""
    await furnished(house)
    await house.index.close()
    (house.folder / "index" / "current.json").write_text("{")
    index = EdgeIndex(house.folder / "index", house.embedder)
    indexer = Indexer(house.store, index, house.embedder, default_ontology())
    with pytest.raises(IndexUnavailableError):
        await index.count()
    await reindex(indexer)
    assert (await verify(indexer)).clean
    await index.close()


async def test_reindex_needs_an_index_and_an_embedder(house: House) -> None:
    """Without them there is nothing to do, and that is said."""
    with pytest.raises(RefusedError, match="embedder"):
        await reindex(Indexer(house.store, house.index, None, default_ontology()))
    with pytest.raises(RefusedError, match="vector index"):
        await reindex(Indexer(house.store, None, house.embedder, default_ontology()))
