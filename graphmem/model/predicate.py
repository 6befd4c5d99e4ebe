"""The registry of predicates: what a relation is, and how its values behave."""

from __future__ import annotations

import hashlib
import json
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from enum import StrEnum
from fnmatch import fnmatchcase

from graphmem.errors import InputError


class Cardinality(StrEnum):
    """How many values a subject has at a time."""

    ONE = "one"
    MANY = "many"


class PredicateKind(StrEnum):
    """What sort of thing a predicate tells."""

    STATE = "state"
    EVENT = "event"
    PREFERENCE = "preference"
    CONSTRAINT = "constraint"
    ATTRIBUTE = "attribute"


class ValueType(StrEnum):
    """What a predicate's object is."""

    ENTITY = "entity"
    TEXT = "text"
    NUMBER = "number"
    DATE = "date"
    NONE = "none"


@dataclass(frozen=True, slots=True, kw_only=True)
class Predicate:
    """One relation.

    Attributes:
        slug: canonical ``snake_case`` name; a pattern such as ``favourite_*`` is a family.
        cardinality: ONE if a new value takes the place of the old.
        kind: state, event, preference, constraint or attribute.
        value: what its object is.
        symmetric: holds both ways.
        inverse: the slug that says the same from the object's side; stored in this direction.
        opposite: the slug that says no to the same object.
        contained: a wider value (the country of a town) only repeats the narrower one.
        discriminators: names of qualifiers that tell values apart.
        subject_types, object_types: entity types it implies.
        half_life_days: how fast it goes stale in ranking; None for what does not.
        aliases: other slugs for it.
        surfaces: words for it by language ("en", "zh").
        labels: a verb phrase by language for statements made by us, with ``{o}`` for the object.
    """

    slug: str
    cardinality: Cardinality = Cardinality.MANY
    kind: PredicateKind = PredicateKind.STATE
    value: ValueType = ValueType.ENTITY
    symmetric: bool = False
    inverse: str | None = None
    opposite: str | None = None
    contained: bool = False
    discriminators: tuple[str, ...] = ()
    subject_types: tuple[str, ...] = ()
    object_types: tuple[str, ...] = ()
    half_life_days: float | None = None
    aliases: tuple[str, ...] = ()
    surfaces: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    labels: Mapping[str, str] = field(default_factory=dict[str, str])

    @property
    def is_event(self) -> bool:
        """Whether it tells of something that happened, once and for ever."""
        return self.kind is PredicateKind.EVENT


_NOT_WORD = re.compile(r"[^\w]+")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


def slugify(words: str) -> str:
    """Return ``words`` as a ``snake_case`` slug; letters of every script are kept.

    Raises:
        InputError: no letter or digit is left.
    """
    text = unicodedata.normalize("NFKC", _CAMEL.sub("_", words)).casefold()
    slug = _NOT_WORD.sub("_", text).strip("_")
    slug = re.sub(r"_+", "_", slug)
    if not slug:
        raise InputError(f"predicate {words!r} has no letter or digit; name the relation")
    if len(slug) > 100:
        raise InputError(f"predicate {words[:40]!r}… has {len(slug)} characters; the limit is 100")
    return slug


@dataclass(frozen=True, slots=True)
class Resolved:
    """A predicate found by what it was called.

    Attributes:
        predicate: the one that is stored.
        flipped: it was called by its inverse, so subject and object change places.
        negated: it was called by its opposite, so the polarity turns.
        known: whether the registry declares it.
    """

    predicate: Predicate
    flipped: bool = False
    negated: bool = False
    known: bool = True


class Ontology:
    """The predicates in force, found by slug, alias, inverse, opposite or family."""

    def __init__(self, predicates: Iterable[Predicate]) -> None:
        self._by_slug: dict[str, Predicate] = {}
        self._families: list[Predicate] = []
        self._names: dict[str, Resolved] = {}
        for predicate in predicates:
            self._by_slug[predicate.slug] = predicate
        for predicate in self._by_slug.values():
            if "*" in predicate.slug:
                self._families.append(predicate)
                continue
            self._name(predicate.slug, predicate.slug)
            for alias in predicate.aliases:
                self._name(alias, predicate.slug)
            if predicate.inverse:
                self._name(predicate.inverse, predicate.slug, flipped=True)
            if predicate.opposite:
                self._name(predicate.opposite, predicate.slug, negated=True)

    def _name(self, name: str, slug: str, *, flipped: bool = False, negated: bool = False) -> None:
        entry = Resolved(self._by_slug[slug], flipped, negated)
        other = self._names.setdefault(slugify(name), entry)
        if (other.predicate.slug, other.flipped, other.negated) != (slug, flipped, negated):
            raise InputError(
                f"predicate name {name!r} means both {other.predicate.slug!r} and {slug!r}; keep "
                "one of them"
            )

    def __iter__(self) -> Iterator[Predicate]:
        return iter(self._by_slug.values())

    def __len__(self) -> int:
        return len(self._by_slug)

    def resolve(self, name: str) -> Resolved:
        """Find a predicate by any of its names; an unknown one is a ``many`` of its own.

        Raises:
            InputError: ``name`` holds no letter or digit, or is over 100 characters.
        """
        found = self._names.get(name)  # most names are slugs already
        if found is not None:
            return found
        slug = slugify(name)
        found = self._names.get(slug)
        if found is not None:
            return found
        for family in self._families:
            if fnmatchcase(slug, family.slug):
                return Resolved(_member(family, slug))
        return Resolved(Predicate(slug=slug), known=False)

    def get(self, slug: str) -> Predicate:
        """Return the stored predicate named ``slug`` (declared, of a family, or unknown)."""
        return self.resolve(slug).predicate

    def extended(self, more: Iterable[Predicate]) -> Ontology:
        """Return a new registry in which ``more`` adds to and replaces these.

        A name that ``more`` uses is no alias of another predicate here any longer.
        """
        added = {predicate.slug: predicate for predicate in more}
        taken = {slugify(n) for p in added.values() for n in _names(p) if "*" not in n}
        merged = {
            slug: replace(p, aliases=tuple(a for a in p.aliases if slugify(a) not in taken))
            for slug, p in self._by_slug.items()
        }
        return Ontology((merged | added).values())

    def semantics(self) -> dict[str, dict[str, object]]:
        """Return, by slug, everything that can change what is believed (no words, no labels)."""
        return {
            p.slug: {k: v for k, v in asdict(p).items() if k not in _WORDS}
            for p in sorted(self._by_slug.values(), key=lambda p: p.slug)
        }

    @property
    def digest(self) -> str:
        """A hash of ``semantics``."""
        text = json.dumps(self.semantics(), sort_keys=True, ensure_ascii=False)
        return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


def _names(predicate: Predicate) -> list[str]:
    names = (predicate.slug, *predicate.aliases, predicate.inverse, predicate.opposite)
    return [name for name in names if name]


_WORDS = frozenset({"surfaces", "labels", "half_life_days"})


def _member(family: Predicate, slug: str) -> Predicate:
    return Predicate(
        slug=slug,
        cardinality=family.cardinality,
        kind=family.kind,
        value=family.value,
        discriminators=family.discriminators,
        object_types=family.object_types,
        half_life_days=family.half_life_days,
    )
