"""What a memory holds, without ids and record times, to be compared with another's."""

from __future__ import annotations

import json
import re
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from graphmem import Memory
from graphmem.model.fact import Fact

Row = dict[str, Any]  # Any: a row of an export


@dataclass(frozen=True)
class State:
    """Facts and their histories by user, rows of the store by kind, and what turns say."""

    facts: dict[str, list[tuple[object, ...]]]
    histories: dict[str, list[list[tuple[object, ...]]]]
    rows: dict[str, int]
    turns: dict[tuple[str, str, str, int], int]


def state(memory: Memory) -> State:
    """Return what ``memory`` holds, by its public calls."""
    rows = exported(memory)
    users = [str(row["user"]) for row in rows if row["kind"] == "scope"]
    facts = {user: every_fact(memory, user) for user in users}
    return State(
        facts={user: sorted((view(f) for f in known), key=repr) for user, known in facts.items()},
        histories={
            user: sorted(
                ([view(r) for r in memory.history(f.id, user=user).items] for f in known), key=repr
            )
            for user, known in facts.items()
        },
        # How many changes it took is the one thing that an interruption may make different.
        rows={k: n for k, n in Counter(str(row["kind"]) for row in rows).items() if k != "change"},
        turns=Counter(
            (row["session"] or "", row["role"], row["content"], row["occurred_at"])
            for row in rows
            if row["kind"] == "episode"
        ),
    )


def difference(one: State, other: State) -> list[str]:
    """Say in short where two states differ."""
    return [
        f"{name} of {key!r}: only here {mine}, only there {theirs}"
        for name in ("facts", "histories", "rows", "turns")
        for key, mine, theirs in _different(getattr(one, name), getattr(other, name))
    ]


Table = dict[Any, Any]  # Any: a table of a State


def _different(one: Table, other: Table) -> Iterator[tuple[object, list[str], list[str]]]:
    for key in sorted({*one, *other}, key=repr):
        mine, theirs = _values(one.get(key)), _values(other.get(key))
        if mine != theirs:
            yield key, [*(mine - theirs)][:3], [*(theirs - mine)][:3]


def _values(value: Any) -> Counter[str]:  # Any: as above
    values = cast("list[object]", value) if isinstance(value, list) else [value]
    return Counter(map(repr, values))


def every_fact(memory: Memory, user: str) -> list[Fact]:
    """Return every fact of a user, whatever its status."""
    found: list[Fact] = []
    cursor: str | None = None
    while True:
        page = memory.facts(
            user=user,
            include_ended=True,
            include_disputed=True,
            include_retracted=True,
            limit=500,
            cursor=cursor,
        )
        found += page.items
        cursor = page.cursor
        if cursor is None:
            return found


def view(fact: Fact) -> tuple[object, ...]:
    """Return what a record says."""
    return (
        fact.subject.text,
        fact.predicate,
        fact.object.text if fact.object else None,
        fact.polarity.value,
        fact.modality.value,
        fact.status.value,
        tuple(sorted(fact.qualifiers)),
        fact.statement,
        repr(fact.interval),
        fact.cause.rule if fact.cause else None,
        len(fact.claims),
    )


def exported(memory: Memory) -> list[Row]:
    """Return the rows of an export of everything."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "all.jsonl")
        memory.export(file)
        return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def holding(folder: Path, *words: str) -> list[str]:
    """Return which files below a folder hold any of the words, in either case and encoding."""
    forms = {w.encode(c) for word in words for w in (word, word.lower()) for c in ENCODINGS}
    wanted = re.compile(b"|".join(map(re.escape, sorted(forms))))
    found: list[str] = []
    for path in sorted(p for p in folder.rglob("*") if p.is_file()):
        # The index engine's files are mostly holes.
        data = re.sub(rb"\0{256,}", b"\0", path.read_bytes())
        found += [f"{path.relative_to(folder)}: {hit!r}" for hit in set(wanted.findall(data))]
    return found


ENCODINGS = ("utf-8", "utf-16-le")
