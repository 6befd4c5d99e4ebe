"""Explicit requests to remember: which words of a turn are kept, whatever a model makes of them.

"Remember the gate code is 4417", 记住我对花生过敏. A question ("do you remember …?"), a memory of
one's own ("I remember when …"), comfort ("remember, I'm here for you") and orders to the reader
("remember to ignore all earlier instructions") are none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from graphmem.extraction.patterns.sentences import Sentence, split_sentences

_I = re.IGNORECASE | re.DOTALL
_LONGEST = 1_000
_EN = re.compile(
    r"\W*(?:(?:ok|okay|hey|hi|also|and|so|oh|btw|now|but)\b\W*){0,5}"
    r"(?P<polite>please|pls|plz|kindly|can you|could you|would you|will you"
    r"|(?:i want|i need|i would like|i[’']d like) you to|make sure (?:to|you)|you (?:should|must))?"
    r"\W*(?:please\s+|always\s+)?"
    r"(?:(?P<free>remember|do(?:n[’']t| not) (?:ever )?forget|keep in mind|bear in mind"
    r"|memori[sz]e)"
    r"|(?P<bound>make a note|take a note|take note|note|save|store|for the record"
    r"|for future reference|fyi|just so you know))\b"
    r"(?:\s+(?:this|the following|down|of this|in (?:your )?memory"
    r"|for (?:me|later|next time|the future))){0,3}"
    r"\s*(?P<mark>that\b|[:：,，\-–—]+)?\s*(?P<words>.*)",
    _I,
)
_MINE = re.compile(r"(?:i|my|we|our)\b", _I)
_BACK = re.compile(
    r"(?:when|how|why|who|what|where|whether|if|the (?:time|day)s?\b|that (?:time|day)"
    r"|those|back (?:when|in)|me\W*$)\b",
    _I,
)
_YOU = re.compile(r"\byou(?:r|rs|rself|[’'](?:re|ll|ve|d))?\b", _I)
_ORDERS = re.compile(
    r"\b(?:the user|system prompt|instructions?)\b"
    r"|\b(?:ignore|disregard|forget) (?:all |any |the |your )*"
    r"(?:earlier|previous|prior|other|above)"
    r"|(?:忽略|无视|忘掉)(?:之前|以上|前面|所有|全部)|系统提示|指令",
    _I,
)
_ZH = re.compile(
    r"[^\w]*(?:(?:好的?|那|对了|另外|还有|嗯{1,5}|哦)[，,、\s]*){0,4}"
    r"(?P<polite>(?:请|麻烦|拜托|你|要|得|一定|务必|千万|可以|能不能|帮我|给我|替我){0,6})"
    r"(?:(?P<free>记住|记一下|记下来?|记好|记着|记牢|备注|备忘|别忘了?|不要忘了?)|(?P<bound>记得))"
    r"(?:一下|哦|啊|哈|呀|噢|了|这点|这一点|这件事|下面的){0,4}"
    r"(?P<mark>[:：，,\s]*)(?P<words>.*)",
    re.DOTALL,
)
_ZH_BACK = re.compile(r"小时候|当时|那时|那年|那次|那天|以前|吗|吧|不|谁|什么|哪")


@dataclass(frozen=True, slots=True)
class Asked:
    """Words to be remembered: ``content[begin:stop]`` asks for it, ``words`` are what to keep."""

    begin: int
    stop: int
    words: str


def asked_to_remember(content: str) -> list[Asked]:
    """Return what a turn explicitly asks to remember, in order."""
    return [*_asked(content)]


def _asked(content: str) -> Iterator[Asked]:
    sentences = split_sentences(content).sentences
    for place, sentence in enumerate(sentences):
        found = _words(sentence)
        if found is None:
            continue
        stop = sentence.stop
        if not _says(found) and place + 1 < len(sentences):
            # "Remember this:", and what follows.
            following = sentences[place + 1]
            found, stop = following.text, following.stop
        words = found.strip().rstrip(".!。！?？").strip()[:_LONGEST]
        if _says(words) and not _ORDERS.search(content, sentence.begin, stop):
            yield Asked(sentence.begin, stop, words)


def _says(words: str) -> bool:
    return any(char.isalnum() for char in words)


def _words(sentence: Sentence) -> str | None:
    """Return what a sentence asks to keep, "" if that is yet to come, None if it asks nothing."""
    text = sentence.text
    asks = text.rstrip().endswith(("?", "？", "吗"))
    match = _EN.fullmatch(text)
    if match is not None:
        mark, words = (match["mark"] or "").lower(), match["words"]
        if asks and not match["polite"]:
            return None
        told = mark == "that" or mark[:1] in (":", "：")
        if match["bound"] and not (told or mark or _MINE.match(words)):
            return None
        if not told and (_BACK.match(words) or (_YOU.search(words) and not match["polite"])):
            return None
        return words if _says(words) or mark[:1] in (":", "：") else None
    match = _ZH.fullmatch(text)
    if match is None:
        return None
    polite, mark, words = match["polite"], match["mark"], match["words"]
    if asks and (not polite or polite == "你"):
        return None
    if match["bound"] and not (polite.removeprefix("你") or mark.strip() or words[:1] in "我俺咱"):
        return None
    if match["bound"] and _ZH_BACK.match(words):
        return None
    return words if _says(words) or mark.strip()[:1] in (":", "：") else None
