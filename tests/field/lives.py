"""Short lives told turn by turn, and what is to be believed of them when."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from graphmem import Memory
from graphmem.model.claim import Modality, Polarity
from graphmem.model.receipt import Receipt


@dataclass(frozen=True, slots=True)
class Asked:
    """What is held of one subject and relation.

    Attributes:
        subject, predicate: whose, and which relation.
        held: the objects, "not X" for a no, "X?" for a plan, "" where there is no object.
        at: the day or month asked about, or now.
    """

    subject: str
    predicate: str
    held: frozenset[str]
    at: str | None = None


@dataclass(frozen=True, slots=True)
class Life:
    """Turns with their days, and what is believed after the last of them."""

    name: str
    turns: tuple[tuple[str, str], ...]
    asked: tuple[Asked, ...]


def asked(subject: str, predicate: str, *held: str, at: str | None = None) -> Asked:
    """Return a question with its answers."""
    return Asked(subject, predicate, frozenset(held), at)


def life(name: str, turns: Sequence[tuple[str, str]], *questions: Asked) -> Life:
    """Return a life."""
    return Life(name, tuple(turns), questions)


def tell(memory: Memory, turns: Sequence[tuple[str, str]], user: str = "ana") -> list[Receipt]:
    """Tell turns one call after the other, each on its day."""
    return [memory.add(text, user=user, occurred_at=day) for day, text in turns]


def held(memory: Memory, question: Asked, user: str = "ana") -> frozenset[str]:
    """Return what a memory holds, written as in ``Asked.held``."""
    page = memory.facts(
        user=user, subject=question.subject, predicate=question.predicate, valid_at=question.at
    )
    return frozenset(
        ("not " if fact.polarity is Polarity.NEGATIVE else "")
        + (fact.object.text if fact.object is not None else "")
        + ("?" if fact.modality is Modality.PLANNED else "")
        for fact in page.items
    )


def differences(memory: Memory, told: Life) -> list[str]:
    """Return where a memory does not hold what is to be believed, in words."""
    found = ((question, held(memory, question)) for question in told.asked)
    return [
        f"{question.subject} {question.predicate} at {question.at or 'now'}: "
        f"{sorted(got)}, not {sorted(question.held)}"
        for question, got in found
        if got != question.held
    ]
