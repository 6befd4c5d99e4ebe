"""How many tokens a text costs, where no tokenizer is at hand.

A quarter of a token for an ASCII letter, digit or space, half for ASCII punctuation and for letters
of other alphabets, one and a half for a Han, Kana or Hangul character and for anything else (emoji,
rare scripts). That is on the safe side for prose; lists of short JSON fields cost some more.
"""

from __future__ import annotations

import math

from graphmem.model.terms import CJK


def estimate(text: str) -> int:
    """Return how many tokens ``text`` costs, rounded up."""
    return math.ceil(sum(map(_quarters, text)) / 4)


def reach(text: str, begin: int, tokens: int) -> int:
    """Return how far from ``begin`` a text goes on for ``tokens``: the first place beyond them."""
    left = 4 * tokens
    for place in range(begin, len(text)):
        left -= _quarters(text[place])
        if left < 0:
            return place
    return len(text)


def _quarters(char: str) -> int:
    """Return what a character costs, in quarters of a token."""
    if char.isascii():
        return 1 if char.isalnum() or char == " " else 2
    if CJK.match(char):
        return 6
    return 2 if char.isalpha() else 6
