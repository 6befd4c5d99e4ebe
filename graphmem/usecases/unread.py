"""Which turns of a call are to be read: the new ones, and those whose reading was cut off.

A turn is stored before it is read. If the process ends in between, the turn is sent again by a
caller who never got a receipt, and would otherwise count as a duplicate and stay unread.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import replace

from graphmem.model.episode import Episode, Reading
from graphmem.model.receipt import TurnOutcome, TurnState
from graphmem.usecases.believe import Outcome
from graphmem.usecases.turns import Prepared

_reading: set[str] = set()
"""Ids of turns whose call is at work in this process; they are left to it."""


@contextmanager
def at_work(prepared: Sequence[Prepared]) -> Generator[None]:
    """Keep others from reading what this call stores."""
    ids = {made.episode.id for made in prepared if made.episode is not None}
    _reading.update(ids)
    try:
        yield
    finally:
        _reading.difference_update(ids)


def met(prepared: Sequence[Prepared], outcome: Outcome) -> list[Episode]:
    """Return the turns that this call stored or finds cut off, each once, in the call's order.

    What was skipped is among them: it stands between those that are read.
    """
    new = {episode.id: episode for episode in outcome.new}
    present = {key: e for key, e in outcome.present.items() if e.id not in _reading}
    if not any(_cut_off(e) for e in present.values()):
        return list(outcome.new)
    found: dict[str, Episode] = {}
    for made in prepared:
        given = made.episode
        episode = given and (new.get(given.id) or present.get(given.key or ""))
        if episode and (episode.id in new or _cut_off(episode) or _skipped(episode)):
            found.setdefault(episode.id, episode)
    return list(found.values())


def merged(state: TurnOutcome, read: TurnOutcome) -> TurnOutcome:
    """Return what became of a turn that was read in this call."""
    if state.state is TurnState.DUPLICATE and read.state is TurnState.STORED:
        reason = "it was stored before, and is read only now"
        return replace(state, reason=read.reason or reason, unmatched=read.unmatched)
    return replace(read, index=state.index, episode=state.episode)


def _cut_off(episode: Episode) -> bool:
    # One that was read in vain says why, and waits for ``retry_pending``.
    return episode.reading is Reading.PENDING and episode.reason is None


def _skipped(episode: Episode) -> bool:
    return episode.reading is Reading.SKIPPED
