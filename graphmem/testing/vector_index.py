"""The contract every vector index must pass.

Subclass ``VectorIndexContract``, say how an empty index is opened, and let pytest collect it::

    class TestMyIndex(VectorIndexContract):
        def opened(self, folder, embedder):
            return contextlib.aclosing(MyIndex(folder / "index", embedder))

The tests are coroutines run by the pytest plugin that comes with anyio. Each checks one promise of
``graphmem.ports.vector_index.VectorIndex``.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from random import Random

import anyio
import pytest

from graphmem.errors import IndexUnavailableError
from graphmem.model.ontology import default_ontology
from graphmem.model.search import PointKind
from graphmem.ports.vector_index import IndexInfo, Point, Probe, VectorIndex
from graphmem.testing.builders import ANA, BOB, an_episode
from graphmem.testing.embedders import HashEmbedder
from graphmem.testing.points import (
    EAST,
    NORTH,
    NORTH_EAST,
    SIZE,
    a_point,
    a_ref,
    as_points,
    everything,
    ids,
    some_fact,
    some_filter,
)
from graphmem.usecases.points import fact_draft


class VectorIndexContract(ABC):
    """Every promise of a vector index, one test each."""

    pytestmark = pytest.mark.anyio

    @abstractmethod
    def opened(
        self, folder: Path, embedder: HashEmbedder
    ) -> AbstractAsyncContextManager[VectorIndex]:
        """Open the index that may keep files in ``folder``, made if it is not there."""

    @pytest.fixture
    def anyio_backend(self) -> str:
        """Run the suite's coroutines on asyncio."""
        return "asyncio"

    @pytest.fixture
    async def index(self, tmp_path: Path) -> AsyncIterator[VectorIndex]:
        """Open an empty index for vectors of four numbers."""
        async with self.opened(tmp_path, HashEmbedder(SIZE)) as index:
            yield index

    async def test_an_index_says_what_it_was_made_with(self, index: VectorIndex) -> None:
        """Embedder and size are kept with the index."""
        info = await index.info()
        assert (info.embedder, info.size) == (HashEmbedder(SIZE).identity, SIZE)

    async def test_an_index_says_what_keeps_it(self, index: VectorIndex) -> None:
        """Before and after it is made, and with everything there that it needs."""
        before = await index.about()
        assert before.kind
        assert before.place
        assert before.version
        await index.info()
        about = await index.about()
        assert (about.missing, about.unready) == ((), ())

    async def test_dense_finds_the_nearest_first(self, index: VectorIndex) -> None:
        """Points come by cosine, best first, at most as many as asked for."""
        await index.upsert([a_point("n", NORTH), a_point("e", EAST), a_point("ne", NORTH_EAST)])
        found = await index.dense(EAST, everything(), 2)
        assert [(hit.ref.id, pytest.approx(hit.score, abs=1e-6)) for hit in found] == [
            ("e", 1.0),
            ("ne", 0.6),
        ]

    async def test_sparse_is_a_dot_product(self, index: VectorIndex) -> None:
        """Points come by the weights they share with the question."""
        await index.upsert(
            [a_point("a", None, {1: 1.0, 2: 0.5}), a_point("b", None, {2: 2.0, 2**32 - 1: 1.0})]
        )
        found = await index.sparse({1: 2.0, 2: 3.0}, everything(), 10)
        assert [(hit.ref.id, hit.score) for hit in found] == [("b", 6.0), ("a", 3.5)]

    async def test_sparse_without_overlap_finds_nothing(self, index: VectorIndex) -> None:
        """A point that shares no term is no answer; a question without terms has none."""
        await index.upsert([a_point(sparse={1: 1.0})])
        assert await index.sparse({2: 1.0}, everything(), 10) == []
        assert await index.sparse({}, everything(), 10) == []

    async def test_equal_scores_are_ordered_by_id(self, index: VectorIndex) -> None:
        """Which of many equal points are returned does not depend on how they came."""
        names = [f"r{number:02}" for number in range(40)]
        await index.upsert([a_point(name) for name in reversed(names)])
        assert ids(await index.dense(EAST, everything(), 5)) == names[:5]
        assert ids(await index.sparse({1: 1.0}, everything(), 5)) == names[:5]

    async def test_nothing_below_the_least_score_is_found(self, index: VectorIndex) -> None:
        """A probe may say how good what it finds must be at least."""
        await index.upsert([a_point("n", NORTH, {1: 1.0}), a_point("e", EAST, {1: 3.0})])
        only = everything()
        probes = [Probe(EAST, only, 5, 0.5), Probe({1: 1.0}, only, 5, 2.0), Probe(EAST, only, 5)]
        assert [ids(hits) for hits in await index.search(probes)] == [["e"], ["e"], ["e", "n"]]

    async def test_several_probes_are_answered_in_their_order(self, index: VectorIndex) -> None:
        """One call answers what several would."""
        await index.upsert([a_point("n", NORTH, {1: 1.0}), a_point("e", EAST, {2: 1.0})])
        only = everything()
        found = await index.search(
            [Probe(EAST, only, 1), Probe({1: 1.0}, only, 5), Probe({}, only, 5)]
        )
        assert [ids(hits) for hits in found] == [["e"], ["n"], []]
        assert found[0] == await index.dense(EAST, only, 1)
        assert found[1] == await index.sparse({1: 1.0}, only, 5)

    async def test_equals_that_the_limit_parts_are_left_out_behind_better_ones(
        self, index: VectorIndex
    ) -> None:
        """Of many equals either the first by id come or none, never just any."""
        equals = [f"r{number:02}" for number in range(30)]
        await index.upsert([a_point("b", EAST, {1: 2.0}), *map(a_point, reversed(equals))])
        weights = {1: 1.0}
        assert ids(await index.sparse(weights, everything(), 9)) == ["b"]
        assert ids(await index.sparse(weights, everything(), 15)) == ["b", *equals[:14]]
        assert ids(await index.sparse(weights, everything(), 31)) == ["b", *equals]

    async def test_a_point_without_dense_vector_is_found_by_keyword(
        self, index: VectorIndex
    ) -> None:
        """What could not be embedded is not lost."""
        await index.upsert([a_point("r1", None)])
        assert ids(await index.sparse({1: 1.0}, everything(), 5)) == ["r1"]
        assert await index.dense(EAST, everything(), 5) == []

    async def test_a_point_without_terms_is_found_by_vector(self, index: VectorIndex) -> None:
        """A record of signs only has no sparse vector."""
        await index.upsert([a_point("r1", EAST, {})])
        assert ids(await index.dense(EAST, everything(), 5)) == ["r1"]

    async def test_points_of_different_kinds_may_share_an_id(self, index: VectorIndex) -> None:
        """A point is known by kind and id."""
        await index.upsert([a_point("x"), a_point("x", kind=PointKind.CHUNK)])
        assert await index.count() == 2

    async def test_an_upsert_replaces_what_is_older_or_equal(self, index: VectorIndex) -> None:
        """A point written again holds the new vectors and payload only."""
        await index.upsert([a_point("r1", EAST, change=5)])
        await index.upsert([a_point("r1", NORTH, {7: 1.0}, change=5, status="disputed")])
        (point,) = await index.points([a_ref("r1")])
        assert (point.payload.status, list(point.sparse)) == ("disputed", [7])
        assert list(point.dense or ()) == pytest.approx(list(NORTH))

    async def test_an_upsert_leaves_what_is_newer(self, index: VectorIndex) -> None:
        """Rows of the outbox may arrive in any order."""
        await index.upsert([a_point("r1", EAST, change=6)])
        await index.upsert([a_point("r1", NORTH, change=5), a_point("r2", NORTH, change=5)])
        assert [change async for _, change, _ in index.listing()] in ([6, 5], [5, 6])
        assert ids(await index.dense(EAST, everything(), 1)) == ["r1"]

    async def test_the_newest_of_one_call_wins(self, index: VectorIndex) -> None:
        """One call may hold a point twice."""
        await index.upsert([a_point("r1", change=6, status="held"), a_point("r1", change=5)])
        (point,) = await index.points([a_ref("r1")])
        assert point.payload.change == 6

    async def test_points_come_back_as_they_were_written(self, index: VectorIndex) -> None:
        """Payload and vectors survive, the sign of time and both ends of it included."""
        written = a_point(
            "r1",
            NORTH_EAST,
            {0: 0.25, 2**32 - 1: 1.5},
            sessions=("a", "b"),
            agents=("c",),
            predicate="drinks",
            reads_from=-(2**53),
            reads_until=2**53,
            may_from=-1,
            created_at=1_700_000_000_000_001,
            change=7,
            text="key",
        )
        await index.upsert([written])
        (point,) = await index.points([a_ref("r1"), a_ref("unknown")])
        assert (point.ref, point.payload) == (written.ref, written.payload)
        assert dict(point.sparse) == dict(written.sparse)
        assert list(point.dense or ()) == pytest.approx(list(NORTH_EAST))

    async def test_removed_points_are_gone(self, index: VectorIndex) -> None:
        """Removing is for good, and what is not there is no error."""
        await index.upsert([a_point("r1"), a_point("r2")])
        await index.remove([a_ref("r1"), a_ref("unknown")])
        await index.remove([])
        assert ids(await index.dense(EAST, everything(), 5)) == ["r2"]
        assert await index.count() == 1

    async def test_scopes_never_mix(self, index: VectorIndex) -> None:
        """Every read of one scope leaves out every other."""
        await index.upsert([a_point("a"), a_point("b", scope=BOB)])
        assert ids(await index.dense(EAST, everything(ANA), 5)) == ["a"]
        assert ids(await index.sparse({1: 1.0}, everything(BOB), 5)) == ["b"]
        assert await index.count(ANA.key) == 1
        assert [ref.id async for ref, _, _ in index.listing(BOB.key)] == ["b"]

    async def test_kinds_are_filtered(self, index: VectorIndex) -> None:
        """Only what was asked for is returned; of no kind, nothing."""
        await index.upsert([a_point(kind.value, kind=kind) for kind in PointKind])
        only = everything(kinds=frozenset({PointKind.CHUNK, PointKind.ENTITY}))
        assert ids(await index.dense(EAST, only, 5)) == ["chunk", "entity"]
        assert await index.dense(EAST, everything(kinds=frozenset()), 5) == []

    async def test_what_facts_are_filtered_by_does_not_touch_other_kinds(
        self, index: VectorIndex
    ) -> None:
        """Turns and names have no status, predicate or validity."""
        await index.upsert([a_point(kind.value, kind=kind) for kind in PointKind])
        asked = everything(
            valid=(-5, -4),
            statuses=frozenset({"disputed"}),
            polarity="-",
            modality="planned",
            predicates=frozenset(),
        )
        assert ids(await index.dense(EAST, asked, 5)) == ["chunk", "entity"]

    async def test_sessions_and_agents_are_filtered(self, index: VectorIndex) -> None:
        """A fact passes if one of its episodes does; an entity belongs to no session."""
        await index.upsert(
            [
                a_point("f1", sessions=("s1", "s2"), agents=("a1",)),
                a_point("f2", sessions=("s2",)),
                a_point("c1", kind=PointKind.CHUNK, sessions=("s1",), agents=("a2",)),
                a_point("n1", kind=PointKind.ENTITY),
            ]
        )
        first = everything(sessions=frozenset({"s1", "s9"}))
        assert ids(await index.dense(EAST, first, 9)) == ["c1", "f1", "n1"]
        both = everything(sessions=frozenset({"s1"}), agents=frozenset({"a1"}))
        assert ids(await index.dense(EAST, both, 9)) == ["f1", "n1"]

    async def test_record_time_filters_every_kind(self, index: VectorIndex) -> None:
        """What came later, or had left before, was not known then."""
        await index.upsert(
            [
                a_point("then", kind=PointKind.CHUNK, created_at=10, expired_at=20),
                a_point("later", created_at=20),
            ]
        )
        for known_at, expected in ((9, []), (10, ["then"]), (19, ["then"]), (20, ["later"])):
            assert ids(await index.dense(EAST, everything(known_at=known_at), 5)) == expected
        assert ids(await index.dense(EAST, everything(), 5)) == ["later"]

    async def test_the_filter_admits_what_the_model_admits(self, index: VectorIndex) -> None:
        """On many facts and filters, exactly those pass that ``FactFilter.admits`` lets pass."""
        random = Random(7)  # noqa: S311 - chance that is the same every time
        facts = [some_fact(random, number) for number in range(120)]
        ontology = default_ontology()
        drafts = [fact_draft(ANA, fact, ontology, [an_episode()]) for fact in facts]
        await index.upsert([Point(draft.ref, draft.payload, EAST, {1: 1.0}) for draft in drafts])
        passed = 0
        for _ in range(150):
            asked = some_filter(random)
            expected = {fact.record for fact in facts if asked.admits(fact)}
            found = await index.dense(EAST, as_points(asked), len(facts))
            assert {hit.ref.id for hit in found} == expected, asked
            passed += len(expected)
        assert passed > 500

    async def test_compacting_keeps_what_is_there(self, index: VectorIndex) -> None:
        """The index answers the same after it was written anew."""
        await index.upsert([a_point("r1", EAST, change=3), a_point("r2", None, {5: 1.0})])
        await index.upsert([a_point("r3")])
        await index.remove([a_ref("r3")])
        before = sorted(await index.points([a_ref("r1"), a_ref("r2")]), key=lambda p: p.ref.id)
        assert await index.compact() is True
        after = sorted(await index.points([a_ref("r1"), a_ref("r2")]), key=lambda p: p.ref.id)
        assert after == before
        assert await index.count() == 2

    async def test_reads_and_writes_go_on_while_the_index_is_compacted(
        self, index: VectorIndex
    ) -> None:
        """Nobody notices, and what is written meanwhile is there afterwards."""
        await index.upsert([a_point(f"r{number}") for number in range(50)])
        done = anyio.Event()

        async def read() -> None:
            while not done.is_set():
                assert len(await index.dense(EAST, everything(), 50)) == 50

        async def compact() -> None:
            assert await index.compact() is True
            done.set()

        async with anyio.create_task_group() as group:
            group.start_soon(read)
            group.start_soon(compact)
            group.start_soon(index.upsert, [a_point("new", kind=PointKind.CHUNK, scope=BOB)])
        assert await index.count() == 51

    async def test_an_index_beside_takes_the_place_of_the_first(self, index: VectorIndex) -> None:
        """Until the switch the first one serves; then only the other does."""
        await index.upsert([a_point("old")])
        beside = await index.beside(IndexInfo((await index.info()).embedder, SIZE))
        await beside.upsert([a_point("new")])
        assert ids(await index.dense(EAST, everything(), 5)) == ["old"]
        assert await beside.count() == 1
        await index.switch()
        assert ids(await index.dense(EAST, everything(), 5)) == ["new"]

    async def test_a_second_index_beside_starts_empty(self, index: VectorIndex) -> None:
        """What an earlier try left does not count."""
        info = await index.info()
        await (await index.beside(info)).upsert([a_point("half")])
        beside = await index.beside(info)
        assert await beside.count() == 0

    async def test_points_are_there_when_opened_again(self, tmp_path: Path) -> None:
        """Closing loses nothing; closing twice is no error."""
        async with self.opened(tmp_path, HashEmbedder(SIZE)) as index:
            await index.upsert([a_point("r1")])
            await index.close()
        async with self.opened(tmp_path, HashEmbedder(SIZE)) as again:
            assert ids(await again.dense(EAST, everything(), 5)) == ["r1"]

    async def test_another_embedder_is_refused_until_the_index_is_rebuilt(
        self, tmp_path: Path
    ) -> None:
        """Vectors of two models do not meet; the way out is named, and works."""
        other = HashEmbedder(SIZE, identity="other/1")
        async with self.opened(tmp_path, HashEmbedder(SIZE)) as index:
            await index.upsert([a_point("r1")])
        async with self.opened(tmp_path, other) as index:
            with pytest.raises(IndexUnavailableError, match="reindex"):
                await index.dense(EAST, everything(), 5)
            beside = await index.beside(IndexInfo(other.identity, SIZE))
            await beside.upsert([a_point("r2")])
            await index.switch()
            assert ids(await index.dense(EAST, everything(), 5)) == ["r2"]

    async def test_a_vector_of_another_size_is_refused(self, index: VectorIndex) -> None:
        """Nothing of the call is done."""
        with pytest.raises(IndexUnavailableError, match="3"):
            await index.upsert([a_point("r1"), a_point("r2", (1.0, 0.0, 0.0))])
        with pytest.raises(IndexUnavailableError, match="3"):
            await index.dense((1.0, 0.0, 0.0), everything(), 5)
        assert await index.count() == 0

    async def test_reads_and_writes_may_run_together(self, index: VectorIndex) -> None:
        """Several tasks use one index at once."""

        async def write(task: int) -> None:
            for number in range(5):
                await index.upsert([a_point(f"{task}/{number}", change=number)])
                await index.dense(EAST, everything(), 3)

        async with anyio.create_task_group() as group:
            for task in range(6):
                group.start_soon(write, task)
        assert await index.count() == 30
