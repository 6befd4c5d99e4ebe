"""Other ways to write a time phrase that is no phrase as it stands: typed badly, or in two pieces.

"Lst month" is "last month"; "last week, on the Thursday" is "Thursday last week"; "March, the whole
month" is "March". Only words that somebody else took for a time phrase are looked at so, never a
text; and the grammars still decide what each way means.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from graphmem.extraction.normalize.text import listed

_LEAST = 3
_SWAPPED = 6
"""In words of so many letters one letter may also be another one."""
_OFTEN = listed(
    "last next this past since until month months week weeks weekend year years days ago yesterday "
    "today tomorrow tonight morning afternoon evening monday tuesday wednesday thursday friday "
    "saturday sunday january february march april june july august september october november "
    "december summer autumn winter spring beginning middle before after during"
)
_WORD = re.compile(r"[a-z]+", re.IGNORECASE)
_THE_DAY = re.compile(
    r"\b(?:on )?the (?=(?:mon|tues|wednes|thurs|fri|satur|sun)day\b)", re.IGNORECASE
)
_JOIN = re.compile(
    r"\s*[,，]\s*(?:(?:on|in) )?(?:the )?在?|\s+(?:on|in)\s+(?:the )?|(?<=[\u3400-\u9fff])的",
    re.IGNORECASE,
)
_WHOLE = re.compile(
    r"[,，]?\s*\b(?:for |during )?(?:(?:the |that )?(?:whole|entire)(?: (?:of|month|year|week))?"
    r"|all(?: of)?(?: (?:month|year|week))?)\b\s*|[,，]?一?整整?个?[月年周]?|[,，]?全[月年周]",
    re.IGNORECASE,
)


def respellings(phrase: str, vocabulary: frozenset[str]) -> Iterator[str]:
    """Yield other ways to write a phrase; ``vocabulary`` are the words that need no mending."""
    typed = _mended(phrase, vocabulary)
    if typed is None:
        return
    plain = _THE_DAY.sub("", typed)
    if plain != phrase:
        yield plain.strip()
    part = _WHOLE.sub(" ", plain, count=1).strip()
    if part and part != plain:
        yield part
    pieces = _JOIN.split(plain)
    if len(pieces) == 2 and all(pieces):
        first, second = pieces
        yield f"{first} {second}"
        yield f"{second} {first}"
        yield f"{second} of {first}"


def _mended(phrase: str, vocabulary: frozenset[str]) -> str | None:
    """Return a phrase with its mistyped words put right; None if one could be several."""
    whole = phrase
    for found in reversed(list(_WORD.finditer(phrase))):
        word = found.group().casefold()
        if word in vocabulary or len(word) < _LEAST:
            continue
        meant = [other for other in _OFTEN if _slips(word, other)]
        if len(meant) > 1:
            return None
        if meant:
            whole = whole[: found.start()] + meant[0] + whole[found.end() :]
    return whole


def _slips(typed: str, meant: str) -> bool:
    """Say whether one slip makes ``typed`` of ``meant``: a letter left out, doubled or crossed.

    The first letter is right; a letter too many is one that stands beside itself.
    """
    if typed[0] != meant[0] or len(meant) <= _LEAST or abs(len(typed) - len(meant)) > 1:
        return False
    at = next((i for i, (a, b) in enumerate(zip(typed, meant, strict=False)) if a != b), None)
    if at is None:
        at = min(len(typed), len(meant))
    if len(typed) < len(meant):
        return typed[at:] == meant[at + 1 :]
    if len(typed) > len(meant):
        return typed[at:] == typed[at - 1] + meant[at:] if at else False
    crossed = typed[at : at + 2] == meant[at : at + 2][::-1] and typed[at + 2 :] == meant[at + 2 :]
    swapped = len(meant) >= _SWAPPED and typed[at + 1 :] == meant[at + 1 :]
    return crossed or swapped
