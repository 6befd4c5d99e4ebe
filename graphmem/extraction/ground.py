"""Whether words that a model gives back were really said: quotes and names found in texts."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

HAN = re.compile(r"[\u3400-\u9fff]")
"""A Chinese character."""
_CJK = r"\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
_WORD = re.compile(rf"[{_CJK}]|\d+|[^\W\d_{_CJK}]+")
_SAME = str.maketrans(
    {"’": "'", "‘": "'", "“": '"', "”": '"', "–": "-", "—": "-", "−": "-", "…": "..."}
)
_OUTER = " \t\r\n\"'“”‘’「」『』.…,，。;；"
_GAP = re.compile(r"\.{3,}|…+|\[\.*…?\]")
_FUNCTION_WORDS = frozenset(
    "a an the of in at on to and or for with from by s my our his her their its 的 了 和".split()  # noqa: SIM905
)
_SUFFIX = re.compile(r"(?<=[a-z]{3})(?:ies|ing|ed|es|s|e|y)$")


@lru_cache(maxsize=4096)
def _fold_char(char: str) -> str:
    folded = unicodedata.normalize("NFKD", char.translate(_SAME)).casefold()
    return "".join(folded.split())


class Said:
    """A text in which quotes are found whatever their spacing, case and width."""

    def __init__(self, content: str) -> None:
        self.content = content
        folded: list[str] = []
        self._places: list[int] = []
        for place, char in enumerate(content):
            piece = _fold_char(char)
            folded.append(piece)
            self._places.extend([place] * len(piece))
        self._folded = "".join(folded)

    def find(self, quote: str, begin: int = 0) -> tuple[int, int] | None:
        """Return where ``quote`` stands, as ``(begin, stop)`` in ``content``, or None.

        A quote that leaves something out ("I live … in York") is the stretch from its first part
        to its last.
        """
        parts = [part for part in _GAP.split(quote.strip(_OUTER)) if part.strip(_OUTER)]
        first = last = None
        for part in parts[:5]:
            span = self._find_part(part.strip(_OUTER), begin)
            if span is None:
                return None
            first, last = first or span, span
            begin = span[1]
        if first is None or last is None:
            return None
        # What was left out must be less than what was kept, and not a paragraph.
        whole = last[1] - first[0]
        return (first[0], last[1]) if len(parts) == 1 or whole <= 2 * len(quote) + 40 else None

    def _find_part(self, part: str, begin: int) -> tuple[int, int] | None:
        wanted = "".join(_fold_char(char) for char in part)
        if not wanted or not any(char.isalnum() for char in wanted):
            return None
        at = self._folded.find(wanted)
        tries = 0
        while at >= 0 and tries < 1000:
            start = self._places[at]
            stop = self._places[at + len(wanted) - 1] + 1
            if start >= begin and self._at_border(start) and self._at_border(stop):
                while stop < len(self.content) and unicodedata.combining(self.content[stop]):
                    stop += 1
                return start, stop
            at = self._folded.find(wanted, at + 1)
            tries += 1
        return None

    def _at_border(self, place: int) -> bool:
        """Say whether ``place`` is not inside a word of a script that has words."""
        if place in (0, len(self.content)):
            return True
        return not (_is_word_char(self.content[place - 1]) and _is_word_char(self.content[place]))


def _is_word_char(char: str) -> bool:
    return char.isalnum() and not re.match(rf"[{_CJK}]", char)


def word_list(text: str) -> list[str]:
    """Return the words of a text, folded: letters, digits, single Han, Kana or Hangul signs."""
    plain = unicodedata.normalize("NFKD", text).casefold()
    plain = "".join(char for char in plain if not unicodedata.combining(char))
    return _WORD.findall(unicodedata.normalize("NFKC", plain))


def stem(word: str) -> str:
    """Return a Latin word without its common endings."""
    return _SUFFIX.sub("", word) if len(word) > 3 else word


class Words:
    """The words of one or several texts, in which names are looked up."""

    def __init__(self, texts: Iterable[str]) -> None:
        lists = [word_list(text) for text in texts]
        # A bar between texts keeps a name from being found across two of them.
        self._run = f" {' | '.join(' '.join(words) for words in lists)} "
        self._stems = f" {' | '.join(' '.join(map(stem, words)) for words in lists)} "
        self._set = {stem(word) for words in lists for word in words}

    def have(self, name: str) -> bool:
        """Say whether ``name`` stands there as a run of words, endings apart."""
        words = word_list(name)
        if not words:
            return False
        run, stems = " ".join(words), " ".join(map(stem, words))
        return f" {run} " in self._run or f" {stems} " in self._stems

    def have_each(self, name: str) -> bool:
        """Say whether each telling word of ``name`` stands there, in whatever order."""
        words = [word for word in word_list(name) if word not in _FUNCTION_WORDS]
        if not words:
            return False
        if any(len(word) == 1 and re.match(rf"[{_CJK}]", word) for word in words):
            # Single characters say little: they must come in order, and be enough of them.
            return len(words) >= 4 and self._in_order(words)
        return all(stem(word) in self._set for word in words)

    def _in_order(self, words: list[str]) -> bool:
        at = 0
        for word in words:
            found = self._run.find(f" {word} ", at)
            if found < 0:
                return False
            at = found + len(word)
        return True
