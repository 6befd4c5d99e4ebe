"""Transactions on a real server: written whole or not at all, repeated, bounded in time."""

from __future__ import annotations

import asyncio
import logging
import threading
import time
import traceback
from collections.abc import Iterator

import pytest

from graphmem.adapters.neo4j.connection import Connection, Tx
from graphmem.errors import InputError, SettingsError, StoreError, StoreUnavailableError
from tests.services.neo4j_server import Address
from tests.services.proxy import COMMIT, Proxy
from tests.services.stores import connect

pytestmark = pytest.mark.anyio


@pytest.fixture
def proxy(neo4j: Address) -> Iterator[Proxy]:
    with Proxy(neo4j.url) as proxy:
        yield proxy


async def put(tx: Tx) -> int:
    """Write a value and say how many calls of this were begun."""
    await tx.run("meta/put", key="trial", value="1")
    return 1


async def read(tx: Tx) -> str | None:
    found = await tx.run("meta/get", key="trial")
    return found[0]["value"] if found else None


async def test_a_read_sees_the_last_write(connection: Connection) -> None:
    """What was committed is there."""
    await connection.write(put)
    assert await connection.read(read) == "1"


async def test_work_that_raises_writes_nothing(connection: Connection) -> None:
    """The error passes as it is, and the transaction is given up."""

    async def half(tx: Tx) -> None:
        await put(tx)
        raise KeyError("half")

    with pytest.raises(KeyError, match="half"):
        await connection.write(half)
    assert await connection.read(read) is None


async def test_cancelled_work_writes_nothing(connection: Connection) -> None:
    """A cancelled call gives its transaction up, and the next finds a connection."""
    begun = asyncio.Event()
    loop = asyncio.get_running_loop()

    async def slow(tx: Tx) -> None:
        await put(tx)
        loop.call_soon_threadsafe(begun.set)
        await asyncio.sleep(60)

    task = asyncio.create_task(connection.write(slow))
    await begun.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert await connection.read(read) is None


def test_any_thread_and_any_loop(neo4j: Address) -> None:
    """One connection serves loops that come and go, and several at once."""
    connection = connect(neo4j)
    seen: list[str | None] = []

    def work() -> None:
        seen.extend(asyncio.run(connection.read(read)) for _ in range(3))

    asyncio.run(connection.write(put))
    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    asyncio.run(connection.close())
    assert seen == ["1"] * 12


async def test_a_deadlock_is_begun_anew(connection: Connection) -> None:
    """Two who take the same locks in another order both come through, and it is counted."""
    await connection.execute("UNWIND ['a', 'b'] AS key MERGE (:Meta {key: key})")
    tries: list[str] = []

    async def take(one: str, other: str) -> None:
        async def work(tx: Tx) -> None:
            tries.append(one)
            await tx.run("meta/put", key=one, value=one)
            if tries.count(one) == 1:
                while len(set(tries)) < 2:  # noqa: ASYNC110 - of two tasks on the store's loop
                    await asyncio.sleep(0.001)
                await asyncio.sleep(0.2)
            await tx.run("meta/put", key=other, value=one)

        await connection.write(work)

    await asyncio.gather(take("a", "b"), take("b", "a"))
    assert connection.counts.retries >= 1


async def test_a_lost_acknowledgement_is_no_error(neo4j: Address, proxy: Proxy) -> None:
    """A commit nobody heard of is done, and its work is run once more."""
    connection = connect(neo4j, url=proxy.url)
    runs: list[str | None] = []

    async def work(tx: Tx) -> None:
        runs.append(await read(tx))
        await put(tx)

    await connection.read(read)
    proxy.cut(COMMIT, late=True)
    await connection.write(work)
    await connection.close()
    assert proxy.cuts == 1
    assert runs == [None, "1"]


async def test_a_connection_cut_before_the_commit(neo4j: Address, proxy: Proxy) -> None:
    """A commit that never arrived is no commit, and its work is run once more."""
    connection = connect(neo4j, url=proxy.url)
    runs: list[str | None] = []

    async def work(tx: Tx) -> None:
        runs.append(await read(tx))
        await put(tx)

    proxy.cut(COMMIT)
    await connection.write(work)
    await connection.close()
    assert runs == [None, None]


async def test_a_server_that_is_away_and_comes_back(neo4j: Address, proxy: Proxy) -> None:
    """The error comes within the time given, and later calls succeed by themselves."""
    connection = connect(neo4j, url=proxy.url, timeout=1.5)
    await connection.read(read)
    proxy.down()
    began = time.monotonic()
    with pytest.raises(StoreUnavailableError, match="is a Neo4j server running there"):
        await connection.write(put)
    assert time.monotonic() - began < 5
    proxy.up()
    await connection.write(put)
    assert await connection.read(read) == "1"
    await connection.close()


async def test_a_server_that_says_nothing(neo4j: Address, proxy: Proxy) -> None:
    """Silence ends like absence does, at every step."""
    connection = connect(neo4j, url=proxy.url, timeout=1.0)
    await connection.read(read)
    proxy.silent = True
    for call in (connection.read(read), connection.write(put)):
        began = time.monotonic()
        with pytest.raises(StoreUnavailableError, match="did not answer in time"):
            await call
        assert time.monotonic() - began < 5
    await connection.close()


async def test_a_statement_that_takes_too_long(neo4j: Address) -> None:
    """It ends on the server as well."""
    connection = connect(neo4j, timeout=1.0)
    text = "UNWIND range(1, 100000000000) AS i WITH i WHERE i < 0 RETURN count(i) AS n"
    with pytest.raises(StoreUnavailableError, match=r"in time|longer than it may"):
        await connection.execute(text)
    await asyncio.sleep(1)
    running = await connection.execute(
        "SHOW TRANSACTIONS YIELD currentQuery WHERE currentQuery STARTS WITH 'UNWIND range' "
        "RETURN currentQuery"
    )
    await connection.close()
    assert running == []


async def test_values_that_cannot_be_kept(connection: Connection) -> None:
    """They are refused as input, and the connection can still be used."""
    for value in (2**63, "\ud800"):
        with pytest.raises(InputError, match=r"cannot be written|beyond"):
            await connection.execute("RETURN $p.value AS value", value=value)
    assert await connection.execute("RETURN $p.value AS value", value=2**63 - 1) == [
        {"value": 2**63 - 1}
    ]


async def test_a_closed_connection_says_so(neo4j: Address) -> None:
    """Closing ends what runs, and may be done twice."""
    connection = connect(neo4j)
    await connection.read(read)

    async def slow(tx: Tx) -> None:
        await put(tx)
        await asyncio.sleep(60)

    task = asyncio.create_task(connection.write(slow))
    await asyncio.sleep(0.1)
    await connection.close()
    await connection.close()
    for call in (task, connection.read(read)):
        with pytest.raises(StoreUnavailableError, match="is closed; open it again"):
            await call


@pytest.mark.parametrize("password", ["not-the-Password-7", None])
async def test_who_may_not_sign_in(
    neo4j: Address, caplog: pytest.LogCaptureFixture, password: str | None
) -> None:
    """The error names the settings; no password is in it, in a log or shown of the connection."""
    caplog.set_level(logging.DEBUG)
    connection = Connection(neo4j.url, user=neo4j.user, password=password)
    with pytest.raises(SettingsError, match="set neo4j_user and neo4j_password") as caught:
        await connection.read(read)
    error = "".join(traceback.format_exception(caught.value))
    everything = f"{error}{caplog.text}{connection!r}{vars(connection)}"
    await connection.close()
    assert password is None or password not in everything


async def test_a_good_password_is_shown_nowhere(
    neo4j: Address, caplog: pytest.LogCaptureFixture
) -> None:
    """Not in the most talkative log."""
    caplog.set_level(logging.DEBUG)
    connection = connect(neo4j)
    await connection.write(put)
    shown = f"{caplog.text}{connection!r}{vars(connection)}{connection.place}"
    await connection.close()
    assert not neo4j.password or neo4j.password not in shown


async def test_a_database_that_is_not_there(neo4j: Address) -> None:
    """The error names the setting."""
    connection = Connection(
        neo4j.url, user=neo4j.user, password=neo4j.password or None, database="nowhere"
    )
    with pytest.raises(SettingsError, match="set neo4j_database"):
        await connection.read(read)
    await connection.close()


async def test_a_wrong_statement_is_no_passing_fault(connection: Connection) -> None:
    """It is not tried again."""
    with pytest.raises(StoreError, match="SyntaxError"):
        await connection.execute("RETUR 1")
    assert connection.counts.retries == 0


async def test_more_calls_than_connections(neo4j: Address) -> None:
    """They wait for one another."""
    connection = connect(neo4j, pool=2)
    await connection.write(put)
    assert await asyncio.gather(*(connection.read(read) for _ in range(40))) == ["1"] * 40
    await connection.close()


@pytest.mark.parametrize(
    "url",
    ["http://127.0.0.1", "neo4j://", "bolt://a:99999", "neo4j://ana:secret@127.0.0.1", "folder"],
)
def test_an_address_that_cannot_be_one(url: str) -> None:
    """It is refused at once, and a login in it is not repeated."""
    with pytest.raises(SettingsError) as caught:
        Connection(url)
    assert "secret" not in str(caught.value)
