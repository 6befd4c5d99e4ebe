"""Commands that look after the memory: erase it, move it, check and mend it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from graphmem.entrypoints.cli import options, show
from graphmem.entrypoints.cli.command import Run, command
from graphmem.entrypoints.cli.outcome import Exit
from graphmem.entrypoints.cli.output import count
from graphmem.entrypoints.cli.progress import progress
from graphmem.entrypoints.render import (
    erasure_json,
    index_json,
    migration_json,
    report_json,
    transfer_json,
    verify_json,
)
from graphmem.errors import InputError
from graphmem.model.text import require_text
from graphmem.settings import Settings, variable

if TYPE_CHECKING:
    from graphmem.usecases.transfer import Transfer
    from graphmem.usecases.upkeep import VerifyReport

PANEL = "Look after"


@command(PANEL, "graphmem erase --fact FACT --yes --user ana")
def erase(
    run: Run,
    fact: Annotated[str | None, typer.Option("--fact", help="Only this fact.")] = None,
    episode: Annotated[str | None, typer.Option("--episode", help="Only this turn.")] = None,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
) -> Exit:
    """Remove a user, a turn or a fact from every file; it cannot be undone."""
    if fact is not None and episode is not None:
        raise InputError("--fact and --episode exclude each other")
    one = {"fact": fact, "episode": episode}
    named = {
        kind: require_text(given, f"--{kind}") for kind, given in one.items() if given is not None
    }
    what = next(iter(named.values()), f"everything of user {run.user!r} in tenant {run.tenant!r}")
    if not yes and not typer.confirm(f"Erase {what}? It cannot be undone.", err=True):
        run.out.note("nothing was erased")
        return Exit.NOTHING
    receipt = run.memory.erase(user=run.user, tenant=run.tenant, **named)
    if run.out.json:
        run.out.object(erasure_json(receipt, run.zone))
    else:
        show.erasure(run.out, receipt, run.zone)
    return Exit.OK if receipt.clean else Exit.PARTIAL


@command(PANEL, "graphmem export ana.jsonl --user ana")
def export(
    run: Run,
    file: Annotated[Path, typer.Argument(help="The file to write.")],
    everyone: options.Everyone = False,
) -> Exit:
    """Write a memory to a file from which any store can be filled."""
    user = None if everyone else run.user
    return moved(run, run.memory.export(file, user=user, tenant=run.tenant), "Exported")


@command(PANEL, "graphmem import ana.jsonl --path elsewhere", name="import", user=False)
def import_(
    run: Run, file: Annotated[Path, typer.Argument(help="A file that export wrote.")]
) -> Exit:
    """Fill this memory from an export; a user who is here already is refused."""
    file.open("rb").close()  # a file that is not there is told apart from one that is no export
    with progress(str(file)) as tell:
        done = run.memory.import_(file, progress=tell)
    return moved(run, done, "Imported")


def moved(run: Run, transfer: Transfer, verb: str) -> Exit:
    """Print what an export or import moved."""
    if run.out.json:
        run.out.object(transfer_json(transfer))
    users, rows = count(transfer.scopes, "user"), count(transfer.rows, "row")
    new = f", {transfer.new} of them new" if verb == "Imported" else ""
    run.out.line(f"{verb} {users}, {rows}{new}: {transfer.path}")
    show.notes(run.out, transfer.notes)
    return Exit.OK


@command(PANEL, "graphmem migrate --to another-place", user=False)
def migrate(
    run: Run,
    to: Annotated[
        str | None,
        typer.Option("--to", metavar="PLACE", help="A folder, or the address of a Neo4j server."),
    ] = None,
    to_config: Annotated[
        Path | None,
        typer.Option("--to-config", metavar="FILE", help="Configuration file of the other memory."),
    ] = None,
) -> Exit:
    """Copy everything into another memory, compare it there, and index it; this one stays as it is.

    Passwords come from the settings, which are those of both memories unless the other one has a
    file of its own. A Qdrant server in them is the one of the memory that is on a Neo4j server.
    Cut off, the same command goes on.
    """
    run.settings, target = ends(run.settings, to, to_config)
    with progress("migrate") as tell:
        done = run.memory.migrate(target.path, settings=target, progress=tell)
    if run.out.json:
        run.out.object(migration_json(done))
    users, rows = count(done.scopes, "user"), count(done.rows, "row")
    run.out.line(f"Migrated {users}, {rows}, {done.new:,} of them new: {done.target}")
    run.out.line("Each user is there as here, compared by digest; nothing was changed here.")
    run.out.line(f"To go on there, set {variable('path')}={target.path}, or path in a file.")
    show.notes(run.out, done.notes)
    return Exit.OK


def ends(settings: Settings, to: str | None, config: Path | None) -> tuple[Settings, Settings]:
    """Return the settings of the memory to be migrated, and those of the other one.

    Raises:
        InputError: no place is named, or both memories would have one index.
    """
    if to is None and config is None:
        raise InputError("where to? pass --to PLACE, or --to-config FILE with a path in it")
    if config is not None:  # whole as it is: the environment is of this memory
        return settings, Settings.load({}, config, path=to)
    target = replace(settings, path=Settings.load({}, path=to).path)
    if settings.qdrant is None:
        return settings, target
    if "://" in settings.path and "://" in target.path:
        raise InputError(
            f"both memories would have the index {settings.qdrant_collection!r} on "
            f"{settings.qdrant}; give the other one's settings by --to-config FILE"
        )
    if "://" in target.path:
        return replace(settings, qdrant=None), target
    return settings, replace(target, qdrant=None)


@command(PANEL, "graphmem verify", user=False)
def verify(run: Run) -> Exit:
    """Compare the index with the graph, and check the graph itself."""
    return checked(run, run.memory.verify())


@command(PANEL, "graphmem repair", user=False)
def repair(run: Run) -> Exit:
    """Mend what verify finds."""
    return checked(run, run.memory.repair())


def checked(run: Run, report: VerifyReport) -> Exit:
    """Print how store and index compare."""
    if run.out.json:
        run.out.object(verify_json(report))
    else:
        show.verified(run.out, report)
    return Exit.OK if report.clean else Exit.NOTHING


@command(PANEL, "graphmem reindex", user=False)
def reindex(run: Run) -> Exit:
    """Build the index anew from the graph, beside the old one; also for another embedder."""
    with progress("reindex") as tell:
        state = run.memory.reindex(progress=tell)
    if run.out.json:
        run.out.object(index_json(state))
    run.out.line(f"Indexed {count(state.applied, 'record')}; {state.backlog} to be done yet.")
    show.notes(run.out, state.notes)
    return Exit.OK


@command(PANEL, "graphmem doctor", user=False)
def doctor(
    run: Run,
    probe: Annotated[
        bool, typer.Option("--probe", help="Ask the chat model in every way it may know, once.")
    ] = False,
) -> Exit:
    """Say what this memory is made of and whether it is well."""
    report = run.memory.doctor(probe=probe)
    if run.out.json:
        run.out.object(report_json(report))
    else:
        show.examined(run.out, report)
    return Exit.OK if report.well else Exit.NOTHING
