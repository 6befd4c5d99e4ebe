"""A short form of ``kills.py``: a client is killed at the steps that matter most."""

from __future__ import annotations

import pytest

from tests.faults.kills import LEASE, Killer
from tests.faults.steps import Step
from tests.faults.trials import Trials
from tests.services.plugin import Emptied

UPLOAD = "POST /collections/graphmem/points/batch"
STEPS = {
    "before the change": ("ingest", Step("change/look", 4)),
    "when it was committed, and nobody heard": ("ingest", Step("commit", 5, late=True)),
    "with rows in hand, before the upload": ("ingest", Step(UPLOAD, 3)),
    "after the upload, before the rows are settled": ("ingest", Step(UPLOAD, 4, late=True)),
    "in the middle of erasing a user": ("erase", Step("erase/facts", 1, late=True)),
    "when an erasure was committed": ("erase", Step("change/erase", 1, late=True)),
    "in the middle of a new index": ("reindex", Step("POST /collections/N/points/batch", 2)),
    "before the new index serves": ("reindex", Step("POST /collections/aliases", 1)),
    "when it serves, and the old one is there": ("reindex", Step("DELETE /collections/N", 1)),
    "in the middle of a migration": ("migrate", Step("change/write", 2, late=True)),
    "when what was migrated is being indexed": ("migrate", Step(UPLOAD, 2)),
}


@pytest.fixture(scope="module")
def killer(neo4j_lts: Emptied, tmp_path_factory: pytest.TempPathFactory) -> Killer:
    return Killer(Trials(tmp_path_factory.mktemp("kills"), neo4j_lts.wipe, LEASE))


@pytest.mark.parametrize("when", STEPS)
def test_a_client_that_is_killed(when: str, killer: Killer) -> None:
    """Another client goes on: nothing is lost, doubled, or left apart."""
    kill = killer.kill(*STEPS[when])
    assert kill is not None, "it never came so far"
    assert kill.after.problems == []
    assert (kill.after.lost, kill.after.doubled) == (0, 0)
    assert kill.after.held == (kill.step.name == UPLOAD or kill.verb == "reindex")
