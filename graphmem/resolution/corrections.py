"""Claims that take others back, and what they then say in their place."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from graphmem.model.claim import Claim, Form, LinkedClaim, Modality
from graphmem.model.text import normal_key


@dataclass(frozen=True, slots=True)
class Corrected:
    """A family's claims after its corrections.

    Attributes:
        standing: claims that count, by id, each with the instant it speaks of. One that corrects
            several stands once for each, in its form and bounds where it states none, and speaks
            of the time that one was said.
        taken_back: claims that count as withdrawn, with the claim that corrects them.
    """

    standing: Mapping[str, Sequence[tuple[LinkedClaim, int]]]
    taken_back: Mapping[str, str]


def apply_corrections(claims: Iterable[LinkedClaim]) -> Corrected:
    """Let each standing correction take back what it corrects.

    What a correction had taken back stays so when that correction is itself corrected; if it is
    withdrawn, what it took back stands again.
    """
    present = sorted(
        (c for c in claims if not c.withdrawn), key=lambda c: (c.claim.said, c.claim.id)
    )
    by_id = {c.claim.id: c for c in present}
    taken_back: dict[str, str] = {}
    replaces: dict[str, list[str]] = {}
    for index, linked in enumerate(present):
        claim = linked.claim
        if claim.correction is None:
            continue
        targets = [
            target
            for target in _targets(linked, present[:index], taken_back)
            if target in by_id
            and target != claim.id
            # What is told of a pair is in the families of both its ends; this speaks of its own.
            and linked.link.subject in ends_of(by_id[target])
        ]
        inherited = [old for target in targets for old in replaces.get(target, [target])]
        replaces[claim.id] = list(dict.fromkeys(inherited))
        for target in [*targets, *inherited]:
            taken_back[target] = claim.id
    standing: dict[str, list[tuple[LinkedClaim, int]]] = {}
    for linked in present:
        claim = linked.claim
        if claim.id in taken_back:
            continue
        originals = [by_id[old].claim for old in replaces.get(claim.id, [])]
        if not originals or not _states_nothing(claim):
            standing[claim.id] = [(linked, claim.said.at)]
        else:
            standing[claim.id] = [(_in_place_of(linked, old), old.said.at) for old in originals]
    return Corrected(standing, taken_back)


def may_take_back(
    linked: LinkedClaim, by_id: Mapping[str, LinkedClaim], family: Iterable[LinkedClaim]
) -> tuple[str, ...]:
    """Return ids of all claims that a correction may be meant for, whatever else was said.

    ``by_id`` is what is known; ``family`` are those about the correction's subject.
    """
    correction = linked.claim.correction
    if correction is None:
        return ()
    found = list(correction.claims or (c.claim.id for c in family))
    seen = {linked.claim.id, *found}
    for claim in found:  # what stood for something else stands for that no more
        other = by_id[claim].claim.correction if claim in by_id else None
        new = [] if other is None else [c for c in other.claims if c not in seen]
        seen.update(new)
        found += new
    return tuple(found)


def _targets(
    linked: LinkedClaim, earlier: Sequence[LinkedClaim], gone: Mapping[str, str]
) -> list[str]:
    claim, correction = linked.claim, linked.claim.correction
    if correction is None:
        return []
    if correction.claims:
        return list(correction.claims)
    earlier = [c for c in earlier if linked.link.subject in ends_of(c)]
    near = [c for c in earlier if c.claim.session == claim.session and c.claim.id not in gone]
    if correction.value is not None:
        wanted = normal_key(correction.value)
        named = [c for c in near if _named(c, wanted)]
        named = named or [c for c in earlier if c.claim.id not in gone and _named(c, wanted)]
        return [c.claim.id for c in named if not _same_value(c, linked)]
    others = [c for c in near if not _same_value(c, linked) or _differs(c.claim, claim)]
    if not others:
        return []
    last = others[-1]
    return [c.claim.id for c in others if _same_value(c, last)]


def _named(linked: LinkedClaim, wanted: str) -> bool:
    words = linked.claim.object.text if linked.claim.object else ""
    shown = linked.link.object.text if linked.link.object else ""
    return wanted in (normal_key(words), normal_key(shown))


def _same_value(one: LinkedClaim, other: LinkedClaim) -> bool:
    subject = other.link.subject
    same = _far_end(one, subject) == _far_end(other, subject)
    return same and one.link.polarity is other.link.polarity


def _far_end(linked: LinkedClaim, subject: str) -> str | None:
    link, other = linked.link, linked.link.object
    if other is not None and other.key == subject:
        return link.subject
    return None if other is None else other.key


def ends_of(linked: LinkedClaim) -> tuple[str, ...]:
    """Return the keys of what a claim speaks of."""
    other = linked.link.object
    return (linked.link.subject, other.key) if other else (linked.link.subject,)


def _differs(one: Claim, other: Claim) -> bool:
    """Whether one value is told with other bounds: then it is the bounds that are put right."""
    return (one.start, one.end) != (other.start, other.end) and not _states_nothing(other)


def _states_nothing(claim: Claim) -> bool:
    return claim.form is Form.STATE and claim.start is None and claim.end is None


def _in_place_of(linked: LinkedClaim, original: Claim) -> LinkedClaim:
    modality = linked.claim.modality
    if modality is Modality.ASSERTED:
        modality = original.modality
    claim = replace(
        linked.claim,
        form=original.form,
        start=original.start,
        end=original.end,
        modality=modality,
        beside=linked.claim.beside or original.beside,
        qualifiers=linked.claim.qualifiers or original.qualifiers,
    )
    return replace(linked, claim=claim)
