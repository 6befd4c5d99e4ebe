"""Everything of one memory into another: copied as it is, compared, and indexed there.

A scope is copied row by row under a mark that the target keeps, so that whoever was cut off may
begin again and only what is missing is copied. A scope whose rows are there is read back, and its
digest must be that of what was sent. The source is only read.
"""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping
from dataclasses import dataclass, field

from graphmem.errors import IndexUnavailableError, RefusedError, TransferError
from graphmem.model.rows import Row
from graphmem.model.scope import Scope
from graphmem.ports.graph_store import GraphStore
from graphmem.usecases.services import Services
from graphmem.usecases.transfer import DONE, MIGRATING, mark_of, marks_of, unfinished

log = logging.getLogger(__name__)

BATCH = 500
"""Rows written together."""
STEP = 512
"""Records indexed between two words of progress."""

Progress = Callable[[int, int], None]
"""Told how much is done, and of how much."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Migration:
    """What a migration did.

    Attributes:
        source, target: the two stores.
        scopes, rows: how many there are; each scope is equal on both sides by its digest.
        new: rows that were not there before, a cut-off migration's among them.
        indexed: records that were indexed there.
        notes: what the caller should know.
    """

    source: str
    target: str
    scopes: int
    rows: int
    new: int
    indexed: int
    notes: tuple[str, ...] = ()


@dataclass(slots=True)
class _Seen:
    """What an export gave: its rows' number and digest, the scope's change number, and how many
    things it has that are indexed."""

    rows: int = 0
    number: int = 0
    things: int = 0
    _digest: hashlib.blake2b = field(default_factory=lambda: hashlib.blake2b(digest_size=16))
    _facts: set[str] = field(default_factory=set[str])

    def add(self, row: Row) -> None:
        """Take a row into account."""
        self.rows += 1
        self._digest.update(json.dumps(row, sort_keys=True, ensure_ascii=False).encode())
        if row["kind"] == "scope":
            self.number = row["number"]
        elif row["kind"] == "fact":
            self._facts.add(row["id"])
        elif row["kind"] in ("episode", "entity"):
            self.things += 1

    @property
    def digest(self) -> str:
        """The digest of all rows so far."""
        return self._digest.hexdigest()

    @property
    def records(self) -> int:
        """How many facts, turns and things there are, all their records as one."""
        return self.things + len(self._facts)


@dataclass(slots=True)
class _Bar:
    """Tells how far it is."""

    tell: Progress | None
    total: int
    done: int = 0

    def more(self, number: int) -> None:
        self.done = min(self.total, self.done + number)
        if self.tell is not None:
            self.tell(self.done, self.total)


async def migrate(
    source: Services, target: Services, *, progress: Progress | None = None
) -> Migration:
    """Copy every scope of ``source`` into ``target``, compare, and index it there.

    Raises:
        RefusedError: both are the same store.
        TransferError: the source was not imported as a whole, the target has other data of a
            scope, or what arrived is not what was sent; no scope of anybody else is touched.
    """
    here, there = source.store, target.store
    if here.name == there.name:
        raise RefusedError(f"{here.name} would be migrated into itself; name another place")
    if problems := await unfinished(here):
        raise TransferError(f"the memory to be migrated is not whole: {'; '.join(problems)}")
    sizes = {scope: await _sized(here, scope) for scope in await here.scopes()}
    origin = hashlib.blake2b(here.name.encode(), digest_size=8).hexdigest()
    marks = await _marks(there, sizes, origin)
    todo = {
        scope: seen
        for scope, seen in sizes.items()
        if not marks[scope].startswith(DONE) and marks[scope] != _copied_mark(origin, seen)
    }
    # Before anything is there, or an index found empty would be filled twice.
    await target.indexer.drain(limit=0)
    total = sum(2 * seen.rows for seen in todo.values())
    if target.indexer.index is not None:
        total += sum(seen.records for seen in todo.values()) + await there.backlog()
    bar = _Bar(progress, total)
    new = 0
    numbers: dict[Scope, int] = {}
    for scope in todo:
        copied, written = await _copied(here, there, scope, marks[scope], origin, bar)
        numbers[scope] = copied.number
        sizes[scope] = copied
        new += written
    # Last, so that a migration that was cut off between two scopes is known to be.
    for scope, seen in sizes.items():
        if not marks[scope].startswith(DONE):
            await there.set_meta(mark_of(scope), f"{DONE}{origin} {seen.digest}")
    indexed, notes = await _indexed(source, target, bar)
    notes += await _behind(here, sizes, numbers)
    return Migration(
        source=here.name,
        target=there.name,
        scopes=len(sizes),
        rows=sum(seen.rows for seen in sizes.values()),
        new=new,
        indexed=indexed,
        notes=tuple(notes),
    )


def _copied_mark(origin: str, seen: _Seen) -> str:
    """Return the mark of a scope that is whole, while others may not be."""
    return f"{MIGRATING}{origin} {seen.digest} {seen.number}"


async def _marks(there: GraphStore, sizes: Mapping[Scope, _Seen], origin: str) -> dict[Scope, str]:
    """Return the mark of each scope, "" of one that is not there; refuse what is of others."""
    known = await marks_of(there)
    present = set(await there.scopes())
    found: dict[Scope, str] = {}
    for scope, seen in sizes.items():
        mark = known.get(mark_of(scope), "")
        found[scope] = mark if scope in present else ""
        if scope not in present:
            continue
        who = f"user {scope.user!r} of tenant {scope.tenant!r}"
        if mark.startswith(f"{DONE}{origin} "):
            if mark != f"{DONE}{origin} {seen.digest}":
                raise TransferError(
                    f"{who} was migrated to {there.name} before, and was written to here since; "
                    "erase the user there first, or go on there"
                )
        elif not mark.startswith(f"{MIGRATING}{origin} "):
            raise TransferError(
                f"{who} has a memory in {there.name} already; erase it there first, or migrate "
                "to another place"
            )
        elif await there.number(scope) != int(mark.rpartition(" ")[2]):
            raise TransferError(
                f"the migration of {who} to {there.name} was cut off, and the user was written to "
                "there since; erase the user there first"
            )
    return found


async def _copied(
    here: GraphStore, there: GraphStore, scope: Scope, mark: str, origin: str, bar: _Bar
) -> tuple[_Seen, int]:
    """Copy a scope and compare; return what was sent, and how many rows were new.

    What an earlier try left is finished if the source is still as it was then, else thrown away.
    """
    begun = f"{MIGRATING}{origin} {await here.number(scope)}"
    if mark and mark != begun:
        await _thrown_away(there, scope)
        mark = ""
    await there.set_meta(mark_of(scope), begun)
    sent, new = await _sent(here, there, scope, bar)
    arrived = await _sized(there, scope)
    if arrived.digest != sent.digest and mark:
        await _thrown_away(there, scope)
        sent, new = await _sent(here, there, scope, bar)
        arrived = await _sized(there, scope)
    if arrived.digest != sent.digest:
        raise TransferError(
            f"user {scope.user!r} of tenant {scope.tenant!r} did not arrive as sent: {sent.rows} "
            f"rows with digest {sent.digest}, there {arrived.rows} with {arrived.digest}; was "
            f"somebody writing to {there.name}? Erase the user there and migrate again"
        )
    bar.more(arrived.rows)
    await there.set_meta(mark_of(scope), _copied_mark(origin, sent))
    log.info("migrated a scope of %d rows, digest %s", sent.rows, sent.digest)
    return sent, new


async def _sent(here: GraphStore, there: GraphStore, scope: Scope, bar: _Bar) -> tuple[_Seen, int]:
    seen = _Seen()
    new = 0
    batch: list[Row] = []
    async for row in _rows(here, scope):
        seen.add(row)
        batch.append(row)
        if len(batch) == BATCH:
            new += await there.load(scope, batch)
            bar.more(len(batch))
            batch = []
    new += await there.load(scope, batch)
    bar.more(len(batch))
    return seen, new


async def _thrown_away(there: GraphStore, scope: Scope) -> None:
    log.info("what a migration that was cut off left of a scope is copied anew")
    await there.erase_scope(scope)
    await there.sweep()


async def _indexed(source: Services, target: Services, bar: _Bar) -> tuple[int, list[str]]:
    """Index what arrived; vectors that the source has by the same embedder are taken from it."""
    indexer = target.indexer
    if indexer.index is None:
        await indexer.drain()
        return 0, ["there is no vector index there: answers come by keywords and the graph"]
    if await _alike(source, target):
        indexer.lender = source.indexer.index
    indexed = 0
    try:
        while True:
            state = await indexer.drain(limit=STEP)
            indexed += state.applied
            bar.more(state.applied)
            if state.notes or not state.applied or not state.backlog:
                break
    finally:
        indexer.lender = None
    notes = list(state.notes)
    if state.backlog:
        notes.append(f"{state.backlog} records wait to be indexed there")
    return indexed, notes


async def _alike(source: Services, target: Services) -> bool:
    """Say whether the indexes hold vectors of the same kind."""
    one, other = source.indexer.index, target.indexer.index
    try:
        return one is not None and other is not None and await one.info() == await other.info()
    except IndexUnavailableError as error:
        log.info("no vectors are taken along: %s", error)
        return False


async def _behind(
    here: GraphStore, sizes: Mapping[Scope, _Seen], numbers: Mapping[Scope, int]
) -> list[str]:
    """Say what was written to the source meanwhile."""
    late = [scope for scope in await here.scopes() if scope not in sizes]
    late += [scope for scope, number in numbers.items() if await here.number(scope) != number]
    return [
        f"user {scope.user!r} of tenant {scope.tenant!r} was written to here meanwhile; erase the "
        "user there and migrate again while nobody writes"
        if scope in sizes
        else f"user {scope.user!r} of tenant {scope.tenant!r} is new here; migrate again"
        for scope in late
    ]


async def _sized(store: GraphStore, scope: Scope) -> _Seen:
    seen = _Seen()
    async for row in _rows(store, scope):
        seen.add(row)
    return seen


async def _rows(store: GraphStore, scope: Scope) -> AsyncGenerator[Row]:
    """Yield what a store exports of a scope, and end the export with the reader."""
    rows: AsyncIterator[Row] = store.export(scope)
    try:
        async for row in rows:
            yield row
    finally:
        if isinstance(rows, AsyncGenerator):
            await rows.aclose()
