"""Carry out what was decided of open questions, by the ways there are for people.

A value that does not hold is withdrawn, as ``retract`` does, so ``restore`` undoes it. Values that
hold side by side are told so by a claim that corrects the last one, so retracting its fact undoes
it. What a name means is a claim believed as it would have been. Nothing is decided twice: each
change looks again at what it is about, and leaves alone what was changed or erased meanwhile.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace

from graphmem.model.changes import ChangeSet, Family, Snapshot, Wanted, Withdrawal
from graphmem.model.claim import Claim, Correction, LinkedClaim
from graphmem.model.ids import IdKind, new_id
from graphmem.model.predicate import Ontology
from graphmem.resolution.corrections import apply_corrections
from graphmem.resolution.recompute import Overlay, Touched, recompute
from graphmem.usecases.believe import Outcome, believe, written
from graphmem.usecases.undecided_equals import Conflict

REASON = "settled by the model: of what was said at one time, something else holds"
_BESIDE = 1_000
"""Places of a turn after its own claims, for those that put them side by side."""


@dataclass(frozen=True, slots=True)
class Settled:
    """A conflict and the place of the side that holds; None says that all of them do."""

    conflict: Conflict
    holds: int | None

    @property
    def changes(self) -> bool:
        """Whether the rules had it otherwise: they took what was said last."""
        return self.holds != len(self.conflict.sides) - 1


def settle_conflicts(
    settled: Sequence[Settled], ontology: Ontology, outcome: Outcome
) -> Generator[Wanted, Snapshot, ChangeSet]:
    """Withdraw what does not hold, and put side by side what holds together."""
    families = {(s.conflict.subject, s.conflict.predicate) for s in settled}
    snapshot = yield Wanted(
        families=tuple(
            Family(subject, slug, either=ontology.get(slug).symmetric)
            for subject, slug in sorted(families)
        )
    )
    taken_back = apply_corrections(snapshot.claims).taken_back
    standing = {
        c.claim.id: c for c in snapshot.claims if not c.withdrawn and c.claim.id not in taken_back
    }
    changed: dict[str, LinkedClaim] = {}
    added: list[LinkedClaim] = []
    for each in settled:
        if not all(_as_asked(c, standing) for s in each.conflict.sides for c in s.claims):
            continue
        if each.holds is None:
            added += _beside(each.conflict)
        else:
            lost = _outdone(each.conflict, each.holds)
            changed.update({c.claim.id: replace(c, withdrawn=True) for c in lost})
    overlay = Overlay(claims={**changed, **{c.claim.id: c for c in added}})
    if not overlay.claims:
        return ChangeSet()
    touched = {Touched.by(c.link) for c in overlay.claims.values()}
    change = yield from recompute(ontology, sorted(touched, key=repr), overlay, reason=REASON)
    outcome.outcomes = change.outcomes
    return written(
        change,
        claims=tuple(c.claim for c in added),
        links=tuple(c.link for c in added),
        withdrawals=tuple(Withdrawal(claim, False, REASON) for claim in sorted(changed)),
    )


def _as_asked(linked: LinkedClaim, standing: dict[str, LinkedClaim]) -> bool:
    now = standing.get(linked.claim.id)
    return now is not None and now.link == linked.link


def _outdone(conflict: Conflict, holds: int) -> list[LinkedClaim]:
    """Return what was said of other values after the one that holds was last said."""
    last = conflict.sides[holds].claims[-1].claim.said
    others = [s for place, s in enumerate(conflict.sides) if place != holds]
    return [c for side in others for c in side.claims if c.claim.said > last]


def _beside(conflict: Conflict) -> list[LinkedClaim]:
    """Return claims that say of every value but the first that it holds beside it."""
    result: list[LinkedClaim] = []
    for side in conflict.sides[1:]:
        last = side.claims[-1]
        claim, name = last.claim, new_id(IdKind.CLAIM)
        beside = replace(
            claim,
            id=name,
            beside=True,
            correction=Correction(claims=tuple(c.claim.id for c in side.claims)),
            said=replace(claim.said, place=claim.said.place + _BESIDE),
        )
        result.append(LinkedClaim(beside, replace(last.link, claim=name)))
    return result


@dataclass(frozen=True, slots=True)
class Meant:
    """A claim that was left out, and the ids of what its unclear names mean."""

    claim: Claim
    subject: str | None = None
    object: str | None = None


def believe_meant(
    meant: Sequence[Meant], ontology: Ontology, user: str, outcome: Outcome
) -> Generator[Wanted, Snapshot, ChangeSet]:
    """Believe claims that were left out, now that it is clear whom they mean."""
    wanted = {m.claim.episode for m in meant}
    snapshot = yield Wanted(episodes=tuple(sorted(wanted)))
    there = {episode.id for episode in snapshot.episodes}
    kept = [m for m in meant if m.claim.episode in there]
    pins = {m.claim.id: (m.subject, m.object) for m in kept}
    claims = sorted((m.claim for m in kept), key=lambda c: c.said)
    return (yield from believe(claims, ontology, user, outcome, pins=pins))
