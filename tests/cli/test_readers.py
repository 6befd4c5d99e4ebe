"""Conversation files to messages."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.entrypoints import decoding
from graphmem.entrypoints.readers import Format, Message, Unreadable, read_messages
from graphmem.errors import InputError


class Pipe(io.RawIOBase):
    """Bytes that can be read only once, a few at a time, like standard input."""

    def __init__(self, content: bytes) -> None:
        self._inner = io.BytesIO(content)

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        return self._inner.read(min(size, 7) if size > 0 else 7)


def read(content: str | bytes, name: str = "-", **more: Any) -> list[Message | Unreadable]:
    """Read a file with this content."""
    raw = content.encode() if isinstance(content, str) else content
    return list(read_messages(io.BytesIO(raw), name=name, **more))


def said(content: str | bytes, name: str = "-") -> list[tuple[str, str | None, str]]:
    """Return role, name and content of what is read; everything must be readable."""
    found = read(content, name)
    assert not [item for item in found if isinstance(item, Unreadable)]
    return [(m.role, m.name, m.content) for m in found if isinstance(m, Message)]


def bad(content: str | bytes, name: str = "-") -> list[Unreadable]:
    """Return what is not readable."""
    return [item for item in read(content, name) if isinstance(item, Unreadable)]


# JSON Lines


def test_json_lines_give_a_message_a_line() -> None:
    """Role, name, time, session and id are taken over."""
    line = {
        "role": "assistant",
        "name": "Pip",
        "content": "Hello.",
        "occurred_at": "2024-05-01T10:00:00+02:00",
        "session": "s1",
        "agent": "a1",
        "id": "m1",
    }
    assert read(json.dumps(line), "talk.jsonl") == [
        Message(
            role="assistant",
            name="Pip",
            content="Hello.",
            occurred_at="2024-05-01T10:00:00+02:00",
            session="s1",
            agent="a1",
            id="m1",
            where="line 1",
        )
    ]


def test_a_bad_line_does_not_stop_the_rest() -> None:
    """It is reported with its number."""
    found = read('{"content": "one"}\n\n{"content": "tw\n["x"]\n{"content": "four"}\n', "a.jsonl")
    assert [m.content for m in found if isinstance(m, Message)] == ["one", "four"]
    assert [b.where for b in found if isinstance(b, Unreadable)] == ["line 3", "line 4, message 1"]


@pytest.mark.parametrize(
    ("line", "word"),
    [
        ("7", "no message but int"),
        ('{"content": 7}', "content must be text, not int"),
        ('{"role": "user"}', "no content"),
        ('{"role": "king", "content": "x"}', "'king'"),
        ('{"content": "x", "date": "yesterday"}', "'yesterday'"),
        ('{"content": "x", "time": 1e30}', "no ISO date"),
        ('{"content": "x", "name": ["a"]}', "name must be text"),
        ('{"content": "x\\ud800"}', "surrogate"),
        ("[[[[[[1]]]]]]", "nested too deeply"),
        ("[" * 100_000, "no JSON"),
    ],
)
def test_what_is_wrong_with_a_line_is_said(line: str, word: str) -> None:
    """Each kind of damage has its words, and the line after it is read."""
    found = read(f'{line}\n{{"content": "next"}}\n', "a.jsonl")
    assert isinstance(found[0], Unreadable)
    assert word in found[0].reason
    assert isinstance(found[-1], Message)


def test_other_names_of_fields_and_roles_are_known() -> None:
    """What other tools write is read too."""
    line = {"speaker": "Human", "text": "Hi", "timestamp": 1714557600, "session_id": 3}
    assert read(
        json.dumps(line) + "\n" + json.dumps({"role": "AI", "message": "Yes"}), "a.jsonl"
    ) == [
        Message(
            role="user",
            content="Hi",
            occurred_at="2024-05-01T10:00:00+00:00",
            session="3",
            where="line 1",
        ),
        Message(role="assistant", content="Yes", where="line 2"),
    ]


def test_a_number_of_milliseconds_is_a_time() -> None:
    """Seconds and milliseconds are told apart by size."""
    [message] = read('{"content": "x", "timestamp": 1714557600000}', "a.jsonl")
    assert isinstance(message, Message)
    assert message.occurred_at == "2024-05-01T10:00:00+00:00"


def test_content_parts_are_joined() -> None:
    """Text parts become lines; pictures are left out."""
    parts = [{"type": "text", "text": "one"}, {"type": "image_url"}, "two"]
    assert said(json.dumps([{"role": "user", "content": parts}])) == [("user", None, "one\ntwo")]


def test_tool_calls_without_text_are_passed_over() -> None:
    """An assistant turn without content is usual in logs of agents."""
    log: list[object] = [{"role": "assistant", "content": None, "tool_calls": []}, {"content": "x"}]
    assert said(json.dumps(log)) == [("user", None, "x")]


# JSON


@pytest.mark.parametrize(
    "document",
    [
        [{"content": "a"}, {"content": "b"}],
        {"messages": [{"content": "a"}, {"content": "b"}]},
        {"sessions": [{"messages": [{"content": "a"}, {"content": "b"}]}]},
    ],
)
def test_json_comes_in_several_shapes(document: object) -> None:
    """A list, an object with messages, an object with sessions."""
    assert [text for _, _, text in said(json.dumps(document, indent=1))] == ["a", "b"]


def test_sessions_give_their_id_and_date() -> None:
    """Messages inherit what their session says."""
    document = [
        {"id": "s1", "date": "2024-05-01", "messages": [{"content": "a"}]},
        {"session": "s2", "turns": [{"content": "b", "time": "2024-05-02 09:00"}]},
    ]
    found = read(json.dumps(document), "log.json")
    assert [(m.session, m.occurred_at) for m in found if isinstance(m, Message)] == [
        ("s1", "2024-05-01"),
        ("s2", "2024-05-02T09:00:00"),
    ]


def test_sessions_without_a_name_are_kept_apart() -> None:
    """They are called after the file."""
    found = read('[[{"content": "a"}], [{"content": "b"}]]', "dir/log.json")
    assert [m.session for m in found if isinstance(m, Message)] == ["log#1", "log#2"]


def test_a_bad_message_in_json_is_reported_by_its_place() -> None:
    """A document has no useful line numbers; the message's number is given."""
    assert [b.where for b in bad('{"messages": [{"content": "a"}, 7]}')] == ["message 2"]


@pytest.mark.parametrize("document", ["{}", '{"messages": 7}', "[[[[[[7]]]]]]"])
def test_a_document_without_messages_is_reported(document: str) -> None:
    """Even where there is no place to name."""
    assert len(bad(document, "log.json")) == 1
    assert bad(document, "log.json")[0].where


def test_broken_json_is_refused_with_its_line() -> None:
    """Nothing of it can be trusted."""
    with pytest.raises(InputError, match=r"log\.json is no JSON.*line 2"):
        read('[{"content": "a"},\n oops]', "log.json")


# Transcripts


def test_a_transcript_gives_a_message_a_speaker() -> None:
    """Roles are told from names; lines without a name go on."""
    text = "User: Hi,\n  how are you?\nAssistant: Fine.\n\nIda Ström: And I.\n用户：你好\n"
    assert said(text) == [
        ("user", None, "Hi,\nhow are you?"),
        ("assistant", None, "Fine."),
        ("user", "Ida Ström", "And I."),
        ("user", None, "你好"),
    ]


@pytest.mark.parametrize(
    ("text", "times"),
    [
        ("[2024-05-01 10:00] Ana: a\nBo: b", ["2024-05-01T10:00:00"] * 2),
        ("2024-05-01\nAna: a\n# 2024-5-2 #\nBo: b", ["2024-05-01", "2024-05-02"]),
        ("--- 2024-05-01 ---\n[9:05] Ana: a", ["2024-05-01T09:05:00"]),
        ("2024年5月1日\nAna：a", ["2024-05-01"]),
        ("2024-05-01T10:00:00Z Ana: a", ["2024-05-01T10:00:00+00:00"]),
        ("Ana [2024-05-01 10:00]: a", ["2024-05-01T10:00:00"]),
        ("[10:00] Ana: a", [None]),
        ("Ana: a", [None]),
    ],
)
def test_times_of_transcripts(text: str, times: list[str | None]) -> None:
    """Stamps, dates as headers, times of day under a date."""
    assert [m.occurred_at for m in read(text) if isinstance(m, Message)] == times


def test_addresses_and_clock_times_are_no_speakers() -> None:
    """A colon alone makes no speaker."""
    assert said("Ana: see\nhttps://example.org\n10:30 it was\nI think that it is this: no") == [
        ("user", "Ana", "see\nhttps://example.org\n10:30 it was\nI think that it is this: no")
    ]


def test_lines_before_any_speaker_are_reported() -> None:
    """So is a stamp that is no time; what follows is read."""
    found = read("loose words\n[2024-13-40] Ana: x\nAna: y\nBo:\n")
    assert [(b.where, b.reason) for b in found if isinstance(b, Unreadable)] == [
        ("line 1", "no speaker; lines read 'Name: text'"),
        ("line 2", "'2024-13-40' is no time"),
        ("line 4", "Bo says nothing"),
    ]
    assert [m.content for m in found if isinstance(m, Message)] == ["y"]


@given(st.text(max_size=300))
def test_any_text_is_read_without_a_crash(text: str) -> None:
    """Whatever stands in a file, something is told about it, in order."""
    try:
        found = read(text.encode("utf-8", "replace"))
    except InputError:
        return
    assert all(item.where for item in found)


# Encodings and sizes


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_encodings_and_line_ends(encoding: str, newline: str) -> None:
    """UTF-8 with and without a mark and UTF-16 with one read alike."""
    assert said(f"用户: 你好{newline}Bo: hej".encode(encoding)) == [
        ("user", None, "你好"),
        ("user", "Bo", "hej"),
    ]


def test_another_encoding_is_refused_before_anything_is_read() -> None:
    """The line is named, and what to do."""
    stream = read_messages(io.BytesIO("User: hi\n用户: 你好\n".encode("gb18030")), name="a.txt")
    with pytest.raises(InputError, match=r"line 2 of a\.txt is not UTF-8.*iconv"):
        next(stream)


@pytest.mark.parametrize("content", ["x: y".encode("utf-16-le"), "x: y".encode("utf-32"), b"\0\1"])
def test_bytes_that_are_no_text_are_refused(content: bytes) -> None:
    """UTF-16 without a mark and UTF-32 look like that too."""
    with pytest.raises(InputError, match="UTF-"):
        read(content)


def test_standard_input_is_read_once_and_in_pieces() -> None:
    """Formats are found out and words are whole even so."""
    pipe: Any = Pipe('{"content": "你好"}\n{"content": "b"}\n'.encode())
    found = list(read_messages(pipe, format=Format.JSONL))
    assert [m.content for m in found if isinstance(m, Message)] == ["你好", "b"]


def test_a_line_that_is_too_long_is_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is reported, not held in memory, and the next line is read."""
    monkeypatch.setattr(decoding, "LINE_LIMIT", 50)
    content = '{"content": "' + "x" * 60 + '"}\n{"content": "b"}\n'
    found = read(content, "a.jsonl")
    assert [type(item) for item in found] == [Unreadable, Message]


def test_an_empty_file_holds_nothing() -> None:
    """In every format."""
    assert [read("", name) for name in ("a.txt", "a.jsonl")] == [[], []]
