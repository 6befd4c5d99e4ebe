"""Generated histories: the memory on disk believes what the model believes, on both axes.

They are the same few hundred steps every time; ``GRAPHMEM_HISTORY_STEPS=10000`` takes that many
new ones instead.
"""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, settings

from benchmarks.stories import read
from graphmem import Memory
from graphmem.model.fact import Fact
from graphmem.testing.clock import FrozenClock
from tests.engine.kit import a_memory
from tests.histories.days import DAY, FAR, SECOND, date, iso, noon
from tests.histories.machine import Histories

STEPS = int(os.environ.get("GRAPHMEM_HISTORY_STEPS", "300"))
PER_HISTORY = 50
STORIES = [s for s in read(None) if len(s["turns"]) > 1][:: 1 if STEPS > 300 else 5]

READ = ("subject", "predicate", "object", "polarity", "modality", "form", "start", "end", "said_at")
"""What makes two readings of a turn one."""

TestHistories = Histories.TestCase
TestHistories.settings = settings(
    max_examples=max(1, STEPS // PER_HISTORY),
    stateful_step_count=PER_HISTORY,
    derandomize="GRAPHMEM_HISTORY_STEPS" not in os.environ,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


def _believed(mem: Memory, user: str) -> list[tuple[object, ...]]:
    """Return what a reader sees of everything there is, ids and record times apart."""
    page = mem.facts(
        user=user,
        valid_at=iso(FAR),
        include_ended=True,
        include_disputed=True,
        include_retracted=True,
        limit=500,
    )
    return sorted(_seen(fact, user) for fact in page.items)


def _seen(fact: Fact, user: str) -> tuple[object, ...]:
    interval = fact.interval
    return (
        "me" if fact.subject.text == user else fact.subject.text,
        fact.predicate,
        fact.object.text if fact.object else "",
        fact.polarity.value,
        fact.modality.value,
        fact.status.value,
        str(interval),
        fact.cause.rule if fact.cause else "",
        len(fact.claims),
    )


def _read(mem: Memory, user: str, file: Path) -> list[str]:
    """Return the claims taken from a user's turns, without ids, words and record times."""
    mem.export(file, user=user)
    rows = [json.loads(line) for line in file.read_text().splitlines()]
    claims = [row for row in rows if row["kind"] == "claim"]
    return sorted(str([claim[part] for part in READ]) for claim in claims)


def test_a_story_told_in_any_order_is_believed_alike(tmp_path: Path) -> None:
    """The turns of one dated story, shuffled, give one current view.

    What a few turns mean leans on what was known when they were read ("I left Acme"); where the
    claims differ, what is believed may.
    """
    clock = FrozenClock(FAR - 10 * DAY)
    alike = 0
    with a_memory(tmp_path / "memory", clock=clock) as mem:
        for story in STORIES:
            turns: list[tuple[int, dict[str, str]]] = [*enumerate(story["turns"])]
            views: list[list[tuple[object, ...]]] = []
            claims: list[list[str]] = []
            for number in range(3):
                user = f"{story['id']} {number}"
                shuffled = [*turns]
                Random(number).shuffle(shuffled)  # noqa: S311  # an order, not a secret
                for place, turn in shuffled if number else turns:
                    clock.advance()
                    # Turns of one day keep their order, which is given and not that of arrival.
                    hour = turn["at"][11:13] or "12"
                    at = f"{turn['at'][:10]}T{hour}:{place:02}:00Z"
                    mem.add(turn["text"], user=user, occurred_at=at)
                views.append(_believed(mem, user))
                claims.append(_read(mem, user, tmp_path / "claims.jsonl"))
            if claims[1] == claims[0] == claims[2]:
                alike += 1
                assert views[1] == views[0] == views[2], story["id"]
    assert alike >= 0.85 * len(STORIES)


def _alternating(folder: Path, *, off: int) -> tuple[list[tuple[object, ...]], list[int]]:
    """Let two handles tell one story in turn, the second's clock ``off`` by seconds."""
    clocks = [FrozenClock(noon(100)), FrozenClock(noon(100) + off * SECOND)]
    handles = [a_memory(folder, clock=clock) for clock in clocks]
    records: list[int] = []
    said = [("Riga", 1), ("Cesis", 20), ("Riga", 40), ("Kite", 9), ("Cesis", 60)]
    try:
        for step, (place, day) in enumerate(said):
            for clock in clocks:
                clock.advance()
            mem = handles[step % 2]
            predicate = "works_at" if place == "Kite" else "lives_in"
            when = f"{date(day)}T12:00:00Z"
            mem.add_fact("me", predicate, place, user="ana", occurred_at=when)
            everything = mem.facts(user="ana", include_ended=True, valid_at=iso(FAR)).items
            records.append(max(fact.created_at for fact in everything))
        views = [_believed(mem, "ana") for mem in handles]
        assert views[0] == views[1]
        return views[0], records
    finally:
        for mem in handles:
            mem.close()


@pytest.mark.parametrize("off", [-7, -2, 3])
def test_two_clocks_that_disagree_disturb_nothing(off: int) -> None:
    """What is believed is the same, and record times only grow."""
    with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as two:
        agreeing, _ = _alternating(Path(one), off=0)
        disagreeing, records = _alternating(Path(two), off=off)
    assert disagreeing == agreeing
    assert records == sorted(set(records))
