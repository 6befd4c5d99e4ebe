"""By what a turn is known, so that sending it again adds nothing."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from graphmem import Memory
from graphmem.model.receipt import Receipt
from tests.engine.conftest import Make

LIVES = "I live in Hangzhou."


def _states(receipt: Receipt) -> list[str]:
    return [t.state.value for t in receipt.turns]


def test_a_callers_id_is_what_a_turn_is_known_by(mem: Memory) -> None:
    """Another text under the same id is the same turn."""
    mem.add({"content": LIVES, "id": "m1"}, user="ana")
    again = mem.add({"content": "I live in Rome.", "id": "m1"}, user="ana")
    assert _states(again) == ["duplicate"]
    assert _states(mem.add({"content": LIVES, "id": "m2"}, user="ana")) == ["stored"]


def test_ids_of_two_users_do_not_meet(mem: Memory) -> None:
    """A caller's id belongs to its scope."""
    mem.add({"content": LIVES, "id": "m1"}, user="ana")
    assert _states(mem.add({"content": LIVES, "id": "m1"}, user="bob")) == ["stored"]


def test_given_time_and_words_are_what_a_turn_is_known_by(mem: Memory) -> None:
    """Equal words at another time, by another speaker or in another session are new."""
    turn = {"content": LIVES, "occurred_at": "2025-01-10T09:00:00Z", "session": "s1"}
    mem.add(turn, user="ana")
    assert _states(mem.add(turn, user="ana")) == ["duplicate"]
    later = {**turn, "occurred_at": "2025-01-10T09:00:01Z"}
    assert _states(mem.add([later, {**turn, "session": "s2"}], user="ana")) == ["stored"] * 2
    assert _states(mem.add({**turn, "name": "Ida"}, user="ana")) == ["stored"]


def test_one_instant_written_in_two_zones_is_one_time(mem: Memory) -> None:
    """The instant counts, not how it was written."""
    mem.add(LIVES, user="ana", occurred_at="2025-01-10T09:00:00+08:00")
    assert _states(mem.add(LIVES, user="ana", occurred_at="2025-01-10T01:00:00Z")) == ["duplicate"]


def test_a_growing_transcript_adds_only_what_is_new(mem: Memory) -> None:
    """Re-sending a session from its beginning processes the tail alone."""
    turns = [
        "I live in Hangzhou.",
        "I like tea.",
        "I'm allergic to mango.",
        "I like tea.",
        "I have a dog.",
    ]
    mem.add(turns[:3], user="ana", session="s1")
    assert _states(mem.add(turns, user="ana", session="s1")) == [
        *["duplicate"] * 3,
        *["stored"] * 2,
    ]


def test_the_nth_equal_turn_of_a_session_is_the_nth(mem: Memory) -> None:
    """Equal turns in one call are so many turns, and so they stay when sent again."""
    assert _states(mem.add(["I like tea."] * 2, user="ana", session="s1")) == ["stored"] * 2
    assert _states(mem.add(["I like tea."] * 3, user="ana", session="s1")) == [
        "duplicate",
        "duplicate",
        "stored",
    ]


def test_interleaved_sessions_lose_no_equal_turn(mem: Memory) -> None:
    """A transcript that goes back and forth between sessions counts each session whole."""
    turns = [{"content": "I like tea.", "session": s} for s in ("s1", "s2", "s1")]
    assert _states(mem.ingest(turns, user="ana")) == ["stored"] * 3
    assert _states(mem.ingest(turns, user="ana")) == ["duplicate"] * 3


def test_without_id_time_and_session_every_call_is_new(mem: Memory) -> None:
    """Nothing tells such turns apart, so none is dropped."""
    mem.add(LIVES, user="ana")
    assert _states(mem.add(LIVES, user="ana")) == ["stored"]


def test_an_erased_turn_is_new_again(mem: Memory) -> None:
    """After an erase nothing remembers that the turn was there."""
    receipt = mem.add(LIVES, user="ana", occurred_at="2025-01-10")
    episode = receipt.turns[0].episode
    assert episode is not None
    mem.erase(user="ana", episode=episode)
    assert _states(mem.add(LIVES, user="ana", occurred_at="2025-01-10")) == ["stored"]


def test_a_turn_of_an_erased_user_is_new_again(mem: Memory) -> None:
    """After erasing the user a turn with the caller's id is new."""
    mem.add({"content": LIVES, "id": "m1"}, user="ana")
    mem.erase(user="ana")
    assert _states(mem.add({"content": LIVES, "id": "m1"}, user="ana")) == ["stored"]


def test_eight_threads_with_the_same_turns_store_them_once(mem: Memory) -> None:
    """However many send them at once, each turn is stored by one of them."""
    turns = [
        {"content": f"I visited {place}.", "id": f"m{n}"}
        for n, place in enumerate(["Cork", "Riga", "Oslo", "Bonn", "Rome"])
    ]
    with ThreadPoolExecutor(8) as pool:
        running = [pool.submit(mem.add, turns, user="ana") for _ in range(8)]
    states = [state for future in running for state in _states(future.result())]
    assert (states.count("stored"), states.count("duplicate")) == (5, 35)
    assert mem.facts(user="ana", predicate="visited").total == 5


def test_two_memories_on_one_folder_store_a_turn_once(make: Make) -> None:
    """Two handles on one folder know each other's turns."""
    one, two = make(), make()
    turn = {"content": LIVES, "id": "m1"}
    with ThreadPoolExecutor(2) as pool:
        running = [pool.submit(memory.add, turn, user="ana") for memory in (one, two)]
    assert sorted(s for f in running for s in _states(f.result())) == ["duplicate", "stored"]


def test_a_long_transcript_of_one_date_keeps_its_order(mem: Memory) -> None:
    """Turns of one date are said in their order, however many a transcript has."""
    turns = [{"content": "Hm.", "occurred_at": "2025-01-10"} for _ in range(250)]
    turns[3] = {"content": "I live in Rome.", "occurred_at": "2025-01-10"}
    turns[205] = {"content": "I've moved to Riga.", "occurred_at": "2025-01-10"}
    mem.ingest([{**t, "id": f"m{n}"} for n, t in enumerate(turns)], user="ana")
    (fact,) = mem.facts(user="ana", predicate="lives_in").items
    assert fact.object is not None
    assert fact.object.text == "Riga"
