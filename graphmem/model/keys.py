"""Opaque keys of the index: what stands for words where words must not be."""

from __future__ import annotations

from graphmem.model.predicate import Ontology
from graphmem.model.scope import Scope, opaque


def predicate_key(scope: Scope, slug: str, ontology: Ontology) -> str:
    """Return a declared predicate's slug as it is, any other's (also a family's member) opaque.

    A slug that is not in the registry is made of somebody's words.
    """
    declared = any(slug == predicate.slug for predicate in ontology)
    return slug if declared else opaque(scope, "predicate", slug)
