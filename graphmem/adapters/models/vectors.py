"""Checks what an embedder is given and gives."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from graphmem.errors import EmbedderError
from graphmem.ports.embedder import Vector


def require_texts(texts: Sequence[str]) -> None:
    """Refuse what no model can read.

    Raises:
        EmbedderError: a text is blank or holds a lone surrogate; its place is named.
    """
    for place, text in enumerate(texts):
        if not text.strip().strip("\0"):
            raise EmbedderError(f"text {place} of {len(texts)} to embed is empty")
        try:
            text.encode()
        except UnicodeEncodeError as error:
            raise EmbedderError(
                f"text {place} of {len(texts)} to embed holds the lone surrogate "
                f"{text[error.start]!r} at position {error.start}"
            ) from error


def unit_vectors(rows: object, *, count: int, size: int | None, model: str) -> list[Vector]:
    """Return ``rows`` as unit vectors, one a text.

    Raises:
        EmbedderError: not ``count`` rows of ``size`` numbers (of one size, if None), or a row
            that is zero or not finite.
    """
    try:
        table = np.asarray(rows, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise EmbedderError(f"{model} gave what are not vectors of one size: {error}") from error
    if table.ndim != 2 or table.shape[0] != count or table.shape[1] == 0:
        raise EmbedderError(f"{model} gave vectors of shape {table.shape} for {count} texts")
    if size is not None and table.shape[1] != size:
        raise EmbedderError(f"{model} gave vectors of {table.shape[1]} numbers instead of {size}")
    lengths = np.linalg.norm(table, axis=1, keepdims=True)
    if not np.isfinite(lengths).all():
        raise EmbedderError(f"{model} gave a vector that is not finite")
    if not (lengths > 0).all():
        raise EmbedderError(f"{model} gave a vector of zeros, which has no direction")
    return list((table / lengths).tolist())
