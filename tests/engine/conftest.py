"""Fixtures of the tests of the client."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from graphmem import Memory
from graphmem.testing.clock import FrozenClock
from tests.engine.kit import NOW, a_memory
from tests.services.deployments import each_store as each_store
from tests.services.deployments import stores as stores

Make = Callable[..., Memory]


@pytest.fixture
def clock() -> FrozenClock:
    return FrozenClock(NOW)


@pytest.fixture
def make(tmp_path: Path, clock: FrozenClock) -> Iterator[Make]:
    """Open memories by a folder's name; all are closed at the end."""
    opened: list[Memory] = []

    def opens(name: str = "memory", **options: Any) -> Memory:  # Any: options of Memory
        options.setdefault("clock", clock)
        opened.append(a_memory(tmp_path / name, **options))
        return opened[-1]

    yield opens
    for memory in opened:
        memory.close()


@pytest.fixture
def mem(make: Make) -> Memory:
    return make()
