"""What the use cases work with, put together once by the composition root."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from graphmem.errors import IndexUnavailableError
from graphmem.extraction.critic import Critic
from graphmem.extraction.gate_admit import Gates
from graphmem.extraction.metered import Metered
from graphmem.extraction.second import Decider
from graphmem.model.draft import Cap
from graphmem.model.predicate import Ontology
from graphmem.model.scope import Scope
from graphmem.ports.clock import Clock
from graphmem.ports.extractor import Extractor
from graphmem.ports.graph_store import GraphStore
from graphmem.retrieval.pipeline import Retriever
from graphmem.usecases.indexing import Indexer

CATCH_UP_SECONDS = 30.0
"""The longest a call waits for the index; what is left is done by the next one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Services:
    """Collaborators and settings of one memory.

    Attributes:
        store, clock, ontology: as their ports say.
        extractor: reads turns; None keeps them unread, as pending.
        reads_at_once: the extractor waits for nothing, neither model nor network.
        indexer: keeps the vector index in step. retriever: answers questions.
        zone: zone in which naive dates are read.
        authority: by source class, or by a named source.
        me: names by which every user of this memory goes.
        batch_characters: turns are read in batches of about this much text.
        model: what the extractor asks, if it is a model. cap: what one call may use of it.
        gates: what of a turn is let in. critic: looks again at important claims.
        decider: asked, once a batch, about what the rules leave open.
    """

    store: GraphStore
    clock: Clock
    ontology: Ontology
    extractor: Extractor | None
    indexer: Indexer
    retriever: Retriever
    reads_at_once: bool = False
    zone: str = "UTC"
    authority: Mapping[str, int] = field(default_factory=dict[str, int])
    me: tuple[str, ...] = ()
    batch_characters: int = 12_000
    model: Metered | None = None
    cap: Cap = field(default_factory=Cap)
    gates: Gates = field(default_factory=Gates)
    critic: Critic | None = None
    decider: Decider | None = None

    async def catch_up(
        self, scope: Scope | None = None, *, seconds: float | None = CATCH_UP_SECONDS
    ) -> list[str]:
        """Bring the index up to date, so that what was written is found; return what to tell.

        It takes at most about ``seconds``; None waits for the end. What another process is
        indexing is waited for a little, in ``scope``.
        """
        state = await self.indexer.drain(seconds=seconds, scope=scope)
        if self.indexer.index is None:
            return []
        notes = list(state.notes)
        if state.backlog and not notes:
            notes.append(f"{state.backlog} records wait to be indexed")
        return notes

    async def forget(self, scope: Scope | None = None) -> list[str]:
        """Let the index drop what was erased (in ``scope``); return what physical removal still
        waits for. What another process is indexing of other scopes is not waited for."""
        index = self.indexer.index
        state = await self.indexer.drain(scope=scope)
        if index is None:
            return []
        if state.backlog:
            return [f"the vector index: {' '.join(state.notes) or 'it is behind'}"]
        try:
            compacted = await index.compact()
        except IndexUnavailableError as error:
            return [f"the vector index: {error}"]
        return [] if compacted else ["compaction of the vector index"]
