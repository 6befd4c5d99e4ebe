"""What runs in a process that is to be killed: one verb on a store, told step by step.

Each line that is told is written before the work goes on, so what a killed process told is what
its caller was told.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from graphmem import Memory
from graphmem.ports.embedder import Embedder
from graphmem.testing.embedders import HashEmbedder
from tests.crashes.life import GONE_FACT, GONE_TURN, Call, doomed, life
from tests.crashes.state import every_fact, exported

Tell = Callable[..., None]
Verb = Callable[[Memory, Path, Tell], None]

MEMORY = "memory"
EXPORT = "export.jsonl"
TOLD = "told.jsonl"
SEED = 7


def embedder(name: str) -> Embedder | str:
    """Return the embedder of a trial: ``hash/SIZE``, or one that settings name."""
    return HashEmbedder(int(name.partition("/")[2])) if name.startswith("hash/") else name


def opened(place: Path, name: str) -> Memory:
    """Open the memory of a trial."""
    return Memory(place / MEMORY, embedder=embedder(name))


def run(verb: str, place: str, name: str) -> None:
    """Do a verb in ``place``; what is done is told in its file ``TOLD``."""
    tell = telling(Path(place))
    tell("begin")
    with opened(Path(place), name) as memory:
        tell("opened")
        VERBS[verb](memory, Path(place), tell)
        tell("closing")
    tell("closed")


def telling(place: Path) -> Tell:
    """Return what tells in the file ``TOLD`` of a folder."""
    told = os.open(place / TOLD, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)

    def tell(stage: str, **what: Any) -> None:  # Any: told as JSON
        os.write(told, json.dumps({"stage": stage, **what}).encode() + b"\n")

    return tell


def ingest(memory: Memory, place: Path, tell: Tell) -> None:
    """Remember a life, call by call."""
    remember(memory, life(SEED), tell)


def remember(memory: Memory, calls: Sequence[Call], tell: Tell) -> None:
    """Make the calls that are not yet done, as a caller would after a crash.

    Turns are sent again as they are. A fact stated directly has no id, so it is looked up first.
    """
    for number, call in enumerate(calls):
        if call.fact is None:
            receipt = memory.ingest(call.turns, user=call.user, session=call.session)
        else:
            predicate, thing = call.fact
            if memory.facts(user=call.user, predicate=predicate, object=thing).total:
                continue
            receipt = memory.add_fact(
                "me", predicate, thing, user=call.user, session=call.session, occurred_at=call.at
            )
        tell(
            "work",
            call=number,
            user=call.user,
            episodes=[turn.episode for turn in receipt.turns if turn.episode],
            facts=[fact.id for fact in receipt.facts],
            notes=receipt.notes,
        )


def reindex(memory: Memory, place: Path, tell: Tell) -> None:
    """Build the index anew; which embedder it is for says how the memory was opened."""
    state = memory.reindex(progress=lambda done, total: tell("work", done=done, total=total))
    tell("work", finished=True, backlog=state.backlog)


def import_(memory: Memory, place: Path, tell: Tell) -> None:
    """Load an export of everything."""
    memory.import_(place / EXPORT, progress=lambda done, total: tell("work", done=done))
    tell("work", finished=True)


def erase(memory: Memory, place: Path, tell: Tell) -> None:
    """Erase a user, a fact and a turn, those that are still there."""
    for name, what in to_erase(memory).items():
        receipt = memory.erase(**what)
        tell("work", erased=name, clean=receipt.clean, waiting=receipt.waiting)


def to_erase(memory: Memory) -> dict[str, dict[str, str]]:
    """Return what of the doomed is still there, as arguments of ``erase``."""
    rows = exported(memory)
    wanted: dict[str, dict[str, str]] = {}
    if any(row["kind"] == "scope" and row["user"] == "dora" for row in rows):
        wanted["user"] = {"user": "dora"}
    for fact in every_fact(memory, "ana"):
        if fact.object is not None and GONE_FACT in fact.object.text:
            wanted["fact"] = {"user": "ana", "fact": fact.id}
    for row in rows:
        if row["kind"] == "episode" and GONE_TURN in row["content"]:
            wanted["turn"] = {"user": "cy", "episode": row["id"]}
    return wanted


def silent(stage: str, **what: Any) -> None:  # Any: as told
    """Tell nobody."""


def prepare(place: Path, name: str) -> None:
    """Make a memory with a life in it and the doomed, and its export."""
    with opened(place, name) as memory:
        remember(memory, [*life(SEED), *doomed()], silent)
        memory.export(place / EXPORT)


VERBS: dict[str, Verb] = {
    "ingest": ingest,
    "reindex": reindex,
    "import": import_,
    "erase": erase,
}
