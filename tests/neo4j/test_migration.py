"""The schema of a database, and who may open it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator

import pytest

from graphmem.adapters.neo4j.connection import Connection
from graphmem.adapters.neo4j.migration import known_version
from graphmem.adapters.neo4j.statements import migrations
from graphmem.adapters.neo4j.store import Neo4jStore
from graphmem.adapters.system.clock import SystemClock
from graphmem.errors import SchemaVersionError, StoreUnavailableError
from tests.services.neo4j_server import Address
from tests.services.proxy import Proxy
from tests.services.stores import connect, open_store

pytestmark = pytest.mark.anyio

SCHEMA = (
    "SHOW INDEXES YIELD name, state, type WHERE type <> 'LOOKUP' RETURN name, state ORDER BY name"
)
LEDGER = "MATCH (m:Migration) RETURN m.number AS number, m.name AS name ORDER BY number"


@pytest.fixture
async def bare(each_neo4j: Address) -> AsyncIterator[Connection]:
    """Return a way to a database without a schema; afterwards it has one again."""
    connection = connect(each_neo4j)
    await drop(connection)
    yield connection
    await connection.execute("MATCH (m:Migration) DELETE m")
    store = open_store(each_neo4j, SystemClock())
    await store.get_meta("schema")
    await store.close()
    await connection.close()


async def drop(connection: Connection) -> None:
    for kind, show in (("CONSTRAINT", "CONSTRAINTS"), ("INDEX", "INDEXES")):
        text = f"SHOW {show} YIELD name, type WHERE type <> 'LOOKUP' RETURN name"
        for row in await connection.execute(text):
            await connection.execute(f"DROP {kind} {row['name']}")
    await connection.execute("MATCH (m:Migration) DELETE m")


def declared() -> set[str]:
    return {
        statement.split(" IF NOT EXISTS")[0].split()[-1]
        for _, _, statements in migrations()
        for statement in statements
    }


async def test_many_who_start_at_once(bare: Connection, each_neo4j: Address) -> None:
    """Each finds the whole schema, every index can be used, and the ledger notes it once."""
    stores = [open_store(each_neo4j, SystemClock()) for _ in range(4)]
    assert await asyncio.gather(*(store.get_meta("x") for store in stores)) == [None] * 4
    for store in stores:
        await store.close()
    found = await bare.execute(SCHEMA)
    assert {row["name"] for row in found} == declared()
    assert {row["state"] for row in found} == {"ONLINE"}
    assert [row["number"] for row in await bare.execute(LEDGER)] == [
        number for number, _, _ in migrations()
    ]


async def test_a_migration_that_was_killed_is_run_again(
    bare: Connection, each_neo4j: Address
) -> None:
    """What is there of it is left, the rest is made."""
    for statement in migrations()[0][2][:5]:
        await bare.execute(statement)
    store = open_store(each_neo4j, SystemClock())
    assert await store.get_meta("x") is None
    await store.close()
    assert {row["name"] for row in await bare.execute(SCHEMA)} == declared()


async def test_a_newer_schema_is_refused(neo4j: Address, connection: Connection) -> None:
    """The sentence says which is newer, and the store opens once that is settled."""
    store = open_store(neo4j, SystemClock())
    await store.get_meta("x")
    newer = known_version() + 1
    await connection.execute("CREATE (:Migration {number: $p.number})", number=newer)
    late = open_store(neo4j, SystemClock())
    try:
        with pytest.raises(SchemaVersionError, match=f"schema {newer}; this one knows {newer - 1}"):
            await late.get_meta("x")
    finally:
        await connection.execute("MATCH (m:Migration {number: $p.number}) DELETE m", number=newer)
    assert await late.get_meta("x") is None
    await late.close()
    await store.close()


async def test_a_server_that_is_away_at_first(neo4j: Address) -> None:
    """A store can be made without it, says so when used, and works when it is there."""
    with Proxy(neo4j.url) as proxy:
        proxy.down()
        away = Address(proxy.url, neo4j.user, neo4j.password)
        store = open_store(away, SystemClock(), timeout=1.0)
        with pytest.raises(StoreUnavailableError):
            await store.get_meta("x")
        proxy.up()
        await store.set_meta("x", "1")
        assert await store.get_meta("x") == "1"
        await store.close()


async def test_a_second_start_says_nothing(
    neo4j: Address, caplog: pytest.LogCaptureFixture
) -> None:
    """That everything is there already is no news, neither of ours nor of the driver's."""
    caplog.set_level(logging.INFO)
    for _ in range(2):
        caplog.clear()
        store = Neo4jStore.open(
            neo4j.url, SystemClock(), user=neo4j.user, password=neo4j.password or None
        )
        await store.get_meta("x")
        await store.close()
    assert caplog.messages == []


def test_migrations_can_be_run_twice() -> None:
    """Every statement changes nothing where it has been run, and names what it makes as ours."""
    for _, name, statements in migrations():
        for statement in statements:
            assert " IF NOT EXISTS\n" in statement, name
    assert all(name.startswith("graphmem_") for name in declared())


def test_migrations_are_numbered() -> None:
    """From 1 on, without a gap."""
    assert [number for number, _, _ in migrations()] == list(range(1, known_version() + 1))
