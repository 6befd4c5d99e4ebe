"""English as it is typed in haste: sentences without their subject."""

from __future__ import annotations

import re
from collections.abc import Sequence

from graphmem.extraction.patterns import en_words as w
from graphmem.extraction.patterns.en_tokens import Token
from graphmem.extraction.patterns.en_verbs import VerbForm, Verbs
from graphmem.extraction.patterns.sentences import words

_TOLD = words(
    "moved joined left quit got bought sold adopted graduated started began switched became signed"
    " took gave stopped worked lived grew met retired resigned inherited turned enrolled divorced"
    " visited studied relocated went used broke sprained tore hurt"
)
"""Past forms with which people begin a sentence about themselves ("Joined Acme last May")."""
_FOLLOWED = {
    "used": "to", "took": "up", "gave": "up", "broke": "my", "sprained": "my", "tore": "my",
    "hurt": "my",
}  # fmt: skip
_NO_SUBJECT = words("by")


def with_speaker(tokens: list[Token], verbs: Verbs) -> list[Token]:
    """Put the "I" before a sentence that leaves it out: "Joined Acme in May", "Can't eat nuts".

    The word has no text of its own, and stands where the verb does.
    """
    at = 0
    while at < len(tokens) and (
        not tokens[at].is_word
        or (tokens[at].low in w.OPENERS | w.ADVERBS and tokens[at].low not in w.SELF)
    ):
        if [one.low for one in tokens[at : at + 2]] == ["no", "longer"]:
            break
        at += 1
    if at + 1 >= len(tokens) or not _begins(tokens[at:], verbs):
        return tokens
    first = tokens[at]
    left_out = ("i", *_LEFT_OUT.get(first.low, ()))
    return [*tokens[:at], *_supplied(left_out, first), *tokens[at:]]


_LEFT_OUT = {"been": ("have",), "no": ("am",)}
"""The verb that is left out with the "I" ("Been here since May", "No longer at Orla")."""


def _supplied(lows: Sequence[str], before: Token) -> list[Token]:
    """Return words that were left out before a word: they take no room in the sentence."""
    return [Token("", low, before.begin, before.begin) for low in lows]


def without_chatter(tokens: list[Token]) -> list[Token]:
    """Drop the small talk a sentence ends in ("… btw", "… haha thanks")."""
    stop = len(tokens)
    while stop and (not tokens[stop - 1].is_word or tokens[stop - 1].low in _CHATTER):
        if tokens[stop - 1].low in {"'s", ")", '"', "”"}:
            break
        stop -= 1
    spoken = any(token.low in _CHATTER for token in tokens[stop:])
    return tokens[:stop] if spoken and stop else tokens


_CHATTER = words(
    "btw lol haha hahaha tbh fyi imo imho pls plz please thanks thx cheers ok okay right though tho"
    " honestly anyway lmao xd lols sadly obviously mate guys ngl fwiw"
)


_SORRY = re.compile(
    r"(?:(?:oh|ah|no|oops|wait|sorry|actually|ok|hmm|hang on) )*(?:scratch that|my mistake|my bad"
    r"|i (?:mixed|got|muddled) (?:it|that|them|those)(?: all)? (?:up|wrong|mixed up)"
    r"|i (?:misspoke|was wrong)|that 's (?:wrong|not right)|correction)"
)


def without_apology(tokens: list[Token]) -> list[Token]:
    """Drop the words that only announce a correction ("scratch that, the key's in …")."""
    for at, token in enumerate(tokens[:10]):
        if token.text in {",", "-", "–", "—", ":", ";"}:
            head = " ".join(one.low for one in tokens[:at] if one.is_word or one.low == "'s")
            if _SORRY.fullmatch(head):
                return tokens[at + 1 :]
    return tokens


_BEFORE_I = w.OPENERS | {",", "!", "-", ":", "–", "—"}
_ALSO = words(
    "living working based studying married divorced single widowed vegan vegetarian originally from"
    " retired engaged pescatarian"
)
"""What people add of themselves without a verb: "I'm 41, divorced, living in Norwich"."""


def with_fragments(tokens: list[Token]) -> list[Token]:
    """Put "I am" before what is added after commas to "I'm …"."""
    at = 0
    while at + 1 < len(tokens) and tokens[at].low in _BEFORE_I:
        at += 1
    if at + 1 >= len(tokens) or tokens[at].low != "i" or tokens[at + 1].low != "am":
        return tokens
    result: list[Token] = []
    for place, token in enumerate(tokens):
        first = place > at + 2 and tokens[place - 1].low in {",", "and"}
        listed = first and tokens[place - 1].low == ","
        if token.low in _ALSO and (listed or (first and token.low in {"living", "working"})):
            result += _supplied(("i", "am"), token)
        elif listed and _is_note(tokens, place):
            trade = token.low in w.OCCUPATIONS
            result += _supplied(("i", "am", "a") if trade else ("i", "am"), token)
        result.append(token)
    return result


def _is_note(tokens: Sequence[Token], at: int) -> bool:
    """Whether an age or a trade stands alone between commas: "I'm Soraya, 29, nurse, …"."""
    low = tokens[at].low
    closed = at + 1 >= len(tokens) or tokens[at + 1].low in {",", ".", "!"}
    return closed and (low in w.OCCUPATIONS or (low.isdigit() and 12 < int(low) < 100))


_LEADS_IN = words(
    "bg background context about fyi info update correction note btw start starting thing things"
    " details situation facts basics intro summary reminder heads-up"
)


def without_lead_in(tokens: list[Token]) -> list[Token]:
    """Drop what announces the speaker's own words ("quick bg before we start: I'm 34")."""
    for at, token in enumerate(tokens[:14]):
        if token.text != ":" or at + 1 >= len(tokens):
            continue
        announced = any(one.low in _LEADS_IN for one in tokens[:at])
        own = tokens[at + 1].low in w.SELF | w.POSSESSIVE | _TOLD
        return tokens[at + 1 :] if announced and own else tokens
    return tokens


def parted(tokens: list[Token]) -> list[Token]:
    """Put the comma behind "as a kid", where the clause begins that it belongs to."""
    lows = [token.low for token in tokens[:4]]
    child = lows[:1] == ["as"] and lows[1:2] == ["a"] and len(lows) == 4 and lows[3] in w.SELF
    if not child:
        return tokens
    comma = Token(",", ",", tokens[3].begin, tokens[3].begin)
    return [*tokens[:3], comma, *tokens[3:]]


def _begins(tokens: Sequence[Token], verbs: Verbs) -> bool:
    low, following = tokens[0].low, tokens[1].low
    if low == "no" and following == "longer":
        return len(tokens) > 3 and tokens[2].low in {"at", "with", "in", "on"}
    if following in _NO_SUBJECT or (not tokens[1].text[:1].isalnum() and following != "not"):
        return False
    if low in {"can", "have"} and following == "not":  # "Can't eat nuts"; "don't" is an order
        return len(tokens) > 2
    if low in {"am", "was"}:
        return following in {"in", "at", "with", "born", "not"}
    if low == "been" and (following.endswith("ing") or following in w.DIETS):
        return True
    if low not in _TOLD or (low in _FOLLOWED and following != _FOLLOWED[low]):
        return False
    return verbs.base(low, VerbForm.PAST) is not None
