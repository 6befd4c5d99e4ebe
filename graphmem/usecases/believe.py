"""The one way claims become facts: link, recompute what they touch, write the difference."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from graphmem.extraction.linker import Linked, Pins, link_claims
from graphmem.model.changes import ChangeSet, ReadMark, Snapshot, Wanted, Withdrawal
from graphmem.model.claim import Claim, LinkedClaim
from graphmem.model.entity import Entity, Suggestion
from graphmem.model.episode import Episode
from graphmem.model.predicate import Ontology
from graphmem.model.receipt import FactChange, FactOutcome
from graphmem.resolution.diff import Difference
from graphmem.resolution.recompute import FEW, Overlay, Touched, recompute
from graphmem.usecases.suggest import suggest


@dataclass(slots=True)
class Outcome:
    """What a decision came to, for the receipt; the last try of a transaction counts.

    Attributes:
        outcomes: what happened to facts. linked: the claims as linked. suggested: which things
            may be one.
        new: episodes that were stored. present: episodes that were there already, by key.
    """

    outcomes: tuple[FactOutcome, ...] = ()
    linked: Linked = field(default_factory=Linked)
    suggested: tuple[Suggestion, ...] = ()
    new: tuple[Episode, ...] = ()
    present: dict[str, Episode] = field(default_factory=dict[str, Episode])

    def committed(self, at: int) -> None:
        """Give what is new the record time at which it was written."""
        self.new = tuple(replace(episode, created_at=at) for episode in self.new)
        self.outcomes = tuple(
            replace(o, fact=replace(o.fact, created_at=o.fact.created_at or at))
            for o in self.outcomes
        )


def believe(
    claims: Sequence[Claim],
    ontology: Ontology,
    user: str,
    outcome: Outcome,
    *,
    episodes: tuple[Episode, ...] = (),
    reads: tuple[ReadMark, ...] = (),
    pins: Pins | None = None,
    turns: Sequence[str] | None = None,
) -> Generator[Wanted, Snapshot, ChangeSet]:
    """Add claims, and suggest which new things may be old ones; ``episodes`` and ``reads`` are
    written with them.

    ``pins`` names entities that are known by id and not by words. ``turns`` are the keys of
    ``episodes`` in which the claims are said; where one is there already, nothing is changed.
    """
    linked = yield from link_claims(claims, ontology, user, pins, turns=turns)
    if linked.late:
        return ChangeSet()
    unborn = frozenset(linked.entities) - frozenset(linked.known)
    overlay = Overlay(
        claims={claim.id: LinkedClaim(claim, link) for claim, link in linked.claims},
        entities=linked.entities,
        known=linked.known,
        unborn=unborn,
    )
    touched = {Touched.by(link) for _, link in linked.claims}
    change = yield from recompute(ontology, sorted(touched, key=repr), overlay, few=FEW)
    outcome.outcomes = with_corroborations(change, overlay.claims)
    outcome.linked = linked
    outcome.suggested = yield from suggest(linked.entities, unborn)
    return written(
        change,
        episodes=episodes,
        reads=reads,
        entities=tuple(linked.entities.values()),
        claims=tuple(claim for claim, _ in linked.claims),
        links=tuple(link for _, link in linked.claims),
        suggestions=outcome.suggested,
    )


def withdraw(
    claims: Iterable[LinkedClaim],
    ontology: Ontology,
    outcome: Outcome,
    *,
    lifted: bool = False,
    reason: str | None = None,
) -> Generator[Wanted, Snapshot, ChangeSet]:
    """Withdraw claims, or let them stand again, and recompute what they touch."""
    changed = {c.claim.id: replace(c, withdrawn=not lifted) for c in claims}
    overlay = Overlay(claims=changed)
    touched = {Touched.by(c.link) for c in changed.values()}
    change = yield from recompute(ontology, sorted(touched, key=repr), overlay, reason=reason)
    outcome.outcomes = change.outcomes
    return written(
        change,
        withdrawals=tuple(Withdrawal(claim, lifted, reason) for claim in sorted(changed)),
    )


def relink(
    claims: Iterable[LinkedClaim],
    before: Iterable[LinkedClaim],
    entities: Mapping[str, Entity],
    ontology: Ontology,
    outcome: Outcome,
    *,
    reason: str | None = None,
) -> Generator[Wanted, Snapshot, ChangeSet]:
    """Give claims other links, and recompute where they were and where they are.

    ``reason`` is kept with facts that go because their claims are withdrawn by it.
    """
    moved = {c.claim.id: c for c in claims}
    before = list(before)
    links = {c.claim.id: c.link for c in before}
    overlay = Overlay(claims=moved, entities=dict(entities))
    touched = {Touched.by(c.link) for c in (*before, *moved.values())}
    change = yield from recompute(ontology, sorted(touched, key=repr), overlay, reason=reason)
    outcome.outcomes = change.outcomes
    return written(
        change,
        entities=tuple(entities.values()),
        links=tuple(c.link for c in moved.values() if c.link != links.get(c.claim.id)),
    )


def same_ends(linked: LinkedClaim) -> bool:
    """Whether a claim is linked from a thing to itself, as a merge may leave it."""
    value = linked.link.object
    return value is not None and value.key == linked.link.subject


def written(change: Difference, **parts: tuple[object, ...]) -> ChangeSet:
    """Return the change set of a difference, with other parts beside it."""
    known: dict[str, object] = dict(parts)
    return replace(
        ChangeSet(facts=change.facts, rests=change.rests, gave_way=change.gave_way), **known
    )


def with_corroborations(
    change: Difference, claims: Mapping[str, LinkedClaim]
) -> tuple[FactOutcome, ...]:
    """Call a fact corroborated that was there, and that a new claim says again."""
    result: list[FactOutcome] = []
    for outcome in change.outcomes:
        said_again = set(outcome.fact.claims) & set(claims)
        if outcome.change is FactChange.CHANGED and said_again:
            result.append(replace(outcome, change=FactChange.CORROBORATED))
        else:
            result.append(outcome)
    return tuple(result)
