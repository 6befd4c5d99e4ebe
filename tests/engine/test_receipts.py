"""What a write tells its caller, and that no turn is lost on the way."""

from __future__ import annotations

from pathlib import Path

import pytest

from graphmem import Memory
from graphmem.extraction.patterns import PatternExtractor
from graphmem.model.receipt import TurnState
from tests.engine.conftest import Make
from tests.engine.kit import FailingExtractor, holding, triples

LIVES = "I live in Hangzhou."


def test_a_turn_that_says_something_is_stored_with_its_fact(mem: Memory) -> None:
    """A stored turn has an episode, and the fact it states is named."""
    receipt = mem.add(LIVES, user="ana")
    assert [t.state for t in receipt.turns] == [TurnState.STORED]
    assert receipt.turns[0].episode
    assert triples(receipt.added) == {("ana", "lives_in", "Hangzhou", "+")}


def test_the_same_timed_turn_is_a_duplicate_with_the_first_ones_episode(mem: Memory) -> None:
    """A turn sent again names the episode that is there and touches no fact."""
    first = mem.add(LIVES, user="ana", occurred_at="2025-01-10T09:00:00Z")
    again = mem.add(LIVES, user="ana", occurred_at="2025-01-10T09:00:00Z")
    assert [t.state for t in again.turns] == [TurnState.DUPLICATE]
    assert again.turns[0].episode == first.turns[0].episode
    assert not again.outcomes


def test_a_system_turn_is_skipped_with_the_reason(mem: Memory) -> None:
    """What the gate keeps from extraction is stored and says why."""
    receipt = mem.add({"role": "system", "content": "You live in Rome."}, user="ana")
    (turn,) = receipt.turns
    assert turn.state is TurnState.SKIPPED
    assert turn.episode
    assert turn.reason
    assert not mem.facts(user="ana").items


def test_without_an_extractor_turns_wait_with_the_reason(make: Make) -> None:
    """Turns nobody can read are stored, pending, and say what to do."""
    receipt = make(extractor="none").add(LIVES, user="ana")
    (turn,) = receipt.turns
    assert turn.state is TurnState.PENDING
    assert "retry_pending" in (turn.reason or "")
    assert receipt.pending == receipt.turns


def test_a_failing_model_is_never_no_facts(make: Make) -> None:
    """A failed reading leaves the turn pending with the model's reason."""
    memory = make(extractor=FailingExtractor(PatternExtractor()))
    (turn,) = memory.add(LIVES, user="ana").turns
    assert (turn.state, turn.reason) == (TurnState.PENDING, "the model timed out")


def test_retry_pending_finishes_what_failed(make: Make) -> None:
    """Once the model answers, the waiting turns give their facts, once."""
    reader = FailingExtractor(PatternExtractor())
    memory = make(extractor=reader)
    memory.add(LIVES, user="ana", occurred_at="2025-01-10")
    reader.down = False
    done = memory.retry_pending()
    assert [t.state for t in done.turns] == [TurnState.STORED]
    assert triples(memory.facts(user="ana")) == {("ana", "lives_in", "Hangzhou", "+")}
    assert not memory.retry_pending(user="ana").turns


def test_retry_pending_that_fails_again_says_so(make: Make) -> None:
    """A retry that fails keeps the turn and its reason."""
    memory = make(extractor=FailingExtractor(PatternExtractor()))
    memory.add(LIVES, user="ana")
    (turn,) = memory.retry_pending(user="ana").turns
    assert (turn.state, turn.reason) == (TurnState.PENDING, "the model timed out")


def test_waiting_turns_are_read_by_a_memory_opened_later(make: Make) -> None:
    """Pending turns outlive the process that stored them."""
    first = make(extractor="none")
    first.add(LIVES, user="ana")
    first.close()
    second = make()
    assert second.retry_pending().added


def test_a_duplicate_of_a_waiting_turn_says_that_it_still_waits(make: Make) -> None:
    """Sending a pending turn again tells that it is there and unread."""
    memory = make(extractor=FailingExtractor(PatternExtractor()))
    memory.add(LIVES, user="ana", occurred_at="2025-01-10")
    (turn,) = memory.add(LIVES, user="ana", occurred_at="2025-01-10").turns
    assert turn.state is TurnState.DUPLICATE
    assert "pending" in (turn.reason or "")


def test_bad_turns_fail_alone_and_say_why(mem: Memory) -> None:
    """Turns that cannot be stored are named; the others of the call are kept."""
    receipt = mem.add(
        [
            {"role": "user", "content": LIVES},
            {"role": "user", "content": "broken \ud800 text"},
            {"role": "user", "content": "   "},
            {"role": "wizard", "content": "I live in Rome."},
            {"role": "user", "content": 7},
            {"role": "user", "content": "I live in Rome.", "occurred_at": "yesterday-ish"},
            {"role": "user", "content": "I live in Rome.", "colour": "red"},
            {"role": "user", "content": "I'm allergic to mango."},
        ],
        user="ana",
    )
    assert [t.state.value for t in receipt.turns] == ["stored", *["failed"] * 6, "stored"]
    reasons = [t.reason or "" for t in receipt.turns[1:-1]]
    named = ("surrogate", "empty", "'wizard'", "7", "yesterday-ish", "'colour'")
    assert all(word in reason for word, reason in zip(named, reasons, strict=True))
    assert triples(receipt.added) == {
        ("ana", "lives_in", "Hangzhou", "+"),
        ("ana", "allergic_to", "mango", "+"),
    }


def test_indexes_name_the_place_in_the_call(mem: Memory) -> None:
    """Each outcome says which message of the call it is about."""
    turns = mem.add([LIVES, "", "Hello there."], user="ana").turns
    assert [t.index for t in turns] == [0, 1, 2]


@pytest.mark.embedded("looks at the bytes of its files")
def test_a_masked_secret_reaches_no_file(make: Make, tmp_path: Path) -> None:
    """A key in a turn is masked before anything is stored, and the receipt counts it."""
    key = "sk-" + "a1B2c3D4" * 6
    memory = make()
    receipt = memory.add(f"My API key is {key}. I live in Hangzhou.", user="ana")
    memory.add_fact("me", "uses", "a key", user="ana", statement=f"I use {key} for it")
    assert any("masked" in note for note in receipt.notes)
    memory.search("key", user="ana")
    memory.close()
    assert holding(tmp_path / "memory", "Hangzhou")
    assert not holding(tmp_path / "memory", key, key[3:])


def test_nothing_is_logged_of_what_was_said(mem: Memory) -> None:
    """No word of an episode is in a log record."""
    import logging

    logger = logging.getLogger("graphmem")
    seen: list[str] = []

    class Keeper(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            seen.append(record.getMessage())

    handler = Keeper(logging.DEBUG)
    logger.addHandler(handler)
    before = logger.level
    logger.setLevel(logging.DEBUG)
    try:
        mem.add("I'm allergic to mango.", user="ana")
        mem.erase(user="ana")
    finally:
        logger.setLevel(before)
        logger.removeHandler(handler)
    assert seen
    assert not any("mango" in line for line in seen)


def test_what_nobody_declared_is_stored_and_noted(mem: Memory) -> None:
    """An unknown predicate is accepted as holding many values, and the receipt says so."""
    receipt = mem.add_fact("me", "fermented_with", "koji", user="ana")
    assert "fermented_with" in " ".join(receipt.notes)
    mem.add_fact("me", "fermented_with", "kefir", user="ana")
    assert mem.facts(user="ana", predicate="fermented_with").total == 2
