"""What must hold after a process was killed in the middle of a verb."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from graphmem import Memory
from graphmem.errors import GraphmemError
from tests.crashes import child
from tests.crashes.child import EXPORT, MEMORY, TOLD, opened
from tests.crashes.life import GONE_FACT, GONE_TURN, GONE_USER
from tests.crashes.state import State, difference, exported, holding, state

Told = dict[str, Any]  # Any: a line of JSON
NEW = "hash/32"
"""The embedder that ``reindex`` changes to."""


@dataclass
class After:
    """What was found after one kill.

    Attributes:
        acknowledged: what was told as done before the kill: turns, facts, rows, erasures.
        problems: what must not be, in words; empty if all is well.
        mended: ``verify`` was not clean at the restart, and is now.
    """

    acknowledged: int = 0
    problems: list[str] = field(default_factory=list[str])
    mended: bool = False


def told(place: Path) -> list[Told]:
    """Return what a child told; a kill may cut its last line off."""
    file = place / TOLD
    lines = file.read_text().splitlines(keepends=True) if file.exists() else []
    return [json.loads(line) for line in lines if line.endswith("\n")]


def sparsely(source: str, target: str) -> None:
    """Copy a file and leave its holes: those of an index are far larger than the rest."""
    with Path(source).open("rb") as old, Path(target).open("wb") as new:
        while block := old.read(4096):
            if block.strip(b"\0"):
                new.write(block)
            else:
                new.seek(len(block), 1)
        new.truncate(old.tell())


class Trials:
    """The prepared folders, the states to end in, and the checks; ``name`` is the embedder."""

    def __init__(self, folder: Path, name: str) -> None:
        self._folder = folder
        self.name = name
        self._ready = folder / "prepared"
        self._ready.mkdir()
        child.prepare(self._ready, name)
        with opened(self._ready, name) as memory:
            self._whole = state(memory)
        self._ends: dict[str, State] = {}

    def begin(self, verb: str, place: Path) -> str:
        """Lay out the folder in which ``verb`` is to run; return the embedder it runs with."""
        place.mkdir()
        if verb in ("reindex", "erase"):
            shutil.copytree(self._ready / MEMORY, place / MEMORY, copy_function=sparsely)
        if verb == "import":
            shutil.copy(self._ready / EXPORT, place / EXPORT)
        return NEW if verb == "reindex" else self.name

    def undisturbed(self, verb: str) -> State:
        """Return what a memory holds after ``verb`` ran in one go."""
        if verb not in self._ends:
            place = self._folder / f"undisturbed-{verb}"
            name = self.begin(verb, place)
            child.run(verb, str(place), name)
            with opened(place, name) as memory:
                self._ends[verb] = state(memory)
        return self._ends[verb]

    def check(self, verb: str, place: Path) -> After:
        """Restart after a kill, look, finish the work, and look again."""
        after = After()
        try:
            CHECKS[verb](self, place, told(place), after)
        except GraphmemError as error:
            after.problems.append(f"{type(error).__name__}: {error}")
        return after

    def ingested(self, place: Path, lines: list[Told], after: After) -> None:
        """Every acknowledged turn and fact is there; the same work again ends as undisturbed."""
        with opened(place, self.name) as memory:
            before = memory.verify().clean
            there = {row["id"] for row in exported(memory) if row["kind"] == "episode"}
            for line in lines:
                after.acknowledged += len(line.get("episodes", ())) + len(line.get("facts", ()))
                lost = set(line.get("episodes", ())) - there
                after.problems += [f"the turn {one} of call {line['call']} is lost" for one in lost]
                for fact in line.get("facts", ()):
                    memory.get(fact, user=line["user"])
            child.ingest(memory, place, child.silent)
            after.problems += difference(self.undisturbed("ingest"), state(memory))
            after.problems += _searched(memory)
            _mend(memory, before, after)

    def reindexed(self, place: Path, lines: list[Told], after: After) -> None:
        """The old index serves, or the new one; reindexing again finishes."""
        finished = any(line.get("finished") for line in lines)
        after.acknowledged = int(finished)
        serving = [name for name in (self.name, NEW) if _serves(place, name)]
        if finished and serving != [NEW]:
            after.problems.append(f"reindex was acknowledged, but what serves is {serving}")
        elif len(serving) != 1:
            after.problems.append(f"one index should serve, not {serving}")
        with opened(place, NEW) as memory:
            if serving != [NEW]:
                after.mended = True
                memory.reindex()
            after.problems += difference(self._whole, state(memory))
            after.problems += _searched(memory)
            _mend(memory, True, after)

    def imported(self, place: Path, lines: list[Told], after: After) -> None:
        """An import that was cut off says so, and importing again makes it whole."""
        finished = any(line.get("finished") for line in lines)
        after.acknowledged = max((line.get("done", 0) for line in lines), default=0)
        file = place / EXPORT
        with opened(place, self.name) as memory:
            report = memory.verify()
            if finished:
                after.problems += difference(self._whole, state(memory))
            else:
                rows = exported(memory)
                part = any(row["kind"] == "scope" for row in rows)
                words = " ".join(report.findings)
                if part and "import" not in words and len(rows) < len(lines_of(file)):
                    after.problems.append(f"a part is here, and verify says {words!r}")
                memory.import_(file)
            again = place / "again.jsonl"
            memory.export(again)
            if lines_of(again) != lines_of(file):
                after.problems.append("an export of what was imported differs from the export")
            after.problems += _searched(memory)
            _mend(memory, report.clean, after)

    def erased(self, place: Path, lines: list[Told], after: After) -> None:
        """What was acknowledged as clean is in no file; erasing again finishes the rest."""
        words = {"user": GONE_USER, "fact": (GONE_FACT,), "turn": (GONE_TURN,)}
        for line in lines:
            if line.get("clean"):
                after.acknowledged += 1
                left = holding(place / MEMORY, *words[line["erased"]])
                after.problems += [f"erased and clean, but in {one}" for one in left]
        done = {line.get("erased") for line in lines}
        with opened(place, self.name) as memory:
            before = memory.verify().clean
            todo = child.to_erase(memory)
            after.problems += [f"{one} is back" for one in todo.keys() & done]
            for what in todo.values():
                receipt = memory.erase(**what)
                after.problems += [f"{what} waits for {one}" for one in receipt.waiting]
            # What was made invisible and not yet removed is removed by opening; ask once more.
            after.problems += difference(self.undisturbed("erase"), state(memory))
            _mend(memory, before, after)
        every = [word for some in words.values() for word in some]
        after.problems += [f"closed, but {one}" for one in holding(place / MEMORY, *every)]


def _serves(place: Path, name: str) -> bool:
    with opened(place, name) as memory:
        return memory.verify().clean and bool(memory.search("Riga", user="ana").hits)


def _searched(memory: Memory) -> list[str]:
    result = memory.search("Where have I been?", user="ana")
    return [] if result.hits else [f"a search finds nothing ({result.notes})"]


def _mend(memory: Memory, clean: bool, after: After) -> None:
    """Have ``repair`` mend what is not clean."""
    now = memory.verify()
    if not (clean and now.clean):
        after.mended = True
    if not now.clean:
        mended = memory.repair()
        if not mended.clean:
            after.problems.append(f"repair leaves {mended}")


def lines_of(file: Path) -> list[str]:
    """Return the lines of an export."""
    return file.read_text(encoding="utf-8").splitlines()


CHECKS: dict[str, Callable[[Trials, Path, list[Told], After], None]] = {
    "ingest": Trials.ingested,
    "reindex": Trials.reindexed,
    "import": Trials.imported,
    "erase": Trials.erased,
}
