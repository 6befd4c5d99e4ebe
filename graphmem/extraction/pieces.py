"""How much is read in one call: turns in groups, long turns in pieces."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from graphmem.extraction.patterns.sentences import split_sentences
from graphmem.extraction.prompts import Piece
from graphmem.model.episode import Episode, Role
from graphmem.model.tokens import estimate, reach

_READ = (Role.USER, Role.DOCUMENT)
_MOST_PIECES = 40
_SMALLEST = 400
"""A piece is not halved below so many characters."""
_OVERLAP = 240
"""The longest sentence that is read again with what follows it."""
_SENTENCE_END = re.compile(r"[.!?。！？…]+[\"'”’」』)）]*\s+|[。！？]|\n")
_BORDER = re.compile(r"\n\s*\n|[.!?。！？…]+[\"'”’」』)）]*\s+|[。！？]|\n|[,，;；]\s*|\s")


def readable(turns: Iterable[Episode]) -> list[Piece]:
    """Return the turns that may claim anything: of users and documents, with words of their own."""
    return [
        Piece(turn, 0, len(turn.content))
        for turn in turns
        if turn.role in _READ and split_sentences(turn.content).sentences
    ]


def plan(pieces: Iterable[Piece], budget: int) -> list[list[Piece]]:
    """Return groups, each for one call, of at most ``budget`` tokens by estimate.

    A turn stays whole if it fits into a call.
    """
    groups: list[list[Piece]] = []
    room = 0
    for piece in (part for whole in pieces for part in _cut(whole, budget)):
        size = estimate(piece.text)
        if not groups or size > room or len(groups[-1]) >= _MOST_PIECES:
            groups.append([])
            room = budget
        groups[-1].append(piece)
        room -= size
    return groups


def _cut(piece: Piece, budget: int) -> list[Piece]:
    parts: list[Piece] = []
    content, begin = piece.turn.content, piece.begin
    while (far := max(begin + 1, reach(content, begin, budget))) < piece.stop:
        size = far - begin
        stop = _border(content, begin + size // 2, far)
        parts.append(Piece(piece.turn, begin, stop))
        begin = max(begin + 1, _again(content, stop, min(_OVERLAP, size // 4)))
    return [*parts, Piece(piece.turn, begin, piece.stop)]


def halves(group: Sequence[Piece]) -> list[list[Piece]]:
    """Return ``group`` in two, or nothing if it is too small for that."""
    if len(group) > 1:
        middle = len(group) // 2
        return [list(group[:middle]), list(group[middle:])]
    (piece,) = group
    size = piece.stop - piece.begin
    if size < 2 * _SMALLEST:
        return []
    stop = _border(piece.turn.content, piece.begin + size // 3, piece.begin + size * 2 // 3)
    again = _again(piece.turn.content, stop, min(_OVERLAP, size // 4))
    return [[Piece(piece.turn, piece.begin, stop)], [Piece(piece.turn, again, piece.stop)]]


def _again(content: str, stop: int, most: int) -> int:
    """Return where the next piece begins: at the sentence before a border, if that is short.

    What is said across the border is then read whole; what is read twice is the same claim.
    """
    begin = 0
    for mark in _SENTENCE_END.finditer(content, max(0, stop - most), stop):
        if content[mark.end() : stop].strip():
            begin = mark.end()
    return begin or stop


def _border(content: str, begin: int, stop: int) -> int:
    """Return the end of a sentence between two places, else of a clause or word, else ``stop``."""
    best, rank = stop, 9
    for mark in _BORDER.finditer(content, begin, stop):
        text = mark.group()
        worth = 0 if text.count("\n") > 1 else 1 if text[0] in ".!?。！？…" else 2
        worth = worth if text.strip() or worth == 0 else 3
        if worth <= rank:
            best, rank = mark.end(), worth
    return best


def token_limit(group: Iterable[Piece]) -> int:
    """Return an output limit for what is read: enough for dense turns, an end for endless ones."""
    text = "".join(piece.text for piece in group)
    wide = sum(char > "\u2e80" for char in text)
    tokens = wide + (len(text) - wide) // 4
    return min(16_000, 4_000 + 12 * tokens)
