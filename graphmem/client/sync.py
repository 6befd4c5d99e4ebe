"""The same memory for plain code: each method runs its awaited twin in a portal thread.

The methods and their signatures are those of ``AsyncMemory``; a test holds them together.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

from graphmem.client.aio import AsyncMemory, Labels
from graphmem.client.border import Content
from graphmem.client.portal import Portal
from graphmem.model.entity import Suggestion
from graphmem.model.explanation import Explanation
from graphmem.model.fact import Fact
from graphmem.model.instants import When
from graphmem.model.predicate import Ontology, Predicate
from graphmem.model.receipt import ErasureReceipt, Receipt
from graphmem.model.search import Context, EntityView, Page, SearchResult
from graphmem.ports.clock import Clock
from graphmem.ports.embedder import Embedder
from graphmem.ports.extractor import Extractor
from graphmem.ports.language_model import LanguageModel
from graphmem.ports.reranker import Reranker
from graphmem.retrieval.recipes import Recipe
from graphmem.settings import Settings
from graphmem.usecases.doctor import Report
from graphmem.usecases.indexing import IndexState
from graphmem.usecases.transfer import Transfer
from graphmem.usecases.upkeep import VerifyReport

T = TypeVar("T")


class Memory:
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

    def _run(self, coroutine: Coroutine[Any, Any, T]) -> T:  # Any: a coroutine sends nothing
        return self._portal.call(coroutine)

    def add(
        self,
        content: Content,
        *,
        user: str,
        tenant: str = "default",
        session: str | None = None,
        agent: str | None = None,
        occurred_at: When | None = None,
        role: str = "user",
        me: str | Sequence[str] = (),
    ) -> Receipt:
        """Store turns and take the facts from them."""
        return self._run(
            self._memory.add(
                content,
                user=user,
                tenant=tenant,
                session=session,
                agent=agent,
                occurred_at=occurred_at,
                role=role,
                me=me,
            )
        )

    def ingest(
        self,
        messages: Content,
        *,
        user: str,
        tenant: str = "default",
        session: str | None = None,
        me: str | Sequence[str] = (),
        progress: Callable[[int, int], None] | None = None,
    ) -> Receipt:
        """Add a whole transcript, session by session; ``progress`` is told turns done and all."""
        return self._run(
            self._memory.ingest(
                messages,
                user=user,
                tenant=tenant,
                session=session,
                me=me,
                progress=progress,
            )
        )

    def add_fact(
        self,
        subject: str,
        predicate: str,
        object: str | None = None,
        *,
        user: str,
        tenant: str = "default",
        valid_from: When | None = None,
        valid_to: When | None = None,
        occurred_at: When | None = None,
        polarity: str = "+",
        modality: str = "asserted",
        source: str = "user",
        source_name: str | None = None,
        statement: str | None = None,
        qualifiers: Mapping[str, str] | None = None,
        confidence: float = 1.0,
        importance: int = 5,
        session: str | None = None,
        agent: str | None = None,
    ) -> Receipt:
        """State a fact by its parts; "me" is the user."""
        return self._run(
            self._memory.add_fact(
                subject,
                predicate,
                object,
                user=user,
                tenant=tenant,
                valid_from=valid_from,
                valid_to=valid_to,
                occurred_at=occurred_at,
                polarity=polarity,
                modality=modality,
                source=source,
                source_name=source_name,
                statement=statement,
                qualifiers=qualifiers,
                confidence=confidence,
                importance=importance,
                session=session,
                agent=agent,
            )
        )

    def correct(
        self,
        fact_id: str,
        *,
        user: str,
        tenant: str = "default",
        object: str | None = None,
        valid_from: When | None = None,
        valid_to: When | None = None,
        occurred_at: When | None = None,
        polarity: str | None = None,
        source: str = "user",
        statement: str | None = None,
        qualifiers: Mapping[str, str] | None = None,
    ) -> Receipt:
        """Put another value or other dates in the place of a fact's, for all its time."""
        return self._run(
            self._memory.correct(
                fact_id,
                user=user,
                tenant=tenant,
                object=object,
                valid_from=valid_from,
                valid_to=valid_to,
                occurred_at=occurred_at,
                polarity=polarity,
                source=source,
                statement=statement,
                qualifiers=qualifiers,
            )
        )

    def retract(
        self, fact_id: str, *, user: str, tenant: str = "default", reason: str | None = None
    ) -> Receipt:
        """Take a fact back: it was never true. ``restore`` undoes it."""
        return self._run(
            self._memory.retract(
                fact_id,
                user=user,
                tenant=tenant,
                reason=reason,
            )
        )

    def restore(self, fact_id: str, *, user: str, tenant: str = "default") -> Receipt:
        """Let a retracted fact stand again."""
        return self._run(
            self._memory.restore(
                fact_id,
                user=user,
                tenant=tenant,
            )
        )

    def erase(
        self,
        *,
        user: str,
        tenant: str = "default",
        fact: str | None = None,
        episode: str | None = None,
    ) -> ErasureReceipt:
        """Remove a fact, a turn, or everything of the user, physically and for good."""
        return self._run(
            self._memory.erase(
                user=user,
                tenant=tenant,
                fact=fact,
                episode=episode,
            )
        )

    def retry_pending(
        self,
        *,
        user: str | None = None,
        tenant: str = "default",
        me: str | Sequence[str] = (),
    ) -> Receipt:
        """Read stored turns that are not read yet, of one user or (None) of all."""
        return self._run(
            self._memory.retry_pending(
                user=user,
                tenant=tenant,
                me=me,
            )
        )

    def search(
        self,
        question: str,
        *,
        user: str,
        tenant: str = "default",
        limit: int = 10,
        valid_at: When | None = None,
        known_at: When | None = None,
        include_ended: bool = False,
        include_disputed: bool = False,
        include_retracted: bool = False,
        predicate: str | Sequence[str] | None = None,
        polarity: str | None = None,
        modality: str | None = None,
        session: Labels = None,
        agent: Labels = None,
        kinds: Sequence[str] | None = None,
        recipe: str | Recipe = "default",
    ) -> SearchResult:
        """Answer a question with facts and turns, best first, each with its reasons."""
        return self._run(
            self._memory.search(
                question,
                user=user,
                tenant=tenant,
                limit=limit,
                valid_at=valid_at,
                known_at=known_at,
                include_ended=include_ended,
                include_disputed=include_disputed,
                include_retracted=include_retracted,
                predicate=predicate,
                polarity=polarity,
                modality=modality,
                session=session,
                agent=agent,
                kinds=kinds,
                recipe=recipe,
            )
        )

    def context(
        self,
        question: str,
        *,
        user: str,
        tenant: str = "default",
        max_tokens: int = 800,
        valid_at: When | None = None,
        known_at: When | None = None,
        include_ended: bool = False,
        session: Labels = None,
        agent: Labels = None,
    ) -> Context:
        """Pack what matters for a task into at most ``max_tokens``, fenced as data."""
        return self._run(
            self._memory.context(
                question,
                user=user,
                tenant=tenant,
                max_tokens=max_tokens,
                valid_at=valid_at,
                known_at=known_at,
                include_ended=include_ended,
                session=session,
                agent=agent,
            )
        )

    def facts(
        self,
        *,
        user: str,
        tenant: str = "default",
        subject: str | None = None,
        predicate: str | None = None,
        object: str | None = None,
        valid_at: When | None = None,
        known_at: When | None = None,
        include_ended: bool = False,
        include_disputed: bool = False,
        include_retracted: bool = False,
        polarity: str | None = None,
        modality: str | None = None,
        session: Labels = None,
        agent: Labels = None,
        limit: int = 100,
        cursor: str | None = None,
    ) -> Page[Fact]:
        """List facts, newest said first."""
        return self._run(
            self._memory.facts(
                user=user,
                tenant=tenant,
                subject=subject,
                predicate=predicate,
                object=object,
                valid_at=valid_at,
                known_at=known_at,
                include_ended=include_ended,
                include_disputed=include_disputed,
                include_retracted=include_retracted,
                polarity=polarity,
                modality=modality,
                session=session,
                agent=agent,
                limit=limit,
                cursor=cursor,
            )
        )

    def get(self, fact_id: str, *, user: str, tenant: str = "default") -> Fact:
        """Return a fact by id."""
        return self._run(
            self._memory.get(
                fact_id,
                user=user,
                tenant=tenant,
            )
        )

    def history(
        self,
        fact_id: str,
        *,
        user: str,
        tenant: str = "default",
        limit: int = 100,
        cursor: str | None = None,
    ) -> Page[Fact]:
        """Return every record of what can end a fact, and of it, newest record first."""
        return self._run(
            self._memory.history(
                fact_id,
                user=user,
                tenant=tenant,
                limit=limit,
                cursor=cursor,
            )
        )

    def explain(self, fact_id: str, *, user: str, tenant: str = "default") -> Explanation:
        """Return a fact's evidence, what ended it, and what it ended."""
        return self._run(
            self._memory.explain(
                fact_id,
                user=user,
                tenant=tenant,
            )
        )

    def entities(
        self,
        *,
        user: str,
        tenant: str = "default",
        limit: int = 100,
        cursor: str | None = None,
    ) -> Page[EntityView]:
        """List what the facts are about, newest first."""
        return self._run(
            self._memory.entities(
                user=user,
                tenant=tenant,
                limit=limit,
                cursor=cursor,
            )
        )

    def merge(
        self, names: str | Sequence[str], *, into: str, user: str, tenant: str = "default"
    ) -> Receipt:
        """Make one entity of several names."""
        return self._run(
            self._memory.merge(
                names,
                into=into,
                user=user,
                tenant=tenant,
            )
        )

    def split(self, name: str, *, out_of: str, user: str, tenant: str = "default") -> Receipt:
        """Make an entity of its own of one name of another."""
        return self._run(
            self._memory.split(
                name,
                out_of=out_of,
                user=user,
                tenant=tenant,
            )
        )

    def suggestions(self, *, user: str, tenant: str = "default") -> list[Suggestion]:
        """List pairs that may be the same, newest first."""
        return self._run(
            self._memory.suggestions(
                user=user,
                tenant=tenant,
            )
        )

    def confirm(self, suggestion: str, *, user: str, tenant: str = "default") -> Receipt:
        """Merge the pair of a suggestion."""
        return self._run(
            self._memory.confirm(
                suggestion,
                user=user,
                tenant=tenant,
            )
        )

    def reject(self, suggestion: str, *, user: str, tenant: str = "default") -> Receipt:
        """Note that the pair of a suggestion is two."""
        return self._run(
            self._memory.reject(
                suggestion,
                user=user,
                tenant=tenant,
            )
        )

    def undo(self, suggestion: str, *, user: str, tenant: str = "default") -> Receipt:
        """Take back what was decided about a suggestion."""
        return self._run(
            self._memory.undo(
                suggestion,
                user=user,
                tenant=tenant,
            )
        )

    def export(
        self, path: str | Path, *, user: str | None = None, tenant: str = "default"
    ) -> Transfer:
        """Write one user, or (None) everything, to a JSON Lines file."""
        return self._run(
            self._memory.export(
                path,
                user=user,
                tenant=tenant,
            )
        )

    def import_(self, path: str | Path) -> Transfer:
        """Load an export into this store."""
        return self._run(
            self._memory.import_(
                path,
            )
        )

    def verify(self) -> VerifyReport:
        """Compare the index with the graph, and check the graph itself."""
        return self._run(self._memory.verify())

    def repair(self) -> VerifyReport:
        """Mend what ``verify`` finds."""
        return self._run(self._memory.repair())

    def reindex(self) -> IndexState:
        """Build the index anew from the graph, beside the old one, and switch."""
        return self._run(self._memory.reindex())

    def doctor(self) -> Report:
        """Say what this memory is made of and whether it is well."""
        return self._run(self._memory.doctor())

    def close(self) -> None:
        """Let go of the store and the index; safe to call twice."""
        self._portal.close(self._memory.close())
