"""Identifiers: a kind and 128 random bits, such as ``fact_9f0c…``."""

from __future__ import annotations

import uuid
from enum import StrEnum


class IdKind(StrEnum):
    """What an id names; it is the part before the underscore."""

    EPISODE = "ep"
    CLAIM = "claim"
    ENTITY = "entity"
    FACT = "fact"
    RECORD = "rec"
    SUGGESTION = "same"
    CHANGE = "change"


def new_id(kind: IdKind) -> str:
    """Make a fresh random id of ``kind``."""
    return f"{kind.value}_{uuid.uuid4().hex}"


def kind_of(value: str) -> IdKind | None:
    """Return what ``value`` names by its prefix, or None if it is not one of our ids."""
    prefix, _, rest = value.partition("_")
    if len(rest) != 32:
        return None
    return next((kind for kind in IdKind if kind.value == prefix), None)
