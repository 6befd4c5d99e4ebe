"""What adding turns would cost, found without asking a model and without writing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from graphmem.model.draft import Batch
from graphmem.model.episode import Episode, Reading
from graphmem.model.estimate import Estimate
from graphmem.model.scope import Scope
from graphmem.ports.extractor import Estimating
from graphmem.ports.graph_store import GlanceQuery
from graphmem.usecases.add import sessions
from graphmem.usecases.portion import ending, portion
from graphmem.usecases.reading import batches, with_shown
from graphmem.usecases.services import Services
from graphmem.usecases.storing import given
from graphmem.usecases.surroundings import look_around
from graphmem.usecases.turns import Turn, prepare

_EARLIER = 6


async def estimate(
    services: Services, scope: Scope, turns: Sequence[Turn], *, me: tuple[str, ...] = ()
) -> Estimate:
    """Return what ``ingest`` of the turns would cost.

    What is known of the scope is counted as it is now; it grows with what is read. An extractor
    that asks no model costs nothing.
    """
    whole = Estimate(turns=len(turns))
    extractor = services.extractor
    for run in sessions(prepare(turns, services.clock.now())):
        new = await _new(services, scope, given(run))
        whole += Estimate(known=len(given(run)) - len(new))
        if not isinstance(extractor, Estimating):
            continue
        shown = [e for e in new if e.reading is Reading.SKIPPED]
        before: list[Episode] = []
        for batch in batches(
            [e for e in new if e.reading is Reading.PENDING], services.batch_characters
        ):
            around = await look_around(services, scope, batch, me)
            earlier = (*around.earlier, *map(ending, before))[-_EARLIER:]
            asked = tuple(map(portion, with_shown(batch, shown)))
            whole += extractor.estimate(Batch(turns=asked, earlier=earlier, known=around.known))
            before = batch
    return whole


async def _new(services: Services, scope: Scope, episodes: Sequence[Episode]) -> list[Episode]:
    """Return the turns that are not stored yet, each once."""
    found: list[Episode] = []
    seen: set[str] = set()
    query = GlanceQuery(named=0, statements=0)

    async def there(keys: Sequence[str]) -> bool:
        asked = replace(query, keys=tuple(keys))
        return bool(keys) and (await services.store.glance(scope, asked)).there

    any_there = await there([e.key for e in episodes if e.key is not None])
    for episode in episodes:
        key = episode.key
        if key is not None and (key in seen or (any_there and await there([key]))):
            continue
        seen.update([key] if key is not None else [])
        found.append(episode)
    return found
