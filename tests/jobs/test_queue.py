"""The queue by itself: order, fairness and bounds, whatever comes and ends when."""

from __future__ import annotations

from collections import defaultdict

from hypothesis import given
from hypothesis import strategies as st

from graphmem.model.scope import Scope
from graphmem.usecases.jobs import Queue, Task
from tests.counting import calls

ANA, EVA, IDA = (Scope("default", user) for user in ("ana", "eva", "ida"))


def a_task(scope: Scope, *me: str) -> Task:
    return Task(scope=scope, parts=(), me=me)


@given(
    most=st.integers(1, 4),
    steps=st.lists(st.sampled_from([ANA, EVA, IDA]) | st.integers(0, 2), max_size=40),
)
def test_order_and_bounds_hold(most: int, steps: list[Scope | int]) -> None:
    """Jobs of a scope run one at a time in their order; a refused one is made up for, once and
    before those that come later; nothing waits beyond the bound."""
    queue = Queue(most)
    wanted: defaultdict[Scope, list[Task | None]] = defaultdict(list)
    running: list[Task] = []

    def begin() -> None:
        task = queue.next()
        if task is None:
            return
        first = wanted[task.scope].pop(0)
        assert task is first if first else task.parts is None
        assert task.scope not in {other.scope for other in running}
        running.append(task)

    for step in steps:
        if isinstance(step, Scope):
            task = a_task(step)
            line = wanted[step]
            if queue.put(task):
                assert None not in line
                line.append(task)
            elif None not in line:
                line.append(None)
            assert sum(t is not None for line in wanted.values() for t in line) <= most
        elif step < len(running):
            queue.end(running.pop(step))
        else:
            queue.end(a_task(ANA))  # one that does not run ends nobody's turn
            begin()
    while running or any(wanted.values()):
        begin()
        if running:
            queue.end(running.pop())
    assert queue.next() is None
    assert queue.tasks == []


def test_scopes_take_turns() -> None:
    """One with many jobs lets another with a single one in between."""
    queue = Queue(9)
    tasks = [a_task(scope) for scope in (ANA, ANA, EVA, ANA)]
    for task in tasks:
        assert queue.put(task)
    order: list[Task] = []
    while (task := queue.next()) is not None:
        order.append(task)
        queue.end(task)
    assert order == [tasks[0], tasks[2], tasks[1], tasks[3]]


def test_who_makes_up_for_refused_jobs_knows_their_names() -> None:
    """The names that mean the user in any of them."""
    queue = Queue(1)
    assert queue.put(a_task(ANA))
    assert not queue.put(a_task(EVA, "Eve"))
    assert not queue.put(a_task(EVA, "Eva", "Eve"))
    queue.next()
    made_up = queue.next()
    assert made_up is not None
    assert (made_up.scope, made_up.parts, made_up.me) == (EVA, None, ("Eve", "Eva"))


def test_what_is_cleared_is_gone() -> None:
    """Also who makes up for refused jobs; what runs goes on."""
    queue = Queue(1)
    first = a_task(ANA)
    queue.put(first)
    assert queue.next() is first
    waiting = a_task(ANA)
    queue.put(waiting)
    queue.put(a_task(EVA))
    assert queue.clear()[0] is waiting
    assert queue.tasks == [first]
    queue.end(first)
    assert queue.next() is None
    assert queue.put(a_task(EVA))


def _work(jobs: int) -> int:
    """Return how many calls it takes to run so many jobs, each of a scope of its own."""

    def run() -> None:
        queue = Queue(jobs)
        running: list[Task] = []
        for n in range(jobs):
            queue.put(a_task(Scope("default", f"u{n}")))
            if n % 3 == 0 and (task := queue.next()) is not None:
                running.append(task)
            if len(running) > 4:
                queue.end(running.pop(0))
        while (task := queue.next()) is not None:
            queue.end(task)

    return calls(run)


def test_a_job_costs_the_same_however_many_wait() -> None:
    """Twice the jobs are twice the work."""
    assert _work(2000) < 2.2 * _work(1000)
