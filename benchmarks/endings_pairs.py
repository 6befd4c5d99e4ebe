"""Pairs of things told: some get on with each other, of others the later ends the earlier.

Most are sentences that the patterns read; what sentences do not say well is given by its parts.
Every kind is made in English and Chinese from lists of invented names and places, by lot.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from benchmarks.endings_words import CHINESE, ENGLISH, Words


@dataclass(frozen=True, slots=True)
class Said:
    """A sentence of a conversation, ``day`` days after the first."""

    text: str
    day: int
    role: str = "user"
    silent: bool = False
    """It is right that nothing is taken from it: a question, somebody else's words."""


@dataclass(frozen=True, slots=True)
class Given:
    """A fact given by its parts."""

    subject: str
    predicate: str
    object: str | None
    day: int
    valid_from: int | None = None
    valid_to: int | None = None
    qualifiers: tuple[tuple[str, str], ...] = ()


Side = Said | Given


@dataclass(frozen=True, slots=True)
class Case:
    """Things told, and what is to become of them.

    Attributes:
        kind: in a few words. language: "en" or "zh".
        sides: what is told, in the order it is said.
        ends: of a change: (predicate, old value) that must be over.
        holds: of a change: (predicate, value) that must hold; None if it only ends.
        Both None: all that each side says alone must hold beside the others.
    """

    kind: str
    language: str
    sides: tuple[Side, ...]
    ends: tuple[str, str] | None = None
    holds: tuple[str, str] | None = None

    @property
    def change(self) -> bool:
        """Whether something must end."""
        return self.ends is not None


@dataclass(slots=True)
class Maker:
    """Makes cases of one language by lot."""

    words: Words
    rng: random.Random
    used: set[tuple[str, ...]] = field(default_factory=set[tuple[str, ...]])

    def some(self, name: str, number: int = 1) -> list[str]:
        """Return different words of one list."""
        return self.rng.sample(self.words.lists[name], number)

    def say(
        self,
        template: str,
        day: int = 0,
        *,
        role: str = "user",
        silent: bool = False,
        **values: str,
    ) -> Said:
        """Fill in one of the ways to say something."""
        text = self.rng.choice(self.words.ways[template]).format(**values)
        return Said(text, day, role, silent)

    def who(self) -> list[str]:
        """Return names of two people."""
        return self.some("people", 2)

    # --- what gets on

    def other_relation(self) -> Case:
        """Say two unrelated things of one person."""
        first, second = self.rng.sample(self.words.plain, 2)
        who = self.some("people")[0]
        return self._fine(
            "another relation of the same person",
            [
                self._plain(first, who, 0),
                self._plain(second, who, 3),
            ],
        )

    def other_relation_of_me(self) -> Case:
        """Say two unrelated things of oneself."""
        first, second = self.rng.sample(self.words.mine, 2)
        sides = [self._mine(one, day) for one, day in ((first, 0), (second, 3))]
        return self._fine("another relation of the speaker", sides)

    def many(self) -> Case:
        """Say a relation that holds many values twice."""
        relation = self.rng.choice(self.words.many)
        one, other = self.some(self.words.values[relation], 2)
        return self._fine(
            "another value of many",
            [
                self.say(f"i_{relation}", x=one),
                self.say(f"i_{relation}", 3, x=other),
            ],
        )

    def other_person(self) -> Case:
        """Say the same relation of two people."""
        relation = self.rng.choice(self.words.plain)
        one, other = self.who()
        return self._fine(
            "the same relation of another person",
            [
                self._plain(relation, one, 0),
                self._plain(relation, other, 3),
            ],
        )

    def relative(self) -> Case:
        """Say where oneself lives or works, and where a relative does."""
        relation = self.rng.choice(["lives", "works"])
        mine, theirs = self.some(self.words.values[relation], 2)
        return self._fine(
            "the same relation of a relative",
            [
                self.say(f"i_{relation}", x=mine),
                self.say(f"relative_{relation}", 3, x=theirs),
            ],
        )

    def look_back(self) -> Case:
        """Say where one is, and where one was over some years."""
        relation = self.rng.choice(["lives", "works"])
        now, then = self.some(self.words.values[relation], 2)
        year = self.rng.randint(2005, 2014)
        return self._fine(
            "a look back",
            [
                self.say(f"i_{relation}", x=now),
                self.say(f"i_{relation}_then", 3, x=then, a=str(year), b=str(year + 3)),
            ],
        )

    def also(self) -> Case:
        """Say a second value beside the first."""
        one, other = self.some("firms", 2)
        return self._fine(
            "also",
            [
                self.say("i_works", x=one),
                self.say("i_works_also", 3, x=other),
            ],
        )

    def exception(self) -> Case:
        """Say that one drinks something, and not at some time."""
        drink = self.some("drinks")[0]
        return self._fine(
            "an exception",
            [
                self.say("i_drink", x=drink),
                self.say("i_drink_not_then", 3, x=drink, t=self.some("times")[0]),
            ],
        )

    def told_apart(self) -> Case:
        """Give two values that a qualifier tells apart."""
        predicate, name, pair, values = self.rng.choice(self.words.qualified)
        one, other = self.rng.sample(values, 2)
        sides = [
            Given("me", predicate, value, day, qualifiers=((name, apart),))
            for value, apart, day in ((one, pair[0], 0), (other, pair[1], 3))
        ]
        return self._fine("told apart by a qualifier", sides)

    def not_another(self) -> Case:
        """Say where one lives, and where one does not."""
        one, other = self.some("towns", 2)
        return self._fine(
            "not another value",
            [
                self.say("i_lives", x=one),
                self.say("i_lives_not", 3, x=other),
            ],
        )

    def temporary(self) -> Case:
        """Say where one lives, and where one stays for some days."""
        town, house = self.some("towns")[0], self.some("hotels")[0]
        return self._fine(
            "a stay",
            [
                self.say("i_lives", x=town),
                self.say("i_stays", 3, x=house),
            ],
        )

    def again(self) -> Case:
        """Say one thing twice."""
        relation = self.rng.choice(self.words.mine)
        value = self.some(self.words.values[relation])[0]
        return self._fine(
            "the same again",
            [
                self.say(f"i_{relation}", x=value),
                self.say(f"i_{relation}", 3, x=value),
            ],
        )

    def unsure(self) -> Case:
        """Say where one lives, and where one might move, or ask about it."""
        one, other = self.some("towns", 2)
        way = self.rng.choice(["might_move", "asks_move"])
        return self._fine(
            "a possibility or a question",
            [
                self.say("i_lives", x=one),
                self.say(way, 3, x=other, silent=True),
            ],
        )

    def of_assistant(self) -> Case:
        """Let the assistant say something else than the user."""
        one, other = self.some("towns", 2)
        return self._fine(
            "the assistant's words",
            [
                self.say("i_lives", x=one),
                self.say("you_live", 3, x=other, role="assistant", silent=True),
            ],
        )

    def three(self) -> Case:
        """Say three values of a relation that holds many."""
        relation = self.rng.choice(self.words.many)
        values = self.some(self.words.values[relation], 3)
        return self._fine(
            "three values of many",
            [self.say(f"i_{relation}", 2 * n, x=value) for n, value in enumerate(values)],
        )

    def given_many(self) -> Case:
        """Give two values of a relation that holds many, or of an undeclared one."""
        relation = self.rng.choice(["uses", "member_of", "keeps_bees_with", "has_subscription"])
        one, other = self.some("firms", 2)
        who = self.rng.choice(["me", *self.who()])
        return self._fine(
            "given: another value of many",
            [
                Given(who, relation, one, 0),
                Given(who, relation, other, 3),
            ],
        )

    def given_past(self) -> Case:
        """Give a value that holds, and one that held over some time before."""
        relation, values = self.rng.choice(self.words.given)
        one, other = self.rng.sample(values, 2)
        who = self.rng.choice(["me", *self.who()])
        return self._fine(
            "given: a closed period before",
            [
                Given(who, relation, one, 0, valid_from=-900),
                Given(who, relation, other, 3, valid_from=-2000, valid_to=-1200),
            ],
        )

    # --- what changes

    def moved(self) -> Case:
        """Say that one lives somewhere, then that one has moved."""
        return self._change("moved", "lives_in", "i_lives", "i_moved", "towns")

    def moved_person(self) -> Case:
        """Say that somebody lives somewhere, then that they have moved."""
        who = self.some("people")[0]
        return self._change("somebody moved", "lives_in", "lives", "moved", "towns", who=who)

    def new_job(self) -> Case:
        """Say where one works, then where one has started."""
        return self._change("a new job", "works_at", "i_works", "i_started", "firms")

    def now(self) -> Case:
        """Say another value with "now"."""
        relation, predicate = self.rng.choice([("lives", "lives_in"), ("works", "works_at")])
        values = self.words.values[relation]
        return self._change("now", predicate, f"i_{relation}", f"i_{relation}_now", values)

    def corrected(self) -> Case:
        """Say a value, then that another was meant."""
        return self._change("a correction", "lives_in", "i_lives", "i_meant", "towns")

    def dated(self) -> Case:
        """Say where one lives, then when one moved since."""
        return self._change("a dated change", "lives_in", "i_lives", "i_moved_dated", "towns")

    def favourite(self) -> Case:
        """Say what one likes best, then something else."""
        return self._change(
            "another favourite", "favourite_colour", "i_favourite", "i_favourite_now", "colours"
        )

    def from_to(self) -> Case:
        """Say where one works, then from where to where one has gone."""
        old, new = self.some("firms", 2)
        sides = (self.say("i_works", x=old), self.say("i_from_to", 40, x=old, y=new))
        return Case(
            "from one to another", self.words.language, sides, ("works_at", old), ("works_at", new)
        )

    def twice(self) -> Case:
        """Move twice."""
        one, two, three = self.some("towns", 3)
        sides = (
            self.say("i_lives", x=one),
            self.say("i_moved", 30, x=two),
            self.say("i_moved", 60, x=three),
        )
        ends = self.rng.choice([one, two])
        return Case(
            "moved twice", self.words.language, sides, ("lives_in", ends), ("lives_in", three)
        )

    def turned(self) -> Case:
        """Say that one likes something, then that one does not any more."""
        thing = self.some("hobbies")[0]
        sides = (self.say("i_likes", x=thing), self.say("i_likes_not_now", 40, x=thing))
        return Case("not any more", self.words.language, sides, ("likes", thing))

    def left(self) -> Case:
        """Say where one works, then that one has left."""
        firm = self.some("firms")[0]
        way = self.rng.choice(["i_left", "i_quit"])
        sides = (self.say("i_works", x=firm), self.say(way, 40, x=firm))
        return Case("left", self.words.language, sides, ("works_at", firm))

    def given_state(self) -> Case:
        """Give a value of a relation that holds one, then another."""
        relation, values = self.rng.choice(self.words.given)
        old, new = self.rng.sample(values, 2)
        who = self.rng.choice(["me", *self.who()])
        start = self.rng.choice([None, 20])
        sides = (Given(who, relation, old, 0), Given(who, relation, new, 40, valid_from=start))
        return Case(
            "given: another value of one",
            self.words.language,
            sides,
            (relation, old),
            (relation, new),
        )

    def given_three(self) -> Case:
        """Give three dated values of a relation that holds one."""
        relation, values = self.rng.choice(self.words.given)
        first, second, third = self.rng.sample(values, 3)
        who = self.rng.choice(["me", *self.who()])
        sides = tuple(
            Given(who, relation, value, 200 + n, valid_from=start)
            for n, (value, start) in enumerate(((first, 0), (second, 60), (third, 120)))
        )
        return Case(
            "given: three values of one",
            self.words.language,
            sides,
            (relation, self.rng.choice([first, second])),
            (relation, third),
        )

    # --- parts

    def _fine(self, kind: str, sides: Sequence[Side]) -> Case:
        return Case(kind, self.words.language, tuple(sides))

    def _plain(self, relation: str, who: str, day: int) -> Said:
        return self.say(relation, day, who=who, x=self.some(self.words.values[relation])[0])

    def _mine(self, relation: str, day: int) -> Said:
        return self.say(f"i_{relation}", day, x=self.some(self.words.values[relation])[0])

    def _change(
        self, kind: str, predicate: str, before: str, after: str, values: str, *, who: str = ""
    ) -> Case:
        old, new = self.some(values, 2)
        sides = (self.say(before, x=old, who=who), self.say(after, 40, x=new, y=old, who=who))
        return Case(kind, self.words.language, sides, (predicate, old), (predicate, new))


Make = Callable[[Maker], Case]
COMPATIBLE: tuple[Make, ...] = (
    Maker.other_relation, Maker.other_relation_of_me, Maker.many, Maker.other_person,
    Maker.relative, Maker.look_back, Maker.also, Maker.exception, Maker.told_apart,
    Maker.not_another, Maker.temporary, Maker.again, Maker.unsure, Maker.of_assistant,
    Maker.three, Maker.given_many, Maker.given_past,
)  # fmt: skip
CHANGES: tuple[Make, ...] = (
    Maker.moved, Maker.moved_person, Maker.new_job, Maker.now, Maker.corrected, Maker.dated,
    Maker.favourite, Maker.from_to, Maker.twice, Maker.turned, Maker.left, Maker.given_state,
    Maker.given_three,
)  # fmt: skip


def cases(number: int, seed: int) -> Iterator[Case]:
    """Yield so many cases, half of each sort, in both languages, all different."""
    rng = random.Random(seed)  # noqa: S311 - a choice to repeat, no secret
    makers = [Maker(ENGLISH, rng), Maker(CHINESE, rng)]
    seen: set[Case] = set()
    made = 0
    while made < number:
        kinds = COMPATIBLE if made % 2 == 0 else CHANGES
        make = kinds[(made // 4) % len(kinds)]
        maker = makers[(made // 2) % 2]
        for _ in range(50):
            case = make(maker)
            if case not in seen:
                break
        else:
            case = rng.choice(kinds)(maker)
        seen.add(case)
        yield case
        made += 1
