"""What goes on after an interruption, and what an end, a start or a telling reaches."""

from __future__ import annotations

from itertools import islice, permutations

import pytest
from telling import MANY, ONE, facts_of, over, tell

from graphmem.model.claim import LinkedClaim
from graphmem.model.predicate import Predicate

FOUND: dict[str, tuple[Predicate, list[LinkedClaim], list[str]]] = {
    "what was told with its end does not come back after another closed period": (
        ONE,
        [
            tell("a", "A", "past", start=0, end=4, said=11),
            tell("b", "B", "past", start=2, end=4, said=16),
        ],
        ["A [0, 2)", "B [2, 4)"],
    ),
    "an end that falls into the interruption is an end": (
        MANY,
        [
            tell("a", "tea", "past", start=13, end=19, said=19),
            tell("b", "tea", "past", start=14, end=23, said=43, no=True),
        ],
        ["not tea [14, 23)", "tea [13, 14)"],
    ),
    "an end after the interruption ends what goes on": (
        MANY,
        [
            tell("a", "tea", "since", start=8, said=22),
            tell("b", "tea", "past", start=18, end=28, said=29, no=True),
            tell("c", "tea", "end", end=53, said=54),
        ],
        ["not tea [18, 28)", "tea [8, 18)", "tea [by 28, 53)"],
    ),
    "two closed periods in a row interrupt as one": (
        ONE,
        [
            tell("a", "A", "change", start=10, said=30),
            tell("b", "C", "past", start=12, end=15, said=31),
            tell("c", "B", "past", start=15, end=18, said=32),
        ],
        ["A [10, 12)", "A [by 18,)", "B [15, 18)", "C [12, 15)"],
    ),
    "a closed period inside a closed period": (
        ONE,
        [
            tell("a", "A", "change", start=1, said=60),
            tell("b", "B", "past", start=5, end=50, said=61),
            tell("c", "C", "past", start=10, end=20, said=62),
        ],
        ["A [1, 5)", "A [by 50,)", "B [5, 10)", "B [by 20, 50)", "C [10, 20)"],
    ),
    "a claim that still tells of its value at the end of its time is not taken back": (
        ONE,
        [
            tell("a", "C", "since", start=21, said=29),
            tell("b", "A", "since", start=20, said=33),
            tell("c", "C", "since", start=27, said=37),
        ],
        ["A [20, 27)", "C [27,)"],
    ),
    "nor is what such a claim left nothing to add": (
        MANY,
        [
            tell("a", "tea", "since", start=1, said=10),
            tell("b", "tea", "since", start=1, said=10, place=1),
            tell("c", "tea", "since", start=0, said=10, place=2, no=True),
            tell("d", "tea", "since", said=11),
        ],
        ["not tea [0, by 10)", "tea [by 10,)"],
    ),
    "an end dated before a state ends by its telling only what rests on that state": (
        ONE,
        [
            tell("a", "B", said=29),
            tell("b", "C", "since", start=3, said=30),
            tell("c", "B", "change", said=42),
            tell("d", "B", "end", end=13, said=54),
        ],
        ["B [by 42,)", "B retracted", "C [3, by 42)"],
    ),
    "a still reaches no further back than the start that counts": (
        ONE,
        [
            tell("a", "B", "past", start=19, end=23, said=27),
            tell("b", "B", "since", said=30),
            tell("c", "B", "since", start=26, said=35),
        ],
        ["B [26,)"],
    ),
    "a later stretch does not choose the start of an earlier one": (
        ONE,
        [
            tell("a", "B", "since", start=3, said=48),
            tell("b", "A", "past", start=6, end=37, said=49),
            tell("c", "B", "past", start=18, end=39, said=58),
        ],
        ["A [6, 18)", "B [18, 39)", "B [3, 6)"],
    ),
    "whoever tells of a new start does not say that it went on": (
        ONE,
        [
            tell("a", "A", "since", start=6, said=12),
            tell("b", "B", "past", start=33, end=44, said=45),
            tell("c", "A", "since", start=54, said=55),
        ],
        ["A [54,)", "A [6, 33)", "B [33, 44)"],
    ),
    "told twice that it ended, once while something else was so": (
        ONE,
        [
            tell("a", "C", "change", start=4, said=37),
            tell("b", "A", "past", start=17, end=31, said=40),
            tell("c", "C", "past", start=17, end=30, said=30),
            tell("d", "C", "end", end=41, said=44),
        ],
        ["A [17, 31)", "C [4, 17)", "C [by 31, 41)", "C retracted"],
    ),
    "of three endings the last said counts": (
        ONE,
        [
            tell("a", "B", end=55, said=43),
            tell("b", "B", end=61, said=50),
            tell("c", "B", "end", said=56),
        ],
        ["B [by 43, by 56)"],
    ),
    "a coarse start told as done is not after its telling": (
        ONE,
        [
            tell("a", "B", "change", start=over(39, 47), said=42),
            tell("b", "C", said=45),
        ],
        ["B [39, by 45)", "C [by 45,)"],
    ),
    "a plan and a claim that one telling leaves nothing are two facts": (
        ONE,
        [
            tell("a", "B", said=14),
            tell("b", "B", "change", start=40, said=25, planned=True),
            tell("c", "A", "since", start=11, said=40),
        ],
        ["A [11,)", "B retracted", "B retracted"],
    ),
    "a since that covers the date confirms the plan": (
        ONE,
        [
            tell("a", "B", "change", start=12, said=11, planned=True),
            tell("b", "B", "since", start=8, said=20),
            tell("c", "C", said=34),
        ],
        ["B [8, by 34)", "C [by 34,)"],
    ),
    "a plan has seen nothing that a still could reach back to": (
        MANY,
        [
            tell("a", "tea", "past", start=16, end=25, said=10, planned=True),
            tell("b", "tea", "since", said=31),
            tell("c", "tea", "cancel", said=58, planned=True),
        ],
        ["tea [by 31,)", "tea retracted"],
    ),
    "quitting whatever job it was ends no no": (
        ONE,
        [tell("a", "Larch", no=True, said=2), tell("b", None, "end", said=5)],
        ["not Larch [by 2,)"],
    ),
    "having none any more ends no no": (
        MANY,
        [tell("a", "cats", no=True, said=2), tell("b", None, "end", said=5)],
        ["none [unknown, by 5)", "not cats [by 2,)"],
    ),
    "what is believed at its time is not taken back": (
        ONE,
        [
            tell("a", "A", "past", start=11, end=12, said=10, planned=True),
            tell("b", "A", end=over(11, 14), said=10, place=1),
        ],
        ["A [by 10, 12)"],
    ),
    "what is left nothing contradicts no ending": (
        MANY,
        [
            tell("a", "tea", "past", start=10, end=20, said=21),
            tell("b", "tea", "since", said=26),
            tell("c", "tea", "past", start=17, end=37, said=35, no=True),
        ],
        ["not tea [17, 37)", "tea [10, 17)", "tea retracted"],
    ),
    "who says later that it went on through the telling of an ending is believed": (
        ONE,
        [
            tell("a", "A", said=10),
            tell("b", "A", "end", end=2, said=12),
            tell("c", "A", "past", start=3, end=20, said=25),
        ],
        ["A [3, 20)"],
    ),
    "of two endings the later said counts, though the first was meant for every value": (
        ONE,
        [
            tell("a", "A", said=1),
            tell("b", None, "end", end=8, said=9),
            tell("c", "A", "end", end=21, said=30),
        ],
        ["A [by 1, 21)"],
    ),
    "what only a split of its stretch had moved takes nothing from others": (
        ONE,
        [
            tell("a", "A", said=22),
            tell("b", "A", "end", end=6, said=24),
            tell("c", "A", "change", start=36, said=37),
            tell("d", "B", "past", start=26, end=56, said=60),
            tell("e", "A", "change", start=25, said=61),
            tell("f", "A", "past", start=26, end=40, said=62),
            tell("g", "A", "past", start=7, end=40, said=85),
            tell("h", "B", "change", start=33, said=88),
        ],
        ["A [7, 33)", "A retracted", "B [33, 56)"],
    ),
    "a coarse move is after the day on which the speaker said not to live there yet": (
        ONE,
        [tell("a", "A", no=True, said=12), tell("b", "A", "change", start=over(10, 20), said=16)],
        ["A [13,)", "not A [by 12, 13)"],
    ),
    "not to live there yet says nothing against a move to somewhere else before": (
        ONE,
        [tell("a", "A", no=True, said=12), tell("b", "B", "since", start=over(10, 20), said=16)],
        ["B [10,)", "not A [by 12,)"],
    ),
    "a coarse leaving is before the saying that it no longer was so": (
        ONE,
        [
            tell("a", "A", said=11),
            tell("b", "A", no=True, said=14),
            tell("c", "A", said=17),
            tell("d", "A", "end", end=over(10, 20), said=30),
        ],
        ["A [by 11, 12)", "A [by 17, by 30)", "not A [by 14, by 17)"],
    ),
}


@pytest.mark.parametrize("name", FOUND)
def test_history_is_believed_in_every_order_of_arrival(name: str) -> None:
    """A history that once was believed wrongly is believed as the rules say."""
    predicate, claims, wanted = FOUND[name]
    step = 1 if len(claims) < 6 else 331
    for order in islice(permutations(claims), 0, None, step):
        assert facts_of(order, predicate) == sorted(wanted)
