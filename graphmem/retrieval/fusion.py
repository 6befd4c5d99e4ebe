"""From what each channel says to one order. Pure numbers: no I/O, no clock, no text."""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

K = TypeVar("K", bound=Hashable)

Channels = Mapping[str, Mapping[K, float]]
"""By channel, candidates with the channel's raw score, greater than 0; higher is better."""

PLACES = 6
"""Scores are rounded to as many decimals, so that every machine and store ranks alike."""


@dataclass(frozen=True, slots=True)
class Scale:
    """What a channel's scores mean by themselves: noise up to ``noise``, good from ``good`` on."""

    noise: float = 0.0
    good: float = 0.0


def normalised(scores: Mapping[K, float], scale: Scale = Scale()) -> dict[K, float]:
    """Return scores as shares of the best one, counted from the channel's noise, in [0, 1].

    The low end is the noise and not the worst candidate, whose score says nothing about how bad it
    is. Where the best is not even good, shares are of what is good: a channel that has only found
    something poor does not speak with its full weight.
    """
    best = max([scale.good, *scores.values()]) - scale.noise
    if best <= 0:
        return dict.fromkeys(scores, 0.0)
    noise = scale.noise
    return {key: (score - noise) / best if score > noise else 0.0 for key, score in scores.items()}


def summed(
    channels: Channels[K],
    weights: Mapping[str, float],
    scales: Mapping[str, Scale] | None = None,
) -> dict[K, float]:
    """Add each channel's normalised scores, weighted; channels without candidates abstain.

    The result is in [0, 1]: 1 is what is best, and good, on every channel that has something to
    say.
    """
    known = scales or {}
    shares = {
        name: normalised(scores, known.get(name, Scale())) for name, scores in channels.items()
    }
    return _weighted(shares, weights)


def reciprocal_rank(
    channels: Channels[K], weights: Mapping[str, float], constant: int = 60
) -> dict[K, float]:
    """Add ``1 / (constant + rank)`` over channels, weighted, scaled to [0, 1].

    Equal scores share a rank, so that the order of equals plays no part.
    """
    shares: dict[str, dict[K, float]] = {}
    for name, scores in channels.items():
        ranks = _ranks(scores)
        shares[name] = {key: (constant + 1) / (constant + rank) for key, rank in ranks.items()}
    return _weighted(shares, weights)


def _ranks(scores: Mapping[K, float]) -> dict[K, int]:
    first: dict[float, int] = {}
    for place, score in enumerate(sorted(scores.values(), reverse=True), start=1):
        first.setdefault(score, place)
    return {key: first[score] for key, score in scores.items()}


def _weighted(shares: Channels[K], weights: Mapping[str, float]) -> dict[K, float]:
    speaking = sorted(name for name, scores in shares.items() if scores and weights.get(name, 0))
    total = math.fsum(weights[name] for name in speaking)
    sums: dict[K, float] = {}
    for name in speaking:  # always in one order, so that the order of channels cannot show
        weight = weights[name] / total
        so_far = sums.get
        for key, share in shares[name].items():
            sums[key] = so_far(key, 0.0) + weight * share
    # Never above 1 by rounding.
    return {key: score if score < 1.0 else 1.0 for key, score in sums.items()}


def boosted(score: float, boosts: Mapping[str, float], most: Mapping[str, float]) -> float:
    """Raise ``score`` by boosts (each 0 to 1) that weigh at most ``most``; stays in [0, 1]."""
    limit = gained = 0.0
    for name, weight in most.items():
        limit += weight
        gained += weight * min(1.0, max(0.0, boosts.get(name, 0.0)))
    return min(1.0, max(0.0, score) * (1 + gained) / (1 + limit))


def borrowed(
    scores: Mapping[K, float], neighbours: Mapping[K, Sequence[tuple[K, float]]]
) -> dict[K, float]:
    """Add to each score a share of its neighbours' scores (key and share)."""
    lent = dict(scores)
    for key, others in neighbours.items():
        if key in lent:
            lent[key] += sum(share * scores.get(other, 0.0) for other, share in others)
    return lent


def half_life(age: float, life: float | None) -> float:
    """Return how fresh something ``age`` old is, 1 to 0; what has no half-life stays fresh."""
    if life is None:
        return 1.0
    return 0.5 ** (max(0.0, age) / life)


def spread(
    ranked: Sequence[tuple[K, float]],
    alike: Callable[[K, K], float],
    diversity: float,
    limit: int,
) -> list[tuple[K, float]]:
    """Choose the best ``limit``, lowering near copies of what is already chosen.

    ``alike`` is 0 (different) to 1 (the same). The scores returned never rise, and keep their
    order where nothing is alike.
    """
    # The best by what is known so far is compared with what was chosen since it was last looked at;
    # scores only fall, so one that stays the best is.
    waiting = [(-score, place, 0) for place, (_, score) in enumerate(ranked)]
    heapq.heapify(waiting)
    chosen: list[tuple[K, float]] = []
    while waiting and len(chosen) < limit:
        lowered, place, seen = heapq.heappop(waiting)
        key, score = ranked[place]
        if seen == len(chosen):
            chosen.append((key, -lowered))
            continue
        likeness = max(alike(other, key) for other, _ in chosen[seen:])
        if likeness > 0:
            lowered = max(lowered, -score * (1 - diversity * likeness))
        heapq.heappush(waiting, (lowered, place, len(chosen)))
    return chosen
