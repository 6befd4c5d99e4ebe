"""How much there is to do for one question, counted."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from graphmem.retrieval.recipes import Recipe
from graphmem.testing.builders import ANA, BOB
from tests.counting import calls
from tests.retrieval.world import World

MOST_CALLS = 70
"""Of functions, for a fact more that is found beside better ones; to read it too takes some 95."""
FEW = Recipe(name="few", candidates=12)


@pytest.fixture
def world(tmp_path: Path, stores: str) -> Iterator[World]:
    made = World(tmp_path)
    yield made
    made.close()


def likes(world: World, count: int, *, more: str = "") -> None:
    """Let so many people each like a tea of their own, told with words in common, and each with
    some ``more`` than the one before, so that no two fit a question alike."""
    for number in range(count):
        who = f"person {world.scope.user} {number}"
        told = f"{who} likes tea number {number} in the garden{more * number}."
        world.fact(who, "likes", f"tea {number}", told)


def work(world: World) -> int:
    """Return how many functions one search calls, once everything is warm."""

    def search() -> None:
        assert world.ask("who likes tea in the garden?", recipe=FEW).hits

    search()
    return calls(search)


def test_others_cost_nothing(world: World) -> None:
    """What other users told gives a question of mine no more to do."""
    likes(world, 10)
    before = work(world)
    world.scope = BOB
    likes(world, 40)
    world.scope = ANA
    assert work(world) < 1.05 * before


def test_what_no_channel_brings_costs_nothing(world: World) -> None:
    """Work is bounded by how many candidates are asked for, not by how much is known."""
    likes(world, 20)
    before = work(world)
    likes(world, 60)
    assert work(world) < 1.25 * before


def test_noise_costs_nothing(world: World) -> None:
    """What shares but a common word with the question is not read, however much of it there is."""
    likes(world, 5)
    asked = "which person in the sunny garden likes tea with honey, lemon, ginger or warm oat milk?"

    def search() -> None:
        assert world.ask(asked).hits

    search()
    before = calls(search)
    for number in range(40):
        world.say(f"It was sunny on day {number} of our long trip.", session=f"trip {number}")
    search()
    assert calls(search) < 1.05 * before


def test_only_the_best_are_read(world: World) -> None:
    """However much answers a question, so much of it is read as can be returned several times."""

    def work() -> int:
        def search() -> None:
            assert len(world.ask("who likes tea in the garden?").hits) == 10

        search()
        return calls(search)

    likes(world, 40, more=" now")
    before = work()
    likes(world, 80, more=" now")
    assert (work() - before) / 80 < MOST_CALLS
