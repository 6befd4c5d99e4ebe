"""Which of the things that exported rows name are in a scope already."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from graphmem.adapters.neo4j.names import indexed
from graphmem.adapters.neo4j.rows import Node, Withdrawn, withdrawals_of
from graphmem.model.claim import Claim
from graphmem.model.rows import Row, claim_from
from graphmem.model.time import FOREVER


class Present:
    """What is there, kept up to date while rows are planned.

    Attributes:
        episodes, entities, records, suggestions: ids. known_as: what episodes are known by.
        keys: of entities. own: id of the scope's own user.
        claims: ids. linkable: claims by id, of those that a link or withdrawal names. withdrawn: by
            claim, its intervals.
        links: claim and record time. live_links: claims that have one.
        live_facts: those with a live record. rests: fact, claim, record time. live_rests: fact,
            claim. gave_way: facts that name what took their place.
        changes: numbers. change_keys: their own ids.
    """

    def __init__(self, found: Mapping[str, Any]) -> None:  # Any: what ``transfer/there`` returns
        self.episodes: set[str] = set(found["episodes"])
        self.known_as: set[str] = set(found["known_as"])
        self.entities: set[str] = set(found["entities"])
        self.keys: set[str] = set(found["keys"])
        self.own: str | None = found["own"]
        self.claims: set[str] = set(found["claims"])
        self.linkable: dict[str, Claim] = {}
        self.withdrawn: dict[str, list[Withdrawn]] = {}
        self.links: set[tuple[str, int]] = set()
        self.live_links: set[str] = set()
        for row in found["linkable"]:
            node = Node(row["claim"])
            claim = self.linkable[node["id"]] = claim_from(node)
            self.withdrawn[claim.id] = withdrawals_of(node)
            self.links.update((claim.id, at) for at, _ in row["links"])
            if any(expired_at >= FOREVER for _, expired_at in row["links"]):
                self.live_links.add(claim.id)
        self.records: set[str] = set(found["records"])
        self.live_facts: set[str] = set()
        self.rests: set[tuple[str, str, int]] = set()
        self.live_rests: set[tuple[str, str]] = set()
        self.gave_way: set[str] = set()
        for row in found["facts"]:
            fact = row["id"]
            if row["live"]:
                self.live_facts.add(fact)
            if row["gave_way"]:
                self.gave_way.add(fact)
            self.rests.update((fact, claim, at) for claim, at, _ in row["rests"])
            self.live_rests.update(
                (fact, claim) for claim, _, expired_at in row["rests"] if expired_at >= FOREVER
            )
        self.suggestions: set[str] = set(found["suggestions"])
        self.changes: set[int] = set(found["changes"])
        self.change_keys: set[str] = set(found["change_keys"])


NOTHING: Mapping[str, Any] = {  # Any: as above
    **dict.fromkeys(("episodes", "known_as", "entities", "keys", "claims", "linkable"), ()),
    **dict.fromkeys(("records", "facts", "suggestions", "changes", "change_keys"), ()),
    "own": None,
}
"""What ``transfer/there`` returns of a scope that is new."""

_NAMED: dict[str, dict[str, tuple[str, ...]]] = {
    "episode": {"episodes": ("id",)},
    "entity": {"entities": ("id",), "keys": ("key",)},
    "claim": {"claims": ("id",), "episodes": ("episode",)},
    "link": {"linkable": ("claim",)},
    "withdrawal": {"claims": ("claim",), "linkable": ("claim",)},
    "fact": {"records": ("record",), "facts": ("id",)},
    "rests": {"facts": ("fact",), "claims": ("claim",)},
    "successor": {"facts": ("fact",)},
    "suggestion": {"suggestions": ("id",), "entities": ("first", "second")},
    "change": {"changes": ("number",)},
}
"""By kind of row, which of its columns name what."""
_KEYS = {"episode": ("known_as", "key"), "change": ("change_keys", "change_id")}
"""By kind of row, the column whose text may be too long for an index."""


def wanted(rows: Sequence[Row]) -> dict[str, list[Any]]:  # Any: ids, or numbers
    """Return the parameters of ``transfer/there`` for rows.

    Raises:
        KeyError: a row lacks a column.
    """
    named: dict[str, dict[Any, None]] = {  # Any: as above
        name: {}
        for name in (
            *("episodes", "known_as", "entities", "keys", "claims", "linkable", "records"),
            *("facts", "suggestions", "changes", "change_keys"),
        )
    }
    for row in rows:
        kind = str(row.get("kind"))
        for name, columns in _NAMED.get(kind, {}).items():
            named[name].update((row[column], None) for column in columns)
        if kind in _KEYS:
            name, column = _KEYS[kind]
            if row[column] is not None:
                named[name][indexed(row[column])] = None
    return {name: list(values) for name, values in named.items()}
