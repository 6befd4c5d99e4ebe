"""Where in a text a time phrase can begin at all: a cheap look before the grammars are asked."""

from __future__ import annotations

from graphmem.extraction.normalize.numbers import HAN_NUMERALS, ONES, TENS
from graphmem.extraction.normalize.text import Kind, Token, listed

_WEAK = frozenset(
    (
        *listed(
            "in on at the a an of and or from to for by since until till before after during "
            "through between around about as back up over within this next last s d h w p q "
            "half no than later now , . ' - / : ( ) @ ~ 到 至 和 与 从 自 在 于 的 个 上 下 里 "
            "中 内 之 了 来 过 再 间 起 这 大 小 第 就 打 由 全 当 多 去 份 很 以"
        ),
        *ONES,
        *TENS,
        *HAN_NUMERALS,
    )
)
"""Words of the grammars that make no time phrase without another word or a figure."""


def beginnings(tokens: tuple[Token, ...], vocabulary: frozenset[str]) -> list[bool]:
    """Tell of each token whether a phrase that tells a time can begin there.

    A phrase is made of words of the ``vocabulary`` and figures only, and one of them at least is
    not a weak one; so a run of such words has to reach one that tells.
    """
    reaches = [False] * (len(tokens) + 1)
    for place in range(len(tokens) - 1, -1, -1):
        text = tokens[place].text
        if tokens[place].kind is Kind.DIGITS:
            reaches[place] = True
        elif text in vocabulary:
            reaches[place] = text not in _WEAK or reaches[place + 1]
    return reaches[:-1]
