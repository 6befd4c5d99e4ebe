"""What is written to the index is flushed a while later, and nobody waits for it."""

from __future__ import annotations

import threading

import pytest

from graphmem.adapters.qdrant import flushing
from graphmem.adapters.qdrant.flushing import Flushing
from graphmem.errors import IndexUnavailableError

LONG = 30.0


class Disk:
    """Is flushed when it is let; counts how often."""

    def __init__(self, *, fails: bool = False) -> None:
        self.begun, self.let = threading.Event(), threading.Event()
        self.times = 0
        self.fails = fails

    def flush(self) -> None:
        self.begun.set()
        assert self.let.wait(LONG)
        self.times += 1
        if self.fails:
            raise IndexUnavailableError("no disk")


@pytest.fixture(autouse=True)
def _at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(flushing, "AFTER", 0.0)


def test_a_write_does_not_wait() -> None:
    """While one flush is at work, what is written is noted for the next."""
    disk, soon = Disk(), Flushing()
    soon.soon(disk)
    assert disk.begun.wait(LONG)
    disk.begun.clear()
    soon.soon(disk)
    disk.let.set()
    assert disk.begun.wait(LONG)
    soon.stop()
    assert disk.times == 2


def test_stopping_waits_for_the_flush_at_work() -> None:
    """Once stopped, nothing touches the files any longer."""
    disk, soon = Disk(), Flushing()
    soon.soon(disk)
    assert disk.begun.wait(LONG)
    threading.Timer(0.05, disk.let.set).start()
    soon.stop()
    assert disk.times == 1


def test_what_is_not_due_yet_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was to be flushed later is not, and stopping does not take as long."""
    monkeypatch.setattr(flushing, "AFTER", 1000.0)
    disk, soon = Disk(), Flushing()
    soon.soon(disk)
    soon.stop(for_good=True)
    soon.soon(disk)
    assert not disk.begun.is_set()


def test_a_flush_that_fails_is_tried_with_the_next_write() -> None:
    """An error of the engine ends no thread that anybody waits for."""
    disk, soon = Disk(fails=True), Flushing()
    disk.let.set()
    for _ in range(2):
        disk.begun.clear()
        soon.soon(disk)
        assert disk.begun.wait(LONG)
    soon.stop()
    assert disk.times == 2
