"""Which entities a text speaks of: spans of it that are names, longest first."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

from graphmem.model.entity import Entity
from graphmem.model.scope import Scope
from graphmem.model.search import FactFilter, PointKind
from graphmem.model.terms import CJK, terms
from graphmem.model.text import normal_key
from graphmem.ports.graph_store import GraphStore
from graphmem.retrieval.lexicon import in_list, same_words, translations

WORDS_IN_NAME = 5
CHARACTERS_IN_NAME = 8
READ_WORDS = 120
READ_CHARACTERS = 300
"""A question is read so far for names; a pasted document asks nothing more after that."""

_WORD = re.compile(rf"(?:(?!{CJK.pattern})[\w])+(?:['’.&+-](?:(?!{CJK.pattern})[\w])+)*")
_RUN = re.compile(f"{CJK.pattern}+")
_POSSESSIVE = re.compile(r"['’]s$")


class Span(NamedTuple):
    """A stretch of the text that may be a name; they come in the order of their starts."""

    start: int
    end: int
    key: str


@dataclass(frozen=True, slots=True)
class Linked:
    """An entity a text names, and the words it names it with (empty for the scope's own user)."""

    entity: Entity
    words: str


@lru_cache(maxsize=8)
def spans(text: str) -> tuple[Span, ...]:
    """Return every stretch that may be a name: up to five words, or eight Han characters."""
    found: set[Span] = set()
    words = [word.span() for word in islice(_WORD.finditer(text), READ_WORDS)]
    for first, (start, _) in enumerate(words):
        for _, end in words[first : first + WORDS_IN_NAME]:
            piece = text[start:end]
            if not piece.isascii() and _RUN.search(piece):
                break
            found.add(Span(start, end, normal_key(piece)))
            if piece.endswith("s") and (owner := _POSSESSIVE.sub("", piece)) != piece:
                found.add(Span(start, start + len(owner), normal_key(owner)))
    for run in _runs(text):
        plain = normal_key(run.group()) == run.group()  # then so is every part of it
        for start in range(run.start(), run.end()):
            for end in range(start + 1, min(run.end(), start + CHARACTERS_IN_NAME) + 1):
                piece = text[start:end]
                found.add(Span(start, end, piece if plain else normal_key(piece)))
    return tuple(sorted(found))


def _runs(text: str) -> Iterator[re.Match[str]]:
    return _RUN.finditer(text[:READ_CHARACTERS])


def named(text: str, by_key: Mapping[str, Entity]) -> list[Linked]:
    """Return the entities whose names stand in ``text``; a name inside a longer one is not meant.

    ``by_key`` maps normalised names and aliases to entities.
    """
    taken: list[Span] = []
    for span in sorted(spans(text), key=lambda span: (span.start - span.end, span.start)):
        if span.key in by_key and not any(
            span.start < other.end and other.start < span.end for other in taken
        ):
            taken.append(span)
    found: dict[str, Linked] = {}
    for span in sorted(taken):
        entity = by_key[span.key]
        found.setdefault(entity.id, Linked(entity, text[span.start : span.end]))
    return list(found.values())


@lru_cache(maxsize=8)
def keys_of(text: str) -> tuple[str, ...]:
    """Return the keys of every name that may stand in ``text``."""
    return tuple(sorted({span.key for span in spans(text)}))


async def link(
    store: GraphStore, scope: Scope, text: str, known: Sequence[Entity] | None = None
) -> list[Linked]:
    """Find the entities that ``text`` names, in its own words or the other language's.

    ``known`` are those that have one of its keys, newest first, if they were read already.
    """
    keys = keys_of(text)
    if known is None:
        known = (await store.words(scope, keys=keys, terms=())).named
    by_key: dict[str, Entity] = {}
    for entity in known:
        for key in entity.keys:
            by_key.setdefault(key, entity)
    for key, entity in (await _translated(store, scope, text, keys)).items():
        by_key.setdefault(key, entity)
    return named(text, {key: entity for key, entity in by_key.items() if not entity.is_self})


async def _translated(
    store: GraphStore, scope: Scope, text: str, keys: Sequence[str]
) -> dict[str, Entity]:
    """Return entities that the word list names in the other language, by the key in the text."""
    meant = {key: words for key in keys if (words := translations(key))} if in_list(text) else {}
    weights = {term: 1.0 for words in meant.values() for word in words for term in terms(word)}
    if not weights:
        return {}
    only = frozenset({PointKind.ENTITY})
    hits = await store.keyword(scope, weights, FactFilter(), only, 10 * len(meant))
    ids = [hit.ref.id for hit in hits]
    if not ids:
        return {}
    page = await store.entities(scope, ids=ids, limit=len(ids))
    entities = sorted((view.entity for view in page.items), key=lambda e: (e.key, e.id))
    return {
        key: entity
        for key, words in meant.items()
        for entity in entities
        for name in (entity.name, *entity.aliases)
        if any(same_words(name, word) for word in words)
    }
