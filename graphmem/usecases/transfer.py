"""Export and import: one streaming JSON Lines format, from which another store answers alike."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import anyio.to_thread

from graphmem.errors import NotFoundError, TransferError
from graphmem.model.scope import Scope
from graphmem.ports.graph_store import Row
from graphmem.usecases.services import Services

FORMAT = "graphmem-export"
VERSION = 1
_BATCH = 500
_MARK = "importing:"


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
    """
    known = sorted(await services.store.scopes(), key=lambda s: (s.tenant, s.user))
    wanted = known if scopes is None else list(scopes)
    for scope in wanted:
        if scope not in known:
            raise NotFoundError(f"user {scope.user!r} of tenant {scope.tenant!r} has no memory")
    draft = path.with_name(f"{path.name}.part")
    count = 0
    digest = hashlib.blake2b(digest_size=16)
    handle = await anyio.to_thread.run_sync(lambda: draft.open("w", encoding="utf-8", newline="\n"))
    try:
        async for line in _lines(services, wanted):
            digest.update(line.encode())
            handle.write(line)
            count += 1
        handle.write(_json({"kind": "end", "rows": count, "digest": digest.hexdigest()}))
        handle.flush()
        os.fsync(handle.fileno())
    except BaseException:
        handle.close()
        draft.unlink(missing_ok=True)
        raise
    handle.close()
    draft.replace(path)
    return Transfer(path=str(path), scopes=len(wanted), rows=count - 1)


async def _lines(services: Services, scopes: Sequence[Scope]) -> AsyncIterator[str]:
    yield _json({"kind": "header", "format": FORMAT, "version": VERSION})
    for scope in scopes:
        async for row in services.store.export(scope):
            if row["kind"] == "scope":
                row = {**row, "tenant": scope.tenant, "user": scope.user}
            yield _json(row)


def _json(row: Row) -> str:
    return json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n"


async def import_(services: Services, path: Path) -> Transfer:
    """Load an export. A scope is loaded where it is absent, or to finish the same file's import.

    Raises:
        TransferError: no export of ours, of a newer version, cut off or changed; or a scope is
            here already.
    """
    total, digest = await anyio.to_thread.run_sync(_check, path)
    here = set(await services.store.scopes())
    new = scopes = 0
    scope: Scope | None = None
    batch: list[Row] = []
    marks: list[str] = []
    for row in _rows(path):
        if row["kind"] == "scope":
            if scope is not None:
                new += await services.store.load(scope, batch)
                batch = []
            scope = Scope(str(row["tenant"]), str(row["user"]))
            scopes += 1
            marks.append(await _begin(services, scope, digest, present=scope in here))
        if scope is None:
            raise TransferError(f"{path}: a row comes before its scope")
        batch.append(row)
        if len(batch) >= _BATCH:
            new += await services.store.load(scope, batch)
            batch = []
    if scope is not None:
        new += await services.store.load(scope, batch)
    for mark in marks:
        await services.store.set_meta(mark, "")
    notes = await services.catch_up()
    return Transfer(path=str(path), scopes=scopes, rows=total, new=new, notes=tuple(notes))


async def _begin(services: Services, scope: Scope, digest: str, *, present: bool) -> str:
    mark = f"{_MARK}{scope.key}"
    unfinished = await services.store.get_meta(mark)
    if present and unfinished != digest:
        raise TransferError(
            f"user {scope.user!r} of tenant {scope.tenant!r} has a memory here already; erase it "
            "first, or import into another store"
        )
    await services.store.set_meta(mark, digest)
    return mark


def _rows(path: Path) -> Iterator[dict[str, Any]]:  # Any: rows are flat JSON objects
    with path.open(encoding="utf-8") as lines:
        next(lines)
        for line in lines:
            row = json.loads(line)
            if row["kind"] == "end":
                return
            yield row


def _check(path: Path) -> tuple[int, str]:
    """Read the whole file once: it must be ours, complete and unchanged."""
    digest = hashlib.blake2b(digest_size=16)
    count = 0
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            row = _row(path, count, line)
            if count == 0:
                _check_header(path, row)
            if row["kind"] == "end":
                if row.get("rows") != count or row.get("digest") != digest.hexdigest():
                    raise TransferError(f"{path}: the file was changed since it was written")
                return count - 1, digest.hexdigest()
            digest.update(line.encode())
            count += 1
    raise TransferError(f"{path}: the file is cut off after line {count}; export it again")


def _row(path: Path, count: int, line: str) -> dict[str, Any]:  # Any: a flat JSON object
    try:
        row = json.loads(line)
    except json.JSONDecodeError as error:
        raise TransferError(f"{path}, line {count + 1}: not JSON ({error.msg})") from error
    if not isinstance(row, dict) or "kind" not in row:
        raise TransferError(f"{path}, line {count + 1}: no row of an export")
    return cast("dict[str, Any]", row)


def _check_header(path: Path, row: dict[str, Any]) -> None:
    if row.get("format") != FORMAT:
        raise TransferError(f"{path}: not an export of graphmem")
    if row.get("version") != VERSION:
        raise TransferError(
            f"{path}: format version {row.get('version')!r}; this graphmem knows {VERSION}: "
            "upgrade it"
        )
