"""What a Qdrant server is, and the state of an index there."""

from __future__ import annotations

from qdrant_client import models

from graphmem.adapters.qdrant.calls import Calls, RequestRefusedError
from graphmem.adapters.qdrant.catalogue import FILTERED, Catalogue
from graphmem.model.about import ONLINE, About, Part

_BUSY = {
    models.CollectionStatus.YELLOW: "is being optimised",
    models.CollectionStatus.GREY: "will be optimised with the next write",
}
"""States in which a collection answers."""


async def about(calls: Calls, catalogue: Catalogue) -> About:
    """Ask the server what it is, and for the collections of the index; nothing is made."""
    server = await calls.do(lambda client: client.info())
    current = await catalogue.current()
    parts: list[Part] = []
    missing: list[str] = []
    notes: list[str] = []
    if current is None:
        notes.append("the index is made by the first call that needs it")
    else:
        found = await _looked_at(calls, current.name)
        if found is not None:
            parts.append(_part(current.name, found))
            parts += [Part(field) for field in found.payload_schema if field in FILTERED]
            missing += sorted(FILTERED - found.payload_schema.keys())
            if found.status in _BUSY:
                notes.append(f"{current.name} {_BUSY[found.status]}")
    for one in await catalogue.all():
        if one != current:
            parts.append(Part(one.name, "is being built, or was cut off; reindex drops it"))
    return About(
        kind="Qdrant",
        place=calls.place,
        version=server.version,
        remote=True,
        parts=tuple(parts),
        missing=tuple(missing),
        retries=calls.retries,
        notes=tuple(notes),
    )


async def _looked_at(calls: Calls, name: str) -> models.CollectionInfo | None:
    try:
        return await calls.do(lambda client: client.get_collection(name))
    except RequestRefusedError as error:
        if error.status == 404:  # switched away from and dropped meanwhile
            return None
        raise


def _part(name: str, found: models.CollectionInfo) -> Part:
    works = found.status is models.CollectionStatus.GREEN or found.status in _BUSY
    return Part(name, ONLINE if works else str(found.status.value), unique=True)
