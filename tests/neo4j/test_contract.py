"""The Neo4j store passes the public contract, on both lines of the server."""

from contextlib import AbstractAsyncContextManager
from pathlib import Path

import pytest

from graphmem.ports.clock import Clock
from graphmem.ports.graph_store import GraphStore
from graphmem.testing.graph_store import GraphStoreContract, closing
from tests.services.neo4j_server import Address
from tests.services.stores import open_store


class TestNeo4jStore(GraphStoreContract):
    @pytest.fixture(autouse=True)
    def _server(self, each_neo4j: Address) -> None:
        self.address = each_neo4j

    def opened(self, folder: Path, clock: Clock) -> AbstractAsyncContextManager[GraphStore]:
        return closing(open_store(self.address, clock))
