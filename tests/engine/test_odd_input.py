"""Odd values at every door: refused by name, or taken whole, never a raw error of a library."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from graphmem import Memory
from graphmem.errors import GraphmemError, InputError, ModelUnavailableError
from graphmem.model.draft import Batch, Extraction
from tests.engine.conftest import Make
from tests.engine.kit import the

BROKEN = "bro\ud800ken"
Call = Callable[[Memory, str], object]

_DOORS: dict[str, Call] = {
    "user": lambda m, x: m.facts(user=x),
    "tenant": lambda m, x: m.facts(user="ana", tenant=x),
    "question": lambda m, x: m.search(x, user="ana"),
    "task": lambda m, x: m.context(x, user="ana"),
    "subject": lambda m, x: m.facts(user="ana", subject=x),
    "object": lambda m, x: m.facts(user="ana", object=x),
    "session": lambda m, x: m.facts(user="ana", session=x),
    "agent": lambda m, x: m.search("q", user="ana", agent=x),
    "cursor": lambda m, x: m.facts(user="ana", cursor=x),
    "entities' cursor": lambda m, x: m.entities(user="ana", cursor=x),
    "valid_at": lambda m, x: m.facts(user="ana", valid_at=x),
    "known_at": lambda m, x: m.search("q", user="ana", known_at=x),
    "fact": lambda m, x: m.get(x, user="ana"),
    "erased fact": lambda m, x: m.erase(user="ana", fact=x),
    "erased episode": lambda m, x: m.erase(user="ana", episode=x),
    "merged": lambda m, x: m.merge([x, "Riga"], into="Riga", user="ana"),
    "into": lambda m, x: m.merge(["Riga"], into=x, user="ana"),
    "split": lambda m, x: m.split(x, out_of="Riga", user="ana"),
    "out of": lambda m, x: m.split("Riga", out_of=x, user="ana"),
    "suggestion": lambda m, x: m.confirm(x, user="ana"),
    "stated session": lambda m, x: m.add_fact("me", "likes", "tea", user="ana", session=x),
    "stated agent": lambda m, x: m.add_fact("me", "likes", "tea", user="ana", agent=x),
    "source": lambda m, x: m.add_fact("me", "likes", "tea", user="ana", source_name=x),
    "qualifier": lambda m, x: m.add_fact("me", "likes", "tea", user="ana", qualifiers={x: "a"}),
    "statement": lambda m, x: m.add_fact("me", "likes", "tea", user="ana", statement=x),
    "recipe": lambda m, x: m.search("q", user="ana", recipe=x),
    "kinds": lambda m, x: m.search("q", user="ana", kinds=[x]),
    "polarity": lambda m, x: m.search("q", user="ana", polarity=x),
}


@pytest.mark.parametrize("door", _DOORS)
def test_text_that_cannot_be_written_is_refused(mem: Memory, door: str) -> None:
    """A lone surrogate ends in an error of ours, and breaks nothing."""
    fact = the(mem.add_fact("me", "lives_in", "Riga", user="ana"))
    with pytest.raises(GraphmemError):
        _DOORS[door](mem, BROKEN)
    assert [f.id for f in mem.facts(user="ana").items] == [fact.id]


def test_a_reason_that_cannot_be_written_is_refused(mem: Memory) -> None:
    """So it is with the reason of a retraction."""
    fact = the(mem.add_fact("me", "lives_in", "Riga", user="ana"))
    with pytest.raises(InputError):
        mem.retract(fact.id, user="ana", reason=BROKEN)
    assert mem.facts(user="ana").total == 1


_ODD = ["'; DROP TABLE facts; --", "a\x00b", "%", "*", '"', "~", "NOT", "a/b-c", "`}) MATCH", "🦜"]


@pytest.mark.parametrize("odd", _ODD)
def test_odd_text_is_only_text(mem: Memory, odd: str) -> None:
    """Nothing in a text is syntax, at any door."""
    mem.add_fact("me", "knows", f"Kim {odd}", user="ana", session=odd)
    assert mem.facts(user="ana", object=f"Kim {odd}", session=odd).total == 1
    assert not mem.facts(user="ana", session=f"{odd}x").total
    mem.search(odd, user="ana")
    mem.context(odd, user="ana")
    mem.add(odd * 3, user=f"u {odd}")
    assert not mem.facts(user=f"u {odd}x").total
    assert not mem.entities(user=odd).total


_LIMITS: dict[str, Callable[[Memory, Any], object]] = {  # Any: odd on purpose
    "facts": lambda m, n: m.facts(user="ana", limit=n),
    "entities": lambda m, n: m.entities(user="ana", limit=n),
    "search": lambda m, n: m.search("q", user="ana", limit=n),
    "context": lambda m, n: m.context("q", user="ana", max_tokens=n),
}


@pytest.mark.parametrize("door", _LIMITS)
@pytest.mark.parametrize("limit", [0, -1])
def test_a_limit_below_one_is_refused(mem: Memory, door: str, limit: int) -> None:
    """The message names the value."""
    with pytest.raises(InputError, match=str(limit)):
        _LIMITS[door](mem, limit)


def test_listings_go_on_by_cursor(mem: Memory) -> None:
    """Pages give everything once, newest first, with the total."""
    for n in range(7):
        mem.add_fact("me", "knows", f"Kim{n}", user="ana", occurred_at=f"2025-01-0{n + 1}")
    seen: list[str] = []
    cursor = None
    while True:
        page = mem.facts(user="ana", limit=3, cursor=cursor)
        assert page.total == 7
        seen += [f.object.text for f in page.items if f.object]
        cursor = page.cursor
        if cursor is None:
            break
    assert seen == [f"Kim{n}" for n in reversed(range(7))]


def test_a_reader_that_raises_leaves_the_turns_pending(make: Make) -> None:
    """An extractor that fails with an error of ours loses no turn and stops no call."""

    class Raises:
        identity = "raises/1"

        async def extract(self, batch: Batch) -> Extraction:
            raise ModelUnavailableError("no route", step="extract", model="m")

    (turn,) = make(extractor=Raises()).add("I live in Riga.", user="ana").turns
    assert turn.state.value == "pending"
    assert "no route" in (turn.reason or "")


def test_an_empty_call_is_no_error(mem: Memory) -> None:
    """No turns are no turns."""
    assert mem.add([], user="ana").turns == ()
    assert mem.ingest([], user="ana").turns == ()
    assert mem.retry_pending(user="ana").turns == ()


def test_progress_counts_to_the_end(mem: Memory) -> None:
    """A transcript's progress rises to the number of its turns."""
    seen: list[tuple[int, int]] = []
    turns = [{"content": f"I visited Town{n}.", "session": f"s{n % 3}"} for n in range(9)]
    mem.ingest(turns, user="ana", progress=lambda done, whole: seen.append((done, whole)))
    assert seen[-1] == (9, 9)
    assert [done for done, _ in seen] == sorted({done for done, _ in seen})
