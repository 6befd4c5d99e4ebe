"""Store the turns of a call before anything reads them, and say what became of each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from graphmem.model.changes import ChangeSet, Decision, Wanted
from graphmem.model.episode import Episode, Reading
from graphmem.model.receipt import Receipt, TurnOutcome, TurnState
from graphmem.model.scope import Scope
from graphmem.usecases.believe import Outcome
from graphmem.usecases.services import Services
from graphmem.usecases.turns import Prepared
from graphmem.usecases.unread import merged


@dataclass(frozen=True, slots=True)
class Stored:
    """What storing the turns of a call came to.

    Attributes:
        states: one a turn, in the call's order; of those that are new, as if they were read.
        new: ids of the turns that this call stored.
        notes: what the caller should know.
    """

    states: tuple[TurnOutcome, ...]
    new: frozenset[str]
    notes: tuple[str, ...] = ()

    @classmethod
    def of(cls, prepared: Sequence[Prepared], outcome: Outcome) -> Stored:
        """Return what became of turns, given what was written."""
        new = frozenset(episode.id for episode in outcome.new)
        masked = sum(made.masked for made in prepared)
        note = f"{masked} secrets were masked before anything was stored"
        return cls(
            states=tuple(_state(at, made, outcome, new) for at, made in enumerate(prepared)),
            new=new,
            notes=(note,) if masked else (),
        )

    def read(self, read: Receipt) -> Receipt:
        """Return the receipt of the call, given that of reading its turns."""
        by_episode = {turn.episode: turn for turn in read.turns}
        turns = tuple(
            merged(state, by_episode[state.episode])
            if state.episode in by_episode
            and (state.state is TurnState.STORED or state.episode not in self.new)
            else state
            for state in self.states
        )
        return replace(read, turns=turns, notes=tuple(dict.fromkeys((*read.notes, *self.notes))))


def given(prepared: Sequence[Prepared]) -> list[Episode]:
    """Return the turns that can be stored."""
    return [made.episode for made in prepared if made.episode is not None]


async def store(services: Services, scope: Scope, prepared: Sequence[Prepared]) -> Outcome:
    """Store the turns that are not there yet."""
    outcome = Outcome()
    turns = given(prepared)

    def decide() -> Decision:
        keys = tuple({e.key for e in turns if e.key is not None})
        snapshot = yield Wanted(episode_keys=keys)
        outcome.present = {e.key: e for e in snapshot.episodes if e.key is not None}
        seen = set(outcome.present)
        new: list[Episode] = []
        for episode in turns:
            if episode.key is None or episode.key not in seen:
                new.append(episode)
            if episode.key is not None:
                seen.add(episode.key)
        outcome.new = tuple(new)
        return ChangeSet(episodes=tuple(new))

    if turns:
        outcome.committed((await services.store.change(scope, decide)).at)
    return outcome


def _state(index: int, made: Prepared, outcome: Outcome, new: frozenset[str]) -> TurnOutcome:
    episode = made.episode
    if episode is None:
        return TurnOutcome(index, TurnState.FAILED, reason=made.problem)
    if episode.id not in new:
        known = outcome.present.get(episode.key or "")
        if known is None:
            known = next((e for e in outcome.new if e.key == episode.key), None)
        reason = None
        if known is not None and known.reading is Reading.PENDING and known.reason:
            reason = f"still pending: {known.reason}"
        return TurnOutcome(index, TurnState.DUPLICATE, known.id if known else None, reason)
    if episode.reading is Reading.SKIPPED:
        return TurnOutcome(index, TurnState.SKIPPED, episode.id, episode.reason)
    return TurnOutcome(index, TurnState.STORED, episode.id)
