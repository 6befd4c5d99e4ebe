"""Brings a database to the schema this graphmem knows.

Each migration is a file of statements that change nothing where they have been run (``IF NOT
EXISTS``), and a node in a ledger says that it was. So two processes that start at once may both run
it, and one that was killed on the way is run again.
"""

from __future__ import annotations

import logging

from graphmem.adapters.neo4j.connection import Execute
from graphmem.adapters.neo4j.statements import cypher, migrations
from graphmem.errors import SchemaVersionError
from graphmem.ports.clock import Clock

log = logging.getLogger(__name__)

_BUILDING = 3600
"""Seconds that indexes may take to be built over what is there."""


def known_version() -> int:
    """Return the newest schema this graphmem knows."""
    return max(number for number, _, _ in migrations())


async def migrate(execute: Execute, clock: Clock, place: str) -> None:
    """Apply what is missing, and wait until every index can be used.

    Raises:
        SchemaVersionError: a newer graphmem wrote the database.
        StoreUnavailableError: the server is away.
    """
    have = await version(execute)
    if have > known_version():
        raise SchemaVersionError(
            f"the store {place} was written by a newer graphmem (schema {have}; this one knows "
            f"{known_version()}): upgrade graphmem"
        )
    if have == known_version():
        return
    for number, name, statements in migrations():
        if number <= have:
            continue
        for statement in statements:
            await execute(statement, patient=True)
        await execute(cypher("ledger/await"), patient=True, seconds=_BUILDING)
        await execute(cypher("ledger/note"), number=number, name=name, at=clock.now())
        log.info("applied migration %s to %s", name, place)


async def version(execute: Execute) -> int:
    """Return the newest migration that was applied, 0 for a new database."""
    found = await execute(cypher("ledger/newest"))
    return found[0]["number"] or 0
