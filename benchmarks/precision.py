"""Whether a search returns what is wanted and nothing else, on PrecisionMemBench's cases.

``python -m benchmarks.precision [--data FOLDER] [--json] [--failed]``; the folder holds
``beliefs.seed.json`` and ``retrieval.cases.json``. Without one, a few of our own making.

Each belief is told as a fact (``Told`` says how), with its scope as the session label, its aliases
as other names of the thing it is about, and its end where it was superseded or resolved. A case
asks in words within scopes and names what must come back in four tiers: what the search finds
beside what is pinned, pinned facts, pinned open questions, and what always holds. It passes if
every tier it speaks of is as it says; the found ones must be exactly those it names.

A search returns, best first, all that may help. Who wants only what surely answers sets a floor for
the score, which goes from 0 to 1: ``passed`` is with a floor in the middle, and ``floors`` tells it
for none and others.
"""

from __future__ import annotations

import tempfile
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import anyio

from benchmarks.running import SAMPLES, Figures, Json, options, read_json, share, source, tell
from graphmem import AsyncMemory
from graphmem.model.fact import Fact
from graphmem.model.instants import instant_of
from graphmem.model.time import DAY
from graphmem.retrieval.recipes import RECIPES, SCORE
from graphmem.testing.clock import FrozenClock

NAME = "precision"
BELIEFS, CASES = "beliefs.seed.json", "retrieval.cases.json"
OWNER = "test-user"
"""Whose the cases are that name no user."""
ALWAYS = "user:universal"
"""The scope of what holds everywhere."""
PREDICATES = {
    "preference": "prefers",
    "decision": "decided_on",
    "entity": "has_in_hand",
    "relation": "relies_on",
}
OPEN = "wonders_about"
"""The predicate of open questions, which are listed and not searched."""
PINNED = 10
"""The importance of what is pinned; of everything else, the usual 5."""
FLOOR = 0.5
FLOORS = (0.0, 0.3, FLOOR, 0.7)
"""The least score that is returned."""
DEFAULT = RECIPES["default"]
MOST = 20
"""How many beliefs come back where a case names no number."""


def words(name: str) -> str:
    """Return a belief's name as words."""
    return name.replace("_", " ")


def statement(belief: Json) -> str:
    """Return what is told of a belief: its name, its other names, and its words."""
    names = ", ".join(belief["aliases"])
    return f"{words(belief['canonical_name'])}{f' ({names})' if names else ''}: {belief['content']}"


@dataclass(slots=True)
class Told:
    """Beliefs as facts of a memory: "me prefers narrator voice", with names and words as statement.

    Attributes:
        memory: where they are.
        beliefs: by fact id, the belief's id. relations: participants by the belief's id.
    """

    memory: AsyncMemory
    beliefs: dict[str, str] = field(default_factory=dict[str, str])
    relations: dict[str, list[str]] = field(default_factory=dict[str, list[str]])

    async def tell(self, belief: Json) -> None:
        """Tell one belief, and by what other names its subject goes."""
        user, session = belief["user_id"], belief["scope"][0]
        about = words(belief["canonical_name"])
        over = belief["resolved_at"] or (belief["superseded_by"] and belief["updated_at"])
        receipt = await self.memory.add_fact(
            "me",
            PREDICATES.get(belief["type"], OPEN),
            about,
            user=user,
            session=session,
            statement=statement(belief),
            occurred_at=belief["updated_at"],
            valid_from=belief["created_at"] if over else None,
            valid_to=over or None,
            importance=PINNED if belief["pinned"] else 5,
            confidence=belief["confidence"],
        )
        self.beliefs[receipt.facts[0].id] = belief["_id"]
        if "participants" in belief:
            self.relations[belief["_id"]] = belief["participants"]
        for alias in belief["aliases"]:
            if alias.casefold() != about:
                await self.memory.add_fact(
                    about, "also_known_as", alias, user=user, session=session
                )

    def ids(self, facts: Sequence[Fact]) -> list[str]:
        """Return the beliefs behind facts."""
        return [self.beliefs[fact.id] for fact in facts]


@dataclass(frozen=True, slots=True)
class Tiers:
    """What a memory gives for one case: ids of beliefs, and what always holds as text."""

    relevant: list[str]
    pinned: list[str]
    questions: list[str]
    always: str


async def answer(told: Told, case: Json, floor: float) -> Tiers:
    """Ask a memory what a case asks, and leave out what scores below ``floor``."""
    memory, user = told.memory, case.get("userId", OWNER)
    scopes: list[str] = case["scope"]
    most: int = case.get("budget", {}).get("maxBeliefs", MOST)
    always = await memory.facts(user=user, session=ALWAYS)
    listed = (await memory.facts(user=user, session=scopes, limit=1000)).items
    pinned = [fact for fact in listed if fact.importance == PINNED]
    questions = told.ids([fact for fact in pinned if fact.predicate == OPEN])
    facts = told.ids([fact for fact in pinned if fact.predicate in PREDICATES.values()])
    found: list[str] = []
    if case["query"].strip() and most:
        result = await memory.search(
            case["query"],
            user=user,
            session=scopes,
            predicate=list(PREDICATES.values()),
            kinds=["fact"],
            limit=most,
            recipe=replace(DEFAULT, floors={**DEFAULT.floors, SCORE: floor}),
        )
        found = told.ids([hit.fact for hit in result.hits if hit.fact])
        here = set(told.ids([f for f in listed if f.predicate in PREDICATES.values()]))
        for belief in list(found):
            found += [one for one in told.relations.get(belief, ()) if one in here]
    relevant = [one for one in dict.fromkeys(found) if one not in facts]
    return Tiers(
        relevant=relevant[: max(0, most - len(facts))],
        pinned=facts[:most],
        questions=questions,
        always=" ".join(fact.statement for fact in always.items),
    )


def faults(expect: Mapping[str, Any], tiers: Tiers) -> list[str]:  # Any: the case's JSON
    """Return what is not as a case says, in words; empty if it passes."""
    wrong: list[str] = []
    found = expect.get("relevantBeliefs", {})
    if (only := found.get("shouldOnlyInclude")) is not None:
        wrong += [f"also found {one}" for one in tiers.relevant if one not in only]
        wrong += [f"not found {one}" for one in only if one not in tiers.relevant]
    both = [*tiers.relevant, *tiers.pinned]
    for rule, have in (
        (found, both),
        (expect.get("pinnedFacts", {}), tiers.pinned),
        (expect.get("openQuestions", {}), tiers.questions),
    ):
        wrong += [f"missing {one}" for one in rule.get("mustInclude", ()) if one not in have]
        wrong += [f"forbidden {one}" for one in rule.get("mustExclude", ()) if one in have]
    prelude = expect.get("personaPrelude", {})
    if prelude.get("nonEmpty") and not tiers.always:
        wrong.append("nothing that always holds")
    if prelude.get("isNull") and tiers.always:
        wrong.append(f"something that always holds: {tiers.always!r}")
    wrong += [f"no {word!r}" for word in prelude.get("contains", ()) if word not in tiers.always]
    wrong += [f"{word!r}" for word in prelude.get("mustNotContain", ()) if word in tiers.always]
    return wrong


@dataclass(slots=True)
class Measured:
    """Cases by category and what they came to."""

    of: Counter[str] = field(default_factory=Counter[str])
    passed: Counter[str] = field(default_factory=Counter[str])
    active: int = 0
    active_passed: int = 0
    wanted: int = 0
    right: int = 0
    returned: int = 0
    failed: list[str] = field(default_factory=list[str])

    def count(self, case: Json, tiers: Tiers) -> None:
        """Count one case."""
        wrong = faults(case["expect"], tiers)
        category = case["category"]
        self.of[category] += 1
        self.passed[category] += not wrong
        want = set(case["expect"].get("relevantBeliefs", {}).get("shouldOnlyInclude", ()))
        if want:
            self.active += 1
            self.active_passed += not wrong
            self.wanted += len(want)
            self.right += len(want.intersection(tiers.relevant))
            self.returned += len(tiers.relevant)
        if wrong:
            self.failed.append(f"{category}: {case['query']!r}: {'; '.join(wrong)}")


async def ask(folder: Path) -> dict[float, Measured]:
    """Tell a new memory every belief, and ask every case with each floor."""
    measured = {floor: Measured() for floor in FLOORS}
    beliefs, cases = read_json(folder / BELIEFS), read_json(folder / CASES)
    last = max(instant_of(belief["updated_at"], "UTC") for belief in beliefs)
    with tempfile.TemporaryDirectory() as place:
        async with AsyncMemory(place, clock=FrozenClock(last + DAY)) as memory:
            told = Told(memory)
            for belief in beliefs:
                await told.tell(belief)
            for floor, counted in measured.items():
                for case in cases:
                    counted.count(case, await answer(told, case, floor))
    return measured


def measure(folder: Path) -> tuple[Figures, list[str]]:
    """Return the figures, and the cases that fail."""
    began = time.perf_counter()
    by_floor = anyio.run(ask, folder)
    measured = by_floor[FLOOR]
    figures: Figures = {
        "n": measured.of.total(),
        "seconds": round(time.perf_counter() - began, 1),
        "passed": measured.passed.total(),
        "of": measured.of.total(),
        "found_passed": measured.active_passed,
        "found_of": measured.active,
        "precision": share(measured.right, measured.returned),
        "recall": share(measured.right, measured.wanted),
        "floor": FLOOR,
        "floors": {
            str(floor): {
                "passed": counted.passed.total(),
                "found_passed": counted.active_passed,
                "precision": share(counted.right, counted.returned),
                "recall": share(counted.right, counted.wanted),
            }
            for floor, counted in by_floor.items()
        },
        "by_category": {
            name: {"passed": measured.passed[name], "of": n} for name, n in measured.of.items()
        },
    }
    return figures, measured.failed


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print."""
    parser = options(NAME, __doc__)
    parser.add_argument("--failed", action="store_true", help="show the cases that fail, and why")
    given = parser.parse_args(arguments)
    read = source(
        parser,
        given,
        name=NAME,
        corpus="precisionmembench",
        sample=SAMPLES / NAME,
        files=(BELIEFS, CASES),
    )
    figures, failed = measure(read.folder)
    rows = [["", "passed", "of"], ["all", figures["passed"], figures["of"]]]
    rows.append(["with something to find", figures["found_passed"], figures["found_of"]])
    rows += [
        [f"  {name}", row["passed"], row["of"]] for name, row in figures["by_category"].items()
    ]
    rows += [
        [f"with a floor of {floor}", row["passed"], figures["of"]]
        for floor, row in figures["floors"].items()
    ]
    tell({"corpus": read.corpus, **figures}, rows, as_json=given.json)
    if given.failed and not given.json:
        print(*failed, sep="\n")


if __name__ == "__main__":
    main()
