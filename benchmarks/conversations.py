"""Conversations of public data sets, written out as message lists for ``graphmem ingest``.

``python -m benchmarks.conversations locomo|memorybank --data FOLDER --out DIR [--language cn|en]``
writes one JSON Lines file a conversation, or a user, and prints its path. The data are read where
they are and are no part of this repository.

LoCoMo (``locomo*.json``): two people talk; each is a user with a name. A photo is told by its
caption; the words it was searched by (``query``) give answers away and are never read.

MemoryBank (``cn/`` and ``en/``): a user talks with an assistant. Summaries and portraits, which a
model wrote, are left out. Of its times only the days are known.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

LANGUAGES = ("cn", "en")

Json = Mapping[str, Any]  # Any: one JSON object; the format is described beside the data.
Message = dict[str, str]
"""``role``, ``content``, ``occurred_at`` (ISO), ``session``, ``id``, and ``name`` if known."""


def locomo(folder: Path) -> Iterator[tuple[str, list[Message]]]:
    """Yield each conversation's name and messages.

    Raises:
        FileNotFoundError: the folder holds no ``locomo*.json``.
    """
    files = sorted(folder.glob("locomo*.json"))
    if not files:
        raise FileNotFoundError(f"{str(folder)!r} holds no locomo*.json")
    seen: set[str] = set()
    for file in files:
        for sample in json.loads(file.read_text(encoding="utf-8")):
            name: str = sample["sample_id"]
            if name not in seen:
                seen.add(name)
                yield name, list(_sessions(sample["conversation"]))


def _sessions(conversation: Json) -> Iterator[Message]:
    numbers = (int(key.split("_")[1]) for key in conversation if key.endswith("_date_time"))
    for number in sorted(numbers):
        said = conversation[f"session_{number}_date_time"]
        when = datetime.strptime(said, "%I:%M %p on %d %B, %Y").isoformat(timespec="minutes")
        for turn in conversation.get(f"session_{number}", ()):
            yield {
                "role": "user",
                "name": turn["speaker"],
                "content": _with_photo(turn),
                "occurred_at": when,
                "session": f"session {number}",
                "id": turn["dia_id"],
            }


def _with_photo(turn: Json) -> str:
    caption = turn.get("blip_caption")
    return f"{turn['text']} [shows {caption}]" if caption else turn["text"]


def memorybank(folder: Path, language: str) -> Iterator[tuple[str, list[Message]]]:
    """Yield each user's name and messages, in the order of days."""
    path = folder / language / f"memory_bank_{language}.json"
    for user, memory in json.loads(path.read_text(encoding="utf-8")).items():
        yield user.strip(), list(_days(memory["history"]))


def _days(history: Mapping[str, Sequence[Mapping[str, str]]]) -> Iterator[Message]:
    for day, pairs in sorted(history.items()):
        for place, pair in enumerate(pairs):
            for role, words in (("user", pair["query"]), ("assistant", pair["response"])):
                if words.strip():
                    yield {
                        "role": role,
                        "content": words,
                        "occurred_at": day,
                        "session": day,
                        "id": f"{day}/{place}/{role}",
                    }


def write(messages: Iterable[Message], path: Path) -> Path:
    """Write messages as JSON Lines; return the file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = (json.dumps(message, ensure_ascii=False) + "\n" for message in messages)
    path.write_text("".join(lines), encoding="utf-8")
    return path


def main(arguments: Sequence[str] | None = None) -> None:
    """Write every conversation of a folder."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("source", choices=["locomo", "memorybank"])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument(
        "--language", choices=LANGUAGES, default=None, help="MemoryBank's; else both"
    )
    given = parser.parse_args(arguments)
    out: Path = given.out
    if given.source == "locomo":
        for name, messages in locomo(given.data):
            print(write(messages, out / f"{name}.jsonl"))
        return
    for language in (given.language,) if given.language else LANGUAGES:
        for name, messages in memorybank(given.data, language):
            print(write(messages, out / language / f"{name}.jsonl"))


if __name__ == "__main__":
    main()
