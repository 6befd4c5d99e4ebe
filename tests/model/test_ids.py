"""Identifiers."""

from __future__ import annotations

import subprocess
import sys
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


def test_a_child_forked_while_another_thread_makes_one() -> None:
    """It does not wait for a thread that is not there."""
    code = """
import os, signal, threading, time, warnings
warnings.simplefilter("ignore")
from graphmem.model.ids import IdKind, new_id
inside, go, now = threading.Event(), threading.Event(), time.time_ns
def slow():
    inside.set()
    go.wait()
    return now()
time.time_ns = slow
thread = threading.Thread(target=new_id, args=(IdKind.FACT,))
thread.start()
inside.wait()
time.time_ns = now
child = os.fork()
if child == 0:
    signal.alarm(10)
    new_id(IdKind.FACT)
    os._exit(0)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
go.set()
thread.join()
"""
    program = [sys.executable, "-c", code]
    run = subprocess.run(program, capture_output=True, text=True, timeout=60, check=False)
    assert (run.stdout, run.stderr) == ("0\n", "")


def test_its_kind_can_be_told() -> None:
    """By the prefix, and only of what looks like an id."""
    assert [kind_of(new_id(kind)) for kind in IdKind] == [*IdKind]
    assert kind_of("fact_1") is None
    assert kind_of("thing_" + "0" * 32) is None
