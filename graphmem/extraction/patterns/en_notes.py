"""English sentences that speak to the memory: notes, standing instructions, corrections."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from graphmem.extraction.patterns.sentences import words
from graphmem.model.claim import Correction, Form, Modality, Polarity
from graphmem.model.draft import Draft

_I = re.IGNORECASE
_POLITE = r"\W*(?:(?:ok|okay|hey|hi|also|and|so|oh|btw)\W+)*(?:please|pls|could you|can you)?\s*"
_NOTE = re.compile(
    _POLITE
    + r"(?:(?:remember|note|keep in mind|bear in mind|don[’']t forget|make a note|save|store)"
    r"(?: this| the following)?(?: that\b|\s*:|(?=,? (?:I|my|we|our)\b))"
    r"|for future reference[,:]|for the record[,:]"
    r"|fyi[,:]|just so you know[,:]?)\s*(?P<content>.+)",
    _I | re.DOTALL,
)
_FROM_NOW = re.compile(
    r"\W*(?:from (?:now on|today(?: on)?|here on)|going forward|in (?:the )?future|henceforth)\b"
    r"[,:]?\s*(?:please |i want you to |i[’']d like you to |you should )?(?P<content>.+)",
    _I | re.DOTALL,
)
_ALWAYS = re.compile(
    _POLITE + r"(?P<when>always|never)\s+(?P<content>(?P<verb>(?!give up)[a-z]+)\b.+)",
    _I | re.DOTALL,
)
_STYLE_VERBS = words(
    "reply answer give use write call address show include respond keep speak explain format cite"
    " add avoid start end provide send tell ask put mention convert list talk suggest recommend"
    " make translate summarise summarize present state quote round sign spell return check"
)
_CALLED = re.compile(
    r"(?:(?:^|[,;]|\bbut\b|\band\b|\bso\b)\W*"
    r"(?i:(?:everyone|everybody|people|friends|my friends|my family|they|folks)"
    r"(?: just| usually| always| also)? calls? me|(?:please |just |you can |you may )+call me)"
    r"|\A(?i:call me))"
    r"\s+(?P<name>[\"“]?[A-Z][\w'’-]*(?:\s[A-Z][\w'’-]*)?[\"”]?)\s*"
    r"(?:[.,!]|$| but| by| from now| please| instead| and)",
)
_NOT_NAMED = words("monday tuesday wednesday thursday friday saturday sunday tomorrow back later")
_MEANT = re.compile(
    r"\W*(?:(?:no|sorry|oops|wait|ah|oh|actually|correction|hmm|er|um|well|my bad|my mistake)\b"
    r"\W*)*"
    r"(?:i (?:actually )?(?:meant|mean)(?: to say)?|make that|it should be|should be)\s*[:,]?\s*"
    r"(?P<new>[^,.;!?]+?)(?:,? (?:and )?not (?P<old>[^,.;!?]+))?\s*[.!]*",
    _I,
)
_ITS = re.compile(
    r"\W*(?:(?:no|sorry|oops|wait|actually|correction|my bad|my mistake)\b\W*)+"
    r"(?:it[’']?s|it is|that[’']?s|s?he[’']s|s?he is)\s+(?P<new>[^,.;!?]+?)"
    r"(?:,? (?:and )?not (?P<old>[^,.;!?]+))?\s*[.!]*",
    _I,
)
_NOT_BUT = re.compile(
    r"\W*(?:(?:no|sorry|oops|wait|actually|correction|i mean)\b\W*)*not (?P<old>[^,.;!?]+?)"
    r"(?: but|,) (?P<new>[^,.;!?]+)\s*[.!]*",
    _I,
)
_NOT_A_VALUE = words(
    "it this that you i we he she they so to do did is are was were have not really just what"
    " how if when good great fine ok okay true sure well too much very bad wrong right"
)
_CONTENT_LIMIT = 400


@dataclass(frozen=True, slots=True)
class Note:
    """Something to keep in mind: its words, and whether it is a standing instruction."""

    content: str
    style: bool = False


def find_note(text: str) -> Note | None:
    """Return what a sentence asks to remember or to do from now on."""
    match = _FROM_NOW.fullmatch(text)
    if match:
        content = re.sub(r"^(?:always|please)\s+", "", match["content"].strip(), flags=_I)
        verb = content.split()[0].lower() if content.split() else ""
        if verb in _STYLE_VERBS or verb in {"never", "don't", "don’t", "no"}:
            return Note(_plain(content), style=True)
        return None
    match = _ALWAYS.fullmatch(text)
    if match and match["verb"].lower() in _STYLE_VERBS:
        never = match["when"].lower() == "never"
        content = f"never {match['content']}" if never else match["content"]
        return Note(_plain(content), style=True)
    match = _NOTE.fullmatch(text)
    if match and len(match["content"]) <= _CONTENT_LIMIT:
        return Note(_plain(match["content"]))
    return None


_ORDERS = re.compile(
    r"\bthe user\b"
    r"|\b(?:ignore|disregard|forget) (?:all |any |the )*(?:earlier|previous|prior|other)\b"
    r"|\b(?:system prompt|instructions?)\b",
    _I,
)


def worth_noting(content: str) -> bool:
    """Whether a note no pattern understood can be kept in its own words."""
    parts = content.split()
    if _ORDERS.search(content):
        return False  # told to the reader, not about the speaker
    if re.search(r"\byou(?:r|rs|rself)?\b", content, _I) or (
        parts[:1] and parts[0].endswith("ing")
    ):
        return False  # "remember, I'm always here for you": advice and comfort
    return len(parts) >= 3 and parts[0].lower() not in words(
        "you it this that these those there he she they if what when to we're it's that's you're"
        " we when how why who everyone nothing"
    )


def find_nickname(text: str) -> str | None:
    """Return what the speaker is called ("everyone calls me Bex")."""
    match = _CALLED.search(text)
    name = match["name"].strip('"“”') if match else ""
    return name if name and name.lower() not in _NOT_NAMED else None


def correct(text: str, drafts: Sequence[Draft]) -> Draft | None:
    """Return the draft that a correcting fragment puts in the place of an earlier one.

    The fragment names the new value, and perhaps the wrong one ("sorry, not Riga but Cesis").
    """
    for pattern in (_NOT_BUT, _MEANT, _ITS):
        match = pattern.fullmatch(text)
        if match is None:
            continue
        new, old = _value(match["new"]), _value(match["old"] or "")
        if not new or (match["old"] and not old):
            continue
        wrong = _draft_with(old, drafts) if old else _last(drafts)
        if wrong is None or wrong.object is None:
            return None
        return replace(
            wrong,
            object=replace(wrong.object, text=new, role=None),
            polarity=Polarity.POSITIVE,
            modality=Modality.ASSERTED,
            form=Form.STATE,
            start=None,
            end=None,
            qualifiers=wrong.qualifiers,
            correction=Correction(value=old or None),
            rule="en.correction",
        )
    return None


_ASKED_NICELY = re.compile(
    r"[\s,]+(?:pls|plz|please|thanks|thank you|thx|ok|okay|alright|will you|would you|lol)"
    r"\s*[.!?]*\Z",
    _I,
)


def _plain(text: str) -> str:
    """Return the words asked to be kept, without the courtesies behind them."""
    return _ASKED_NICELY.sub("", text.strip()).rstrip(".!").strip()


def _value(text: str) -> str:
    """Return a value the fragment names, or nothing if it can be no value."""
    value = re.sub(r"^(?:in|at|on|the|a|an|for|to|it[’']s)\s+", "", text.strip(), flags=_I)
    parts = value.split()
    if not parts or len(parts) > 5 or any(part.lower() in _NOT_A_VALUE for part in parts):
        return ""
    return value


def _draft_with(value: str, drafts: Sequence[Draft]) -> Draft | None:
    for draft in reversed(drafts):
        if draft.object is not None and draft.object.text.casefold() == value.casefold():
            return draft
    return None


def _last(drafts: Sequence[Draft]) -> Draft | None:
    """Return the draft last said, if its sentence said only that."""
    if not drafts:
        return None
    last = drafts[-1]
    same = [draft for draft in drafts if draft.quote == last.quote and draft.turn == last.turn]
    return last if len(same) == 1 else None
