"""Read a batch through the gates: repeats at no cost, what was asked for kept, the critic last."""

from __future__ import annotations

from dataclasses import replace

from graphmem.extraction.gate_admit import admitted, repeats, said_again
from graphmem.model.draft import Batch, Extraction
from graphmem.ports.extractor import Extractor
from graphmem.usecases.services import Services


async def read_through_gates(services: Services, extractor: Extractor, batch: Batch) -> Extraction:
    """Return what of a batch is to be believed; what is left out is counted by kind.

    Raises:
        GraphmemError: the extractor did.
    """
    gates = services.gates
    again = repeats(batch.turns) if gates.by_model else {}
    fresh = tuple(turn for turn in batch.turns if turn.id not in again)
    read = await extractor.extract(replace(batch, turns=fresh) if again else batch)
    read = admitted(said_again(read, again), batch, gates)
    return read if services.critic is None else await services.critic.check(read, batch)
