"""Families as seeks of indexes: which rows a decision is sent for a subject and a predicate."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from graphmem.adapters.neo4j.rows import Properties
from graphmem.model.changes import Family

Rows = list[Properties]


@dataclass(slots=True)
class Seeks:
    """What the statements of families take (see cypher/change/look.cypher).

    ``corrects`` and ``corrects_object`` find claims that take something back, and no facts. A row
    of a tail is done only if its family turns out to be small.
    """

    by_subject: Rows = field(default_factory=Rows)
    by_slot: Rows = field(default_factory=Rows)
    by_object: Rows = field(default_factory=Rows)
    corrects: Rows = field(default_factory=Rows)
    corrects_object: Rows = field(default_factory=Rows)

    def values(self) -> dict[str, Rows]:
        """Return the lists by parameter name."""
        return {
            "by_subject": self.by_subject,
            "by_slot": self.by_slot,
            "by_object": self.by_object,
            "corrects": self.corrects,
            "corrects_object": self.corrects_object,
        }


def seeks(families: Iterable[Family], tails: Iterable[tuple[int, Family]] = ()) -> Seeks:
    """Return the seeks that read ``families``, and those of ``tails``, which are numbered."""
    result = Seeks()
    for family in families:
        _add(result, family, None)
    for number, family in tails:
        _add(result, family, number)
    return result


def _add(result: Seeks, family: Family, tail: int | None) -> None:
    one, other = family.subject, family.object
    base = {"predicate": family.predicate, "tail": tail}
    if other is None:
        result.by_subject.append({**base, "subject": one})
        if family.either:
            result.by_object.append({**base, "slot": one})
        return
    result.by_slot.append({**base, "subject": one, "slot": other})
    result.by_slot.append({**base, "subject": one, "slot": ""})
    result.corrects.append({**base, "subject": one})
    if family.either:
        result.by_slot.append({**base, "subject": other, "slot": one})
        result.by_slot.append({**base, "subject": other, "slot": ""})
        result.corrects.append({**base, "subject": other})
        result.corrects_object.extend({**base, "slot": end} for end in (one, other))
