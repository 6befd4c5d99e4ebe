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

import argparse
import json
import os
import random
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))  # run as a script

from tests.crashes.processes import context
from tests.faults import child
from tests.faults.steps import Step, Watch
from tests.faults.trials import After, Scene, Trials
from tests.services.neo4j_server import LTS, Neo4jServer
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
        told = scene.folder / "told.jsonl"
        process = self._context.Process(
            target=child.run,
            args=(verb, scene.watched, scene.folder, told, self._trials.lease),
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


def run(killer: Killer, verbs: Sequence[str], kills: int, chance: random.Random) -> Iterator[Kill]:
    """Yield ``kills`` kills, as many of each verb."""
    for place, verb in enumerate(verbs):
        share = kills // len(verbs) + (place < kills % len(verbs))
        for step in chosen(killer.steps(verb), share, chance):
            killed = killer.kill(verb, step)
            if killed is not None:
                yield killed


COLUMNS = (
    "verb",
    "kills",
    "kinds",
    "acknowledged",
    "lost",
    "doubled",
    "leases",
    "seconds",
    "failed",
)


def table(done: Sequence[Kill]) -> Iterator[str]:
    """Yield the lines of a table by verb; ``seconds`` is the longest until all was indexed."""
    yield "  ".join(f"{name:>12}" for name in COLUMNS)
    for verb in dict.fromkeys(kill.verb for kill in done):
        of = [kill for kill in done if kill.verb == verb]
        row = (
            verb,
            len(of),
            len({(kill.step.name, kill.step.late) for kill in of}),
            sum(kill.after.acknowledged for kill in of),
            sum(kill.after.lost for kill in of),
            sum(kill.after.doubled for kill in of),
            sum(kill.after.held for kill in of),
            round(max(kill.after.recovered for kill in of), 2),
            sum(bool(kill.after.problems) for kill in of),
        )
        yield "  ".join(f"{value:>12}" for value in row)


def main() -> int:
    """Run from the command line; 1 if anything was lost, doubled or left apart."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=time.time_ns() % 10**6)
    parser.add_argument("--verb", choices=[*child.VERBS], action="append")
    parser.add_argument("--lease", type=float, default=LEASE, help="seconds of the killed's leases")
    parser.add_argument("--folder", type=Path, help="where to work")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="kills-", dir=given.folder))
    server = Neo4jServer(LTS, folder / "neo4j")
    server.home.mkdir()
    server.start()
    began = time.monotonic()
    try:
        emptied = Emptied(server.address)
        killer = Killer(Trials(folder, emptied.wipe, given.lease))
        done: list[Kill] = []
        chance = random.Random(given.seed)  # noqa: S311 - kills that can be had again
        for kill in run(killer, given.verb or [*child.VERBS], given.kills, chance):
            done.append(kill)
            for problem in kill.after.problems:
                sys.stderr.write(f"{kill.verb} {kill.step}: {problem}\n")
                sys.stderr.flush()
        emptied.close()
    finally:
        server.kill()
        shutil.rmtree(folder)
    failed = sum(bool(kill.after.problems) for kill in done)
    seconds = round(time.monotonic() - began, 1)
    if given.json:
        rows = [asdict(kill) for kill in done]
        whole = {"seed": given.seed, "failed": failed, "seconds": seconds, "kills": rows}
        sys.stdout.write(f"{json.dumps(whole)}\n")
    else:
        sys.stdout.write("\n".join([f"seed {given.seed}, {seconds:.0f} s", *table(done), ""]))
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
