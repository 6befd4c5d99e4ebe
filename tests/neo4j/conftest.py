"""Fixtures of the tests of the Neo4j store."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from graphmem.adapters.neo4j.connection import Connection
from graphmem.adapters.neo4j.store import Neo4jStore
from graphmem.adapters.system.clock import SystemClock
from tests.services.neo4j_server import Address
from tests.services.stores import connect, open_store


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
async def connection(neo4j: Address) -> AsyncIterator[Connection]:
    """Return a way to an empty database."""
    connection = connect(neo4j)
    yield connection
    await connection.close()


@pytest.fixture
async def store(neo4j: Address) -> AsyncIterator[Neo4jStore]:
    """Return an empty store."""
    store = open_store(neo4j, SystemClock())
    yield store
    await store.close()
