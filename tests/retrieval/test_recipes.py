"""Recipes: names, floors, weights."""

from __future__ import annotations

import pytest

from graphmem.errors import InputError
from graphmem.retrieval.recipes import RECIPES, Recipe, find_recipe


def test_a_recipe_is_found_by_name_or_given() -> None:
    """Both a name and a recipe of one's own will do."""
    own = Recipe(name="own")
    assert find_recipe(own) is own
    assert all(find_recipe(name) is recipe for name, recipe in RECIPES.items())


def test_an_unknown_recipe_is_refused_with_the_names() -> None:
    """The message lists what there is."""
    with pytest.raises(InputError, match=r"'sumsum'.*default.*reciprocal_rank"):
        find_recipe("sumsum")


def test_a_floor_of_another_scale_is_refused() -> None:
    """A floor is only ever compared with the number it is named after."""
    with pytest.raises(InputError, match=r"floors has no 'cosine'"):
        Recipe(name="own", floors={"cosine": 0.8})
    with pytest.raises(InputError, match="not >= 0"):
        Recipe(name="own", weights={"dense": -1.0})
