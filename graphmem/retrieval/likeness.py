"""Names that may mean the same thing, for walking from one to the other: never a merge.

Three kinds, surest first: names that differ in endings only (peanut, peanuts), words that a small
English and Chinese word list calls the same (peanuts, 花生), and names in different scripts that
the embedder puts close together, seen from both sides.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from graphmem.errors import EmbedderError, IndexUnavailableError
from graphmem.model.changes import NameQuery
from graphmem.model.entity import Entity
from graphmem.model.scope import Scope
from graphmem.model.search import PointKind
from graphmem.model.terms import terms
from graphmem.model.text import normal_key
from graphmem.ports.embedder import Embedder
from graphmem.ports.graph_store import GraphStore
from graphmem.ports.vector_index import PointFilter, Probe, VectorIndex
from graphmem.ports.worker import on_loop
from graphmem.retrieval.calibration import WORDS, Background, failed, lift, script_of
from graphmem.retrieval.lexicon import same_words, translations

NEAR = 0.36
"""Lift, from both sides, from which names of different scripts are taken as alike. Of 80,000 pairs
of unlike words in English and Chinese, 6 passed with multilingual-e5-small (grape and wine), and
a third of the pairs that mean the same."""
ASKED = 24
"""At most so many names, those nearest to where a walk begins, are embedded."""
NEIGHBOURS = 8
"""So many names near each of them are looked at."""
SHARING = 20
COMMON = 1000
"""So many names that share words with one are looked at; words that more than so many names hold
do not count as shared."""

SAME_WORDS = 0.95
WORD_LIST = 0.9
EMBEDDED = 0.7


@dataclass(frozen=True, slots=True)
class Alike:
    """Two entities that may mean the same.

    Attributes:
        first, second: the one that was asked about, and the one found.
        strength: 0 to 1.
        why: in words.
    """

    first: Entity
    second: Entity
    strength: float
    why: str


class Likeness:
    """Finds entities alike in one scope, by word list and, if they are there, by vectors."""

    def __init__(
        self,
        store: GraphStore,
        index: VectorIndex | None,
        embedder: Embedder | None,
        background: Background | None,
    ) -> None:
        self._store = store
        self._index = index
        self._embedder = embedder
        self._background = background

    async def find(self, scope: Scope, entities: Sequence[Entity], notes: list[str]) -> list[Alike]:
        """Return what is like ``entities``, in their order; the scope's own user is like nobody.

        What keeps vectors away is added to ``notes``, unless it is there.
        """
        asked = [entity for entity in entities if not entity.is_self]
        if not asked:
            return []
        found = await self._by_words(scope, asked)
        met = {alike.first.id for alike in found}
        left = [e for e in asked if e.id not in met][:ASKED]
        found += await self._by_vectors(scope, left, notes)
        return found

    async def _by_words(self, scope: Scope, asked: Sequence[Entity]) -> list[Alike]:
        queries = [_sought(entity) for entity in asked]
        return [
            alike
            for first, others in zip(asked, await self._store.alike(scope, queries), strict=True)
            for second in sorted(others, key=lambda entity: (entity.key, entity.id))
            if not second.is_self and (alike := _same_by_words(first, second)) is not None
        ]

    async def _by_vectors(
        self, scope: Scope, asked: Sequence[Entity], notes: list[str]
    ) -> list[Alike]:
        if not asked or not (self._index and self._embedder and self._background):
            return []
        try:
            return await self._near(scope, self._index, self._embedder, self._background, asked)
        except IndexUnavailableError as error:
            why = str(error)
        except EmbedderError as error:
            why = failed(error)
        if not any(note.startswith(why) for note in notes):
            notes.append(f"{why}; names in other scripts were not compared")
        return []

    async def _near(
        self,
        scope: Scope,
        index: VectorIndex,
        embedder: Embedder,
        background: Background,
        asked: Sequence[Entity],
    ) -> list[Alike]:
        only = PointFilter(scope=scope.key, kinds=frozenset({PointKind.ENTITY}))
        await on_loop()
        vectors = await embedder.queries([entity.name for entity in asked])
        probes = [Probe(vector, only, NEIGHBOURS) for vector in vectors]
        found = await index.search(probes)
        others = await self._entities(scope, [hit.ref.id for hits in found for hit in hits])
        near: list[Alike] = []
        for first, vector, hits in zip(asked, vectors, found, strict=True):
            for hit in hits:
                second = others.get(hit.ref.id)
                if second is None or second.is_self:
                    continue
                script = script_of(second.name)
                if script is script_of(first.name):
                    continue
                lifted = lift(hit.score, await background.level(vector, WORDS[script]))
                if lifted >= NEAR and await self._from_the_other_side(
                    embedder, background, first, second
                ):
                    why = f"{first.name!r} and {second.name!r} are close in meaning"
                    near.append(Alike(first, second, EMBEDDED * (0.5 + lifted / 2), why))
        return near

    async def _entities(self, scope: Scope, ids: Sequence[str]) -> dict[str, Entity]:
        unique = list(dict.fromkeys(ids))
        if not unique:
            return {}
        page = await self._store.entities(scope, ids=unique, limit=len(unique))
        views = (view.entity for view in page.items)
        return {entity.id: entity for entity in views if entity.merged_into is None}

    async def _from_the_other_side(
        self, embedder: Embedder, background: Background, first: Entity, second: Entity
    ) -> bool:
        query = (await embedder.queries([second.name]))[0]
        document = (await embedder.documents([first.name]))[0]
        level = await background.level(query, WORDS[script_of(first.name)])
        return lift(sum(a * b for a, b in zip(query, document, strict=True)), level) >= NEAR


def _sought(entity: Entity) -> NameQuery:
    words = {term: None for name in _names(entity) for term in terms(name)}
    keys = {normal_key(word) for name in _names(entity) for word in translations(name)}
    return NameQuery(words=(*words,), limit=SHARING, most=COMMON, keys=(*sorted(keys),))


def _names(entity: Entity) -> Iterable[str]:
    return (entity.name, *entity.aliases)


def _same_by_words(first: Entity, second: Entity) -> Alike | None:
    if first.id == second.id:
        return None
    for name in _names(first):
        for other in _names(second):
            if same_words(name, other):
                # Namesakes are kept apart on purpose: their keys differ in more than an ending.
                if normal_key(first.name) == normal_key(second.name):
                    return None
                return Alike(first, second, SAME_WORDS, f"{name!r} is read as {other!r}")
            if any(same_words(other, word) for word in translations(name)):
                return Alike(first, second, WORD_LIST, f"{name!r} means {other!r}")
    return None
