"""Writing an index on a server anew, so that nothing is left of what was removed.

A server marks what is deleted, and its optimizer clears it away when enough has gathered, or
never; no call says whether it did. Only a collection that is gone as a whole leaves nothing: so the
live points are copied into a new one, the alias is switched, and the old one is dropped with its
vectors, payloads and log. The server unlinks the files as soon as it has answered. Its snapshots
and backups are its owner's to remove.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import replace

from graphmem.adapters.qdrant.catalogue import Catalogue, Made, Numbered, Purpose
from graphmem.adapters.qdrant.collection import PAGE, Collection
from graphmem.errors import IndexUnavailableError
from graphmem.model.search import PointRef

MOST_REWRITTEN = 200_000
"""Points up to which an index is written anew when something was erased: some minutes. Beyond, the
erasure says that removal waits; ``reindex`` does it."""

Seen = dict[PointRef, tuple[int, bool]]
"""Change numbers of points, and whether they have a dense vector."""

Alone = Callable[[], AbstractAsyncContextManager[None]]
"""Keeps this process's other writers off."""


async def rewrite(catalogue: Catalogue, made: Made, alone: Alone) -> bool:
    """Copy the index into a new collection that takes its place; True once nothing else is left.

    Reads and writes go on meanwhile. What is written during the copy is brought over after the
    switch, while this process's own writers wait. Should another process add a point during the
    copy and remove it again in the moment after the switch, it may come back; ``verify`` finds it.

    Returns False, and does nothing, while another index is being built (or was cut off, until
    the next ``reindex``), and where there are more points than ``MOST_REWRITTEN``.
    """
    old = await catalogue.current()
    if old is None or not await _cleared(catalogue, old):
        return False
    source = catalogue.collection(made.info, old.name)
    if await source.count(None) > MOST_REWRITTEN:
        return False
    async with _built(catalogue, made) as name:
        target = catalogue.collection(made.info, name)
        copied = await _copy(source, target)
        there = await target.count(None)
        if there != len(copied):
            raise IndexUnavailableError(
                f"compacting {catalogue.shown} wrote {len(copied)} points and finds {there}; the "
                "index stays as it was"
            )
        async with alone():
            await catalogue.switch(name)
            await _catch_up(source, target, copied)
    await catalogue.drop(old.name)
    return [one.name for one in await catalogue.all()] == [name]


async def _cleared(catalogue: Catalogue, current: Numbered) -> bool:
    """Drop what earlier ones left; False if what is there may still be wanted by somebody."""
    for one in await catalogue.all():
        if one != current:
            purpose = await catalogue.is_for(one.name)
            if purpose is None or (one > current and purpose is not Purpose.COMPACTION):
                return False
            await catalogue.drop(one.name)
    return True


@asynccontextmanager
async def _built(catalogue: Catalogue, made: Made) -> AsyncGenerator[str]:
    """Make a collection, and drop it again if it does not come to count."""
    name = await catalogue.build(replace(made, purpose=Purpose.COMPACTION))
    try:
        yield name
    except IndexUnavailableError:
        current = await catalogue.current()
        if current is None or current.name != name:
            await catalogue.drop(name)
        raise


async def _copy(source: Collection, target: Collection) -> Seen:
    """Copy every point, and return what was copied."""
    copied: Seen = {}
    async for points in source.pages():
        await target.upsert(points)
        copied.update((p.ref, (p.payload.change, p.dense is not None)) for p in points)
    return copied


async def _catch_up(source: Collection, target: Collection, copied: Seen) -> None:
    """Bring over what was written and removed while it was being copied."""
    gone, late = dict(copied), list[PointRef]()
    async for ref, change, embedded in source.listing(None):
        gone.pop(ref, None)
        if copied.get(ref) != (change, embedded):
            late.append(ref)
    for start in range(0, len(late), PAGE):
        await target.upsert(await source.points(late[start : start + PAGE]))
    there = await target.points([*gone])
    # One that has another change number was written again since.
    await target.remove([p.ref for p in there if p.payload.change == gone[p.ref][0]])
