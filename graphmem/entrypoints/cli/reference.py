"""Writes docs/cli.md and docs/settings.md from the definitions they document.

``python -m graphmem.entrypoints.cli.reference docs``
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterable
from pathlib import Path

from typer.models import ArgumentInfo, OptionInfo

from graphmem.entrypoints.cli.app import SUMMARY, commands
from graphmem.entrypoints.cli.command import Command, info, own_parameters, shared_options
from graphmem.entrypoints.cli.outcome import MEANING
from graphmem.settings import CONFIG_VARIABLE, FILE_NAME, definitions

_MADE = "<!-- Made by graphmem.entrypoints.cli.reference; edit the definitions, not this page. -->"


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = [head, tuple("---" for _ in head), *rows]
    return "\n".join(
        f"| {' | '.join(cell.replace('|', '&#124;') for cell in row)} |" for row in lines
    )


def _row(parameter: inspect.Parameter) -> tuple[str, str]:
    about = info(parameter)
    if isinstance(about, OptionInfo):
        # typer keeps the first name where a default would be.
        names = (about.default, *(about.param_decls or ()))
        flags = [name for name in names if isinstance(name, str) and name.startswith("-")]
        value = f" {about.metavar}" if about.metavar else ""
        shown = ", ".join(f"`{flag}{value}`" for flag in flags)
    else:
        shown = f"`{_argument(parameter)}`"
    default = parameter.default
    tail = f" (default {default})" if default and default is not inspect.Parameter.empty else ""
    return shown, f"{about.help}{tail}"


def _argument(parameter: inspect.Parameter) -> str:
    name = str(info(parameter).metavar)
    return name if parameter.default is inspect.Parameter.empty else f"[{name}]"


def _section(item: Command) -> str:
    own = own_parameters(item.body)
    arguments = [p for p in own if isinstance(info(p), ArgumentInfo)]
    usage = " ".join(["graphmem", item.name, *(_argument(p) for p in arguments)])
    parts = [f"### {item.name}", inspect.getdoc(item.body) or "", f"`{usage}`"]
    if own:
        parts.append(_table(("", ""), [_row(p) for p in own]))
    if not item.user:
        parts.append("Takes no `--user` and `--tenant`.")
    parts.append(f"```console\n$ {item.example}\n```")
    return "\n\n".join(parts)


def cli_page() -> str:
    """Return docs/cli.md."""
    parts = [
        "# Command line",
        _MADE,
        SUMMARY,
        "Results go to standard output, notes and progress to standard error. With `--json` a "
        "command prints one JSON object with stable field names; an error is "
        '`{"error": {"type", "message", "retryable"}}`. Times are printed in the memory\'s zone, '
        "no finer than they are known. Every id that is shown is accepted wherever an id is taken. "
        "Colours appear on a terminal only, and never with `NO_COLOR`. `-` stands for standard "
        "input.",
        "## Shared options",
        _table(("", ""), [_row(p) for p in shared_options()]),
        "What they do not give comes from the [settings](settings.md).",
        "## Exit codes",
        _table(("code", "meaning"), [(str(code.value), text) for code, text in MEANING.items()]),
    ]
    for panel in dict.fromkeys(item.panel for item in commands()):
        parts.append(f"## {panel}")
        parts += [_section(item) for item in commands() if item.panel == panel]
    return "\n\n".join(parts) + "\n"


def settings_page() -> str:
    """Return docs/settings.md."""
    rows = [(f"`{d.name}`", f"`{d.variable}`", d.default, d.meaning) for d in definitions()]
    parts = [
        "# Settings",
        _MADE,
        "A setting has one name in code (`Settings.load(timezone=…)`), in the configuration file "
        "and, in capitals with `GRAPHMEM_` before it, in the environment. Arguments come before "
        "the environment, the environment before the file. An unknown setting, or a value that "
        "cannot be used, is an error. Empty variables count as not set.",
        f"The file is the one given with `--config`, else the one named by `{CONFIG_VARIABLE}`, "
        f"else `{FILE_NAME}` in the memory's folder. Paths in it are relative to it. Keys are "
        "never shown, neither in messages nor in representations.",
        _table(("setting", "variable", "default", "meaning"), rows),
        "A file for a chat model on this machine:",
        '```toml\ntimezone = "Europe/Riga"\nextractor = "model"\nmodel = "qwen3:8b"\n'
        'model_base_url = "http://127.0.0.1:11434/v1"\nauthority = { assistant = 30 }\n```',
    ]
    return "\n\n".join(parts) + "\n"


PAGES = {"cli.md": cli_page, "settings.md": settings_page}


def main(folder: Path) -> None:
    """Write every page into ``folder``."""
    for name, page in PAGES.items():
        (folder / name).write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
