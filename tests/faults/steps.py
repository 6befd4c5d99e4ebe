"""The steps of a client, by what it sends to its servers, and an end at one of them."""

from __future__ import annotations

import re
import threading
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from graphmem.adapters.neo4j.statements import cypher, migrations, names
from tests.index.qdrant_http import QdrantServer, Request, Trouble
from tests.services.proxy import COMMIT, Fate

_RUN, _BEGIN, _ROLLBACK, _RESET = b"\xb3\x10", b"\xb1\x11", b"\x00\x02\xb0\x13", b"\x00\x02\xb0\x0f"


@dataclass(frozen=True, slots=True, order=True)
class Step:
    """The ``nth`` message of a name; ``late``: when it is answered, and not yet heard of."""

    name: str
    nth: int
    late: bool = False

    def __str__(self) -> str:
        return f"{'after' if self.late else 'before'} {self.name} {self.nth}"


class Watch:
    """Counts the steps of a client, and calls ``end`` at the step that is its ``aim``."""

    def __init__(self) -> None:
        self.met: list[Step] = []
        self.aim: Step | None = None
        self.end: Callable[[], None] = lambda: None
        self.guard = threading.Lock()
        """Nothing is passed on while it is held."""
        self._counts: Counter[str] = Counter()

    def begin(self, aim: Step | None) -> None:
        """Count from nothing."""
        with self.guard:
            self.met, self.aim, self._counts = [], aim, Counter()

    def bolt(self, data: bytes) -> Fate:
        """Say what happens to bytes on their way to Neo4j."""
        return self.meet(said(data))

    def meet(self, name: str) -> Fate:
        """Count a step, and say what happens to it."""
        with self.guard:
            self._counts[name] += 1
            step = Step(name, self._counts[name])
            self.met.append(step)
            if self.aim is None or (step.name, step.nth) != (self.aim.name, self.aim.nth):
                return "pass"
            return "after" if self.aim.late else "before"


class WatchedQdrant(QdrantServer):
    """A Qdrant server whose requests are steps."""

    def __init__(self, watch: Watch) -> None:
        super().__init__()
        self._watch = watch
        self._last: Request | None = None

    def trouble(self, request: Request) -> Trouble | None:
        """Cut the connection at the step that is aimed at."""
        path = re.sub(r"/graphmem-\d+[^/]*", "/N", request.path)
        fate = self._watch.meet(f"{request.method} {path}")
        if fate == "before":
            self._watch.end()
            return Trouble(cut="before")
        if fate == "after":
            self._last = request
            return Trouble(cut="after")
        return super().trouble(request)

    def answer(self, request: Request) -> tuple[int, bytes]:
        """Do what was asked, and let nobody hear of the last of it."""
        answer = super().answer(request)
        if request is self._last:
            self._watch.end()
        return answer


def said(data: bytes) -> str:
    """Return the name of what a client says to Neo4j."""
    if _RUN in data:
        return next((name for text, name in _texts() if text in data), "another statement")
    kinds = {COMMIT: "commit", _BEGIN: "begin", _ROLLBACK: "rollback", _RESET: "reset"}
    return next((name for sign, name in kinds.items() if sign in data), "greeting")


@cache
def _texts() -> list[tuple[bytes, str]]:
    """Return the texts of statements with their names, long ones first."""
    texts = [(cypher(name).encode(), name) for name in names()]
    texts += [
        (text.encode(), "a statement of the schema")
        for _, _, statements in migrations()
        for text in statements
    ]
    return sorted(texts, key=lambda pair: -len(pair[0]))
