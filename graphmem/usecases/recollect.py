"""What is shown of the memory to a reader that asks for it: the facts and names that may matter.

A long memory holds more than can be shown, and what a turn ends or corrects need not be what was
said last. So facts are looked for by the things that the turns name, by what the turns speak of
("I quit" speaks of work) and by their words; the newest fill the rest. No model is asked, and the
store is read so many times whatever it holds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice, zip_longest

from graphmem.extraction.topics import spoken_of
from graphmem.model.claim import Mention
from graphmem.model.draft import KnownFact
from graphmem.model.entity import Entity, Value, ValueKind
from graphmem.model.episode import Episode
from graphmem.model.fact import Fact, Rule
from graphmem.model.predicate import Ontology
from graphmem.model.scope import Scope
from graphmem.model.search import FactFilter, FactQuery, PointKind, TermCounts
from graphmem.model.terms import idf, is_telling, query_terms
from graphmem.ports.graph_store import GraphStore
from graphmem.retrieval.linking import READ_CHARACTERS, keys_of

FACTS = 20
CHARACTERS = 3_000
"""Of all statements that are shown."""
_SOUGHT = 14
"""So many of the facts at most were looked for; the rest are the newest."""
_KEYS = 4_000
_TERMS = 400
_WEIGHED = 60
_READ = 20_000
"""Characters of turns that are looked through; what a longer document goes on to say is not."""


@dataclass(frozen=True, slots=True)
class Recollection:
    """Facts that may matter, said last first, and the things they or the turns name."""

    facts: tuple[KnownFact, ...] = ()
    entities: tuple[Entity, ...] = ()
    names: tuple[str, ...] = field(default=())


async def recollect(
    store: GraphStore,
    scope: Scope,
    turns: Sequence[Episode],
    *,
    own: Entity | None,
    ontology: Ontology,
) -> Recollection:
    """Return what may matter to turns, of what holds when the last of them is said.

    ``own`` is the scope's own user, if anything is known of them.
    """
    text = "\n".join(turn.content for turn in turns)[-_READ:]
    at = max(turn.occurred_at for turn in turns)
    standing = FactFilter(valid=(at, at), upcoming=True)
    said = query_terms(text)
    words = await store.words(scope, keys=_keys(text), terms=[*islice(said, _TERMS)])
    named = [entity for entity in words.named if not entity.is_self][:FACTS]
    sought = [
        await _of(store, scope, standing, [entity.id for entity in named]),
        await _spoken(store, scope, standing, own, spoken_of(text, ontology)),
        await _alike(store, scope, standing, _weights(said, words.counts)),
    ]
    newest = (await store.facts(scope, FactQuery(filter=standing, limit=FACTS))).items
    facts = sorted(_fitting(_merged(sought, newest)), key=_last_said_first)
    me = "" if own is None else own.id
    names = {value.text: None for fact in facts for value in _things(fact) if value.key != me}
    return Recollection(
        facts=tuple(_known(fact, me) for fact in facts),
        entities=tuple(named),
        names=tuple(names),
    )


def _keys(text: str) -> list[str]:
    """Return the keys of what may be names, a stretch at a time."""
    parts = (text[at : at + READ_CHARACTERS] for at in range(0, len(text), READ_CHARACTERS))
    keys = dict.fromkeys(chain.from_iterable(keys_of(part) for part in parts))
    return [*islice(keys, _KEYS)]


def _weights(said: Counter[str], counts: TermCounts) -> dict[str, float]:
    """Return the terms of the turns that tell most."""
    frequency: Mapping[str, int] = counts.frequency
    weights = {
        term: idf(counts.points, frequency[term])
        for term in said
        if frequency.get(term) and is_telling(term)
    }
    best = sorted(weights, key=lambda term: (-weights[term], term))[:_WEIGHED]
    return {term: weights[term] for term in best}


async def _of(
    store: GraphStore, scope: Scope, standing: FactFilter, ids: Sequence[str]
) -> Sequence[Fact]:
    if not ids:
        return ()
    query = FactQuery(filter=standing, subjects=frozenset(ids), either=True, limit=FACTS)
    return (await store.facts(scope, query)).items


async def _spoken(
    store: GraphStore,
    scope: Scope,
    standing: FactFilter,
    own: Entity | None,
    predicates: frozenset[str],
) -> Sequence[Fact]:
    if own is None or not predicates:
        return ()
    wanted = FactFilter(valid=standing.valid, upcoming=True, predicates=predicates)
    query = FactQuery(filter=wanted, subjects=frozenset({own.id}), either=True, limit=FACTS)
    return (await store.facts(scope, query)).items


async def _alike(
    store: GraphStore, scope: Scope, standing: FactFilter, weights: Mapping[str, float]
) -> Sequence[Fact]:
    if not weights:
        return ()
    only = frozenset({PointKind.FACT})
    hits = await store.keyword(scope, weights, standing, only, FACTS)
    ids = [hit.ref.id for hit in hits]
    by_record = {fact.record: fact for fact in await store.records(scope, ids)} if ids else {}
    return [by_record[record] for record in ids if record in by_record]


def _merged(sought: Sequence[Sequence[Fact]], newest: Iterable[Fact]) -> Iterable[Fact]:
    """Return the best of each list in turn, then the newest, each fact once."""
    turns = chain.from_iterable(zip_longest(*sought))
    found = {fact.id: fact for fact in turns if fact is not None}
    first = dict(islice(found.items(), _SOUGHT))
    for fact in (*newest, *found.values()):
        first.setdefault(fact.id, fact)
    return islice(first.values(), FACTS)


def _fitting(facts: Iterable[Fact]) -> Iterable[Fact]:
    room = CHARACTERS
    for fact in facts:
        room -= len(fact.statement[:200])
        if room < 0:
            return
        yield fact


def _last_said_first(fact: Fact) -> tuple[object, ...]:
    """Order facts by what they say, so that the same talk is always shown with the same labels."""
    said = fact.said
    value = "" if fact.object is None else fact.object.text
    return (-said.at, -said.turn, -said.place, fact.subject.text, fact.predicate, value)


def _things(fact: Fact) -> list[Value]:
    ends = (fact.subject, fact.object)
    return [value for value in ends if value is not None and value.kind is ValueKind.ENTITY]


def _known(fact: Fact, own: str) -> KnownFact:
    return KnownFact(
        statement=fact.statement,
        subject=_mention(fact.subject, own),
        predicate=fact.predicate,
        object=None if fact.object is None else _mention(fact.object, own),
        polarity=fact.polarity,
        modality=fact.modality,
        ending=fact.cause is not None and fact.cause.rule == Rule.PLANNED_END,
    )


def _mention(value: Value, own: str) -> Mention:
    is_self = value.kind is ValueKind.ENTITY and value.key == own
    return Mention(value.text, value.kind, is_self=is_self)
