"""A second look at the best hits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol


class Reranker(Protocol):
    """Scores how well texts answer a question, typically a cross-encoder."""

    async def scores(self, question: str, texts: Sequence[str]) -> list[float]:
        """Return one number in [0, 1] a text, higher is better, in order."""
        ...
