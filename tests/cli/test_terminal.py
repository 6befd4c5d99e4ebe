"""What happens on a terminal: colour, progress, interrupts, a reader that goes away."""

from __future__ import annotations

import os
import pty
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from graphmem.testing.model_server import Reply, ScriptedServer
from tests.cli.commandline import CommandLine

COMMAND = [sys.executable, "-m", "graphmem.entrypoints.cli"]
COLOUR = re.compile(r"\x1b\[[0-9;]*3[0-7]")


def on_terminal(*arguments: str, **environ: str) -> tuple[int, str]:
    """Run a command with a terminal for its output; return its code and all that it shows."""
    main, end = pty.openpty()
    process = subprocess.Popen(
        [*COMMAND, *arguments],
        stdin=end,
        stdout=end,
        stderr=end,
        env={**os.environ, "TERM": "xterm-256color", **environ},
    )
    os.close(end)
    shown = b""
    while True:
        try:
            part = os.read(main, 65536)
        except OSError:  # how a pseudo-terminal says that the other end is closed
            break
        if not part:
            break
        shown += part
    os.close(main)
    return process.wait(), shown.decode()


def test_colour_on_a_terminal(cli: CommandLine) -> None:
    """There, and not with NO_COLOR or through a pipe."""
    cli.text("add", "I live in Riga.")
    code, shown = on_terminal("search", "Where do I live?")
    assert code == 0
    assert COLOUR.search(shown)
    code, shown = on_terminal("search", "Where do I live?", NO_COLOR="1")
    assert code == 0
    assert not COLOUR.search(shown)
    assert "\x1b" not in cli.text("search", "Where do I live?")


def test_json_on_a_terminal_is_plain(cli: CommandLine) -> None:
    """JSON is never coloured."""
    cli.text("add", "I live in Riga.")
    assert "\x1b" not in on_terminal("facts", "--json")[1]


@pytest.mark.usefixtures("cli")
def test_progress_on_a_terminal() -> None:
    """Long work shows how far it is."""
    Path("talk.txt").write_text("User: I live in Riga.\n" * 40, encoding="utf-8")
    code, shown = on_terminal("ingest", "talk.txt")
    assert code == 0
    assert "40/40" in shown


def test_an_interrupt_ends_cleanly(cli: CommandLine) -> None:
    """Ctrl-C gives code 130, no traceback, and what was stored stays."""
    with ScriptedServer(lambda _: Reply(delay=60)) as server:
        process = subprocess.Popen(
            [*COMMAND, "add", "I live in Riga."],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={
                **os.environ,
                "GRAPHMEM_EXTRACTOR": "model",
                "GRAPHMEM_MODEL": "slow",
                "GRAPHMEM_MODEL_BASE_URL": server.url,
            },
            # A run in the background of a shell is deaf to it, and so would be what it starts.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
        )
        while not server.requests and process.poll() is None:
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert process.returncode == 130, err
    assert out == ""
    assert "Traceback" not in err
    assert [turn["state"] for turn in cli.json("retry-pending")["turns"]] == ["stored"]


@pytest.mark.parametrize("more", ["", "--json"])
def test_a_reader_that_goes_away_is_no_error(more: str, cli: CommandLine) -> None:
    """``graphmem facts | head`` ends quietly."""
    for number in range(12):
        said = f"{number} " + "I like tea. " * 800
        cli.text("add-fact", "me", "likes", f"tea {number}", "--statement", said)
    pipe = f"{' '.join(COMMAND)} facts {more} | head -c 10"
    done = subprocess.run(
        ["bash", "-c", f"set -o pipefail; {pipe}"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0
    assert done.stderr == ""
