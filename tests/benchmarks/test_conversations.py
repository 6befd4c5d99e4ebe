from __future__ import annotations

import json
from io import BytesIO
from pathlib import Path

import pytest

from benchmarks.conversations import locomo, main, memorybank
from graphmem.entrypoints.readers import Message, read_messages

TALK = {
    "sample_id": "conv-1",
    "conversation": {
        "speaker_a": "Nora",
        "speaker_b": "Odo",
        "session_2_date_time": "9:05 am on 3 June, 2023",
        "session_2": [{"speaker": "Odo", "dia_id": "D2:1", "text": "I moved to Cork."}],
        "session_10_date_time": "12:30 pm on 4 July, 2023",
        "session_1_date_time": "1:56 pm on 8 May, 2023",
        "session_1": [
            {"speaker": "Nora", "dia_id": "D1:1", "text": "Hey Odo!"},
            {
                "speaker": "Odo",
                "dia_id": "D1:2",
                "text": "Look!",
                "blip_caption": "a photo of a kite",
                "query": "red kite on a beach",
            },
        ],
    },
    "qa": [{"question": "Where does Odo live?", "answer": "Cork"}],
}
BANK = {
    " Nora ": {
        "name": " Nora ",
        "summary": {"2024-05-06": "Nora is a made-up summary."},
        "history": {
            "2024-05-07": [{"query": "I baked bread.", "response": "Lovely."}],
            "2024-05-06": [
                {"query": "Hello.", "response": ""},
                {"query": "I sail.", "response": "Where?"},
            ],
        },
    }
}


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    for language in ("cn", "en"):
        (folder / language).mkdir(parents=True)
        (folder / language / f"memory_bank_{language}.json").write_text(json.dumps(BANK), "utf-8")
    (folder / "locomo_some.json").write_text(json.dumps([TALK]), "utf-8")
    return folder


def test_speakers_and_sessions_are_in_order(data: Path) -> None:
    """Sessions go by number, not by how they are spelt; each turn has its speaker and time."""
    [(name, messages)] = locomo(data)
    assert name == "conv-1"
    assert [(m["id"], m["name"], m["occurred_at"]) for m in messages] == [
        ("D1:1", "Nora", "2023-05-08T13:56"),
        ("D1:2", "Odo", "2023-05-08T13:56"),
        ("D2:1", "Odo", "2023-06-03T09:05"),
    ]


def test_the_search_string_of_a_photo_is_not_read(data: Path) -> None:
    """It was never said, and gives answers away; the caption was seen."""
    [(_, messages)] = locomo(data)
    whole = json.dumps(messages)
    assert "a photo of a kite" in whole
    assert "red kite" not in whole


def test_a_conversation_in_two_files_is_read_once(data: Path) -> None:
    """A part of a data set beside the whole adds nothing."""
    (data / "locomo_whole.json").write_text(json.dumps([TALK]), "utf-8")
    assert len(list(locomo(data))) == 1


def test_a_folder_without_conversations_is_an_error(tmp_path: Path) -> None:
    """Nothing read is not silently nothing written."""
    with pytest.raises(FileNotFoundError, match="locomo"):
        list(locomo(tmp_path))


def test_dialogues_alternate_by_day(data: Path) -> None:
    """Days are in order, the user's turn before the answer, and empty answers are left out."""
    [(user, messages)] = memorybank(data, "en")
    assert user == "Nora"
    assert [(m["role"], m["content"], m["occurred_at"]) for m in messages] == [
        ("user", "Hello.", "2024-05-06"),
        ("user", "I sail.", "2024-05-06"),
        ("assistant", "Where?", "2024-05-06"),
        ("user", "I baked bread.", "2024-05-07"),
        ("assistant", "Lovely.", "2024-05-07"),
    ]
    assert len({m["id"] for m in messages}) == len(messages)
    assert "made-up summary" not in json.dumps(messages)


def test_what_is_written_is_what_ingest_reads(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One file a conversation, each line a message the reader takes without a word."""
    for source in ("locomo", "memorybank"):
        main([source, "--data", str(data), "--out", str(tmp_path / source)])
    files = [Path(line) for line in capsys.readouterr().out.splitlines()]
    assert [str(file.relative_to(tmp_path)) for file in files] == [
        "locomo/conv-1.jsonl",
        "memorybank/cn/Nora.jsonl",
        "memorybank/en/Nora.jsonl",
    ]
    read = [list(read_messages(BytesIO(file.read_bytes()), name=file.name)) for file in files]
    assert [len(messages) for messages in read] == [3, 5, 5]
    assert all(isinstance(item, Message) for messages in read for item in messages)
    first = read[0][0]
    assert isinstance(first, Message)
    assert (first.name, first.session, first.occurred_at) == (
        "Nora",
        "session 1",
        "2023-05-08T13:56:00",
    )
