"""What a write tells its caller."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from graphmem.model.draft import Steps, Usage
from graphmem.model.fact import Cause, Fact


class TurnState(StrEnum):
    """What became of a turn."""

    STORED = "stored"
    DUPLICATE = "duplicate"
    SKIPPED = "skipped"
    PENDING = "pending"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class TurnOutcome:
    """What became of one turn.

    Attributes:
        index: its place in the call.
        state: stored (and read), duplicate, skipped (stored, kept from extraction), pending
            (stored, not yet read) or failed (not stored).
        episode: its id; None if it failed.
        reason: why it is not simply stored; of a stored turn, what of it was not read or indexed.
        unmatched: sentences that may assert something and gave no fact.
    """

    index: int
    state: TurnState
    episode: str | None = None
    reason: str | None = None
    unmatched: int = 0


class FactChange(StrEnum):
    """What happened to a fact."""

    ADDED = "added"
    CORROBORATED = "corroborated"
    CHANGED = "changed"
    ENDED = "ended"
    RETRACTED = "retracted"
    RESTORED = "restored"
    DISPUTED = "disputed"


@dataclass(frozen=True, slots=True)
class FactOutcome:
    """What happened to one fact, and by which rule."""

    change: FactChange
    fact: Fact
    cause: Cause | None = None


@dataclass(frozen=True, slots=True)
class Refusal:
    """Something a turn seemed to say that was not stored."""

    kind: str
    count: int = 1
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """What a write did.

    Attributes:
        turns: one outcome per turn of the call.
        outcomes: one per fact touched.
        refused: what was not stored, counted by kind.
        usage: model calls and tokens. steps: the same, step by step ("extract", "repair").
        notes: what the caller should know ("'Ida' is not you: kept as an entity of her own").
    """

    turns: tuple[TurnOutcome, ...] = ()
    outcomes: tuple[FactOutcome, ...] = ()
    refused: tuple[Refusal, ...] = ()
    usage: Usage = field(default_factory=Usage)
    steps: Steps = field(default_factory=dict[str, Usage])
    notes: tuple[str, ...] = ()

    def _with(self, *changes: FactChange) -> tuple[Fact, ...]:
        return tuple(o.fact for o in self.outcomes if o.change in changes)

    @property
    def facts(self) -> tuple[Fact, ...]:
        """Facts added, changed, restored, corroborated or disputed: what this write stated."""
        return self._with(
            FactChange.ADDED,
            FactChange.CORROBORATED,
            FactChange.CHANGED,
            FactChange.RESTORED,
            FactChange.DISPUTED,
        )

    @property
    def added(self) -> tuple[Fact, ...]:
        """Facts that are new."""
        return self._with(FactChange.ADDED)

    @property
    def corroborated(self) -> tuple[Fact, ...]:
        """Facts said again."""
        return self._with(FactChange.CORROBORATED)

    @property
    def ended(self) -> tuple[Fact, ...]:
        """Facts that ended."""
        return self._with(FactChange.ENDED)

    @property
    def retracted(self) -> tuple[Fact, ...]:
        """Facts that were never true after all."""
        return self._with(FactChange.RETRACTED)

    @property
    def disputed(self) -> tuple[Fact, ...]:
        """Facts a weaker source claims against a stronger."""
        return self._with(FactChange.DISPUTED)

    @property
    def pending(self) -> tuple[TurnOutcome, ...]:
        """Turns that are stored and not yet read."""
        return tuple(t for t in self.turns if t.state is TurnState.PENDING)


@dataclass(frozen=True, slots=True, kw_only=True)
class ErasureReceipt:
    """What an erasure removed.

    Attributes:
        removed: counts by kind ("episodes", "claims", "facts", "entities", "records").
        reopened: facts that hold again because what had ended them is gone.
        clean: nothing of it is left in any file.
        waiting: what physical removal still waits for, if it is not clean.
    """

    removed: Mapping[str, int]
    reopened: tuple[Fact, ...] = ()
    clean: bool = False
    waiting: tuple[str, ...] = ()
