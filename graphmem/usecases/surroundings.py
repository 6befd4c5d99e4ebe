"""What a reader of turns is shown beside them: who and what is known, and what was said before."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from graphmem.model.draft import Known
from graphmem.model.episode import Episode
from graphmem.model.scope import Scope
from graphmem.ports.graph_store import Glance, GlanceQuery
from graphmem.usecases.portion import ending
from graphmem.usecases.services import Services

_SHOWN_EARLIER = 6
_SHOWN_PEOPLE = 40
_SHOWN_FACTS = 20


@dataclass(frozen=True, slots=True)
class Surroundings:
    """``known`` names and facts, and the ``earlier`` turns of the session, oldest first.

    ``there`` says whether a turn with one of the keys is stored already.
    """

    known: Known
    earlier: tuple[Episode, ...]
    there: bool = False


async def look_around(
    services: Services,
    scope: Scope,
    batch: Sequence[Episode],
    me: tuple[str, ...],
    *,
    keys: tuple[str, ...] = (),
) -> Surroundings:
    """Return what is shown beside a batch of one session, in one reading of the store."""
    first = batch[0]
    query = GlanceQuery(
        named=_SHOWN_PEOPLE,
        statements=_SHOWN_FACTS,
        session=first.session,
        before=first.occurred_at + 1,
        episodes=_SHOWN_EARLIER,
        keys=keys,
    )
    seen = await services.store.glance(scope, query)
    own = {e.id for e in batch}
    before = [ending(e) for e in seen.earlier if e.id not in own and _is_earlier(e, first)]
    return Surroundings(
        known=_known(seen, (scope.user, *services.me, *me)),
        earlier=tuple(sorted(before, key=lambda e: (e.occurred_at, e.created_at, e.place))),
        there=seen.there,
    )


def _is_earlier(episode: Episode, first: Episode) -> bool:
    """Whether a turn came before ``first``; of calls that give one time, the one stored before."""
    if episode.occurred_at < first.occurred_at:
        return True
    return first.created_at == 0 or episode.created_at < first.created_at


def _known(seen: Glance, names: tuple[str, ...]) -> Known:
    stated = seen.own.aliases if seen.own else ()
    return Known(
        me=tuple(dict.fromkeys((*names, *stated))),
        people={name: (types[-1] if types else None) for name, types in seen.named},
        statements=seen.statements,
    )
