"""What a reader of turns is shown beside them: who and what is known, and what was said before."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

from graphmem.model.draft import Known
from graphmem.model.episode import Episode
from graphmem.model.scope import Scope
from graphmem.ports.extractor import wants_facts
from graphmem.ports.graph_store import Glance, GlanceQuery
from graphmem.usecases.portion import ending
from graphmem.usecases.recollect import Recollection, recollect
from graphmem.usecases.services import Services

_SHOWN_EARLIER = 6
_SHOWN_PEOPLE = 40
_SHOWN_FACTS = 20
_HEARD = 2
"""How many earlier turns are looked through for what may matter."""


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
    """Return what is shown beside a batch of one session.

    It takes one reading of the store; more where the extractor wants facts that may matter.
    """
    first = batch[0]
    picks = wants_facts(services.extractor)
    query = GlanceQuery(
        named=_SHOWN_PEOPLE,
        statements=0 if picks else _SHOWN_FACTS,
        session=first.session,
        before=first.occurred_at + 1,
        episodes=_SHOWN_EARLIER,
        keys=keys,
    )
    seen = await services.store.glance(scope, query)
    own = {e.id for e in batch}
    before = [ending(e) for e in seen.earlier if e.id not in own and _is_earlier(e, first)]
    before.sort(key=lambda e: (e.occurred_at, e.created_at, e.place))
    recalled = Recollection()
    if picks:
        turns = [*before[-_HEARD:], *batch]
        ontology = services.ontology
        recalled = await recollect(services.store, scope, turns, own=seen.own, ontology=ontology)
    return Surroundings(
        known=_known(seen, (scope.user, *services.me, *me), recalled),
        earlier=tuple(before),
        there=seen.there,
    )


def _is_earlier(episode: Episode, first: Episode) -> bool:
    """Whether a turn came before ``first``; of calls that give one time, the one stored before."""
    if episode.occurred_at < first.occurred_at:
        return True
    return first.created_at == 0 or episode.created_at < first.created_at


def _known(seen: Glance, names: tuple[str, ...], recalled: Recollection) -> Known:
    stated = seen.own.aliases if seen.own else ()
    people = {entity.name: _last(entity.types) for entity in recalled.entities}
    newest = {name: _last(types) for name, types in seen.named}
    for name in (*recalled.names, *newest):
        people.setdefault(name, newest.get(name))
    return Known(
        me=tuple(dict.fromkeys((*names, *stated))),
        people=dict(islice(people.items(), _SHOWN_PEOPLE)),
        aliases={each.name: each.aliases for each in recalled.entities if each.aliases},
        statements=seen.statements,
        facts={f"F{n}": fact for n, fact in enumerate(recalled.facts, 1)},
    )


def _last(types: Sequence[str]) -> str | None:
    return types[-1] if types else None
