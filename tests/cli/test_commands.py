"""Every command, end to end on a real memory."""

from __future__ import annotations

import json
import shutil
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from tests.cli.commandline import CommandLine

ROOT = Path(__file__).parents[2]


@pytest.fixture
def story(cli: CommandLine) -> CommandLine:
    """Return a command line whose memory knows a little."""
    cli.text("add", "I live in Hangzhou and I'm allergic to mango.", "--at", "2025-01-10")
    cli.text("add", "杨枝甘露里有芒果。", "--at", "2025-02-01")
    cli.text("add", "I've moved to Lisbon.", "--at", "2025-06-02")
    return cli


# Writing


def test_add_prints_a_receipt(cli: CommandLine) -> None:
    """What was taken from the turn, for people and for scripts."""
    assert "added: I live in Riga" in cli.text("add", "I live in Riga.")
    receipt = cli.json("add", "I've moved to Lisbon.")
    assert [turn["state"] for turn in receipt["turns"]] == ["stored"]
    assert sorted(item["change"] for item in receipt["facts"]) == ["added", "ended"]


def test_add_takes_labels_and_standard_input(cli: CommandLine) -> None:
    """A turn's session, agent, time, speaker and id are kept."""
    options = ["--session", "s", "--agent", "a", "--at", "2025-01-10T09:00+08:00", "--id", "7"]
    receipt = cli.json("add", "-", *options, stdin="I live in Riga.")
    assert receipt["facts"][0]["fact"]["said_at"] == "2025-01-10T01:00:00+00:00"
    again = cli.json("add", "-", *options, stdin="I live in Riga.")
    assert again["turns"][0]["state"] == "duplicate"
    assert again["turns"][0]["episode"] == receipt["turns"][0]["episode"]
    assert cli.json("search", "Where do I live?", "--session", "s")["hits"]
    assert not cli.json("search", "Where do I live?", "--session", "t", code=1)["hits"]


def test_add_of_another_role_and_speaker(cli: CommandLine) -> None:
    """What an assistant says is no fact about the user; what Ida says is about Ida."""
    assert not cli.json("add", "You live in Riga.", "--role", "assistant")["facts"]
    facts = cli.json("add", "I live in Riga.", "--name", "Ida")["facts"]
    assert facts[0]["fact"]["subject"]["text"] == "Ida"


def test_add_refuses_a_bad_turn(cli: CommandLine) -> None:
    """The receipt says why, and the code is 5."""
    receipt = cli.json("add", " ", code=5)
    assert receipt["turns"][0]["state"] == "failed"
    assert "failed: content must not be empty" in cli.text("add", " ", code=5)


def test_unread_turns_are_pending_until_retried(cli: CommandLine) -> None:
    """Without an extractor nothing is lost; the code says that a part is left."""
    cli.monkeypatch.setenv("GRAPHMEM_EXTRACTOR", "none")
    assert cli.json("add", "I live in Riga.", code=5)["turns"][0]["state"] == "pending"
    cli.monkeypatch.setenv("GRAPHMEM_EXTRACTOR", "patterns")
    assert cli.json("retry-pending")["facts"][0]["change"] == "added"
    assert cli.json("retry-pending", "--all")["facts"] == []


def test_add_fact_by_its_parts(cli: CommandLine) -> None:
    """Dates, polarity, modality and qualifiers arrive."""
    cli.text(
        "add-fact", "me", "works_at", "Larch", "--from", "2025-09-01", "--qualifier", "as=cook"
    )
    fact = cli.fact("works_at", "--valid-at", "2025-10-01")
    assert fact["valid_from"]["earliest"] == "2025-09-01T00:00:00+00:00"
    assert fact["qualifiers"] == {"as": "cook"}
    cli.text("add-fact", "me", "likes", "opera", "--not", "--statement", "Ana can't bear opera.")
    assert cli.fact("likes")["polarity"] == "-"
    assert cli.fact("likes")["statement"] == "Ana can't bear opera."


def test_correct_retract_and_restore(story: CommandLine) -> None:
    """A wrong value is replaced; a fact is taken back and put back; ids are accepted everywhere."""
    wrong = story.fact("lives_in")["id"]
    story.text("correct", wrong, "Porto")
    right = story.fact("lives_in")
    assert right["object"]["text"] == "Porto"
    story.text("retract", right["id"], "--reason", "said in jest")
    assert story.fact("lives_in")["object"]["text"] == "Lisbon"
    assert story.fact("lives_in", "--retracted")["cause"] is not None
    story.text("restore", right["id"])
    assert story.fact("lives_in")["object"]["text"] == "Porto"


# Ingesting


def test_ingest_of_several_files(cli: CommandLine) -> None:
    """Each file is a session, read by its own format, and known when it is sent again."""
    files = [str(ROOT / "examples" / name) for name in ("talk.jsonl", "talk.txt")]
    first = cli.json("ingest", *files)
    assert [len(file["turns"]) for file in first["files"]] == [4, 7]
    assert cli.fact("lives_in")["object"]["text"] == "Lisbon"
    again = cli.json("ingest", *files)
    states = {turn["state"] for file in again["files"] for turn in file["turns"]}
    assert states == {"duplicate"}
    assert "talk.txt: 7 turns" in cli.text("ingest", files[1])


def test_ingest_goes_on_after_bad_lines(cli: CommandLine) -> None:
    """They are reported with their lines, and the code is 5."""
    text = '{"content": "I live in Riga."}\noops\n{"content": "I like tea."}\n'
    Path("talk.jsonl").write_text(text, encoding="utf-8")
    done = cli.json("ingest", "talk.jsonl", code=5)
    assert [item["where"] for item in done["unreadable"]] == ["line 2"]
    assert len(done["files"][0]["turns"]) == 2
    cli.text("ingest", "talk.jsonl", code=5)
    assert "talk.jsonl, line 2: is no JSON" in cli.err


def test_ingest_names_the_user(cli: CommandLine) -> None:
    """Only who is named with --me speaks of the user."""
    cli.text("ingest", "-", "--me", "Anna", stdin="Anna: I live in Riga.\nBo: I live in Cork.\n")
    facts = cli.json("facts", "--predicate", "lives_in")["items"]
    entities = {view["id"]: view["is_self"] for view in cli.json("entities")["items"]}
    assert {f["object"]["text"]: entities[f["subject"]["id"]] for f in facts} == {
        "Riga": True,
        "Cork": False,
    }


def test_ingest_dates_what_has_no_date(cli: CommandLine) -> None:
    """With --at, but only that."""
    text = "User: I like tea.\n[2024-05-01] User: I like jam.\n"
    cli.text("ingest", "-", "--at", "2025-01-10", stdin=text)
    said = {f["object"]["text"]: f["said_at"][:10] for f in cli.json("facts")["items"]}
    assert said == {"tea": "2025-01-10", "jam": "2024-05-01"}


def test_ingest_keeps_equal_turns_of_a_long_file_apart(cli: CommandLine) -> None:
    """The n-th "yes" of a session is the n-th, wherever the batches are cut."""
    lines = [json.dumps({"content": "Yes, that is right."})] * 3
    filler = [json.dumps({"content": "x " * 4000})] * 4
    Path("talk.jsonl").write_text("\n".join(lines + filler + lines), encoding="utf-8")
    turns = cli.json("ingest", "talk.jsonl")["files"][0]["turns"]
    assert [turn["state"] for turn in turns].count("duplicate") == 0


@pytest.mark.parametrize(
    ("name", "content", "code", "words"),
    [
        ("none.jsonl", None, 3, "none.jsonl: No such file"),
        ("empty.txt", b"", 1, "no message"),
        ("bad.jsonl", b"oops\n", 2, "no message"),
        ("bad.txt", "用户: 你好".encode("gb18030"), 2, "is not UTF-8"),
        ("bad.json", b"[", 2, "is no JSON"),
    ],
)
def test_ingest_of_nothing_readable(
    name: str, content: bytes | None, code: int, words: str, cli: CommandLine
) -> None:
    """The code and one line say why."""
    if content is not None:
        Path(name).write_bytes(content)
    cli.text("ingest", name, code=code)
    assert words in cli.err


# Reading


def test_search_answers_with_sources(story: CommandLine) -> None:
    """An answer has its source, its time and its id."""
    hit = story.json("search", "What am I allergic to?")["hits"][0]
    assert hit["fact"]["object"]["text"] == "mango"
    assert hit["sources"][0]["quote"] in "I live in Hangzhou and I'm allergic to mango."
    assert 0 < hit["score"] <= 1
    shown = story.text("search", "What am I allergic to?", "-n", "1")
    assert hit["id"] in shown
    assert "by 10 January 2025" in shown


def test_search_looks_back_on_both_axes(story: CommandLine) -> None:
    """The world of March, and the memory before a correction."""
    past = story.json("search", "Where did I live?", "--valid-at", "2025-03")
    assert past["hits"][0]["fact"]["object"]["text"] == "Hangzhou"
    fact = story.fact("lives_in")
    story.text("correct", fact["id"], "Porto")
    now = story.json("search", "Where do I live?")
    before = story.json("search", "Where do I live?", "--known-at", fact["created_at"])
    texts = [result["hits"][0]["fact"]["object"]["text"] for result in (now, before)]
    assert texts == ["Porto", "Lisbon"]


def test_search_shows_the_path(story: CommandLine) -> None:
    """A two-hop answer says how it was reached, across languages."""
    question = "What am I allergic to, and which dishes contain it?"
    hits = story.json("search", question)["hits"]
    walked = next(hit for hit in hits if len(hit["path"]) > 1)
    assert walked["fact"]["subject"]["text"] == "杨枝甘露"
    assert "path: " in story.text("search", question)


def test_search_that_finds_nothing(cli: CommandLine) -> None:
    """Says so, and the code is 1."""
    assert cli.json("search", "Where do I live?", code=1)["hits"] == []
    assert cli.text("search", "Where do I live?", code=1).startswith("Nothing found")


def test_context_fits_its_budget(story: CommandLine) -> None:
    """The text is printed as it goes into a prompt."""
    packed = story.json("context", "Recommend a dessert without mango.", "--max-tokens", "200")
    assert 0 < packed["tokens"] <= 200
    shown = story.text("context", "Recommend a dessert without mango.", "--max-tokens", "200")
    assert shown.strip() == packed["text"].strip()


def test_facts_are_listed_in_pages(story: CommandLine) -> None:
    """With the total and where to go on."""
    first = story.json("facts", "--ended", "-n", "2")
    assert (len(first["items"]), first["total"]) == (2, 4)
    rest = story.json("facts", "--ended", "--cursor", first["cursor"])
    assert len({item["id"] for item in first["items"] + rest["items"]}) == 4
    assert f"more: --cursor {first['cursor']}" in story.text("facts", "--ended", "-n", "2")
    assert story.text("facts", "--predicate", "has_pet", code=1) == "No facts.\n"


def test_times_are_in_the_memorys_zone(story: CommandLine) -> None:
    """In words and in JSON, with the offset."""
    story.monkeypatch.setenv("GRAPHMEM_TIMEZONE", "Asia/Shanghai")
    fact = story.fact("lives_in")
    assert fact["said_at"] == "2025-06-02T08:00:00+08:00"
    assert all(
        datetime.fromisoformat(fact[name]).utcoffset() is not None
        for name in ("said_at", "created_at")
    )


def test_history_and_explain(story: CommandLine) -> None:
    """What was believed when, and why a fact ended."""
    old = story.fact("lives_in", "--valid-at", "2025-03")["id"]
    statements = {item["statement"] for item in story.json("history", old)["items"]}
    assert statements == {"I live in Hangzhou", "I've moved to Lisbon."}
    explanation = story.json("explain", old)
    assert explanation["fact"]["cause"]["rule"] == "superseded"
    assert explanation["ended_by"]["quote"] == "I've moved to Lisbon."
    assert explanation["replaced_by"]["object"]["text"] == "Lisbon"
    shown = story.text("explain", old)
    assert "ended by “I've moved to Lisbon.”" in shown
    assert "recorded" in story.text("history", old)


def test_entities_are_listed(story: CommandLine) -> None:
    """With how much is known of them."""
    views = story.json("entities")["items"]
    assert {"mango", "Hangzhou", "Lisbon"} <= {view["name"] for view in views}
    assert "Hangzhou" in story.text("entities")


@pytest.mark.parametrize(
    "arguments",
    [
        ["history", "fact_0"],
        ["explain", "fact_0"],
        ["correct", "fact_0", "x"],
        ["retract", "fact_0"],
        ["restore", "fact_0"],
        ["erase", "--fact", "fact_0", "--yes"],
        ["erase", "--episode", "ep_0", "--yes"],
        ["confirm", "same_0"],
        ["reject", "same_0"],
        ["undo", "same_0"],
        ["merge", "Nobody", "Nothing", "--into", "Noone"],
        ["split", "Nobody", "--out-of", "Nothing"],
        ["import", "nowhere.jsonl"],
    ],
)
def test_what_is_not_there_has_code_3(arguments: list[str], story: CommandLine) -> None:
    """On one line that names it."""
    story.text(*arguments, code=3)
    assert story.err.startswith("graphmem: ")
    assert story.err.count("\n") == 1
    error = story.json(*arguments, code=3)["error"]
    assert error["message"]


# Who is who


def test_merge_and_split(cli: CommandLine) -> None:
    """Two names become one entity, and two again."""
    for name in ("Bobby", "Robert Ames"):
        cli.text("add-fact", name, "likes", "tea")
    cli.text("merge", "Bobby", "--into", "Robert Ames")
    assert cli.json("facts", "--subject", "Bobby")["total"] == 1
    cli.text("split", "Bobby", "--out-of", "Robert Ames")
    assert cli.json("facts", "--predicate", "likes")["total"] == 2


def test_suggestions_are_decided_and_undone(cli: CommandLine) -> None:
    """A person has the last word."""
    cli.text("suggestions", code=1)
    for name in ("Robert Ames", "Robert"):
        cli.text("add-fact", name, "likes", "tea")
    suggestion = cli.json("suggestions")["items"][0]["id"]
    assert "Robert Ames = Robert?" in cli.text("suggestions")
    cli.text("confirm", suggestion)
    assert cli.json("suggestions")["items"][0]["state"] == "confirmed"
    assert cli.json("facts", "--predicate", "likes")["total"] == 1
    cli.text("undo", suggestion)
    assert cli.json("facts", "--predicate", "likes")["total"] == 2
    cli.text("reject", suggestion)
    assert cli.json("suggestions")["items"][0]["state"] == "rejected"


# Looking after


def test_erase_asks_first(story: CommandLine) -> None:
    """Without a yes nothing goes."""
    story.text("erase", code=1, stdin="n\n")
    assert "nothing was erased" in story.err
    assert story.json("facts")["total"] > 0
    story.text("erase", stdin="y\n")
    assert story.json("facts", code=1)["total"] == 0


def test_erase_of_a_fact_and_a_turn(story: CommandLine) -> None:
    """What only they had ended holds again, and the receipt says so."""
    lisbon = story.fact("lives_in")["id"]
    receipt = story.json("erase", "--fact", lisbon, "--yes")
    assert [fact["statement"] for fact in receipt["reopened"]] == ["I live in Hangzhou"]
    episode = story.json("search", "What am I allergic to?")["hits"][0]["sources"][0]["episode"]
    assert story.json("erase", "--episode", episode, "--yes")["removed"]
    assert story.json("facts", "--predicate", "allergic_to", code=1)["total"] == 0
    assert story.text("erase", "--yes").startswith("Erased: ")


def test_an_erase_that_waits_for_the_index_has_code_5(story: CommandLine) -> None:
    """A script must not take it for done."""
    story.monkeypatch.delenv("GRAPHMEM_EMBEDDER")
    story.text("search", "Where do I live?")
    (story.home / "index" / "current.json").write_text("{", encoding="utf-8")
    assert "Still waiting: " in story.text("erase", "--yes", code=5)


def test_export_and_import(story: CommandLine) -> None:
    """Another memory answers alike, and a memory that is here is not overwritten."""
    moved = story.json("export", "ana.jsonl")
    assert (moved["scopes"], moved["path"]) == (1, "ana.jsonl")
    before = story.json("facts", "--ended", "--retracted")
    assert story.json("import", "ana.jsonl", "--path", "elsewhere")["new"] == moved["rows"]
    assert story.json("facts", "--ended", "--retracted", "--path", "elsewhere") == before
    story.text("import", "ana.jsonl", code=2)
    assert story.text("export", "all.jsonl", "--all").startswith("Exported 1 user")


@pytest.mark.parametrize("content", [b"", b"oops\n", b'{"kind": "header"}\n'])
def test_import_of_something_else(content: bytes, cli: CommandLine) -> None:
    """Is refused on one line."""
    Path("x.jsonl").write_bytes(content)
    cli.text("import", "x.jsonl", code=2)
    assert cli.err.count("\n") == 1


def test_verify_repair_and_reindex(story: CommandLine) -> None:
    """A sound memory has code 0; one whose index is gone is mended."""
    story.monkeypatch.delenv("GRAPHMEM_EMBEDDER")
    story.text("reindex")
    assert story.json("verify")["clean"]
    assert story.text("repair").startswith("Sound: ")


def test_doctor_says_what_the_memory_is_made_of(story: CommandLine) -> None:
    """Line by line, with what is not well."""
    story.monkeypatch.delenv("GRAPHMEM_EMBEDDER")
    story.text("search", "Where do I live?")  # brings the index up to date
    report = story.json("doctor")
    names = [finding["name"] for finding in report["findings"]]
    assert {"store", "extractor", "embedder", "vector index", "timezone"} <= set(names)
    assert report["well"]
    story.monkeypatch.setenv("GRAPHMEM_EXTRACTOR", "none")
    assert "!!" in story.text("doctor", code=1)


def test_a_lost_index_is_told_and_filled_again(story: CommandLine) -> None:
    """Its folder is no loss: the doctor sees that it is gone, the next search writes it anew."""
    story.monkeypatch.delenv("GRAPHMEM_EMBEDDER")
    story.text("search", "Where do I live?")
    shutil.rmtree(story.home / "index")
    assert "!!  vector index" in story.text("doctor", code=1)
    assert story.text("verify", code=1).endswith("Mend it with: graphmem repair\n")
    assert story.json("search", "Where do I live?")["hits"]
    assert story.text("verify").startswith("Sound: ")


def test_a_damaged_index_says_what_mends_it(story: CommandLine) -> None:
    """No word of repair, which cannot; reindex does."""
    story.monkeypatch.delenv("GRAPHMEM_EMBEDDER")
    story.text("search", "Where do I live?")
    (story.home / "index" / "current.json").write_text("{", encoding="utf-8")
    story.text("search", "Where do I live?")
    assert story.err.count("with reindex") == 1
    told = story.text("repair", code=1)
    assert "with reindex" in told
    assert "graphmem repair" not in told
    story.text("reindex")
    assert story.text("verify").startswith("Sound: ")


def test_a_damaged_store_has_code_4(cli: CommandLine) -> None:
    """One line, no traceback."""
    cli.home.mkdir()
    (cli.home / "graph.sqlite3").write_bytes(b"this is no database " * 100)
    cli.text("facts", code=4)
    assert cli.err.count("\n") == 1


def test_a_folder_that_cannot_be_made_has_code_4(cli: CommandLine) -> None:
    """One line, no traceback."""
    cli.home.write_text("a file stands here", encoding="utf-8")
    cli.text("facts", code=4)
    assert str(cli.home) in cli.err


def test_users_and_tenants_are_apart(story: CommandLine) -> None:
    """Another user, or the same name in another tenant, has another memory."""
    story.text("facts", "--user", "bo", code=1)
    story.text("facts", "--tenant", "acme", code=1)
    fact: dict[str, Any] = story.fact("lives_in")
    story.text("explain", fact["id"], "--user", "bo", code=3)
