"""A graph store, an index, an embedder for tests, and the indexer between them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from graphmem.adapters.qdrant.edge import EdgeIndex
from graphmem.adapters.sqlite.store import SqliteStore
from graphmem.model.changes import ChangeSet
from graphmem.model.ontology import default_ontology
from graphmem.model.scope import Scope
from graphmem.model.search import PointKind, PointRef
from graphmem.model.terms import query_terms, sparse
from graphmem.testing.builders import ANA, an_entity, writing
from graphmem.testing.clock import FrozenClock
from graphmem.testing.embedders import HashEmbedder
from graphmem.testing.points import everything, ids
from graphmem.usecases.indexing import Indexer


@dataclass
class House:
    """Everything that stands behind an indexer."""

    folder: Path
    store: SqliteStore
    index: EdgeIndex
    embedder: HashEmbedder
    clock: FrozenClock

    @property
    def indexer(self) -> Indexer:
        return Indexer(self.store, self.index, self.embedder, default_ontology())

    async def write(self, *changes: ChangeSet, scope: Scope = ANA) -> None:
        """Commit changes, and the scope's own user before the first."""
        if await self.store.self_entity(scope) is None:
            self_first = ChangeSet(entities=(an_entity(f"self-{scope.user}", is_self=True),))
            await self.store.change(scope, writing(self_first))
        for change in changes:
            self.clock.advance()
            await self.store.change(scope, writing(change))

    async def near(self, question: str, scope: Scope = ANA, *, facts: bool = True) -> list[str]:
        """Return the ids found by vector: of facts, or of everything."""
        (vector,) = await self.embedder.queries([question])
        kinds = frozenset({PointKind.FACT}) if facts else frozenset(PointKind)
        return ids(await self.index.dense(vector, everything(scope, kinds=kinds), 50))

    async def by_word(self, question: str, scope: Scope = ANA) -> list[str]:
        """Return the ids found by keyword."""
        weights = sparse(dict.fromkeys(query_terms(question), 1.0))
        return ids(await self.index.sparse(weights, everything(scope), 50))

    async def listed(self) -> set[PointRef]:
        """Return every point."""
        return {ref async for ref, _, _ in self.index.listing()}


def a_house(folder: Path) -> House:
    """Open everything in an empty folder."""
    embedder = HashEmbedder()
    clock = FrozenClock()
    store = SqliteStore.open(folder / "graph.db", clock)
    return House(folder, store, EdgeIndex(folder / "index", embedder), embedder, clock)
