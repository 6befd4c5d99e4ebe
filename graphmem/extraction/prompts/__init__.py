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
from graphmem.model.draft import Known
from graphmem.model.episode import Episode, Role
from graphmem.model.predicate import Cardinality, Ontology, Predicate, ValueType
from graphmem.model.text import normal_key
from graphmem.model.time import from_micros
from graphmem.ports.language_model import Message

_FOLDER = Path(__file__).parent
_CONTEXT_LIMIT = 1_000
_KNOWN_LIMIT = 40


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


def system_message(ontology: Ontology) -> Message:
    """Return the part that stays the same from call to call."""
    lines = (_predicate_line(predicate) for predicate in ontology)
    return Message("system", "\n".join([_text("extract.md"), *lines]))


def _predicate_line(predicate: Predicate) -> str:
    notes = [word for listed in predicate.surfaces.values() for word in listed[:2]]
    if predicate.cardinality is Cardinality.ONE:
        notes.insert(0, "one")
    if predicate.value is ValueType.NONE:
        notes.insert(0, "no object")
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
    lines += [f"{name} ({role})" if role else name for name, role in people]
    facts = list(known.facts.items())[:_KNOWN_LIMIT]
    lines += [f"{label}: {statement}" for label, statement in facts]
    return [json.dumps(" ".join(line.split()), ensure_ascii=False) for line in lines]


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
