"""Words to entities: which thing each mention of a claim means.

Exact normalised name or alias first. A role ("my landlord") means whoever holds it. One name with
two roles that nobody has at once is two people. What stays uncertain is kept apart.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from graphmem.model.changes import Family, Snapshot, Wanted
from graphmem.model.claim import Claim, Form, Link, Mention, Polarity, Qualifiers
from graphmem.model.entity import SELF_KEY, Entity, Value, ValueKind, name_keys
from graphmem.model.fact import Fact, Status
from graphmem.model.ids import IdKind, new_id
from graphmem.model.predicate import Ontology, Resolved, ValueType
from graphmem.model.roles import RELATION_OF_ROLE, exclude, role_slug
from graphmem.model.text import normal_key

_ROLE_KEY = "\x00role:"
NAMING = frozenset({"has_name", "also_known_as"})
_LITERALS = {
    ValueType.TEXT: ValueKind.TEXT,
    ValueType.NUMBER: ValueKind.NUMBER,
    ValueType.DATE: ValueKind.DATE,
}


Pins = Mapping[str, tuple[str | None, str | None]]
"""By claim, the ids of the entities that subject and object are known to be; None goes by words."""


@dataclass(frozen=True, slots=True)
class Unclear:
    """A claim that was left out since a name or role in it fits several things.

    ``subject`` and ``object`` are the ids of those that each fits; empty where it is clear.
    """

    claim: Claim
    subject: tuple[str, ...]
    object: tuple[str, ...]


@dataclass(slots=True)
class Linked:
    """Claims with their links.

    Attributes:
        claims: those that could be linked, with their link.
        entities: new and changed entities, by id.
        known: those that are stored and were read, as they were, by id.
        refused: kinds of claims that could not be linked, with how many ("self_edge",
            "ambiguous").
        unclear: the ambiguous ones, with what they may mean.
        unknown: predicates nobody declared.
        late: another call stored the turns first, so that nothing was linked.
    """

    claims: list[tuple[Claim, Link]] = field(default_factory=list[tuple[Claim, Link]])
    entities: dict[str, Entity] = field(default_factory=dict[str, Entity])
    known: dict[str, Entity] = field(default_factory=dict[str, Entity])
    refused: dict[str, int] = field(default_factory=dict[str, int])
    unclear: list[Unclear] = field(default_factory=list[Unclear])
    unknown: set[str] = field(default_factory=set[str])
    late: bool = False


def link_claims(
    claims: Sequence[Claim],
    ontology: Ontology,
    user: str,
    pins: Pins | None = None,
    *,
    turns: Sequence[str] | None = None,
) -> Generator[Wanted, Snapshot, Linked]:
    """Link ``claims`` (in said order); ``user`` names the scope's own user if it is new.

    ``turns`` are the keys of turns that are yet to be stored, in which they are said: where one is
    there already, nothing is linked, else they are said as they are stored.
    """
    pinned = tuple(sorted({end for pair in (pins or {}).values() for end in pair if end}))
    keys = _keys(claims, ontology)
    snapshot = yield Wanted(entity_keys=keys, entities=pinned, episode_keys=tuple(turns or ()))
    if turns is not None:
        if snapshot.episodes:
            return Linked(late=True)
        # Of two calls that give one time, the one recorded later is said later.
        claims = [replace(c, said=replace(c.said, turn=snapshot.now)) for c in claims]
    linker = _Linker(ontology, user, snapshot.entities, pins or {})
    families = linker.role_families(claims)
    if families:
        snapshot = yield Wanted(families=tuple(families))
        holders = linker.learn_roles(snapshot.facts)
        missing = holders - set(linker.entities)
        if missing:
            snapshot = yield Wanted(entities=tuple(sorted(missing)))
            linker.know(snapshot.entities)
    for claim in claims:
        linker.link(claim)
    return linker.linked


def _keys(claims: Iterable[Claim], ontology: Ontology) -> tuple[str, ...]:
    """Return the keys of every name, of every role that is mentioned, and of every role given."""
    keys: set[str] = set()
    only = _only_roles(ontology)
    for claim in claims:
        slug = ontology.resolve(claim.predicate).predicate.slug
        keys.update(_ROLE_KEY + role for role in _roles(slug, claim.qualifiers, only))
        for mention in (claim.subject, claim.object):
            if mention is None or mention.is_self:
                continue
            if mention.role is not None:
                keys.add(_ROLE_KEY + role_slug(mention.role))
            elif mention.kind is ValueKind.ENTITY:
                keys.update(name_keys(mention.text))
    return tuple(sorted(keys))


class _Linker:
    def __init__(
        self, ontology: Ontology, user: str, entities: Iterable[Entity], pins: Pins
    ) -> None:
        self.ontology = ontology
        self.user = user
        self.pins = pins
        self.successors: dict[str, str] = {}
        self.entities: dict[str, Entity] = {}
        self.by_key: defaultdict[str, list[str]] = defaultdict(list)
        self.holders: defaultdict[str, list[str]] = defaultdict(list)
        self.recent: dict[str, str] = {}
        self.linked = Linked()
        self.only_role = _only_roles(ontology)
        self.know(entities)

    def know(self, entities: Iterable[Entity]) -> None:
        """Take in stored entities; a merged one stands for the one that took its place."""
        for entity in entities:
            if entity.merged_into is None:
                self._index(entity)
                self.linked.known[entity.id] = entity
            else:
                self.successors[entity.id] = entity.merged_into

    def _index(self, entity: Entity) -> None:
        self.entities[entity.id] = entity
        for key in entity.keys:
            if entity.id not in self.by_key[key]:
                self.by_key[key].append(entity.id)

    def _write(self, entity: Entity) -> None:
        self._index(entity)
        self.linked.entities[entity.id] = entity

    # --- roles

    def role_families(self, claims: Iterable[Claim]) -> list[Family]:
        """Return what tells who holds the roles that are mentioned."""
        roles = {
            role_slug(m.role)
            for c in claims
            for m in (c.subject, c.object)
            if m is not None and m.role is not None
        }
        me = self._find_self()
        if me is None:
            return []
        slugs = {
            self.ontology.get(RELATION_OF_ROLE[role]).slug
            for role in roles
            if role in RELATION_OF_ROLE
        }
        return [Family(me.id, slug, either=True) for slug in sorted(slugs)]

    def learn_roles(self, facts: Iterable[Fact]) -> set[str]:
        """Note who holds which role now; return their ids."""
        me = self._find_self()
        found: set[str] = set()
        for fact in facts:
            standing = fact.status is Status.HELD and fact.interval.end is None
            if me is None or not standing or fact.polarity is Polarity.NEGATIVE:
                continue
            if fact.object is None or fact.object.kind is not ValueKind.ENTITY:
                continue
            holder = fact.object.key if fact.subject.key == me.id else fact.subject.key
            for role in self._roles(fact.predicate, fact.qualifiers):
                self._hold(role, holder)
            found.add(holder)
        return found

    def _roles(self, slug: str, qualifiers: Qualifiers) -> list[str]:
        return _roles(slug, qualifiers, self.only_role)

    def _hold(self, role: str, holder: str) -> None:
        if holder not in self.holders[role]:
            self.holders[role].append(holder)

    # --- mentions

    def _find_self(self) -> Entity | None:
        return next((e for e in self.entities.values() if e.is_self), None)

    def _self(self) -> Entity:
        me = self._find_self()
        if me is None:
            me = Entity(
                id=new_id(IdKind.ENTITY),
                name=self.user,
                key=SELF_KEY,
                types=("person",),
                is_self=True,
            )
            self._write(me)
        return me

    def _entity(self, mention: Mention, role: str | None = None) -> Entity | None:
        """Return the entity a mention means, a new one if it is new, None if it is unclear.

        ``role`` is what the claim says the named one is to the speaker.
        """
        if mention.is_self:
            return self._self()
        if mention.role is not None:
            return self._holder(role_slug(mention.role), mention)
        found = self._named(mention.text)
        if role is not None:
            own = f"{normal_key(mention.text)} ({role})"
            if self.by_key.get(own):
                return self.entities[self.by_key[own][0]]
            fitting = _fitting(found, role)
            if found and not fitting:
                return self._namesake(mention, role, own)
            found = fitting
        if not found:
            return self._new(mention, types=(role,) if role else ())
        if len(found) > 1:
            latest = self.recent.get(normal_key(mention.text))
            chosen = [e for e in found if e.id == latest]
            if not chosen:
                return None
            found = chosen
        return self._add_types(found[0], (*mention.types, *((role,) if role else ())))

    def _named(self, name: str) -> list[Entity]:
        for key in name_keys(name):
            ids = list(dict.fromkeys(self.by_key.get(key, ())))
            if ids:
                return [self.entities[i] for i in ids]
        return []

    def _new(
        self, mention: Mention, *, key: str | None = None, types: Sequence[str] = ()
    ) -> Entity:
        entity = Entity(
            id=new_id(IdKind.ENTITY),
            name=mention.text,
            key=key or normal_key(mention.text),
            types=tuple(dict.fromkeys((*mention.types, *types))),
        )
        self._write(entity)
        return entity

    def _namesake(self, mention: Mention, role: str, key: str) -> Entity:
        """Make somebody else of the same name, told apart by what they are to the speaker."""
        entity = self._new(mention, key=key, types=(role,))
        shown = f"{mention.text} ({role.replace('_', ' ')})"
        entity = replace(entity, name=shown, aliases=(mention.text,))
        self._write(entity)
        return entity

    def _add_types(self, entity: Entity, types: Sequence[str]) -> Entity:
        new = tuple(dict.fromkeys((*entity.types, *types)))
        if new != entity.types:
            entity = replace(entity, types=new)
            self._write(entity)
        return entity

    def _holder(self, role: str, mention: Mention) -> Entity | None:
        """Return who holds a role; nobody known by name is an entity named by the role."""
        holders = self.holders.get(role, [])
        if len(holders) == 1:
            return self.entities[holders[0]]
        if len(holders) > 1:
            return None
        key = _ROLE_KEY + role
        if self.by_key.get(key):
            return self.entities[self.by_key[key][0]]
        return self._new(replace(mention, types=(*mention.types, "person")), key=key, types=(role,))

    # --- claims

    def link(self, claim: Claim) -> None:
        """Link one claim, or count why it cannot be."""
        resolved = self.ontology.resolve(claim.predicate)
        if not resolved.known:
            self.linked.unknown.add(resolved.predicate.slug)
        roles = self._roles(resolved.predicate.slug, claim.qualifiers)
        mine = claim.subject.is_self or (claim.object is not None and claim.object.is_self)
        role = roles[0] if len(roles) == 1 and mine else None
        pins = self.pins.get(claim.id, (None, None))
        subject = self._pinned(pins[0]) or self._entity(
            claim.subject, None if claim.subject.is_self else role
        )
        other = self._pinned(pins[1])
        value = Value.entity(other) if other else self._value(claim, resolved, role)
        if subject is None or (claim.object is not None and value is None):
            self._refuse("ambiguous")
            self.linked.unclear.append(
                Unclear(
                    claim,
                    self._several(claim.subject, role) if subject is None else (),
                    self._several(claim.object, role) if value is None else (),
                )
            )
            return
        if value is not None and value.key == subject.id:
            self._refuse("self_edge")
            return
        link = self._directed(claim, resolved, subject, value)
        if link is None:
            self._refuse("literal_subject")
            return
        self.linked.claims.append((claim, link))
        self._learn(claim, link, roles)

    def _pinned(self, entity: str | None) -> Entity | None:
        """Return the entity of an id, or the one that took its place."""
        if entity is None:
            return None
        while entity in self.successors:
            entity = self.successors[entity]
        return self.entities.get(entity)

    def _several(self, mention: Mention | None, role: str | None) -> tuple[str, ...]:
        """Return which things an unclear mention may mean."""
        if mention is None:
            return ()
        if mention.role is not None:
            return tuple(self.holders.get(role_slug(mention.role), ()))
        found = self._named(mention.text)
        return tuple(e.id for e in (found if role is None else _fitting(found, role)))

    def _refuse(self, kind: str) -> None:
        self.linked.refused[kind] = self.linked.refused.get(kind, 0) + 1

    def _value(self, claim: Claim, resolved: Resolved, role: str | None) -> Value | None:
        mention = claim.object
        if mention is None:
            return None
        kind = _LITERALS.get(resolved.predicate.value) if resolved.known else None
        if kind is None and mention.kind is not ValueKind.ENTITY and not resolved.flipped:
            kind = mention.kind
        if kind is not None and not resolved.flipped:
            return Value.literal(mention.text, kind)
        named_as_role = role if not mention.is_self and not claim.subject.role else None
        typed = replace(
            mention,
            kind=ValueKind.ENTITY,
            types=tuple(dict.fromkeys((*mention.types, *_object_types(resolved)))),
        )
        entity = self._name_role_holder(typed, named_as_role) or self._entity(typed, named_as_role)
        return None if entity is None else Value.entity(entity)

    def _name_role_holder(self, mention: Mention, role: str | None) -> Entity | None:
        """Give a name to somebody known so far by role alone: "my landlord is Mr. Reyes"."""
        if role is None or mention.is_self or mention.role is not None:
            return None
        nameless = self.by_key.get(_ROLE_KEY + role)
        if not nameless or self._named(mention.text) or self.holders.get(role):
            return None
        entity = self.entities[nameless[0]]
        named = replace(
            entity,
            name=mention.text,
            # The role goes to whoever holds it next.
            key=normal_key(mention.text),
            aliases=(*entity.aliases, entity.name),
        )
        self.by_key.pop(_ROLE_KEY + role)
        self._write(named)
        return named

    def _directed(
        self, claim: Claim, resolved: Resolved, subject: Entity, value: Value | None
    ) -> Link | None:
        polarity = claim.polarity.flipped if resolved.negated else claim.polarity
        slug = resolved.predicate.slug
        if not resolved.flipped:
            return Link(claim.id, subject.id, slug, value, polarity)
        if value is None or value.kind is not ValueKind.ENTITY:
            return None
        return Link(claim.id, value.key, slug, Value.entity(subject), polarity)

    def _learn(self, claim: Claim, link: Link, roles: Sequence[str]) -> None:
        """Let later claims of the batch know what this one tells of names and roles."""
        for end in (link.subject, link.object.key if link.object else ""):
            entity = self.entities.get(end)
            if entity is not None:
                for name in (entity.name, *entity.aliases):
                    self.recent[normal_key(name)] = entity.id
        positive = link.polarity is Polarity.POSITIVE and claim.form is not Form.END
        if link.predicate in NAMING and positive and link.object is not None:
            self._alias(link.subject, link.object.text)
        me = self._find_self()
        if me is None or link.object is None or not positive:
            return
        if me.id in (link.subject, link.object.key):
            holder = link.object.key if link.subject == me.id else link.subject
            for role in roles:
                self._hold(role, holder)

    def _alias(self, entity_id: str, name: str) -> None:
        entity = self.entities.get(entity_id)
        if entity is None or name in (entity.name, *entity.aliases):
            return
        if any(other != entity_id for key in name_keys(name) for other in self.by_key.get(key, ())):
            return  # the name is somebody else's already
        self._write(replace(entity, aliases=(*entity.aliases, name)))


def _fitting(found: Iterable[Entity], role: str) -> list[Entity]:
    """Return the things that may be in a role, whatever else they are."""
    return [e for e in found if not any(exclude(role, t) for t in e.types)]


def roles_given(ontology: Ontology, slug: str, qualifiers: Qualifiers) -> list[str]:
    """Return the roles that a relation gives its other end."""
    return _roles(slug, qualifiers, _only_roles(ontology))


def _roles(slug: str, qualifiers: Qualifiers, only: Mapping[str, str]) -> list[str]:
    for name, value in qualifiers:
        if name == "role":
            return [role_slug(value)]
    return [only[slug]] if slug in only else []


def _object_types(resolved: Resolved) -> tuple[str, ...]:
    predicate = resolved.predicate
    return predicate.subject_types if resolved.flipped else predicate.object_types


@lru_cache(maxsize=8)  # a registry never changes, and few are open at once
def _only_roles(ontology: Ontology) -> Mapping[str, str]:
    """Return, by predicate, the role it gives its other end, where it gives just one."""
    roles: defaultdict[str, list[str]] = defaultdict(list)
    for role, name in RELATION_OF_ROLE.items():
        if role_slug(role) == role:
            roles[ontology.get(name).slug].append(role)
    return {slug: found[0] for slug, found in roles.items() if len(found) == 1}
