"""Turns cut into the pieces that are indexed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Protocol

from graphmem.model.episode import Role
from graphmem.model.search import Chunk
from graphmem.model.terms import CJK

BYTES_LIMIT = 100_000
"""A turn of more bytes (UTF-8) is kept but not indexed."""
COST_LIMIT = 200
"""About 100 words, which cost 2 each, or 200 characters of Han, Kana or Hangul, which cost 1."""
WORD_LENGTH = 10
"""Longer words cost as much as the words they could hold."""

_CLOSERS = "\"'”’」』）)]"
_BORDER = re.compile(
    rf"(?<![.!?])[.!?]++[{re.escape(_CLOSERS)}]*+(?=\s|$)|[。！？…；]+[{re.escape(_CLOSERS)}]*|\n+"
)
"""Where a sentence ends; a point inside "3.5" is none."""
_OWN_BLOCK = re.compile(
    r"<graphmem-context\b[^<>]{0,300}>.*?(?:</graphmem-context\s{0,10}>|\Z)",
    re.IGNORECASE | re.DOTALL,
)
"""What ``context()`` gave out and an agent stored again with its prompt."""
_ATOM = re.compile(rf"{CJK.pattern}|[^\s{CJK.pattern[1:-1]}]{{1,{WORD_LENGTH}}}|\s+")


class Utterance(Protocol):
    """What is cut of a turn: an episode, or an outline of one."""

    @property
    def id(self) -> str:
        """The turn's id."""
        ...

    @property
    def role(self) -> Role:
        """The speaker's part."""
        ...

    @property
    def speaker(self) -> str | None:
        """The speaker's name, if one was given."""
        ...

    @property
    def content(self) -> str:
        """The words."""
        ...


def indexable(episode: Utterance) -> bool:
    """Say whether a turn is small enough to be indexed."""
    return len(episode.content.encode("utf-8", "replace")) <= BYTES_LIMIT


def chunks(episode: Utterance) -> tuple[Chunk, ...]:
    """Cut a turn at sentence borders into pieces of about 100 words or 200 Han characters.

    A sentence longer than that is cut hard. Each piece names the speaker. Blocks that ``context()``
    made are left out: found again, they would be quoted into the next one, and so on. A turn that
    is not ``indexable``, or blank, gives none.
    """
    if not indexable(episode):
        return ()
    speaker = episode.speaker or episode.role.value
    return tuple(
        Chunk(f"{episode.id}#{number}", episode.id, f"{speaker}: {text}")
        for number, text in enumerate(_packed(_OWN_BLOCK.sub(" ", episode.content)))
    )


def found_as_said(episode: Utterance) -> bool:
    """Say whether a turn gives any pieces, without cutting it where that is plain."""
    content = episode.content
    if len(content) <= BYTES_LIMIT // 4 and "<" not in content and not content.isspace():
        return bool(content)
    return bool(chunks(episode))


def _packed(content: str) -> Iterator[str]:
    if len(content) <= COST_LIMIT // 2:  # which no words can cost more than
        if rest := content.strip():
            yield rest
        return
    taken: list[str] = []
    total = 0
    for text, cost in _parts(content):
        if taken and total + cost > COST_LIMIT:
            yield "".join(taken).strip()
            taken, total = [], 0
        taken.append(text)
        total += cost
    if rest := "".join(taken).strip():
        yield rest


def _sentences(content: str) -> Iterator[str]:
    start = 0
    for border in _BORDER.finditer(content):
        yield content[start : border.end()]
        start = border.end()
    yield content[start:]


def _parts(content: str) -> Iterator[tuple[str, int]]:
    """Yield sentences, or the pieces of one that is too long, with their cost."""
    for sentence in _sentences(content):
        piece: list[str] = []
        total = 0
        for atom in _ATOM.findall(sentence):
            cost = _cost(atom)
            if total + cost > COST_LIMIT:
                yield "".join(piece), total
                piece, total = [], 0
            piece.append(atom)
            total += cost
        yield "".join(piece), total


def _cost(atom: str) -> int:
    if atom.isspace():
        return 0
    return 1 if CJK.match(atom) else 2
