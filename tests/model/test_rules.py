"""Every rule has its words, wherever rules are worded."""

from __future__ import annotations

from graphmem.model.fact import Rule
from graphmem.retrieval.wording import BECAUSE
from graphmem.usecases.read import BY_RULE


def test_every_rule_is_worded() -> None:
    """No rule is shown by its slug, and no words stand for a rule that is none."""
    assert set(BECAUSE) == set(BY_RULE) == set(Rule)
