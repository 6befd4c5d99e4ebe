"""Text to vectors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

Vector = Sequence[float]
"""One row of ``size`` numbers, of unit length."""


class Embedder(Protocol):
    """Turns text into vectors of one size.

    ``identity`` names the model and everything that changes its vectors; an index made with
    another identity is not searched with this one. Both methods return one vector a text, in
    order, of shape ``(len(texts), size)``, each of unit length and finite. Texts are not empty.
    They may be called from several tasks at once, and from several event loops, also at once.

    Raises:
        EmbedderError: a text could not be embedded, or the model gave zeros, NaN or another size.
    """

    @property
    def identity(self) -> str:
        """What made the vectors."""
        ...

    async def size(self) -> int:
        """Return how many numbers a vector has; may ask the model once."""
        ...

    async def queries(self, texts: Sequence[str]) -> list[Vector]:
        """Embed questions."""
        ...

    async def documents(self, texts: Sequence[str]) -> list[Vector]:
        """Embed what is to be found."""
        ...
