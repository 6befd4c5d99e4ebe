"""Whether a search finds the day that is asked about, on MemoryBank's dialogues.

``python -m benchmarks.memorybank [--data FOLDER] [--language cn|en] [--json]``; the folder holds
``cn/`` and ``en/`` with ``memory_bank_*.json`` and ``probing_questions_*.jsonl``. Without one, a
small dialogue of our own is read, which only shows that the machinery works.

There are no gold answers. Some questions name a day ("on May 6th", 5月6号); counted is how often
one of the first five hits was said on it. ``benchmarks.conversations`` writes the dialogues for
``graphmem ingest``.
"""

from __future__ import annotations

import argparse
import json
import re
import tempfile
import time
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import Any

import anyio

from benchmarks.conversations import LANGUAGES, memorybank
from benchmarks.locomo import memory_of
from graphmem.client.border import turns_of
from graphmem.model.scope import Scope
from graphmem.model.search import FactFilter
from graphmem.model.time import DAY, from_micros
from graphmem.retrieval.question import Question
from graphmem.usecases.add import add
from graphmem.usecases.turns import Turn

SAMPLE = Path(__file__).resolve().parent / "samples" / "memorybank"
DEPTH = 5
_MONTHS: list[str] = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
]  # fmt: skip
_DAY = re.compile(
    r"(?P<m>\d{1,2})月(?P<d>\d{1,2})[号日]"
    rf"|\b(?P<en>{'|'.join(_MONTHS)})[a-z]*\.? (?P<ed>\d{{1,2}})(?:st|nd|rd|th)?\b",
    re.IGNORECASE,
)


def questions(folder: Path, language: str) -> dict[str, list[tuple[str, int, int]]]:
    """Return, by user, the questions that name a day, with its month and day."""
    path = folder / language / f"probing_questions_{language}.jsonl"
    found: dict[str, list[tuple[str, int, int]]] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        for user, asked in json.loads(line).items() if line.strip() else ():
            for text in asked:
                if named := _DAY.search(text):
                    month = named["m"] or _MONTHS.index(named["en"].lower()) + 1
                    day = int(named["d"] or named["ed"])
                    found.setdefault(user.strip(), []).append((text, int(month), day))
    return found


async def _found_days(
    user: str, turns: Sequence[Turn], asked: Sequence[tuple[str, int, int]], folder: Path
) -> int:
    scope = Scope("memorybank", user)
    now = max(turn.occurred_at or 0 for turn in turns) + DAY
    async with memory_of(folder, now, facts=True) as services:
        await add(services, scope, turns)
        await services.indexer.drain()
        found = 0
        for text, month, day in asked:
            question = Question(text=text, filter=FactFilter(), now=now, limit=DEPTH)
            result = await services.retriever.search(scope, question)
            days = {_date(s.occurred_at) for hit in result.hits for s in hit.sources}
            found += any((said.month, said.day) == (month, day) for said in days)
    return found


def _date(micros: int) -> date:
    return from_micros(micros).date()


def measure(folder: Path, language: str) -> dict[str, Any]:  # Any: JSON
    """Count how often the day asked about is among the first hits."""
    asked = questions(folder, language)
    found = count = users = said = 0
    began = time.perf_counter()
    for user, messages in memorybank(folder, language):
        if user in asked and messages:
            turns = turns_of(messages, zone="UTC")
            with tempfile.TemporaryDirectory() as place:
                found += anyio.run(_found_days, user, turns, asked[user], Path(place))
            count += len(asked[user])
            users, said = users + 1, said + len(turns)
    return {
        "language": language,
        "n": count,
        "users": users,
        "turns": said,
        f"day_found@{DEPTH}": found,
        "seconds": round(time.perf_counter() - began, 1),
    }


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--data", type=Path, default=None)
    parser.add_argument("--language", choices=LANGUAGES, default=None, help="else both")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    folder: Path = given.data or SAMPLE
    languages = (given.language,) if given.language else LANGUAGES
    rows = [measure(folder, language) for language in languages]
    figures = {
        "corpus": "memorybank" if given.data else "sample",
        "n": sum(row["n"] for row in rows),
        f"day_found@{DEPTH}": sum(row[f"day_found@{DEPTH}"] for row in rows),
        "seconds": round(sum(row["seconds"] for row in rows), 1),
        "languages": rows,
    }
    if given.json:
        print(json.dumps(figures))
        return
    for row in rows:
        print(
            f"{figures['corpus']} {row['language']}: the day was among the first {DEPTH} hits for "
            f"{row[f'day_found@{DEPTH}']} of {row['n']} questions "
            f"({row['users']} users, {row['turns']} turns, {row['seconds']} s)"
        )


if __name__ == "__main__":
    main()
