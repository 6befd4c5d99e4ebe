"""Question to answers. Reads only; calls no language model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from graphmem.model.fact import Fact
from graphmem.model.predicate import Cardinality, Ontology
from graphmem.model.scope import Scope
from graphmem.model.search import Context, FactQuery, PointKind, SearchResult
from graphmem.model.time import Certainty
from graphmem.ports.embedder import Embedder
from graphmem.ports.graph_store import GraphStore
from graphmem.ports.reranker import Reranker
from graphmem.ports.vector_index import VectorIndex
from graphmem.ports.worker import Runner, directly, on_loop
from graphmem.retrieval import ranking
from graphmem.retrieval.aim import Aim
from graphmem.retrieval.answers import certainty_of, hits_of
from graphmem.retrieval.calibration import Background
from graphmem.retrieval.candidates import Candidates
from graphmem.retrieval.channels import Channels, Heard, Meaning, senses_of
from graphmem.retrieval.context import pack
from graphmem.retrieval.fusion import spread
from graphmem.retrieval.gather import Gatherer
from graphmem.retrieval.likeness import Likeness
from graphmem.retrieval.linking import keys_of
from graphmem.retrieval.question import CueBook, Question
from graphmem.retrieval.ranking import Ranked, Ranking
from graphmem.retrieval.recipes import CHANNELS, NOISE, RERANK, SCORE, Recipe, find_recipe

COMPARED = 4
"""So many times the limit of hits are compared with each other for near copies."""
LOOKED_AT = 3
"""So many times the limit, or ten where that is less, of what the channels found are read: some are
found both as a fact and as the turn it was said in, and reading takes longer than finding. On long
conversations no more answers were found among twice or eight times as many."""
FOR_A_WALK = 20
"""The same before a walk, which goes over facts that are no good answers by themselves."""
RERANKED = 30
LINE_COST = 25
"""The least a packed fact costs in tokens; so many are asked for as may fit."""
MOST_PACKED = 100
UNSURE = 0.5
"""What is left of the score of a fact that only may have held."""


class Retriever:
    """Answers questions from one graph store and, if they are there, an index and an embedder."""

    def __init__(
        self,
        store: GraphStore,
        index: VectorIndex | None,
        embedder: Embedder | None,
        ontology: Ontology,
        reranker: Reranker | None = None,
        runner: Runner = directly,
    ) -> None:
        self._store = store
        self._ontology = ontology
        self._reranker = reranker
        self._runner = runner
        self._book = CueBook(ontology)
        background = Background(embedder) if embedder is not None else None
        self._channels = Channels(store, index, embedder, background, ontology)
        likeness = Likeness(store, index, embedder, background)
        self._gatherer = Gatherer(store, self._book, likeness)

    async def search(self, scope: Scope, question: Question) -> SearchResult:
        """Return the best answers to ``question``, with reasons.

        Raises:
            InputError: an unknown recipe.
            StoreError: the graph store cannot be read.
        """
        recipe = find_recipe(question.recipe)
        # An embedder may wait for others; what follows most often waits for the stores alone.
        meaning = await self._channels.meaning(question.text)
        return await self._runner(lambda: self._answer(scope, question, recipe, meaning))

    async def _answer(
        self, scope: Scope, question: Question, recipe: Recipe, meaning: Meaning
    ) -> SearchResult:
        floors = {**recipe.floors, **question.floors}
        wanted = question.filter
        if question.explicit_valid:
            wanted = replace(wanted, uncertain=True)
        text, cues = question.text, self._book.read(question.text)
        words = await self._store.words(scope, keys=keys_of(text), terms=sorted(cues.terms))
        senses = senses_of(meaning, cues.terms, words.counts)
        count = max(10, question.limit) * (FOR_A_WALK if cues.chain else LOOKED_AT)

        async def look(loud: Mapping[str, float], limit: int) -> tuple[Heard, Aim, Candidates]:
            heard = await self._channels.ask(scope, senses, wanted, limit, loud)
            aim, found = await self._gatherer.gather(
                scope, text, cues, words, wanted, heard, recipe, count
            )
            return heard, aim, found

        loud = {name: min(noise, floors.get(name, 0.0)) for name, noise in NOISE.items()}
        heard, aim, found = await look(loud, recipe.candidates)
        notes = [*heard.notes]
        if cues.chain and aim.entities:
            await self._gatherer.walk(scope, aim, wanted, heard, found, notes)
        channels, hidden = ranking.above_floors(found, floors)
        of_facts = (wanted.predicates, wanted.polarity, wanted.modality)
        ranked = Ranking(found, aim, cues.mood, self._ontology, self._book).rank(
            channels,
            recipe,
            facts=PointKind.FACT in question.kinds,
            turns=PointKind.CHUNK in question.kinds and not any(of_facts),
            limit=question.limit,
            now=question.now,
        )
        dropped = 0
        if self._reranker is not None:
            ranked, dropped = await self._rerank(
                self._reranker, text, found, ranked, floors.get(RERANK, 0.0)
            )
        good = [one for one in ranked if one.score > 0 and one.score >= floors.get(SCORE, 0.0)]
        best = await self._choose(scope, question, recipe, found, good)
        if not best:
            # Only who finds nothing asks what else there was.
            again, _, others = await look({}, count)
            notes += again.notes
            _, hidden = ranking.above_floors(others, floors)
        return SearchResult(
            hits=await hits_of(self._store, scope, question, found, channels, best),
            hidden=hidden + dropped + len(ranked) - len(good),
            notes=tuple(dict.fromkeys(notes)),
            channels=tuple(name for name in CHANNELS if channels[name]),
        )

    async def context(self, scope: Scope, question: Question, *, max_tokens: int) -> Context:
        """Return the best answers and the turns they come from as fenced data for a prompt.

        Raises:
            InputError: an unknown recipe, or ``max_tokens`` below 1.
            StoreError: the graph store cannot be read.
        """
        limit = min(MOST_PACKED, max(question.limit, max_tokens // LINE_COST))
        result = await self.search(scope, replace(question, limit=limit))
        return pack(result, max_tokens=max_tokens)

    async def _rerank(
        self,
        reranker: Reranker,
        text: str,
        found: Candidates,
        ranked: Sequence[Ranked],
        floor: float,
    ) -> tuple[list[Ranked], int]:
        head = ranked[:RERANKED]
        await on_loop()
        scores = await reranker.scores(text, [found.text(one.key) for one in head])
        again = [
            one._replace(score=0.3 * one.score + 0.7 * score, parts={**one.parts, RERANK: score})
            for one, score in zip(head, scores, strict=True)
            if score >= floor
        ]
        return ranking.ordered(found, again), len(head) - len(again)

    async def _choose(
        self,
        scope: Scope,
        question: Question,
        recipe: Recipe,
        found: Candidates,
        ranked: Sequence[Ranked],
    ) -> list[Ranked]:
        """Return the hits to show: spread out, with what only may have held below."""
        unsure = await self._unsure(scope, question, found, ranked)
        by_key = {one.key: one for one in ranked}
        sure = [(one.key, one.score) for one in ranked if one.key not in unsure]
        chosen = spread(
            sure[: COMPARED * question.limit],
            ranking.copies(found),
            recipe.diversity,
            question.limit,
        )
        best = [by_key[key]._replace(score=score) for key, score in chosen]
        least = best[-1].score if best else 1.0
        for one in (by_key[key] for key in unsure):
            if len(best) >= question.limit:
                break
            if await self._empty_slot(scope, question, unsure[one.key]):
                best.append(one._replace(score=min(least, UNSURE * one.score)))
        return best

    async def _unsure(
        self, scope: Scope, question: Question, found: Candidates, ranked: Sequence[Ranked]
    ) -> Mapping[str, Fact]:
        """Return the facts that only may have held at the time asked about, best first."""
        if not question.explicit_valid:
            return {}
        records = [one.key for one in ranked if one.key in found.facts]
        facts = await self._store.records(scope, records)
        return {
            fact.record: fact
            for fact in facts
            if certainty_of(fact, question) is Certainty.UNCERTAIN
        }

    async def _empty_slot(self, scope: Scope, question: Question, fact: Fact) -> bool:
        """Whether nothing surer is known of a fact's slot at the time asked about."""
        one = self._ontology.get(fact.predicate).cardinality is Cardinality.ONE
        query = FactQuery(
            filter=replace(
                question.filter, uncertain=False, predicates=frozenset({fact.predicate})
            ),
            subjects=frozenset({fact.subject.key}),
            objects=None if one or fact.object is None else frozenset({fact.object.key}),
            limit=1,
        )
        return (await self._store.facts(scope, query)).total == 0
