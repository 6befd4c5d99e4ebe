"""Who else "he" or "she" may mean, so that a pronoun is not given to the wrong person."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from graphmem.extraction.patterns import en_words as w
from graphmem.extraction.patterns.en_tokens import Token, tokenise
from graphmem.extraction.patterns.frame import Context
from graphmem.extraction.patterns.sentences import Sentence, words

_PRONOUN = re.compile(r"\b(?:s?he|her|his)\b", re.IGNORECASE)
FEMALE = words(
    "sister mother mum mom daughter aunt auntie niece grandmother grandma wife "
    "girlfriend fiancée landlady granddaughter mother-in-law sister-in-law "
    "daughter-in-law stepmother woman girl lady"
)
MALE = words(
    "brother father dad son uncle nephew grandfather grandpa husband boyfriend fiancé "
    "grandson father-in-law brother-in-law son-in-law stepfather man boy guy"
)
_SOMEBODY = words("woman girl lady man boy guy stranger neighbour neighbor friend colleague")
_PLACED = words("in at on near")
_SMALL_WORDS = (
    w.SELF
    | w.PLACEHOLDERS
    | w.OPENERS
    | w.ADVERBS
    | w.POSSESSIVE
    | w.THIRD_PERSON
    | w.DETERMINERS
    | words("can could would will should do does did is are was were please when where if for help")
)
_NO_PERSON = w.WEEKDAYS | w.MONTHS | w.NATIONALITIES | w.LANGUAGES | words("i")


def agrees(pronoun: str, role: str | None) -> bool:
    """Whether a pronoun can stand for somebody with that role."""
    head = (role or "").split(" ")[-1]
    return head not in (MALE if pronoun == "she" else FEMALE)


def somebody_else(
    pronoun: str, name: str, role: str | None, sentence: Sentence, context: Context
) -> bool:
    """Whether anybody but the person of this name was spoken of since, and may be meant.

    Looked for in what stands from the person's last naming up to the pronoun.
    """
    own = {part.casefold().strip(".") for part in (*name.split(), *(role or "").split())}
    things = {
        part
        for draft in context.drafts
        for mention in (draft.subject, draft.object)
        if mention is not None and "person" not in mention.types and draft.predicate != "met"
        for part in mention.text.casefold().split()
    }
    return any(
        _may_be(token, before, pronoun, things, first=at == 0)
        for text in _since(name, sentence, context)
        for at, (before, token) in enumerate(_pairs(tokenise(text)))
        if token.low.strip(".") not in own
    )


def _since(name: str, sentence: Sentence, context: Context) -> Iterator[str]:
    """Yield the sentences since the person was named, and this one up to the pronoun."""
    spoken = [each.text for each in context.sentences]
    at = next((n for n in range(len(spoken) - 1, -1, -1) if name in spoken[n]), 0)
    yield from spoken[at:]
    found = _PRONOUN.search(sentence.text)
    yield sentence.text[: found.start()] if found else sentence.text


def _pairs(tokens: Sequence[Token]) -> Iterator[tuple[str, Token]]:
    before = ""
    for token in tokens:
        yield before, token
        before = token.low


def _may_be(token: Token, before: str, pronoun: str, things: set[str], *, first: bool) -> bool:
    """Whether a word names, or is a noun for, a person the pronoun can mean."""
    low = token.low
    person = low in w.ROLES or low in _SOMEBODY or low in w.OCCUPATIONS
    if person and not first:
        animal = w.ROLES.get(low) == "has_pet"
        kind = before in w.POSSESSIVE | words("the a an 's her his their that this another")
        return kind and not animal and agrees(pronoun, low)
    if not token.capital or low in _NO_PERSON or low in things or before in _PLACED:
        return False
    return not (first and (low in _SMALL_WORDS or low in w.ROLES))
