"""Commands that read: search, context, facts, history, explain, entities."""

from __future__ import annotations

from typing import Annotated

import typer

from graphmem.entrypoints.cli import options, show
from graphmem.entrypoints.cli.command import Run, command
from graphmem.entrypoints.cli.outcome import Exit
from graphmem.entrypoints.render import (
    context_json,
    entity_json,
    explanation_json,
    fact_json,
    page_json,
    result_json,
)

PANEL = "Read"

Predicate = Annotated[str | None, typer.Option("--predicate", help="Only this relation.")]


@command(PANEL, 'graphmem search "Where did I live in March?" --valid-at 2024-03 --user ana')
def search(
    run: Run,
    question: Annotated[str, typer.Argument(help="The question.")],
    limit: options.Limit = 10,
    valid_at: options.ValidAt = None,
    known_at: options.KnownAt = None,
    ended: options.Ended = False,
    disputed: options.Disputed = False,
    retracted: options.Retracted = False,
    predicate: Predicate = None,
    session: options.Session = None,
    agent: options.Agent = None,
) -> Exit:
    """Answer a question with facts, their sources, and why they count."""
    result = run.memory.search(
        question,
        user=run.user,
        tenant=run.tenant,
        limit=limit,
        valid_at=valid_at,
        known_at=known_at,
        include_ended=ended,
        include_disputed=disputed,
        include_retracted=retracted,
        predicate=predicate,
        session=session,
        agent=agent,
    )
    if run.out.json:
        run.out.object(result_json(result, run.zone))
    else:
        show.result(run.out, result, run.zone)
    return Exit.OK if result.hits else Exit.NOTHING


@command(PANEL, 'graphmem context "plan dinner" --max-tokens 400 --user ana')
def context(
    run: Run,
    task: Annotated[str, typer.Argument(help="What the context is for.")],
    max_tokens: Annotated[
        int, typer.Option("--max-tokens", min=1, help="The budget, in estimated tokens.")
    ] = 800,
    valid_at: options.ValidAt = None,
    known_at: options.KnownAt = None,
) -> Exit:
    """Pack what matters for a task into a block for a prompt."""
    packed = run.memory.context(
        task,
        user=run.user,
        tenant=run.tenant,
        max_tokens=max_tokens,
        valid_at=valid_at,
        known_at=known_at,
    )
    if run.out.json:
        run.out.object(context_json(packed, run.zone))
    else:
        run.out.line(packed.text)
        left = [f"{packed.omitted} more did not fit"] if packed.omitted else []
        show.notes(run.out, [*left, *packed.notes])
    return Exit.OK if packed.hits else Exit.NOTHING


@command(PANEL, "graphmem facts --predicate lives_in --ended --user ana")
def facts(
    run: Run,
    subject: Annotated[
        str | None, typer.Option("--subject", help="Only about this entity; me is the user.")
    ] = None,
    predicate: Predicate = None,
    object: Annotated[str | None, typer.Option("--object", help="Only with this value.")] = None,
    valid_at: options.ValidAt = None,
    known_at: options.KnownAt = None,
    ended: options.Ended = False,
    disputed: options.Disputed = False,
    retracted: options.Retracted = False,
    limit: options.Limit = 100,
    cursor: options.Cursor = None,
) -> Exit:
    """List facts, newest first."""
    page = run.memory.facts(
        user=run.user,
        tenant=run.tenant,
        subject=subject,
        predicate=predicate,
        object=object,
        valid_at=valid_at,
        known_at=known_at,
        include_ended=ended,
        include_disputed=disputed,
        include_retracted=retracted,
        limit=limit,
        cursor=cursor,
    )
    if run.out.json:
        run.out.object(page_json(page, lambda fact: fact_json(fact, run.zone)))
    else:
        for fact in page.items:
            show.fact(run.out, fact, run.zone)
        show.rest(run.out, page, "fact")
    return Exit.OK if page.items else Exit.NOTHING


@command(PANEL, "graphmem history FACT --user ana")
def history(
    run: Run, fact: options.FactId, limit: options.Limit = 100, cursor: options.Cursor = None
) -> Exit:
    """Show every record of a fact and of what can end it, newest first."""
    page = run.memory.history(fact, user=run.user, tenant=run.tenant, limit=limit, cursor=cursor)
    if run.out.json:
        run.out.object(page_json(page, lambda record: fact_json(record, run.zone)))
    else:
        for record in page.items:
            show.record(run.out, record, run.zone)
        show.rest(run.out, page, "record")
    return Exit.OK


@command(PANEL, "graphmem explain FACT --user ana")
def explain(run: Run, fact: options.FactId) -> Exit:
    """Say why a fact is what it is: its sources, what ended it, what it ended."""
    explanation = run.memory.explain(fact, user=run.user, tenant=run.tenant)
    if run.out.json:
        run.out.object(explanation_json(explanation, run.zone))
    else:
        show.explanation(run.out, explanation, run.zone)
    return Exit.OK


@command(PANEL, "graphmem entities --user ana")
def entities(run: Run, limit: options.Limit = 100, cursor: options.Cursor = None) -> Exit:
    """List who and what the memory knows, newest first."""
    page = run.memory.entities(user=run.user, tenant=run.tenant, limit=limit, cursor=cursor)
    if run.out.json:
        run.out.object(page_json(page, lambda view: entity_json(view, run.zone)))
    else:
        for view in page.items:
            show.entity(run.out, view)
        show.rest(run.out, page, "entity")
    return Exit.OK if page.items else Exit.NOTHING
