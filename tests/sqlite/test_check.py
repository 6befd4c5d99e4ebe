"""The check finds what went wrong behind the store's back."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from graphmem.adapters.sqlite import SqliteStore
from graphmem.model.changes import ChangeSet
from graphmem.testing.builders import a_fact, an_entity, told
from graphmem.testing.clock import FrozenClock
from graphmem.testing.graph_store.base import begin

pytestmark = pytest.mark.anyio

HARM = {
    "f1 has 2 live records": "DROP INDEX fact_records_live; UPDATE fact_records "
    "SET expired_at = 4611686018427387904 WHERE record = 'f1/1'",
    "f1 overlap": "UPDATE fact_records SET expired_at = expired_at + 1 WHERE record = 'f1/1'",
    "f2/1 ends before it begins": "UPDATE fact_records SET reads_until = may_from - 1 "
    "WHERE record = 'f2/1'",
    "f2 rests on no claim": "DELETE FROM fact_claims WHERE fact = 'f2'",
    "f2 rests on withdrawn claims alone": "INSERT INTO withdrawals "
    "(sid, claim, created_at, expired_at) VALUES (1, 'c2', 1, 4611686018427387904)",
    "carries the fact f2, which is not there": "DELETE FROM fact_records WHERE id = 'f2'",
    "c2 has no live link": "DELETE FROM claim_links WHERE claim = 'c2'",
    "c1 is linked to an entity that is not there": "UPDATE claim_links SET subject = 'x' "
    "WHERE claim = 'c1'",
    "f2/1 names an entity that is not there": "UPDATE fact_records SET subject_key = 'x' "
    "WHERE record = 'f2/1'",
    "rosa was merged into one that is not there": "UPDATE entities SET merged_into = 'x' "
    "WHERE id = 'rosa'",
    "f2/1 has no keywords": "DELETE FROM documents WHERE ref = 'f2/1'",
    "e2 has no keywords": "DELETE FROM documents WHERE ref = 'e2#0'",
    "rosa has no keywords": "DELETE FROM documents WHERE ref = 'rosa'",
    "the keywords of f2/1 are incomplete": "DELETE FROM postings "
    "WHERE doc = (SELECT doc FROM documents WHERE ref = 'f2/1')",
    "are of something that is not there": "UPDATE documents SET target = 99 WHERE ref = 'f2/1'",
    "a scope counts 77 records": "UPDATE scopes SET points = 77",
    "a scope counts a term 77 times": "UPDATE frequencies SET documents = 77",
    "a scope does not count a term": "DELETE FROM frequencies",
    "refers to a row": "PRAGMA foreign_keys = OFF; DELETE FROM claims WHERE id = 'c2'",
}


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[SqliteStore]:
    store = SqliteStore.open(tmp_path / "graph.db", FrozenClock())
    people = ChangeSet(entities=(an_entity("rosa"),))
    await begin(store, people, told("1"), told("2"), ChangeSet(facts=(a_fact(record="f1/2"),)))
    yield store
    await store.close()


async def test_nothing_wrong(store: SqliteStore) -> None:
    """Before any harm there are no findings."""
    assert await store.check() == []


@pytest.mark.parametrize("finding", HARM)
async def test_finding(store: SqliteStore, finding: str) -> None:
    """Each kind of harm is found and named."""
    with store.database.alone() as connection:
        connection.executescript(HARM[finding])
    assert any(finding in found for found in await store.check())
