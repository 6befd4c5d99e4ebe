"""What is told again and again, and much of it, stays affordable."""

from __future__ import annotations

import pytest

from graphmem import Memory
from tests.counting import calls


def test_three_hundred_mentions_leave_one_small_thing(mem: Memory) -> None:
    """A thing has no text of its own that grows; its facts are what is known of it."""
    mem.add(
        [f"My friend Berit likes song number {n}." for n in range(300)],
        user="ana",
        occurred_at="2025-05-10",
    )
    (view,) = (v for v in mem.entities(user="ana", limit=1000).items if v.entity.name == "Berit")
    assert len(view.entity.types) < 5
    assert view.entity.aliases == ()
    assert mem.facts(user="ana", subject="Berit", predicate="likes", limit=1).total == 300


@pytest.mark.parametrize("budget", [60, 200, 800])
@pytest.mark.parametrize(
    ("told", "question"),
    [("I like song number {}.", "which songs do I like?"), ("我喜欢第{}首歌。", "我喜欢什么歌？")],
)
def test_a_budget_is_kept_however_much_there_is(
    mem: Memory, told: str, question: str, budget: int
) -> None:
    """Whole facts are left out, from the tail, and counted."""
    mem.add([told.format(n) for n in range(300)], user="ana", occurred_at="2025-05-10")
    packed = mem.context(question, user="ana", max_tokens=budget)
    assert packed.tokens <= budget
    assert packed.omitted > 0


def test_a_hub_of_many_things_costs_little_more_than_one_of_few(mem: Memory) -> None:
    """The work of a walk is bounded, whatever hangs on the things it passes."""
    work: list[int] = []
    for user, many in (("few", 100), ("many", 1000)):
        mem.add("My sister Tilda works at Larch.", user=user, occurred_at="2025-05-10")
        for start in range(0, many, 200):
            turns = [f"My friend Bo{n} works at Larch." for n in range(start, start + 100)]
            mem.add(turns, user=user, occurred_at="2025-05-10")
        question = "where does my sister's colleague work?"
        mem.search(question, user=user)
        work.append(calls(lambda u=user, q=question: mem.search(q, user=u)))
    few, many_calls = work
    assert many_calls < 3 * few
