"""How often a call of the memory asks the server: as often with a thousand facts as with ten."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import pytest

from benchmarks.people import some_talk
from graphmem import AsyncMemory
from graphmem.adapters.neo4j.store import Neo4jStore
from graphmem.model.walk import Reach
from graphmem.testing.builders import ANA

FEW, MANY = 10, 1000
MOST = {
    "add": 7,
    "search": 5,
    "chain": 8,
    "facts": 1,
    "past": 1,
    "history": 3,
    "walk": 1,
}
"""At most so many statements, the commit of a change apart."""


def turns(first: int, after: int) -> list[dict[str, str]]:
    """Return talk that tells about one fact a turn."""
    return [{"role": "user", "content": text} for text, _ in some_talk(MANY)[first:after]]


@pytest.mark.anyio
async def test_round_trips_are_few_and_do_not_grow(store: Neo4jStore) -> None:
    """Of each kind of call, once its statements are known to the server."""
    memory = AsyncMemory(store=store)
    await memory.add("My sister is Tilda. Tilda works at Larch. Larch is in Cork.", user="ana")
    # What is counted then says again where and tells something new, each time.
    await memory.add("I live in Riga and like tea 0.", user="ana")
    known = (await memory.facts(user="ana")).items[0]
    asked = "The company where my sister works is located where?"
    calls: dict[str, Callable[[int], Awaitable[object]]] = {
        "add": lambda size: memory.add(f"I live in Riga and like tea {size}.", user="ana"),
        "search": lambda _: memory.search("What does Tilda do?", user="ana"),
        "chain": lambda _: memory.search(asked, user="ana"),
        "facts": lambda _: memory.facts(user="ana"),
        "past": lambda _: memory.facts(user="ana", valid_at="2024-03", known_at="2030-01-01"),
        "history": lambda _: memory.history(known.id, user="ana"),
        "walk": lambda _: store.neighbourhood(ANA, Reach(seeds=[known.subject.key])),
    }
    trips: list[dict[str, int]] = []
    for first, after in ((0, FEW), (FEW, MANY)):
        await memory.add(turns(first, after), user="ana")
        counted: dict[str, int] = {}
        for name, call in calls.items():
            before = store.connection.counts.statements
            await call(after)
            counted[name] = store.connection.counts.statements - before
        trips.append(counted)
    few, many = trips
    assert few == many
    assert {name: n for name, n in many.items() if n > MOST[name]} == {}
