"""Looking after the memory."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from graphmem.client.sync_base import Base
from graphmem.model.entity import Suggestion
from graphmem.model.receipt import Receipt
from graphmem.settings import Settings
from graphmem.usecases.doctor import Report
from graphmem.usecases.indexing import IndexState
from graphmem.usecases.migrate import Migration
from graphmem.usecases.transfer import Transfer
from graphmem.usecases.upkeep import VerifyReport


class Keeping(Base):
    """Joins names, moves and mends what is kept."""

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

    def import_(
        self, path: str | Path, *, progress: Callable[[int, int], None] | None = None
    ) -> Transfer:
        """Load an export into this store; ``progress`` is told rows done and all."""
        return self._run(self._memory.import_(path, progress=progress))

    def migrate(
        self,
        to: str | Path,
        *,
        qdrant: str | None = None,
        settings: Settings | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> Migration:
        """Copy everything into another memory, compare it there, and index it; this one stays."""
        return self._run(
            self._memory.migrate(
                to,
                qdrant=qdrant,
                settings=settings,
                progress=progress,
            )
        )

    def verify(self) -> VerifyReport:
        """Compare the index with the graph, and check the graph itself."""
        return self._run(self._memory.verify())

    def repair(self) -> VerifyReport:
        """Mend what ``verify`` finds, and finish erasures that had to wait for somebody."""
        return self._run(self._memory.repair())

    def reindex(self, *, progress: Callable[[int, int], None] | None = None) -> IndexState:
        """Build the index anew from the graph, beside the old one, and switch."""
        return self._run(self._memory.reindex(progress=progress))

    def doctor(self, *, probe: bool = False) -> Report:
        """Say what this memory is made of and whether it is well."""
        return self._run(self._memory.doctor(probe=probe))
