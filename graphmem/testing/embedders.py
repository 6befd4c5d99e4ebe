"""An embedder for tests: no model, always the same, words in common make texts alike."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence

from graphmem.errors import EmbedderError
from graphmem.model.terms import terms
from graphmem.ports.embedder import Vector


class HashEmbedder:
    """Implements ``graphmem.ports.embedder.Embedder``.

    A text's vector is the sum of fixed pseudo-random directions of its terms, so the cosine of
    two texts grows with the terms they share. ``embedded`` holds every text it was given.

    Args:
        size: numbers in a vector.
        identity: what made the vectors; give another one to stand for another model.

    Raises:
        EmbedderError: it is ``down``, or a text holds a lone surrogate.
    """

    def __init__(self, size: int = 64, *, identity: str | None = None) -> None:
        self._size = size
        self._identity = identity or f"hash/{size}"
        self.embedded: list[str] = []
        self.down = False
        """Set it to have every call fail."""

    @property
    def identity(self) -> str:
        """What made the vectors."""
        return self._identity

    async def size(self) -> int:
        """Return how many numbers a vector has."""
        self._check()
        return self._size

    async def queries(self, texts: Sequence[str]) -> list[Vector]:
        """Embed questions."""
        return self._vectors(texts)

    async def documents(self, texts: Sequence[str]) -> list[Vector]:
        """Embed what is to be found."""
        return self._vectors(texts)

    def _check(self) -> None:
        if self.down:
            raise EmbedderError("the embedder is down, as the test wants it")

    def _vectors(self, texts: Sequence[str]) -> list[Vector]:
        self._check()
        for place, text in enumerate(texts):
            try:
                text.encode()
            except UnicodeEncodeError as error:
                raise EmbedderError(
                    f"text {place} of {len(texts)} to embed holds the lone surrogate "
                    f"{text[error.start]!r} at position {error.start}"
                ) from error
        self.embedded.extend(texts)
        return [self._vector(text) for text in texts]

    def _vector(self, text: str) -> Vector:
        counts = terms(text) or {text: 1}
        total = [0.0] * self._size
        for term, count in counts.items():
            for place, number in enumerate(self._direction(term)):
                total[place] += number * math.sqrt(count)
        length = math.sqrt(sum(number * number for number in total))
        return [number / length for number in total]

    def _direction(self, term: str) -> list[float]:
        seed = f"{self._identity}\0{term}".encode()
        digest = hashlib.shake_128(seed).digest(self._size)
        return [byte - 127.5 for byte in digest]  # never all zero
