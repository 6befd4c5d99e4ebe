"""Keyword terms: the one tokenizer behind sparse vectors, term tables and full-text fields.

Words are folded (NFKC, casefold, accents off Latin, Greek and Cyrillic letters) and English
endings are taken off lightly; runs of Han, Kana or Hangul give single characters and bigrams.
Nothing in a text is ever syntax.
"""

from __future__ import annotations

import hashlib
import math
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import pairwise

from graphmem.model.stem import stem

K1 = 1.2
B = 0.75
AVERAGE_LENGTH = 32
"""What BM25 takes as the usual number of terms: a turn of talk. It is fixed, so that a document's
weights never depend on what else is stored; facts (about 8) count a little more, full chunks
(about 100) a little less."""

TERM_LIMIT = 64
"""Longer terms (encoded blobs) end in a hash, so that any index can hold them."""

_CJK = (
    "\u3005\u3007\u3021-\u3029\u3038-\u303b\u3041-\u3096\u3099\u309a\u309d-\u309f\u30a1-\u30fa"
    "\u30fc-\u30ff\u3105-\u312f\u31a0-\u31bf\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
    "\u1100-\u11ff\ua960-\ua97c\uac00-\ud7a3\ud7b0-\ud7fb\U00020000-\U0003fffd"
)
CJK = re.compile(f"[{_CJK}]")
"""A character of a script whose words are not set apart by spaces: Han, Kana or Hangul."""

_INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e0fff]+"
)
_TOKEN = re.compile(rf"(?P<cjk>[{_CJK}]+)|(?P<number>\d+(?:\.\d+)+)|[^\s.'{_CJK}]+")
_THOUSANDS = re.compile(r"(?<![\d,.])\d{1,3}(?:,\d{3})+(?![\d,])")
_CONTRACTED = re.compile(r"'(?:s|m|d|ll|re|ve)(?!\w)")
_NEGATED = re.compile(r"n't(?!\w)")

_PIECE = 512
_APOSTROPHES = "'’ʼ‘＇`´"
_KEPT_APART = {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "ħ": "h", "ı": "i", "æ": "ae", "œ": "oe"}
_ACCENTED_SCRIPTS = ("LATIN", "GREEK", "CYRILLIC")
_MARK_BLOCKS = (
    (0x0300, 0x036F),
    (0x0483, 0x0489),
    (0x1AB0, 0x1AFF),
    (0x1DC0, 0x1DFF),
    (0x20D0, 0x20FF),
    (0xFE20, 0xFE2F),
)
"""Combining marks of Latin, Greek and Cyrillic letters; voiced sound marks of Kana and the vowel
signs of other scripts are not among them, since they make other words."""


class _Fold(dict[int, str]):
    """Maps a code point to what a term keeps of it; fills itself, so ``translate`` is fast."""

    def __missing__(self, code: int) -> str:
        kept = self[code] = _kept(chr(code))
        return kept


def _kept(char: str) -> str:
    if char in _KEPT_APART:
        return _KEPT_APART[char]
    if char in _APOSTROPHES:
        return "'"
    if char in ".,":
        return char
    if any(first <= ord(char) <= last for first, last in _MARK_BLOCKS):
        return ""
    category = unicodedata.category(char)
    if category[0] not in "LNM":
        return " "
    base = unicodedata.normalize("NFD", char)[0]
    if base != char and unicodedata.name(base, "").startswith(_ACCENTED_SCRIPTS):
        return base
    return char


_FOLD = _Fold()


def _pieces(text: str) -> Iterator[str]:
    """Yield ``text`` in pieces that Unicode normalisation handles in linear time altogether.

    Normalising sorts runs of combining marks one by one, which a hostile text makes quadratic.
    """
    start = 0
    while start < len(text):
        end = start + _PIECE
        # Do not part a letter from its marks, unless there are more marks than anyone writes.
        for cut in range(end, end + 16):
            if cut >= len(text) or not unicodedata.combining(text[cut]):
                end = cut
                break
        yield text[start:end]
        start = end


def _folded(text: str) -> str:
    if text.isascii():  # as most texts are
        return text.lower().translate(_FOLD)
    seen = _INVISIBLE.sub("", text)
    if not seen.isascii():
        seen = "".join(unicodedata.normalize("NFKC", piece) for piece in _pieces(seen))
        seen = _INVISIBLE.sub("", seen)
    lower = seen.casefold()
    if not lower.isascii():
        lower = "".join(unicodedata.normalize("NFKC", piece) for piece in _pieces(lower))
    return lower.translate(_FOLD)


def _tokens(text: str) -> Iterator[str]:
    folded = _folded(text)
    if "," in folded:
        folded = _THOUSANDS.sub(lambda found: found[0].replace(",", ""), folded)
    if "'" in folded:
        folded = _NEGATED.sub("nt", _CONTRACTED.sub(" ", folded))
    folded = folded.replace(",", " ")
    for found in _TOKEN.finditer(folded):
        if found["cjk"]:
            run = found["cjk"]
            yield from run
            yield from map("".join, pairwise(run))
        else:
            yield found[0] if found["number"] else stem(found[0])


def _shortened(term: str) -> str:
    if len(term) <= TERM_LIMIT:
        return term
    return f"{term[: TERM_LIMIT - 33]}#{_digest(term, 16).hex()}"


def _digest(term: str, size: int) -> bytes:
    # A lone surrogate cannot reach a term by way of ``terms``, but callers may bring their own.
    return hashlib.blake2b(term.encode("utf-8", "surrogatepass"), digest_size=size).digest()


def terms(text: str) -> Counter[str]:
    """Count the terms of ``text``; takes anything, in linear time."""
    return Counter(map(_shortened, _tokens(text)))


@lru_cache(maxsize=4096)
def term_set(text: str) -> frozenset[str]:
    """Return the terms of a name or another short text, which come again and again."""
    return frozenset(terms(text))


_FUNCTION_WORDS = """
a about am an and any are as at be been being but by can could did do does doing dont for from had
has have he her here him his how i if in into is it its just me my of on or our she so some than
that the their them then there these they this those to us was we were what when where which who
whom whose why will with would you your
"""
_STOP_WORDS = frozenset(stem(word) for word in _FUNCTION_WORDS.split())
_STOP_CHARACTERS = frozenset(
    "的地得了着过吗呢吧啊呀嘛么之是在有和与及或也都就还又我你您他她它们这那哪谁什怎个"
)


def query_terms(text: str) -> Counter[str]:
    """Count the terms of a question, without words that tell nothing, where others remain."""
    counts = terms(text)
    telling = Counter({term: n for term, n in counts.items() if is_telling(term)})
    return telling or counts


def is_telling(term: str) -> bool:
    """Whether a term of a question tells anything by itself."""
    return term not in _STOP_WORDS and not _STOP_CHARACTERS.issuperset(term)


def document_weights(counts: Mapping[str, int]) -> dict[str, float]:
    """Return each term's BM25 weight in a document (k1 1.2, b 0.75), without its IDF."""
    length = sum(counts.values())
    damping = K1 * (1 - B + B * length / AVERAGE_LENGTH)
    return {term: n * (K1 + 1) / (n + damping) for term, n in counts.items()}


def idf(points: int, frequency: int) -> float:
    """Return how telling a term is that ``frequency`` of ``points`` documents hold; at least 0."""
    held = min(frequency, points)
    return math.log1p((points - held + 0.5) / (held + 0.5))


def term_hash(term: str) -> int:
    """Return the unsigned 32-bit number that stands for a term in sparse vectors."""
    return int.from_bytes(_digest(term, 4), "big")


def sparse(weights: Mapping[str, float]) -> dict[int, float]:
    """Return weights by term hash; terms that share one add up."""
    result: dict[int, float] = {}
    for term, weight in weights.items():
        key = term_hash(term)
        result[key] = result.get(key, 0.0) + weight
    return result
