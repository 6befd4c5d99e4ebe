"""Text to tokens: what the time grammars read.

Each token is a run of digits, a run of letters, one Han character, or one other visible character.
Full-width forms, case and traditional characters are folded; offsets stay those of the text given.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache

_TRADITIONAL = (
    "週禮後個點時號從開過來幾兩間這鐘鍾內當現裡裏與節國慶聖誕勞動婦兒師親萬農曆歷陰陽舊總晝閏"
)
_SIMPLIFIED = (
    "周礼后个点时号从开过来几两间这钟钟内当现里里与节国庆圣诞劳动妇儿师亲万农历历阴阳旧总昼闰"
)
_FOLD = dict(zip(_TRADITIONAL, _SIMPLIFIED, strict=True))
_SAME = {
    "–": "-", "—": "-", "―": "-", "‐": "-", "‑": "-", "−": "-", "〜": "~", "～": "~",
    "’": "'", "‘": "'", "，": ",", "。": ".", "：": ":", "、": "、",
}  # fmt: skip


class Kind(Enum):
    """What a token is made of."""

    DIGITS = "digits"
    LETTERS = "letters"
    HAN = "han"
    SIGN = "sign"


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of text: folded, with its place ``[begin, stop)`` in the text given."""

    text: str
    kind: Kind
    begin: int
    stop: int


def listed(text: str) -> tuple[str, ...]:
    """Return the words of a list written as one text."""
    return tuple(text.split())


def tokenize(text: str) -> tuple[Token, ...]:
    """Return the tokens of a text, in order; white space only separates."""
    tokens: list[Token] = []
    begin = 0
    run = ""
    run_kind = Kind.SIGN
    for place, raw in enumerate(text):
        char, kind = _read(raw)
        if run and (kind is not run_kind or kind not in (Kind.DIGITS, Kind.LETTERS)):
            tokens.append(Token(run, run_kind, begin, place))
            run = ""
        if kind is None:
            continue
        if not run:
            begin, run_kind = place, kind
        run += char
        if kind in (Kind.HAN, Kind.SIGN):
            tokens.append(Token(run, kind, begin, place + 1))
            run = ""
    if run:
        tokens.append(Token(run, run_kind, begin, len(text)))
    return tuple(tokens)


@lru_cache(maxsize=4096)
def _read(raw: str) -> tuple[str, Kind | None]:
    char = _fold(raw)
    return char, _kind(char)


def _fold(char: str) -> str:
    """Fold one character to one character, so that offsets stay."""
    if char in _SAME:
        return _SAME[char]
    wide = unicodedata.normalize("NFKC", char)
    folded = (wide if len(wide) == 1 else char).lower()
    folded = folded if len(folded) == 1 else char
    return _SAME.get(folded) or _FOLD.get(folded, folded)


def _kind(char: str) -> Kind | None:
    if char.isspace():
        return None
    if char.isascii() and char.isdigit():
        return Kind.DIGITS
    if "\u3400" <= char <= "\u9fff" or char == "〇":
        return Kind.HAN
    if char.isalpha():
        return Kind.LETTERS
    return Kind.SIGN
