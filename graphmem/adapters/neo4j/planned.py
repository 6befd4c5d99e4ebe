"""The rows that the statements of a change take (see cypher/change)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from graphmem.adapters.neo4j.rows import Properties

Rows = list[Properties]
Ids = list[str]


class _Values:
    def values(self) -> dict[str, Any]:  # Any: what a statement takes
        """Return the parameters by name."""
        return vars(self)

    @property
    def empty(self) -> bool:
        """Whether there is nothing to write."""
        return not any(vars(self).values())


@dataclass
class Said(_Values):
    """What ``change/said`` writes."""

    episodes: Rows = field(default_factory=Rows)
    reads: Rows = field(default_factory=Rows)
    entities: Rows = field(default_factory=Rows)
    own: str | None = None
    names_gone: Rows = field(default_factory=Rows)
    names: Rows = field(default_factory=Rows)
    claims: Rows = field(default_factory=Rows)
    links_gone: Rows = field(default_factory=Rows)
    links_ended: Rows = field(default_factory=Rows)
    links: Rows = field(default_factory=Rows)
    withdrawals: Rows = field(default_factory=Rows)


@dataclass
class Believed(_Values):
    """What ``change/believed`` writes."""

    left: Ids = field(default_factory=Ids)
    ended: Rows = field(default_factory=Rows)
    dropped: Ids = field(default_factory=Ids)
    revisions: Rows = field(default_factory=Rows)
    facts: Rows = field(default_factory=Rows)
    edges: Rows = field(default_factory=Rows)
    going: Ids = field(default_factory=Ids)
    gave_way: Rows = field(default_factory=Rows)
    rests_gone: Rows = field(default_factory=Rows)
    rests_ended: Rows = field(default_factory=Rows)
    rests: Rows = field(default_factory=Rows)
    causes: Ids = field(default_factory=Ids)


@dataclass
class Named(_Values):
    """What ``change/close`` writes beside the counts and the change itself."""

    words_gone: Rows = field(default_factory=Rows)
    words: Rows = field(default_factory=Rows)
    suggestions_gone: Ids = field(default_factory=Ids)
    suggestions: Rows = field(default_factory=Rows)


@dataclass
class Plan:
    """Everything one change writes, but for what it erases."""

    said: Said = field(default_factory=Said)
    believed: Believed = field(default_factory=Believed)
    named: Named = field(default_factory=Named)
