"""What each term of a text weighs, kept for the texts that are at hand."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType

from graphmem.model.terms import document_weights, terms

_AT_HAND = 256
"""Texts whose weights are kept: a record goes to the store and to the index within moments."""


@lru_cache(maxsize=_AT_HAND)
def weights_of(text: str) -> Mapping[str, float]:
    """Return each term's weight in ``text``, as in ``document_weights``."""
    return MappingProxyType(document_weights(terms(text)))
