"""Readers of turns that wait, break or count, for the tests of jobs."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import anyio

from graphmem.extraction.patterns import PatternExtractor
from graphmem.model.draft import Batch, Extraction

LIMIT = 60.0
"""Seconds after which something that is waited for counts as hanging."""


class Reader:
    """Reads by patterns, while its gate is open; keeps what it was asked and how much at once.

    A turn whose text is in ``held`` waits all the same; one whose text is in ``broken`` breaks it.
    """

    identity = "waits"

    def __init__(self, *, is_open: bool = True) -> None:
        self.gate = threading.Event()
        if is_open:
            self.gate.set()
        self.held: set[str] = set()
        self.broken: dict[str, BaseException] = {}
        self.begun: list[str] = []
        self.read: list[str] = []
        self.at_once = 0
        self._running = 0
        self._patterns = PatternExtractor()

    async def extract(self, batch: Batch) -> Extraction:
        """Read a batch, as the patterns do."""
        texts = [turn.content for turn in batch.turns]
        self.begun += texts
        self._running += 1
        self.at_once = max(self.at_once, self._running)
        try:
            while not self.gate.is_set() or self.held.intersection(texts):  # noqa: ASYNC110 - opened by another thread
                await anyio.sleep(0.002)
            for text in texts:
                if text in self.broken:
                    raise self.broken[text]
            self.read += texts
            return await self._patterns.extract(batch)
        finally:
            self._running -= 1

    @property
    def twice(self) -> list[str]:
        """What was asked more than once."""
        return [text for text, count in Counter(self.begun).items() if count > 1]


def until(true: Callable[[], object]) -> None:
    """Wait for something that another thread brings about."""
    end = time.monotonic() + LIMIT
    while not true():
        assert time.monotonic() < end, "it does not happen"
        time.sleep(0.002)


def threads() -> list[str]:
    """Return the names of the threads that read in the background."""
    return [thread.name for thread in threading.enumerate() if thread.name == "graphmem jobs"]


SCRIPT = Path(__file__).with_name("child.py")
