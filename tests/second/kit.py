"""A memory that reads with a model behind real HTTP, and answers written beforehand by step."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from graphmem import Memory, Settings
from graphmem.adapters.models.openai import OpenAIModel
from graphmem.model.receipt import Receipt
from graphmem.model.time import to_micros
from graphmem.testing.clock import FrozenClock
from graphmem.testing.model_server import Reply, Request, ScriptedServer
from tests.model_extraction.kit import a_claim as a_claim
from tests.model_extraction.kit import an_answer as an_answer
from tests.services import deployments

NOW = to_micros(datetime(2025, 10, 1, 12, tzinfo=UTC))
USER = "ana"
Answer = str | Reply | Callable[["Shown"], str | Reply]


@dataclass(frozen=True)
class Shown:
    """What a decision or the critic was shown: the whole message, and its lines by label."""

    text: str
    rows: Mapping[str, Mapping[str, Any]]  # Any: JSON

    @property
    def labels(self) -> list[str]:
        """The labels, in order."""
        return list(self.rows)


@dataclass
class Endpoint:
    """Answers requests by what they ask for, and keeps what it was asked.

    ``extract`` is used up in order; ``decide`` and ``critic`` answer every call of theirs.
    """

    extract: Sequence[str] = ()
    decide: Answer = '{"answers": []}'
    critic: Answer = '{"answers": []}'
    asked: list[str] = field(default_factory=list[str])
    shown: dict[str, list[Shown]] = field(default_factory=dict[str, list[Shown]])

    def answer(self, request: Request) -> str | Reply:
        """Return what is answered to one request."""
        step = step_of(request)
        self.asked.append(step)
        if step == "extract":
            done = self.asked.count("extract")
            return self.extract[done - 1] if done <= len(self.extract) else an_answer()
        seen = _shown(str(request.body["messages"][-1]["content"]))
        self.shown.setdefault(step, []).append(seen)
        given = self.decide if step == "decide" else self.critic
        return given(seen) if callable(given) else given


def step_of(request: Request) -> str:
    """Return which of our prompts a request holds."""
    rules = str(request.body["messages"][0]["content"])
    if "what its rules leave" in rules or "its rules cannot tell" in rules:
        return "decide"
    return "critic" if "You check each against the words" in rules else "extract"


_LABEL = re.compile(r"[SC]\d+-[0-9a-f]{4}")


def _shown(text: str) -> Shown:
    rows: dict[str, Mapping[str, Any]] = {}
    for line in text.splitlines():
        if line.startswith('{"label"'):
            row = json.loads(line)
            assert _LABEL.fullmatch(row["label"])
            rows[row["label"]] = row
    return Shown(text, rows)


def choosing(*choices: str) -> Callable[[Shown], str]:
    """Answer a decision with a choice for each question, in order."""

    def answer(shown: Shown) -> str:
        pairs = zip(shown.labels, choices, strict=True)
        return json.dumps({"answers": [{"label": k, "choice": c} for k, c in pairs]})

    return answer


def judging(*verdicts: str) -> Callable[[Shown], str]:
    """Answer the critic with a verdict for each statement, in order."""

    def answer(shown: Shown) -> str:
        pairs = zip(shown.labels, verdicts, strict=True)
        rows = [{"label": k, "verdict": v, "reason": "said"} for k, v in pairs]
        return json.dumps({"answers": rows})

    return answer


@contextmanager
def memory(folder: Path, endpoint: Endpoint, **settings: Any) -> Generator[Memory]:
    """Open a memory that reads with ``endpoint``; Any: settings by name."""
    with ScriptedServer(endpoint.answer) as server:
        options = Settings.load({}, path=folder, **settings)
        with deployments.a_memory(
            folder,
            model=OpenAIModel("tiny", server.url, timeout=10.0, max_retries=0),
            embedder="none",
            clock=FrozenClock(NOW),
            settings=options,
        ) as mem:
            yield mem


def held(mem: Memory, predicate: str | None = None) -> set[str]:
    """Return the statements of what is held now."""
    page = mem.facts(user=USER, predicate=predicate)
    return {fact.statement for fact in page.items}


def refused(receipt: Receipt) -> dict[str, int]:
    """Return what was refused, by kind."""
    return {refusal.kind: refusal.count for refusal in receipt.refused}
