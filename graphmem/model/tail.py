"""The end of a family of many claims: enough to add to it what is said after all of them."""

from __future__ import annotations

from dataclasses import dataclass

from graphmem.model.claim import Claim, Form, Link, LinkedClaim, Modality
from graphmem.model.fact import Fact
from graphmem.model.time import FOREVER

_BESIDE_THE_BOUND = 2
"""Microseconds past a stated bound at which the claim may still be placed."""


@dataclass(frozen=True, slots=True)
class Tail:
    """What is last in a family, or in one object's part of it.

    Attributes:
        subject, predicate, object, either: which, as in ``Family``.
        manner: what all its claims share (see ``manner``).
        reach: the last instant that one of them speaks of (see ``reach``).
        last: the claim that does.
        fact: the one live fact that rests on it; its ``claims`` name that claim alone.
    """

    subject: str
    predicate: str
    object: str | None
    either: bool
    manner: str
    reach: int
    last: LinkedClaim
    fact: Fact


def manner(claim: Claim, link: Link) -> str:
    """Return how a claim is put, value and dates apart: equal for claims that weigh the same."""
    beside = "&" if claim.beside else ""
    return f"{claim.authority}{link.polarity.value}{beside}{claim.qualifiers or ''}"


def reach(claim: Claim) -> int:
    """Return the last instant at which a claim may count, microseconds UTC.

    FOREVER for what may bear on anything said later: plans, possibilities, callings off and
    corrections.
    """
    if claim.modality is not Modality.ASSERTED or claim.form is Form.CANCEL or claim.correction:
        return FOREVER
    spans = [stated.span for stated in (claim.start, claim.end) if stated and stated.span]
    if not spans:
        return claim.said.at
    last = max(claim.said.at, *(span.after for span in spans))
    return min(last + _BESIDE_THE_BOUND, FOREVER)
