"""How near is near? Cosines compared with those of text that has nothing to do with it.

Embedders differ: some put everything between 0.7 and 0.9, others between 0 and 0.6, and most put
text of the question's own language nearer. So a cosine is read as *lift*: 0 where unrelated text of
the same script lies, 1 where identical text lies. Floors on lift hold for every embedder.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum

import numpy as np

from graphmem.errors import EmbedderError
from graphmem.model.terms import CJK
from graphmem.ports.embedder import Embedder, Vector


class Script(StrEnum):
    """Which background a text is held against."""

    SPACED = "spaced"
    CJK = "cjk"


def script_of(text: str) -> Script:
    """Return the script that most of ``text`` is in; a Han character weighs as much as three
    letters."""
    if text.isascii():
        return Script.SPACED
    cjk = len(CJK.findall(text))
    if cjk * 3 > len(text) - cjk:  # so many letters cannot be among the rest
        return Script.CJK
    letters = sum(map(str.isalpha, text)) - cjk
    return Script.CJK if cjk * 3 > letters else Script.SPACED


SENTENCES: Mapping[Script, tuple[str, ...]] = {
    Script.SPACED: (
        "The weather was mild on Tuesday.",
        "He paid the invoice by bank transfer.",
        "The train leaves from platform four.",
        "A new shelf was put up in the hall.",
        "The committee will meet again in spring.",
        "She repaired the old bicycle.",
        "Water boils at a hundred degrees.",
        "The report has twelve pages.",
    ),
    Script.CJK: (
        "今天天气不错。",
        "他昨天付了账单。",
        "火车从四号站台出发。",
        "委员会春天再开会。",
        "她修好了旧自行车。",
        "报告有十二页。",
        "墙上挂了一个新架子。",
        "水在一百度沸腾。",
    ),
}
"""Plain sentences about nothing in particular: the background of statements and turns."""

WORDS: Mapping[Script, tuple[str, ...]] = {
    Script.SPACED: (
        "table", "Tuesday", "meeting", "umbrella", "invoice", "neighbour", "stone", "opinion",
        "staircase", "colour", "story", "screw",
    ),
    Script.CJK: (
        "桌子", "星期二", "会议", "雨伞", "发票", "邻居", "石头", "意见", "楼梯", "颜色", "故事",
        "螺丝",
    ),
}  # fmt: skip
"""The background of names."""


class Background:
    """The vectors of unrelated texts, made once for an embedder."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._made: dict[tuple[str, ...], np.ndarray] = {}  # the mean of their vectors

    async def level(self, vector: Vector | np.ndarray, texts: Sequence[str]) -> float:
        """Return the mean cosine of ``vector`` with unrelated ``texts``."""
        key = tuple(texts)
        made = self._made.get(key)
        if made is None:
            vectors = np.asarray(await self._embedder.documents(key), dtype=np.float64)
            made = self._made[key] = np.mean(vectors, axis=0)
        return float(made @ np.asarray(vector, dtype=np.float64))

    async def levels(
        self, vector: Vector, texts: Mapping[Script, tuple[str, ...]], scripts: Iterable[Script]
    ) -> dict[Script, float]:
        """Return the mean cosine by script."""
        one = np.asarray(vector, dtype=np.float64)
        return {script: await self.level(one, texts[script]) for script in sorted(set(scripts))}


def failed(error: EmbedderError) -> str:
    """Return how a note begins that says what an embedder did not do."""
    return f"the embedder failed ({error})"


def lift(cosine: float, background: float) -> float:
    """Return how far ``cosine`` lies above ``background``: 0 there (or below), 1 at 1."""
    if background >= 1.0 or cosine <= background:
        return 0.0
    raised = (cosine - background) / (1.0 - background)
    return raised if raised < 1.0 else 1.0


def cosine(lifted: float, background: float) -> float:
    """Return the cosine that lies ``lifted`` above ``background``."""
    return background + lifted * (1.0 - background)
