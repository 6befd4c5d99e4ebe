"""Nothing is lost or doubled on the way through a model that fails."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from graphmem import Memory
from graphmem.model.receipt import Receipt, TurnState
from graphmem.testing.embedders import HashEmbedder
from graphmem.testing.model_server import Reply, Request, ScriptedServer
from tests.field.offering import NOTHING, Claim, Offering, an_answer, offer, offering

pytestmark = pytest.mark.embedded("a model fails before any store is asked")

EN = ("I keep bees in Ghent.", offer("I keep bees", "has", "bees"), "me has bees")
ZH = ("我在三江口养蜂。", offer("我在三江口养蜂", "lives_in", "三江口"), "me lives_in 三江口")
CHILD = Path(__file__).with_name("child.py")

AWAY = Reply(cut=True)
FAILURES: dict[str, tuple[Reply | str, str]] = {
    "away": (AWAY, "tiny"),
    "broken": (Reply(status=500), "500"),
    "busy": (Reply(status=429), "429"),
    "refused": (Reply(status=401), "401"),
    "too slow": (Reply(content=NOTHING, delay=2), "timeout"),
    "prose": ("I'm sorry, I cannot do that.", "JSON"),
    "empty": (Reply(content=None), "empty"),
    "thinking": (Reply(content="", message={"reasoning_content": "Well, bees are"}), "reasoning"),
    "filtered": (Reply(content="", finish_reason="content_filter"), "withheld"),
    "cut": (Reply(content='{"claims": [{"turn": "T1", "quo', finish_reason="length"), "cut off"),
    "no completion": (Reply(body=b"<html>"), "tiny"),
    "malformed": ('{"claims": ["bees"]}', "claim"),
}


@pytest.fixture(scope="module")
def weak(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Offering]:
    """One memory for all; every test is a user of its own."""
    with offering(tmp_path_factory.mktemp("weak") / "memory", timeout=0.5) as opened:
        yield opened


def pending(receipt: Receipt) -> list[tuple[int, str]]:
    """Return which turns wait, and why."""
    return [(turn.index, turn.reason or "") for turn in receipt.pending]


def told_once(weak: Offering, user: str, fact: str) -> None:
    """Check that exactly one fact is held, by one claim, and nothing waits."""
    assert weak.held(user) == {fact}
    (found,) = weak.memory.facts(user=user, include_ended=True).items
    assert len(found.claims) == 1
    weak.asked.clear()
    assert not weak.memory.retry_pending(user=user).turns
    assert not weak.asked


@pytest.mark.parametrize("failure", FAILURES)
@pytest.mark.parametrize("case", [EN, ZH], ids=["en", "zh"])
def test_a_failure_is_never_no_facts(
    weak: Offering, failure: str, case: tuple[str, Claim, str]
) -> None:
    """The turn is pending with the reason, also when tried again, and is read in the end."""
    text, claim, fact = case
    reply, named = FAILURES[failure]
    user = weak.user()
    turn = {"id": "m-1", "role": "user", "content": text}
    weak.replies, weak.otherwise = [], reply
    try:
        ((index, reason),) = pending(weak.memory.add([turn], user=user))
        assert index == 0
        assert named in reason
        assert text not in reason
        assert weak.held(user) == set()
        ((_, again),) = pending(weak.memory.retry_pending(user=user))
        assert named in again
    finally:
        weak.otherwise = NOTHING
    weak.replies = [an_answer(claim)]
    (done,) = weak.memory.retry_pending(user=user).turns
    assert done.state is TurnState.STORED
    weak.asked.clear()
    (same,) = weak.memory.add([turn], user=user).turns
    assert same.state is TurnState.DUPLICATE
    assert not weak.asked
    told_once(weak, user, fact)


@pytest.mark.parametrize("case", [EN, ZH], ids=["en", "zh"])
def test_what_no_budget_is_left_for_waits(weak: Offering, case: tuple[str, Claim, str]) -> None:
    """Nobody is asked, and the reason names the cap."""
    text, claim, fact = case
    user = weak.user()
    weak.asked.clear()
    ((_, reason),) = pending(weak.memory.add(text, user=user, max_model_calls=0))
    assert "max_model_calls" in reason
    assert not weak.asked
    weak.replies = [an_answer(claim)]
    weak.memory.retry_pending(user=user)
    told_once(weak, user, fact)


@pytest.mark.parametrize("case", [EN, ZH], ids=["en", "zh"])
def test_a_job_in_the_background_says_what_failed(
    tmp_path: Path, case: tuple[str, Claim, str]
) -> None:
    """Its result names the reason, the doctor counts what waits, a retry reads it."""
    text, claim, fact = case
    with offering(tmp_path / "memory") as weak:
        weak.otherwise = AWAY
        job = weak.memory.add(text, user="ana", wait=False)
        assert weak.memory.flush(30)
        ((_, reason),) = pending(job.result())
        assert "tiny" in reason
        assert not weak.memory.doctor().well
        weak.otherwise = NOTHING
        weak.replies = [an_answer(claim)]
        weak.memory.retry_pending(user="ana")
        told_once(weak, "ana", fact)
        assert weak.memory.doctor().well


READ = [an_answer(offer(f"I like book {n}", "likes", f"book {n}")) for n in range(8)]
BOOKS = [
    {"id": f"m-{n}", "session": f"s{n}", "role": "user", "content": f"I like book {n}."}
    for n in range(8)
]


def test_a_rate_limit_in_the_middle_is_waited_out(tmp_path: Path) -> None:
    """By the endpoint's own waiting time; every turn is read once."""
    with offering(tmp_path / "memory", max_retries=2) as weak:
        busy = Reply(status=429, headers={"retry-after": "0.05"})
        weak.replies = [*READ[:4], busy, *READ[4:]]
        receipt = weak.memory.ingest(BOOKS, user="ana")
        assert {turn.state for turn in receipt.turns} == {TurnState.STORED}
        assert len(weak.asked) == 9
        assert weak.memory.facts(user="ana").total == 8


def test_a_rate_limit_that_stays_says_which_turns_wait(tmp_path: Path) -> None:
    """What was sent again is not read again; a retry reads what is left."""
    with offering(tmp_path / "memory") as weak:
        weak.replies = [*READ[:5], Reply(status=429), *READ[6:]]
        first = weak.memory.ingest(BOOKS, user="ana")
        ((index, reason),) = pending(first)
        assert (index, "429" in reason) == (5, True)
        assert weak.memory.facts(user="ana").total == 7
        again = weak.memory.ingest(BOOKS, user="ana")
        assert Counter(turn.state for turn in again.turns) == {TurnState.DUPLICATE: 8}
        weak.replies = [READ[5]]
        weak.memory.retry_pending(user="ana")
        facts = weak.memory.facts(user="ana").items
        assert len(facts) == 8
        assert all(len(fact.claims) == 1 for fact in facts)


@pytest.mark.parametrize("case", [EN, ZH], ids=["en", "zh"])
def test_a_call_repeated_while_the_model_thinks_is_one(
    weak: Offering, case: tuple[str, Claim, str]
) -> None:
    """The model is asked once; each call says what became of the turn."""
    text, claim, fact = case
    user = weak.user()
    weak.asked.clear()
    weak.replies = [Reply(content=an_answer(claim), delay=0.2)]
    states: list[TurnState] = []
    turn = {"id": "m-1", "role": "user", "content": text}

    def send() -> None:
        states.append(weak.memory.add([turn], user=user).turns[0].state)

    threads = [threading.Thread(target=send) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert Counter(states) == {TurnState.STORED: 1, TurnState.DUPLICATE: 3}
    assert len(weak.asked) == 1
    told_once(weak, user, fact)


def test_of_a_growing_transcript_only_what_is_new_is_asked_about(weak: Offering) -> None:
    """However often the whole of it is sent."""
    user = weak.user()
    talk = [
        {"role": "user", "content": text}
        for text in (
            "I like figs.",
            "我喜欢石榴。",
            "I like plums.",
            "我喜欢杏子。",
            "I like nuts.",
        )
    ]
    for known, upto in ((0, 3), (3, 3), (3, 5), (5, 5)):
        weak.asked.clear()
        receipt = weak.memory.add(talk[:upto], user=user, session="grows")
        new = upto - known
        assert Counter(turn.state for turn in receipt.turns) == Counter(
            {TurnState.DUPLICATE: known, TurnState.STORED: new}
        )
        assert len(weak.asked) == bool(new)
        if new:
            shown = str(weak.asked[0].body["messages"][-1]["content"])
            labels = [line for line in shown.splitlines() if '"label": "T' in line]
            texts = [turn["content"] for turn in talk[known:upto]]
            assert [text for line, text in zip(labels, texts, strict=True) if text in line] == texts


def test_a_batch_that_fails_leaves_the_next_alone(weak: Offering) -> None:
    """What was read stays read, what failed waits, and neither takes the other along."""
    user = weak.user()
    weak.replies = ["Sorry.", "Sorry.", an_answer(EN[1])]
    first = weak.memory.add("I moved to Ghent.", user=user, session="one")
    second = weak.memory.add(EN[0], user=user, session="two")
    assert pending(first)
    assert not pending(second)
    assert weak.held(user) == {EN[2]}
    weak.replies = [an_answer(offer("I moved to Ghent", "lives_in", "Ghent", form="change"))]
    assert len(weak.memory.retry_pending(user=user).turns) == 1
    assert weak.held(user) == {EN[2], "me lives_in Ghent"}


@pytest.mark.parametrize("case", [EN, ZH], ids=["en", "zh"])
def test_a_process_killed_while_the_model_thinks_loses_nothing(
    tmp_path: Path, case: tuple[str, Claim, str]
) -> None:
    """The next one opens the memory, finds the turn waiting, and reads it once."""
    text, claim, fact = case
    arrived = threading.Event()

    def silent(_: Request) -> Reply:
        arrived.set()
        return Reply(delay=60)

    with ScriptedServer(silent) as server:
        command = [sys.executable, str(CHILD), str(tmp_path / "memory"), server.url, text]
        environ = {**os.environ, "PYTHONPATH": str(CHILD.parents[2])}
        with subprocess.Popen(command, env=environ) as child:
            assert arrived.wait(30)
            child.kill()
    with offering(tmp_path / "memory") as weak:
        assert weak.held("ana") == set()
        weak.replies = [an_answer(claim)]
        (same,) = weak.memory.add(
            [{"id": "m-0", "role": "user", "content": text}], user="ana", session="s"
        ).turns
        assert same.episode
        weak.memory.retry_pending(user="ana")
        told_once(weak, "ana", fact)
        assert not weak.memory.verify().findings


@pytest.mark.parametrize(
    ("before", "after", "facts"),
    [
        (
            [("Mo lives in Ghent.", offer("Mo lives in Ghent", "lives_in", "Ghent", subject="Mo"))],
            [("Torvald knows Mo.", offer("Torvald knows Mo", "knows", "Mo", subject="Torvald"))],
            {"Mo lives_in Ghent", "Torvald knows Mo"},
        ),
        (
            [("阿满住在三江口。", offer("阿满住在三江口", "lives_in", "三江口", subject="阿满"))],
            [("老莫认识阿满。", offer("老莫认识阿满", "knows", "阿满", subject="老莫"))],
            {"阿满 lives_in 三江口", "老莫 knows 阿满"},
        ),
    ],
)
def test_a_relation_to_what_is_there_is_stored(
    weak: Offering,
    before: Sequence[tuple[str, Claim]],
    after: Sequence[tuple[str, Claim]],
    facts: set[str],
) -> None:
    """It goes to the thing that is there."""
    user = weak.user()
    for text, claim in (*before, *after):
        receipt = weak.tell(user, [text], [claim])
        assert len(receipt.added) == 1
    assert weak.held(user) == facts
    assert weak.memory.entities(user=user).total == 3


def found(memory: Memory, question: str) -> list[str]:
    """Return the texts that are found."""
    return [hit.text for hit in memory.search(question, user="ana").hits]


def test_what_was_read_and_not_embedded_is_found_by_word(tmp_path: Path) -> None:
    """It is told, and embedded later without the model being asked again."""
    embedder = HashEmbedder()
    embedder.down = True
    with offering(tmp_path / "memory", embedder=embedder) as weak:
        for text, claim, _ in (EN, ZH):
            receipt = weak.tell("ana", [text], [claim])
            assert receipt.notes
        assert any("bees" in text for text in found(weak.memory, "bees"))
        assert any("三江口" in text for text in found(weak.memory, "三江口"))
        embedder.down = False
        weak.asked.clear()
        weak.memory.repair()
        assert not weak.asked
        assert weak.memory.verify().clean
