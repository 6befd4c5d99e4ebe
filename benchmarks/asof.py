"""Whether what is returned for an instant is exactly what held then, in any order of arrival.

``python -m benchmarks.asof [--data FOLDER] [--json] [--seed N] [--wrong N]``; the folder holds
terms of office with people's names, and renamed places (temporal_kg). Without one, a few of our own
making. ``asof_gold`` tells what is told and what is right, ``asof.toml`` declares the relations.

Every term is told once with its dates, by one of the person's names, first in the order of the
data, then to another memory in an order by lot. Then each person and relation is asked about around
every bound, over the day and year of some, and now, by one of the names; counted is the share of
questions whose whole set of answers is right. Some are also asked in words (``search``).
"""

from __future__ import annotations

import argparse
import random
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from datetime import time as clock_time
from pathlib import Path

import anyio

from benchmarks.asof_gold import FILES, TAKEN, Asked, Telling, World, load, questions
from benchmarks.running import SAMPLES, Figures, options, share, source, tell
from graphmem import AsyncMemory, Settings
from graphmem.model.fact import Fact
from graphmem.model.time import Certainty, to_micros
from graphmem.testing.clock import FrozenClock
from graphmem.testing.embedders import HashEmbedder

NAME = "asof"
USER = "archive"
REGISTRY = Path(__file__).resolve().parent / "asof.toml"
IN_WORDS = 300
"""How many questions are also asked in words."""
_WORDS = {
    "represents": "Which district does {} represent?",
    "senator_for": "For which state is {} senator?",
    "president_of": "Which country is {} president of?",
    "vice_president_of": "Which country is {} vice president of?",
    "member_of_party": "Which party is {} a member of?",
    "has_name": "{}叫什么名字？",
}


@dataclass(slots=True)
class Answered:
    """How many answers were right, of how many, by relation; and some that were not."""

    right: dict[str, int] = field(default_factory=dict[str, int])
    asked: dict[str, int] = field(default_factory=dict[str, int])
    wrong: list[str] = field(default_factory=list[str])

    def count(self, question: Asked, found: frozenset[str]) -> None:
        """Count one answer."""
        relation = question.predicate
        self.asked[relation] = self.asked.get(relation, 0) + 1
        self.right[relation] = self.right.get(relation, 0) + (found == question.want)
        if found != question.want:
            self.wrong.append(
                f"{question.subject} {relation} at {question.at}: {sorted(found)}, "
                f"want {sorted(question.want)}"
            )

    @property
    def share(self) -> float:
        """The share that is right."""
        return share(sum(self.right.values()), sum(self.asked.values()))


@dataclass(frozen=True, slots=True)
class Run:
    """One memory filled in one order: answers from listing and from search, seconds to fill."""

    listed: Answered
    searched: Answered
    filling: float


async def run(world: World, told: Sequence[Telling], seed: int) -> Run:
    """Tell a new memory everything in the given order, and ask."""
    clock = FrozenClock(to_micros(datetime.combine(TAKEN, clock_time(12), tzinfo=UTC)))
    listed, searched = Answered(), Answered()
    with tempfile.TemporaryDirectory() as place:
        async with AsyncMemory(
            place,
            clock=clock,
            ontology=REGISTRY,
            embedder=HashEmbedder(),
            settings=Settings(durability="normal"),
        ) as memory:
            began = time.perf_counter()
            for one in (*world.names, *told):
                await memory.add_fact(
                    one.subject,
                    one.predicate,
                    one.object,
                    user=USER,
                    valid_from=one.valid_from,
                    valid_to=one.valid_to,
                    occurred_at=one.occurred_at,
                )
            filling = time.perf_counter() - began
            asked = list(questions(world, seed))
            for question in asked:
                listed.count(question, await _listed(memory, question))
            rng = random.Random(seed)  # noqa: S311 - a choice to repeat, no secret
            for question in rng.sample(asked, min(IN_WORDS, len(asked))):
                searched.count(question, await _searched(memory, question))
    return Run(listed, searched, filling)


async def _listed(memory: AsyncMemory, question: Asked) -> frozenset[str]:
    page = await memory.facts(
        user=USER,
        subject=question.subject,
        predicate=question.predicate,
        valid_at=question.at,
    )
    return frozenset(_value(fact) for fact in page.items)


async def _searched(memory: AsyncMemory, question: Asked) -> frozenset[str]:
    """Return what a search in words finds about the one asked for, as surely so."""
    known = await memory.facts(user=USER, subject=question.subject, include_ended=True, limit=1)
    result = await memory.search(
        _WORDS[question.predicate].format(question.subject),
        user=USER,
        predicate=question.predicate,
        valid_at=question.at,
        kinds=["fact"],
        limit=20,
    )
    facts = [hit.fact for hit in result.hits if hit.certainty is not Certainty.UNCERTAIN]
    about = {fact.subject.key for fact in known.items}
    return frozenset(_value(f) for f in facts if f and f.subject.key in about)


def _value(fact: Fact) -> str:
    return fact.object.text if fact.object else ""


def measure(folder: Path, seed: int) -> tuple[Figures, list[str]]:
    """Return the figures, and what was wrong."""
    began = time.perf_counter()
    world = load(folder, seed)
    shuffled = list(world.told)
    random.Random(seed).shuffle(shuffled)  # noqa: S311 - an order to repeat, no secret
    runs = [anyio.run(run, world, order, seed) for order in (world.told, shuffled)]
    first, second = runs
    relations = {
        relation: {
            "n": n,
            "exact": share(first.listed.right[relation], n),
            "exact_shuffled": share(second.listed.right[relation], n),
        }
        for relation, n in sorted(first.listed.asked.items())
    }
    figures: Figures = {
        "n": sum(first.listed.asked.values()),
        "seconds": round(time.perf_counter() - began, 1),
        "exact": first.listed.share,
        "exact_shuffled": second.listed.share,
        "search_n": sum(first.searched.asked.values()),
        "search_exact": first.searched.share,
        "search_exact_shuffled": second.searched.share,
        "facts": len(world.told),
        "names": len(world.names),
        "ms_per_fact": round(
            1000 * sum(one.filling for one in runs) / (2 * len(world.told + world.names)), 1
        ),
        "by_relation": relations,
    }
    wrong = [
        f"{how}: {text}"
        for how, one in zip(("in order", "shuffled"), runs, strict=True)
        for text in (*one.listed.wrong, *(f"search: {w}" for w in one.searched.wrong))
    ]
    return figures, wrong


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print."""
    parser: argparse.ArgumentParser = options(NAME, __doc__)
    parser.add_argument("--seed", type=int, default=1, help="of the names and the order")
    parser.add_argument("--wrong", type=int, default=0, metavar="N", help="show N wrong answers")
    given = parser.parse_args(arguments)
    read = source(
        parser, given, name=NAME, corpus="temporal_kg", sample=SAMPLES / NAME, files=FILES
    )
    figures, wrong = measure(read.folder, given.seed)
    rows = [["", "n", "in order", "shuffled"]]
    rows.append(["listed", figures["n"], figures["exact"], figures["exact_shuffled"]])
    rows += [
        [f"  {name}", row["n"], row["exact"], row["exact_shuffled"]]
        for name, row in figures["by_relation"].items()
    ]
    rows.append(
        ["searched", figures["search_n"], figures["search_exact"], figures["search_exact_shuffled"]]
    )
    tell({"corpus": read.corpus, **figures}, rows, as_json=given.json)
    if not given.json:
        print(
            f"{figures['facts']} facts and {figures['names']} names told twice, "
            f"{figures['ms_per_fact']} ms each"
        )
        for line in wrong[: given.wrong]:
            print(line)


if __name__ == "__main__":
    main()
