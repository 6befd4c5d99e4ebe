"""What an erased claim had told of things: their existence, their names, their roles."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from graphmem.extraction.linker import NAMING, roles_given
from graphmem.model.claim import Link, LinkedClaim
from graphmem.model.entity import Entity, ValueKind
from graphmem.model.predicate import Ontology
from graphmem.model.roles import role_slug


@dataclass(frozen=True, slots=True)
class Named:
    """Things that erased claims spoke of.

    Attributes:
        entities: by id. left: the claims that still speak of them.
        orphans: ids of those that nothing speaks of any more.
    """

    entities: dict[str, Entity]
    left: tuple[LinkedClaim, ...]
    orphans: frozenset[str]


def ends_of(links: Iterable[Link]) -> set[str]:
    """Return the ids of the entities that links name."""
    ends: set[str] = set()
    for link in links:
        ends.add(link.subject)
        if link.object is not None and link.object.kind is ValueKind.ENTITY:
            ends.add(link.object.key)
    return ends


def orphaned(
    ends: Iterable[str], left: Iterable[LinkedClaim], entities: Mapping[str, Entity]
) -> set[str]:
    """Return the entities that no remaining claim speaks of; the user always stays."""
    spoken_of = ends_of(c.link for c in left)
    orphans: set[str] = set()
    for end in ends:
        stands_for = entities.get(end)
        while stands_for is not None and stands_for.merged_into is not None:
            stands_for = entities.get(stands_for.merged_into)
        if end in entities and (stands_for is None or _forgotten(stands_for, spoken_of)):
            orphans.add(end)
    return orphans


def _forgotten(entity: Entity, spoken_of: set[str]) -> bool:
    return entity.id not in spoken_of and not entity.is_self


def lessened(gone: Iterable[LinkedClaim], named: Named, ontology: Ontology) -> tuple[Entity, ...]:
    """Return the things that stay without the names and roles that only erased claims gave."""
    lost = _told(gone, ontology)
    kept = _told(named.left, ontology)
    changed: list[Entity] = []
    for end, told in lost.items():
        entity = named.entities.get(end)
        if entity is None or end in named.orphans or entity.merged_into is not None:
            continue
        less = told - kept[end]
        fewer = replace(
            entity,
            types=tuple(t for t in entity.types if ("role", t) not in less),
            aliases=tuple(a for a in entity.aliases if ("name", a) not in less),
        )
        if fewer != entity:
            changed.append(fewer)
    return tuple(changed)


Told = tuple[str, str]
"""A kind ("role", "name") and the word."""


def _told(claims: Iterable[LinkedClaim], ontology: Ontology) -> defaultdict[str, set[Told]]:
    """Return what claims tell of things beyond their facts, by entity id."""
    told: defaultdict[str, set[Told]] = defaultdict(set)
    for linked in claims:
        claim, link = linked.claim, linked.link
        ends: Sequence[str] = sorted(ends_of([link]))
        roles = roles_given(ontology, link.predicate, claim.qualifiers)
        roles += [role_slug(m.role) for m in (claim.subject, claim.object) if m and m.role]
        for end in ends:
            told[end].update(("role", role) for role in roles)
        if link.predicate in NAMING and link.object is not None:
            told[link.subject].add(("name", link.object.text))
    return told
