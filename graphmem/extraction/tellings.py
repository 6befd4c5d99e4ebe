"""Whose words a claim is, and in which sentence it is kept."""

from __future__ import annotations

import re

from graphmem.extraction.ground import HAN, Words
from graphmem.extraction.mentions import NAME_LIMIT, is_self_word, mention_of
from graphmem.extraction.patterns.sentences import words
from graphmem.extraction.view import Refused, TurnView
from graphmem.extraction.wire import WireClaim
from graphmem.model.claim import Mention
from graphmem.model.entity import ValueKind

STATEMENT_LIMIT = 500
_MACHINE = words("assistant ai bot chatbot system model you 你 您 助手 机器人 系统") | {
    "the assistant",
    "the ai",
    "the bot",
}
_NOBODY = words("none null nil n/a unknown nobody 无")
_DIGITS = re.compile(r"\d+")
_LATIN_WORD = re.compile(r"[^\W\d_]+")


def said_by(name: str, view: TurnView) -> str | None:
    """Return whose words the speaker passes on; None for the speaker's own.

    Raises:
        Refused: "hearsay": they are of whoever is spoken to, who can say so.
    """
    text = " ".join(name.split())
    folded = text.casefold()
    if not text or folded in _NOBODY or len(text) > NAME_LIMIT or is_self_word(text):
        return None
    if folded in _MACHINE:
        raise Refused("hearsay")
    try:
        teller = mention_of(text, ValueKind.ENTITY, view)
    except Refused:
        return None  # nobody the turn speaks of
    return None if teller.is_self or teller == view.me else teller.text


def statement_of(
    claim: WireClaim, target: Mention | None, view: TurnView, language: str | None
) -> str:
    """Return the model's sentence if it says no more than was said, in the language wanted."""
    text = " ".join(claim.statement.split())
    if not text or len(text) > STATEMENT_LIMIT or not _in_language(text, target, view, language):
        return ""
    written = Words([text])
    named = target is None or target.is_self
    if target is not None and not named:
        named = written.have(target.text) or written.have_each(target.text)
    if not named:
        return ""
    numbers = _DIGITS.findall(view.turn.content + claim.object + (target.text if target else ""))
    return text if all(number in numbers for number in _DIGITS.findall(text)) else ""


def _in_language(text: str, target: Mention | None, view: TurnView, language: str | None) -> bool:
    """Say whether a sentence is in the turn's language, or the one that is set.

    Names stay as they were written, so their letters say nothing of the language.
    """
    rest = text if target is None else text.replace(target.text, "")
    if language is None:
        return bool(HAN.search(rest)) == bool(HAN.search(view.turn.content))
    if language == "zh":
        return bool(HAN.search(rest))
    foreign = "".join(HAN.findall(rest))
    names = view.turn.content + "".join(view.known.people)
    return bool(_LATIN_WORD.search(rest)) and all(char in names for char in foreign)
