"""The Neo4j store passes the public contract, on both lines of the server."""

from contextlib import AbstractAsyncContextManager
from pathlib import Path

import pytest

from graphmem.ports.clock import Clock
from graphmem.ports.graph_store import GraphStore
from graphmem.testing.graph_store import GraphStoreContract, closing
from tests.services.neo4j_server import Address
from tests.services.plugin import Emptied
from tests.services.stores import open_store


class TestNeo4jStore(GraphStoreContract):
    cleans = False

    @pytest.fixture(autouse=True)
    def _server(self, request: pytest.FixtureRequest, each_neo4j: Address, tmp_path: Path) -> None:
        self.request = request
        self.places = {tmp_path: each_neo4j}

    def opened(self, folder: Path, clock: Clock) -> AbstractAsyncContextManager[GraphStore]:
        if folder not in self.places:
            self.places[folder] = self._other()
        return closing(open_store(self.places[folder], clock))

    def _other(self) -> Address:
        """Return an empty database on the other line, since a server has but one."""
        for name in ("neo4j_lts", "neo4j_current"):
            emptied: Emptied = self.request.getfixturevalue(name)
            if emptied.address not in self.places.values():
                return emptied.wipe()
        raise LookupError("no test opens three stores")
