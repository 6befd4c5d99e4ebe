"""Which families a change touches, what must be read to recompute them, and the difference."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping
from dataclasses import dataclass, field

from graphmem.model.changes import Family, Snapshot, Wanted
from graphmem.model.claim import Link, LinkedClaim
from graphmem.model.entity import Entity, Value, ValueKind
from graphmem.model.fact import Fact
from graphmem.model.predicate import Cardinality, Ontology, Predicate
from graphmem.resolution.appending import append, appendable
from graphmem.resolution.corrections import ends_of, may_take_back
from graphmem.resolution.diff import Difference, difference, together
from graphmem.resolution.families import (
    CONTAINMENT,
    NESTED,
    Families,
    beyond_its_pair,
    fact_ends,
    once,
    other_end,
    stands,
)


@dataclass(frozen=True, slots=True)
class Touched:
    """A subject and predicate whose claims change; ``object`` narrows a many-valued one."""

    subject: str
    predicate: str
    object: str | None = None

    @classmethod
    def by(cls, link: Link) -> Touched:
        """Return what a claim with this link touches."""
        return cls(link.subject, link.predicate, link.object.key if link.object else None)


@dataclass(slots=True)
class Overlay:
    """What this change adds to what is stored: it takes precedence over what is read.

    Attributes:
        claims: new, newly linked, withdrawn or restored claims, by id.
        entities: new or changed ones, by id.
        known: stored ones that were read already, by id.
        unborn: ids of those that this change makes, of which nothing can be stored.
        gone: ids of claims that count as never said.
    """

    claims: dict[str, LinkedClaim] = field(default_factory=dict[str, LinkedClaim])
    entities: dict[str, Entity] = field(default_factory=dict[str, Entity])
    known: Mapping[str, Entity] = field(default_factory=dict[str, Entity])
    unborn: frozenset[str] = frozenset()
    gone: frozenset[str] = frozenset()


FEW = 32
"""Claims that a family may hold to be read whole whenever one is added."""


def recompute(
    ontology: Ontology,
    touched: Iterable[Touched],
    overlay: Overlay,
    *,
    reason: str | None = None,
    few: int | None = None,
) -> Generator[Wanted, Snapshot, Difference]:
    """Recompute the families that ``touched`` names; yields what it has to read.

    Args:
        ontology: the predicates in force.
        touched: what changes.
        overlay: the change.
        reason: kept with facts that are retracted because their claims are withdrawn.
        few: of new claims: a family that holds more is not read where its tail will do.
    """
    reading = _Reading(ontology, overlay)
    added = yield from reading.read(touched, few)
    computed: list[Fact] = []
    live: dict[str, Fact] = {}
    for (subject, slug), objects in reading.groups.items():
        predicate = ontology.get(slug)
        computed += [
            fact
            for fact in reading.compute(subject, predicate, objects)
            if objects is None or other_end(fact, subject) in objects
        ]
        for fact in reading.live_of(subject, predicate, objects):
            live[fact.id] = fact
    withdrawn = {
        claim
        for fact in live.values()
        for claim in fact.claims
        if claim in overlay.gone or reading.withdrawn(claim)
    }
    change = difference(
        once(computed),
        live.values(),
        withdrawn=withdrawn,
        reason=reason,
        renamed=reading.renamed,
    )
    return together([*added, change])


class _Reading(Families):
    """Gathers the claims and live facts of the touched families."""

    def __init__(self, ontology: Ontology, overlay: Overlay) -> None:
        super().__init__(ontology, {**overlay.known, **overlay.entities})
        self.overlay = overlay
        self.groups: dict[tuple[str, str], set[str] | None] = {}
        self.live: dict[str, Fact] = {}
        self.asked: set[Family] = set()

    def read(
        self, touched: Iterable[Touched], few: int | None
    ) -> Generator[Wanted, Snapshot, list[Difference]]:
        """Read everything the touched families depend on.

        Those that are added to at their end are not read, and returned as changes.
        """
        self._add_overlay()
        touched = list(touched)
        for touch in touched:
            self._group(touch)
        added: dict[Family, Difference] = {}
        if few is not None:
            added = yield from self._tails(few)
        yield from self._containing(touched)
        yield from self._families()
        if self._widen():
            yield from self._families()
        while True:
            yield from self._partners()
            if not self._corrected_ends():
                break
        yield from self._containers()
        wanted = {subject for subject, _ in self.groups}
        wanted |= {c.link.subject for c in self.claims.values()}
        missing = wanted - set(self.entities)
        if missing:
            self._take((yield Wanted(entities=tuple(sorted(missing)))))
        # What was taken in whole after all is computed with the rest.
        return [change for family, change in added.items() if not self._whole(family)]

    def _whole(self, family: Family) -> bool:
        return self.groups.get((family.subject, family.predicate), ()) is None

    def _tails(self, few: int) -> Generator[Wanted, Snapshot, dict[Family, Difference]]:
        """Add to the ends of large families; what is left in ``groups`` has to be recomputed."""
        news = {f: claims for f, claims in self._appended().items() if not self._unheard_of(f)}
        if not news:
            return {}
        places = {
            c.link.object.key
            for family, claims in news.items()
            if self.ontology.get(family.predicate).contained
            for c in claims
            if c.link.object is not None
        } - self.overlay.unborn
        snapshot = yield Wanted(
            tails=tuple(news),
            few=few,
            families=tuple(Family(place, CONTAINMENT, either=True) for place in sorted(places)),
            entities=tuple(sorted({family.subject for family in news} - set(self.entities))),
        )
        # Only here are some families known by their tails alone.
        tails = {Family(t.subject, t.predicate, t.object, t.either): t for t in snapshot.tails}
        self.asked.update(family for family in news if family not in tails)
        self._take(snapshot)
        added: dict[Family, Difference] = {}
        for family, tail in tails.items():
            predicate = self.ontology.get(family.predicate)
            values = {tail.fact.object, *(c.link.object for c in news[family])}
            if predicate.contained and self._contain_or_lie_in(values):
                continue
            change = append(tail, news[family], self.value(family.subject), predicate)
            if change is not None:
                added[family] = change
                self._done(family)
        return added

    def _appended(self) -> dict[Family, list[LinkedClaim]]:
        """Return, by family, or by the part of one object, new claims that its end may take."""
        news: dict[Family, list[LinkedClaim]] = {}
        for (subject, slug), objects in self.groups.items():
            predicate = self.ontology.get(slug)
            claims = self.about(subject, slug)
            if slug == CONTAINMENT or not claims or not appendable(claims, predicate):
                continue
            if objects is None:
                news[Family(subject, slug)] = claims
                continue
            for claim in claims:
                key = claim.link.object.key if claim.link.object else ""
                if not (predicate.symmetric and (key, slug) in self.groups):
                    family = Family(subject, slug, key, either=predicate.symmetric)
                    news.setdefault(family, []).append(claim)
        return news

    def _contain_or_lie_in(self, values: set[Value | None]) -> bool:
        keys = {value.key for value in values if value is not None}
        return any(
            c.link.predicate == CONTAINMENT and keys & set(ends_of(c)) for c in self.claims.values()
        )

    def _done(self, family: Family) -> None:
        """Take a family out of what has to be recomputed."""
        group = (family.subject, family.predicate)
        objects = self.groups[group]
        if objects is not None and family.object is not None:
            objects.discard(family.object)
        if not objects:
            del self.groups[group]

    def _add_overlay(self) -> None:
        for claim, linked in self.overlay.claims.items():
            if claim not in self.overlay.gone:
                self.put(linked)

    def _take(self, snapshot: Snapshot) -> None:
        for linked in snapshot.claims:
            claim = linked.claim.id
            if claim not in self.overlay.claims and claim not in self.overlay.gone:
                self.put(linked)
        for fact in snapshot.facts:
            self.live[fact.id] = fact
        for entity in snapshot.entities:
            self.entities.setdefault(entity.id, entity)

    def _group(self, touch: Touched) -> None:
        key = (touch.subject, touch.predicate)
        predicate = self.ontology.get(touch.predicate)
        whole = predicate.cardinality is Cardinality.ONE
        if whole or touch.object is None or self.groups.get(key, ()) is None:
            self.groups[key] = None
        else:
            objects = self.groups.setdefault(key, set())
            if objects is not None:
                objects.add(touch.object)
        if whole and predicate.symmetric and touch.object is not None:
            self.groups[touch.object, touch.predicate] = None

    def _ask(self, families: Iterable[Family]) -> Generator[Wanted, Snapshot, None]:
        new = sorted(set(families) - self.asked, key=repr)
        self.asked.update(new)
        stored = tuple(family for family in new if not self._unheard_of(family))
        if stored:
            self._take((yield Wanted(families=stored)))

    def _unheard_of(self, family: Family) -> bool:
        """Whether nothing of a family can be stored, since its ends are new with this change."""
        unborn = self.overlay.unborn
        both = family.either and family.object is not None
        return family.subject in unborn and (not both or family.object in unborn)

    def _families(self) -> Generator[Wanted, Snapshot, None]:
        wanted: list[Family] = []
        for (subject, slug), objects in self.groups.items():
            either = self.ontology.get(slug).symmetric
            if objects is None:
                wanted.append(Family(subject, slug, either=either))
            else:
                wanted += [Family(subject, slug, key, either=either) for key in objects]
        yield from self._ask(wanted)

    def _widen(self) -> bool:
        """Take in a whole family where a claim of it reaches beyond its object."""
        wider = False
        for (subject, slug), objects in list(self.groups.items()):
            if objects is None:
                continue
            if self.ontology.get(slug).symmetric:
                ends = {subject, *objects}
                claims = [c for end in ends for c in self.touching(end, slug)]
            else:
                ends, claims = {subject}, self.about(subject, slug)
            if any(map(beyond_its_pair, claims)):
                self.groups.update({(end, slug): None for end in ends})
                wider = True
        return wider

    def _partners(self) -> Generator[Wanted, Snapshot, None]:
        """Read what the other ends of symmetric families say beyond their pairs."""
        whole: set[tuple[str, str]] = set()
        for (subject, slug), objects in self.groups.items():
            predicate = self.ontology.get(slug)
            if predicate.symmetric and objects is None:
                whole.add((subject, slug))
                if predicate.cardinality is Cardinality.ONE:
                    touching = self.touching(subject, slug)
                    whole |= {(end, slug) for c in touching for end in ends_of(c)}
        slugs = {slug for _, slug in whole}
        while True:
            known = len(self.asked)
            yield from self._ask(Family(end, slug, either=True) for end, slug in whole)
            yield from self._ask(
                Family(min(end, other), slug, max(end, other), either=True)
                for end, slug in whole
                for c in self.touching(end, slug)
                for other in ends_of(c)
                if other != end
            )
            # Corrections lean on what else was told of their ends.
            whole |= {
                (end, c.link.predicate)
                for c in self.claims.values()
                if c.claim.correction is not None and c.link.predicate in slugs
                for end in ends_of(c)
            }
            if len(self.asked) == known:
                return

    def _corrected_ends(self) -> bool:
        """Take in the ends of symmetric claims that this change takes back or lets stand again."""
        changed = {*self.overlay.claims, *self.overlay.gone}
        wider: set[tuple[str, str]] = set()
        for linked in self.claims.values():
            slug = linked.link.predicate
            if linked.claim.correction is None or not self.ontology.get(slug).symmetric:
                continue
            family = self.touching(linked.link.subject, slug)
            ids = {linked.claim.id, *may_take_back(linked, self.claims, family)}
            if ids & changed:
                known = [self.claims[i] for i in ids if i in self.claims]
                wider |= {(end, slug) for c in known for end in ends_of(c)}
        new = {group for group in wider if self.groups.get(group, ()) is not None}
        self.groups.update(dict.fromkeys(new))
        return bool(new)

    def _containing(self, touched: Iterable[Touched]) -> Generator[Wanted, Snapshot, None]:
        """Find the families that a new containment may make less or more precise."""
        places = {
            end
            for touch in touched
            if touch.predicate == CONTAINMENT
            for end in (touch.subject, touch.object)
            if end is not None
        }
        if not places:
            return
        snapshot = yield Wanted(touching=tuple(sorted(places)))
        for linked in snapshot.claims:
            link = linked.link
            if link.predicate != CONTAINMENT and self.ontology.get(link.predicate).contained:
                self._group(Touched(link.subject, link.predicate))

    def _containers(self) -> Generator[Wanted, Snapshot, None]:
        """Read, upwards, which places contain the places told of."""
        frontier = {
            linked.link.object.key
            for (subject, slug) in self.groups
            if self.ontology.get(slug).contained
            for linked in self.about(subject, slug)
            if linked.link.object is not None and linked.link.object.kind is ValueKind.ENTITY
        }
        seen: set[str] = set()
        for _ in range(NESTED):
            frontier -= seen
            if not frontier:
                break
            seen |= frontier
            yield from self._ask(Family(place, CONTAINMENT) for place in frontier)
            frontier = {
                linked.link.object.key
                for place in frontier
                for linked in self.about(place, CONTAINMENT)
                if linked.link.object is not None and stands(linked)
            }
        self.learn_containment()

    def live_of(
        self, subject: str, predicate: Predicate, objects: set[str] | None
    ) -> Iterable[Fact]:
        """Return the live facts of one group."""
        for fact in self.live.values():
            if fact.predicate != predicate.slug:
                continue
            ends = fact_ends(fact) if predicate.symmetric else (fact.subject.key,)
            if subject in ends and (objects is None or other_end(fact, subject) in objects):
                yield fact

    def withdrawn(self, claim: str) -> bool:
        """Whether a claim is withdrawn, or is not there."""
        linked = self.claims.get(claim)
        return linked is not None and linked.withdrawn
