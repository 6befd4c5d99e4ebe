"""The same memory for plain code: each method runs its awaited twin in a portal thread.

The methods and their signatures are those of ``AsyncMemory``; a test holds them together.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from graphmem.client.aio import AsyncMemory
from graphmem.client.portal import Portal
from graphmem.client.sync_add import Adding
from graphmem.client.sync_keep import Keeping
from graphmem.client.sync_read import Reading
from graphmem.client.sync_write import Writing
from graphmem.model.predicate import Ontology, Predicate
from graphmem.ports.clock import Clock
from graphmem.ports.embedder import Embedder
from graphmem.ports.extractor import Extractor
from graphmem.ports.graph_store import GraphStore
from graphmem.ports.language_model import LanguageModel
from graphmem.ports.reranker import Reranker
from graphmem.ports.vector_index import VectorIndex
from graphmem.settings import Settings


class Memory(Adding, Writing, Reading, Keeping):
    """A fact memory, for plain code, notebooks and threads (see ``AsyncMemory``)."""

    def __init__(
        self,
        path: str | Path | None = None,
        *,
        extractor: Extractor | str | None = None,
        model: LanguageModel | None = None,
        embedder: Embedder | str | None = None,
        ontology: str | Path | Ontology | Sequence[Predicate] | None = None,
        timezone: str | None = None,
        me: str | Sequence[str] = (),
        reranker: Reranker | None = None,
        critic: bool | None = None,
        store: GraphStore | None = None,
        index: VectorIndex | None = None,
        qdrant: str | None = None,
        clock: Clock | None = None,
        settings: Settings | None = None,
    ) -> None:
        self._memory = AsyncMemory(
            path,
            extractor=extractor,
            model=model,
            embedder=embedder,
            ontology=ontology,
            timezone=timezone,
            me=me,
            reranker=reranker,
            critic=critic,
            store=store,
            index=index,
            qdrant=qdrant,
            clock=clock,
            settings=settings,
        )
        self._portal = Portal()

    @classmethod
    def from_settings(cls, settings: Settings | None = None) -> Self:
        """Open a memory by the environment and the configuration file."""
        return cls(settings=settings or Settings.load())

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the store and the index; safe to call twice.

        Jobs go on for up to ten seconds; what is not read then stays stored, and pending.
        """
        self._portal.close(self._memory.close())
