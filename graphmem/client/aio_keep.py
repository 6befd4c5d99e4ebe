"""Looking after the memory, awaited."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import anyio.to_thread

from graphmem.client.aio_base import AsyncBase
from graphmem.client.checks import checked
from graphmem.errors import StoreError
from graphmem.model.entity import Suggestion
from graphmem.model.receipt import Receipt
from graphmem.model.scope import Scope
from graphmem.settings import Settings
from graphmem.usecases import doctor as examining
from graphmem.usecases import erase as erasing
from graphmem.usecases import identity, transfer, upkeep
from graphmem.usecases import migrate as migrating
from graphmem.usecases.doctor import Report
from graphmem.usecases.indexing import IndexState
from graphmem.usecases.migrate import Migration
from graphmem.usecases.transfer import Transfer
from graphmem.usecases.upkeep import VerifyReport
from graphmem.wiring import assemble


class AsyncKeeping(AsyncBase):
    """Joins names, moves and mends what is kept."""

    @checked
    async def merge(
        self, names: str | Sequence[str], *, into: str, user: str, tenant: str = "default"
    ) -> Receipt:
        """Make one entity of several names."""
        parts = await self._open()
        listed = [names] if isinstance(names, str) else list(names)
        return await identity.merge(parts.services, Scope(tenant, user), listed, into=into)

    @checked
    async def split(self, name: str, *, out_of: str, user: str, tenant: str = "default") -> Receipt:
        """Make an entity of its own of one name of another."""
        parts = await self._open()
        return await identity.split(parts.services, Scope(tenant, user), name, out_of=out_of)

    @checked
    async def suggestions(self, *, user: str, tenant: str = "default") -> list[Suggestion]:
        """List pairs that may be the same, newest first."""
        parts = await self._open()
        return await parts.services.store.suggestions(Scope(tenant, user))

    @checked
    async def confirm(self, suggestion: str, *, user: str, tenant: str = "default") -> Receipt:
        """Merge the pair of a suggestion."""
        parts = await self._open()
        return await identity.confirm(parts.services, Scope(tenant, user), suggestion)

    @checked
    async def reject(self, suggestion: str, *, user: str, tenant: str = "default") -> Receipt:
        """Note that the pair of a suggestion is two."""
        parts = await self._open()
        return await identity.reject(parts.services, Scope(tenant, user), suggestion)

    @checked
    async def undo(self, suggestion: str, *, user: str, tenant: str = "default") -> Receipt:
        """Take back what was decided about a suggestion."""
        parts = await self._open()
        return await identity.undo(parts.services, Scope(tenant, user), suggestion)

    @checked
    async def export(
        self, path: str | Path, *, user: str | None = None, tenant: str = "default"
    ) -> Transfer:
        """Write one user, or (None) everything, to a JSON Lines file."""
        parts = await self._open()
        scopes = None if user is None else [Scope(tenant, user)]
        return await transfer.export(parts.services, Path(path), scopes=scopes)

    @checked
    async def import_(
        self, path: str | Path, *, progress: Callable[[int, int], None] | None = None
    ) -> Transfer:
        """Load an export into this store; ``progress`` is told rows done and all."""
        parts = await self._open()
        return await transfer.import_(parts.services, Path(path), progress=progress)

    @checked
    async def migrate(
        self,
        to: str | Path,
        *,
        qdrant: str | None = None,
        settings: Settings | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> Migration:
        """Copy everything into another memory, compare it there, and index it; this one stays.

        ``to``, ``qdrant`` and ``settings`` are what one opens that memory with. Called again after
        it was cut off, it goes on. ``progress`` is told steps done and all.
        """
        parts = await self._open()
        services = parts.services
        there = await anyio.to_thread.run_sync(
            lambda: assemble(
                path=to,
                qdrant=qdrant,
                settings=settings,
                extractor="none",
                embedder=None if settings else services.indexer.embedder or "none",
                ontology=services.ontology,
                timezone=services.zone,
                clock=services.clock,
            )
        )
        try:
            await there.ready()
            return await migrating.migrate(services, there.services, progress=progress)
        finally:
            await there.close()

    @checked
    async def verify(self) -> VerifyReport:
        """Compare the index with the graph, and check the graph itself."""
        parts = await self._open()
        return await upkeep.verify(parts.services.indexer)

    @checked
    async def repair(self) -> VerifyReport:
        """Mend what ``verify`` finds, and finish erasures that had to wait for somebody.

        What an erasure still waits for is in the report's notes.
        """
        parts = await self._open()
        report = await upkeep.repair(parts.services.indexer)
        waiting = await erasing.finish(parts.services)
        notes = [f"erasing waits for {one}" for one in waiting]
        return replace(report, notes=(*report.notes, *notes))

    @checked
    async def reindex(self, *, progress: Callable[[int, int], None] | None = None) -> IndexState:
        """Build the index anew from the graph, beside the old one, and switch.

        ``progress`` is told records done and all.
        """
        parts = await self._open()
        return await upkeep.reindex(parts.services.indexer, progress)

    @checked
    async def doctor(self, *, probe: bool = False) -> Report:
        """Say what this memory is made of and whether it is well.

        A store that is away is a finding, and no error. With ``probe`` the chat model's endpoint is
        asked in every way that it may know, once each; that costs a few hundred tokens.
        """
        away: StoreError | None = None
        try:
            await self._open()
        except StoreError as error:
            away = error
        report = await examining.doctor(self._parts.services, self._parts.notes, away, probe=probe)
        unread = any(f.name == examining.UNREAD and not f.well for f in report.findings)
        return Report((*report.findings, *self._background.finding(unread=unread)))
