"""One reading of how a Chinese clause begins, and the words that a rule found in it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from graphmem.extraction.patterns.zh_forms import Said
from graphmem.extraction.patterns.zh_marks import Opening
from graphmem.extraction.patterns.zh_state import State
from graphmem.extraction.patterns.zh_text import Clause, Reduced


def written(
    reduced: Reduced,
    opening: Opening,
    state: State,
    found: re.Match[str],
    group: str,
    edges: str | None = None,
) -> str | None:
    """Return a group of a match as the speaker wrote it, without blanks (or ``edges``) around it.

    None if what was found does not lie in one piece of the turn.
    """
    begin, stop = found.span(group)
    span = reduced.span(opening.core + begin, opening.core + stop)
    return state.words(*span).strip(edges) if span else None


@dataclass(slots=True)
class View:
    """A clause behind one reading of its beginning; rules that share helpers derive from it."""

    clause: Clause
    reduced: Reduced
    opening: Opening
    core: str
    said: Said
    state: State
