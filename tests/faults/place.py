"""A memory on two servers, as every client of a trial opens it."""

from __future__ import annotations

from dataclasses import dataclass

from graphmem import Memory
from graphmem.adapters.neo4j.store import Neo4jStore
from graphmem.adapters.system.clock import SystemClock
from graphmem.ports.embedder import Embedder
from graphmem.testing.embedders import HashEmbedder
from tests.services.neo4j_server import Address

SIZE = 64


@dataclass(frozen=True, slots=True)
class Place:
    """Where the servers are; ``timeout`` is how long the graph store is waited for, in seconds."""

    neo4j: Address
    qdrant: str
    timeout: float = 30.0

    def store(self) -> Neo4jStore:
        """Return a client of the graph store; each has connections of its own."""
        return Neo4jStore.open(
            self.neo4j.url,
            SystemClock(),
            user=self.neo4j.user,
            password=self.neo4j.password or None,
            timeout=self.timeout,
        )

    def opened(
        self, *, store: Neo4jStore | None = None, embedder: Embedder | str | None = None
    ) -> Memory:
        """Open the memory, by a store that is open already if one is given."""
        return Memory(
            store=store or self.store(),
            qdrant=self.qdrant,
            embedder=embedder or HashEmbedder(SIZE),
        )
