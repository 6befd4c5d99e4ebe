"""Servers as fixtures: one of each kind for the whole run, emptied before each test that uses it.

Where a server cannot be had its tests are left out, and the summary at the end says so and how to
include them; in CI (``CI=true``) they fail instead.
"""

from __future__ import annotations

import atexit
import os
from collections.abc import Iterator
from typing import LiteralString

import pytest
from neo4j import Driver, GraphDatabase

from tests.services.neo4j_server import (
    CURRENT,
    LTS,
    Address,
    CannotStartError,
    Neo4jServer,
    Release,
    missing,
)

URL_VARIABLE = "GRAPHMEM_TEST_NEO4J_URL"
USER_VARIABLE = "GRAPHMEM_TEST_NEO4J_USER"
BROWSER_VARIABLE = "GRAPHMEM_TEST_NEO4J_BROWSER"
PASSWORD_VARIABLE = "GRAPHMEM_TEST_NEO4J_PASSWORD"  # noqa: S105 - a name

# A server of somebody's own is emptied only if it was empty when the tests first came.
_LOOK: LiteralString = """
OPTIONAL MATCH (t:GraphmemTests)
RETURN count(t) > 0 OR NOT EXISTS { MATCH (n) WHERE NOT n:Migration } AS ours
"""
_MARK: LiteralString = "MERGE (:GraphmemTests)"
_WIPE: LiteralString = """
MATCH (n) WHERE NOT n:Migration AND NOT n:GraphmemTests
CALL (n) { DETACH DELETE n } IN TRANSACTIONS OF 1000 ROWS
"""


class Emptied:
    """A server that tests share."""

    def __init__(self, address: Address) -> None:
        self.address = address
        self._driver: Driver = GraphDatabase.driver(  # pyright: ignore[reportUnknownMemberType] - its options
            address.url, auth=(address.user, address.password), notifications_min_severity="OFF"
        )
        if not self._driver.execute_query(_LOOK).records[0]["ours"]:
            self.close()
            pytest.fail(f"{address.url} holds what is not of these tests; name an empty database")
        self._driver.execute_query(_MARK)

    def wipe(self) -> Address:
        """Remove all but the schema."""
        with self._driver.session() as session:  # pyright: ignore[reportUnknownMemberType] - its options
            session.run(_WIPE).consume()
        return self.address

    def run(self, text: LiteralString, **values: object) -> None:
        """Run a statement of a test's own."""
        self._driver.execute_query(text, values)

    def close(self) -> None:
        """Let go of it."""
        self._driver.close()


def left_out(reason: str) -> None:
    """Skip the test that wants what is missing; in CI fail it."""
    if os.environ.get("CI") == "true":
        pytest.fail(reason)
    # On a user's machine the server is theirs to install; the summary tells this reason and how.
    pytest.skip(reason)


def _own(release: Release, factory: pytest.TempPathFactory) -> Iterator[Emptied]:
    if lacks := missing(release):
        also = f", or name an empty server in {URL_VARIABLE}" if release is LTS else ""
        left_out(f"tests on Neo4j {release.name} are left out: install {lacks}{also}")
    server = Neo4jServer(release, factory.mktemp(release.folder))
    atexit.register(server.kill)
    try:
        server.start()
    except CannotStartError as error:
        left_out(f"tests on Neo4j {release.name} are left out: {error}")
    emptied = Emptied(server.address)
    try:
        yield emptied
    finally:
        emptied.close()
        server.kill()  # its home goes away with it
        atexit.unregister(server.kill)


@pytest.fixture(scope="session")
def neo4j_lts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Emptied]:
    """Return the server of the 5.26 line, or the one that the environment names."""
    url = os.environ.get(URL_VARIABLE)
    if not url:
        yield from _own(LTS, tmp_path_factory)
        return
    user = os.environ.get(USER_VARIABLE) or "neo4j"
    password, browser = (
        os.environ.get(name) or "" for name in (PASSWORD_VARIABLE, BROWSER_VARIABLE)
    )
    emptied = Emptied(Address(url, user, password, browser))
    yield emptied
    emptied.close()


@pytest.fixture(scope="session")
def neo4j_current(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Emptied]:
    """Return the server of the 2026 line."""
    yield from _own(CURRENT, tmp_path_factory)


@pytest.fixture
def neo4j(neo4j_lts: Emptied) -> Address:
    """Return an empty database on Neo4j 5.26."""
    return neo4j_lts.wipe()


@pytest.fixture(params=["neo4j_lts", "neo4j_current"], ids=["5.26", "2026"])
def each_neo4j(request: pytest.FixtureRequest) -> Address:
    """Return an empty database on one line after the other, for what must hold on both."""
    emptied: Emptied = request.getfixturevalue(request.param)
    return emptied.wipe()
