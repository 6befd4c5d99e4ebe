"""The same generated history, in a folder and on Neo4j, is believed, told and found alike.

They are the same few steps every time; ``GRAPHMEM_HISTORY_STEPS=10000`` takes that many new ones.
"""

from __future__ import annotations

import logging
import os
from collections import Counter
from typing import cast

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import run_state_machine_as_test

from tests.differential.household import Server
from tests.differential.machine import Differential
from tests.index.qdrant_http import QdrantServer
from tests.services.plugin import Emptied

log = logging.getLogger(__name__)

STEPS = int(os.environ.get("GRAPHMEM_HISTORY_STEPS", "400"))
PER_HISTORY = 50


@pytest.mark.parametrize("index", ["folder", "server", "none"])
def test_twins(neo4j_lts: Emptied, index: str) -> None:
    """Receipts, facts, histories, past views, answers and errors are equal, ids apart."""
    long = "GRAPHMEM_HISTORY_STEPS" in os.environ
    counts: Counter[str] = Counter()

    def machine() -> Differential:
        return Differential(Server(neo4j_lts.wipe, index, qdrant.url), counts)

    with QdrantServer() as qdrant:
        run_state_machine_as_test(
            cast("type[Differential]", machine),
            settings=settings(
                max_examples=1 + max(1, STEPS // PER_HISTORY // 3),  # the first is empty of sense
                stateful_step_count=PER_HISTORY,
                derandomize=not long,
                database=None,
                phases=[Phase.generate],
                deadline=None,
                suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
            ),
        )
    log.info("with the index %s: %s", index, dict(sorted(counts.items())))
    assert counts["calls"] > STEPS // 3
