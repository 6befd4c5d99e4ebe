"""Things that facts are about, and the values facts give."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from graphmem.model.text import normal_key


class ValueKind(StrEnum):
    """What sort of thing a value is."""

    ENTITY = "entity"
    TEXT = "text"
    NUMBER = "number"
    DATE = "date"
    BOOLEAN = "boolean"


@dataclass(frozen=True, slots=True)
class Value:
    """What a fact says of its subject: an entity or a typed literal.

    Attributes:
        kind: entity or the literal's type.
        key: what makes two values the same: the entity's id, or the literal's normalised form.
        text: as shown to people.
    """

    kind: ValueKind
    key: str
    text: str

    @classmethod
    def entity(cls, entity: Entity) -> Value:
        """Return the value that is ``entity``."""
        return cls(ValueKind.ENTITY, entity.id, entity.name)

    @classmethod
    def literal(cls, text: str, kind: ValueKind = ValueKind.TEXT) -> Value:
        """Return a literal of ``kind`` by its words."""
        return cls(kind, f"{kind.value}:{normal_key(text)}", text)


@dataclass(frozen=True, slots=True)
class Entity:
    """A thing facts are about.

    Attributes:
        id: random id.
        name: as first written.
        key: normalised name; unique in its scope. What tells namesakes apart is part of it.
        types: what it has been called ("person", "place"), an attribute, never identity.
        aliases: other names, as written.
        is_self: the scope's own user.
        merged_into: the id that took its place, after a merge.
    """

    id: str
    name: str
    key: str
    types: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    is_self: bool = False
    merged_into: str | None = None
    created_at: int = 0

    @property
    def keys(self) -> frozenset[str]:
        """Every key this entity is found by: its own, and each name's in all its spellings."""
        names = () if self.is_self else (self.name,)
        return frozenset({self.key, *(k for n in (*names, *self.aliases) for k in name_keys(n))})


_TITLES = frozenset(
    ("dr", "mr", "mrs", "ms", "miss", "prof", "professor", "sir", "dame", "herr", "frau")
)
_ARTICLES = frozenset({"the", "a", "an"})
_BETWEEN = re.compile(r"[\s\-_.·・'’]+")


@lru_cache(maxsize=4096)  # a write looks a name up, links it and stores it
def name_keys(name: str) -> tuple[str, ...]:
    """Return the keys under which a name is looked up, the exact one first.

    Besides the normalised name: without title or article ("Dr. Amara Obi", "the Oslo shop",
    王小芳女士), and with the gaps closed ("Front Desk", "FrontDesk"). Digits and codes stay, so
    that they tell names apart.
    """
    keys = [normal_key(name)]
    words = bare_words(name)
    bare = " ".join(words)
    if bare != keys[0]:
        keys.append(bare)
    closed = _BETWEEN.sub("", bare)
    if len(closed) >= _SHORTEST_CLOSED or _HAN_ONLY.fullmatch(closed):
        keys.append(closed)
    return tuple(dict.fromkeys(keys))


def bare_words(name: str) -> list[str]:
    """Return the words of a name's key, without title or article."""
    words = normal_key(name).split()
    while len(words) > 1 and words[0].rstrip(".") in _TITLES | _ARTICLES:
        words = words[1:]
    if words and (titled := _HAN_TITLED.fullmatch(words[-1])):
        words[-1] = titled.group(1)
    return words


_HAN_ONLY = re.compile(r"[\u4e00-\u9fff]{2,}")
_HAN_TITLED = re.compile(r"([\u4e00-\u9fff]{2,3})(?:先生|女士)")
"""A full name with a title; after a surname alone (王先生) the title is part of the name."""
_SHORTEST_CLOSED = 5
"""Shorter names are too alike with the gaps closed ("Jo Ann", "Joann" is long enough)."""

SELF_KEY = "\x00self"
"""The reserved key of a scope's own user; no name normalises to it."""


class SuggestionState(StrEnum):
    """What was decided about a suggestion."""

    OPEN = "open"
    CONFIRMED = "confirmed"
    REJECTED = "rejected"


@dataclass(frozen=True, slots=True)
class Suggestion:
    """Two entities that may be the same, for a person to decide."""

    id: str
    first: str
    second: str
    reason: str
    state: SuggestionState = SuggestionState.OPEN
    created_at: int = 0
