"""The command line as a whole: its commands, its version, and how it ends."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from typing import Annotated, Any, cast

import typer

from graphmem.entrypoints.cli import demo, identity, keep, look, read, write
from graphmem.entrypoints.cli.command import COMMANDS, Command
from graphmem.entrypoints.cli.outcome import Exit, exit_of
from graphmem.entrypoints.cli.output import flat
from graphmem.errors import GraphmemError

# Importing a module of commands registers them; this is their order in the help.
MODULES = (write, read, identity, keep, look, demo)

SUMMARY = "A fact memory for LLM agents: what was said, by whom, and since when it holds."

_LONGEST = 1_000
"""Characters of an error's message; a huge argument in its middle helps nobody."""

# Every version of typer derives BadParameter from what its parser raises, by one name or another.
_PARSER_ERROR = cast("type[Exception]", typer.BadParameter.__bases__[0].__bases__[0])


def commands() -> list[Command]:
    """Return every command, in the order of the help."""
    order = [module.__name__ for module in MODULES]
    return sorted(COMMANDS.values(), key=lambda item: order.index(item.body.__module__))


def _top(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
) -> None:
    if version:
        typer.echo(f"graphmem {_version()}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        typer.echo(context.get_help(), nl=False)
        raise typer.Exit


def build() -> typer.Typer:
    """Return the application with every command."""
    app = typer.Typer(
        name="graphmem",
        help=SUMMARY,
        epilog="Try: graphmem demo",
        context_settings={"help_option_names": ["-h", "--help"]},
        rich_markup_mode="rich",
        pretty_exceptions_enable=False,
        add_completion=False,
    )

    app.callback(invoke_without_command=True)(_top)
    for item in commands():
        app.command(
            item.name,
            help=item.function.__doc__,
            epilog=f"Example: {item.example}",
            rich_help_panel=item.panel,
        )(item.function)
    return app


def _version() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("graphmem")
    except PackageNotFoundError:  # used from a checkout that is not installed
        return "(not installed)"


def run(arguments: Sequence[str]) -> int:
    """Run one command line and return its exit code; nothing is raised."""
    try:
        reconfigure = getattr(sys.stdout, "reconfigure", None)
        if reconfigure is not None:  # a terminal that lacks a character still shows the rest
            reconfigure(errors="backslashreplace")
        # What a command returns comes back; help and --version return nothing.
        code: Any = build()(list(arguments), prog_name="graphmem", standalone_mode=False)
        sys.stdout.flush()
        return int(code or Exit.OK)
    except _PARSER_ERROR as error:
        return _fail(arguments, error, Exit.USAGE)
    except GraphmemError as error:
        return _fail(arguments, error, exit_of(error))
    except FileNotFoundError as error:
        return _fail(arguments, error, Exit.NOT_FOUND)
    except (KeyboardInterrupt, typer.Abort):
        sys.stderr.write("\n")
        return Exit.INTERRUPTED
    except SystemExit:
        # Whoever read the output went away ("graphmem facts | head"): typer and rich leave so.
        # It is no failure.
        return Exit.OK
    except OSError as error:
        return _fail(arguments, error, Exit.UNAVAILABLE)
    except Exception as error:  # noqa: BLE001 - the last frame: nobody is left to handle a fault
        return _fail(arguments, error, Exit.FAULT)


def _fail(arguments: Sequence[str], error: BaseException, code: Exit) -> int:
    if "--debug" in arguments:
        import traceback

        traceback.print_exception(error)
    message = _message(error)
    if len(message) > _LONGEST:
        message = f"{message[: _LONGEST // 2]} … {message[-_LONGEST // 2 :]}"
    if "--json" in arguments:
        kind = "UsageError" if isinstance(error, _PARSER_ERROR) else type(error).__name__
        retryable = isinstance(error, GraphmemError) and error.retryable
        sys.stdout.write(
            json.dumps({"error": {"type": kind, "message": message, "retryable": retryable}}) + "\n"
        )
    sys.stderr.write(f"graphmem: {message}\n")
    return code


def _message(error: BaseException) -> str:
    if isinstance(error, OSError) and error.filename is not None:
        return flat(f"{error.filename}: {error.strerror}")
    if isinstance(error, _PARSER_ERROR):
        parser: Any = error  # Any: the class has no public name
        command = parser.ctx.command_path if getattr(parser, "ctx", None) else "graphmem"
        return flat(f"{parser.format_message().rstrip('.')} (see {command} --help)")
    if not isinstance(error, GraphmemError):
        shown = flat(f"{type(error).__name__}: {error}")
        return f"a fault in graphmem itself, {shown} (--debug shows where)"
    return flat(str(error)) or type(error).__name__
