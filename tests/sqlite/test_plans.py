"""The statements that must stay quick use an index, and are quick."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from graphmem.adapters.sqlite import SqliteStore, filters
from graphmem.adapters.sqlite.database import Database
from graphmem.adapters.sqlite.statements import names, sql
from graphmem.model.changes import ChangeSet, Family, Wanted
from graphmem.model.claim import Modality, Polarity
from graphmem.model.cursors import make_cursor
from graphmem.model.search import FactFilter, FactQuery
from graphmem.testing.builders import ANA, T0, an_entity, told
from graphmem.testing.clock import FrozenClock
from graphmem.testing.graph_store.base import look, write

pytestmark = pytest.mark.anyio

EVERYTHING = FactFilter(
    valid=(T0, T0),
    upcoming=True,
    uncertain=True,
    polarity=Polarity.POSITIVE,
    modality=Modality.ASSERTED,
    predicates=frozenset({"drinks"}),
    sessions=frozenset({"s1"}),
    agents=frozenset({"a1"}),
)
# These read all there is, of a scope or of the file, and say so.
WHOLE = (
    *("check.", "verify.", "scope.sids", "scope.list", "scope.kill", "outbox.count"),
    "lease.rows",  # passes over what others have in hand
    "scope.unread",  # looks at each scope
    "about.",  # reads the schema, no row
)


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


def composed() -> dict[str, str]:
    """Return the statements that are put together from parts, with everything that can be asked."""
    _, facts = filters.query_clauses(
        FactQuery(
            filter=EVERYTHING, subjects=frozenset({"a"}), objects=frozenset({"b"}), either=True
        )
    )
    _, page = filters.query_clauses(FactQuery(filter=FactFilter()))
    filters.go_on(page, "facts", make_cursor("facts", (T0, 0, 0, "f1/1")))
    now = filters.fact_clauses(FactFilter(valid=(T0, T0), upcoming=True))
    walk = filters.fact_clauses(EVERYTHING)
    chunks = filters.chunk_clauses(EVERYTHING)
    found = (filters.BY_DOCUMENT, filters.BEST_FIRST)
    return {
        "facts about": facts.after("facts_about.select", filters.NEWEST_SAID),
        "facts page": page.after("facts.select", filters.NEWEST_SAID),
        "facts now count": now.after("facts.count"),
        "outline facts": walk.after("outline.facts"),
        "outline resting": walk.after("outline.resting"),
        "facts related": walk.after("facts.related", filters.NEWEST_SAID),
        "facts about count": facts.after("facts_about.count"),
        "walk entities": walk.after("walk.entities", filters.NEWEST_SAID),
        "walk literals": walk.after("walk.literals", filters.NEWEST_SAID),
        "keyword facts": walk.after("keyword.facts", *found),
        "keyword chunks": chunks.after("keyword.chunks", *found),
    }


STATEMENTS = {
    **{name: sql(name) for name in names() if not name.startswith(WHOLE)},
    **composed(),
}


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    path = tmp_path_factory.mktemp("plans") / "graph.db"
    database = Database(path, FrozenClock(), busy_timeout=1, synchronous="NORMAL")
    yield database
    database.close()


def plan(file: Database, statement: str) -> list[str]:
    """Return the steps by which SQLite would run a statement."""
    named = dict.fromkeys(re.findall(r":([a-z_0-9]+)", statement))
    with file.alone() as connection:
        rows = connection.execute(
            f"EXPLAIN QUERY PLAN {statement}", named or (None,) * statement.count("?")
        )
        return [row["detail"] for row in rows]


@pytest.mark.parametrize("name", STATEMENTS)
def test_no_scan(file: Database, name: str) -> None:
    """No statement of daily work reads a whole table."""
    steps = plan(file, STATEMENTS[name])
    # Of leases there are as many as indexers have scopes in hand; few rows are ever parked.
    harmless = re.compile(
        "VIRTUAL TABLE|CONSTANT ROW|INDEX (scopes_dead|outbox_parked)|subquery|SCAN (t|l|leases)$"
    )
    assert [one for one in steps if one.startswith("SCAN") and not harmless.search(one)] == []


@pytest.mark.parametrize("name", ["facts about", "walk entities", "walk literals"])
def test_looked_up_by_entity(file: Database, name: str) -> None:
    """What touches an entity is looked up, not found by going through the scope."""
    steps = plan(file, STATEMENTS[name])
    assert any("fact_records_family (sid=? AND subject_key=?" in step for step in steps)
    assert not any("fact_records_said" in step for step in steps)


def test_page_in_order(file: Database) -> None:
    """A page of all facts is read in order, without sorting the scope."""
    steps = plan(file, STATEMENTS["facts page"])
    assert not any("TEMP B-TREE" in step for step in steps)


def test_count_of_what_is_true_now(file: Database) -> None:
    """Facts that hold now are counted from an index alone."""
    steps = plan(file, STATEMENTS["facts now count"])
    assert "COVERING INDEX fact_records_status" in " ".join(steps)


def test_relations_are_listed_by_entity_and_predicate(file: Database) -> None:
    """A hub's other relations are not read."""
    steps = " ".join(plan(file, STATEMENTS["facts related"]))
    assert "fact_records_family (sid=? AND subject_key=? AND predicate=?" in steps
    assert "fact_records_object (sid=? AND object_key=? AND predicate=?" in steps


@pytest.mark.parametrize("name", [name for name in STATEMENTS if name.startswith("tail.")])
def test_the_end_of_a_family_is_one_step_into_an_index(file: Database, name: str) -> None:
    """However many claims a family holds, its end is found without sorting or going through."""
    steps = plan(file, STATEMENTS[name])
    assert not any("TEMP B-TREE" in step for step in steps)
    assert any("predicate=?" in step or "claim=?" in step for step in steps)


async def test_large_family(tmp_path: Path) -> None:
    """A family of 5,000 claims is read whole, beside a page of its facts."""
    store = SqliteStore.open(tmp_path / "graph.db", FrozenClock(), synchronous="NORMAL")
    parts = [told(str(number), said=T0 + number) for number in range(5000)]
    whole = ChangeSet(
        entities=(an_entity(),),
        episodes=tuple(part.episodes[0] for part in parts),
        claims=tuple(part.claims[0] for part in parts),
        links=tuple(part.links[0] for part in parts),
        facts=tuple(part.facts[0] for part in parts[:500]),
    )
    await write(store, whole)
    snapshot = await look(store, Wanted(families=(Family("self", "drinks"),)))
    page = await store.facts(ANA, FactQuery(limit=50))
    await store.close()
    assert (len(snapshot.claims), len(snapshot.facts), len(page.items)) == (5000, 500, 50)
