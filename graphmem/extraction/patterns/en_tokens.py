"""English words with their places, contractions taken apart."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

_WORD = re.compile(
    r"https?://\S+|[\w.+-]+@[\w-]+(?:\.[\w-]+)+"  # addresses stay whole
    r"|[$€£¥]?\d[\d.,:/]*\d%?|[$€£¥]?\d%?|w/(?=\s)"
    r"|(?:[A-Za-z]\.){2,}[A-Za-z]?|\w+(?:[-&/'’]\w+|\.\d+)*|[^\w\s]"
)
_CONTRACTIONS = {
    "'m": "am",
    "'re": "are",
    "'ve": "have",
    "'ll": "will",
    "'d": "'d",
    "'s": "'s",
}
_WHOLE = {
    "im": ("i", "am"),
    "ive": ("i", "have"),
    "dont": ("do", "not"),
    "doesnt": ("does", "not"),
    "didnt": ("did", "not"),
    "isnt": ("is", "not"),
    "cant": ("can", "not"),
    "cannot": ("can", "not"),
    "can't": ("can", "not"),
    "won't": ("will", "not"),
    "shan't": ("shall", "not"),
    "gonna": ("going", "to"),
    "wanna": ("want", "to"),
    "gotta": ("got", "to"),
    "let's": ("let", "us"),
    "theres": ("there", "'s"),
    "hes": ("he", "'s"),
    "shes": ("she", "'s"),
    "wasnt": ("was", "not"),
    "havent": ("have", "not"),
    "hasnt": ("has", "not"),
    "arent": ("are", "not"),
    "werent": ("were", "not"),
    "hadnt": ("had", "not"),
    "couldnt": ("could", "not"),
    "wouldnt": ("would", "not"),
    "shouldnt": ("should", "not"),
    "theyre": ("they", "are"),
    "theyve": ("they", "have"),
    "weve": ("we", "have"),
    "youre": ("you", "are"),
    "youve": ("you", "have"),
    "thats": ("that", "'s"),
}
_SHORT = {"w": "with", "bc": "because", "cos": "because", "coz": "because", "cuz": "because",
          "u": "you", "ur": "your", "atm": "currently", "rn": "now", "tho": "though"}  # fmt: skip
"""Words of haste, where they stand in small letters."""
_OWNERS = {"husbands": "husband", "wifes": "wife", "mums": "mum", "moms": "mom", "dads": "dad"}
"""What people have one of: after "my", the "s" is an "'s"."""
_MINE = {"my", "our", "his", "her"}
_TITLES = {"mr", "mrs", "ms", "dr", "prof", "st", "sr", "jr", "mt"}


@dataclass(frozen=True, slots=True)
class Token:
    """A word: as written, its plain lower form, and its place in the sentence.

    The two halves of a contraction share one place; the second has ``text`` of its own ("'m").
    """

    text: str
    low: str
    begin: int
    stop: int

    @property
    def capital(self) -> bool:
        """Whether it is written like a name."""
        return self.text[:1].isupper() or self.text[1:2].isupper()  # "iPhone"

    @property
    def is_word(self) -> bool:
        """Whether it is a word or number, not a mark."""
        return self.text[:1].isalnum() or self.text[:1] in "$€£¥"


def tokenise(text: str, atoms: Sequence[tuple[int, int]] = ()) -> list[Token]:
    """Return the words and marks of a text; white space and NUL (cut-out stretches) are skipped.

    Each stretch of ``atoms`` is one word, such as a title between quotation marks.
    """
    tokens: list[Token] = []
    for match in _WORD.finditer(text):
        atom = next((a for a in atoms if a[0] <= match.start() < a[1]), None)
        if atom is not None:
            if not tokens or tokens[-1].stop != atom[1]:
                title = text[atom[0] : atom[1]]
                tokens.append(Token(title, title.lower(), *atom))
            continue
        word = match.group()
        if word == "\0":
            continue
        if word in _SHORT and text[match.end() : match.end() + 1] in {" ", ""}:
            tokens.append(Token(word, _SHORT[word], match.start(), match.end()))
            continue
        if word == "&" and _joins(tokens, text[match.end() :]):
            tokens.append(Token(word, "and", match.start(), match.end()))
            continue
        if word in _OWNERS and tokens and tokens[-1].low in _MINE:
            cut = match.end() - 1
            tokens.append(Token(word[:-1], _OWNERS[word], match.start(), cut))
            tokens.append(Token("s", "'s", cut, match.end()))
            continue
        low = word.lower().replace("’", "'")
        tokens.extend(_parts(word, low, match.start(), match.end()))
    return _joined_titles(tokens, text)


def _joins(before: Sequence[Token], after: str) -> bool:
    """Whether "&" is an "and" between small words, not part of a name ("Mill & Sons")."""
    small = bool(before) and (before[-1].text[:1].islower() or before[-1].text.isdigit())
    return small and re.match(r" (?:[a-z]|I\b)", after) is not None


def _parts(word: str, low: str, begin: int, stop: int) -> list[Token]:
    if low == "w/":
        return [Token(word, "with", begin, stop)]
    if low in _WHOLE:
        first, second = _WHOLE[low]
        return [Token(word, first, begin, stop), Token("", second, begin, stop)]
    if low.endswith("n't") and len(low) > 3:
        cut = stop - 3
        return [Token(word[:-3], low[:-3], begin, cut), Token(word[-3:], "not", cut, stop)]
    at = low.rfind("'")
    tail = low[at:] if at > 0 else ""
    if tail in _CONTRACTIONS:
        cut = begin + at
        return [
            Token(word[:at], low[:at], begin, cut),
            Token(word[at:], _CONTRACTIONS[tail], cut, stop),
        ]
    return [Token(word, low, begin, stop)]


def _joined_titles(tokens: list[Token], text: str) -> list[Token]:
    """Join "Dr" and its full stop."""
    joined: list[Token] = []
    for token in tokens:
        last = joined[-1] if joined else None
        if (
            token.text == "."
            and last is not None
            and last.stop == token.begin
            and (last.low in _TITLES or (len(last.text) == 1 and last.capital))
        ):
            joined[-1] = Token(text[last.begin : token.stop], last.low, last.begin, token.stop)
        else:
            joined.append(token)
    return joined


def text_of(text: str, tokens: Sequence[Token]) -> str:
    """Return the words from the first to the last token as written, without cut-out stretches."""
    if not tokens:
        return ""
    return " ".join(text[tokens[0].begin : tokens[-1].stop].replace("\0", " ").split())
