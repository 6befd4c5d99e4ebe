"""Reading a question in its scope, and gathering from the stores what may answer it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from graphmem.errors import EmbedderError
from graphmem.model.entity import Entity
from graphmem.model.fact import Fact
from graphmem.model.roles import roles_in
from graphmem.model.scope import Scope
from graphmem.model.search import FactFilter, FactQuery, PointKind
from graphmem.model.terms import terms
from graphmem.model.text import normal_key
from graphmem.ports.graph_store import EpisodeQuery, GraphStore
from graphmem.retrieval import candidates as cand
from graphmem.retrieval import walk
from graphmem.retrieval.calibration import SENTENCES, Background, Script
from graphmem.retrieval.candidates import Aim, Candidates, Turn, fact_key
from graphmem.retrieval.channels import Heard
from graphmem.retrieval.likeness import Likeness
from graphmem.retrieval.linking import link
from graphmem.retrieval.question import CueBook, Cues, Mood

LISTED = 60
"""So many facts of the relations asked for are read from the graph, the last said first."""
SURE = 0.4
"""How surely a relation must be asked for to be listed."""


class Gatherer:
    """Finds out what a question is about, and gathers candidates from every side."""

    def __init__(
        self,
        store: GraphStore,
        book: CueBook,
        background: Background | None,
        likeness: Likeness,
    ) -> None:
        self._store = store
        self._book = book
        self._background = background
        self._likeness = likeness

    async def aim(self, scope: Scope, text: str, cues: Cues, heard: Heard) -> Aim:
        """Return whom and what the question is about in this scope."""
        named = [linked.entity for linked in await link(self._store, scope, text)]
        named += await self._by_keyword(scope, text, heard)
        own: Entity | None = None
        # A recommendation is for the scope's own user unless it names somebody.
        if cues.myself or (cues.mood is Mood.SUGGEST and not named):
            own = await self._store.self_entity(scope)
        entities = {entity.id: entity for entity in ([own, *named] if own else named)}
        return Aim(
            relations=cand.asked_for(cues, self._book),
            entities=tuple(entities.values()),
            own=own.id if own else None,
            kin=frozenset()
            if cues.jointly
            else frozenset(
                slug for slug in self._book.people if cues.predicates.get(slug, 0.0) > 0.9
            ),
            roles=roles_in(text),
        )

    async def _by_keyword(self, scope: Scope, text: str, heard: Heard) -> list[Entity]:
        """Return entities whose whole name is in the question but for endings."""
        if not heard.names:
            return []
        ids = [hit.ref.id for hit in heard.names]
        page = await self._store.entities(scope, ids=ids, limit=len(ids))
        held = set(terms(text))
        found = {
            view.entity.id: view.entity
            for view in page.items
            if view.entity.merged_into is None
            and any(
                held.issuperset(terms(name)) for name in (view.entity.name, *view.entity.aliases)
            )
        }
        return [found[entity] for entity in ids if entity in found]

    async def collect(
        self, scope: Scope, asked: str, aim: Aim, wanted: FactFilter, heard: Heard
    ) -> Candidates:
        """Return what the channels found, read from the graph and checked against ``wanted``.

        A turn that only asks the same is no answer: agents store the question before they ask.
        """
        found = Candidates()
        records = {
            hit.ref.id for hit in (*heard.dense, *heard.keyword) if hit.ref.kind is PointKind.FACT
        }
        facts = await self._store.records(scope, sorted(records)) if records else []
        listed = await self._listed(scope, aim, wanted)
        found.facts = {
            fact.record: fact
            for fact in (*facts, *listed)
            if wanted.admits(fact) and aim.means(fact)
        }
        await self._turns(scope, asked, found, heard)
        cosines = cand.by_candidate(found, heard.dense)
        found.dense = cand.lifts(found, cosines, await self._levels(heard, found))
        keyword = cand.by_candidate(found, heard.keyword)
        found.keyword = cand.shares(keyword, heard.best_keyword)
        fits = ((fact_key(fact), aim.fit_here(fact)) for fact in found.facts.values())
        found.cue = {key: fit for key, fit in fits if fit > 0}
        return found

    async def _turns(self, scope: Scope, asked: str, found: Candidates, heard: Heard) -> None:
        pieces = cand.best_pieces((heard.dense, heard.keyword))
        if not pieces:
            return
        query = EpisodeQuery(ids=tuple(sorted(pieces)), limit=len(pieces))
        episodes = (await self._store.episodes(scope, query)).items
        echo = normal_key(asked)
        found.turns = {
            e.id: Turn(e, pieces[e.id]) for e in episodes if normal_key(e.content) != echo
        }
        found.quoted = await self._store.quoted(scope, sorted(found.turns))

    async def _levels(self, heard: Heard, found: Candidates) -> dict[Script, float]:
        if heard.vector is None or self._background is None:
            return dict.fromkeys(Script, 0.0)
        try:
            return await self._background.levels(heard.vector, SENTENCES, found.scripts())
        except EmbedderError:
            return dict.fromkeys(Script, 1.0)  # nothing is near, rather than everything

    async def _listed(self, scope: Scope, aim: Aim, wanted: FactFilter) -> Sequence[Fact]:
        """Return facts of the relations asked for, at the entities the question speaks of."""
        slugs = frozenset(slug for slug, sure in aim.relations.items() if sure >= SURE)
        if wanted.predicates is not None:
            slugs &= wanted.predicates
        if not slugs or not aim.entities:
            return ()
        query = FactQuery(
            filter=replace(wanted, predicates=slugs), subjects=aim.ids, either=True, limit=LISTED
        )
        return (await self._store.facts(scope, query)).items

    async def walk(
        self, scope: Scope, aim: Aim, wanted: FactFilter, heard: Heard, found: Candidates
    ) -> None:
        """Walk the graph from what the question speaks of, add what the walk leads to, and
        drop what it passed by."""
        judge = cand.judge_of(found, aim, heard.weights)
        fetched = await walk.fetch(
            self._store, scope, aim.entities, found.facts.values(), wanted, aim.relations, judge,
            self._likeness,
        )  # fmt: skip
        seeds = dict.fromkeys(sorted(aim.ids), 1.0)
        ways = [fact for fact in fetched.facts.values() if aim.means(fact)]
        for walked in walk.rank(ways, fetched.alike, seeds, judge):
            fact = walked.fact
            found.facts[fact.record] = fact
            found.walked[fact.record] = walked
            found.walk[fact_key(fact)] = walked.score
        for key in cand.beside_the_way(found, aim, judge):
            found.drop(key)
