"""Read turns, by whatever reads them, and believe what they say."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from graphmem.errors import GraphmemError
from graphmem.extraction.claims import claim_of
from graphmem.model.changes import ChangeSet, Decision, ReadMark, Wanted
from graphmem.model.claim import Claim
from graphmem.model.draft import Batch, Extraction, Known, Usage, steps_together
from graphmem.model.episode import Episode, Reading, Role
from graphmem.model.receipt import Receipt, Refusal, TurnOutcome, TurnState
from graphmem.model.scope import Scope
from graphmem.model.text import normal_key
from graphmem.model.time import Stated
from graphmem.ports.extractor import Extractor
from graphmem.usecases import suggest
from graphmem.usecases.admit import read_through_gates
from graphmem.usecases.believe import Outcome, believe
from graphmem.usecases.portion import left_over, portion
from graphmem.usecases.services import Services
from graphmem.usecases.surroundings import Surroundings, look_around
from graphmem.usecases.undecided import settle

log = logging.getLogger(__name__)


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
    receipts: list[Receipt] = []
    done: list[_Done] = []
    for batch in batches(episodes, services.batch_characters):
        if services.extractor is None:
            reason = "no extractor is set; set one and call retry_pending()"
            await mark(services, scope, [ReadMark(e.id, Reading.PENDING, reason) for e in batch])
            waiting = [TurnOutcome(0, TurnState.PENDING, e.id, reason) for e in batch]
            receipts.append(Receipt(turns=tuple(waiting)))
            continue
        around = await look_around(services, scope, batch, me)
        extraction = await extract(services, services.extractor, batch, shown, around)
        outcome = await _believe(services, scope, batch, extraction)
        done.append(_Done(batch, around, extraction, outcome))
    # What is believed is committed, of every batch, before anything that is left open is asked:
    # neither time nor a cap spent on that keeps a turn waiting.
    for each in done:
        settled = await settle(services, scope, each.batch, each.outcome)
        receipts.append(told(each.batch, each.around, each.extraction, each.outcome))
        receipts += [settled] if settled is not None else []
    read = together(receipts)
    turns = [replace(turn, index=index) for index, turn in enumerate(read.turns)]
    return replace(read, turns=tuple(turns))


@dataclass(frozen=True, slots=True)
class _Done:
    """A batch that was read and believed."""

    batch: Sequence[Episode]
    around: Surroundings
    extraction: Extraction
    outcome: Outcome


def told(
    batch: Sequence[Episode],
    around: Surroundings,
    extraction: Extraction,
    outcome: Outcome,
) -> Receipt:
    """Return what a batch that was read and believed came to, with what may be one thing."""
    refused = Counter({k: n for k, n in extraction.refused.items() if k not in _GATED})
    refused.update(outcome.linked.refused)
    notes = [*extraction.notes, *_notes(batch, outcome, around.known)]
    notes += suggest.told(outcome.suggested)
    return Receipt(
        turns=tuple(_read_outcome(at, e, extraction) for at, e in enumerate(batch)),
        outcomes=outcome.outcomes,
        refused=_counted(refused),
        usage=extraction.usage,
        steps=extraction.steps or _one_step(extraction.usage),
        notes=tuple(dict.fromkeys(notes)),
    )


def _one_step(usage: Usage) -> dict[str, Usage]:
    """Return the steps of an extractor that tells only what all of them cost."""
    return {"extract": usage} if usage.calls else {}


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
            steps=steps_together((whole.steps, receipt.steps)),
            notes=tuple(dict.fromkeys((*whole.notes, *receipt.notes))),
        )
    return replace(whole, refused=_counted(refused))


def _counted(refused: Counter[str]) -> tuple[Refusal, ...]:
    return tuple(Refusal(kind, count) for kind, count in sorted(refused.items()) if count > 0)


_GATED = frozenset({"assistant", "system", "tool"})
"""Refusals of turns that the gate kept from reading, which the receipt calls skipped already."""


def with_shown(batch: Sequence[Episode], shown: Sequence[Episode]) -> tuple[Episode, ...]:
    """Return a batch with the unread turns that stand between its own, in their order."""
    last = batch[-1].place
    first = min(batch[0].place, *(e.place for e in shown)) if shown else batch[0].place
    among = [e for e in shown if first <= e.place <= last and e.session == batch[0].session]
    return tuple(sorted((*batch, *among), key=lambda e: (e.occurred_at, e.place)))


async def extract(
    services: Services,
    extractor: Extractor,
    batch: Sequence[Episode],
    shown: Sequence[Episode],
    around: Surroundings,
) -> Extraction:
    """Read a batch; a reader that raises has read nothing, which is not that nothing was said."""
    turns = tuple(map(portion, with_shown(batch, shown)))
    try:
        own = {turn.id for turn in turns}  # with those of the call that are not read
        earlier = tuple(turn for turn in around.earlier if turn.id not in own)
        whole = Batch(turns=turns, earlier=earlier, known=around.known)
        return await read_through_gates(services, extractor, whole)
    except GraphmemError as error:
        log.info("%d turns stay pending: %s", len(turns), error)
        return Extraction(failed={turn.id: str(error) for turn in turns})


def batches(episodes: Sequence[Episode], characters: int) -> Iterator[list[Episode]]:
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


async def _believe(
    services: Services, scope: Scope, batch: Sequence[Episode], extraction: Extraction
) -> Outcome:
    claims = claims_of(services, batch, extraction)
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


def claims_of(services: Services, batch: Sequence[Episode], extraction: Extraction) -> list[Claim]:
    """Return the claims of the turns of a batch that were read, in said order."""
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


async def mark(services: Services, scope: Scope, marks: Sequence[ReadMark]) -> None:
    """Note why turns stay pending; those that were read or erased meanwhile are left alone."""

    def decide() -> Decision:
        snapshot = yield Wanted(episodes=tuple(mark.episode for mark in marks))
        open_ = {e.id for e in snapshot.episodes if e.reading is Reading.PENDING}
        return ChangeSet(reads=tuple(mark for mark in marks if mark.episode in open_))

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
