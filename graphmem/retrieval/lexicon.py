"""A small list of words that mean the same in English and Chinese."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from typing import cast

from graphmem.model.terms import term_set, terms
from graphmem.resources import read_text
from graphmem.retrieval.calibration import script_of


@cache
def word_list() -> Mapping[str, tuple[str, ...]]:
    """Return, by stemmed word, the words of the other language that mean the same."""
    tables = cast(
        "dict[str, list[list[str]]]", tomllib.loads(read_text("schemas", "lexicon", "en-zh.toml"))
    )
    found: dict[str, set[str]] = {}
    for meanings in tables.values():
        for words in meanings:
            for word in words:
                others = {other for other in words if script_of(other) is not script_of(word)}
                found.setdefault(_stemmed(word), set()).update(others)
    return {word: tuple(sorted(others)) for word, others in found.items()}


def translations(name: str) -> tuple[str, ...]:
    """Return the names that the word list gives for ``name`` in the other language."""
    return word_list().get(_stemmed(name), ())


@cache
def _heads() -> frozenset[str]:
    return frozenset(word.partition(" ")[0] for word in word_list())


def in_list(text: str) -> bool:
    """Whether ``text`` may hold a word of the list; most questions do not."""
    return not _heads().isdisjoint(term_set(text))


def same_words(first: str, second: str) -> bool:
    """Whether two names differ in endings, case or accents only ("peanut", "Peanuts")."""
    return terms(first) == terms(second)


def _stemmed(name: str) -> str:
    return " ".join(sorted(terms(name).elements()))
