"""Add turns: store them first, then read them, then believe what they say."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from graphmem.model.changes import ChangeSet, Decision, Wanted
from graphmem.model.episode import Episode, Reading
from graphmem.model.receipt import Receipt, TurnOutcome, TurnState
from graphmem.model.scope import Scope
from graphmem.ports.graph_store import EpisodeQuery
from graphmem.usecases.at_once import add_at_once
from graphmem.usecases.believe import Outcome
from graphmem.usecases.reading import read_turns, together
from graphmem.usecases.services import Services
from graphmem.usecases.turns import Prepared, Turn, prepare
from graphmem.usecases.unread import at_work, merged, met

_PENDING_PAGE = 500


async def add(
    services: Services, scope: Scope, turns: Sequence[Turn], *, me: tuple[str, ...] = ()
) -> Receipt:
    """Store ``turns`` and read those that are new.

    Args:
        services: the memory.
        scope: whose.
        turns: the turns of one call, in their order.
        me: further names by which the scope's own user goes.

    Returns:
        What became of each turn and of the facts it touches. A turn whose reading fails is
        stored and stays pending, with the reason.
    """
    return await _add(services, scope, prepare(turns, services.clock.now()), me)


async def _add(
    services: Services, scope: Scope, prepared: Sequence[Prepared], me: tuple[str, ...]
) -> Receipt:
    with at_work(prepared):
        at_once = await add_at_once(services, scope, _given(prepared), me)
        if at_once is not None:
            outcome, read = at_once
        else:
            outcome = await _store(services, scope, prepared)
            turns = met(prepared, outcome)
            fresh = [e for e in turns if e.reading is Reading.PENDING]
            shown = [e for e in turns if e.reading is Reading.SKIPPED]
            read = await read_turns(services, scope, fresh, shown=shown, me=me)
    new = {episode.id for episode in outcome.new}
    states = [_state(index, made, outcome, new) for index, made in enumerate(prepared)]
    masked = sum(made.masked for made in prepared)
    notes = [*read.notes]
    if masked:
        notes.append(f"{masked} secrets were masked before anything was stored")
    by_episode = {t.episode: t for t in read.turns}
    turns_out = [
        merged(state, by_episode[state.episode])
        if state.episode in by_episode
        and (state.state is TurnState.STORED or state.episode not in new)
        else state
        for state in states
    ]
    notes += await services.catch_up(scope)
    return replace(read, turns=tuple(turns_out), notes=tuple(dict.fromkeys(notes)))


async def retry_pending(services: Services, scope: Scope, *, me: tuple[str, ...] = ()) -> Receipt:
    """Read the scope's pending turns again, oldest first."""
    pending: list[Episode] = []
    cursor: str | None = None
    while True:
        query = EpisodeQuery(reading=Reading.PENDING, limit=_PENDING_PAGE, cursor=cursor)
        page = await services.store.episodes(scope, query)
        pending.extend(page.items)
        cursor = page.cursor
        if cursor is None:
            break
    read = await read_turns(services, scope, pending, me=me)
    notes = [*read.notes, *await services.catch_up(scope)]
    return replace(read, notes=tuple(dict.fromkeys(notes)))


async def ingest(
    services: Services,
    scope: Scope,
    turns: Sequence[Turn],
    *,
    me: tuple[str, ...] = (),
    progress: Callable[[int, int], None] | None = None,
) -> Receipt:
    """Add a transcript, a run of turns of one session at a time.

    ``progress`` is told how many turns are done, and how many there are.
    """
    receipts: list[Receipt] = []
    done = 0
    # Prepared as one call: equal turns are counted, and one time is ordered, over the whole.
    for run in _sessions(prepare(turns, services.clock.now())):
        receipt = await _add(services, scope, run, me)
        moved = [replace(t, index=t.index + done) for t in receipt.turns]
        receipts.append(replace(receipt, turns=tuple(moved)))
        done += len(run)
        if progress is not None:
            progress(done, len(turns))
    return together(receipts)


def _sessions(prepared: Sequence[Prepared]) -> Iterator[Sequence[Prepared]]:
    """Yield runs of turns of one session, in pieces that are stored and read together."""
    for _, run in groupby(prepared, key=lambda made: made.episode and made.episode.session):
        whole = list(run)
        for start in range(0, len(whole), _PIECE):
            yield whole[start : start + _PIECE]


_PIECE = 200


async def retry_all(services: Services, *, me: tuple[str, ...] = ()) -> Receipt:
    """Read the pending turns of every scope again."""
    scopes = await services.store.scopes()
    return together([await retry_pending(services, scope, me=me) for scope in scopes])


def _given(prepared: Sequence[Prepared]) -> list[Episode]:
    return [made.episode for made in prepared if made.episode is not None]


async def _store(services: Services, scope: Scope, prepared: Sequence[Prepared]) -> Outcome:
    outcome = Outcome()
    given = _given(prepared)

    def decide() -> Decision:
        keys = tuple({e.key for e in given if e.key is not None})
        snapshot = yield Wanted(episode_keys=keys)
        outcome.present = {e.key: e for e in snapshot.episodes if e.key is not None}
        seen = set(outcome.present)
        new: list[Episode] = []
        for episode in given:
            if episode.key is None or episode.key not in seen:
                new.append(episode)
            if episode.key is not None:
                seen.add(episode.key)
        outcome.new = tuple(new)
        return ChangeSet(episodes=tuple(new))

    if given:
        outcome.committed((await services.store.change(scope, decide)).at)
    return outcome


def _state(index: int, made: Prepared, outcome: Outcome, new: set[str]) -> TurnOutcome:
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
