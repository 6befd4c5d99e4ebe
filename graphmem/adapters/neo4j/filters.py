"""What a filter of facts becomes in the parameters of a statement.

The statements hold the conditions, written out, since none is built from text;
``read/facts_related`` has them all.
"""

from __future__ import annotations

from graphmem.adapters.neo4j.tx import Found
from graphmem.model.claim import Modality
from graphmem.model.search import FactFilter
from graphmem.model.time import FOREVER, LARGEST, clamp

_EVER = (-LARGEST - 1, LARGEST)
"""Around every instant that a fact begins or ends at."""


def fact_parameters(asked: FactFilter) -> Found:
    """Return the parameters that admit what ``FactFilter.admits`` admits, and the labels."""
    first, last = _EVER if asked.valid is None else map(clamp, asked.valid)
    return {
        "forever": FOREVER,
        "statuses": sorted(asked.statuses),
        "polarity": None if asked.polarity is None else asked.polarity.value,
        "modality": None if asked.modality is None else asked.modality.value,
        "predicates": None if asked.predicates is None else sorted(asked.predicates),
        "sessions": None if asked.sessions is None else sorted(asked.sessions),
        "agents": None if asked.agents is None else sorted(asked.agents),
        "first": first,
        "last": last,
        "upcoming": asked.upcoming,
        "uncertain": asked.uncertain,
        "planned": Modality.PLANNED.value,
        "known_at": None if asked.known_at is None else clamp(asked.known_at),
    }
