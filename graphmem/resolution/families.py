"""The claims of families, and the facts they give."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import replace

from graphmem.model.claim import LinkedClaim, Modality, Polarity
from graphmem.model.entity import Entity, Value, ValueKind
from graphmem.model.fact import Fact
from graphmem.model.predicate import Cardinality, Ontology, Predicate
from graphmem.resolution.corrections import Corrected, apply_corrections, ends_of
from graphmem.resolution.slots import resolve
from graphmem.resolution.symmetric import resolve_pairs

CONTAINMENT = "located_in"
"""The predicate that tells which place contains which."""

NESTED = 6
"""Places are nested no deeper than this (street, town, district, province, country, continent)."""


def once(facts: Iterable[Fact]) -> list[Fact]:
    """Drop a fact between two touched ends that both gave it."""
    seen: dict[object, Fact] = {}
    for fact in facts:
        key = (
            fact.predicate,
            fact.polarity,
            fact.interval,
            fact.status,
            fact.claims,
            fact.modality,
        )
        seen.setdefault(key, fact)
    return list(seen.values())


class Families:
    """Claims by the ends they speak of, and the facts they give."""

    def __init__(self, ontology: Ontology, entities: dict[str, Entity]) -> None:
        self.ontology = ontology
        self.entities = entities
        self.claims: dict[str, LinkedClaim] = {}
        self.by_end: defaultdict[tuple[str, str], list[LinkedClaim]] = defaultdict(list)
        self.unnamed: defaultdict[tuple[str, str], list[LinkedClaim]] = defaultdict(list)
        self.corrected: dict[str, Corrected] = {}
        self.contained: dict[str, frozenset[str]] = {}

    def put(self, linked: LinkedClaim) -> None:
        """Add a claim; one that is there stays as it is."""
        if linked.claim.id not in self.claims:
            self.claims[linked.claim.id] = linked
            self.corrected.pop(linked.link.predicate, None)
            if linked.link.object is None:
                self.unnamed[linked.link.subject, linked.link.predicate].append(linked)
            for end in set(ends_of(linked)):
                self.by_end[end, linked.link.predicate].append(linked)

    def learn_containment(self) -> None:
        """Learn from the claims put so far which places contain which."""
        parents: defaultdict[str, set[str]] = defaultdict(set)
        for linked in self.claims.values():
            link = linked.link
            if link.predicate == CONTAINMENT and link.object is not None and stands(linked):
                parents[link.subject].add(link.object.key)
        self.contained = {place: _ancestors(place, parents) for place in parents}

    def facts(self, groups: Iterable[tuple[str, str]]) -> list[Fact]:
        """Compute whole families, each fact once."""
        found: list[Fact] = []
        for subject, slug in groups:
            found += self.compute(subject, self.ontology.get(slug), None)
        return once(found)

    def compute(self, subject: str, predicate: Predicate, objects: set[str] | None) -> list[Fact]:
        """Compute the facts of one group."""
        if predicate.symmetric and predicate.cardinality is Cardinality.ONE:
            claims = [c for c in self.claims.values() if c.link.predicate == predicate.slug]
            ends = {end for c in self.touching(subject, predicate.slug) for end in ends_of(c)}
            facts = resolve_pairs({e: self.value(e) for e in ends | {subject}}, claims, predicate)
            return [f for f in facts if subject in fact_ends(f)]
        if predicate.symmetric:
            return self._pairs(subject, predicate, objects)
        claims = [
            linked
            for linked in self.about(subject, predicate.slug)
            if objects is None or linked.link.object is None or linked.link.object.key in objects
        ]
        return resolve(self.value(subject), claims, predicate, self.contained)

    def _pairs(self, subject: str, predicate: Predicate, objects: set[str] | None) -> list[Fact]:
        """Compute a symmetric many-valued family, each pair seen from who was named first.

        What either end says without an object, and what corrects, has its say in the pair.
        """
        slug = predicate.slug
        corrected = self._corrected(slug)
        pairs: defaultdict[str, list[LinkedClaim]] = defaultdict(list)
        claims = self.touching(subject, slug)
        for linked in claims:
            if linked.link.object is not None:
                pairs[next((e for e in ends_of(linked) if e != subject), subject)].append(linked)
        facts: list[Fact] = []
        for other, group in pairs.items():
            if objects is not None and other not in objects:
                continue
            first = min(group, key=lambda c: (c.claim.said, c.claim.id))
            unnamed = [c for end in {subject, other} for c in self.unnamed.get((end, slug), ())]
            seen_from = self.value(first.link.subject)
            found = resolve(seen_from, [*group, *unnamed], predicate, corrected=corrected)
            facts += [f for f in found if f.object is not None]
        if objects is None and (subject, slug) in self.unnamed:
            found = resolve(self.value(subject), claims, predicate, corrected=corrected)
            facts += [f for f in found if f.object is None]
        return facts

    def _corrected(self, slug: str) -> Corrected:
        """Apply the corrections of a predicate, whichever ends they speak of."""
        if slug not in self.corrected:
            claims = [c for c in self.claims.values() if c.link.predicate == slug]
            self.corrected[slug] = apply_corrections(claims)
        return self.corrected[slug]

    def value(self, entity: str) -> Value:
        """Return an entity as a value."""
        found = self.entities.get(entity)
        return Value.entity(found) if found else Value(ValueKind.ENTITY, entity, entity)

    def renamed(self, fact: Fact) -> Fact:
        """Return a fact with the ends that the first of its claims means now.

        One whose ends became one thing keeps those it had.
        """
        linked = next((self.claims[c] for c in fact.claims if c in self.claims), None)
        if linked is None or set(ends_of(linked)) == set(fact_ends(fact)):
            return fact
        link = linked.link
        if link.object is not None and link.object.key == link.subject:
            return fact
        known = {v.key: v for v in (fact.subject, fact.object) if v is not None}
        thing = None if link.object is None else known.get(link.object.key, link.object)
        subject = known.get(link.subject) or self.value(link.subject)
        return replace(fact, subject=subject, object=thing)

    def about(self, subject: str, slug: str) -> list[LinkedClaim]:
        """Return the claims with ``subject`` as their subject."""
        return [c for c in self.by_end[subject, slug] if c.link.subject == subject]

    def touching(self, subject: str, slug: str) -> list[LinkedClaim]:
        """Return the claims with ``subject`` at either end."""
        return [*self.by_end[subject, slug]]


def beyond_its_pair(linked: LinkedClaim) -> bool:
    """Whether a claim speaks of more than its subject and object."""
    return linked.link.object is None or linked.claim.correction is not None


def other_end(fact: Fact, end: str) -> str | None:
    """Return the key of what a fact joins ``end`` to."""
    other = fact.object.key if fact.object else None
    return fact.subject.key if other == end else other


def fact_ends(fact: Fact) -> tuple[str, ...]:
    """Return the keys of what a fact joins."""
    return (fact.subject.key, fact.object.key) if fact.object else (fact.subject.key,)


def stands(linked: LinkedClaim) -> bool:
    """Whether a claim asserts something, and is not withdrawn."""
    return (
        not linked.withdrawn
        and linked.link.polarity is Polarity.POSITIVE
        and linked.claim.modality is Modality.ASSERTED
    )


def _ancestors(place: str, parents: Mapping[str, set[str]]) -> frozenset[str]:
    found: set[str] = set()
    frontier = set(parents.get(place, ()))
    while frontier:
        found |= frontier
        frontier = {above for p in frontier for above in parents.get(p, ())} - found
    return frozenset(found - {place})
