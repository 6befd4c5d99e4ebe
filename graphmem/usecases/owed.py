"""What the index is owed: everything, after records were written without one, or vectors.

The note is kept with the store and read by every process of it. Who leaves something out notes it
before the rows of the outbox go that told of it. Who makes up for it says first that it does, then
has everything written anew, and takes the note away only if nobody noted anything meanwhile: what
came after its rows were written would not be among them.
"""

from __future__ import annotations

import logging
import secrets
import time
from enum import StrEnum

from graphmem.ports.graph_store import GraphStore
from graphmem.usecases.hand import LEASE

log = logging.getLogger(__name__)

OWED = "without index"
"""The key of the note: what is owed, and behind a space who is making up for it; "" for nothing."""


class What(StrEnum):
    """What is owed; the values are kept with the store."""

    EVERYTHING = "yes"
    """Records were written without an index."""
    VECTORS = "vectors"
    """Points were written without vectors: the embedder was away, or there was none."""


class Owed:
    """The note of one store, and whether this one or another is making up for it.

    Making up for it may be done twice, and by several at once.
    """

    def __init__(self, store: GraphStore) -> None:
        self._store = store
        self._me = secrets.token_hex(8)
        self._others = ("", 0.0)

    async def add(self, what: What) -> None:
        """Keep in mind that something is owed; where that is known, nothing is written."""
        while True:
            kept = await self.kept()
            wanted = What.EVERYTHING if kept.startswith(What.EVERYTHING) else what
            if kept == wanted or await self._store.swap_meta(OWED, kept, wanted):
                return

    async def kept(self) -> str:
        """Return the note."""
        return await self._store.get_meta(OWED) or ""

    async def begin(self, kept: str, *, shared: bool) -> bool:
        """Say that this one makes up for what is owed; False if another process does, or something
        was noted since ``kept`` was read."""
        what, _, who = kept.partition(" ")
        if shared and who not in ("", self._me):
            note, since = self._others
            if note != kept:
                self._others = kept, time.monotonic()
                return False
            if time.monotonic() - since < LEASE:
                return False
            log.info("another process began to make up for what the index is owed, and ended")
        return await self._store.swap_meta(OWED, kept, f"{what} {self._me}")

    async def end(self, kept: str) -> None:
        """Take the note away that ``begin`` was given, unless something was noted since."""
        what, _, _ = kept.partition(" ")
        await self._store.swap_meta(OWED, f"{what} {self._me}", "")
