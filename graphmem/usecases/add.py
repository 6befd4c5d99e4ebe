"""Add turns: store them first, then read them, then believe what they say."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from graphmem.errors import GraphmemError
from graphmem.extraction.claims import claim_of
from graphmem.model.changes import ChangeSet, Decision, ReadMark, Wanted
from graphmem.model.claim import Claim
from graphmem.model.draft import Batch, Extraction, Known, Usage
from graphmem.model.episode import Episode, Reading, Role
from graphmem.model.receipt import FactOutcome, Receipt, Refusal, TurnOutcome, TurnState
from graphmem.model.scope import Scope
from graphmem.model.search import FactQuery
from graphmem.model.text import normal_key
from graphmem.model.time import Stated
from graphmem.ports.extractor import Extractor
from graphmem.ports.graph_store import EpisodeQuery
from graphmem.usecases.believe import Outcome, believe
from graphmem.usecases.portion import ending, left_over, portion
from graphmem.usecases.services import Services
from graphmem.usecases.suggest import suggest
from graphmem.usecases.turns import Prepared, Turn, prepare
from graphmem.usecases.unread import at_work, merged, met

log = logging.getLogger(__name__)

_SHOWN_EARLIER = 6
_SHOWN_PEOPLE = 40
_SHOWN_FACTS = 20
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
    notes += await services.catch_up()
    return Receipt(
        turns=tuple(turns_out),
        outcomes=read.outcomes,
        refused=read.refused,
        usage=read.usage,
        notes=tuple(dict.fromkeys(notes)),
    )


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
    notes = [*read.notes, *await services.catch_up()]
    return Receipt(
        turns=read.turns,
        outcomes=read.outcomes,
        refused=read.refused,
        usage=read.usage,
        notes=tuple(dict.fromkeys(notes)),
    )


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


def together(receipts: Iterable[Receipt]) -> Receipt:
    """Return several receipts as one."""
    refused: Counter[str] = Counter()
    whole = Receipt()
    for receipt in receipts:
        for refusal in receipt.refused:
            refused[refusal.kind] += refusal.count
        whole = Receipt(
            turns=(*whole.turns, *receipt.turns),
            outcomes=(*whole.outcomes, *receipt.outcomes),
            usage=whole.usage + receipt.usage,
            notes=tuple(dict.fromkeys((*whole.notes, *receipt.notes))),
        )
    return replace(
        whole, refused=tuple(Refusal(kind, count) for kind, count in sorted(refused.items()))
    )


async def retry_all(services: Services, *, me: tuple[str, ...] = ()) -> Receipt:
    """Read the pending turns of every scope again."""
    scopes = await services.store.scopes()
    return together([await retry_pending(services, scope, me=me) for scope in scopes])


async def _store(services: Services, scope: Scope, prepared: Sequence[Prepared]) -> Outcome:
    outcome = Outcome()
    given = [made.episode for made in prepared if made.episode is not None]

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


async def read_turns(
    services: Services,
    scope: Scope,
    episodes: Sequence[Episode],
    *,
    shown: Sequence[Episode] = (),
    me: tuple[str, ...] = (),
) -> Receipt:
    """Read stored, pending turns in batches, and believe what they say.

    ``shown`` are turns of the same call that are not to be read, such as the assistant's: they
    stand among the others, so that an answer is read after its question.
    """
    turns: list[TurnOutcome] = []
    outcomes: list[FactOutcome] = []
    refused: Counter[str] = Counter()
    notes: list[str] = []
    usage = Usage()
    for batch in _batches(episodes, services.batch_characters):
        if services.extractor is None:
            reason = "no extractor is set; set one and call retry_pending()"
            await _mark(services, scope, [ReadMark(e.id, Reading.PENDING, reason) for e in batch])
            turns += [TurnOutcome(len(turns), TurnState.PENDING, e.id, reason) for e in batch]
            continue
        known = await _known(services, scope, me)
        earlier = await _earlier(services, scope, batch)
        turns_shown = _with_shown(batch, shown)
        extraction = await _extract(
            services.extractor,
            Batch(turns=tuple(map(portion, turns_shown)), earlier=earlier, known=known),
        )
        outcome = await _believe(services, scope, batch, extraction)
        refused.update({k: n for k, n in extraction.refused.items() if k not in _GATED})
        refused.update(outcome.linked.refused)
        outcomes.extend(outcome.outcomes)
        usage += extraction.usage
        notes += _notes(batch, outcome, known)
        notes += await suggest(services, scope, outcome.linked.entities.values())
        turns += [_read_outcome(len(turns) + i, e, extraction) for i, e in enumerate(batch)]
    return Receipt(
        turns=tuple(turns),
        outcomes=tuple(outcomes),
        refused=tuple(Refusal(kind, count) for kind, count in sorted(refused.items())),
        usage=usage,
        notes=tuple(dict.fromkeys(notes)),
    )


_GATED = frozenset({"assistant", "system", "tool"})
"""Refusals of turns that the gate kept from reading, which the receipt calls skipped already."""


def _with_shown(batch: Sequence[Episode], shown: Sequence[Episode]) -> tuple[Episode, ...]:
    """Return a batch with the unread turns that stand between its own, in their order."""
    last = batch[-1].place
    first = min(batch[0].place, *(e.place for e in shown)) if shown else batch[0].place
    among = [e for e in shown if first <= e.place <= last and e.session == batch[0].session]
    return tuple(sorted((*batch, *among), key=lambda e: (e.occurred_at, e.place)))


async def _extract(extractor: Extractor, batch: Batch) -> Extraction:
    """Read a batch; a reader that raises has read nothing, which is not that nothing was said."""
    try:
        return await extractor.extract(batch)
    except GraphmemError as error:
        log.info("%d turns stay pending: %s", len(batch.turns), error)
        return Extraction(failed={turn.id: str(error) for turn in batch.turns})


def _batches(episodes: Sequence[Episode], characters: int) -> Iterator[list[Episode]]:
    """Yield runs of turns of one session, each of about as much text."""
    batch: list[Episode] = []
    size = 0
    for episode in episodes:
        other = bool(batch) and batch[-1].session != episode.session
        if batch and (other or size + len(episode.content) > characters):
            yield batch
            batch, size = [], 0
        batch.append(episode)
        size += len(episode.content)
    if batch:
        yield batch


async def _known(services: Services, scope: Scope, me: tuple[str, ...]) -> Known:
    own = await services.store.self_entity(scope)
    stated = own.aliases if own else ()
    people = await services.store.entities(scope, limit=_SHOWN_PEOPLE)
    facts = await services.store.facts(scope, FactQuery(limit=_SHOWN_FACTS))
    return Known(
        me=tuple(dict.fromkeys((scope.user, *services.me, *me, *stated))),
        people={
            view.entity.name: (view.entity.types[-1] if view.entity.types else None)
            for view in people.items
            if not view.entity.is_self
        },
        facts={f"F{n}": fact.statement for n, fact in enumerate(facts.items, 1)},
    )


async def _earlier(
    services: Services, scope: Scope, batch: Sequence[Episode]
) -> tuple[Episode, ...]:
    """Return the turns before a batch in its session, oldest first."""
    first = batch[0]
    if first.session is None:
        return ()
    query = EpisodeQuery(session=first.session, before=first.occurred_at, limit=_SHOWN_EARLIER)
    page = await services.store.episodes(scope, query)
    own = {e.id for e in batch}
    before = [e for e in page.items if e.id not in own]
    return tuple(sorted(map(ending, before), key=lambda e: (e.occurred_at, e.place)))


async def _believe(
    services: Services, scope: Scope, batch: Sequence[Episode], extraction: Extraction
) -> Outcome:
    claims = _claims(services, batch, extraction)
    outcome = Outcome()

    def decide() -> Decision:
        snapshot = yield Wanted(episodes=tuple(e.id for e in batch))
        # A turn erased meanwhile stays erased; one that somebody else read is not read twice.
        open_ = {e.id for e in snapshot.episodes if e.reading is Reading.PENDING}
        reads = tuple(
            ReadMark(e.id, Reading.PENDING, extraction.failed[e.id])
            if e.id in extraction.failed
            else ReadMark(e.id, Reading.READ)
            for e in batch
            if e.id in open_
        )
        standing = [c for c in claims if c.episode in open_]
        return (yield from believe(standing, services.ontology, scope.user, outcome, reads=reads))

    outcome.committed((await services.store.change(scope, decide)).at)
    return outcome


def _claims(services: Services, batch: Sequence[Episode], extraction: Extraction) -> list[Claim]:
    by_id = {episode.id: episode for episode in batch}
    places: Counter[str] = Counter()
    claims: list[Claim] = []
    for draft in extraction.drafts:
        turn = by_id.get(draft.turn)
        if turn is None or draft.turn in extraction.failed:
            continue
        claims.append(claim_of(draft, turn, places[turn.id], services.authority))
        places[turn.id] += 1
    return sorted(claims, key=lambda c: c.said)


async def _mark(services: Services, scope: Scope, marks: Iterable[ReadMark]) -> None:
    def decide() -> Decision:
        snapshot = yield Wanted(episodes=tuple(mark.episode for mark in marks))
        there = {episode.id for episode in snapshot.episodes}
        return ChangeSet(reads=tuple(mark for mark in marks if mark.episode in there))

    await services.store.change(scope, decide)


def _read_outcome(index: int, episode: Episode, extraction: Extraction) -> TurnOutcome:
    if episode.id in extraction.failed:
        return TurnOutcome(index, TurnState.PENDING, episode.id, extraction.failed[episode.id])
    unmatched = extraction.unmatched.get(episode.id, 0)
    reason = left_over(episode)
    return TurnOutcome(index, TurnState.STORED, episode.id, reason, unmatched=unmatched)


def _notes(batch: Sequence[Episode], outcome: Outcome, known: Known) -> list[str]:
    """Say once who is taken for somebody else, which predicates nobody declared, which dates."""
    mine = {normal_key(name) for name in known.me}
    speakers = {
        e.speaker
        for e in batch
        if e.role is Role.USER and e.speaker and normal_key(e.speaker) not in mine
    }
    new = {normal_key(entity.name): entity for entity in outcome.linked.entities.values()}
    notes = [
        f"{name!r} is not the user: kept as somebody else (name the user with me=…)"
        for name in sorted(speakers)
        if normal_key(name) in new and new[normal_key(name)].created_at == 0
    ]
    if outcome.linked.unknown:
        names = ", ".join(sorted(outcome.linked.unknown))
        notes.append(f"predicates nobody declared hold many values: {names}")
    declined = [
        bound.phrase
        for claim, _ in outcome.linked.claims
        for bound in (claim.start, claim.end)
        if isinstance(bound, Stated) and bound.span is None
    ]
    notes += [f"the date {phrase!r} could not be read and is kept as words" for phrase in declined]
    return notes
