"""Every worked example of the rules, in every order of arrival."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations

import pytest
from telling import MANY, ONE, day, facts_of, over, tell

from graphmem.model.claim import Correction, LinkedClaim
from graphmem.model.predicate import Predicate

MARCH = over(day("2024-03-01"), day("2024-04-01"))
MAR, MAR10, APR5 = day("2024-03-01"), day("2024-03-10"), day("2024-04-05")

EXAMPLES: dict[str, tuple[Predicate, list[LinkedClaim], list[str]]] = {
    "there, away and back": (
        ONE,
        [
            tell("a", "A", "change", start=1, said=10),
            tell("b", "A", "change", start=6, said=11),
            tell("c", "B", "change", start=3, said=12),
        ],
        ["A [1, 3)", "A [6,)", "B [3, 6)"],
    ),
    "a later since covers a state": (
        ONE,
        [tell("a", "A", said=1), tell("b", "B", "since", start=0, said=2)],
        ["A retracted", "B [0,)"],
    ),
    "told backwards": (
        ONE,
        [
            tell("z", "Z", "change", start=2024, said=3000),
            tell("y", "Y", "change", start=2022, said=3001),
            tell("x", "X", "change", start=2020, said=3002),
        ],
        ["X [2020, 2022)", "Y [2022, 2024)", "Z [2024,)"],
    ),
    "moved, no date": (
        ONE,
        [tell("a", "A", said=1), tell("b", "B", "change", said=5)],
        ["A [by 1, by 5)", "B [by 5,)"],
    ),
    "a coarse month does not cover the day it was still otherwise": (
        ONE,
        [tell("a", "A", said=MAR10), tell("b", "B", "change", start=MARCH, said=APR5)],
        [f"A [by {MAR10}, {MAR10 + 1})", f"B [{MAR10 + 1},)"],
    ),
    "two values from one day": (
        ONE,
        [
            tell("a", "Riga", "change", start=2, said=5),
            tell("b", "Cesis", "change", start=2, said=6),
        ],
        ["Cesis [2,)", "Riga retracted"],
    ),
    "the term before, told after the next": (
        ONE,
        [
            tell("b", "A", "past", start=3, end=5, said=10),
            tell("a", "A", "past", start=1, end=3, said=11),
        ],
        ["A [1, 3)", "A [3, 5)"],
    ),
    "the term before, told after one that goes on": (
        ONE,
        [
            tell("b", "A", "change", start=3, said=10),
            tell("a", "A", "past", start=1, end=3, said=11),
        ],
        ["A [1, 3)", "A [3,)"],
    ),
    "no, I meant": (
        ONE,
        [
            tell("a", "Riga", "change", start=1, said=2),
            tell("b", "Cesis", said=3, correction=Correction()),
        ],
        ["Cesis [1,)", "Riga retracted"],
    ),
    "stopped and took up again": (
        MANY,
        [
            tell("a", "bus", said=1),
            tell("b", "bus", "end", said=5),
            tell("c", "bus", said=9),
        ],
        ["bus [by 1, by 5)", "bus [by 9,)"],
    ),
    "loves it, can't bear it": (
        MANY,
        [tell("a", "opera", said=1), tell("b", "opera", no=True, said=5)],
        ["not opera [by 5,)", "opera [by 1, by 5)"],
    ),
    "a negative touches only the value it names": (
        ONE,
        [tell("a", "Rome", said=1), tell("b", "Paris", no=True, said=2)],
        ["Rome [by 1,)", "not Paris [by 2,)"],
    ),
    "stopped something never heard of": (
        MANY,
        [tell("a", "X", "end", said=5)],
        ["X [unknown, by 5)"],
    ),
    "a plan": (
        ONE,
        [
            tell("a", "Old", said=3),
            tell("b", "Larch", "change", start=9, said=4, planned=True),
        ],
        ["Larch [9,) planned", "Old [by 3, 9)"],
    ),
    "a plan confirmed": (
        ONE,
        [
            tell("a", "Old", said=3),
            tell("b", "Larch", "change", start=9, said=4, planned=True),
            tell("c", "Larch", said=10),
        ],
        ["Larch [9,)", "Old [by 3, 9)"],
    ),
    "a plan belied": (
        ONE,
        [
            tell("a", "Old", said=3),
            tell("b", "Larch", "change", start=9, said=4, planned=True),
            tell("c", "Old", said=10),
        ],
        ["Larch retracted", "Old [by 3,)"],
    ),
    "the assistant against the user": (
        ONE,
        [tell("a", "A", said=1), tell("b", "B", said=5, authority=50)],
        ["A [by 1,)", "B [by 5,) disputed"],
    ),
    "a document after the user": (
        ONE,
        [tell("a", "A", said=1), tell("b", "B", "change", start=4, said=5, authority=80)],
        ["A [by 1, 4)", "B [4,)"],
    ),
    "a closed period before a since": (
        ONE,
        [
            tell("a", "Y", "since", start=21, said=29),
            tell("b", "X", "past", start=18, end=20, said=30),
        ],
        ["X [18, 20)", "Y [21,)"],
    ),
    "a closed period inside, nothing said after": (
        ONE,
        [
            tell("a", "A", "change", start=10, said=11),
            tell("b", "B", "past", start=15, end=18, said=20),
        ],
        ["A [10, 15)", "B [15, 18)"],
    ),
    "a closed period inside what was claimed after it": (
        ONE,
        [
            tell("a", "A", "change", start=10, said=25),
            tell("b", "B", "past", start=15, end=18, said=26),
        ],
        ["A [10, 15)", "A [by 18,)", "B [15, 18)"],
    ),
    "left, though spoken of since": (
        ONE,
        [
            tell("a", "A", "change", start=1, said=1),
            tell("b", "A", said=5),
            tell("c", "A", "end", end=2, said=9),
        ],
        ["A [1, 2)", "A [by 5, by 9)"],
    ),
}


@pytest.mark.parametrize("name", EXAMPLES)
def test_example_holds_in_every_order_of_arrival(name: str) -> None:
    """The facts are those of the example, however the claims arrive."""
    predicate, claims, wanted = EXAMPLES[name]
    for order in permutations(claims):
        assert facts_of(order, predicate) == sorted(wanted)


@pytest.mark.parametrize("name", EXAMPLES)
def test_example_holds_if_everything_is_said_twice(name: str) -> None:
    """A second telling by the same source at the same time changes nothing."""
    predicate, claims, wanted = EXAMPLES[name]
    if any(c.claim.correction for c in claims):
        return
    twice = [
        *claims,
        *(tell_again(claim, index) for index, claim in enumerate(claims)),
    ]
    assert facts_of(twice, predicate) == sorted(wanted)


def tell_again(linked: LinkedClaim, index: int) -> LinkedClaim:
    """Repeat a claim under another id."""
    claim = replace(linked.claim, id=f"again-{index}")
    return replace(linked, claim=claim, link=replace(linked.link, claim=claim.id))
