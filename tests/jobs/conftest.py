"""Fixtures of the tests of jobs; those that open a memory by ``make`` run on each store."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from graphmem import Memory
from graphmem.client import background
from graphmem.testing.clock import FrozenClock
from tests.engine.kit import NOW, a_memory
from tests.jobs.kit import Reader
from tests.services.deployments import stores as stores

Make = Callable[..., Memory]


@pytest.fixture
def clock() -> FrozenClock:
    return FrozenClock(NOW)


@pytest.fixture
def reader() -> Iterator[Reader]:
    """Give a reader whose gate is open at the end, so that nothing waits for it."""
    reader = Reader()
    yield reader
    reader.gate.set()


@pytest.fixture
def make(tmp_path: Path, clock: FrozenClock, reader: Reader, stores: str) -> Iterator[Make]:
    """Open memories that ``reader`` reads for, of one store; all are closed at the end."""
    opened: list[Memory] = []

    def opens(**options: Any) -> Memory:  # Any: options of Memory, by name
        options = {"clock": clock, "extractor": reader} | options
        opened.append(a_memory(tmp_path / "memory", **options))
        return opened[-1]

    yield opens
    reader.gate.set()
    for memory in opened:
        memory.close()


@pytest.fixture
def mem(make: Make) -> Memory:
    return make()


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let closing wait for almost nothing."""
    monkeypatch.setattr(background, "GRACE", 0.05)
