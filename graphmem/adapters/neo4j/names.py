"""Names that go into the database itself: relationship types, labels and keys of indexes.

A type or a label, once made, can never be removed from a Neo4j, is seen by whoever may see the
database, and there can be no more than some ten thousands. So only words that the ontology
declares become one; whatever else somebody says is a property of a plain relationship.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from datetime import UTC, tzinfo

from graphmem.model.predicate import Predicate

PLAIN = "RELATES_TO"
"""The type of a relation whose predicate the ontology does not declare."""
NEGATIVE = "NOT_"


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


OWN_TYPES = _words(
    "ABOUT GAVE_WAY_TO IN_NAME NAMES OBJECT PART_OF RELATES_TO RESTS_ON REVISION_OF SAID_IN "
    "SAME_AS SELF SUBJECT_OF SUPERSEDES"
)
OWN_LABELS = _words(
    "Change Chunk Claim Entity Episode Fact Lease Meta Migration Name Outbox Record Revision Scope "
    "Term"
)
"""What the store itself means something by; no word of an ontology becomes one of these."""

USUAL_TYPES = ("person", "place", "organisation", "animal", "book", "event", "language", "product")

_TYPE_LIMIT = 60
_NOT_IN_A_NAME = re.compile(r"[^A-Za-z0-9]+")

# Where characters from here on are compared, it matters which way: by code points as texts that
# are stored, or by pairs of surrogates as a text that is sent.
_APART = re.compile("[\ud7ff-\U0010ffff]")

_KEY_LIMIT = 200
_KEPT = _KEY_LIMIT - 33


class Vocabulary:
    """How people see the graph: the relationship types and labels that an ontology gives, and the
    ``zone`` of dates."""

    def __init__(self, predicates: Iterable[Predicate], zone: tzinfo = UTC) -> None:
        self.zone = zone
        types: set[str] = set(USUAL_TYPES)
        self._edges: dict[str, str] = {}
        self._families: list[tuple[str, str]] = []
        for predicate in predicates:
            types.update(predicate.subject_types, predicate.object_types)
            edge = edge_type(predicate.slug)
            if edge is None:
                continue
            if "*" in predicate.slug:
                self._families.append((predicate.slug.partition("*")[0], edge))
            else:
                self._edges[predicate.slug] = edge
        self._labels = {name: label for name in types if (label := type_label(name))}

    def edge(self, predicate: str, *, negative: bool) -> str:
        """Return the type of the relationships that stand for facts of ``predicate``."""
        edge = self._edges.get(predicate) or next(
            (edge for start, edge in self._families if start and predicate.startswith(start)), PLAIN
        )
        return f"{NEGATIVE}{edge}" if negative else edge

    def labels(self, types: Iterable[str]) -> list[str]:
        """Return the labels of an entity of ``types``, sorted."""
        return sorted({self._labels[name] for name in types if name in self._labels})


def edge_type(slug: str) -> str | None:
    """Return ``slug`` as a relationship type; None if nothing is left of it, or it is our own."""
    name = _NOT_IN_A_NAME.sub("_", slug).strip("_").upper()
    usable = 0 < len(name) <= _TYPE_LIMIT and name not in OWN_TYPES
    return name if usable and not name.startswith(NEGATIVE) else None


def type_label(name: str) -> str | None:
    """Return an entity type as a label ("Person"); None if nothing is left, or it is our own."""
    parts = _NOT_IN_A_NAME.split(name)
    label = "".join(part[:1].upper() + part[1:] for part in parts)
    return label if 0 < len(label) <= _TYPE_LIMIT and label not in OWN_LABELS else None


def indexed(text: str | None) -> str:
    """Return what stands for ``text`` in an index, which holds no key over some 8,000 bytes.

    Equal for equal texts only: a long one ends in its hash. Empty for None.
    """
    if text is None:
        return ""
    if len(text) <= _KEY_LIMIT:
        return text
    digest = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
    return f"{text[:_KEPT]}#{digest}"


def sortable(text: str) -> str:
    """Return what sorts as ``text`` does by code points, however the server compares it."""
    return _APART.sub(lambda found: f"\ud7ff{ord(found[0]):06x}", text)
