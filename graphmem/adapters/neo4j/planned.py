"""The rows that the statement of a change takes (see cypher/change/write.cypher)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from graphmem.adapters.neo4j.rows import Properties

Rows = list[Properties]
Ids = list[str]


@dataclass
class Said:
    """What was said and named: turns, things, claims and what their words mean."""

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
class Believed:
    """Records of facts, what they rest on, and how people see them."""

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
class Named:
    """The words of names, and which may be one."""

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

    def values(self) -> dict[str, Any]:  # Any: what the statement takes
        """Return the parameters by name."""
        return {**vars(self.said), **vars(self.believed), **vars(self.named)}
