"""What the server is, and whether every index is there and can be used."""

from __future__ import annotations

import re

from graphmem.adapters.neo4j.connection import Connection
from graphmem.adapters.neo4j.migration import known_version
from graphmem.adapters.neo4j.statements import migrations
from graphmem.adapters.neo4j.tx import Found, Tx
from graphmem.model.about import About, Part

KERNEL = "Neo4j Kernel"
OURS = "graphmem_"
"""With which the name of every index and constraint begins."""

_NAMED = re.compile(rf"(?:INDEX|CONSTRAINT) ({OURS}\w+) IF NOT EXISTS")


async def about(connection: Connection) -> About:
    """Ask the server what it is, and for the indexes of this database."""

    async def ask(tx: Tx) -> tuple[Found, list[Found], int]:
        (server,) = await tx.run("about/server", component=KERNEL)
        (indexes,) = await tx.run("about/indexes", prefix=OURS)
        (newest,) = await tx.run("ledger/newest")
        return server, indexes["rows"], newest["number"] or 0

    server, indexes, schema = await connection.read(ask)
    there = sorted((_part(row) for row in indexes), key=lambda part: part.name)
    return About(
        kind="Neo4j",
        place=connection.place,
        version=server["version"],
        edition=server["edition"],
        remote=True,
        schema=schema,
        known_schema=known_version(),
        parts=tuple(there),
        missing=tuple(sorted(wanted() - {part.name for part in there})),
        retries=connection.counts.retries,
    )


def wanted() -> frozenset[str]:
    """Return the names of all indexes and constraints of the schema."""
    texts = [text for _, _, statements in migrations() for text in statements]
    return frozenset(name for text in texts for name in _NAMED.findall(text))


def _part(row: Found) -> Part:
    state = str(row["state"]).lower()
    if state == "populating":
        state = f"populating, {row['percent']:.0f} %"
    return Part(row["name"], state, unique=row["constraint"] is not None)
