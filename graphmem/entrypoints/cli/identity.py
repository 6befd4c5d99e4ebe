"""Commands about who is who: merge, split, suggestions, confirm, undo, reject."""

from __future__ import annotations

from typing import Annotated

import typer

from graphmem.entrypoints.cli.command import Run, command
from graphmem.entrypoints.cli.outcome import Exit
from graphmem.entrypoints.cli.write import finish
from graphmem.entrypoints.render import suggestion_json

PANEL = "Who is who"

SuggestionId = Annotated[str, typer.Argument(help="Id of a suggestion.", metavar="SUGGESTION")]


@command(PANEL, 'graphmem merge "Bob" "Bobby" --into "Robert Ames" --user ana')
def merge(
    run: Run,
    names: Annotated[list[str], typer.Argument(help="Names or ids that mean the same.")],
    into: Annotated[str, typer.Option("--into", help="The name or id that stays.")],
) -> Exit:
    """Make several entities one."""
    return finish(run, run.memory.merge(names, into=into, user=run.user, tenant=run.tenant))


@command(PANEL, 'graphmem split "Bobby" --out-of "Robert Ames" --user ana')
def split(
    run: Run,
    name: Annotated[str, typer.Argument(help="The name that means someone else.")],
    out_of: Annotated[str, typer.Option("--out-of", help="The entity it was taken for.")],
) -> Exit:
    """Give a name an entity of its own."""
    return finish(run, run.memory.split(name, out_of=out_of, user=run.user, tenant=run.tenant))


@command(PANEL, "graphmem suggestions --user ana")
def suggestions(run: Run) -> Exit:
    """List entities that may be the same, for you to decide."""
    found = run.memory.suggestions(user=run.user, tenant=run.tenant)
    if run.out.json:
        run.out.object({"items": [suggestion_json(item, run.zone) for item in found]})
        return Exit.OK if found else Exit.NOTHING
    names = _names(run) if found else {}
    for item in found:
        first, second = (names.get(one, one) for one in (item.first, item.second))
        run.out.line((f"{first} = {second}?", "bold"), f"  {item.state.value}")
        run.out.line((f"  {item.reason}  {item.id}", "dim"))
    if not found:
        run.out.line("No suggestions.")
    return Exit.OK if found else Exit.NOTHING


def _names(run: Run) -> dict[str, str]:
    """Return the names of all entities by id; one that was merged away has only its id."""
    names: dict[str, str] = {}
    cursor: str | None = None
    while True:
        page = run.memory.entities(user=run.user, tenant=run.tenant, limit=1000, cursor=cursor)
        names |= {view.entity.id: view.entity.name for view in page.items}
        cursor = page.cursor
        if cursor is None:
            return names


@command(PANEL, "graphmem confirm SUGGESTION --user ana")
def confirm(run: Run, suggestion: SuggestionId) -> Exit:
    """Say that a suggestion is right; its two entities become one."""
    return finish(run, run.memory.confirm(suggestion, user=run.user, tenant=run.tenant))


@command(PANEL, "graphmem undo SUGGESTION --user ana")
def undo(run: Run, suggestion: SuggestionId) -> Exit:
    """Take back what was decided about a suggestion."""
    return finish(run, run.memory.undo(suggestion, user=run.user, tenant=run.tenant))


@command(PANEL, "graphmem reject SUGGESTION --user ana")
def reject(run: Run, suggestion: SuggestionId) -> Exit:
    """Say that a suggestion is wrong; it is not made again."""
    return finish(run, run.memory.reject(suggestion, user=run.user, tenant=run.tenant))
