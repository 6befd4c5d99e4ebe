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
    quarters = 0
    for char in text:
        if char.isascii():
            quarters += 1 if char.isalnum() or char == " " else 2
        elif CJK.match(char):
            quarters += 6
        else:
            quarters += 2 if char.isalpha() else 6
    return math.ceil(quarters / 4)
