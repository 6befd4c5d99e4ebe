"""Store and read turns in one change, where reading waits for nothing.

An extractor that asks a model must find the turns stored before it is asked. One that is done in an
instant need not: then turns and what they say are written together, or neither is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from graphmem.model.changes import ChangeSet, Decision, Wanted
from graphmem.model.draft import Extraction
from graphmem.model.episode import Episode, Reading
from graphmem.model.receipt import Receipt
from graphmem.model.scope import Scope
from graphmem.usecases.believe import Outcome, believe
from graphmem.usecases.reading import batches, claims_of, extract, told
from graphmem.usecases.services import Services
from graphmem.usecases.surroundings import look_around


async def add_at_once(
    services: Services, scope: Scope, given: Sequence[Episode], me: tuple[str, ...]
) -> tuple[Outcome, Receipt] | None:
    """Store and read the turns of a call, and believe what they say.

    None, with nothing written, where that takes more than one change: reading may wait, the turns
    make several batches or none, or some are there already.
    """
    fresh = [e for e in given if e.reading is Reading.PENDING]
    parts = [*batches(fresh, services.batch_characters)]
    keys = [e.key for e in given if e.key is not None]
    extractor = services.extractor
    if not services.reads_at_once or extractor is None or len(parts) != 1:
        return None
    if len({*keys}) < len(keys):
        return None
    around = await look_around(services, scope, fresh, me, keys=tuple(keys))
    if around.there:
        return None
    shown = [e for e in given if e.reading is not Reading.PENDING]
    try:
        extraction = await extract(services, extractor, fresh, shown, around)
    except BaseException:  # whatever broke the reader, what was said is kept
        await services.store.change(scope, lambda: _keep(given, keys))
        raise
    outcome = Outcome(new=tuple(given))
    claims = claims_of(services, fresh, extraction)
    read = tuple(_as_read(e, extraction) for e in given)

    def decide() -> Decision:
        # Nothing changes where another call was faster.
        return believe(claims, services.ontology, scope.user, outcome, episodes=read, turns=keys)

    changed = await services.store.change(scope, decide)
    if changed.changes.empty:
        return None
    outcome.committed(changed.at)
    return outcome, told(fresh, around, extraction, outcome)


def _keep(given: Sequence[Episode], keys: Sequence[str]) -> Decision:
    snapshot = yield Wanted(episode_keys=tuple(keys))
    there = {e.key for e in snapshot.episodes}
    return ChangeSet(episodes=tuple(e for e in given if e.key is None or e.key not in there))


def _as_read(episode: Episode, extraction: Extraction) -> Episode:
    if episode.reading is not Reading.PENDING:
        return episode
    if episode.id in extraction.failed:
        return replace(episode, reason=extraction.failed[episode.id])
    return replace(episode, reading=Reading.READ)
