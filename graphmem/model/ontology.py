"""Reads predicate declarations (TOML) into a registry."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import fields, replace
from functools import cache
from typing import Any, cast

from graphmem.errors import InputError
from graphmem.model.predicate import Cardinality, Ontology, Predicate, PredicateKind, ValueType
from graphmem.resources import read_text

LANGUAGES = ("en", "zh")

_ENUMS = {"cardinality": Cardinality, "kind": PredicateKind, "value": ValueType}
_FIELDS = {field.name for field in fields(Predicate)}

Table = Mapping[str, Any]  # Any: what a TOML table holds is checked field by field below.


def parse_predicates(text: str, origin: str = "ontology") -> list[Predicate]:
    """Read ``[[predicate]]`` tables; fields are those of ``Predicate``.

    Raises:
        InputError: not TOML, an unknown field, or a value a field cannot have; ``origin`` is named.
    """
    try:
        tables = tomllib.loads(text).get("predicate", [])
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{origin} is not valid TOML: {error}") from error
    return [_predicate(table, origin) for table in tables]


def _predicate(table: Table, origin: str) -> Predicate:
    slug = table.get("slug")
    if not isinstance(slug, str) or not slug:
        raise InputError(f"{origin}: a predicate has no slug: {dict(table)!r}")
    unknown = sorted(set(table) - _FIELDS)
    if unknown:
        raise InputError(
            f"{origin}: predicate {slug!r} has the unknown field {unknown[0]!r}; "
            f"fields are {', '.join(sorted(_FIELDS))}"
        )
    values: dict[str, Any] = {}
    for name, value in table.items():
        if name in _ENUMS:
            try:
                values[name] = _ENUMS[name](value)
            except ValueError as error:
                allowed = ", ".join(repr(member.value) for member in _ENUMS[name])
                raise InputError(
                    f"{origin}: predicate {slug!r} has {name} = {value!r}; it is one of {allowed}"
                ) from error
        elif name == "surfaces":
            values[name] = {language: tuple(words) for language, words in value.items()}
        elif isinstance(value, list):
            values[name] = tuple(cast("list[str]", value))
        else:
            values[name] = value
    return Predicate(**values)


def parse_words(text: str) -> dict[str, tuple[tuple[str, ...], str]]:
    """Read a file of words: a table per slug with ``surfaces`` and ``label``."""
    return {
        slug: (tuple(table.get("surfaces", ())), table.get("label", ""))
        for slug, table in tomllib.loads(text).items()
    }


def with_words(predicates: Iterable[Predicate], language: str, text: str) -> list[Predicate]:
    """Return the predicates with the words of one language added.

    Raises:
        InputError: words for a slug that is not there.
    """
    words = parse_words(text)
    result: list[Predicate] = []
    for predicate in predicates:
        surfaces, label = words.pop(predicate.slug, ((), ""))
        result.append(
            replace(
                predicate,
                surfaces={**predicate.surfaces, language: surfaces},
                labels={**predicate.labels, language: label} if label else predicate.labels,
            )
        )
    if words:
        raise InputError(f"words.{language}.toml names unknown predicates: {sorted(words)}")
    return result


@cache
def default_ontology() -> Ontology:
    """Return the registry that ships with graphmem."""
    predicates = parse_predicates(read_text("schemas", "ontology", "core.toml"), "core.toml")
    for language in LANGUAGES:
        text = read_text("schemas", "ontology", f"words.{language}.toml")
        predicates = with_words(predicates, language, text)
    return Ontology(predicates)
