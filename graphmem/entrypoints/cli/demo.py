"""The demo: a story in two languages, told to a memory in a temporary place."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from graphmem.entrypoints.cli import show
from graphmem.entrypoints.cli.command import Run, command
from graphmem.entrypoints.cli.outcome import Exit
from graphmem.entrypoints.cli.output import flat
from graphmem.entrypoints.render import explanation_json, fact_json, receipt_json, result_json
from graphmem.model.dates import date, fact_words
from graphmem.model.fact import Fact
from graphmem.model.receipt import FactChange, Receipt
from graphmem.model.time import FOREVER, from_micros, to_micros
from graphmem.settings import Settings

if TYPE_CHECKING:
    from graphmem.client.sync import Memory

USER = "ana"
SESSION = "chat"
ZONE = "Asia/Shanghai"


@dataclass(frozen=True, slots=True)
class Turn:
    """Something Ana says, and when."""

    at: str
    text: str


@dataclass(frozen=True, slots=True)
class Question:
    """Something she asks, and what the answer shows."""

    shows: str
    text: str
    limit: int = 1
    valid_at: str | None = None


STORY = (
    Turn("2025-01-10T09:00:00+08:00", "I live in Hangzhou and I'm allergic to mango."),
    Turn("2025-02-01T12:00:00+08:00", "杨枝甘露里有芒果。芒果糯米饭也含有芒果。"),
    Turn("2025-06-02T08:30:00+08:00", "I've moved to Lisbon."),
)

QUESTIONS = (
    Question("said once, found by its meaning", "What am I allergic to?"),
    Question(
        "two hops, two languages, and the path",
        "What am I allergic to, and which dishes contain it?",
        limit=3,
    ),
    Question("what holds now", "Where do I live?"),
    Question("what held then", "Where did I live in March?", valid_at="2025-03"),
)

WRONG, RIGHT = "Lisbon", "Porto"


class Telling:
    """Tells the story, prints it as it goes, and keeps everything for ``--json``."""

    def __init__(self, run: Run, memory: Memory) -> None:
        self.run = run
        self.memory = memory
        self.zone = run.zone
        self.told: list[dict[str, Any]] = []  # Any: JSON objects
        self.asked: list[dict[str, Any]] = []

    def title(self, text: str) -> None:
        """Print a heading."""
        self.run.out.line()
        self.run.out.line((text, "bold underline"))

    def tell(self, turn: Turn) -> None:
        """Let Ana say something."""
        at = to_micros(datetime.fromisoformat(turn.at))
        day = date(at, self.zone)
        self.run.out.line((f"{day:>16}  ", "dim"), (f"“{turn.text}”", "italic"))
        receipt = self.memory.add(
            [{"role": "user", "content": turn.text}],
            user=USER,
            session=SESSION,
            occurred_at=turn.at,
        )
        self.done(turn.text, receipt)

    def done(self, text: str, receipt: Receipt) -> None:
        """Show what a write did."""
        self.told.append({"text": text, "receipt": receipt_json(receipt, self.zone)})
        for outcome in receipt.outcomes:
            sign, style = show.CHANGE_STYLES[outcome.change]
            why = show.cause(outcome.cause)
            after = f" ({why})" if why and outcome.change is not FactChange.ADDED else ""
            self.run.out.line(
                " " * 18,
                (f"{sign} {flat(outcome.fact.statement)}", style),
                (f"  {fact_words(outcome.fact, self.zone)}{after}", "dim"),
            )

    def ask(self, question: Question, *, known_at: datetime | None = None) -> None:
        """Let Ana ask something, perhaps as it was known before."""
        result = self.memory.search(
            question.text,
            user=USER,
            limit=question.limit,
            valid_at=question.valid_at,
            known_at=known_at,
        )
        self.asked.append(
            {
                "question": question.text,
                "valid_at": question.valid_at,
                "known_at": known_at.isoformat() if known_at else None,
                **result_json(result, self.zone),
            }
        )
        self.run.out.line((f"{question.text}", "bold"), (f"  {question.shows}", "dim"))
        for hit in result.hits:
            when = fact_words(hit.fact, self.zone) if hit.fact else hit.label
            self.run.out.line("  → ", (flat(hit.text), "green"), (f"  {when}", "dim"))
            if len(hit.path) > 1:
                path = " → ".join(flat(step.statement) for step in hit.path)
                self.run.out.line("    path: ", (path, "cyan"))
        if not result.hits:
            self.run.out.line("  → nothing found")

    def look_back(self, fact: Fact) -> dict[str, Any]:  # Any: JSON objects
        """Show each record of a fact and of what can end it, and why it stands as it does."""
        history = self.memory.history(fact.id, user=USER)
        explanation = self.memory.explain(fact.id, user=USER)
        for record in reversed(history.items):
            live = record.expired_at >= FOREVER
            why = show.cause(record.cause)
            words = [fact_words(record, self.zone), record.status.value, *([why] if why else [])]
            self.run.out.line(
                ("  now     " if live else "  before  ", "green" if live else "dim"),
                (flat(record.statement), "" if live else "dim"),
                (f"  {', '.join(words)}", "dim"),
            )
        self.run.out.line("  why: ", (flat(explanation.why), "cyan"))
        for source in explanation.sources:
            show.source(self.run.out, source, self.zone, lead="rests on ")
        return {
            "history": [fact_json(record, self.zone) for record in history.items],
            "explanation": explanation_json(explanation, self.zone),
        }


@command("Try", "graphmem demo", user=False)
def demo(run: Run) -> Exit:
    """Tell a short story in two languages to a memory in a temporary place, and ask it things."""
    from graphmem.client.sync import Memory  # here, because help must come at once

    with tempfile.TemporaryDirectory(prefix="graphmem-demo-") as folder:
        settings = Settings.load({}, path=folder, timezone=ZONE)
        with Memory.from_settings(settings) as memory:
            telling = Telling(Run(settings, run.out), memory)
            result = _tell(telling)
    if run.out.json:
        run.out.object({"told": telling.told, "asked": telling.asked, **result})
    return Exit.OK


def _tell(telling: Telling) -> dict[str, Any]:  # Any: JSON objects
    out, memory = telling.run.out, telling.memory
    out.line("Ana talks to her agent. What she says becomes facts with a time, a source, a reason.")
    telling.title("What Ana says")
    for turn in STORY:
        telling.tell(turn)
    telling.title("What she can ask")
    for question in QUESTIONS:
        telling.ask(question)

    telling.title(f"A correction: it was {RIGHT}, never {WRONG}")
    wrong = memory.facts(user=USER, predicate="lives_in").items[0]
    before = from_micros(wrong.created_at)
    telling.done(
        f"correct({WRONG} → {RIGHT})",
        memory.correct(wrong.id, user=USER, object=RIGHT, statement=f"I've moved to {RIGHT}."),
    )
    telling.title("The same questions, now and as known before the correction")
    now, then = QUESTIONS[-2:]
    telling.ask(now)
    telling.ask(replace(now, shows="as known before"), known_at=before)
    telling.ask(then)
    telling.ask(replace(then, shows="as known before"), known_at=before)

    telling.title(f"On record: what was believed, and why “{flat(wrong.statement)}” is out")
    return telling.look_back(wrong)
