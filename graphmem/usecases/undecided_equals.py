"""Conflicts between equals: where nothing but the order of two sentences chose between values.

The rules choose by time first: what is said later, what is dated later, what changed, what is taken
back. Two claims are equals if none of that speaks: one weight, one instant, no word of change, no
date that tells them apart. Then the later place in the talk wins, which is as good as any, and is
what stands until somebody says more. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from graphmem.model.claim import Claim, Form, LinkedClaim, Modality, Polarity
from graphmem.model.episode import Episode
from graphmem.model.fact import Fact, Rule
from graphmem.model.predicate import Cardinality, Ontology
from graphmem.model.receipt import FactOutcome
from graphmem.model.time import SECOND

ONE_INSTANT = SECOND
"""Turns of one call without times are microseconds apart, and said at one time."""
_CHOSEN_BY = frozenset({Rule.SUPERSEDED, Rule.CORRECTED_BY, Rule.ENDED})
_NOW = frozenset({Form.STATE, Form.SINCE})
_CHANGES = re.compile(
    r"\b(?:now|nowadays|these days|by now|meanwhile|since then|then|later|recently|just|anymore"
    r"|any more|no longer|not any|instead|rather|actually|sorry|oops|correction|i mean|i meant"
    r"|scratch that|moved|switched|changed|swapped|became|started|new|used to|previously|formerly"
    r"|before|until|till)\b"
    r"|现在|如今|目前|眼下|后来|然后|最近|刚|不再|已经|改|换|搬|变|跳槽|调到|新的|以前|之前|曾|原来"
    r"|原本|其实|不对|说错|更正|应该是|才对",
    re.IGNORECASE,
)
_SENTENCE_END = re.compile(r"[.!?。！？；;\n]+")


@dataclass(frozen=True, slots=True)
class Side:
    """One value of a conflict, with the equal claims that say it, in said order."""

    claims: tuple[LinkedClaim, ...]

    @property
    def lead(self) -> LinkedClaim:
        """The claim that is shown for it."""
        return self.claims[0]


@dataclass(frozen=True, slots=True)
class Conflict:
    """Values of one slot that equals name; the rules chose the last of ``sides``.

    ``both`` says that the slot holds one value, and that the values might hold side by side.
    """

    subject: str
    predicate: str
    sides: tuple[Side, ...]
    both: bool


def contests(outcomes: Iterable[FactOutcome], new: Iterable[str]) -> list[tuple[Fact, str]]:
    """Return facts that one of the ``new`` claims ended or took back, or that rest on one of them
    and were ended or taken back; with the claim that did it."""
    fresh = frozenset(new)
    found: list[tuple[Fact, str]] = []
    for outcome in outcomes:
        cause, fact = outcome.fact.cause, outcome.fact
        if cause is None or cause.claim is None or cause.rule not in _CHOSEN_BY:
            continue
        if cause.claim in fresh or not fresh.isdisjoint(fact.claims):
            found.append((fact, cause.claim))
    return found


def conflicts(
    contested: Sequence[tuple[Fact, str]],
    claims: Mapping[str, LinkedClaim],
    turns: Mapping[str, Episode],
    ontology: Ontology,
    *,
    new: frozenset[str],
) -> list[Conflict]:
    """Return which of the ``contested`` facts were decided between equals.

    Args:
        contested: of ``contests``.
        claims: those they rest on and those that decided, by id, as far as they stand.
        turns: the turns these were said in, by id.
        ontology: says which slots hold one value.
        new: claims of this write. Of others, only those of turns whose time was given can be said
            at the same instant.
    """
    pairs: list[set[str]] = []
    for fact, winner in contested:
        after = claims.get(winner)
        if after is None:
            continue
        for name in fact.claims:
            before = claims.get(name)
            if before is not None and _equals(before, after, turns, new):
                _join(pairs, {name, winner})
    result: list[Conflict] = []
    for group in pairs:
        sides = _sides([claims[name] for name in group])
        link = sides[-1].lead.link
        single = ontology.get(link.predicate).cardinality is Cardinality.ONE
        positive = all(s.lead.link.polarity is Polarity.POSITIVE for s in sides)
        named = all(s.lead.link.object is not None for s in sides)
        both = single and positive and named
        result.append(Conflict(link.subject, link.predicate, sides, both))
    return sorted(result, key=lambda c: c.sides[0].lead.claim.said)


def _join(groups: list[set[str]], pair: set[str]) -> None:
    touched = [group for group in groups if group & pair]
    for group in touched:
        groups.remove(group)
        pair |= group
    groups.append(pair)


def _sides(claims: Iterable[LinkedClaim]) -> tuple[Side, ...]:
    """Return the values, the one said last at the end."""
    by_value: dict[tuple[str, Polarity], list[LinkedClaim]] = {}
    for linked in sorted(claims, key=lambda c: (c.claim.said, c.claim.id)):
        key = (linked.link.object.key if linked.link.object else "", linked.link.polarity)
        by_value.setdefault(key, []).append(linked)
    ordered = sorted(by_value.values(), key=lambda c: (c[-1].claim.said, c[-1].claim.id))
    return tuple(Side(tuple(claims)) for claims in ordered)


def _equals(
    before: LinkedClaim, after: LinkedClaim, turns: Mapping[str, Episode], new: frozenset[str]
) -> bool:
    one, other = before.claim, after.claim
    if before.withdrawn or after.withdrawn or one.authority != other.authority:
        return False
    if one.modality is not Modality.ASSERTED or other.modality is not Modality.ASSERTED:
        return False
    if one.correction is not None or other.correction is not None:
        return False
    if _value(before) == _value(after):
        return False
    return _one_instant(one, other, turns, new) and _one_time(one, other, turns)


def _value(linked: LinkedClaim) -> tuple[str, Polarity]:
    return linked.link.object.key if linked.link.object else "", linked.link.polarity


def _one_instant(
    one: Claim, other: Claim, turns: Mapping[str, Episode], new: frozenset[str]
) -> bool:
    """Whether no time passed between two sayings, as far as anybody told."""
    if one.episode == other.episode:
        return True
    if abs(one.said.at - other.said.at) > ONE_INSTANT:
        return False
    told = [turns.get(claim.episode) for claim in (one, other)]
    if any(turn is None for turn in told):
        return False
    # Clocks of two calls tell which came first; a time that both were given does not.
    together = one.id in new and other.id in new
    return together or all(turn is not None and turn.time_given for turn in told)


def _one_time(one: Claim, other: Claim, turns: Mapping[str, Episode]) -> bool:
    """Whether two sayings witness the same time, and none says that things changed."""
    first, last = one.start and one.start.span, other.start and other.start.span
    if one.form is other.form and first is not None and last is not None:
        # "In May I moved to A. In May I moved to B."
        return first == last and (one.end and one.end.span) == (other.end and other.end.span)
    both_now = one.form in (*_NOW, Form.CHANGE) and other.form in _NOW
    if not both_now or (one.form is Form.CHANGE and first is not None):
        return False
    if (one.form is Form.STATE and first) or (other.form is Form.STATE and last):
        return False
    return not _says_change(other, turns)


def _says_change(claim: Claim, turns: Mapping[str, Episode]) -> bool:
    """Whether the sentence a claim was said in has words of change or of correction."""
    turn = turns.get(claim.episode)
    at = turn.content.find(claim.quote) if turn is not None and claim.quote else -1
    if turn is None or at < 0:
        return bool(_CHANGES.search(claim.quote))
    begin, stop = 0, len(turn.content)
    for mark in _SENTENCE_END.finditer(turn.content):
        if mark.end() <= at:
            begin = mark.end()
        elif mark.start() >= at + len(claim.quote) - 1:
            stop = mark.start()
            break
    return bool(_CHANGES.search(turn.content, begin, stop))
