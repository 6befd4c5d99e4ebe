"""Every argument and option of every command, given what nobody should give it."""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import cast

import pytest
from typer.models import ArgumentInfo, OptionInfo

from graphmem.entrypoints.cli.app import commands, run
from graphmem.entrypoints.cli.command import Command, info, own_parameters, shared_options
from graphmem.entrypoints.cli.outcome import Exit
from graphmem.entrypoints.decoding import LINE_LIMIT
from graphmem.usecases.turns import LONGEST
from tests.cli.commandline import CommandLine
from tests.enemies.nasty import BROKEN, TEXTS
from tests.enemies.test_large import LONG

pytestmark = pytest.mark.embedded("drives the command line on a folder")

STEP = 1 if LONG else 40
FACT = "fact_" + "0" * 32
SAME = "same_" + "0" * 32
GOOD: dict[str, Callable[[Path], list[str]]] = {
    "add": lambda folder: ["I like tea."],
    "add-fact": lambda folder: ["me", "likes", "tea"],
    "ingest": lambda folder: [f"{folder}/in.jsonl"],
    "correct": lambda folder: [FACT, "Cork"],
    "retract": lambda folder: [FACT],
    "restore": lambda folder: [FACT],
    "retry-pending": lambda folder: [],
    "search": lambda folder: ["where do I live?"],
    "context": lambda folder: ["plan dinner"],
    "facts": lambda folder: [],
    "history": lambda folder: [FACT],
    "explain": lambda folder: [FACT],
    "entities": lambda folder: [],
    "merge": lambda folder: ["Bob", "--into", "Kim"],
    "split": lambda folder: ["Bob", "--out-of", "Kim"],
    "suggestions": lambda folder: [],
    "confirm": lambda folder: [SAME],
    "reject": lambda folder: [SAME],
    "undo": lambda folder: [SAME],
    "erase": lambda folder: ["--yes", "--user", "nobody"],
    "export": lambda folder: [f"{folder}/out.jsonl"],
    "import": lambda folder: [f"{folder}/missing.jsonl"],
    "migrate": lambda folder: ["--to", f"{folder}/elsewhere"],
    "verify": lambda folder: [],
    "repair": lambda folder: [],
    "reindex": lambda folder: [],
    "doctor": lambda folder: [],
    "browser": lambda folder: [f"{folder}/queries"],
    "demo": lambda folder: [],
}
FILES = {"path", "config", "file", "files", "folder", "to", "to_config"}


def spoiled(item: Command, folder: Path) -> list[list[str]]:
    """Return command lines of a command in which one argument or option is odd."""
    good = GOOD[item.name](folder)
    lines: list[list[str]] = []
    place = 0
    for parameter in [*own_parameters(item.body), *shared_options(user=item.user)]:
        known = info(parameter)
        spot = place
        place += isinstance(known, ArgumentInfo)
        if parameter.name == "debug":
            continue  # it asks for a traceback
        for text in TEXTS:
            if text in ("\0", "a\0b", BROKEN):
                continue  # no command line can hold one
            odd = text
            if parameter.name in FILES:
                odd = f"{folder}/{text.lstrip('/').replace('..', 'dots')}"
            if isinstance(known, ArgumentInfo):
                lines.append([item.name, *good[:spot], odd, *good[spot + 1 :]])
            else:
                # Inside Annotated the first flag stands where a default would.
                option = cast("OptionInfo", known)
                flag = str((option.default, *(option.param_decls or ()))[0])
                assert flag.startswith("--")
                lines.append([item.name, *good, flag, odd])
    return lines


def test_every_command_is_spoiled() -> None:
    """A new command needs a good call here, and is then tried like the others."""
    assert {item.name for item in commands()} == set(GOOD)


@pytest.mark.parametrize("item", commands(), ids=lambda item: item.name)
def test_odd_arguments_end_with_a_code_and_a_line(
    cli: CommandLine, tmp_path: Path, item: Command
) -> None:
    """A documented code, never a fault; what was wrong is said on lines of our own."""
    folder = tmp_path / "files"
    folder.mkdir()
    cli.text("add", "I live in Riga.", "--user", "keeper")
    (folder / "in.jsonl").write_text('{"content": "I like tea."}', encoding="utf-8")
    lines = spoiled(item, folder)
    start = zlib.crc32(item.name.encode()) % STEP
    for line in lines[start::STEP]:
        code = run(line)
        shown = cli.capsys.readouterr()
        assert code in set(Exit) - {Exit.FAULT, Exit.INTERRUPTED}, (line, shown.err)
        assert "Traceback" not in shown.err + shown.out
        assert len(shown.err) < 3_000, line
        if code in (Exit.USAGE, Exit.NOT_FOUND, Exit.UNAVAILABLE):
            assert shown.err.strip().splitlines()[-1].startswith("graphmem: "), line
    assert cli.json("facts", "--user", "keeper")["total"] == 1


BAD_LINES: dict[str, bytes] = {
    "broken JSON": b'{"content": "I like ',
    "a number": b"5",
    "text": b'"I like plums."',
    "nothing": b"null",
    "no content": b'{"role": "user"}',
    "content of another type": b'{"content": 5}',
    "an unknown role": b'{"content": "a", "role": "king"}',
    "no time": b'{"content": "a", "occurred_at": "soon"}',
    "an endless time": b'{"content": "a", "occurred_at": 1e308}',
    "a huge time": b'{"content": "a", "occurred_at": ' + b"9" * 5000 + b"}",
    "other bytes": '{"content": "我喜欢"}'.encode("gb18030"),
    "Latin-1": b'{"content": "caf\xe9"}',
    "a null": b'{"content": "a\x00b"}',
    "a surrogate": b'{"content": "a\\ud800b"}',
    "nested lists": b"[" * 100_000,
    "a label of another type": b'{"content": "a", "session": {"a": 1}}',
    "two objects": b'{"content": "a"} {"content": "b"}',
}


@pytest.mark.parametrize("kind", BAD_LINES)
def test_a_bad_line_is_named_and_the_rest_kept(cli: CommandLine, tmp_path: Path, kind: str) -> None:
    """The lines before and after it are stored; its number is in the message; the code says so."""
    lines = [
        b"\xef\xbb\xbf" + b'{"content": "I live in Riga."}\r',
        b"",
        BAD_LINES[kind],
        b"   ",
        '{"content": "我对芒果过敏。"}'.encode(),
        b'{"content": "I like tea."}',
    ]
    (tmp_path / "talk.jsonl").write_bytes(b"\n".join(lines))
    out = cli.json("ingest", "talk.jsonl", code=Exit.PARTIAL)
    (bad,) = out["unreadable"]
    assert bad["where"].startswith("line 3")
    assert len(bad["reason"]) < 600
    assert "line 3" in cli.err
    assert [turn["state"] for turn in out["files"][0]["turns"]] == ["stored"] * 3
    assert {f["object"]["text"] for f in cli.json("facts")["items"]} == {"Riga", "芒果", "tea"}


def test_a_line_of_ten_megabytes_is_read(cli: CommandLine, tmp_path: Path) -> None:
    """A message may be as long in a file as in a call; a longer line is named, the rest kept."""
    assert LINE_LIMIT > 6 * LONGEST
    long = {"content": "I live in Riga. " + "a" * (LONGEST - 100)}
    rows = [
        json.dumps(long),
        json.dumps({"content": "b" * (LONGEST + 1)}),
        '{"content": "I like tea."}',
    ]
    (tmp_path / "talk.jsonl").write_text("\n".join(rows), encoding="utf-8")
    out = cli.json("ingest", "talk.jsonl", code=Exit.PARTIAL)
    assert [turn["state"] for turn in out["files"][0]["turns"]] == ["stored", "failed", "stored"]
    assert {f["object"]["text"] for f in cli.json("facts")["items"]} == {"Riga", "tea"}


def test_a_file_in_another_encoding_is_refused_whole(cli: CommandLine, tmp_path: Path) -> None:
    """Where most lines are no UTF-8 it is no fault of a line; the message says what to do."""
    rows = "\n".join(
        json.dumps({"content": f"我住在第{n}街"}, ensure_ascii=False) for n in range(5)
    )
    (tmp_path / "talk.jsonl").write_bytes(rows.encode("gb18030"))
    cli.text("ingest", "talk.jsonl", code=Exit.USAGE)
    assert "iconv" in cli.err
    assert cli.json("facts", code=Exit.NOTHING)["total"] == 0


def test_an_id_shown_by_search_is_taken_by_erase(cli: CommandLine) -> None:
    """And an empty one, as an unset variable gives, erases nothing."""
    cli.text("add", "I live in Riga. I like tea.")
    shown = cli.json("search", "where do I live?")["hits"][0]["id"]
    cli.text("erase", "--fact", "", "--yes", code=Exit.USAGE)
    cli.text("erase", "--episode", "", "--yes", code=Exit.USAGE)
    assert cli.json("facts")["total"] == 2
    cli.text("erase", "--fact", shown, "--yes")
    assert [f["object"]["text"] for f in cli.json("facts")["items"]] == ["tea"]


def test_hints_name_the_option_of_the_command_line(cli: CommandLine, tmp_path: Path) -> None:
    """Who speaks in a file and is not the user is said with --me."""
    row = {"role": "user", "name": "Ida", "content": "I live in Riga."}
    (tmp_path / "talk.jsonl").write_text(json.dumps(row), encoding="utf-8")
    cli.text("ingest", "talk.jsonl")
    assert "--me" in cli.err
    assert "me=" not in cli.err
