"""Kills a client at every step between graph and index, and has another client go on.

::

    python tests/faults/kills.py [--kills 200] [--seed N] [--verb erase] [--json]

A child process does real work on a Neo4j server and on a Qdrant server by HTTP. Each message that
it sends to one of them is a step; it is killed (SIGKILL) before the message arrives, or when it was
answered and the child has not heard. Leases are short in the child. Then another client looks:
it answers at once, indexes what was written by itself, nothing differs; the work is finished, and
the end compared with that of an embedded memory that nobody disturbed.
"""

from __future__ import annotations

import os
import random
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))  # run as a script

from tests.crashes import commandline
from tests.crashes.processes import context
from tests.faults import child
from tests.faults.script import own_server
from tests.faults.steps import Step, Watch
from tests.faults.trials import After, Scene, Trials
from tests.services.neo4j_server import Address
from tests.services.plugin import Emptied

LONGEST = 120.0
"""Seconds after which a child counts as hanging."""
LEASE = 1.0
PRELOADED = ("graphmem.adapters.qdrant.server", "httpcore", "h2.connection")
"""What a child would import when it comes to it, which takes longer than what it does."""


@dataclass(frozen=True)
class Kill:
    """One kill, and what was found."""

    verb: str
    step: Step
    after: After

    @property
    def problems(self) -> Sequence[str]:
        """What must not be, in words."""
        return self.after.problems

    def __str__(self) -> str:
        return f"{self.verb} {self.step}"


class Killer:
    """Runs children in processes of their own, and kills them at steps."""

    def __init__(self, trials: Trials) -> None:
        self._trials = trials
        self._watch = Watch()
        self._context = context("tests.faults.child", *PRELOADED)

    def steps(self, verb: str) -> list[Step]:
        """Return the steps of a verb that nobody disturbs: each before and after."""
        with self._trials.scene(verb, self._watch) as scene:
            code = self._run(verb, scene, None)
            if code:
                raise RuntimeError(f"{verb} ended with {code}")
            return [
                Step(step.name, step.nth, late)
                for step in self._watch.met
                for late in (False, True)
            ]

    def kill(self, verb: str, step: Step) -> Kill | None:
        """Kill a child at a step; None if it never came there: what is sent differs a little from
        run to run."""
        with self._trials.scene(verb, self._watch) as scene:
            code = self._run(verb, scene, step)
            if code == 0:
                return None
            after = self._trials.check(verb, scene)
            if code != -signal.SIGKILL:
                after.problems.append(f"the child ended by itself with {code}")
            return Kill(verb, step, after)

    def _run(self, verb: str, scene: Scene, aim: Step | None) -> int | None:
        self._watch.begin(aim)
        process = self._context.Process(
            target=child.run,
            args=(verb, scene.watched, scene.folder, self._trials.lease),
        )
        with self._watch.guard:  # until its number is known
            process.start()
            number = process.pid
            assert number is not None
            self._watch.end = lambda: os.kill(number, signal.SIGKILL)
        process.join(LONGEST)
        process.kill()
        process.join()
        self._watch.begin(None) if aim else None
        return process.exitcode


def chosen(steps: Sequence[Step], count: int, chance: random.Random) -> list[Step]:
    """Return ``count`` steps at random, every kind of step among them if there is room."""
    kinds: dict[tuple[str, bool], list[Step]] = {}
    for step in chance.sample(steps, len(steps)):
        kinds.setdefault((step.name, step.late), []).append(step)
    firsts = [of[0] for of in kinds.values()]
    rest = [step for of in kinds.values() for step in of[1:]]
    return [*firsts, *chance.sample(rest, len(rest))][:count]


def run(
    verbs: Sequence[str],
    kills: int,
    *,
    seed: int,
    lease: float,
    folder: Path,
    wipe: Callable[[], Address],
) -> Iterator[Kill]:
    """Yield ``kills`` kills, as many of each verb."""
    chance = random.Random(seed)  # noqa: S311 - kills that can be had again
    killer = Killer(Trials(folder, wipe, lease))
    for verb, share in commandline.shares(verbs, kills):
        for step in chosen(killer.steps(verb), share, chance):
            killed = killer.kill(verb, step)
            if killed is not None:
                yield killed


COLUMNS = ("kinds", "acknowledged", "lost", "doubled", "leases", "seconds")


def table(done: Sequence[Kill]) -> Iterator[str]:
    """Return the lines of a table by verb; ``seconds`` is the longest until all was indexed."""
    return commandline.table(COLUMNS, done, _counted)


def _counted(of: Sequence[Kill]) -> tuple[float, ...]:
    return (
        len({(kill.step.name, kill.step.late) for kill in of}),
        sum(kill.after.acknowledged for kill in of),
        sum(kill.after.lost for kill in of),
        sum(kill.after.doubled for kill in of),
        sum(kill.after.held for kill in of),
        round(max(kill.after.recovered for kill in of), 2),
    )


def main() -> int:
    """Run from the command line; 1 if anything was lost, doubled or left apart."""
    parser = commandline.options(__doc__, seed=True)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--verb", choices=[*child.VERBS], action="append")
    parser.add_argument("--lease", type=float, default=LEASE, help="seconds of the killed's leases")
    given = parser.parse_args()
    with own_server(given.folder) as (folder, server):
        emptied = Emptied(server.address)
        kills = run(
            given.verb or [*child.VERBS],
            given.kills,
            seed=given.seed,
            lease=given.lease,
            folder=folder,
            wipe=emptied.wipe,
        )
        failed = commandline.killed(kills, table, seed=given.seed, as_json=given.json)
        emptied.close()
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
