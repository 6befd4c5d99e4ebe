"""Ways to the servers of the tests; what a server advises on a statement fails the test."""

from __future__ import annotations

from datetime import UTC, tzinfo

from graphmem import Settings
from graphmem.adapters.neo4j.connection import Connection
from graphmem.adapters.neo4j.store import Neo4jStore
from graphmem.ports.clock import Clock
from tests.services.neo4j_server import Address


def settings_of(address: Address, url: str = "", **more: object) -> Settings:
    """Return the settings by which one signs in at ``address``, by way of ``url`` if given."""
    return Settings.load(
        {},
        None,
        path=url or address.url,
        neo4j_user=address.user,
        neo4j_password=address.password or None,
        **more,
    )


def open_store(
    address: Address, clock: Clock, *, timeout: float = 30.0, zone: tzinfo = UTC
) -> Neo4jStore:
    """Return the store at ``address``."""
    return Neo4jStore.open(
        address.url,
        clock,
        user=address.user,
        password=address.password or None,
        timeout=timeout,
        zone=zone,
        notifications=True,
    )


def connect(
    address: Address, *, url: str = "", timeout: float = 30.0, pool: int = 32
) -> Connection:
    """Return a connection to ``address``, by way of ``url`` if one is given."""
    return Connection(
        url or address.url,
        user=address.user,
        password=address.password or None,
        timeout=timeout,
        pool=pool,
        notifications=True,
    )
