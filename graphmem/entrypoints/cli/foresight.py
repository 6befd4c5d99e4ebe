"""What ingest reads from files, and what it would cost to add that."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from graphmem.entrypoints.cli import show
from graphmem.entrypoints.cli.command import Run
from graphmem.entrypoints.cli.outcome import Exit
from graphmem.entrypoints.readers import Unreadable
from graphmem.entrypoints.render import estimate_json
from graphmem.model.estimate import Estimate

SHOWN = 20
"""Places that cannot be read are listed up to this many."""

Places = Sequence[tuple[str, Unreadable]]


@dataclass(frozen=True, slots=True)
class Talk:
    """The messages of a file, and the session of those that name none."""

    file: str
    messages: list[dict[str, str]]
    session: str | None


def left(given: int | None, setting: int | None, spent: int) -> int | None:
    """Return what is left of a cap, of the command line or else of the settings."""
    cap = setting if given is None else given
    return None if cap is None else max(0, cap - spent)


def foreseen(run: Run, talks: Sequence[Talk], me: Sequence[str], unreadable: Places) -> Exit:
    """Print what adding the files would cost; a memory that is not there yet is not made."""
    place = run.settings.path
    if "://" in place or Path(place, "graph.sqlite3").exists():
        return _told(run, talks, me, unreadable)
    with tempfile.TemporaryDirectory() as folder:
        run.settings = replace(run.settings, path=folder, qdrant=None, embedder="none")
        try:
            return _told(run, talks, me, unreadable)
        finally:
            run.close()


def _told(run: Run, talks: Sequence[Talk], me: Sequence[str], unreadable: Places) -> Exit:
    each = [
        run.memory.estimate(
            talk.messages, user=run.user, tenant=run.tenant, session=talk.session, me=me
        )
        for talk in talks
    ]
    whole = sum(each, Estimate())
    rows = [{"file": t.file, **estimate_json(e)} for t, e in zip(talks, each, strict=True)]
    if run.out.json:
        run.out.object(
            {
                "files": rows,
                "whole": estimate_json(whole),
                "unreadable": unreadable_json(unreadable),
            }
        )
    for talk, estimate in zip(talks, each, strict=True):
        show.estimated(run.out, talk.file, estimate)
    if len(talks) > 1:
        show.estimated(run.out, "all", whole)
    tell_unreadable(run, unreadable)
    if not whole.turns:
        return Exit.USAGE if unreadable else Exit.NOTHING
    return Exit.PARTIAL if unreadable else Exit.OK


def unreadable_json(places: Places) -> list[dict[str, Any]]:
    """Return places that cannot be read; Any: JSON."""
    return [{"file": file, "where": item.where, "reason": item.reason} for file, item in places]


def tell_unreadable(run: Run, places: Places) -> None:
    """Say which places cannot be read."""
    for file, item in places[:SHOWN]:
        run.out.note(f"{file}, {item.where}: {item.reason}")
    if len(places) > SHOWN:
        run.out.note(f"{len(places) - SHOWN} more places could not be read")
