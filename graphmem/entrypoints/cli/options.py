"""Arguments and options that several commands have."""

from __future__ import annotations

from typing import Annotated

import typer

FactId = Annotated[str, typer.Argument(help="Id of a fact.", metavar="FACT")]
Session = Annotated[str | None, typer.Option("--session", help="Label of the session.")]
Agent = Annotated[str | None, typer.Option("--agent", help="Label of the agent.")]
At = Annotated[
    str | None,
    typer.Option("--at", metavar="TIME", help="When it was said; ISO date or date and time."),
]
ValidAt = Annotated[
    str | None,
    typer.Option(
        "--valid-at",
        metavar="TIME",
        help="As the world was then: an instant, or a period such as 2024-03.",
    ),
]
KnownAt = Annotated[
    str | None,
    typer.Option("--known-at", metavar="TIME", help="As the memory knew it then."),
]
Ended = Annotated[bool, typer.Option("--ended", help="Also what has ended.")]
Disputed = Annotated[bool, typer.Option("--disputed", help="Also what is disputed.")]
Retracted = Annotated[bool, typer.Option("--retracted", help="Also what was retracted.")]
Limit = Annotated[int, typer.Option("--limit", "-n", min=1, max=1000, help="At most this many.")]
Cursor = Annotated[
    str | None, typer.Option("--cursor", help="Where the last page ended, to go on from there.")
]
MaxCalls = Annotated[
    int | None, typer.Option("--max-calls", min=0, help="The most calls of a model.")
]
MaxTokens = Annotated[
    int | None, typer.Option("--max-tokens", min=0, help="The most tokens, asked and answered.")
]
Reason = Annotated[str | None, typer.Option("--reason", help="Why; kept with the record.")]
Everyone = Annotated[bool, typer.Option("--all", help="Of every user and tenant.")]
