"""How much of a long turn is read, so that no turn costs more than a few seconds. Pure."""

from __future__ import annotations

import re
from dataclasses import replace

from graphmem.model.chunks import BYTES_LIMIT, indexable
from graphmem.model.episode import Episode

READ_LIMIT = 100_000
"""Characters of a turn that are read; the rest is kept."""
EARLIER_LIMIT = 10_000
"""Characters, from the end, of a turn that is read again to understand what follows it."""

_BORDER = re.compile(r"\n|[.!?](?=\s)|[。！？；]")


def portion(episode: Episode) -> Episode:
    """Return a turn as far as it is read: whole, or up to the last border within the limit."""
    text = episode.content
    if len(text) <= READ_LIMIT:
        return episode
    border = 0
    for found in _BORDER.finditer(text, READ_LIMIT // 2, READ_LIMIT):
        border = found.end()
    return replace(episode, content=text[: border or READ_LIMIT])


def ending(episode: Episode) -> Episode:
    """Return a turn's end, which what follows it may refer to."""
    text = episode.content
    return replace(episode, content=text[-EARLIER_LIMIT:]) if len(text) > EARLIER_LIMIT else episode


def left_over(episode: Episode) -> str | None:
    """Say what of a stored turn is not read or not indexed, or None if all of it is."""
    size, read = len(episode.content), len(portion(episode).content)
    if read < size:
        return (
            f"it is kept whole, but only the first {read:,} of its {size:,} characters were read "
            "for facts, and it is not in the search index; add it in pieces to have all of it"
        )
    if not indexable(episode):
        return (
            f"it is over {BYTES_LIMIT // 1000} kB, so it is not in the search index, only its "
            "facts are; add it in pieces to find its words too"
        )
    return None
