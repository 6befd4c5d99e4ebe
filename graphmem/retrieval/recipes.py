"""Named ways to rank: which method, how much each channel and boost weighs, where floors lie."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from graphmem.errors import InputError
from graphmem.retrieval.fusion import Scale, reciprocal_rank, summed


class Method(StrEnum):
    """How channels are put together."""

    SUM = "sum"
    RECIPROCAL_RANK = "reciprocal_rank"
    WEIGHTED = "weighted"


DENSE = "dense"
KEYWORD = "keyword"
CUE = "cue"
WALK = "walk"
CHANNELS = (DENSE, KEYWORD, CUE, WALK)
"""What finds candidates: nearness of meaning, shared terms, the relation asked for, the graph."""

RECENCY = "recency"
IMPORTANCE = "importance"
CORROBORATION = "corroboration"
BOOSTS = (RECENCY, IMPORTANCE, CORROBORATION)

SCORE = "score"
RERANK = "rerank"
FLOORS = (DENSE, KEYWORD, SCORE, RERANK)
"""Each floor is compared with the number it is named after and with nothing else. ``dense`` is how
far the cosine lies above that of unrelated text (0 as unrelated, 1 identical), ``keyword`` the
share of the question's telling terms found (0 to 1), ``score`` a hit's final score, ``rerank`` the
reranker's own number.

With multilingual-e5-small, on questions to long conversations, 1.5 % of turns of *other*
conversations have a lift of 0.28 or more, and 94 % of the turns that hold the answer."""


def _weights() -> dict[str, float]:
    return {DENSE: 1.0, KEYWORD: 1.0, CUE: 0.9, WALK: 1.3}


def _boosts() -> dict[str, float]:
    return {RECENCY: 0.06, IMPORTANCE: 0.04, CORROBORATION: 0.04}


NOISE: Mapping[str, float] = {DENSE: 0.28, KEYWORD: 0.12}
"""What lies below these on a channel is noise: where there is anything else, and no floor is lower,
it is not even asked for."""


def _floors() -> dict[str, float]:
    return {**NOISE, SCORE: 0.0, RERANK: 0.0}


SCALES: Mapping[str, Scale] = {
    DENSE: Scale(noise=0.2, good=0.45),
    KEYWORD: Scale(good=0.4),
    CUE: Scale(good=0.6),
    WALK: Scale(good=0.5),
}
"""What channels' scores mean: a tenth of unrelated turns has a lift of 0.2 or more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """How candidates are ranked.

    Attributes:
        name: what it is called in settings.
        method: how channels are put together.
        weights: by channel; with ``Method.WEIGHTED`` also by boost.
        floors: by name (see ``FLOORS``); what lies below on every channel is not a candidate.
        boosts: at most how much each adds, as a share of the score.
        near, far: what a turn borrows from its next neighbours, and from those after them.
        lent: what a fact borrows from the turn it was said in.
        diversity: how much of its score a near copy of a better hit loses.
        rank_constant: the k of reciprocal rank.
        candidates: how many records each channel is asked for.
    """

    name: str
    method: Method = Method.SUM
    weights: Mapping[str, float] = field(default_factory=_weights)
    floors: Mapping[str, float] = field(default_factory=_floors)
    boosts: Mapping[str, float] = field(default_factory=_boosts)
    near: float = 0.3
    far: float = 0.15
    lent: float = 0.3
    diversity: float = 0.8
    rank_constant: int = 60
    candidates: int = 250

    def __post_init__(self) -> None:
        known = {
            "weights": {*CHANNELS, *BOOSTS},
            "floors": {*FLOORS},
            "boosts": {*BOOSTS},
        }
        for part, names in known.items():
            values: Mapping[str, float] = getattr(self, part)
            for name, value in values.items():
                if name not in names:
                    allowed = ", ".join(sorted(names))
                    raise InputError(
                        f"recipe {self.name!r}: {part} has no {name!r}; it has {allowed}"
                    )
                if not 0 <= value <= 100:
                    raise InputError(
                        f"recipe {self.name!r}: {part}[{name!r}] = {value!r} is not >= 0"
                    )

    def fused(self, channels: Mapping[str, Mapping[str, float]]) -> dict[str, float]:
        """Put channels together: candidates with a score of 0 to 1."""
        if self.method is Method.RECIPROCAL_RANK:
            return reciprocal_rank(channels, self.weights, self.rank_constant)
        return summed(channels, self.weights, SCALES)

    def floor(self, name: str) -> float:
        """Return a floor by its name."""
        return self.floors.get(name, 0.0)


RECIPES: Mapping[str, Recipe] = {
    recipe.name: recipe
    for recipe in (
        Recipe(name="default"),
        Recipe(name="reciprocal_rank", method=Method.RECIPROCAL_RANK),
        Recipe(
            name="weighted",
            method=Method.WEIGHTED,
            weights={
                DENSE: 1.0, KEYWORD: 1.0, CUE: 0.9, WALK: 1.3, RECENCY: 0.5, IMPORTANCE: 0.5,
            },
            boosts={},
        ),
    )
}  # fmt: skip
"""The recipes that ship: the sum of normalised scores, reciprocal rank, and the classic weighted
sum of relevance, recency, importance and keyword."""


def find_recipe(recipe: str | Recipe) -> Recipe:
    """Return a recipe by its name, or as given.

    Raises:
        InputError: no recipe has that name.
    """
    if isinstance(recipe, Recipe):
        return recipe
    try:
        return RECIPES[recipe]
    except KeyError:
        names = ", ".join(sorted(RECIPES))
        raise InputError(f"there is no recipe {recipe!r}; recipes are {names}") from None
