"""Removes nodes for good inside a change; what is rebuilt from what remains is planned with the
rest of the change."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from graphmem.adapters.neo4j.documents import Counts
from graphmem.adapters.neo4j.planned import Believed, Plan
from graphmem.adapters.neo4j.rows import Node, Properties, caption, chunk_columns, episode_columns
from graphmem.adapters.neo4j.tx import Tx
from graphmem.adapters.neo4j.writing import write
from graphmem.errors import RefusedError
from graphmem.model.changes import Blanked, Erased
from graphmem.model.episode import Episode
from graphmem.model.rows import episode_from
from graphmem.model.search import PointKind
from graphmem.model.touched import Touched

Found = Mapping[str, Any]  # Any: a row of the statement


async def erase(
    tx: Tx, sid: str, erased: Erased, counts: Counts, touched: Touched, *, number: int, at: int
) -> None:
    """Remove what ``erased`` names with all that hangs on it, and blank what stays, in the change
    ``number``, recorded ``at``.

    Raises:
        RefusedError: what should be blanked or written anew is not there.
    """
    blanked = [one.episode for one in erased.blanked]
    (found,) = await tx.run(
        "change/leaving",
        sid=sid,
        facts=list(erased.facts),
        claims=list(erased.claims),
        episodes=list(erased.episodes),
        pieces=[*erased.episodes, *blanked],
        entities=list(erased.entities),
        blanked=blanked,
        rewritten=[claim.id for claim in erased.rewritten],
    )
    _note(erased, found, counts, touched)
    episodes: dict[str, Episode] = {row["id"]: episode_from(Node(row)) for row in found["blanked"]}
    rows = [_blanked(one, episodes.get(one.episode), counts, touched) for one in erased.blanked]
    missing = {claim.id for claim in erased.rewritten} - set(found["rewritten"])
    if missing:
        raise RefusedError(f"no claim {min(missing)!r} to write other words in")
    if erased.facts:  # the relationships that stand for them go first, while they can be found
        left = Plan(believed=Believed(left=list(erased.facts)))
        await write(tx, sid, left, Counts(), Touched(), changes=[], number=number, at=at)
    await tx.run(
        "change/erase",
        sid=sid,
        facts=list(erased.facts),
        claims=[row["id"] for row in found["claims"]],
        pieces=[row["id"] for row in found["chunks"]],
        episodes=list(erased.episodes),
        entities=list(erased.entities),
        blanked=rows,
        rewritten=[
            {
                "id": claim.id,
                "quote": claim.quote,
                "statement": claim.statement,
                "caption": caption(claim.statement),
            }
            for claim in erased.rewritten
        ],
    )


def _note(erased: Erased, found: Found, counts: Counts, touched: Touched) -> None:
    """Count the documents that go, and note what is touched with the points it has no more."""
    for fact in erased.facts:
        touched.add(PointKind.FACT, fact)
    for row in found["records"]:
        counts.remove(row["terms"] or ())
        touched.add(PointKind.FACT, row["id"], gone=(row["record"],))
    for row in found["claims"]:
        for fact in row["facts"]:
            touched.add(PointKind.FACT, fact)
    for episode in found["episodes"]:
        touched.add(PointKind.CHUNK, episode)
    for row in found["chunks"]:
        counts.remove(row["terms"] or ())
        touched.add(PointKind.CHUNK, row["episode"], gone=(row["id"],))
    for row in found["entities"]:
        counts.remove(row["terms"] or ())
        touched.add(PointKind.ENTITY, row["id"], gone=(row["id"],))


def _blanked(
    blanked: Blanked, episode: Episode | None, counts: Counts, touched: Touched
) -> Properties:
    """Return an episode with other words as a row; quotes that it has no more leave its claims."""
    if episode is None:
        raise RefusedError(f"no episode {blanked.episode!r} to blank words in")
    kept = replace(episode, content=blanked.content, digest="", key=None)
    chunks = chunk_columns(kept)
    for chunk in chunks:
        counts.add(chunk["terms"])
        touched.keep(PointKind.CHUNK, episode.id, chunk["id"])
    touched.add(PointKind.CHUNK, episode.id)
    return {
        "id": episode.id,
        "content": kept.content,
        "properties": episode_columns(kept),
        "chunks": chunks,
    }
