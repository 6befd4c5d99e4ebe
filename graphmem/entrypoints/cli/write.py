"""Commands that write: add, add-fact, ingest, correct, retract, restore, retry-pending."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Annotated

import typer

from graphmem.entrypoints.cli import options, show
from graphmem.entrypoints.cli.command import Run, command
from graphmem.entrypoints.cli.foresight import (
    Talk,
    foreseen,
    left,
    tell_unreadable,
    unreadable_json,
)
from graphmem.entrypoints.cli.outcome import Exit
from graphmem.entrypoints.cli.progress import progress
from graphmem.entrypoints.readers import Format, Message, Unreadable, read_messages
from graphmem.entrypoints.render import receipt_json
from graphmem.errors import InputError
from graphmem.model.draft import Usage
from graphmem.model.receipt import Receipt

PANEL = "Write"


def finish(run: Run, receipt: Receipt) -> Exit:
    """Print a receipt and say by the exit code whether all of it was done."""
    if run.out.json:
        run.out.object(receipt_json(receipt, run.zone))
    else:
        show.receipt(run.out, receipt, run.zone)
    return Exit.PARTIAL if any(turn.state in show.UNDONE for turn in receipt.turns) else Exit.OK


@command(PANEL, 'graphmem add "I live in Hangzhou and I am allergic to mango." --user ana')
def add(
    run: Run,
    text: Annotated[str, typer.Argument(help="What was said; - reads standard input.")],
    session: options.Session = None,
    agent: options.Agent = None,
    at: options.At = None,
    role: Annotated[
        str, typer.Option("--role", help="user, assistant, system, tool or document.")
    ] = "user",
    name: Annotated[str | None, typer.Option("--name", help="The speaker's name.")] = None,
    id: Annotated[
        str | None, typer.Option("--id", help="Your id; sent again, it is known.")
    ] = None,
    max_calls: options.MaxCalls = None,
    max_tokens: options.MaxTokens = None,
) -> Exit:
    """Add one turn of a conversation and take the facts from it."""
    turn = {"role": role, "content": sys.stdin.read() if text == "-" else text}
    if name is not None:
        turn["name"] = name
    if id is not None:
        turn["id"] = id
    receipt = run.memory.add(
        [turn],
        user=run.user,
        tenant=run.tenant,
        session=session,
        agent=agent,
        occurred_at=at,
        max_model_calls=max_calls,
        max_model_tokens=max_tokens,
    )
    return finish(run, receipt)


@command(PANEL, "graphmem add-fact me works_at Larch --from 2025-09-01 --user ana")
def add_fact(
    run: Run,
    subject: Annotated[str, typer.Argument(help="Who or what it is about; me is the user.")],
    predicate: Annotated[str, typer.Argument(help="The relation, such as works_at.")],
    object: Annotated[str | None, typer.Argument(help="Its value; none for “no pets”.")] = None,
    valid_from: Annotated[
        str | None, typer.Option("--from", metavar="TIME", help="Since when it holds.")
    ] = None,
    valid_to: Annotated[
        str | None, typer.Option("--to", metavar="TIME", help="When it ended or will end.")
    ] = None,
    at: options.At = None,
    no: Annotated[bool, typer.Option("--not", help="It does not hold.")] = False,
    modality: Annotated[
        str, typer.Option("--modality", help="asserted, planned or possible.")
    ] = "asserted",
    source: Annotated[
        str, typer.Option("--source", help="user, document, tool, assistant or inferred.")
    ] = "user",
    source_name: Annotated[
        str | None, typer.Option("--source-name", help="Its name, such as a document's title.")
    ] = None,
    statement: Annotated[
        str | None, typer.Option("--statement", help="The sentence; made from the parts if absent.")
    ] = None,
    qualifier: Annotated[
        list[str] | None, typer.Option("--qualifier", metavar="NAME=VALUE", help="What narrows it.")
    ] = None,
) -> Exit:
    """Add a fact by its parts."""
    qualifiers = dict(_pair(item) for item in qualifier or ())
    receipt = run.memory.add_fact(
        subject,
        predicate,
        object,
        user=run.user,
        tenant=run.tenant,
        valid_from=valid_from,
        valid_to=valid_to,
        occurred_at=at,
        polarity="-" if no else "+",
        modality=modality,
        source=source,
        source_name=source_name,
        statement=statement,
        qualifiers=qualifiers,
    )
    return finish(run, receipt)


def _pair(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals or not name:
        raise InputError(f"a qualifier reads NAME=VALUE, not {text!r}")
    return name, value


@command(PANEL, "graphmem ingest examples/talk.jsonl --user ana")
def ingest(
    run: Run,
    files: Annotated[list[str], typer.Argument(help="Conversation files; - reads standard input.")],
    format: Annotated[
        Format | None, typer.Option("--format", help="How they are written; told from the file.")
    ] = None,
    session: Annotated[
        str | None,
        typer.Option("--session", help="Session of messages that name none; else the file's name."),
    ] = None,
    at: Annotated[
        str | None,
        typer.Option("--at", metavar="TIME", help="When what has no time of its own was said."),
    ] = None,
    me: Annotated[
        list[str] | None, typer.Option("--me", help="A name in the files that means the user.")
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say what it would cost; ask and write nothing.")
    ] = False,
    max_calls: options.MaxCalls = None,
    max_tokens: options.MaxTokens = None,
) -> Exit:
    """Add conversations from files: JSON Lines, JSON, or "Name: text" transcripts.

    A file that has grown, or was cut off, can be sent again whole: what is known is passed over.
    The most calls and tokens are for all files together; turns that are left stay pending.
    """
    unreadable: list[tuple[str, Unreadable]] = []
    talks: list[Talk] = []
    for file in files:
        messages: list[dict[str, str]] = []
        for item in _read(file, format):
            if isinstance(item, Unreadable):
                unreadable.append((file, item))
            else:
                dated = replace(item, occurred_at=item.occurred_at or at)
                messages.append({k: v for k, v in asdict(dated).items() if v is not None})
        name = None if file == "-" else Path(file).stem
        talks.append(Talk(file, messages, session or name))
    if dry_run:
        return foreseen(run, talks, me or (), unreadable)
    receipts: list[Receipt] = []
    spent = Usage()
    for talk in talks:
        with progress(talk.file) as tell:
            receipt = run.memory.ingest(
                talk.messages,
                user=run.user,
                tenant=run.tenant,
                session=talk.session,
                me=me or (),
                max_model_calls=left(max_calls, run.settings.max_model_calls, spent.calls),
                max_model_tokens=left(max_tokens, run.settings.max_model_tokens, spent.tokens),
                progress=tell,
            )
        spent += receipt.usage
        receipts.append(receipt)
    return _ingested(run, files, receipts, unreadable)


def _read(file: str, format: Format | None) -> Iterator[Message | Unreadable]:
    if file == "-":
        yield from read_messages(sys.stdin.buffer, format=format)
        return
    with Path(file).open("rb") as opened:
        yield from read_messages(opened, name=file, format=format)


def _ingested(
    run: Run,
    files: Sequence[str],
    receipts: Sequence[Receipt],
    unreadable: Sequence[tuple[str, Unreadable]],
) -> Exit:
    if run.out.json:
        run.out.object(
            {
                "files": [
                    {"file": file, **receipt_json(receipt, run.zone)}
                    for file, receipt in zip(files, receipts, strict=True)
                ],
                "unreadable": unreadable_json(unreadable),
            }
        )
    for file, receipt in zip(files, receipts, strict=True):
        show.summary(run.out, file, receipt)
    tell_unreadable(run, unreadable)
    turns = [turn for receipt in receipts for turn in receipt.turns]
    if not turns:
        run.out.note("there was no message to add")
        return Exit.USAGE if unreadable else Exit.NOTHING
    undone = any(turn.state in show.UNDONE for turn in turns)
    return Exit.PARTIAL if unreadable or undone else Exit.OK


@command(PANEL, "graphmem correct FACT Lisbon --user ana")
def correct(
    run: Run,
    fact: options.FactId,
    object: Annotated[str, typer.Argument(help="What is right instead.")],
    at: options.At = None,
) -> Exit:
    """Put another value in the place of a wrong one, for all its time."""
    return finish(
        run,
        run.memory.correct(fact, user=run.user, tenant=run.tenant, object=object, occurred_at=at),
    )


@command(PANEL, "graphmem retract FACT --reason 'said in jest' --user ana")
def retract(run: Run, fact: options.FactId, reason: options.Reason = None) -> Exit:
    """Say that a fact was never true; it stays on record, and restore undoes it."""
    return finish(run, run.memory.retract(fact, user=run.user, tenant=run.tenant, reason=reason))


@command(PANEL, "graphmem restore FACT --user ana")
def restore(run: Run, fact: options.FactId) -> Exit:
    """Take back a retraction."""
    return finish(run, run.memory.restore(fact, user=run.user, tenant=run.tenant))


@command(PANEL, "graphmem retry-pending --user ana")
def retry_pending(
    run: Run,
    everyone: options.Everyone = False,
    max_calls: options.MaxCalls = None,
    max_tokens: options.MaxTokens = None,
) -> Exit:
    """Read the turns that are stored and not yet read."""
    receipt = run.memory.retry_pending(
        user=None if everyone else run.user,
        tenant=run.tenant,
        max_model_calls=max_calls,
        max_model_tokens=max_tokens,
    )
    return finish(run, receipt)
