"""Store turns now and read them later: what is kept in between, and what became of it.

Only ids are kept of a turn. When its turn to be read comes, it is taken from the store, so one that
was erased meanwhile is gone, and one that another process read is not read again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from graphmem.errors import StoreError
from graphmem.model.changes import ReadMark
from graphmem.model.episode import Episode, Reading
from graphmem.model.receipt import Receipt, TurnOutcome, TurnState
from graphmem.model.scope import Scope
from graphmem.ports.graph_store import EpisodeQuery
from graphmem.usecases.budget import within
from graphmem.usecases.reading import mark, read_turns, together
from graphmem.usecases.services import Services
from graphmem.usecases.storing import Stored, given, store
from graphmem.usecases.turns import Prepared
from graphmem.usecases.unread import at_work, cut_off, give_back, is_taken, met, take

PORTION = 200
"""Turns found unread in the store that are read together."""
_PAGE, _LOOK = 500, 100
"""Unread turns of which those are sought, at a time and at one look."""

ERASED = "it was erased before it was read"
ELSEWHERE = "another process has read it; what it says is not in this receipt"


@dataclass(frozen=True, slots=True)
class Kept:
    """Turns of one session that are stored, with the ids of those that are to be read, and of
    those that stand between them (see ``read_turns``)."""

    stored: Stored
    fresh: tuple[str, ...]
    shown: tuple[str, ...]

    def waiting(self, reason: str) -> Receipt:
        """Return the receipt while the turns are not read."""
        unread = [TurnOutcome(0, TurnState.PENDING, one, reason) for one in self.fresh]
        return self.stored.read(Receipt(turns=tuple(unread)))


async def keep(
    services: Services, scope: Scope, pieces: Sequence[Sequence[Prepared]]
) -> tuple[Kept, ...]:
    """Store turns, piece by piece; nobody else of this process reads them until ``give_back``."""
    kept: list[Kept] = []
    taken = take(e.id for piece in pieces for e in given(piece))
    try:
        for piece in pieces:
            outcome = await store(services, scope, piece)
            turns = met(piece, outcome)
            fresh = tuple(e.id for e in turns if e.reading is Reading.PENDING)
            shown = tuple(e.id for e in turns if e.reading is Reading.SKIPPED)
            taken |= take(fresh)  # also those that were cut off
            kept.append(Kept(Stored.of(piece, outcome), fresh, shown))
    except BaseException:  # what is stored waits for whoever comes
        give_back(taken)
        raise
    give_back(taken.difference(*(part.fresh for part in kept)))
    return tuple(kept)


async def read_kept(
    services: Services, scope: Scope, kept: Kept, *, me: tuple[str, ...] = ()
) -> Receipt:
    """Read stored turns; the receipt is what the call would have given, had it waited."""
    there = await _by_id(services, scope, (*kept.fresh, *kept.shown))
    turns = [there[one] for one in kept.fresh if one in there]
    fresh = [e for e in turns if e.reading is Reading.PENDING]
    shown = [there[one] for one in kept.shown if one in there]
    receipt = kept.stored.read(await _read(services, scope, fresh, shown, me=me))
    gone = {*kept.fresh} - {*there}
    elsewhere = {e.id for e in turns} - {e.id for e in fresh}
    return replace(receipt, turns=tuple(_told(t, gone, elsewhere) for t in receipt.turns))


def _told(turn: TurnOutcome, gone: set[str], elsewhere: set[str]) -> TurnOutcome:
    if turn.episode in gone:
        return replace(turn, state=TurnState.FAILED, episode=None, reason=ERASED)
    if turn.episode in elsewhere:
        return replace(turn, reason=ELSEWHERE)
    return turn


async def _by_id(services: Services, scope: Scope, ids: Sequence[str]) -> dict[str, Episode]:
    if not ids:
        return {}
    page = await services.store.episodes(scope, EpisodeQuery(ids=tuple(ids), limit=len(ids)))
    return {episode.id: episode for episode in page.items}


def joined(parts: Sequence[Receipt]) -> Receipt:
    """Return the receipts of the parts of one call, in their order, as one."""
    moved: list[Receipt] = []
    done = 0
    for part in parts:
        turns = tuple(replace(turn, index=turn.index + done) for turn in part.turns)
        moved.append(replace(part, turns=turns))
        done += len(part.turns)
    return together(moved)


async def left(
    services: Services, scope: Scope, *, before: int | None = None, everywhere: bool = True
) -> list[Episode]:
    """Return a portion of the turns that were stored and that nobody has tried to read, the oldest
    first; those that a call of this process will read are left to it.

    ``before`` keeps to turns that were stored before that instant. Without ``everywhere`` only the
    oldest unread turns are looked at, so that it costs the same however many wait.
    """
    found: list[Episode] = []
    cursor: str | None = None
    while len(found) < PORTION:
        limit = _PAGE if everywhere else _LOOK
        query = EpisodeQuery(reading=Reading.PENDING, limit=limit, cursor=cursor)
        page = await services.store.episodes(scope, query)
        found += [
            e
            for e in page.items
            if cut_off(e) and not is_taken(e) and (before is None or e.created_at < before)
        ]
        cursor = page.cursor
        if cursor is None or not everywhere:
            break
    return found[:PORTION]


async def read_left(
    services: Services, scope: Scope, turns: Sequence[Episode], *, me: tuple[str, ...] = ()
) -> Receipt:
    """Read turns that were found unread; the receipt names those that stay so, and the cost."""
    async with within(services):
        with at_work([turn.id for turn in turns]) as mine:
            read = await _read(services, scope, [t for t in turns if t.id in mine], me=me)
    return Receipt(turns=read.pending, usage=read.usage, steps=read.steps, notes=read.notes)


async def _read(
    services: Services,
    scope: Scope,
    turns: Sequence[Episode],
    shown: Sequence[Episode] = (),
    *,
    me: tuple[str, ...],
) -> Receipt:
    try:
        return await read_turns(services, scope, turns, shown=shown, me=me)
    except StoreError:  # which could not be told either
        raise
    except Exception as error:
        # Nobody tries again without being told to: what broke once breaks, and costs, each time.
        reason = f"reading broke ({type(error).__name__}); retry_pending() tries again"
        await mark(services, scope, [ReadMark(t.id, Reading.PENDING, reason) for t in turns])
        raise
