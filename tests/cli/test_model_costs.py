"""What a model costs on the command line: before it is asked, and after."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from graphmem.testing.endpoints import DEEPSEEK
from graphmem.testing.model_server import ScriptedServer
from tests.cli.commandline import CommandLine
from tests.models.kit import answer

ROOT = Path(__file__).parents[2]
TALK = "examples/talk.jsonl"


@pytest.fixture
def server(cli: CommandLine) -> Iterator[ScriptedServer]:
    """Let a scripted server read the turns."""
    shutil.copytree(ROOT / "examples", "examples")
    play = DEEPSEEK.taking(lambda request: DEEPSEEK.reply(answer(request)))
    with ScriptedServer(play) as played:
        for name, value in {
            "GRAPHMEM_EXTRACTOR": "model",
            "GRAPHMEM_MODEL": "small",
            "GRAPHMEM_MODEL_BASE_URL": played.url,
        }.items():
            cli.monkeypatch.setenv(name, value)
        yield played


def test_a_dry_run_asks_and_makes_nothing(cli: CommandLine, server: ScriptedServer) -> None:
    """Neither a call nor a memory; each file and the whole are told."""
    done = cli.json("ingest", TALK, "examples/talk.txt", "--dry-run")
    assert not server.requests
    assert not cli.home.exists()
    assert [row["file"] for row in done["files"]] == [TALK, "examples/talk.txt"]
    assert done["whole"]["calls"] == sum(row["calls"] for row in done["files"]) > 0
    shown = cli.text("ingest", TALK, "--dry-run")
    assert " tokens of prompts (" in shown
    assert "the same in each" in shown


def test_a_dry_run_passes_over_what_is_known(cli: CommandLine, server: ScriptedServer) -> None:
    """After the same file was added, it costs nothing more."""
    cli.text("ingest", TALK)
    asked = len(server.requests)
    done = cli.json("ingest", TALK, "--dry-run")["whole"]
    assert len(server.requests) == asked
    assert done["known"] == done["turns"] > 0
    assert done["calls"] == 0


def test_a_dry_run_of_nothing(cli: CommandLine, server: ScriptedServer) -> None:
    """Ends as the ingest would."""
    cli.text("ingest", "-", "--dry-run", code=1, stdin="")
    cli.text("ingest", "-", "--dry-run", "--format", "jsonl", code=2, stdin="{bad\n")
    assert not server.requests


def test_the_most_calls_are_for_all_files_together(
    cli: CommandLine, server: ScriptedServer
) -> None:
    """The first file has used them up, and a retry reads what was left."""
    lines = [json.dumps({"role": "user", "content": "I drink tea.", "id": str(n)}) for n in (1, 2)]
    for name, line in zip(("a.jsonl", "b.jsonl"), lines, strict=True):
        Path(name).write_text(line + "\n", encoding="utf-8")
    done = cli.json("ingest", "a.jsonl", "b.jsonl", "--max-calls", "2", code=5)
    assert len(server.requests) == 2  # the way of asking was found by two
    states = [[turn["state"] for turn in file["turns"]] for file in done["files"]]
    assert states == [["stored"], ["pending"]]
    assert "max_model_calls" in done["files"][1]["turns"][0]["reason"]
    cli.text("retry-pending", "--max-calls", "0", code=5)
    cli.text("retry-pending", "--max-calls", "5", "--max-tokens", "20000")
    assert cli.json("facts", "--predicate", "drinks")["total"] == 1


def test_receipts_tell_the_cost_by_step(cli: CommandLine, server: ScriptedServer) -> None:
    """For scripts, and for people."""
    receipt = cli.json("add", "I drink tea.", "--max-calls", "9")
    assert receipt["steps"]["extract"] == receipt["usage"]
    assert receipt["usage"]["calls"] == len(server.requests) == 2
    assert receipt["usage"]["cached_tokens"] == 640
    assert receipt["usage"]["seconds"] > 0
    assert "s (extract)" in cli.text("add", "I drink tea again.")


def found(cli: CommandLine, *options: str) -> dict[str, str]:
    """Return what the doctor says of the model."""
    report = cli.json("doctor", *options)
    return {row["name"]: row["value"] for row in report["findings"] if "model" in row["name"]}


def test_the_doctor_tells_how_the_model_was_asked_last(
    cli: CommandLine, server: ScriptedServer
) -> None:
    """It asks nothing for that; the next process knows it as well."""
    assert found(cli)["model"] == f"small at {server.url}: not asked yet; doctor --probe does"
    cli.text("add", "I drink tea.")
    asked = len(server.requests)
    told = found(cli)
    assert told["model"] == f"small at {server.url}: asked by json_object"
    assert told["model's last cost"].startswith("2 calls, 990 tokens, 640 of them cached, ")
    assert len(server.requests) == asked
    cli.monkeypatch.setenv("GRAPHMEM_MODEL", "other")
    assert "not asked yet" in found(cli)["model"]


def test_the_doctor_tries_every_way_if_told_to(cli: CommandLine, server: ScriptedServer) -> None:
    """One call for each, and what came of it."""
    cli.text("add", "I drink tea.")
    asked = len(server.requests)
    told = found(cli, "--probe")
    assert len(server.requests) == asked + 4
    assert told["model by json_schema"].startswith("no: ")
    assert told["model by json_object"].startswith("works: ")
    assert told["model"] == f"small at {server.url}: asked by json_object"


def test_the_doctor_finds_an_endpoint_that_is_away(
    cli: CommandLine, server: ScriptedServer
) -> None:
    """That is not well, and the reason is told."""
    cli.monkeypatch.setenv("GRAPHMEM_MODEL_BASE_URL", "http://127.0.0.1:9/v1")
    report = cli.json("doctor", "--probe", code=1)
    rows = {row["name"]: row for row in report["findings"]}
    assert not rows["model"]["well"]
    assert "no connection" in rows["model by text"]["value"]
    assert not server.requests
