"""What a case of ``endings`` is, and what its makers share."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from benchmarks.endings_words import Words


@dataclass(frozen=True, slots=True)
class Said:
    """A sentence of a conversation, ``day`` days after the first."""

    text: str
    day: int
    role: str = "user"
    silent: bool = False
    """It is right that nothing is taken from it: a question, somebody else's words."""


@dataclass(frozen=True, slots=True)
class Given:
    """A fact given by its parts."""

    subject: str
    predicate: str
    object: str | None
    day: int
    valid_from: int | None = None
    valid_to: int | None = None
    qualifiers: tuple[tuple[str, str], ...] = ()


Side = Said | Given


@dataclass(frozen=True, slots=True)
class Case:
    """Things told, and what is to become of them.

    Attributes:
        kind: in a few words. language: "en" or "zh".
        sides: what is told, in the order it is said.
        ends: of a change: (predicate, old value) that must be over.
        holds: of a change: (predicate, value) that must hold; None if it only ends.
        Both None: all that each side says alone must hold beside the others.
    """

    kind: str
    language: str
    sides: tuple[Side, ...]
    ends: tuple[str, str] | None = None
    holds: tuple[str, str] | None = None

    @property
    def change(self) -> bool:
        """Whether something must end."""
        return self.ends is not None


@dataclass(slots=True)
class Maker:
    """Makes cases of one language by lot."""

    words: Words
    rng: random.Random

    def some(self, name: str, number: int = 1) -> list[str]:
        """Return different words of one list."""
        return self.rng.sample(self.words.lists[name], number)

    def say(
        self,
        template: str,
        day: int = 0,
        *,
        role: str = "user",
        silent: bool = False,
        **values: str,
    ) -> Said:
        """Fill in one of the ways to say something."""
        text = self.rng.choice(self.words.ways[template]).format(**values)
        return Said(text, day, role, silent)

    def who(self) -> list[str]:
        """Return names of two people."""
        return self.some("people", 2)

    def fine(self, kind: str, sides: Sequence[Side]) -> Case:
        """Return a case of which everything stays."""
        return Case(kind, self.words.language, tuple(sides))

    def plain(self, relation: str, who: str, day: int) -> Said:
        """Say something of somebody."""
        return self.say(relation, day, who=who, x=self.some(self.words.values[relation])[0])

    def mine(self, relation: str, day: int) -> Said:
        """Say something of the speaker."""
        return self.say(f"i_{relation}", day, x=self.some(self.words.values[relation])[0])

    def change(
        self, kind: str, predicate: str, before: str, after: str, values: str, *, who: str = ""
    ) -> Case:
        """Say one value, then that another took its place."""
        old, new = self.some(values, 2)
        sides = (self.say(before, x=old, who=who), self.say(after, 40, x=new, y=old, who=who))
        return Case(kind, self.words.language, sides, (predicate, old), (predicate, new))
