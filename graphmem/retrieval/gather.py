"""Reading a question in its scope, and gathering from the stores what may answer it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from graphmem.model.chunks import found_as_said
from graphmem.model.entity import Entity
from graphmem.model.outline import FactOutline, Outlines, Sought, Words
from graphmem.model.roles import roles_in
from graphmem.model.scope import Scope
from graphmem.model.search import FactFilter
from graphmem.model.terms import term_set
from graphmem.model.text import normal_key
from graphmem.model.walk import Reach
from graphmem.ports.graph_store import GraphStore
from graphmem.retrieval import candidates as cand
from graphmem.retrieval import walk
from graphmem.retrieval.aim import Aim, asked_for
from graphmem.retrieval.calibration import script_of
from graphmem.retrieval.candidates import Candidates
from graphmem.retrieval.channels import Heard
from graphmem.retrieval.judge import beside_the_way, judge_of, lean_of
from graphmem.retrieval.likeness import Likeness
from graphmem.retrieval.linking import link
from graphmem.retrieval.question import CueBook, Cues, Mood
from graphmem.retrieval.recipes import Recipe

LISTED = 60
"""So many facts of the relations asked for are read from the graph, the last said first."""
BESIDE = 6
"""One in so many of the turns looked at may bring what was said beside it, the best of them."""
SURE = 0.4
"""How surely a relation must be asked for to be listed."""


class Gatherer:
    """Finds out what a question is about, and gathers candidates from every side."""

    def __init__(
        self,
        store: GraphStore,
        book: CueBook,
        likeness: Likeness,
    ) -> None:
        self._store = store
        self._book = book
        self._likeness = likeness

    async def gather(
        self,
        scope: Scope,
        text: str,
        cues: Cues,
        words: Words,
        wanted: FactFilter,
        heard: Heard,
        recipe: Recipe,
        count: int,
    ) -> tuple[Aim, Candidates]:
        """Return what a question is about, and what may answer it.

        That is the best ``count`` of what the channels found, as it is in the graph now, and the
        newest facts of the relations asked for. A turn that only asks the same is no answer: agents
        store the question before they ask.
        """
        named = [linked.entity for linked in await link(self._store, scope, text, words.named)]
        aim = self._aim(text, cues, words.own, named)
        near, said = cand.keyed(heard.dense), cand.keyed(heard.keyword)
        weighed = cand.weighed(
            near,
            said,
            level=heard.senses.levels[script_of(text)],
            telling=heard.senses.best_keyword,
            recipe=recipe,
        )
        looked = cand.best(weighed, count)
        pieces = cand.pieces_of([near, said], looked)
        records = looked.keys() - pieces.keys()
        heads = cand.heads({turn: looked[turn] for turn in pieces}, count // BESIDE)
        sought = replace(
            self._listing(aim, wanted),
            records=sorted(records),
            turns=[*pieces],
            beside=sorted(heads),
            entities=[hit.ref.id for hit in heard.names],
        )
        outlines = await self._store.outlines(scope, sought)
        more = _whole_names(text, heard, outlines.entities)
        if any(entity.id not in aim.ids for entity in more):
            aim = self._aim(text, cues, words.own, [*named, *more])
            listed = await self._store.outlines(scope, self._listing(aim, wanted))
            stay = {fact for turn in outlines.turns for fact in turn.facts}
            facts = [f for f in outlines.facts if f.record in records or f.id in stay]
            outlines = replace(outlines, facts=[*facts, *listed.facts])
        found = self._found(text, aim, outlines, pieces)
        found.dense = cand.lifts(found, near, heard.senses.levels)
        there = {key: one for key, one in said.items() if key in found.facts or key in found.turns}
        found.keyword = cand.shares(there, heard.senses.best_keyword)
        return aim, found

    def _aim(self, text: str, cues: Cues, own: Entity | None, named: Sequence[Entity]) -> Aim:
        # A recommendation is for the scope's own user unless it names somebody.
        if not (cues.myself or (cues.mood is Mood.SUGGEST and not named)):
            own = None
        entities = {entity.id: entity for entity in ([own, *named] if own else named)}
        people = {slug for slug in self._book.people if cues.predicates.get(slug, 0.0) > 0.9}
        return Aim(
            relations=asked_for(cues, self._book),
            entities=tuple(entities.values()),
            own=own.id if own else None,
            kin=frozenset() if cues.jointly else frozenset(people),
            roles=roles_in(text),
        )

    def _listing(self, aim: Aim, wanted: FactFilter) -> Sought:
        """Ask for facts of the relations asked for, at the entities the question speaks of."""
        slugs = frozenset(slug for slug, sure in aim.relations.items() if sure >= SURE)
        if wanted.predicates is not None:
            slugs &= wanted.predicates
        return Sought(filter=wanted, around=aim.ids, relations=slugs, limit=LISTED)

    def _found(
        self, text: str, aim: Aim, outlines: Outlines, pieces: Mapping[str, str]
    ) -> Candidates:
        asks = _asks(text)
        facts = {fact.record: fact for fact in outlines.facts if aim.means(fact)}
        fits = ((record, aim.fit_here(fact)) for record, fact in facts.items())
        return Candidates(
            facts=facts,
            turns={
                turn.id: turn
                for turn in outlines.turns
                if not asks(turn.content) and (turn.id in pieces or found_as_said(turn))
            },
            pieces=pieces,
            cue={record: fit for record, fit in fits if fit > 0},
        )

    async def walk(
        self,
        scope: Scope,
        aim: Aim,
        wanted: FactFilter,
        heard: Heard,
        found: Candidates,
        notes: list[str],
    ) -> None:
        """Walk the graph from what the question speaks of, add what the walk leads to, and
        drop what it passed by. What it had to do without is added to ``notes``."""
        lean = lean_of(found, aim, heard.senses.weights)
        judge = judge_of(lean)
        anchors = walk.anchors(found.facts.values(), judge)
        reach = Reach(
            filter=wanted,
            seeds=[*(entity.id for entity in aim.entities), *anchors],
            known=[*found.facts],
            lean=lean,
            relations=frozenset(aim.relations),
        )
        fetched = await walk.fetch(self._store, scope, reach, self._likeness, notes)
        seeds = dict.fromkeys(sorted(aim.ids), 1.0)
        ways = [fact for fact in fetched.facts.values() if aim.means(fact)]
        for walked in walk.rank(ways, fetched.alike, seeds, judge):
            record = walked.fact.record
            found.facts.setdefault(record, FactOutline.of(walked.fact))
            found.walked[record] = walked
            found.walk[record] = walked.score
        for record in beside_the_way(found, aim, judge):
            found.drop(record)


def _whole_names(text: str, heard: Heard, entities: Sequence[Entity]) -> list[Entity]:
    """Return entities found by keyword whose whole name is in the question but for endings."""
    if not entities:
        return []
    held = term_set(text)
    whole = {
        entity.id: entity
        for entity in entities
        if any(held >= term_set(name) for name in (entity.name, *entity.aliases))
    }
    return [whole[hit.ref.id] for hit in heard.names if hit.ref.id in whole]


def _asks(text: str) -> Callable[[str], bool]:
    """Return whether a turn says nothing but ``text``."""
    key = normal_key(text)

    def asks(content: str) -> bool:
        # Most turns begin otherwise, which is seen without folding all of them.
        head = content[:2]
        if head.isascii() and head.isalpha() and head[0].lower() != key[0]:
            return False
        return normal_key(content.lstrip()[:4])[:1] == key[:1] and normal_key(content) == key

    return asks
