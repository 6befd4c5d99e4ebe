"""MemoryBank's dialogues as message lists, and whether a search finds the day that is asked about.

``python -m benchmarks.memorybank --data FOLDER [--language cn|en] [--write OUT] [--json]``; the
folder holds ``cn/`` and ``en/`` with ``memory_bank_*.json`` and ``probing_questions_*.jsonl``.
``--write`` only writes one JSON message list a user, as ``graphmem ingest`` reads it.

There are no gold answers. Some questions name a day ("on May 6th", 5月6号); counted is how often
one of the first five hits was said on it. Summaries and portraits, which a model wrote, are left
out.
"""

from __future__ import annotations

import argparse
import json
import re
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import anyio

from benchmarks.locomo import memory_of, write_messages
from graphmem.model.episode import Role
from graphmem.model.scope import Scope
from graphmem.model.search import FactFilter
from graphmem.model.time import DAY, from_micros, to_micros
from graphmem.retrieval.question import Question
from graphmem.usecases.add import add
from graphmem.usecases.turns import Turn

DEPTH = 5
_MONTHS: list[str] = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
]  # fmt: skip
_DAY = re.compile(
    r"(?P<m>\d{1,2})月(?P<d>\d{1,2})[号日]"
    rf"|\b(?P<en>{'|'.join(_MONTHS)})[a-z]*\.? (?P<ed>\d{{1,2}})(?:st|nd|rd|th)?\b",
    re.IGNORECASE,
)


def dialogues(folder: Path, language: str) -> Iterator[tuple[str, list[Turn]]]:
    """Read each user's turns, in the order of days."""
    path = folder / language / f"memory_bank_{language}.json"
    for user, memory in json.loads(path.read_text(encoding="utf-8")).items():
        yield user.strip(), list(_turns(memory["history"]))


def _turns(history: Mapping[str, Sequence[Mapping[str, str]]]) -> Iterator[Turn]:
    for day, pairs in sorted(history.items()):
        noon = to_micros(datetime.fromisoformat(day).replace(tzinfo=UTC) + timedelta(hours=12))
        for place, pair in enumerate(pairs):
            for role, words in ((Role.USER, pair["query"]), (Role.ASSISTANT, pair["response"])):
                if words.strip():
                    yield Turn(
                        role=role,
                        content=words,
                        occurred_at=noon,
                        session=day,
                        id=f"{day}/{place}/{role.value}",
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
    found = count = 0
    for user, turns in dialogues(folder, language):
        if user in asked and turns:
            with tempfile.TemporaryDirectory() as place:
                found += anyio.run(_found_days, user, turns, asked[user], Path(place))
            count += len(asked[user])
    return {"language": language, "questions": count, f"day_found@{DEPTH}": found}


def main() -> None:
    """Write message lists, or measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--language", choices=["cn", "en"], default="cn")
    parser.add_argument("--write", type=Path, default=None)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    if given.write is not None:
        for user, turns in dialogues(given.data, given.language):
            print(write_messages(turns, given.write, user))
        return
    figures = measure(given.data, given.language)
    print(json.dumps(figures) if given.json else "  ".join(f"{k} {v}" for k, v in figures.items()))


if __name__ == "__main__":
    main()
