"""The command that writes what Neo4j Browser takes."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

from graphmem import resources
from tests.cli.commandline import CommandLine


def names(file: Path) -> list[str]:
    with zipfile.ZipFile(file) as packed:
        return packed.namelist()


def test_what_is_written(cli: CommandLine) -> None:
    """A style sheet, and every saved query in one folder of an archive; no memory is opened."""
    out = cli.json("browser", "files")
    style, packed = (Path(file) for file in out["files"])
    assert style.read_text("utf-8") == resources.read_text("cypher", "browser", "style.grass")
    queries = sorted((resources.folder("cypher") / "browser").glob("*.cypher"))
    assert names(packed) == [f"graphmem/{path.name}" for path in queries]
    assert not cli.home.exists()
    before = packed.read_bytes()
    assert "Wrote files/graphmem.zip" in cli.text("browser", "files").replace("\\", "/")
    assert packed.read_bytes() == before


def test_its_user_is_filled_in(cli: CommandLine) -> None:
    """Whatever the names are made of, as one line in which no semicolon ends the command."""
    odd = 'o\'Neil "the Rook" \\ ; // {x} \n 猫'
    cli.text("browser", "--user", odd, "--tenant", "a;b")
    with zipfile.ZipFile("graphmem.zip") as packed:
        text = packed.read("graphmem/0_parameters.cypher").decode()
    command, after = text[text.index(":params ") :].split("\n")
    assert (";" in command, after) == (False, "")
    values = json.loads(command.removeprefix(":params "))
    assert (values["user"], values["tenant"], values["subject"]) == (odd, "a;b", "me")


def test_it_needs_a_user(cli: CommandLine) -> None:
    """Each query is of one user."""
    cli.monkeypatch.delenv("GRAPHMEM_USER")
    cli.text("browser", code=2)
    assert "whose memory?" in cli.err
