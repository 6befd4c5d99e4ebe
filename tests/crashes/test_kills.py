"""A short form of ``kills.py``: some kills of each verb, at moments that are always the same."""

from __future__ import annotations

import pytest

from tests.crashes import child
from tests.crashes.kills import Killer, table
from tests.crashes.trials import Trials

KILLS = 2


@pytest.fixture(scope="module")
def killer(tmp_path_factory: pytest.TempPathFactory) -> Killer:
    folder = tmp_path_factory.mktemp("kills")
    return Killer(Trials(folder, "hash/64"), folder, seed=4, runs=1)


@pytest.mark.parametrize("verb", child.VERBS)
def test_a_killed_verb_loses_and_doubles_nothing(verb: str, killer: Killer) -> None:
    """What was acknowledged is there, doing it again ends as if nothing had happened."""
    done = [*killer.kills(verb, KILLS)]
    assert [kill.problems for kill in done] == [()] * KILLS
    assert len([*table(done)]) == 2
