"""Nothing another tenant or user does moves a score, an order or a count of one's answers."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, example, given, settings
from hypothesis import strategies as st

from graphmem import Memory
from graphmem.model.fact import Fact
from graphmem.model.receipt import Receipt
from graphmem.testing.clock import FrozenClock
from tests.enemies.test_large import LONG
from tests.engine.kit import NOW, a_memory

Who = dict[str, Any]  # Any: user and tenant, passed on
ME: Who = {"user": "ana", "tenant": "default"}
OTHERS: list[Who] = [
    {"user": "bob", "tenant": "default"},
    {"user": "ana", "tenant": "other"},
    {"user": "Ana", "tenant": "default"},
]
TURNS = [
    "I'm allergic to mango and I live in Riga.",
    "My sister Tilda Berg lives in Cork.",
    "Tilda Berg works at Larch, and I like mango tea.",
    "I moved from Riga to Oslo last month.",
    "我对芒果过敏，住在里加。",
    "The harbour was windy; mango sorbet helped.",
    "My friend Tilda Bergh lives in Riga.",
]
QUESTIONS = [
    "what am I allergic to?",
    "where does my sister live?",
    "Tilda Berg",
    "mango",
    "which city does the sister who works at Larch live in?",
    "芒果",
]
WAYS: list[dict[str, Any]] = [  # Any: options of a search
    {},
    {"include_ended": True, "limit": 2},
    {"recipe": "weighted"},
]
Step = tuple[str, int]
"""What is done ("tell", "state", "retract", "correct", "erase", "wipe", "export") and with what."""


def plain(fact: Fact) -> tuple[object, ...]:
    """Return a fact without its ids."""
    words = fact.object.text if fact.object else None
    cause = (fact.cause.rule, fact.cause.reason) if fact.cause else None
    times = (fact.interval, fact.created_at, fact.expired_at)
    who = (fact.subject.text, fact.predicate, words, fact.qualifiers, fact.polarity)
    return (*who, *times, fact.status, fact.modality, fact.confidence, cause, len(fact.claims))


def answers(mem: Memory, who: Who, *, ids: bool = False) -> list[object]:
    """Return all that can be asked of a scope, scores and order included."""
    seen: list[object] = []
    for question in QUESTIONS:
        for options in WAYS:
            result = mem.search(question, **who, **options)
            hits = [
                (
                    h.id if ids else "",
                    (h.text, h.score, h.parts, h.label, h.why, h.certainty),
                    [plain(f) for f in h.path],
                    [(source.quote, source.speaker) for source in h.sources],
                )
                for h in result.hits
            ]
            seen.append((question, hits, result.hidden, result.notes, result.channels))
    seen.append(mem.context("plan dinner with Tilda", **who).text)
    every: dict[str, Any] = {
        "include_ended": True,
        "include_disputed": True,
        "include_retracted": True,
    }
    page = mem.facts(**who, **every, limit=2)
    seen.append(page.total)
    listed = list(page.items)
    while page.cursor is not None:
        page = mem.facts(**who, **every, limit=2, cursor=page.cursor)
        listed += page.items
    seen.append([plain(f) for f in listed])
    entities = mem.entities(**who)
    views = [*entities.items]
    if not ids:  # things made in one instant lie in the order of their ids, which are random
        views.sort(key=lambda v: (v.entity.created_at, v.entity.key))
    seen.append((entities.total, [(v.entity.name, v.entity.aliases, v.facts) for v in views]))
    seen += [[plain(r) for r in mem.history(f.id, **who).items] for f in listed[:2]]
    seen += [mem.explain(f.id, **who).why for f in listed[:3]]
    names = {v.entity.id: v.entity.name for v in entities.items}
    pairs = [(names.get(s.first), names.get(s.second), s.state) for s in mem.suggestions(**who)]
    seen.append(pairs if ids else sorted(pairs, key=str))
    return seen


def told(receipt: Receipt) -> object:
    """Return a receipt without its ids."""
    turns = [(t.index, t.state, t.reason, t.unmatched) for t in receipt.turns]
    outcomes = [(o.change, plain(o.fact)) for o in receipt.outcomes]
    return turns, outcomes, receipt.refused, receipt.notes


def do(mem: Memory, who: Who, step: Step, folder: Path) -> object:
    """Do one step for a scope; return what its receipt says."""
    what, number = step
    if what == "tell":
        said = {"content": TURNS[number % len(TURNS)], "id": str(number)}
        return told(mem.add(said, **who, session=f"s{number % 2}", wait=True))
    if what == "state":
        return told(mem.add_fact("Tilda Berg", "likes", f"mango {number}", **who))
    page = mem.facts(**who)
    if what == "export" and page.total:
        return mem.export(folder / "out.jsonl", **who).rows
    if what == "wipe":
        return mem.erase(**who).removed
    if not page.items:
        return None
    fact = page.items[number % len(page.items)]
    if what == "retract":
        return told(mem.retract(fact.id, **who, reason="in jest"))
    if what == "correct" and fact.object is not None:
        return told(mem.correct(fact.id, **who, object=f"Town {number}"))
    if what == "erase":
        return mem.erase(**who, fact=fact.id).removed
    return None


OWN = st.tuples(
    st.sampled_from(["tell", "tell", "tell", "state", "retract", "correct"]), st.integers(0, 9)
)
FOREIGN = st.tuples(
    st.sampled_from(["tell", "tell", "state", "retract", "correct", "erase", "wipe", "export"]),
    st.integers(0, 9),
)
Life = Sequence[tuple[Step, Sequence[tuple[int, Step]]]]
"""Own steps, each followed by what others do: which of them, and what."""


@settings(
    max_examples=150 if LONG else 3,
    phases=Phase if LONG else (Phase.explicit, Phase.generate),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
@example(
    life=[
        (("tell", 0), [(0, ("tell", 0)), (1, ("tell", 0)), (2, ("tell", 1))]),
        (("tell", 1), [(0, ("tell", 6)), (0, ("state", 3)), (1, ("export", 0))]),
        (("tell", 6), [(0, ("wipe", 0)), (1, ("retract", 0))]),
        (("correct", 1), [(2, ("tell", 2))]),
        (("tell", 5), []),
    ]
)
@given(
    life=st.lists(
        st.tuples(OWN, st.lists(st.tuples(st.integers(0, 2), FOREIGN), max_size=3)),
        min_size=2,
        max_size=6,
    )
)
def test_others_change_nothing(life: Life) -> None:
    """Two memories, one of them shared with others, give one's own scope equal answers."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        clocks = FrozenClock(NOW), FrozenClock(NOW)
        shared = a_memory(folder / "shared", clock=clocks[1])
        alone = a_memory(folder / "alone", clock=clocks[0])
        for step, foreign in life:
            for clock in clocks:
                clock.advance()
            assert do(alone, ME, step, folder) == do(shared, ME, step, folder)
            for who, other in foreign:
                do(shared, OTHERS[who], other, folder)
        assert answers(alone, ME) == answers(shared, ME)
        alone.close()
        shared.close()


def test_a_crowd_beside_starves_nobody(tmp_path: Path) -> None:
    """Hundreds of better fitting facts of others leave every score as it was."""
    mem = a_memory(tmp_path)
    mem.add(TURNS, **ME)
    before = answers(mem, ME)
    for who in OTHERS:
        mem.add(
            [f"I'm allergic to mango {n}. Tilda Berg {n} lives in Cork." for n in range(70)], **who
        )
    assert answers(mem, ME) == before
    mem.close()


@pytest.fixture
def lived(tmp_path: Path) -> Memory:
    """Return a memory of two users with a history of every kind of write."""
    mem = a_memory(tmp_path / "memory")
    for who in (ME, OTHERS[0]):
        for step in [("tell", n) for n in range(7)]:
            do(mem, who, step, tmp_path)
        for step in (("retract", 1), ("correct", 2), ("state", 4)):
            do(mem, who, step, tmp_path)
    return mem


def by_reindex(mem: Memory, folder: Path) -> Memory:
    mem.reindex()
    return mem


def by_repair(mem: Memory, folder: Path) -> Memory:
    mem.repair()
    return mem


def by_opening_again(mem: Memory, folder: Path) -> Memory:
    mem.close()
    return a_memory(folder / "memory")


def by_transfer(mem: Memory, folder: Path) -> Memory:
    mem.export(folder / "all.jsonl")
    mem.close()
    fresh = a_memory(folder / "fresh")
    fresh.import_(folder / "all.jsonl")
    return fresh


def by_erasing_others(mem: Memory, folder: Path) -> Memory:
    mem.erase(**OTHERS[0])
    return mem


@pytest.mark.parametrize(
    "way", [by_reindex, by_repair, by_opening_again, by_transfer, by_erasing_others]
)
def test_equal_data_give_equal_answers(
    lived: Memory, tmp_path: Path, way: Callable[[Memory, Path], Memory]
) -> None:
    """However the same facts came to lie there, hits, scores and order are the same."""
    before = answers(lived, ME, ids=True)
    after = way(lived, tmp_path)
    assert answers(after, ME, ids=True) == before
    after.close()


CHILD = """
import json, sys
from graphmem import Memory
from tests.enemies.test_scopes_apart import ME, QUESTIONS, keyword_answers
mem = Memory(sys.argv[1], embedder="none")
print(json.dumps(keyword_answers(mem)))
mem.close()
"""


def keyword_answers(mem: Memory) -> list[Any]:
    """Return hits with their scores, as JSON keeps them."""
    results = [mem.search(question, **ME).hits for question in QUESTIONS]
    return json.loads(json.dumps([[(h.id, h.score) for h in hits] for hits in results]))


@pytest.mark.embedded("another process opens its folder")
def test_a_second_process_answers_as_one_without_index(lived: Memory, tmp_path: Path) -> None:
    """While one process holds the index, another reads by keyword as if there were none."""
    command = [sys.executable, "-c", CHILD, str(tmp_path / "memory")]
    root = Path(__file__).parents[2]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=root)
    lived.close()
    (tmp_path / "bare").mkdir()
    shutil.copy(tmp_path / "memory" / "graph.sqlite3", tmp_path / "bare")
    bare = Memory(tmp_path / "bare", embedder="none")
    assert json.loads(done.stdout) == keyword_answers(bare)
    assert any(keyword_answers(bare))
    bare.close()
