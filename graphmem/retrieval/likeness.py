"""Names that may mean the same thing, for walking from one to the other: never a merge.

Three kinds, surest first: names that differ in endings only (peanut, peanuts), words that a small
English and Chinese word list calls the same (peanuts, 花生), and names in different scripts that
the embedder puts close together, seen from both sides.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from graphmem.errors import EmbedderError, IndexUnavailableError
from graphmem.model.entity import Entity
from graphmem.model.scope import Scope
from graphmem.model.search import FactFilter, PointKind
from graphmem.model.terms import terms
from graphmem.model.text import normal_key
from graphmem.ports.embedder import Embedder
from graphmem.ports.graph_store import GraphStore
from graphmem.ports.vector_index import PointFilter, VectorIndex
from graphmem.retrieval.calibration import WORDS, Background, lift, script_of
from graphmem.retrieval.lexicon import same_words, translations

NEAR = 0.36
"""Lift, from both sides, from which names of different scripts are taken as alike. Of 80,000 pairs
of unlike words in English and Chinese, 6 passed with multilingual-e5-small (grape and wine), and
a third of the pairs that mean the same."""
ASKED = 8
"""At most so many names are embedded in one step of a walk."""

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

    async def find(self, scope: Scope, entities: Sequence[Entity]) -> list[Alike]:
        """Return what is like ``entities``, in their order; the scope's own user is like nobody."""
        asked = [entity for entity in entities if not entity.is_self]
        if not asked:
            return []
        found = await self._by_words(scope, asked)
        met = {alike.first.id for alike in found}
        found += await self._by_vectors(scope, [e for e in asked if e.id not in met][:ASKED])
        return found

    async def _by_words(self, scope: Scope, asked: Sequence[Entity]) -> list[Alike]:
        weights = {term: 1.0 for entity in asked for name in _names(entity) for term in terms(name)}
        hits = await self._store.keyword(
            scope, weights, FactFilter(), frozenset({PointKind.ENTITY}), 10 * len(asked)
        )
        others = await self._entities(scope, ids=[hit.ref.id for hit in hits])
        keys = {
            normal_key(word) for e in asked for name in _names(e) for word in translations(name)
        }
        others += await self._entities(scope, keys=sorted(keys))
        unique = {entity.id: entity for entity in others if not entity.is_self}
        return [
            alike
            for first in asked
            for second in sorted(unique.values(), key=lambda entity: (entity.key, entity.id))
            if (alike := _same_by_words(first, second)) is not None
        ]

    async def _entities(
        self, scope: Scope, *, ids: Sequence[str] | None = None, keys: Sequence[str] | None = None
    ) -> list[Entity]:
        if not ids and not keys:
            return []
        page = await self._store.entities(scope, ids=ids, keys=keys, limit=200)
        return [view.entity for view in page.items if view.entity.merged_into is None]

    async def _by_vectors(self, scope: Scope, asked: Sequence[Entity]) -> list[Alike]:
        if not asked or not (self._index and self._embedder and self._background):
            return []
        try:
            near = await self._near(scope, self._index, self._embedder, self._background, asked)
        except (IndexUnavailableError, EmbedderError):
            return []  # the channels have already noted it
        return near

    async def _near(
        self,
        scope: Scope,
        index: VectorIndex,
        embedder: Embedder,
        background: Background,
        asked: Sequence[Entity],
    ) -> list[Alike]:
        only = PointFilter(scope=scope.key, kinds=frozenset({PointKind.ENTITY}))
        found: list[Alike] = []
        for first, vector in zip(
            asked, await embedder.queries([entity.name for entity in asked]), strict=True
        ):
            hits = await index.dense(vector, only, 8)
            cosines = {hit.ref.id: hit.score for hit in hits}
            for second in await self._entities(scope, ids=[hit.ref.id for hit in hits]):
                script = script_of(second.name)
                if second.is_self or script is script_of(first.name):
                    continue
                level = await background.level(vector, WORDS[script])
                near = lift(cosines[second.id], level)
                if near >= NEAR and await self._from_the_other_side(
                    embedder, background, first, second
                ):
                    why = f"{first.name!r} and {second.name!r} are close in meaning"
                    found.append(Alike(first, second, EMBEDDED * (0.5 + near / 2), why))
        return found

    async def _from_the_other_side(
        self, embedder: Embedder, background: Background, first: Entity, second: Entity
    ) -> bool:
        query = (await embedder.queries([second.name]))[0]
        document = (await embedder.documents([first.name]))[0]
        level = await background.level(query, WORDS[script_of(first.name)])
        return lift(sum(a * b for a, b in zip(query, document, strict=True)), level) >= NEAR


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
