"""Pairs of things told, half that get on with each other, half of which the later ends the earlier.

Most are sentences that the patterns read; what sentences do not say well is given by its parts.
Every kind is made in English and Chinese from lists of invented names and places, by lot.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

from benchmarks.endings_cases import Case
from benchmarks.endings_changes import Changes
from benchmarks.endings_fine import Fine
from benchmarks.endings_words import CHINESE, ENGLISH

TRIES = 50
Makes = list[Callable[[], Case]]


def _fine(maker: Fine) -> Makes:
    return [
        maker.other_relation,
        maker.other_relation_of_me,
        maker.many,
        maker.other_person,
        maker.relative,
        maker.look_back,
        maker.also,
        maker.exception,
        maker.told_apart,
        maker.not_another,
        maker.temporary,
        maker.again,
        maker.unsure,
        maker.of_assistant,
        maker.three,
        maker.mentioned,
        maker.elsewhere,
        maker.other_role,
        maker.given_many,
        maker.given_past,
    ]


def _changes(maker: Changes) -> Makes:
    return [
        maker.moved,
        maker.moved_person,
        maker.new_job,
        maker.now,
        maker.corrected,
        maker.dated,
        maker.favourite,
        maker.from_to,
        maker.twice,
        maker.turned,
        maker.left,
        maker.another_value,
        maker.over,
        maker.given_state,
        maker.given_three,
    ]


def cases(number: int, seed: int) -> Iterator[Case]:
    """Yield so many cases, half of each sort, in both languages, nearly all different."""
    rng = random.Random(seed)  # noqa: S311 - a choice to repeat, no secret
    both = (ENGLISH, CHINESE)
    sorts = (
        [_fine(Fine(words, rng)) for words in both],
        [_changes(Changes(words, rng)) for words in both],
    )
    seen: set[Case] = set()
    for place in range(number):
        kinds = sorts[place % 2][(place // 2) % 2]
        case = kinds[(place // 4) % len(kinds)]()
        tries = 0
        while case in seen and tries < TRIES:  # some kinds have few words
            case, tries = rng.choice(kinds)(), tries + 1
        seen.add(case)
        yield case
