"""What a model is shown: fixed rules, then the predicates, then what varies.

The texts lie beside this file. The fixed part comes first and never changes while the registry does
not, so that endpoints can keep it cached.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

from graphmem.extraction.normalize.calendar import zone_of
from graphmem.model.claim import Modality, Polarity
from graphmem.model.draft import Known, KnownFact
from graphmem.model.episode import Episode, Role
from graphmem.model.predicate import Cardinality, Ontology, Predicate, ValueType
from graphmem.model.text import normal_key
from graphmem.model.time import from_micros
from graphmem.ports.language_model import Message

_FOLDER = Path(__file__).parent
_CONTEXT_LIMIT = 1_000
_KNOWN_LIMIT = 40
_STATEMENT_LIMIT = 160

PROMPT_VERSION = 4
"""Grows with each change of what a model is asked; part of the extractor's identity."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A turn to read, or a stretch of a long one: ``turn.content[begin:stop]``."""

    turn: Episode
    begin: int
    stop: int

    @property
    def text(self) -> str:
        """Its words."""
        return self.turn.content[self.begin : self.stop]


@cache
def _text(name: str) -> str:
    return (_FOLDER / name).read_text(encoding="utf-8").strip()


def system_message(
    ontology: Ontology, kinds: Sequence[str], statement_language: str | None = None
) -> Message:
    """Return the part that stays the same from call to call.

    Args:
        ontology: the predicates.
        kinds: what kinds of things there are.
        statement_language: of all statements, by its code ("en"); None for the speaker's.
    """
    language = _STATEMENTS.get(statement_language or "", statement_language)
    wanted = "in the language of the turn" if language is None else f"in {language}"
    text = _text("extract.md").replace("{language}", wanted).replace("{kinds}", ", ".join(kinds))
    return Message("system", "\n".join([text, *map(_predicate_line, ontology)]))


_STATEMENTS = {"en": "English", "zh": "Chinese"}


def _predicate_line(predicate: Predicate) -> str:
    notes = [word for listed in predicate.surfaces.values() for word in listed[:2]]
    if predicate.cardinality is Cardinality.ONE:
        notes.insert(0, "one")
    if predicate.value is ValueType.NONE:
        notes.insert(0, "no object")
    if predicate.discriminators:
        notes.append(f"apart by the qualifier {', '.join(predicate.discriminators)}")
    if predicate.inverse:
        notes.append(f"from the other side {predicate.inverse}")
    return f"- {predicate.slug}: {', '.join(notes)}" if notes else f"- {predicate.slug}"


@dataclass(frozen=True, slots=True)
class Shown:
    """A line of the conversation: a piece to read under its label, or one without, as context."""

    piece: Piece
    label: str | None = None


def user_message(shown: Sequence[Shown], *, earlier: Sequence[Episode], known: Known) -> Message:
    """Return the part that varies: known names and facts, earlier turns, and what is to be read."""
    parts: list[str] = []
    if known.me or known.people or known.facts:
        parts += ["Known:", *_known_lines(known), ""]
    if earlier:
        parts += ["Earlier (context):", *(_line(turn, turn.content, known) for turn in earlier), ""]
    labels = [row.label for row in shown if row.label is not None]
    parts += ["Turns:", *(_line(r.piece.turn, r.piece.text, known, r.label) for r in shown)]
    parts += ["", f"Answer with the claims of {', '.join(labels)} as JSON."]
    return Message("user", "\n".join(parts))


def repair_messages(asked: Iterable[Message], answer: str, problem: str) -> list[Message]:
    """Return the messages that ask once more after an answer that could not be used."""
    shown = answer if len(answer) <= 2_000 else answer[:1_000] + "\n…\n" + answer[-500:]
    said = [Message("assistant", shown)] if shown.strip() else []
    return [*asked, *said, Message("user", _text("repair.md").replace("{problem}", problem))]


def _known_lines(known: Known) -> list[str]:
    lines = [f"the user: {', '.join(known.me)}"] if known.me else []
    people = list(known.people.items())[:_KNOWN_LIMIT]
    lines += [_person_line(name, role, known.aliases.get(name, ())) for name, role in people]
    facts = list(known.facts.items())[:_KNOWN_LIMIT]
    lines += [_fact_line(label, fact) for label, fact in facts]
    return [json.dumps(" ".join(line.split()), ensure_ascii=False) for line in lines]


def _person_line(name: str, role: str | None, aliases: Sequence[str]) -> str:
    notes = [*([role] if role else []), *(f"also {alias}" for alias in aliases[:3])]
    return f"{name} ({', '.join(notes)})" if notes else name


def _fact_line(label: str, fact: KnownFact) -> str:
    """Return a fact with its parts: "F1 (me; lives_in; Riga): Ana lives in Riga."."""
    subject = "me" if fact.subject.is_self else fact.subject.text
    value = "" if fact.object is None else "me" if fact.object.is_self else fact.object.text
    parts = [subject, fact.predicate, value]
    if fact.polarity is Polarity.NEGATIVE:
        parts.append("-")
    if fact.modality is not Modality.ASSERTED:
        parts.append(fact.modality.value)
    statement = fact.statement
    if len(statement) > _STATEMENT_LIMIT:
        statement = statement[:_STATEMENT_LIMIT] + "…"
    return f"{label} ({'; '.join(part for part in parts if part)}): {statement}"


def _line(turn: Episode, text: str, known: Known, label: str | None = None) -> str:
    """Return one turn as a line of JSON, in which its text cannot pass for anything else."""
    if label is None and len(text) > _CONTEXT_LIMIT:
        text = text[:_CONTEXT_LIMIT] + "…"
    row = {
        "label": label or "context",
        "speaker": _speaker(turn, known),
        "said": said_on(turn),
        "text": text,
    }
    return json.dumps(row, ensure_ascii=False)


def _speaker(turn: Episode, known: Known) -> str:
    mine = {normal_key(name) for name in known.me}
    if turn.role is Role.USER and (turn.speaker is None or normal_key(turn.speaker) in mine):
        return "user"
    return turn.speaker or turn.role.value


def said_on(turn: Episode) -> str:
    """Return when a turn was said, in its own zone: "2024-06-12 Wednesday 14:05, +02:00"."""
    moment = from_micros(turn.occurred_at)
    try:
        local = moment.astimezone(zone_of(turn.zone) or UTC)
    except OverflowError:  # within a day of the years 1 or 9999
        local = moment
    offset = local.strftime("%z")
    shown = f"{offset[:3]}:{offset[3:5]}"
    name = turn.zone if "/" in turn.zone else ""
    return f"{_date(local)}, {shown} {name}".rstrip()


def _date(local: datetime) -> str:
    days = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
    return f"{local:%Y-%m-%d} {days[local.weekday()]} {local:%H:%M}"
