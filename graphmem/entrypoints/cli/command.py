"""What all commands share: their options, the memory they open, how errors end them."""

from __future__ import annotations

import inspect
import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import tzinfo
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, Any, get_args

import typer
from typer.models import ArgumentInfo, ParameterInfo

from graphmem.entrypoints.cli.outcome import Exit
from graphmem.entrypoints.cli.output import Output
from graphmem.errors import InputError
from graphmem.model.instants import zone_named
from graphmem.model.text import require_text
from graphmem.settings import Settings

if TYPE_CHECKING:
    from graphmem.client.sync import Memory

SHARED = "Shared options"


class Run:
    """One run of a command: its settings, its output, and the memory once it is asked for."""

    def __init__(self, settings: Settings, output: Output) -> None:
        self.settings = settings
        self.out = output
        self._memory: Memory | None = None

    @property
    def memory(self) -> Memory:
        """The memory, opened when it is first used."""
        if self._memory is None:
            from graphmem.client.sync import Memory  # here, because help must come at once

            self._memory = Memory.from_settings(self.settings)
        return self._memory

    @property
    def user(self) -> str:
        """Whose memory it is; checked before a command that needs it runs."""
        return self.settings.user or ""

    @property
    def tenant(self) -> str:
        """The tenant."""
        return self.settings.tenant

    @cached_property
    def zone(self) -> tzinfo:
        """The zone in which times are shown."""
        return zone_named(self.settings.timezone)

    def close(self) -> None:
        """Close the memory if it was opened."""
        if self._memory is not None:
            self._memory.close()


Body = Callable[..., Exit]


@dataclass(frozen=True, slots=True)
class Command:
    """A registered command."""

    name: str
    panel: str
    example: str
    function: Callable[..., Exit]
    body: Body
    user: bool


COMMANDS: dict[str, Command] = {}


def shared_options(*, user: bool = True) -> list[inspect.Parameter]:
    """Return the options that every command has."""

    def option(name: str, kind: Any, default: object, help: str, *flags: str) -> inspect.Parameter:
        info = typer.Option(*flags, help=help, rich_help_panel=SHARED)
        return inspect.Parameter(
            name,
            inspect.Parameter.KEYWORD_ONLY,
            default=default,
            annotation=Annotated[kind, info],
        )

    options = [
        option("path", str | None, None, "Folder of the memory.", "--path"),
        option("tenant", str | None, None, "Tenant.", "--tenant"),
        option("user", str | None, None, "Whose memory it is.", "--user", "-u"),
        option("config", str | None, None, "Configuration file.", "--config"),
        option("json", bool, False, "Print one JSON object.", "--json"),
        option("debug", bool, False, "Show where an error came from.", "--debug"),
    ]
    return [item for item in options if user or item.name not in ("user", "tenant")]


def own_parameters(body: Body) -> list[inspect.Parameter]:
    """Return the parameters of a command's function after its ``Run``."""
    return list(inspect.signature(body, eval_str=True).parameters.values())[1:]


def info(parameter: inspect.Parameter) -> ParameterInfo:
    """Return what typer knows of a parameter; arguments are shown in capitals."""
    found = next(item for item in get_args(parameter.annotation) if isinstance(item, ParameterInfo))
    if isinstance(found, ArgumentInfo) and found.metavar is None:
        found.metavar = parameter.name.upper()
    return found


def command(
    panel: str, example: str, *, name: str = "", user: bool = True
) -> Callable[[Body], Body]:
    """Register a command.

    Its function takes a ``Run`` first, then its own arguments, and returns an ``Exit``. The shared
    options are added to what the user sees; without ``user`` it has no --user and --tenant.
    """

    def register(body: Body) -> Body:
        own = own_parameters(body)
        shared = shared_options(user=user)

        def function(**values: Any) -> Exit:  # Any: typed by the signature below
            given = {item.name: values.pop(item.name) for item in shared}
            run = start(given)
            if user and run.settings.user is None and not values.get("everyone"):
                also = ", or --all for everybody" if "everyone" in values else ""
                raise InputError(f"whose memory? pass --user NAME or set GRAPHMEM_USER{also}")
            try:
                return body(run, **values)
            finally:
                run.close()

        for parameter in own:
            info(parameter)
        parameters = [*(p.replace(kind=inspect.Parameter.KEYWORD_ONLY) for p in own), *shared]
        function.__name__ = body.__name__
        function.__doc__ = body.__doc__
        function.__annotations__ = {item.name: item.annotation for item in parameters}
        function.__signature__ = inspect.Signature(parameters)
        title = name or body.__name__.rstrip("_").replace("_", "-")
        COMMANDS[title] = Command(title, panel, example, function, body, user)
        return body

    return register


def start(given: dict[str, Any]) -> Run:  # Any: the shared options, by name
    """Read the settings and set up logging for a run."""
    for name in ("user", "tenant"):
        if given.get(name) is not None:
            require_text(given[name], name)
    settings = Settings.load(
        file=given.get("config"),
        path=given.get("path"),
        user=given.get("user"),
        tenant=given.get("tenant"),
    )
    logging.basicConfig(format="graphmem: %(levelname)s %(name)s: %(message)s")
    logging.getLogger("graphmem").setLevel(settings.log_level.upper())
    return Run(settings, Output(json=bool(given.get("json"))))
