"""Fixtures of the tests of the index."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from tests.index.house import House, a_house
from tests.index.qdrant_http import QdrantServer


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    house = a_house(tmp_path)
    yield house
    await house.index.close()
    await house.store.close()


@pytest.fixture
def server() -> Iterator[QdrantServer]:
    """Return a Qdrant server by HTTP, empty."""
    with QdrantServer() as server:
        yield server
