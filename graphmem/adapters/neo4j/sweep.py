"""Erasing a whole scope: invisible in one small transaction, then told to the index and removed in
batches.

Each batch is a transaction that first takes the lock of the scope's node. So several processes may
be at it at once, and one that was cut off is gone on with by the next sweep. What a server keeps of
deleted data in its own files it does not let go on demand; so once anything was erased, a sweep
says so for ever.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Mapping

from graphmem.adapters.neo4j.connection import Connection
from graphmem.adapters.neo4j.touched import outbox_rows
from graphmem.adapters.neo4j.tx import Found, Tx
from graphmem.model.scope import Scope
from graphmem.model.search import PointKind
from graphmem.model.touched import Touched
from graphmem.ports.graph_store import Sweep

log = logging.getLogger(__name__)

FILES = (
    "the files of the Neo4j server: it keeps what was deleted in its store files until the room is "
    "used again, and in its transaction logs until they are pruned; surely without it is only a "
    "database that never held it (export, and import into a new one)"
)
"""What a sweep waits for once anything was erased."""

_ERASED = "neo4j.erased"
"""The meta key that is there once anything was erased, since the nodes that say so may go."""

_BATCH = 1000
"""Nodes removed, or things the index is told of, in one transaction."""

# The kinds of thing whose points leave the index, in this order.
_TOLD = (
    (PointKind.FACT, "erase/points_of_facts"),
    (PointKind.CHUNK, "erase/points_of_episodes"),
    (PointKind.ENTITY, "erase/points_of_entities"),
)
# What hangs on a thing goes before it, so that no transaction removes more than its batch and a
# little.
_REMOVED = (
    ("relations", "erase/relations"),
    ("fact_records", "erase/records"),
    ("facts", "erase/facts"),
    ("claims", "erase/claims"),
    ("chunks", "erase/chunks"),
    ("episodes", "erase/episodes"),
    ("names", "erase/names"),
    ("entities", "erase/entities"),
    ("terms", "erase/terms"),
    ("changes", "erase/changes"),
)


async def kill(connection: Connection, scope: Scope) -> Mapping[str, int]:
    """Make a scope invisible; its points are to leave the index. Return what it held, by kind."""
    killed: list[Found] = []

    async def work(tx: Tx) -> bool:
        found = await tx.run("erase/find", key=scope.key)
        if found:
            killed[:] = found
            sid, first = found[0]["sid"], _TOLD[0][0].value
            await tx.run("erase/kill", sid=sid, telling=first)
        # Nothing is found too where only the acknowledgement of the last try was lost.
        return bool(killed) and await _tell(tx, killed[0]["sid"])

    more = await connection.write(work)
    if not killed:
        return {}
    if more:
        await _tell_all(connection, killed[0]["sid"])
    return killed[0]["counts"]


async def sweep(connection: Connection) -> Sweep:
    """Remove the nodes of erased scopes; say what still waits."""
    (found,) = await connection.read(lambda tx: tx.run("erase/dead", yes=True, key=_ERASED))
    if (found["sids"] or found["erased"]) and not found["noted"]:
        await connection.write(lambda tx: tx.run("meta/put", key=_ERASED, value="yes"))
    removed: Counter[str] = Counter()
    waiting: list[str] = []
    for sid in found["sids"]:
        await _tell_all(connection, sid)
        for kind, name in _REMOVED:
            await _empty(connection, sid, kind, name, removed)
        waiting.extend(await _forget(connection, sid))
    if found["sids"] or found["erased"] or found["noted"]:
        waiting.append(FILES)
    if found["sids"]:
        log.info("swept: %d nodes removed, waiting for %d things", removed.total(), len(waiting))
    return Sweep(dict(removed), tuple(waiting))


async def _tell_all(connection: Connection, sid: str) -> None:
    while await connection.write(lambda tx: _tell(tx, sid)):
        pass


async def _tell(tx: Tx, sid: str) -> bool:
    """Write outbox rows for the next things of an erased scope; return whether there are more."""
    state = await tx.run("erase/telling", sid=sid, dead=True)
    if not state:
        return False
    kinds = [kind.value for kind, _ in _TOLD]
    place, after = kinds.index(state[0]["telling"]), state[0]["told"]
    touched, left = Touched(), _BATCH
    while place < len(_TOLD) and left:
        kind, name = _TOLD[place]
        (found,) = await tx.run(name, sid=sid, after=after, limit=left)
        rows = found["rows"]
        for row in rows:
            if row["points"]:
                touched.add(kind, row["id"], gone=row["points"])
        if len(rows) < left:
            place, after = place + 1, ""
        else:
            after = rows[-1]["id"]
        left -= len(rows)
    number, at = state[0]["number"], state[0]["at"]
    await tx.run("erase/tell", sid=sid, outbox=outbox_rows(touched, number, at))
    telling = kinds[place] if place < len(kinds) else None
    await tx.run("erase/told", sid=sid, telling=telling, told=after)
    return telling is not None


async def _empty(
    connection: Connection, sid: str, kind: str, name: str, removed: Counter[str]
) -> None:
    while True:
        found = await connection.write(lambda tx: tx.run(name, sid=sid, dead=True, limit=_BATCH))
        gone = found[0]["removed"] if found else 0
        if gone:
            removed[kind] += gone
        if gone < _BATCH:
            return


async def _forget(connection: Connection, sid: str) -> list[str]:
    """Remove the node of an erased scope, with its names, or say what still needs it."""
    found = await connection.write(lambda tx: tx.run("erase/scope", sid=sid, dead=True))
    rows = found[0]["unsettled"] if found else 0
    return [f"the vector index ({rows} outbox rows of an erased scope)"] if rows else []
