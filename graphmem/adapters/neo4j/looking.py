"""Takes the lock of a scope, and reads under it what a decision wants, in one statement."""

from __future__ import annotations

import secrets

from graphmem.adapters.neo4j.families import seeks
from graphmem.adapters.neo4j.names import indexed
from graphmem.adapters.neo4j.tails import Numbered, has_tail, sizes
from graphmem.adapters.neo4j.tx import Found, Tx
from graphmem.model.changes import Wanted
from graphmem.model.scope import Scope
from graphmem.model.time import FOREVER


async def look(tx: Tx, scope: Scope, wanted: Wanted, *, change_key: str | None = None) -> Found:
    """Take the lock of a scope, whose node is made if there is none, and read what is wanted, but
    for histories and what is alike; return what ``change/look`` does, and whether the node is
    ``fresh``.

    Who has the lock takes it again for nothing.
    """
    sid = secrets.token_hex(16)
    tails = numbered(wanted)
    whole_sizes, slot_sizes = sizes(tails)
    whole = (*wanted.families, *(family for family in wanted.tails if not has_tail(family)))
    (found,) = await tx.run(
        "change/look",
        key=scope.key,
        sid=sid,
        tenant=scope.tenant,
        user=scope.user,
        change_key=change_key,
        forever=FOREVER,
        episodes=list(wanted.episodes),
        episode_keys=[indexed(key) for key in wanted.episode_keys],
        entities=list(wanted.entities),
        entity_keys=list(wanted.entity_keys),
        claims=list(wanted.claims),
        facts=list(wanted.facts),
        said_in=list(wanted.said_in),
        touching=list(wanted.touching),
        sizes=whole_sizes,
        slot_sizes=slot_sizes,
        few=wanted.few,
        most=wanted.few + 1,
        suggestions=wanted.suggestions,
        **seeks(whole, tails).values(),
    )
    return {
        **found,
        "done": next(iter(found["done"]), None),
        "self": next(iter(found["self"]), None),
        "fresh": found["sid"] == sid,
    }


def numbered(wanted: Wanted) -> list[Numbered]:
    """Return the families of which the tail may do, each with its number."""
    return [(n, family) for n, family in enumerate(wanted.tails) if has_tail(family)]
