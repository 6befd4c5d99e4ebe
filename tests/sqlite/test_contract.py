"""The SQLite store passes the public contract."""

from contextlib import AbstractAsyncContextManager
from pathlib import Path

from graphmem.adapters.sqlite import SqliteStore
from graphmem.ports.clock import Clock
from graphmem.ports.graph_store import GraphStore
from graphmem.testing.graph_store import GraphStoreContract, closing


class TestSqliteStore(GraphStoreContract):
    def opened(self, folder: Path, clock: Clock) -> AbstractAsyncContextManager[GraphStore]:
        return closing(SqliteStore.open(folder / "graph.db", clock))
