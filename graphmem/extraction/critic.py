"""The critic: a second look at important claims, all of a batch in one call, before believing.

It can only drop what it is shown. What it does not answer is kept, and so is everything if it
cannot be asked: each claim has passed the checks in code, and nothing that was said may be lost for
want of an answer, nor wait for one.
"""

from __future__ import annotations

import json
import logging
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

from graphmem.errors import ModelError
from graphmem.extraction.gate_admit import TOP_CONFIDENCE
from graphmem.extraction.metered import metered, metering
from graphmem.extraction.second import prompt_text, turn_row
from graphmem.extraction.second_answers import read_chosen, tag_of
from graphmem.model.draft import Batch, Draft, Extraction, steps_together
from graphmem.model.episode import Episode
from graphmem.ports.language_model import Json, LanguageModel, Message
from graphmem.resources import read_text

_log = logging.getLogger(__name__)

MOST_CLAIMS = 40
"""Claims of one call, the most important ones; what is more is kept unlooked at."""
CRITIC = "critic"
_KEEP, _DROP = "keep", "drop"

_Claim = tuple[str, str, str]
"""What makes two drafts one to look at: the turn's words, the quote, the statement."""


class Critic:
    """Looks again at claims of at least ``least`` importance, 1 to 10."""

    def __init__(self, model: LanguageModel, *, least: int = 8) -> None:
        self._model = metered(model)
        self._least = least

    @cached_property
    def _schema(self) -> Json:
        return json.loads(read_text("schemas", "critic.json"))

    async def check(self, extraction: Extraction, batch: Batch) -> Extraction:
        """Return an extraction without what the critic drops; never raises for the model.

        What a turn explicitly asked to remember is not shown.
        """
        turns = {turn.id: turn for turn in batch.turns}
        shown: dict[_Claim, Draft] = {}
        important = [
            draft
            for draft in extraction.drafts
            if self._least <= draft.importance and draft.confidence < TOP_CONFIDENCE
        ]
        for draft in sorted(important, key=lambda d: -d.importance):
            if len(shown) < MOST_CLAIMS and draft.turn in turns:
                shown.setdefault(_claim(draft, turns), draft)
        if not shown:
            return extraction
        rows, labels = _rows([*shown.values()], turns)
        messages = [
            Message("system", prompt_text("critic.md")),
            Message("user", "\n".join([*rows, "", f"Check {', '.join(labels)}; answer as JSON."])),
        ]
        notes: list[str] = []
        words: dict[str, str] = {}
        with metering() as meter:
            try:
                completion = await self._model.complete(
                    messages,
                    step=CRITIC,
                    schema=self._schema,
                    max_tokens=1_000 + 60 * len(labels),
                )
                offered = dict.fromkeys(labels, frozenset({_KEEP, _DROP}))
                chosen = read_chosen(completion.text, offered, key="verdict")
                words = dict(chosen.words)
                if chosen.problem is not None:
                    notes.append(f"the critic's answer could not be used: {chosen.problem}")
            except ModelError as error:
                _log.info("%d claims are kept without the critic: %s", len(labels), error)
                notes.append(f"{len(labels)} claims are kept without the critic: {error}")
        dropped = {c for c, label in zip(shown, labels, strict=True) if words.get(label) == _DROP}
        gone = {d for d in important if d.turn in turns and _claim(d, turns) in dropped}
        refused = Counter(extraction.refused)
        refused[CRITIC] += len(gone)
        return replace(
            extraction,
            drafts=tuple(d for d in extraction.drafts if d not in gone),
            refused={kind: count for kind, count in refused.items() if count},
            usage=extraction.usage + meter.usage,
            steps=steps_together([extraction.steps, meter.steps]),
            notes=(*extraction.notes, *notes),
        )


def _claim(draft: Draft, turns: dict[str, Episode]) -> _Claim:
    return turns[draft.turn].content, draft.quote, _statement(draft)


def _statement(draft: Draft) -> str:
    """Return a draft's sentence; one that has none is told by its parts."""
    if draft.statement:
        return draft.statement
    subject = "the user" if draft.subject.is_self else draft.subject.text
    no = "not " if draft.polarity.value == "-" else ""
    target = draft.object.text if draft.object is not None else ""
    said = f"{subject}: {no}{draft.predicate.replace('_', ' ')} {target}".strip()
    return f"{said} ({draft.form.value})"


def _rows(drafts: Sequence[Draft], turns: dict[str, Episode]) -> tuple[list[str], list[str]]:
    """Return the lines that show drafts, and their labels."""
    labels: dict[str, str] = {}
    shown: list[str] = []
    tables: list[dict[str, str]] = []
    for draft in drafts:
        if draft.turn not in labels:
            labels[draft.turn] = f"T{len(labels) + 1}"
            shown.append(turn_row(turns[draft.turn], labels[draft.turn], draft.quote))
        said = {"turn": labels[draft.turn], "quote": draft.quote, "statement": _statement(draft)}
        tables.append(said)
    tag = tag_of(json.dumps([shown, tables], ensure_ascii=False))
    names = [f"C{number}-{tag}" for number in range(1, len(drafts) + 1)]
    lines = [
        json.dumps({"label": name, **table}, ensure_ascii=False)
        for name, table in zip(names, tables, strict=True)
    ]
    return ["Turns:", *shown, "", "Statements:", *lines], names
