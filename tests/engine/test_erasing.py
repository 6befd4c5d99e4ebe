"""Erasing: what goes, what comes back, and that no byte of it stays."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import anyio
import pytest

from graphmem import Memory
from graphmem.extraction.patterns import PatternExtractor
from graphmem.model.draft import Batch, Extraction
from graphmem.testing.clock import FrozenClock
from tests.engine.conftest import Make
from tests.engine.kit import day, holding, iso, the, triples, values
from tests.services.deployments import EMBEDDED


def test_erasing_a_user_takes_everything_of_theirs_alone(mem: Memory, stores: str) -> None:
    """The receipt counts what went; others keep what they have."""
    for user in ("ana", "bob"):
        mem.add("I live in Riga. I'm allergic to mango.", user=user)
    receipt = mem.erase(user="ana")
    # A Neo4j server cannot prove that its files hold no more of it, and says so.
    assert receipt.clean is (stores == EMBEDDED)
    assert all("Neo4j" in reason for reason in receipt.waiting)
    assert (receipt.removed["episodes"], receipt.removed["facts"]) == (1, 2)
    assert not mem.facts(user="ana").total
    assert not mem.entities(user="ana").total
    assert not mem.search("where do I live?", user="ana").hits
    assert mem.facts(user="bob").total == 2
    assert mem.search("where do I live?", user="bob").hits
    assert mem.verify().clean


def test_erasing_a_fact_reopens_what_only_it_had_ended(mem: Memory) -> None:
    """The receipt names what holds again."""
    old = the(mem.add_fact("me", "lives_in", "Riga", user="ana", occurred_at=day(-9)))
    new = the(mem.add_fact("me", "lives_in", "Cork", user="ana", occurred_at=day(-5)))
    receipt = mem.erase(user="ana", fact=new.id)
    assert [f.id for f in receipt.reopened] == [old.id]
    assert [(f.id, f.interval.end) for f in mem.facts(user="ana").items] == [(old.id, None)]
    assert (receipt.removed["facts"], receipt.removed["claims"]) == (1, 1)


def test_erasing_a_fact_blanks_its_quotes_in_the_turns(mem: Memory) -> None:
    """The turn stays, without the words; its other facts stay whole."""
    mem.add("I'm allergic to mango. I live in Riga.", user="ana", session="s1")
    (fact,) = mem.facts(user="ana", predicate="allergic_to").items
    receipt = mem.erase(user="ana", fact=fact.id)
    assert receipt.removed["quotes"] == 1
    (home,) = mem.facts(user="ana").items
    assert mem.explain(home.id, user="ana").sources[0].quote == "I live in Riga."
    assert not [h for h in mem.search("mango", user="ana").hits if "mango" in h.text]


def test_erasing_a_turn_takes_its_claims_alone(mem: Memory) -> None:
    """A fact that another turn states too stays with one source fewer; another goes."""
    first = mem.add("I live in Riga. I have a dog.", user="ana", occurred_at=day(-5))
    mem.add("I live in Riga.", user="ana", occurred_at=day(-1))
    episode = first.turns[0].episode
    assert episode is not None
    receipt = mem.erase(user="ana", episode=episode)
    assert receipt.removed["episodes"] == 1
    (fact,) = mem.facts(user="ana").items
    assert values([fact]) == {"Riga"}
    assert len(mem.explain(fact.id, user="ana").sources) == 1


def test_what_nothing_speaks_of_any_more_goes(mem: Memory) -> None:
    """Things left without a claim go, with what was merged into them; the user stays."""
    mem.add_fact("Bob", "visited", "Cork", user="ana")
    mem.add_fact("Robert", "visited", "Riga", user="ana")
    mem.merge(["Robert"], into="Bob", user="ana")
    for fact in mem.facts(user="ana").items:
        mem.erase(user="ana", fact=fact.id)
    assert not [v for v in mem.entities(user="ana").items if not v.entity.is_self]


def test_a_role_that_only_the_erased_fact_gave_goes(mem: Memory) -> None:
    """Somebody who stays is no dentist any more once that is erased."""
    mem.add("My dentist is Pilar.", user="ana")
    mem.add("Pilar lives in Cadiz.", user="ana")
    (fact,) = mem.facts(user="ana", predicate="has_dentist").items
    mem.erase(user="ana", fact=fact.id)
    (pilar,) = [v.entity for v in mem.entities(user="ana").items if v.entity.name == "Pilar"]
    assert "dentist" not in pilar.types


def test_a_name_that_only_the_erased_turn_gave_goes(mem: Memory) -> None:
    """The user's stated name is no alias once that turn is erased."""
    receipt = mem.add("My name is Tove.", user="ana")
    mem.add("I live in Riga.", user="ana")
    episode = receipt.turns[0].episode
    assert episode is not None
    mem.erase(user="ana", episode=episode)
    assert not mem.facts(user="ana", subject="Tove").total
    assert mem.facts(user="ana", subject="me").total == 1


ENGLISH, CHINESE = "Zanzibarquux", "紫薇巷"


def _secrets(mem: Memory) -> list[str]:
    """Tell secrets in two turns beside things that stay; return the ids of the secret facts."""
    mem.add(f"I live in {ENGLISH}. I like tea.", user="ana", session=f"session of {ENGLISH}"[:7])
    mem.add(f"我对{CHINESE}过敏。我喜欢喝茶。", user="ana")
    mem.search(f"what about {ENGLISH} {CHINESE}", user="ana")
    return [
        f.id
        for f in mem.facts(user="ana").items
        if f.object and (ENGLISH in f.object.text or CHINESE in f.object.text)
    ]


@pytest.mark.embedded("looks at the bytes of its files")
def test_no_byte_of_an_erased_fact_stays_in_any_file(make: Make, tmp_path: Path) -> None:
    """Once the receipt says clean, the words are nowhere below the folder."""
    memory = make()
    facts = _secrets(memory)
    assert len(facts) == 2
    assert holding(tmp_path / "memory", ENGLISH)
    receipts = [memory.erase(user="ana", fact=fact) for fact in facts]
    assert all(r.clean and not r.waiting for r in receipts)
    assert not holding(tmp_path / "memory", ENGLISH, CHINESE, ENGLISH.casefold())
    assert memory.facts(user="ana").total
    assert memory.verify().clean


@pytest.mark.embedded("looks at the bytes of its files")
def test_no_byte_of_an_erased_user_stays_in_any_file(make: Make, tmp_path: Path) -> None:
    """So it is with a user, whose name goes too."""
    memory = make()
    _secrets(memory)
    memory.add("I live in Riga.", user=f"u-{ENGLISH}")
    memory.add("I live in Riga.", user="bob")
    assert memory.erase(user="ana").clean
    assert memory.erase(user=f"u-{ENGLISH}").clean
    assert not holding(tmp_path / "memory", ENGLISH, CHINESE, ENGLISH.casefold())
    assert memory.facts(user="bob").total == 1


@contextmanager
def _another_process_reading(file: Path) -> Generator[None]:
    script = (
        "import sqlite3, sys\n"
        "c = sqlite3.connect(sys.argv[1], isolation_level=None)\n"
        "c.execute('BEGIN'); c.execute('SELECT count(*) FROM episodes').fetchone()\n"
        "print('reading', flush=True); sys.stdin.readline(); c.close()\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", script, str(file)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stdin is not None
        assert process.stdout.readline() == "reading\n"
        yield
        process.stdin.write("\n")
        process.stdin.flush()
        process.stdin.close()


@pytest.mark.embedded("another process reads its file")
def test_with_another_reader_it_says_what_it_waits_for(make: Make, tmp_path: Path) -> None:
    """While another process reads it is not clean; the next erase or sweep is."""
    memory = make()
    facts = _secrets(memory)
    with _another_process_reading(tmp_path / "memory" / "graph.sqlite3"):
        first = memory.erase(user="ana", fact=facts[0])
        assert not first.clean
        assert first.waiting
        assert facts[0] not in {f.id for f in memory.facts(user="ana").items}
    assert memory.erase(user="ana", fact=facts[1]).clean
    assert not holding(tmp_path / "memory", ENGLISH, CHINESE)


@pytest.mark.embedded("another process reads its file")
def test_what_was_left_is_finished_at_the_next_open(make: Make, tmp_path: Path) -> None:
    """A memory opened later finishes what an erasure had to leave."""
    memory = make()
    facts = _secrets(memory)
    with _another_process_reading(tmp_path / "memory" / "graph.sqlite3"):
        for fact in facts:
            memory.erase(user="ana", fact=fact)
        memory.close()
    again = make()
    again.facts(user="ana")
    assert not holding(tmp_path / "memory", ENGLISH, CHINESE)


Step = tuple[str, str, str | None, int]


def _tell(memory: Memory, clock: FrozenClock, steps: list[Step]) -> list[str]:
    ids: list[str] = []
    for predicate, thing, start, ago in steps:
        clock.advance()
        receipt = memory.add_fact(
            "me", predicate, thing, user="ana", valid_from=start, occurred_at=day(-ago)
        )
        ids.append(receipt.facts[0].id if receipt.facts else "")
    return ids


_BEFORE: list[Step] = [("lives_in", "Riga", None, 90), ("likes", "opera", None, 80)]
_SECRET: Step = ("lives_in", "Oslo", "2025-08-01", 40)
_AFTER: list[Step] = [
    ("lives_in", "Cork", None, 20),
    ("lives_in", "Riga", None, 10),
    ("speaks", "Twi", None, 5),
]


def test_past_views_are_as_if_it_had_never_been_said(make: Make) -> None:
    """At every record time the facts equal those of a memory that never heard it, ids apart."""
    told, never = FrozenClock(), FrozenClock()
    one, two = make("told", clock=told), make("never", clock=never)
    ids = _tell(one, told, [*_BEFORE, _SECRET, *_AFTER])
    _tell(two, never, _BEFORE)
    never.advance()
    _tell(two, never, _AFTER)
    one.erase(user="ana", fact=ids[2])
    for n in range(8):
        at = iso(FrozenClock().at + n * 1_000_000)
        views = [
            {
                (f.predicate, f.object and f.object.text, f.interval, f.status, f.created_at)
                for f in memory.facts(
                    user="ana", known_at=at, include_ended=True, include_retracted=True
                ).items
            }
            for memory in (one, two)
        ]
        assert views[0] == views[1], n
    assert one.verify().clean


def test_a_slow_model_cannot_bring_back_an_erased_turn(make: Make) -> None:
    """A turn that is erased while a model reads it leaves no fact behind."""
    begun, go = threading.Event(), threading.Event()

    class Slow:
        identity = "slow/1"

        async def extract(self, batch: Batch) -> Extraction:
            begun.set()
            await anyio.to_thread.run_sync(go.wait)
            return await PatternExtractor().extract(batch)

    memory, other = make(extractor=Slow()), make()
    adding = threading.Thread(target=memory.add, args=("I live in Riga.",), kwargs={"user": "ana"})
    adding.start()
    assert begun.wait(60)
    other.erase(user="ana")
    go.set()
    adding.join()
    assert not other.facts(user="ana").total
    assert not other.search("Riga", user="ana").hits


def test_erasing_twice_is_not_found_or_nothing(mem: Memory) -> None:
    """A user who holds nothing is erased without complaint."""
    assert mem.erase(user="nobody").clean
    mem.add("I live in Riga.", user="ana")
    mem.erase(user="ana")
    assert sum(mem.erase(user="ana").removed.values()) == 0


def test_containment_outlives_an_erasure(mem: Memory) -> None:
    """What is known to contain what still counts when a home is rebuilt."""
    mem.add_fact("Hangzhou", "located_in", "China", user="ana", occurred_at=day(-99))
    mem.add_fact("me", "lives_in", "Riga", user="ana", occurred_at=day(-90))
    mem.add_fact("me", "lives_in", "Hangzhou", user="ana", occurred_at=day(-50))
    mem.add_fact("me", "lives_in", "China", user="ana", occurred_at=day(-40))
    assert triples(mem.facts(user="ana", predicate="lives_in")) == {
        ("ana", "lives_in", "Hangzhou", "+")
    }
    (riga,) = mem.facts(user="ana", predicate="lives_in", valid_at=day(-80)).items
    mem.erase(user="ana", fact=riga.id)
    assert triples(mem.facts(user="ana", predicate="lives_in")) == {
        ("ana", "lives_in", "Hangzhou", "+")
    }


def test_erasing_what_a_place_lies_in_makes_it_a_place_of_its_own(mem: Memory) -> None:
    """Without the containment the wider place is another home."""
    mem.add_fact("Hangzhou", "located_in", "China", user="ana", occurred_at=day(-99))
    mem.add_fact("me", "lives_in", "Hangzhou", user="ana", occurred_at=day(-50))
    mem.add_fact("me", "lives_in", "China", user="ana", occurred_at=day(-40))
    (inside,) = mem.facts(user="ana", predicate="located_in").items
    mem.erase(user="ana", fact=inside.id)
    assert triples(mem.facts(user="ana", predicate="lives_in")) == {
        ("ana", "lives_in", "China", "+")
    }
