"""Every story that its author is sure of."""

from __future__ import annotations

import pytest

from benchmarks.stories import Story, faults, read

STORIES = [story for story in read(None) if "unsure" not in story]


@pytest.mark.parametrize("story", STORIES, ids=lambda story: story["id"])
def test_story_is_believed_as_a_careful_person_would(story: Story) -> None:
    """What is believed then and now is what the story's author wants."""
    assert faults(story) == []


@pytest.mark.parametrize("story", STORIES, ids=lambda story: story["id"])
def test_story_told_backwards_is_the_same(story: Story) -> None:
    """Claims that arrive in the opposite order give the same beliefs."""
    assert faults({**story, "claims": list(reversed(story["claims"]))}) == []


def test_no_story_is_missing() -> None:
    """All stories but the unsure ones are run."""
    assert len(STORIES) == 120
