"""Fixtures of the tests of faults known from the field."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from graphmem import Memory
from tests.engine.kit import a_memory
from tests.field.offering import Offering, offering
from tests.services.deployments import each_store as each_store
from tests.services.deployments import stores as stores


@pytest.fixture
def mem(tmp_path: Path) -> Iterator[Memory]:
    with a_memory(tmp_path / "memory", embedder="none") as memory:
        yield memory


@pytest.fixture(scope="module")
def weak(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Offering]:
    """One memory for all; every test is a user of its own."""
    with offering(tmp_path_factory.mktemp("weak") / "memory") as opened:
        yield opened
