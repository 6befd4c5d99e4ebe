"""Whatever happens later, what was known at an instant stays as it was."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path

import anyio
from hypothesis import given, settings
from hypothesis import strategies as st

from graphmem.adapters.sqlite import SqliteStore
from graphmem.model.changes import ChangeSet, GaveWay, Rests, Withdrawal
from graphmem.model.claim import LinkedClaim
from graphmem.model.entity import Value
from graphmem.model.fact import Fact, Status
from graphmem.model.search import FactFilter, FactQuery
from graphmem.model.time import FOREVER
from graphmem.ports.graph_store import GraphStore
from graphmem.testing.builders import ANA, T0, a_fact, a_link, told
from graphmem.testing.clock import FrozenClock
from graphmem.testing.graph_store import closing
from graphmem.testing.graph_store.base import EVERY_STATUS, begin, write

View = tuple[list[Fact], dict[str, tuple[LinkedClaim, ...]]]
STEPS = st.lists(
    st.tuples(
        st.sampled_from(["add", "revise", "rest", "give way", "withdraw", "lift", "link"]),
        st.integers(0, 5),
        st.integers(0, 5),
    ),
    max_size=12,
)


def a_change(step: str, number: int, first: int, second: int, live: list[str]) -> ChangeSet | None:
    """Return what a step changes; ``live`` are the names of the facts there are, kept in step."""
    if step == "add" or not live:
        live.append(str(number))
        return told(str(number), said=T0 + first)
    name, other = live[first % len(live)], live[second % len(live)]
    match step:
        case "revise":
            record, status = f"f{name}/{number}", list(Status)[second % 3]
            fact = a_fact(f"f{name}", record=record, claims=(f"c{name}",), status=status)
            return ChangeSet(facts=(fact,))
        case "rest":
            return ChangeSet(rests=(Rests(f"f{name}", (f"c{name}", f"c{other}")),))
        case "give way":
            if name == other:
                return None
            live.remove(name)
            return ChangeSet(gave_way=(GaveWay(f"f{name}", f"f{other}"),))
        case "link":
            return ChangeSet(links=(a_link(f"c{name}", Value.literal(f"tea {number}")),))
        case _:
            return ChangeSet(withdrawals=(Withdrawal(f"c{name}", lifted=step == "lift"),))


async def view(store: GraphStore, known_at: int | None) -> View:
    """Return all that is known at an instant, save when it ceased to be and what came of it."""
    asked = FactFilter(known_at=known_at, statuses=EVERY_STATUS)
    facts = (await store.facts(ANA, FactQuery(filter=asked))).items
    claims = await store.claims(ANA, [fact.id for fact in facts], known_at=known_at)
    return [replace(fact, expired_at=FOREVER, successor=None) for fact in facts], claims


async def live_through(path: Path, steps: list[tuple[str, int, int]]) -> None:
    clock = FrozenClock()
    async with closing(SqliteStore.open(path / "a.db", clock, synchronous="NORMAL")) as store:
        (first,) = await begin(store)
        seen: dict[int, View] = {first.at: ([], {})}
        live: list[str] = []
        for number, (step, one, other) in enumerate(steps, start=2):
            change = a_change(step, number, one, other, live)
            if change is not None:
                at = (await write(store, change)).at
                seen[at] = await view(store, None)
        assert {at: await view(store, at) for at in seen} == seen
        assert [one for one in await store.check() if "withdrawn" not in one] == []
        rows = [row async for row in store.export(ANA)]
    async with closing(SqliteStore.open(path / "b.db", clock, synchronous="NORMAL")) as copy:
        await copy.load(ANA, rows)
        assert {at: await view(copy, at) for at in seen} == seen


@settings(deadline=None, max_examples=40)
@given(STEPS)
def test_past_views(steps: list[tuple[str, int, int]]) -> None:
    """Each instant's view is the same at the end as at the instant, also after export and load."""
    with tempfile.TemporaryDirectory() as folder:
        anyio.run(live_through, Path(folder), steps)
