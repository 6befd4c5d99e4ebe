"""The ends of families that are too large to be read whole for every claim."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from graphmem.adapters.neo4j.families import Rows, Seeks
from graphmem.adapters.neo4j.rows import Properties, fact_of, linked_of
from graphmem.adapters.neo4j.tx import Tx
from graphmem.model.changes import Family
from graphmem.model.rows import Columns
from graphmem.model.tail import Tail, manner
from graphmem.model.time import FOREVER

Numbered = tuple[int, Family]
Run = Mapping[str, Any]  # Any: a row of the statement

_OWN, _NONE = 0, 1
"""The runs of a family: its own, and beside that of an object the one without an object."""


def has_tail(family: Family) -> bool:
    """Return whether a family can have a tail at all: all of it must be told from one side."""
    return family.object is not None or not family.either


def sizes(tails: Iterable[Numbered]) -> tuple[Rows, Rows]:
    """Return what counts families, and what counts those of one object."""
    whole: Rows = []
    slots: Rows = []
    for number, family in tails:
        row = {"tail": number, "subject": family.subject, "predicate": family.predicate}
        if family.object is None:
            whole.append(row)
        else:
            slots.append({**row, "slot": family.object})
    return whole, slots


async def tails_of(tx: Tx, sid: str, tails: list[Numbered]) -> dict[int, Tail]:
    """Return by number the tails that will do, of families that hold many claims.

    The others' claims are not all of one manner, or some may bear on what is said later, or not
    exactly one live fact rests on the last.
    """
    if not tails:
        return {}
    (found,) = await tx.run("change/tails", sid=sid, forever=FOREVER, **_wanted(tails))
    runs = {(row["tail"], row["run"]): row for row in found["runs"]}
    barred = set(found["barred"])
    result: dict[int, Tail] = {}
    for number, family in tails:
        if number not in barred:
            last = _last(runs.get((number, _OWN)), runs.get((number, _NONE)))
            tail = None if last is None else _tail(family, last)
            if tail is not None:
                result[number] = tail
    return result


def _wanted(tails: Iterable[Numbered]) -> dict[str, Rows]:
    runs: Rows = []
    slot_runs: Rows = []
    bars = Seeks()
    for number, family in tails:
        one, other = family.subject, family.object
        base: Properties = {"tail": number, "predicate": family.predicate}
        run = {**base, "subject": one}
        if other is None:
            runs.append({**run, "run": _OWN})
            continue
        slot_runs.append({**run, "run": _OWN, "slot": other})
        bars.corrects.append({**base, "subject": one})
        if not family.either:
            slot_runs.append({**run, "run": _NONE, "slot": ""})
            continue
        bars.corrects.append({**base, "subject": other})
        bars.corrects_object.extend({**base, "slot": end} for end in (one, other))
        bars.by_slot.append({**base, "subject": other, "slot": one})
        bars.by_slot.extend({**base, "subject": end, "slot": ""} for end in (one, other))
    return {
        "runs": runs,
        "slot_runs": slot_runs,
        "slots": bars.by_slot,
        "corrects": bars.corrects,
        "corrects_object": bars.corrects_object,
    }


def _last(own: Run | None, none: Run | None) -> Run | None:
    """Return the run whose last claim reaches furthest, if all are of one manner."""
    runs = [run for run in (own, none) if run is not None]
    if own is None or any(run["first"] != run["last"] for run in runs):
        return None
    if len({run["last"] for run in runs}) > 1:
        return None
    last = max(runs, key=lambda run: run["reach"])
    return None if last["reach"] >= FOREVER else last


def _tail(family: Family, last: Run) -> Tail | None:
    if len(last["facts"]) != 1:
        return None
    linked = linked_of(last["claim"], last["link"], last["withdrawn"])
    row: Columns = last["facts"][0]
    claim = linked.claim
    evidence = (claim.said.at, claim.said.turn, claim.said.place, claim.id)
    return Tail(
        subject=family.subject,
        predicate=family.predicate,
        object=family.object,
        either=family.either,
        manner=manner(claim, linked.link),
        reach=last["reach"],
        last=linked,
        fact=fact_of(row["fact"], [evidence], row["successor"]),
    )
