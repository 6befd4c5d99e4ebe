"""Fusion: numbers in, numbers out."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.retrieval.fusion import (
    Scale,
    boosted,
    borrowed,
    half_life,
    normalised,
    reciprocal_rank,
    spread,
    summed,
)
from graphmem.retrieval.recipes import CHANNELS

WEIGHTS = {"dense": 1.0, "keyword": 1.0, "cue": 0.9, "walk": 1.3}
Method = Callable[[Mapping[str, Mapping[int, float]], Mapping[str, float]], dict[int, float]]
scores = st.dictionaries(
    st.integers(0, 8), st.floats(0.001, 1000, allow_nan=False), min_size=0, max_size=9
)
channels = st.dictionaries(st.sampled_from(CHANNELS), scores, max_size=4)
methods = st.sampled_from([summed, reciprocal_rank])


@given(channels, methods, st.permutations(CHANNELS))
def test_the_order_of_channels_and_candidates_plays_no_part(
    said: dict[str, dict[int, float]], method: Method, order: list[str]
) -> None:
    """Any order of channels and candidates gives the same numbers."""
    turned = {name: dict(reversed(said[name].items())) for name in order if name in said}
    assert method(said, WEIGHTS) == method(turned, WEIGHTS)


@given(channels, methods)
def test_scores_lie_between_nothing_and_one(
    said: dict[str, dict[int, float]], method: Method
) -> None:
    """Every candidate has a score in [0, 1]."""
    fused = method(said, WEIGHTS)
    assert all(0 <= score <= 1 for score in fused.values())
    assert set(fused) == {key for found in said.values() for key in found}


@given(channels, methods, st.sampled_from(CHANNELS), st.integers(0, 8), st.floats(1.01, 10))
def test_a_better_score_on_a_channel_never_costs_a_place(
    said: dict[str, dict[int, float]], method: Method, name: str, key: int, factor: float
) -> None:
    """Fusion is monotone: who rises on one channel is passed by nobody."""
    found = said.get(name, {})
    if key not in found:
        return
    risen = {**said, name: {**found, key: found[key] * factor}}
    before, after = method(said, WEIGHTS), method(risen, WEIGHTS)
    for other in before:
        if before[key] > before[other] + 1e-9:
            assert after[key] >= after[other] - 1e-9


def test_a_silent_channel_takes_nothing_away() -> None:
    """A channel without candidates abstains."""
    said = {"keyword": {"a": 3.0, "b": 1.0}}
    assert summed({**said, "dense": {}}, WEIGHTS) == summed(said, WEIGHTS) == {"a": 1.0, "b": 1 / 3}


def test_normalised_scores_are_shares_of_the_best() -> None:
    """The best is 1, the others their share of it."""
    assert normalised({"a": 4.0, "b": 1.0, "c": -2.0}) == {"a": 1.0, "b": 0.25, "c": 0.0}
    assert normalised({"a": 0.0}) == {"a": 0.0}


def test_noise_counts_nothing_and_poor_is_not_good() -> None:
    """Shares are counted from a channel's noise, and of what is good where the best is poor."""
    scale = Scale(noise=0.2, good=0.6)
    shares = normalised({"a": 1.0, "b": 0.6, "c": 0.1}, scale)
    assert shares == {"a": 1.0, "b": pytest.approx(0.5), "c": 0.0}
    assert normalised({"a": 0.4}, scale)["a"] == pytest.approx(0.5)


def test_equal_scores_share_a_rank() -> None:
    """Reciprocal rank does not depend on how equals happen to be ordered."""
    fused = reciprocal_rank({"dense": {"a": 0.5, "b": 0.5, "c": 0.1}}, WEIGHTS)
    assert fused["a"] == fused["b"] == 1.0 > fused["c"] > 0.9


@given(st.floats(0, 1), st.floats(-1, 2), st.floats(0, 0.5))
def test_boosts_are_bounded(score: float, boost: float, most: float) -> None:
    """A boost moves a score by at most its share and never out of [0, 1]."""
    with_boost = boosted(score, {"recency": boost}, {"recency": most})
    assert score / (1 + most) - 1e-12 <= with_boost <= score + 1e-12


def test_a_turn_borrows_from_its_neighbours() -> None:
    """The answer beside the turn that holds the question's words rises."""
    lent = borrowed({1: 1.0, 2: 0.2, 9: 0.3}, {2: [(1, 0.5)], 1: [(2, 0.5), (7, 0.5)]})
    assert lent == {1: 1.1, 2: 0.7, 9: 0.3}


def test_freshness_halves_with_each_half_life() -> None:
    """What has a half-life fades, what has none does not, the future is fresh."""
    assert [half_life(age, 10) for age in (-5, 0, 10, 20)] == [1, 1, 0.5, 0.25]
    assert half_life(1e9, None) == 1


def test_near_copies_make_room() -> None:
    """A copy of the best hit falls behind a worse hit that says something else."""
    ranked = [("a", 0.9), ("a again", 0.89), ("b", 0.6)]
    chosen = spread(ranked, lambda x, y: float(x[0] == y[0]), 0.5, 3)
    assert chosen == [("a", 0.9), ("b", 0.6), ("a again", 0.445)]


@given(st.lists(st.floats(0, 1), max_size=12), st.integers(0, 12))
def test_spreading_keeps_order_where_nothing_is_alike(values: list[float], limit: int) -> None:
    """Without likeness it is a plain cut."""
    ranked = sorted(enumerate(values), key=lambda pair: -pair[1])
    assert spread(ranked, lambda _x, _y: 0.0, 0.5, limit) == ranked[:limit]
