"""Whether a search finds the day that is asked about, on MemoryBank's dialogues.

``python -m benchmarks.memorybank [--data FOLDER] [--json]``; the folder holds ``cn/`` and ``en/``
with ``memory_bank_*.json`` and ``probing_questions_*.jsonl``. Without one, a small dialogue of our
own is read, which only shows that the machinery works.

There are no gold answers. Some questions name a day ("on May 6th", 5月6号); counted is the share of
those for which one of the first five hits was said on it, in Chinese and in English.
"""

from __future__ import annotations

import re
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import anyio

from benchmarks.conversations import Message, memorybank
from benchmarks.locomo import Later
from benchmarks.running import SAMPLES, Figures, lines, options, share, source, tell
from graphmem import AsyncMemory
from graphmem.model.time import from_micros

NAME = "memorybank"
SAMPLE = SAMPLES / NAME
LANGUAGES = {"zh": "cn", "en": "en"}
"""Our names of the languages, and those of the folders."""
DEPTH = 5
_MONTHS: list[str] = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
]  # fmt: skip
_DAY = re.compile(
    r"(?P<m>\d{1,2})月(?P<d>\d{1,2})[号日]"
    rf"|\b(?P<en>{'|'.join(_MONTHS)})[a-z]*\.? (?P<ed>\d{{1,2}})(?:st|nd|rd|th)?\b",
    re.IGNORECASE,
)

Asked = tuple[str, int, int]
"""A question, and the month and day it names."""


def questions(folder: Path, language: str) -> dict[str, list[Asked]]:
    """Return, by user, the questions that name a day, with its month and day."""
    found: dict[str, list[Asked]] = {}
    for row in lines(folder / language / f"probing_questions_{language}.jsonl"):
        for user, asked in row.items():
            for text in asked:
                if named := _DAY.search(text):
                    month = named["m"] or _MONTHS.index(named["en"].lower()) + 1
                    day = int(named["d"] or named["ed"])
                    found.setdefault(user.strip(), []).append((text, int(month), day))
    return found


async def found_days(user: str, said: Sequence[Message], asked: Sequence[Asked]) -> int:
    """Add one user's dialogues to a new memory; count the questions whose day is found."""
    found = 0
    with tempfile.TemporaryDirectory() as place:
        async with AsyncMemory(place, clock=Later(said)) as memory:
            await memory.ingest(said, user=user)
            for text, month, day in asked:
                result = await memory.search(text, user=user, limit=DEPTH)
                sources = (source for hit in result.hits for source in hit.sources)
                days = [from_micros(source.occurred_at) for source in sources]
                found += any((when.month, when.day) == (month, day) for when in days)
    return found


def measure(folder: Path) -> Figures:
    """Return how often the day asked about is among the first hits, by language."""
    began = time.perf_counter()
    languages: Figures = {}
    for name, language in LANGUAGES.items():
        asked, users, turns, found, n = questions(folder, language), 0, 0, 0, 0
        for user, said in memorybank(folder, language):
            if user in asked and said:
                found += anyio.run(found_days, user, said, asked[user])
                n += len(asked[user])
                users, turns = users + 1, turns + len(said)
        languages[name] = {"n": n, "found": found, "users": users, "turns": turns}
    rates = {name: share(row["found"], row["n"]) for name, row in languages.items()}
    return {
        "n": sum(row["n"] for row in languages.values()),
        "seconds": round(time.perf_counter() - began, 1),
        **rates,
        "difference": round(rates["en"] - rates["zh"], 4),
        "languages": languages,
    }


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print."""
    parser = options(NAME, __doc__)
    given = parser.parse_args(arguments)
    files = [
        f"{language}/{name}_{language}.{kind}"
        for language in LANGUAGES.values()
        for name, kind in (("memory_bank", "json"), ("probing_questions", "jsonl"))
    ]
    read = source(parser, given, name=NAME, corpus="memorybank", sample=SAMPLE, files=files)
    figures = measure(read.folder)
    rows = [["language", f"day@{DEPTH}", "questions", "users", "turns"]]
    rows += [
        [name, figures[name], row["n"], row["users"], row["turns"]]
        for name, row in figures["languages"].items()
    ]
    tell({"corpus": read.corpus, **figures}, rows, as_json=given.json)


if __name__ == "__main__":
    main()
