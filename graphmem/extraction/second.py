"""The second call: what the rules leave open, put to a language model, all of a batch at once.

The model sees words, quotes and dates in words, under labels made for this one call, and picks of
what it is offered. What it does not answer, or not clearly, stays as the rules have it.
"""

from __future__ import annotations

import json
import logging
import string
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from pathlib import Path

from graphmem.errors import ModelError
from graphmem.extraction.metered import metered, metering
from graphmem.extraction.prompts import said_on
from graphmem.extraction.second_answers import read_chosen, tag_of
from graphmem.model.draft import Steps, Usage
from graphmem.model.episode import Episode
from graphmem.ports.language_model import Json, LanguageModel, Message
from graphmem.resources import read_text

_log = logging.getLogger(__name__)

MOST_QUESTIONS = 12
"""Questions of one call; of what is more, the rules' answer stands."""
MOST_CHOICES = 6
BOTH, SAME, DIFFERENT, UNCLEAR = "both", "same", "different", "unclear"
_LETTERS = string.ascii_lowercase
_SHOWN = 800
"""Characters of a turn that are shown."""


class Kind(StrEnum):
    """What is open."""

    CONFLICT = "which of these holds"
    IDENTITY = "one thing or two"
    MEANT = "which one is meant"


@dataclass(frozen=True, slots=True)
class Choice:
    """Something that was said, or a thing.

    Attributes:
        words: the statement, or the name.
        quote, turn: where it was said, if it was in a turn that can be shown.
        known: what else is known of it, as sentences.
    """

    words: str
    quote: str = ""
    turn: Episode | None = None
    known: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """One open question.

    Attributes:
        kind: what is open.
        about: whose value of what ("Tilda: lives in"), or the name in question.
        choices: what it is between; for IDENTITY the two things.
        both: all of the choices may hold side by side.
        quote, turn: of IDENTITY and MEANT, where the name was said.
    """

    kind: Kind
    about: str
    choices: tuple[Choice, ...]
    both: bool = False
    quote: str = ""
    turn: Episode | None = None

    @property
    def offered(self) -> tuple[str, ...]:
        """The answers there are, UNCLEAR last; a letter is the choice at its place."""
        if self.kind is Kind.IDENTITY:
            return SAME, DIFFERENT, UNCLEAR
        letters = tuple(_LETTERS[: len(self.choices)])
        return (*letters, BOTH, UNCLEAR) if self.both else (*letters, UNCLEAR)


@dataclass(frozen=True, slots=True, kw_only=True)
class Decided:
    """What a call decided.

    Attributes:
        answers: by the question's place, one of what it offered, UNCLEAR left out.
        unusable: answers that could not be used.
        problem: why there is no answer at all.
        usage, steps: what it cost.
    """

    answers: dict[int, str] = field(default_factory=dict[int, str])
    unusable: int = 0
    problem: str | None = None
    usage: Usage = field(default_factory=Usage)
    steps: Steps = field(default_factory=dict[str, Usage])

    def place(self, index: int) -> int | None:
        """Return the place of the choice that was picked, None if none or no single one was."""
        word = self.answers.get(index, "")
        return _LETTERS.index(word) if len(word) == 1 and word in _LETTERS else None


class Decider:
    """Puts open questions to a language model."""

    def __init__(self, model: LanguageModel) -> None:
        self._model = metered(model)

    @cached_property
    def _schema(self) -> Json:
        return json.loads(read_text("schemas", "decisions.json"))

    async def decide(self, questions: Sequence[Question]) -> Decided:
        """Ask at most ``MOST_QUESTIONS`` questions in one call; never raises for the model."""
        rows, labels = _rows(questions[:MOST_QUESTIONS])
        messages = [
            Message("system", prompt_text("decide.md")),
            Message("user", "\n".join([*rows, "", f"Answer {', '.join(labels)} as JSON."])),
        ]
        with metering() as meter:
            try:
                completion = await self._model.complete(
                    messages,
                    step="decide",
                    schema=self._schema,
                    max_tokens=1_000 + 60 * len(labels),
                )
                text, problem = completion.text, None
            except ModelError as error:
                _log.info("open questions stay as the rules have them: %s", error)
                text, problem = "", str(error)
        if problem is not None:
            return Decided(problem=problem, usage=meter.usage, steps=dict(meter.steps))
        offered = {
            label: frozenset(question.offered)
            for label, question in zip(labels, questions, strict=False)
        }
        chosen = read_chosen(text, offered, key="choice")
        answers = {
            place: chosen.words[label]
            for place, label in enumerate(labels)
            if chosen.words.get(label, UNCLEAR) != UNCLEAR
        }
        return Decided(
            answers=answers,
            unusable=chosen.unusable,
            problem=chosen.problem,
            usage=meter.usage,
            steps=dict(meter.steps),
        )


def prompt_text(name: str) -> str:
    """Return a prompt's fixed text, without the line that says which version it is."""
    text = (Path(__file__).parent / "prompts" / name).read_text(encoding="utf-8")
    first, _, rest = text.partition("\n")
    return (rest if first.startswith("<!--") else text).strip()


def _rows(questions: Sequence[Question]) -> tuple[list[str], list[str]]:
    """Return the lines that show questions, and the questions' labels."""
    turns: dict[str, str] = {}
    shown: list[str] = []
    for question in questions:
        for turn, quote in _places(question):
            if turn.id not in turns:
                turns[turn.id] = f"T{len(turns) + 1}"
                shown.append(turn_row(turn, turns[turn.id], quote))
    tables = [_table(question, turns) for question in questions]
    tag = tag_of(json.dumps([shown, tables], ensure_ascii=False))
    labels = [f"S{number}-{tag}" for number in range(1, len(questions) + 1)]
    lines = [
        json.dumps({"label": label, **table}, ensure_ascii=False)
        for label, table in zip(labels, tables, strict=True)
    ]
    return ["Turns:", *shown, "", "Open:", *lines], labels


def _places(question: Question) -> list[tuple[Episode, str]]:
    said = [(question.turn, question.quote), *((c.turn, c.quote) for c in question.choices)]
    return [(turn, quote) for turn, quote in said if turn is not None]


def _table(question: Question, turns: dict[str, str]) -> dict[str, object]:
    table: dict[str, object] = {"question": question.kind.value, "about": question.about}
    table.update(_said(question.turn, question.quote, turns))
    table["between"] = [
        {
            **({} if question.kind is Kind.IDENTITY else {"choice": _LETTERS[place]}),
            "words": choice.words,
            **_said(choice.turn, choice.quote, turns),
            **({"known": list(choice.known)} if choice.known else {}),
        }
        for place, choice in enumerate(question.choices)
    ]
    table["answers"] = list(question.offered)
    return table


def _said(turn: Episode | None, quote: str, turns: dict[str, str]) -> dict[str, object]:
    return {} if turn is None else {"turn": turns[turn.id], "quote": quote}


def turn_row(turn: Episode, label: str, quote: str = "") -> str:
    """Return a turn as a line of JSON, in which its text cannot pass for anything else."""
    text = turn.content
    if len(text) > _SHOWN:
        begin = max(0, text.find(quote) - _SHOWN // 2)
        cut = text[begin : begin + _SHOWN]
        text = f"{'…' if begin else ''}{cut}{'…' if begin + _SHOWN < len(text) else ''}"
    row = {
        "turn": label,
        "speaker": turn.speaker or turn.role.value,
        "said": said_on(turn),
        "text": text,
    }
    return json.dumps(row, ensure_ascii=False)
