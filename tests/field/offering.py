"""A memory behind a model that offers, over HTTP, whatever a test has it offer."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from graphmem import Memory, Settings
from graphmem.adapters.models.openai import OpenAIModel
from graphmem.model.claim import Modality, Polarity
from graphmem.model.receipt import Receipt
from graphmem.testing.clock import FrozenClock
from graphmem.testing.model_server import Reply, Request, ScriptedServer
from tests.engine.kit import NOW
from tests.model_extraction.kit import a_claim, an_answer
from tests.second.kit import step_of

Turn = str | tuple[str, str]
"""What the user says, or who says what: "assistant", "system", "tool", or a speaker's name."""
Claim = dict[str, Any]
"""A claim as a model writes it; Any: JSON."""
Case = tuple[list[Turn], list[Claim], set[str], dict[str, int]]
"""What is said, what the model offers, what is held then, and how much was refused why."""
NOTHING = '{"claims": [], "entities": []}'


def offer(quote: str, predicate: str, target: str = "", **fields: Any) -> Claim:  # Any: JSON
    """Return a claim as a model offers it; about the speaker of the first turn unless told so."""
    return a_claim(quote, predicate, target, **fields)


def message(turn: Turn) -> dict[str, str]:
    """Return a turn as ``add`` takes it."""
    if isinstance(turn, str):
        return {"role": "user", "content": turn}
    who, content = turn
    if who in ("assistant", "system", "tool"):
        return {"role": who, "content": content}
    return {"role": "user", "name": who, "content": content}


@dataclass
class Offering:
    """A memory, its model, and what the model says: each reply once, then always the same."""

    memory: Memory
    replies: list[str | Reply] = field(default_factory=list[str | Reply])
    otherwise: str | Reply = NOTHING
    asked: list[Request] = field(default_factory=list[Request])
    users: int = 0

    def answer(self, request: Request) -> str | Reply:
        """Say what comes next; of decisions, say that nothing can be told."""
        self.asked.append(request)
        if step_of(request) == "decide":
            return '{"answers": []}'
        return self.replies.pop(0) if self.replies else self.otherwise

    def user(self) -> str:
        """Return a user that nothing is known of."""
        self.users += 1
        return f"user {self.users}"

    def tell(self, user: str, turns: Sequence[Turn], claims: Sequence[Claim]) -> Receipt:
        """Tell turns as one session, of which the model offers claims."""
        self.asked.clear()
        self.replies = [an_answer(*claims)]
        return self.memory.add([message(turn) for turn in turns], user=user, session="s")

    def held(self, user: str) -> set[str]:
        """Return all that is held: "me likes figs", "-me likes figs", "?…" what is no fact yet."""
        return {
            ("-" if fact.polarity is Polarity.NEGATIVE else "")
            + ("?" if fact.modality is not Modality.ASSERTED else "")
            + " ".join(
                part
                for part in (
                    "me" if fact.subject.text == user else fact.subject.text,
                    fact.predicate,
                    fact.object.text if fact.object is not None else "",
                )
                if part
            )
            for fact in self.memory.facts(user=user, limit=100).items
        }


def refused(receipt: Receipt) -> dict[str, int]:
    """Return what was refused, by kind."""
    return {refusal.kind: refusal.count for refusal in receipt.refused}


@contextmanager
def offering(folder: Path, **given: Any) -> Generator[Offering]:  # Any: options of Memory
    """Open a memory in a folder whose model says what a test tells it to."""
    embedder = given.pop("embedder", "none")
    timeout = given.pop("timeout", 5.0)
    retries = given.pop("max_retries", 0)
    chosen = Settings.load({}, path=folder, durability="normal", **given)
    told: list[Offering] = []
    with ScriptedServer(lambda request: told[0].answer(request)) as server:
        model = OpenAIModel("tiny", server.url, timeout=timeout, max_retries=retries)
        clock = FrozenClock(NOW)
        with Memory(model=model, embedder=embedder, clock=clock, settings=chosen) as memory:
            told.append(Offering(memory))
            yield told[0]


def check(weak: Offering, case: Case) -> None:
    """Have a model offer claims about turns; see what is held, and what was refused."""
    turns, claims, held, kinds = case
    user = weak.user()
    receipt = weak.tell(user, turns, claims)
    assert weak.held(user) == held
    assert refused(receipt) == kinds
    assert not receipt.pending
