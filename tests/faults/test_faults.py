"""Short forms of the scripts beside this file; each fails by what its script finds."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.faults import away, cuts, server_kills, writers
from tests.faults.script import Outcome, own_server
from tests.services.neo4j_server import LTS, Address, missing


def well(outcome: Outcome) -> None:
    """Fail if anything was lost, doubled, left apart, or an error nobody caused."""
    assert outcome.problems == []
    assert outcome.acknowledged
    assert (outcome.lost, outcome.doubled) == (0, 0)


def test_a_server_that_is_killed_during_an_ingest(neo4j: Address, tmp_path: Path) -> None:
    """Callers get one typed error in time, and the same client goes on when it is back."""
    assert missing(LTS) is None
    with own_server(tmp_path) as (folder, server):
        done = server_kills.run(folder, server, kills=1, pieces=5, seed=1)
    well(done)
    assert done.kills == 1
    assert done.errors


def test_connections_that_are_cut_at_random(neo4j: Address, tmp_path: Path) -> None:
    """No caller notices, whether a message had arrived or not."""
    done = cuts.run(tmp_path, neo4j, often=0.05, pieces=3, seed=2)
    well(done)
    assert {name.split()[0] for name in done.cuts} == {"before", "after"}
    assert done.retries


def test_an_index_and_an_embedder_that_are_away(neo4j: Address, tmp_path: Path) -> None:
    """Writes succeed, reads say what they lack, and what waited is made up for by itself."""
    done = away.run(tmp_path, neo4j, rounds=1, pieces=3)
    well(done)
    assert done.away == 2
    assert done.said == done.searches > 0
    assert done.waited


@pytest.mark.parametrize("users", [1, 24])
def test_sixteen_writers_from_four_processes(users: int, neo4j: Address, tmp_path: Path) -> None:
    """They end as one who says the same by its dates, to one user and to many."""
    turns = 1 if users == 1 else 3
    done = writers.run(tmp_path, neo4j, processes=4, threads=4, turns=turns, users=users)
    well(done)
    assert done.writers == 16
    assert done.acknowledged == 16 * 5 * turns
