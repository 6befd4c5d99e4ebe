"""Question to answers. Reads only; calls no language model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from graphmem.model.fact import Fact
from graphmem.model.predicate import Cardinality, Ontology
from graphmem.model.scope import Scope
from graphmem.model.search import Context, FactQuery, PointKind, PointRef, SearchResult
from graphmem.model.time import Certainty
from graphmem.ports.embedder import Embedder
from graphmem.ports.graph_store import GraphStore
from graphmem.ports.reranker import Reranker
from graphmem.ports.vector_index import VectorIndex
from graphmem.retrieval import candidates as cand
from graphmem.retrieval import ranking
from graphmem.retrieval.answers import certainty_of, hits_of
from graphmem.retrieval.calibration import Background
from graphmem.retrieval.candidates import Aim, Candidates, fact_key, turn_key
from graphmem.retrieval.channels import Channels
from graphmem.retrieval.context import pack
from graphmem.retrieval.fusion import boosted, spread
from graphmem.retrieval.gather import Gatherer
from graphmem.retrieval.likeness import Likeness
from graphmem.retrieval.question import ALL_HITS, CueBook, Cues, Question
from graphmem.retrieval.ranking import Evidence, Ranked
from graphmem.retrieval.recipes import CHANNELS, RERANK, SCORE, Method, Recipe, find_recipe

LOOKED_AT = 60
"""So many of the best facts have their claims read, to borrow from turns and be boosted."""
COMPARED = 4
"""So many times the limit of hits are compared with each other for near copies."""
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
    ) -> None:
        self._store = store
        self._ontology = ontology
        self._reranker = reranker
        self._book = CueBook(ontology)
        background = Background(embedder) if embedder is not None else None
        self._channels = Channels(store, index, embedder, ontology)
        likeness = Likeness(store, index, embedder, background)
        self._gatherer = Gatherer(store, self._book, background, likeness)

    async def search(self, scope: Scope, question: Question) -> SearchResult:
        """Return the best answers to ``question``, with reasons.

        Raises:
            InputError: an unknown recipe.
            StoreError: the graph store cannot be read.
        """
        recipe = find_recipe(question.recipe)
        floors = {**recipe.floors, **question.floors}
        wanted = question.filter
        if question.explicit_valid:
            wanted = replace(wanted, uncertain=True)
        cues = self._book.read(question.text)
        heard = await self._channels.ask(
            scope, question.text, cues.terms, wanted, ALL_HITS, recipe.candidates
        )
        aim = await self._gatherer.aim(scope, question.text, cues, heard)
        found = await self._gatherer.collect(scope, question.text, aim, wanted, heard)
        if cues.chain and aim.entities:
            await self._gatherer.walk(scope, aim, wanted, heard, found)
        channels, hidden = ranking.above_floors(found, floors)
        ranked = await self._rank(scope, question, recipe, cues, aim, found, channels)
        if self._reranker is not None:
            ranked, dropped = await self._rerank(
                self._reranker, question.text, found, ranked, floors.get(RERANK, 0.0)
            )
            hidden += dropped
        good = [one for one in ranked if one.score > 0 and one.score >= floors.get(SCORE, 0.0)]
        hidden += len(ranked) - len(good)
        best = await self._choose(scope, question, recipe, found, good)
        return SearchResult(
            hits=tuple(await hits_of(self._store, scope, question, found, best)),
            hidden=hidden,
            notes=heard.notes,
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

    async def _rank(
        self,
        scope: Scope,
        question: Question,
        recipe: Recipe,
        cues: Cues,
        aim: Aim,
        found: Candidates,
        channels: Mapping[str, Mapping[PointRef, float]],
    ) -> list[Ranked]:
        fused = ranking.fuse(found, channels, recipe)
        facts, evidence = await self._evidence(scope, question, found, fused)
        fused = ranking.lend_to_facts(fused, facts, evidence, recipe)
        shown = self._shown(question, found, facts, fused)
        boosts = {
            key: ranking.fact_boosts(
                found.facts[key.id],
                evidence.get(found.facts[key.id].id, ()),
                self._ontology,
                question.now,
            )
            if key.kind is PointKind.FACT
            else ranking.turn_boosts(found.turns[key.id].episode, question.now)
            for key in shown
        }
        base = {key: fused[key] for key in shown}
        if recipe.method is Method.WEIGHTED:
            base = ranking.classic(base, boosts, recipe.weights)
        loud = ranking.loudness(channels)
        ranked: list[Ranked] = []
        for key, score in base.items():
            fit = 1.0
            if key.kind is PointKind.FACT:
                fact = found.facts[key.id]
                fit = cand.fits_mood(fact, cues.mood, self._book)
                fit *= cand.fits_aim(fact, aim, fact.record in found.walked)
            else:
                fit = ranking.weight_of_turn(found.turns[key.id].episode)
            parts = {name: said[key] for name, said in channels.items() if key in said}
            parts |= {"fused": fused[key], **boosts[key]}
            total = boosted(score * loud * fit, boosts[key], recipe.boosts)
            if key.kind is PointKind.FACT and self._has_one(found.facts[key.id]):
                total = ranking.answering(total, found.cue.get(key, 0.0) * fit)
            ranked.append(Ranked(key, total, parts))
        return ranking.ordered(found, ranked)

    def _has_one(self, fact: Fact) -> bool:
        """Whether the relation alone tells which value is meant."""
        return self._ontology.get(fact.predicate).cardinality is Cardinality.ONE

    async def _evidence(
        self, scope: Scope, question: Question, found: Candidates, fused: Mapping[PointRef, float]
    ) -> tuple[list[Fact], Evidence]:
        """Return the best facts with their claims; those of other sessions or agents fall away."""
        keys = sorted(
            (key for key in fused if key.kind is PointKind.FACT),
            key=lambda key: (-fused[key], ranking.tie_order(found, key)),
        )
        facts = [found.facts[key.id] for key in keys[: max(LOOKED_AT, 4 * question.limit)]]
        known_at = question.filter.known_at
        claims = await self._store.claims(scope, [fact.id for fact in facts], known_at=known_at)
        sessions = question.filter.sessions
        if sessions is not None:
            facts = [
                fact
                for fact in facts
                if any(linked.claim.session in sessions for linked in claims.get(fact.id, ()))
            ]
        return facts, claims

    def _shown(
        self,
        question: Question,
        found: Candidates,
        facts: Sequence[Fact],
        fused: Mapping[PointRef, float],
    ) -> list[PointRef]:
        shown: list[PointRef] = []
        if PointKind.FACT in question.kinds:
            shown += [fact_key(fact) for fact in facts]
        wanted = question.filter
        of_facts = wanted.predicates, wanted.polarity, wanted.modality
        if PointKind.CHUNK in question.kinds and not any(of_facts):
            shown += [turn_key(id_) for id_ in sorted(found.turns) if id_ not in found.quoted]
        return [key for key in shown if key in fused]

    async def _rerank(
        self,
        reranker: Reranker,
        text: str,
        found: Candidates,
        ranked: Sequence[Ranked],
        floor: float,
    ) -> tuple[list[Ranked], int]:
        head = ranked[:RERANKED]
        scores = await reranker.scores(text, [found.text(one.key) for one in head])
        again = [
            Ranked(one.key, 0.3 * one.score + 0.7 * score, {**one.parts, RERANK: score})
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
        unsure = [one for one in ranked if self._unsure(found, question, one.key)]
        out = {one.key for one in unsure}
        by_key = {one.key: one for one in ranked}
        sure = [(one.key, one.score) for one in ranked if one.key not in out]
        chosen = spread(
            sure[: COMPARED * question.limit],
            ranking.copies(found),
            recipe.diversity,
            question.limit,
        )
        best = [replace(by_key[key], score=score) for key, score in chosen]
        least = best[-1].score if best else 1.0
        for one in unsure:
            if len(best) >= question.limit:
                break
            if await self._empty_slot(scope, question, found.facts[one.key.id]):
                best.append(replace(one, score=min(least, UNSURE * one.score)))
        return best

    def _unsure(self, found: Candidates, question: Question, key: PointRef) -> bool:
        if key.kind is not PointKind.FACT or not question.explicit_valid:
            return False
        fact = found.facts[key.id]
        return certainty_of(fact, question) is Certainty.UNCERTAIN

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
