"""Which turns of a call are to be read: the new ones, and those whose reading was cut off.

A turn is stored before it is read. If the process ends in between, the turn is sent again by a
caller who never got a receipt, and would otherwise count as a duplicate and stay unread.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Generator, Iterable, Sequence
from contextlib import contextmanager
from dataclasses import replace

from graphmem.model.episode import Episode, Reading
from graphmem.model.receipt import TurnOutcome, TurnState
from graphmem.usecases.believe import Outcome
from graphmem.usecases.turns import Prepared

_reading: set[str] = set()
"""Ids of turns that a call of this process reads or will read; they are left to it."""
_guard = threading.Lock()


def _forked() -> None:
    # What the parent reads is not read here, and its guard may have been held at the fork.
    global _guard
    _guard = threading.Lock()
    _reading.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forked)


def take(ids: Iterable[str]) -> frozenset[str]:
    """Keep others of this process from reading turns; return those that nobody had taken."""
    with _guard:
        taken = frozenset(ids) - _reading
        _reading.update(taken)
    return taken


def give_back(ids: Iterable[str]) -> None:
    """Let others read turns that were taken."""
    with _guard:
        _reading.difference_update(ids)


@contextmanager
def at_work(ids: Iterable[str]) -> Generator[frozenset[str]]:
    """Keep others from reading turns for a while; gives those that nobody had taken."""
    taken = take(ids)
    try:
        yield taken
    finally:
        give_back(taken)


def is_taken(episode: Episode) -> bool:
    """Whether a call of this process reads a turn, or will."""
    return episode.id in _reading


def met(prepared: Sequence[Prepared], outcome: Outcome) -> list[Episode]:
    """Return the turns that this call stored or finds cut off, each once, in the call's order.

    What was skipped is among them: it stands between those that are read.
    """
    new = {episode.id: episode for episode in outcome.new}
    present = {key: e for key, e in outcome.present.items() if not is_taken(e)}
    if not any(cut_off(e) for e in present.values()):
        return list(outcome.new)
    found: dict[str, Episode] = {}
    for made in prepared:
        given = made.episode
        episode = given and (new.get(given.id) or present.get(given.key or ""))
        if episode and (episode.id in new or cut_off(episode) or _skipped(episode)):
            found.setdefault(episode.id, episode)
    return list(found.values())


def merged(state: TurnOutcome, read: TurnOutcome) -> TurnOutcome:
    """Return what became of a turn that was read in this call."""
    if state.state is TurnState.DUPLICATE and read.state is TurnState.STORED:
        reason = "it was stored before, and is read only now"
        return replace(state, reason=read.reason or reason, unmatched=read.unmatched)
    return replace(read, index=state.index, episode=state.episode)


def cut_off(episode: Episode) -> bool:
    """Whether nobody has tried to read a turn; one that was read in vain says why, and waits for
    ``retry_pending``."""
    return episode.reading is Reading.PENDING and episode.reason is None


def _skipped(episode: Episode) -> bool:
    return episode.reading is Reading.SKIPPED
