"""Which of what the channels found is read."""

from __future__ import annotations

from dataclasses import replace

from graphmem.model.search import PointKind, PointRef, Scored
from graphmem.retrieval.candidates import Keyed, best, heads, keyed, weighed
from graphmem.retrieval.recipes import RECIPES, Recipe

DEFAULT = RECIPES["default"]


def found(*scores: float, first: int = 0) -> Keyed:
    """Return facts of these scores, numbered from ``first``."""
    refs = (PointRef(PointKind.FACT, f"f{first + number}") for number in range(len(scores)))
    return keyed([Scored(ref, score) for ref, score in zip(refs, scores, strict=True)])


def kept(near: Keyed, said: Keyed, count: int, recipe: Recipe = DEFAULT) -> set[str]:
    """Return the keys of what is read of both channels."""
    return {*best(weighed(near, said, level=0.5, telling=2.0, recipe=recipe), count)}


def test_few_are_all_read() -> None:
    """What is no more than may be read stays, however poor."""
    assert kept(found(0.9, 0.4), found(0.1, first=1), 2) == {"f0", "f1"}


def test_the_best_over_both_channels_are_read() -> None:
    """What both channels found goes before what is near alone."""
    near, said = found(0.90, 0.89, 0.88, 0.87), found(2.0, 1.9, first=2)
    assert kept(near, said, 2) == {"f2", "f3"}
    assert kept(near, said, 3) == {"f0", "f2", "f3"}


def test_ranks_count_where_the_recipe_says_so() -> None:
    """The recipe that ranks also says which are read."""
    near, said = found(0.90, 0.89, 0.88, 0.87), found(2.0, 1.9, first=2)
    assert kept(near, said, 2, RECIPES["reciprocal_rank"]) == {"f2", "f3"}


def test_a_channel_that_weighs_nothing_brings_nothing() -> None:
    """What only it found gives way."""
    deaf = replace(DEFAULT, weights={**DEFAULT.weights, "dense": 0.0})
    near, said = found(0.9, 0.8), found(1.0, first=2)
    assert kept(near, said, 1, deaf) == {"f2"}


def test_equals_come_together() -> None:
    """Of equals either all are read or none."""
    near = found(0.9, 0.8, 0.8, 0.8, 0.7)
    assert kept(near, {}, 2) == {"f0", "f1", "f2", "f3"}


def test_equals_at_the_end_of_the_heads_stay_away() -> None:
    """What was said beside a turn is read for no more turns than asked."""
    scores = {"t0": 0.9, "t1": 0.8, "t2": 0.8, "t3": 0.7}
    assert [heads(scores, count) for count in (1, 2, 3, 4)] == [
        ["t0"],
        ["t0"],
        ["t0", "t1", "t2"],
        [*scores],
    ]
