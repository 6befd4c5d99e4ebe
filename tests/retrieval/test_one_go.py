"""A question to stores in this process is answered in one worker thread, as it is on the loop."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from pathlib import Path

import anyio
import pytest

from graphmem import Memory
from graphmem.adapters.qdrant.edge import EdgeIndex
from graphmem.adapters.qdrant.server import ServerIndex
from graphmem.adapters.sqlite import SqliteStore
from graphmem.adapters.system.worker import at_one_go
from graphmem.model.ontology import default_ontology
from graphmem.model.outline import Outlines, Sought
from graphmem.model.scope import Scope
from graphmem.ports.embedder import Vector
from graphmem.ports.worker import Runner, directly
from graphmem.retrieval.pipeline import Retriever
from graphmem.testing.clock import FrozenClock
from graphmem.testing.embedders import HashEmbedder
from graphmem.wiring import runner_for
from tests.retrieval.world import World, run


class Waits(HashEmbedder):
    """Waits on the event loop, as for a server."""

    asked = 0

    async def queries(self, texts: Sequence[str]) -> list[Vector]:
        self.asked += 1
        await anyio.sleep(0.001)
        return await super().queries(texts)


class Sleepy:
    """A reranker that waits on the event loop, and likes short texts."""

    async def scores(self, question: str, texts: Sequence[str]) -> list[float]:
        await anyio.sleep(0.001)
        return [1 / len(text) for text in texts]


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    made = World(tmp_path, embedder=Waits(384))
    made.fact("me", "has_sibling", "Rosa", "I have a sister, Rosa.")
    made.fact("Rosa", "works_at", "Larch", "Rosa works at Larch.")
    made.fact("Larch", "located_in", "Ghent", "Larch is in Ghent.")
    made.fact("me", "likes", "tea", "I like tea.")
    yield made
    made.close()


@pytest.mark.parametrize(
    "text", ["what do I like?", "Where is the company that my sister works at?", "zebra?"]
)
@pytest.mark.parametrize("reranked", [False, True])
def test_the_answer_is_the_same(world: World, text: str, reranked: bool) -> None:
    """Also where a walk or a reranker waits for a model between two reads."""

    def ask(runner: Runner) -> object:
        retriever = Retriever(
            world.store, world.index, world.embedder, default_ontology(),
            Sleepy() if reranked else None, runner,
        )  # fmt: skip
        return run(retriever.search, world.scope, world.question(text))

    assert ask(at_one_go) == ask(directly)


def test_a_walk_asks_the_embedder(world: World) -> None:
    """The question above that walks does wait for a model on its way."""
    embedder = world.embedder
    assert isinstance(embedder, Waits)
    before = embedder.asked
    world.ask("Where is the company that my sister works at?")
    assert embedder.asked > before + 1


class Watched(SqliteStore):
    """Notes in which threads it is asked."""

    met: set[str]

    async def outlines(self, scope: Scope, wanted: Sought) -> Outlines:
        self.met.add(threading.current_thread().name)
        return await super().outlines(scope, wanted)


def test_a_memory_in_a_folder_asks_in_a_worker(tmp_path: Path) -> None:
    """The event loop is free meanwhile."""
    store = Watched.open(tmp_path / "s.sqlite", FrozenClock(1))
    assert isinstance(store, Watched)
    store.met = set()
    embedder = HashEmbedder(16)
    index = EdgeIndex(tmp_path / "index", embedder)
    with Memory(store=store, index=index, embedder=embedder) as memory:
        memory.add("I like tea.", user="ana")
        assert memory.search("what do I like?", user="ana").hits
    assert store.met
    assert all("worker" in name for name in store.met)


def test_who_waits_for_a_server_stays_on_the_loop(world: World) -> None:
    """Only what blocks, and nothing that waits, is run at one go."""
    assert runner_for(world.store, world.index) is at_one_go
    assert runner_for(world.store, None) is at_one_go
    assert runner_for(world.store, ServerIndex("http://127.0.0.1:1", None)) is directly
