"""Snippets and stories read end to end: by a scripted model over HTTP, and by recorded answers."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from benchmarks import extraction, stories
from graphmem.testing.model_server import Reply, Request, ScriptedServer

Figures = Mapping[str, Any]  # Any: JSON


def a_claim(quote: str, predicate: str, value: str, **more: object) -> dict[str, object]:
    """Return a claim of the first turn as a model writes it."""
    usual: dict[str, object] = {
        "turn": "T1", "subject": "me", "object_kind": "entity", "polarity": "+",
        "modality": "asserted", "form": "state", "start": "", "end": "", "qualifiers": [],
        "beside": False, "replaces": "", "corrects": "", "importance": 5, "statement": quote,
    }  # fmt: skip
    return {**usual, "quote": quote, "predicate": predicate, "object": value, **more}


def an_answer(*claims: Mapping[str, object]) -> Reply:
    """Return a reply that costs 100 and 20 tokens."""
    return Reply(content=json.dumps({"claims": claims}, ensure_ascii=False), usage=(100, 20))


MODEL = {
    "I joined Finch Co two weeks ago": an_answer(
        a_claim("I joined Finch Co two weeks ago", "works_at", "Finch Co", form="since",
                start="two weeks ago"),
    ),
    "我上周五辞职了": an_answer(
        a_claim("我上周五辞职了", "works_at", "", object_kind="none", form="end", end="上周五"),
    ),
    "Mia has moved to Kassel": an_answer(
        # It takes Mia's move for the user's.
        a_claim("moved to Kassel", "lives_in", "Kassel", form="change"),
    ),
    "I don't eat pork": an_answer(
        a_claim("I don't eat pork", "eats", "pork", polarity="-"),
        a_claim("I've never smoked", "drinks", "rum"),
    ),
}  # fmt: skip
ONLY = ("en-update-job", "zh-ending-1", "en-third-friend-move", "en-negation-pork")
WORDS = [word for name in ONLY for word in ("--only", name)]


def scripted(request: Request) -> Reply:
    """Answer by what the last message shows."""
    shown = str(request.body["messages"][-1]["content"])
    return next(reply for words, reply in MODEL.items() if words in shown)


def run(main: Any, *words: str) -> Figures:
    """Run a benchmark and read the one object it prints."""  # Any: a benchmark's main
    with redirect_stdout(StringIO()) as printed:
        main([*words, "--json"])
    return json.loads(printed.getvalue())


def judged(figures: Figures) -> Figures:
    """Return what does not depend on the clock or the name of what reads."""
    apart = ("seconds", "reader", "changed", "missing")
    return {name: value for name, value in figures.items() if name not in apart}


def test_a_model_is_asked_recorded_and_replayed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One call a snippet; figures are of what is then remembered, and the same from the record."""
    monkeypatch.setenv("SOME_KEY", "sk-test-0123456789abcdefghij")
    record = tmp_path / "answers.jsonl"
    with ScriptedServer(scripted) as server:
        endpoint = ["--base-url", server.url, "--model", "tiny", "--key-env", "SOME_KEY"]
        live = run(extraction.main, *WORDS, *endpoint, "--record", str(record), "--jobs", "4")
    assert {r.headers["authorization"] for r in server.requests} == {
        "Bearer sk-test-0123456789abcdefghij"
    }
    assert "sk-test" not in record.read_text("utf-8")
    assert live["reader"] == "model/tiny/p4"
    # Right: the job, pork; wrong: the user in Kassel; refused: rum, which nobody said.
    assert (live["n"], live["gold"], live["stored"]) == (4, 4, 3)
    assert (live["precision"], live["recall"]) == (0.6667, 0.5)
    assert live["forbidden"] == {"wrong_subject": 1}
    assert sum(live["refused"].values()) == 1
    # Mia's old home was not ended, and the user's, which stays, was.
    assert (live["updates"], live["updates_right"]) == (3, 0.6667)
    assert (live["kept"], live["false_endings"]) == (3, 0.3333)
    assert (live["calls"], live["prompt_tokens"], live["completion_tokens"]) == (4, 400, 80)
    assert (live["by_kind"]["third_person"]["forbidden"], live["unread"]) == (1, 0)
    again = run(extraction.main, *WORDS, "--replay", str(record))
    assert judged(again) == judged(live)
    assert (again["reader"], again["changed"], again["missing"]) == ("model/tiny/p4", 0, 0)


def test_a_record_that_does_not_fit_is_told(tmp_path: Path) -> None:
    """Answers to another prompt are used and counted; what has none is not read, and counted."""
    row = {
        "name": "en-update-job", "call": 1, "step": "extract", "model": "tiny",
        "request": "of another prompt", "truncated": False, "tokens": [100, 20],
        "text": MODEL["I joined Finch Co two weeks ago"].content,
    }  # fmt: skip
    record = tmp_path / "answers.jsonl"
    record.write_text(json.dumps(row) + "\n", "utf-8")
    figures = run(extraction.main, *WORDS, "--replay", str(record))
    assert (figures["changed"], figures["missing"]) == (1, 3)
    assert figures["unread"] == 3
    assert figures["by_kind"]["update"]["stored"] == 1


def test_what_was_said_before_is_not_read(tmp_path: Path) -> None:
    """Earlier turns and what was known cost no call; the model sees both."""
    claim = a_claim("She plays the cello", "plays", "cello", subject="Noor")
    with ScriptedServer(lambda _: an_answer(claim)) as server:
        endpoint = ["--base-url", server.url, "--model", "tiny"]
        found = run(extraction.main, "--only", "en-pronoun-cello", *endpoint)
    (request,) = server.requests
    assert "My colleague Noor just got back" in request.prompt
    assert (found["stored"], found["recall"], found["calls"]) == (1, 1.0, 1)


def test_a_table_is_printed_with_what_is_wrong(capsys: pytest.CaptureFixture[str]) -> None:
    """Without --json: a line for each kind, then updates, refusals and tokens, then the errors."""
    with ScriptedServer(lambda _: an_answer()) as server:
        endpoint = ["--base-url", server.url, "--model", "tiny"]
        extraction.main([*endpoint, "--errors", "--only", "en-format-list", "--only", "junk"])
    told = capsys.readouterr().out
    assert "\njunk " in told
    assert "updates right" in told
    assert "en-format-list missed me; visited; Riga" in told


def test_a_story_is_told_to_a_model(tmp_path: Path) -> None:
    """Each sentence is a call of its own; the checks are answered from what is believed."""
    row = {
        "id": "S1", "lang": "en", "topic": "home",
        "turns": [{"at": "2024-05-10", "text": "I live in Leeds."},
                  {"at": "2024-05-12", "text": "(assistant) Leeds is nice."},
                  {"at": "2024-05-25", "text": "We moved to York this month."}],
        "claims": [{"value": "Leeds", "authority": 100}, {"value": "York", "authority": 100}],
        "checks": [{"as": "known", "when": "2024-05-12", "want": ["Leeds"]},
                   {"as": "now", "when": "2024-06-10", "want": ["York"]},
                   {"as": "now", "when": "2024-06-11", "want": ["Leeds", "nothing"]}],
    }  # fmt: skip
    (tmp_path / stories.FILE).write_text(json.dumps(row) + "\n", "utf-8")
    answers = [
        an_answer(a_claim("I live in Leeds", "lives_in", "Leeds")),
        an_answer(
            a_claim("We moved to York this month", "lives_in", "York", form="since",
                    start="this month")
        ),
    ]  # fmt: skip
    words = ["--from", "sentences", "--data", str(tmp_path)]
    record = tmp_path / "answers.jsonl"
    with ScriptedServer(answers) as server:
        endpoint = ["--base-url", server.url, "--model", "tiny", "--record", str(record)]
        figures = run(stories.main, *words, *endpoint)
    assert (figures["n"], figures["right"], figures["calls"]) == (1, 0.0, 2)
    assert (figures["checks"], figures["checks_right"]) == (3, 0.6667)
    again = run(stories.main, *words, "--replay", str(record))
    assert judged(again) == judged(figures)


BAD = {
    "two readers": (["--patterns", "--base-url", "http://127.0.0.1:1/v1", "--model", "m"], "one"),
    "no model": (["--base-url", "http://127.0.0.1:1/v1"], "--model"),
    "no address": (["--model", "m"], "--base-url"),
    "a bad address": (["--base-url", "nowhere", "--model", "m"], "nowhere"),
    "nothing to record": (["--record", "answers.jsonl"], "--record"),
    "no record": (["--replay", "nowhere.jsonl"], "nowhere.jsonl"),
    "no jobs": (["--jobs", "0"], "--jobs"),
    "no key": (
        ["--base-url", "http://127.0.0.1:1/v1", "--model", "m", "--key-env", "NO_SUCH_KEY"],
        "NO_SUCH_KEY",
    ),
}


def from_sentences(words: Sequence[str]) -> None:
    """Measure the stories as they are read."""
    stories.main(["--from", "sentences", *words])


@pytest.mark.parametrize("fault", BAD)
@pytest.mark.parametrize("main", [extraction.main, from_sentences])
def test_options_that_make_no_sense_are_refused(
    fault: str, main: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    """The error names the option or the value, and nothing is measured."""  # Any: a main
    words, named = BAD[fault]
    with pytest.raises(SystemExit) as ended:
        main(words)
    told = capsys.readouterr()
    assert (ended.value.code, told.out) == (2, "")
    assert named in told.err


def test_who_takes_claims_names_no_reader(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It would not be asked; and answers recorded before are left as they are."""
    record = tmp_path / "answers.jsonl"
    record.write_text("kept", "utf-8")
    live = ["--base-url", "http://127.0.0.1:1/v1", "--model", "m", "--record", str(record)]
    for words in (live, live[:2], live[2:4], live[4:], ["--replay", str(record)]):
        with pytest.raises(SystemExit):
            stories.main(words)
        assert "--from sentences" in capsys.readouterr().err
    assert record.read_text("utf-8") == "kept"


def test_a_snippet_that_is_none_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    """A name that is no snippet and no kind is said back."""
    with pytest.raises(SystemExit):
        extraction.main(["--only", "nonesuch"])
    assert "nonesuch" in capsys.readouterr().err


def test_a_bad_line_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The folder, the file and the line."""
    names: Sequence[str] = extraction.FILES
    for name in names:
        (tmp_path / name).write_text("", "utf-8")
    (tmp_path / names[1]).write_text("{}\n", "utf-8")
    with pytest.raises(SystemExit):
        extraction.main(["--data", str(tmp_path)])
    assert f"{names[1]}:1: a snippet lacks id" in capsys.readouterr().err
