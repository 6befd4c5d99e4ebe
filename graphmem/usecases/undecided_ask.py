"""Which questions a batch leaves open, and what a model is shown of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from graphmem.extraction.second import MOST_CHOICES, MOST_QUESTIONS, Choice, Kind, Question
from graphmem.model.claim import LinkedClaim
from graphmem.model.entity import Entity, Suggestion
from graphmem.model.episode import Episode
from graphmem.model.fact import Fact
from graphmem.model.roles import exclude
from graphmem.model.scope import Scope
from graphmem.model.search import FactQuery
from graphmem.ports.graph_store import EpisodeQuery
from graphmem.resolution.corrections import ends_of
from graphmem.usecases.believe import Outcome
from graphmem.usecases.services import Services
from graphmem.usecases.undecided_equals import Conflict, conflicts, contests

_KNOWN = 6
"""Facts of a thing that are shown."""


@dataclass(frozen=True, slots=True)
class Open:
    """An open question with what its answer is about; one of the three is set."""

    question: Question
    conflict: Conflict | None = None
    suggestion: Suggestion | None = None
    unclear: tuple[int, str, tuple[str, ...]] | None = None
    """The place of the claim that was left out, which end it is, what that may mean."""


@dataclass(slots=True)
class _Things:
    """Entities by id, the facts of each, and the pairs that a fact joins."""

    entities: dict[str, Entity] = field(default_factory=dict[str, Entity])
    facts: dict[str, tuple[Fact, ...]] = field(default_factory=dict[str, tuple[Fact, ...]])
    joined: set[frozenset[str]] = field(default_factory=set[frozenset[str]])

    def choice(self, name: str) -> Choice:
        entity = self.entities[name]
        known = [f"also called {alias}" for alias in entity.aliases[:_KNOWN]]
        kinds = [t.replace("_", " ") for t in entity.types]
        known += [f"is called: {', '.join(kinds)}"] if kinds else []
        known += [fact.statement for fact in self.facts.get(name, ())]
        return Choice(entity.name, known=tuple(known))


async def open_questions(
    services: Services, scope: Scope, batch: Sequence[Episode], outcome: Outcome
) -> list[Open]:
    """Return what was left open by ``outcome``, of the turns of ``batch``; conflicts first."""
    turns = {episode.id: episode for episode in batch}
    found = await _conflicts(services, scope, turns, outcome)
    pairs = outcome.suggested
    ends = _unclear_ends(outcome)
    if not pairs and not ends:
        return found
    wanted = [*(i for s in pairs for i in (s.first, s.second)), *(i for e in ends for i in e[2])]
    things = await _things(services, scope, list(dict.fromkeys(wanted))[: 4 * MOST_QUESTIONS])
    for pair in pairs:
        ids = frozenset({pair.first, pair.second})
        query = FactQuery(subjects=ids, objects=ids, limit=1)
        if (await services.store.facts(scope, query)).items:
            things.joined.add(ids)
    found += _names(pairs, things, turns, outcome)
    for end in ends:
        claim = outcome.linked.unclear[end[0]].claim
        mention = claim.subject if end[1] == "subject" else claim.object
        known = tuple(i for i in end[2] if i in things.entities)
        if mention is None or not 2 <= len(known) <= MOST_CHOICES:
            continue
        question = Question(
            kind=Kind.MEANT,
            about=mention.text,
            choices=tuple(map(things.choice, known)),
            quote=claim.quote,
            turn=turns.get(claim.episode),
        )
        found.append(Open(question, unclear=(end[0], end[1], known)))
    return found


async def _conflicts(
    services: Services, scope: Scope, turns: dict[str, Episode], outcome: Outcome
) -> list[Open]:
    known = {c.id: LinkedClaim(c, link) for c, link in outcome.linked.claims}
    new = frozenset(known)
    contested = contests(outcome.outcomes, new)
    if not contested:
        return []
    stored = {claim for fact, by in contested for claim in (*fact.claims, by)} - new
    if stored:
        claims = await services.store.claims_by_id(scope, sorted(stored))
        known.update({c.claim.id: c for c in claims})
    told = {c.claim.episode for c in known.values()} - set(turns)
    if stored and told:
        page = await services.store.episodes(
            scope, EpisodeQuery(ids=tuple(sorted(told)), limit=len(told))
        )
        turns.update({episode.id: episode for episode in page.items})
    return [
        Open(_conflict_question(services, conflict, turns), conflict=conflict)
        for conflict in conflicts(contested, known, turns, services.ontology, new=new)
        if len(conflict.sides) <= MOST_CHOICES
    ]


def _conflict_question(
    services: Services, conflict: Conflict, turns: Mapping[str, Episode]
) -> Question:
    lead = conflict.sides[0].lead.claim
    predicate = services.ontology.get(conflict.predicate)
    label = predicate.labels.get("en", "").replace("{o}", "…").strip()
    label = label or predicate.slug.replace("_", " ")
    return Question(
        kind=Kind.CONFLICT,
        about=f"{'the user' if lead.subject.is_self else lead.subject.text}: {label}",
        choices=tuple(
            Choice(c.statement, quote=c.quote, turn=turns.get(c.episode))
            for c in (side.lead.claim for side in conflict.sides)
        ),
        both=conflict.both,
    )


def _names(
    pairs: Iterable[Suggestion],
    things: _Things,
    turns: Mapping[str, Episode],
    outcome: Outcome,
) -> list[Open]:
    """Return the pairs that may be asked about.

    Who the user is, and what is told of two things together, is not for a model to say.
    """
    linked = [LinkedClaim(claim, link) for claim, link in outcome.linked.claims]
    result: list[Open] = []
    for pair in pairs:
        first, second = things.entities.get(pair.first), things.entities.get(pair.second)
        if first is None or second is None or first.is_self or second.is_self:
            continue
        if frozenset({first.id, second.id}) in things.joined or told_apart(first, second):
            continue
        told = [c for c in linked if pair.second in ends_of(c)]
        claim = told[0].claim if told else None
        question = Question(
            kind=Kind.IDENTITY,
            about=pair.reason,
            choices=(things.choice(first.id), things.choice(second.id)),
            quote=claim.quote if claim is not None else "",
            turn=turns.get(claim.episode) if claim is not None else None,
        )
        result.append(Open(question, suggestion=pair))
    return result


def told_apart(first: Entity, second: Entity) -> bool:
    """Whether two things cannot be one by what they are called."""
    if first.types and second.types and not set(first.types) & set(second.types):
        return True
    return any(exclude(one, other) for one in first.types for other in second.types)


def _unclear_ends(outcome: Outcome) -> list[tuple[int, str, tuple[str, ...]]]:
    """Return the ends of claims that were left out, as far as they may be asked about."""
    result: list[tuple[int, str, tuple[str, ...]]] = []
    for place, unclear in enumerate(outcome.linked.unclear):
        ends = (("subject", unclear.subject), ("object", unclear.object))
        result += [(place, name, ids) for name, ids in ends if ids]
    return result


async def _things(services: Services, scope: Scope, names: Sequence[str]) -> _Things:
    things = _Things()
    page = await services.store.entities(scope, ids=names, limit=max(1, len(names)))
    things.entities = {v.entity.id: v.entity for v in page.items if v.entity.merged_into is None}
    for name in things.entities:
        query = FactQuery(subjects=frozenset({name}), either=True, limit=_KNOWN)
        things.facts[name] = (await services.store.facts(scope, query)).items
    return things
