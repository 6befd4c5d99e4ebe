"""Identifiers."""

from __future__ import annotations

import threading
import time

import pytest

from graphmem.model.ids import IdKind, kind_of, new_id


def test_in_the_order_they_were_made() -> None:
    """Ids of one process sort as they were made, from whatever thread, and none comes twice."""
    made: list[str] = []

    def some() -> None:
        mine = [new_id(IdKind.RECORD) for _ in range(500)]
        assert mine == sorted(mine)
        made.extend(mine)

    threads = [threading.Thread(target=some) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({*made}) == 2_000
    assert new_id(IdKind.RECORD) > max(made)


def test_a_clock_that_steps_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """It does not bring the order back with it."""
    before = new_id(IdKind.FACT)
    monkeypatch.setattr(time, "time_ns", lambda: 0)
    assert before < new_id(IdKind.FACT) < new_id(IdKind.FACT)


def test_its_kind_can_be_told() -> None:
    """By the prefix, and only of what looks like an id."""
    assert [kind_of(new_id(kind)) for kind in IdKind] == [*IdKind]
    assert kind_of("fact_1") is None
    assert kind_of("thing_" + "0" * 32) is None
