"""The house of the histories, with a memory on Neo4j beside the one in a folder."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from graphmem import Memory, Settings
from graphmem.adapters.qdrant.edge import EdgeIndex
from graphmem.extraction.patterns import PatternExtractor
from graphmem.ports.extractor import Extractor
from graphmem.testing.clock import FrozenClock
from graphmem.testing.embedders import HashEmbedder
from tests.differential.pairing import DifferenceError, Pairs
from tests.differential.twins import Twins, beside
from tests.engine.kit import FailingExtractor
from tests.histories.days import noon
from tests.histories.house import SCOPES, House, Scope
from tests.services.neo4j_server import Address
from tests.services.stores import settings_of


@dataclass(frozen=True, slots=True)
class Server:
    """A Neo4j that ``wipe`` empties, and beside it a Qdrant, or none.

    Attributes:
        index: where the memory on Neo4j has its points: "folder", "server" or "none".
    """

    wipe: Callable[[], Address]
    index: str = "folder"
    qdrant: str | None = None


class Household(House):
    """Both memories are driven as one, so whatever the model is compared with is compared too."""

    def __init__(self, server: Server, counts: Counter[str]) -> None:
        super().__init__()
        self.counts = counts
        self.server = server
        self.pairs = Pairs()
        self.address = server.wipe()
        self.extractors: list[FailingExtractor] = []
        self.embedders: list[HashEmbedder] = []

    def opened(self, folder: Path, clock: FrozenClock) -> Memory:
        """Return twins."""
        server = self.server
        embedded = Memory(
            folder,
            clock=clock,
            extractor=self._extractor(),
            embedder="none" if server.index == "none" else self._embedder(),
        )
        ours = self._embedder()
        served = Memory(
            settings=self._settings(),
            clock=clock,
            extractor=self._extractor(),
            embedder="none" if server.index == "none" else ours,
            index=EdgeIndex(beside(folder), ours) if server.index == "folder" else None,
            qdrant=server.qdrant if server.index == "server" else None,
        )
        return Twins.of(embedded, served, self.pairs, self.counts)

    def _extractor(self) -> Extractor:
        self.extractors.append(FailingExtractor(PatternExtractor()))
        self.extractors[-1].down = False
        # Another extractor reads beside the store's lock, the patterns within it.
        return PatternExtractor() if self.server.index == "folder" else self.extractors[-1]

    def _embedder(self) -> HashEmbedder:
        self.embedders.append(HashEmbedder())
        return self.embedders[-1]

    def say(self, scope: Scope, text: str, day: int, **parts: Any) -> None:  # Any: as inherited
        """Say a sentence; unless it is read as it is stored, that takes two changes."""
        if self.server.index != "folder" and (text, noon(day)) not in self.turns[scope]:
            self.worlds[scope].record(self.now)
        super().say(scope, text, day, **parts)

    def ail(self, *, down: bool) -> None:
        """Let the extractors and the embedders of both fail, or work again."""
        for one in (*self.extractors, *self.embedders):
            one.down = down

    def move(self) -> None:
        """Export both, let each take in the other's into a fresh store, and go on there."""
        self._cross(self._import)

    def migrate(self) -> None:
        """Migrate each to a fresh store of the other's kind, and go on there."""
        self._cross(self._migrate)

    def _cross(self, over: Callable[[Path, Path], None]) -> None:
        self.close()
        first, second = self.root / "first.jsonl", self.root / "second.jsonl"
        self.mem.export(first)
        self.moves += 1  # from here on the index on a server is another one
        over(first, self.root / str(self.moves))
        self.mem.export(second)
        for one, other in ((first, beside(second)), (beside(first), second)):
            if one.read_bytes() != other.read_bytes():
                raise DifferenceError(f"{other.name} differs from {one.name}")
        self._rename()

    def _import(self, exported: Path, folder: Path) -> None:
        self.counts["export and import"] += 1
        self.close()
        self.folder = folder
        self.server.wipe()
        self.mem.import_(exported)

    def _migrate(self, exported: Path, folder: Path) -> None:
        self.counts["migrate"] += 1
        twins = cast("Twins", self.mem)
        twins.served.migrate(folder)
        self.server.wipe()  # which is where the other one goes
        qdrant = self.server.qdrant if self.server.index == "server" else None
        twins.embedded.migrate(self.address.url, qdrant=qdrant, settings=self._settings())
        self.pairs.swap()
        self.close()
        self.folder = folder

    def _settings(self) -> Settings:
        """Return those of the memory on Neo4j, with an index of its own after each move."""
        return settings_of(
            self.address, qdrant_collection=f"{self.root.name}-{self.moves}", embedder="none"
        )

    def _rename(self) -> None:
        """Call turns by the ids that the memory in the folder now knows them by."""

        # What was the memory on Neo4j's is now the folder's; the pairs were swapped with it.
        def now(one: str) -> str:
            return self.pairs.mine(one)

        for scope in SCOPES:
            self.episodes[scope] = {now(e): name for e, name in self.episodes[scope].items()}
            self.turns[scope] = {told: now(e) for told, e in self.turns[scope].items()}
            self.ledger[scope] = {}
