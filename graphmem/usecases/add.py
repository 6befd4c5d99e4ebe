"""Add turns: store them first, then read them, then believe what they say."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from graphmem.model.draft import Cap
from graphmem.model.episode import Episode, Reading
from graphmem.model.receipt import Receipt
from graphmem.model.scope import Scope
from graphmem.ports.graph_store import EpisodeQuery
from graphmem.usecases.at_once import add_at_once
from graphmem.usecases.budget import within
from graphmem.usecases.reading import read_turns, together
from graphmem.usecases.services import Services
from graphmem.usecases.storing import Stored, given, store
from graphmem.usecases.turns import Prepared, Turn, prepare
from graphmem.usecases.unread import at_work, met

_PENDING_PAGE = 500


async def add(
    services: Services,
    scope: Scope,
    turns: Sequence[Turn],
    *,
    me: tuple[str, ...] = (),
    cap: Cap | None = None,
) -> Receipt:
    """Store ``turns`` and read those that are new.

    Args:
        services: the memory.
        scope: whose.
        turns: the turns of one call, in their order.
        me: further names by which the scope's own user goes.
        cap: what may be asked of a model; turns that it leaves stay pending.

    Returns:
        What became of each turn and of the facts it touches. A turn whose reading fails is
        stored and stays pending, with the reason.
    """
    async with within(services, cap):
        return await _add(services, scope, prepare(turns, services.clock.now()), me)


async def _add(
    services: Services, scope: Scope, prepared: Sequence[Prepared], me: tuple[str, ...]
) -> Receipt:
    with at_work([made.id for made in given(prepared)]):
        at_once = await add_at_once(services, scope, given(prepared), me)
        if at_once is not None:
            outcome, read = at_once
        else:
            outcome = await store(services, scope, prepared)
            turns = met(prepared, outcome)
            fresh = [e for e in turns if e.reading is Reading.PENDING]
            shown = [e for e in turns if e.reading is Reading.SKIPPED]
            with at_work([e.id for e in fresh]):  # also those that were cut off
                read = await read_turns(services, scope, fresh, shown=shown, me=me)
    receipt = Stored.of(prepared, outcome).read(read)
    notes = (*receipt.notes, *await services.catch_up(scope))
    return replace(receipt, notes=tuple(dict.fromkeys(notes)))


async def retry_pending(
    services: Services, scope: Scope, *, me: tuple[str, ...] = (), cap: Cap | None = None
) -> Receipt:
    """Read the scope's pending turns again, oldest first; those that another call of this process
    reads are left to it."""
    async with within(services, cap):
        return await _retry(services, scope, me)


async def _retry(services: Services, scope: Scope, me: tuple[str, ...]) -> Receipt:
    pending: list[Episode] = []
    cursor: str | None = None
    while True:
        query = EpisodeQuery(reading=Reading.PENDING, limit=_PENDING_PAGE, cursor=cursor)
        page = await services.store.episodes(scope, query)
        pending.extend(page.items)
        cursor = page.cursor
        if cursor is None:
            break
    with at_work([e.id for e in pending]) as mine:
        read = await read_turns(services, scope, [e for e in pending if e.id in mine], me=me)
    notes = [*read.notes]
    if len(mine) < len(pending):
        notes.append(f"{len(pending) - len(mine)} turns are being read by other calls")
    notes += await services.catch_up(scope)
    return replace(read, notes=tuple(dict.fromkeys(notes)))


async def ingest(
    services: Services,
    scope: Scope,
    turns: Sequence[Turn],
    *,
    me: tuple[str, ...] = (),
    progress: Callable[[int, int], None] | None = None,
    cap: Cap | None = None,
) -> Receipt:
    """Add a transcript, a run of turns of one session at a time.

    ``progress`` is told how many turns are done, and how many there are. ``cap`` is for all of it.
    """
    async with within(services, cap):
        return await _ingest(services, scope, turns, me, progress)


async def _ingest(
    services: Services,
    scope: Scope,
    turns: Sequence[Turn],
    me: tuple[str, ...],
    progress: Callable[[int, int], None] | None,
) -> Receipt:
    receipts: list[Receipt] = []
    done = 0
    # Prepared as one call: equal turns are counted, and one time is ordered, over the whole.
    for run in sessions(prepare(turns, services.clock.now())):
        receipt = await _add(services, scope, run, me)
        moved = [replace(t, index=t.index + done) for t in receipt.turns]
        receipts.append(replace(receipt, turns=tuple(moved)))
        done += len(run)
        if progress is not None:
            progress(done, len(turns))
    return together(receipts)


def sessions(prepared: Sequence[Prepared]) -> Iterator[Sequence[Prepared]]:
    """Yield runs of turns of one session, in pieces that are stored and read together."""
    for _, run in groupby(prepared, key=lambda made: made.episode and made.episode.session):
        whole = list(run)
        for start in range(0, len(whole), _PIECE):
            yield whole[start : start + _PIECE]


_PIECE = 200


async def retry_all(
    services: Services, *, me: tuple[str, ...] = (), cap: Cap | None = None
) -> Receipt:
    """Read the pending turns of every scope again."""
    scopes = await services.store.scopes()
    async with within(services, cap):
        return together([await _retry(services, scope, me) for scope in scopes])
