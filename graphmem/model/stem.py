"""Light English stemming: plurals, -ing, -ed, and the y and e they leave behind.

The rules are the first and last steps of Porter's, so that one word's forms meet while most
different words stay apart. Words of other languages in Latin letters pass through the same
rules, on both sides alike.
"""

from __future__ import annotations

import re
from functools import lru_cache

_PLAIN = re.compile(r"[a-z]{4,40}")
_VOWEL = re.compile(r"[aeiou]|(?<=[^aeiouy])y")
_SYLLABLE = re.compile(r"(?:[aeiou]|(?<=[^aeiou])y)+(?:[^aeiouy]|(?<=[aeiou])y|^y)+")
_SHORT = re.compile(r"[^aeiou][aeiouy][^aeiouwxy]$")
"""Consonant, vowel, consonant: "hop", "liv"; such a stem has lost an e or keeps it."""
_DOUBLE = re.compile(r"([^aeioulsz])\1$")
_WHOLE = frozenset(
    (
        *("anything", "ceiling", "during", "evening", "everything"),
        *("morning", "news", "nothing", "pudding", "something"),
    )
)
"""Words that only look like a form of another word."""
_IRREGULAR = {
    "buses": "bus",
    "children": "child",
    "feet": "foot",
    "goes": "go",
    "knives": "knife",
    "mice": "mouse",
    "teeth": "tooth",
    "wives": "wife",
    "women": "woman",
}


@lru_cache(maxsize=20_000)
def stem(word: str) -> str:
    """Return the stem of a folded word; anything but 4 to 40 letters a to z stays as it is."""
    if not _PLAIN.fullmatch(word) or word in _WHOLE:
        return word
    word = _IRREGULAR.get(word, word)
    bare = _without_ending(_singular(word))
    if bare.endswith("y") and len(bare) > 3 and _VOWEL.search(bare[:-1]):
        return bare[:-1] + "i"
    if bare.endswith("gic") and len(bare) > 5:  # allergic, strategic: as allergy, strategy
        return bare[:-1]
    if bare.endswith("e") and len(bare) > 3:
        rest = bare[:-1]
        syllables = len(_SYLLABLE.findall(rest))
        if syllables > 1 or (syllables == 1 and not _SHORT.search(rest)):
            return rest
    return bare


def _singular(word: str) -> str:
    if word.endswith("ies") and len(word) > 4:
        return word[:-2]
    if word.endswith(("sses", "shes", "ches", "xes", "zzes")) and len(word) > 4:
        return word[:-2]
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def _without_ending(word: str) -> str:
    if word.endswith("ied"):
        return word[:-2] if len(word) > 4 else word[:-1]
    if word.endswith("eed"):
        return word[:-1] if _SYLLABLE.search(word[:-3]) else word
    for ending in ("ing", "ed"):
        rest = word.removesuffix(ending)
        if rest == word or len(rest) < 2 or not _VOWEL.search(rest):
            continue
        if rest.endswith(("at", "bl", "iz")):
            return rest + "e"
        if len(rest) > 3 and _DOUBLE.search(rest):
            return rest[:-1]
        lost_e = len(rest) == 2 or (len(_SYLLABLE.findall(rest)) == 1 and _SHORT.search(rest))
        return rest + "e" if lost_e and rest[-1] not in "aeiou" else rest
    return word
