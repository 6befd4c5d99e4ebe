"""Turns that are added without waiting: stored at once, read once, in order, and told about."""

from __future__ import annotations

import asyncio
import logging
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from graphmem import Memory
from graphmem.client.jobs import Job
from graphmem.errors import InputError, ModelUnavailableError
from graphmem.model.receipt import Receipt
from graphmem.settings import Settings
from graphmem.testing.models import ScriptedModel
from graphmem.usecases.later import ELSEWHERE, ERASED
from graphmem.usecases.unread import give_back
from tests.engine.kit import triples, values
from tests.jobs.conftest import Make
from tests.jobs.kit import LIMIT, Reader, until

TALK = [
    {"role": "user", "content": "I live in Riga."},
    {"role": "assistant", "content": "Since when?"},
    {"role": "user", "content": "I have a dog called Biscuit. My key is sk-abcdefghijklmnop1234."},
    {"role": "user", "content": "Hello!"},
    {"role": "user", "content": ""},
]


def shape(receipt: Receipt) -> object:
    """Return what a receipt tells, ids and times apart."""
    return (
        [(t.index, t.state, t.reason, t.unmatched, bool(t.episode)) for t in receipt.turns],
        [(o.change, *triples([o.fact]), o.cause) for o in receipt.outcomes],
        receipt.refused,
        replace(receipt.usage, seconds=0.0),
        receipt.notes,
    )


def unread(memory: Memory) -> str:
    """Return what doctor says of turns that are not read."""
    return next(f.value for f in memory.doctor().findings if f.name == "turns not read yet")


def jobs_told(memory: Memory) -> list[tuple[str, bool]]:
    """Return what doctor says of jobs."""
    return [(f.value, f.well) for f in memory.doctor().findings if f.name == "jobs"]


def test_a_job_is_returned_before_anything_is_read(mem: Memory, reader: Reader) -> None:
    """Its turns are stored by then, and read when the reader comes to them."""
    reader.gate.clear()
    job: Job = mem.add("I live in Riga.", user="ana", wait=False)
    assert (job.user, job.tenant, job.receipt, job.error) == ("ana", "default", None, None)
    assert unread(mem).startswith("1;")
    with pytest.raises(TimeoutError):
        job.result(0.05)
    reader.gate.set()
    receipt = job.result(LIMIT)
    assert (job.state, job.receipt) == ("done", receipt)
    assert values(receipt.added) == values(mem.facts(user="ana")) == {"Riga"}
    assert [t.episode for t in receipt.turns] == [*job.episodes]
    assert unread(mem) == "0"


@pytest.mark.parametrize("what", ["add", "ingest"])
def test_its_receipt_is_that_of_a_call_that_waits(mem: Memory, what: str) -> None:
    """Turns, facts, refusals, usage and notes are the same."""
    if what == "add":
        waited: Receipt = mem.add(TALK, user="ana", session="s", me="Ana")
        job = mem.add(TALK, user="eva", session="s", me="Ana", wait=False)
    else:
        several = [dict(turn, session=f"s{n // 2}") for n, turn in enumerate(TALK)]
        waited = mem.ingest(several, user="ana")
        job = mem.ingest(several, user="eva", wait=False)
    plain = str(shape(waited)).replace("'ana'", "'eva'")
    assert str(shape(job.result(LIMIT))) == plain
    assert waited.added


def test_jobs_of_a_user_are_read_one_by_one_in_order(mem: Memory, reader: Reader) -> None:
    """Whatever comes while the first is read waits."""
    reader.gate.clear()
    texts = [f"I visited Town{n}." for n in range(6)]
    jobs = [mem.add(text, user="ana", wait=False) for text in texts]
    until(lambda: reader.begun)
    assert [job.state for job in jobs] == ["running"] + ["queued"] * 5
    reader.gate.set()
    assert mem.flush(LIMIT)
    assert (reader.read, reader.at_once) == (texts, 1)
    assert {job.state for job in jobs} == {"done"}


def test_users_are_read_beside_each_other_and_not_too_many(make: Make, reader: Reader) -> None:
    """As many as ``workers`` says; a user with many jobs does not hold up the others."""
    mem = make(settings=Settings.load({}, workers=3))
    reader.gate.clear()
    for n in range(4):
        mem.add(f"I visited Town{n}.", user="ana", wait=False)
    for user in ("bob", "eva", "ida"):
        mem.add(f"I visited {user}town.", user=user, wait=False)
    until(lambda: len(reader.begun) == 3)
    reader.gate.set()
    assert mem.flush(LIMIT)
    assert reader.at_once == 3
    assert {"I visited bobtown.", "I visited evatown."} <= {*reader.begun[:3]}
    assert len(reader.read) == 7


def test_flush_says_whether_all_is_done(mem: Memory, reader: Reader) -> None:
    """After its time it says no, and nothing is lost by that."""
    assert mem.flush(0)
    reader.gate.clear()
    job = mem.add("I live in Riga.", user="ana", wait=False)
    assert not mem.flush(0.02)
    reader.gate.set()
    assert mem.flush(LIMIT)
    assert job.state == "done"


def test_jobs_are_listed_by_user_oldest_first(mem: Memory, reader: Reader) -> None:
    """Those that wait, run and are over."""
    over = mem.add("I live in Riga.", user="ana", wait=False)
    over.result(LIMIT)
    reader.gate.clear()
    runs = mem.add("I like tea.", user="ana", wait=False)
    until(lambda: runs.state == "running")
    waits = mem.add("I like rye.", user="ana", wait=False)
    other = mem.add("I like rice.", user="eva", tenant="other", wait=False)
    assert mem.jobs(user="ana") == [over, runs, waits]
    assert mem.jobs(user="ana", tenant="other") == []
    assert mem.jobs() == [over, runs, waits, other]
    assert [job.state for job in mem.jobs(user="ana")] == ["done", "running", "queued"]


def test_a_job_that_breaks_says_why_and_holds_up_nobody(
    mem: Memory, reader: Reader, caplog: pytest.LogCaptureFixture
) -> None:
    """In the job, in the log without what was said, and in doctor while turns are unread."""
    reader.broken["I live in Riga."] = ZeroDivisionError("a fault of the reader")
    with caplog.at_level(logging.WARNING, "graphmem"):
        broken = mem.add("I live in Riga.", user="ana", wait=False)
        after = mem.add("I like tea.", user="ana", wait=False)
        with pytest.raises(ZeroDivisionError):
            broken.result(LIMIT)
        after.result(LIMIT)
    assert (broken.state, broken.receipt) == ("failed", None)
    assert broken.error == "ZeroDivisionError: a fault of the reader"
    assert broken.id in caplog.text
    assert "Riga" not in caplog.text
    assert values(mem.facts(user="ana")) == {"tea"}
    ((told, well),) = jobs_told(mem)
    assert ("1 done; 1 failed" in told, "ZeroDivisionError" in told, well) == (True, True, False)
    reader.broken.clear()
    assert values(mem.retry_pending(user="ana").added) == {"Riga"}
    assert jobs_told(mem)[0][1]


@pytest.mark.parametrize("kind", [SystemExit, KeyboardInterrupt, asyncio.CancelledError])
def test_a_reader_that_interrupts_ends_its_job_alone(
    mem: Memory, reader: Reader, kind: type[BaseException]
) -> None:
    """Whoever waits for it hears of it, and the next one is read."""
    reader.broken["I live in Riga."] = kind()
    broken = mem.add("I live in Riga.", user="ana", wait=False)
    after = mem.add("I like tea.", user="ana", wait=False)
    assert values(after.result(LIMIT).added) == {"tea"}
    assert broken.state == "failed"


def test_a_model_that_is_away_is_asked_once(make: Make) -> None:
    """The job is done and its turns pending, with the reason, until somebody tries again."""
    model = ScriptedModel(lambda asked: ModelUnavailableError("away", step=asked.step, model="m"))
    mem = make(model=model, extractor="model")
    job = mem.add("I live in Riga.", user="ana", wait=False)
    (turn,) = job.result(LIMIT).pending
    assert "away" in (turn.reason or "")
    mem.add("I like tea.", user="ana", wait=False).result(LIMIT)
    assert len(model.asked) == 2
    assert job.state == "done"
    assert unread(mem).startswith("2;")


def test_turns_sent_again_are_not_read_again(mem: Memory, reader: Reader) -> None:
    """Neither those that were read, nor those another job is going to read."""
    first = {"content": "I live in Riga.", "id": "1"}
    second = {"content": "I like tea.", "id": "2"}
    third = {"content": "I like rye.", "id": "3"}
    mem.add(first, user="ana")
    reader.gate.clear()
    mem.add([first, second], user="ana", wait=False)
    again = mem.add([first, second, third], user="ana", wait=False)
    reader.gate.set()
    states = [turn.state for turn in again.result(LIMIT).turns]
    assert states == ["duplicate", "duplicate", "stored"]
    assert mem.add([first, second, third], user="ana").outcomes == ()
    assert reader.twice == []
    assert values(mem.facts(user="ana")) == {"Riga", "tea", "rye"}


def test_retrying_leaves_to_a_job_what_it_reads(mem: Memory, reader: Reader) -> None:
    """It reads what nobody does, and says that there is more."""
    reader.broken["I like tea."] = ZeroDivisionError()
    with pytest.raises(ZeroDivisionError):
        mem.add("I like tea.", user="ana", wait=False).result(LIMIT)
    reader.broken.clear()
    reader.gate.clear()
    job = mem.add("I live in Riga.", user="ana", wait=False)
    until(lambda: reader.begun[-1] == "I live in Riga.")
    with ThreadPoolExecutor(1) as pool:
        retrying = pool.submit(mem.retry_pending, user="ana")
        until(lambda: reader.begun[-1] == "I like tea.")
        reader.gate.set()
        asked = retrying.result(LIMIT)
    assert values(asked.added) == {"tea"}
    assert "1 turns are being read by other calls" in asked.notes
    assert reader.begun == ["I like tea.", "I live in Riga.", "I like tea."]
    assert values(job.result(LIMIT).added) == {"Riga"}


def test_what_another_process_reads_meanwhile_is_not_believed_twice(
    mem: Memory, reader: Reader
) -> None:
    """Neither if it comes before the job, nor if it overtakes it."""
    reader.gate.clear()
    overtaken = mem.add("I live in Riga.", user="ana", wait=False)
    before = mem.add("I like tea.", user="ana", wait=False)
    until(lambda: reader.begun)
    for job in (overtaken, before):
        give_back(job.episodes)  # as in another process, which knows nothing of the jobs
    with ThreadPoolExecutor(1) as pool:
        retrying = pool.submit(mem.retry_pending, user="ana")
        until(lambda: reader.begun.count("I live in Riga.") == 2)
        reader.gate.set()
        retrying.result(LIMIT)
    assert mem.flush(LIMIT)
    facts = mem.facts(user="ana").items
    assert {len(fact.claims) for fact in facts} == {1}
    assert values(facts) == {"Riga", "tea"}
    told = [turn.reason for job in (overtaken, before) for turn in job.result().turns]
    assert {*told} <= {None, ELSEWHERE}


def test_a_user_erased_before_the_job_stays_erased(mem: Memory, reader: Reader) -> None:
    """The job ends, says so, and writes nothing; no receipt tells of what was there."""
    reader.gate.clear()
    mem.add("I like tea.", user="eva", wait=False)
    mem.add("I live in Riga.", user="ana", wait=False)
    runs = mem.jobs(user="ana")[0]
    until(lambda: runs.state == "running")
    waits = mem.add("I like tea.", user="ana", wait=False)
    mem.erase(user="ana")
    reader.gate.set()
    assert mem.flush(LIMIT)
    assert (runs.result().outcomes, waits.result().outcomes) == ((), ())
    (turn,) = waits.result().turns
    assert (turn.state, turn.episode, turn.reason) == ("failed", None, ERASED)
    assert mem.facts(user="ana").total == 0
    assert unread(mem) == "0"
    assert values(mem.facts(user="eva")) == {"tea"}
    assert "I like tea." not in reader.begun[2:]


def test_erasing_drops_the_receipts_that_told_of_it(mem: Memory) -> None:
    """What is gone is in no list."""
    mem.add("I live in Riga.", user="ana", wait=False)
    mem.add("I like tea.", user="eva", wait=False)
    assert mem.flush(LIMIT)
    mem.erase(user="ana")
    assert [job.user for job in mem.jobs()] == ["eva"]


def test_progress_is_for_who_waits(mem: Memory) -> None:
    """Told from another thread it would surprise."""
    with pytest.raises(InputError, match="progress"):
        mem.ingest(["I like tea."], user="ana", progress=lambda _done, _all: None, wait=False)
    assert mem.facts(user="ana").total == 0


def test_what_a_job_may_ask_of_a_model_is_capped(make: Make) -> None:
    """As a call that waits; a cap that makes no sense is refused before anything is stored."""
    model = ScriptedModel(lambda _: '{"claims": []}')
    mem = make(model=model, extractor="model")
    with pytest.raises(InputError, match="max_model_calls"):
        mem.add("I live in Riga.", user="ana", max_model_calls=-1, wait=False)
    assert unread(mem) == "0"
    job = mem.add("I live in Riga.", user="ana", max_model_calls=0, wait=False)
    assert len(job.result(LIMIT).pending) == 1
    assert model.asked == []
    job = mem.add("I like tea.", user="ana", wait=False)
    assert job.result(LIMIT).usage.calls == len(model.asked) == 1
