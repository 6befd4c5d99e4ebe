"""Export and import: one streaming JSON Lines format, from which another store answers alike."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO, cast

import anyio.to_thread

from graphmem.errors import NotFoundError, TransferError
from graphmem.model.rows import Row
from graphmem.model.scope import Scope
from graphmem.ports.graph_store import GraphStore
from graphmem.usecases.adopt import differing, recompute_scope
from graphmem.usecases.services import Services

FORMAT = "graphmem-export"
VERSION = 1
_HEAD = f'{{"kind":"header","format":"{FORMAT}"'.encode()
_BATCH = 2000
"""Rows that are loaded at one go."""
_LONG = 4_000_000
"""Characters at one go, where rows are long; a store may hold them all in memory."""
_SCOPES = 3
"""Scopes that are loaded at a time: a server writes for several, each in an order of its own."""
_MARK = "importing:"
DONE = "done "
"""Begins the mark of a scope that was filled as a whole."""
MIGRATING = "migrating "
"""Begins the mark of a scope that is filled from another memory, not from a file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Transfer:
    """What an export or import moved.

    Attributes:
        path: the file. scopes, rows: how many. new: rows that were not there before (import).
        notes: what the caller should know.
    """

    path: str
    scopes: int
    rows: int
    new: int = 0
    notes: tuple[str, ...] = ()


async def export(services: Services, path: Path, *, scopes: Sequence[Scope] | None) -> Transfer:
    """Write scopes (None: all) to ``path``; the file appears whole or not at all.

    Raises:
        NotFoundError: a named scope holds nothing.
        TransferError: the file cannot be written, or is there already and is no export.
    """
    known = sorted(await services.store.scopes(), key=lambda s: (s.tenant, s.user))
    wanted = known if scopes is None else list(scopes)
    for scope in wanted:
        if scope not in known:
            raise NotFoundError(f"user {scope.user!r} of tenant {scope.tenant!r} has no memory")
    if not path.name:
        raise TransferError(f"path {str(path)!r} names a folder; give a file's name")
    draft = path.with_name(f"{path.name}.part")
    try:
        await anyio.to_thread.run_sync(_refuse_other, path)
        handle = await anyio.to_thread.run_sync(
            lambda: draft.open("w", encoding="utf-8", newline="\n")
        )
        try:
            count = await _written(services, wanted, handle)
            handle.close()
            draft.replace(path)
        except BaseException:
            handle.close()
            draft.unlink(missing_ok=True)
            raise
    except OSError as error:
        raise TransferError(f"{path}: cannot be written ({error.strerror})") from error
    return Transfer(path=str(path), scopes=len(wanted), rows=count - 1)


def _refuse_other(path: Path) -> None:
    """Keep an export from taking the place of a file that is something else."""
    if not path.exists():
        return
    with path.open("rb") as there:
        head = there.read(len(_HEAD))
    if head and head != _HEAD:
        raise TransferError(
            f"{path}: there is a file already that is no export; delete it or give another name"
        )


async def _written(services: Services, scopes: Sequence[Scope], handle: TextIO) -> int:
    count = 0
    digest = hashlib.blake2b(digest_size=16)
    async for line in _lines(services, scopes):
        digest.update(line.encode())
        handle.write(line)
        count += 1
    handle.write(_json({"kind": "end", "rows": count, "digest": digest.hexdigest()}))
    handle.flush()
    os.fsync(handle.fileno())
    return count


async def _lines(services: Services, scopes: Sequence[Scope]) -> AsyncIterator[str]:
    yield _json(
        {
            "kind": "header",
            "format": FORMAT,
            "version": VERSION,
            "ontology": services.ontology.digest,
            "predicates": services.ontology.semantics(),
        }
    )
    for scope in scopes:
        async for row in services.store.export(scope):
            if row["kind"] == "scope":
                row = {**row, "tenant": scope.tenant, "user": scope.user}
            yield _json(row)


def _json(row: Row) -> str:
    return json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n"


async def import_(
    services: Services, path: Path, *, progress: Callable[[int, int], None] | None = None
) -> Transfer:
    """Load an export. A scope is loaded where it is absent, or to finish the same file's import.

    ``progress`` is told how many rows are loaded, and how many there are.

    Raises:
        TransferError: no export of ours, of a newer version, cut off or changed; or a scope is
            here already.
    """
    plan = await anyio.to_thread.run_sync(_check, path)
    await _refuse_over(services, plan)
    new = done = 0
    for scope in plan.scopes:
        await services.store.set_meta(mark_of(scope), plan.digest)

    def loaded(rows: int, those_new: int) -> None:
        nonlocal new, done
        new += those_new
        done += rows
        if progress is not None:
            progress(done, plan.rows)

    await _load(services.store, path, loaded)
    # The facts are those that the writer's predicates gave; past views stay so.
    different = differing(plan.predicates, services.ontology)
    for scope in plan.scopes:
        if different:
            await recompute_scope(services.store, scope, services.ontology, different)
    notes = await services.catch_up(seconds=None)
    # Last, so that whoever was cut off before the receipt may import again.
    for scope in plan.scopes:
        await services.store.set_meta(mark_of(scope), f"{DONE}{plan.digest}")
    return Transfer(
        path=str(path), scopes=len(plan.scopes), rows=plan.rows, new=new, notes=tuple(notes)
    )


async def _refuse_over(services: Services, plan: _Plan) -> None:
    """Refuse a file some of whose scopes are here, unless an import of it was cut off."""
    noted = await marks_of(services.store)
    marks = {scope: noted.get(mark_of(scope)) for scope in plan.scopes}
    # Cut off between its ends, an import has finished some scopes and not others.
    begun = plan.digest in marks.values()
    here = set(await services.store.scopes())
    for scope, mark in marks.items():
        ours = begun and mark in (plan.digest, f"{DONE}{plan.digest}")
        if scope in here and not ours:
            raise TransferError(
                f"user {scope.user!r} of tenant {scope.tenant!r} has a memory here already; "
                "erase it first, or import into another store"
            )


async def unfinished(store: GraphStore) -> list[str]:
    """Say of whom a part may be missing, because an import was cut off."""
    marks = await marks_of(store)
    open_ = {key: mark for key, mark in marks.items() if mark and not mark.startswith(DONE)}
    found: list[str] = []
    for scope in await store.scopes() if open_ else ():
        mark = open_.get(mark_of(scope))
        if mark is None:
            continue
        what, way_out = "import", "import the same file again"
        if mark.startswith(MIGRATING):
            what, way_out = "migration", "migrate again from the same memory"
        found.append(
            f"the {what} of user {scope.user!r} (tenant {scope.tenant!r}) was cut off, and a part "
            f"may be missing; {way_out}, or erase the user"
        )
    return found


async def forget_import(store: GraphStore, scope: Scope) -> None:
    """Let nothing remember that a scope, which was erased, had been imported."""
    if await store.get_meta(mark_of(scope)):
        await store.set_meta(mark_of(scope), "")


async def marks_of(store: GraphStore) -> dict[str, str]:
    """Return the marks of all scopes that were imported or migrated."""
    return await store.metas(_MARK)


def mark_of(scope: Scope) -> str:
    """Return the key under which the store keeps that a scope's import is not finished."""
    return f"{_MARK}{scope.key}"


async def _load(store: GraphStore, path: Path, loaded: Callable[[int, int], None]) -> None:
    """Load all rows, those of one scope in order; tell of each batch how many rows, and how many
    were new.

    Raises:
        GraphmemError: what stopped it first.
    """
    room = anyio.Semaphore(_SCOPES)
    last: tuple[Scope, anyio.Event] | None = None

    async def load(scope: Scope, rows: list[Row], done: anyio.Event) -> None:
        loaded(len(rows), await store.load(scope, rows))
        done.set()
        room.release()

    try:
        async with anyio.create_task_group() as group:
            for scope, rows in _batches(path):
                if last is not None and last[0] == scope:
                    await last[1].wait()
                await room.acquire()
                last = scope, anyio.Event()
                group.start_soon(load, scope, rows, last[1])
    except ExceptionGroup as failed:
        raise failed.exceptions[0] from failed


def _batches(path: Path) -> Iterator[tuple[Scope, list[Row]]]:
    scope: Scope | None = None
    batch: list[Row] = []
    length = 0
    for row, size in _rows(path):
        begins = row["kind"] == "scope"
        if scope is not None and batch and (begins or len(batch) >= _BATCH or length > _LONG):
            yield scope, batch
            batch, length = [], 0
        if begins:
            scope = _scope(row)
        batch.append(row)
        length += size
    if scope is not None and batch:
        yield scope, batch


def _scope(row: Row) -> Scope:
    return Scope(str(row["tenant"]), str(row["user"]))


def _rows(path: Path) -> Iterator[tuple[dict[str, Any], int]]:  # Any: rows are flat JSON objects
    """Yield rows, each with the length of its line."""
    with path.open(encoding="utf-8") as lines:
        next(lines)
        for line in lines:
            row = json.loads(line)
            if row["kind"] == "end":
                return
            yield row, len(line)


@dataclass(frozen=True, slots=True)
class _Plan:
    """What a checked file holds."""

    rows: int
    digest: str
    scopes: tuple[Scope, ...]
    predicates: Mapping[str, object]


def _check(path: Path) -> _Plan:
    """Read the whole file once: it must be ours, complete and unchanged."""
    digest = hashlib.blake2b(digest_size=16)
    count = 0
    header: Row = {}
    scopes: list[Scope] = []
    try:
        with path.open(encoding="utf-8") as lines:
            for line in lines:
                row = _row(path, count, line)
                if count == 0:
                    header = _check_header(path, row)
                elif not scopes and row["kind"] not in ("scope", "end"):
                    raise TransferError(f"{path}, line {count + 1}: a row comes before its scope")
                if row["kind"] == "scope":
                    scopes.append(_scope(row))
                if row["kind"] == "end":
                    if row.get("rows") != count or row.get("digest") != digest.hexdigest():
                        raise TransferError(f"{path}: the file was changed since it was written")
                    return _Plan(count - 1, digest.hexdigest(), tuple(scopes), header["predicates"])
                digest.update(line.encode())
                count += 1
    except OSError as error:
        raise TransferError(f"{path}: cannot be read ({error.strerror})") from error
    except UnicodeDecodeError as error:
        raise TransferError(f"{path}: not an export of graphmem (not UTF-8)") from error
    raise TransferError(f"{path}: the file is cut off after line {count}; export it again")


def _row(path: Path, count: int, line: str) -> dict[str, Any]:  # Any: a flat JSON object
    try:
        row = json.loads(line)
    except json.JSONDecodeError as error:
        raise TransferError(f"{path}, line {count + 1}: not JSON ({error.msg})") from error
    if not isinstance(row, dict) or "kind" not in row:
        raise TransferError(f"{path}, line {count + 1}: no row of an export")
    return cast("dict[str, Any]", row)


def _check_header(path: Path, row: Row) -> Row:
    if row.get("format") != FORMAT:
        raise TransferError(f"{path}: not an export of graphmem")
    if row.get("version") != VERSION:
        raise TransferError(
            f"{path}: format version {row.get('version')!r}; this graphmem knows {VERSION}: "
            "upgrade it"
        )
    if not isinstance(row.get("predicates"), dict):
        raise TransferError(f"{path}: its header names no predicates")
    return row
