"""What a graph store or an index is made of, for whoever looks after it."""

from __future__ import annotations

from dataclasses import dataclass

ONLINE = "online"
"""The state of an index that can be used."""


@dataclass(frozen=True, slots=True)
class Part:
    """An index of a store: its name, its state (``ONLINE``, or what else it is), and whether it
    keeps something unique."""

    name: str
    state: str = ONLINE
    unique: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class About:
    """What is behind a port.

    Attributes:
        kind: what it is: "SQLite", "Neo4j", "Qdrant Edge", "Qdrant".
        place: where it is; holds no password.
        version, edition: of the software; "" where nothing says.
        remote: it is reached over a network.
        schema, known_schema: the version of the schema there, and the newest one that this
            graphmem knows; 0 where there is none.
        parts: the indexes that are there. missing: names of those that should be.
        retries: how often a call was begun anew since it was opened.
        notes: what else to know.
    """

    kind: str
    place: str
    version: str
    edition: str = ""
    remote: bool = False
    schema: int = 0
    known_schema: int = 0
    parts: tuple[Part, ...] = ()
    missing: tuple[str, ...] = ()
    retries: int = 0
    notes: tuple[str, ...] = ()

    @property
    def unready(self) -> tuple[Part, ...]:
        """The indexes that cannot be used now."""
        return tuple(part for part in self.parts if part.state != ONLINE)
