"""Pairs of things told that get on with each other: nothing of them may end."""

from __future__ import annotations

from benchmarks.endings_cases import Case, Given, Maker


class Fine(Maker):
    """Makes them, a method for each kind."""

    def other_relation(self) -> Case:
        """Say two unrelated things of one person."""
        first, second = self.rng.sample(self.words.plain, 2)
        who = self.some("people")[0]
        return self.fine(
            "another relation of the same person",
            [
                self.plain(first, who, 0),
                self.plain(second, who, 3),
            ],
        )

    def other_relation_of_me(self) -> Case:
        """Say two unrelated things of oneself."""
        first, second = self.rng.sample(self.words.mine, 2)
        sides = [self.mine(one, day) for one, day in ((first, 0), (second, 3))]
        return self.fine("another relation of the speaker", sides)

    def many(self) -> Case:
        """Say a relation that holds many values twice."""
        relation = self.rng.choice(self.words.many)
        one, other = self.some(self.words.values[relation], 2)
        return self.fine(
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
        return self.fine(
            "the same relation of another person",
            [
                self.plain(relation, one, 0),
                self.plain(relation, other, 3),
            ],
        )

    def relative(self) -> Case:
        """Say where oneself lives or works, and where a relative does."""
        relation = self.rng.choice(["lives", "works"])
        mine, theirs = self.some(self.words.values[relation], 2)
        return self.fine(
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
        return self.fine(
            "a look back",
            [
                self.say(f"i_{relation}", x=now),
                self.say(f"i_{relation}_then", 3, x=then, a=str(year), b=str(year + 3)),
            ],
        )

    def also(self) -> Case:
        """Say a second value beside the first."""
        one, other = self.some("firms", 2)
        return self.fine(
            "also",
            [
                self.say("i_works", x=one),
                self.say("i_works_also", 3, x=other),
            ],
        )

    def exception(self) -> Case:
        """Say that one drinks something, and not at some time."""
        drink = self.some("drinks")[0]
        return self.fine(
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
        return self.fine("told apart by a qualifier", sides)

    def not_another(self) -> Case:
        """Say where one lives, and where one does not."""
        one, other = self.some("towns", 2)
        return self.fine(
            "not another value",
            [
                self.say("i_lives", x=one),
                self.say("i_lives_not", 3, x=other),
            ],
        )

    def temporary(self) -> Case:
        """Say where one lives, and where one stays for some days."""
        town, house = self.some("towns")[0], self.some("hotels")[0]
        return self.fine(
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
        return self.fine(
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
        return self.fine(
            "a possibility or a question",
            [
                self.say("i_lives", x=one),
                self.say(way, 3, x=other, silent=True),
            ],
        )

    def mentioned(self) -> Case:
        """Say something of somebody, then something that only mentions them."""
        who = self.some("people")[0]
        return self.fine(
            "only mentioned",
            [
                self.plain(self.rng.choice(self.words.plain), who, 0),
                self.say("mentions", 3, who=who, silent=True),
            ],
        )

    def elsewhere(self) -> Case:
        """Say where one lives, then of a journey, somebody's words, or a wish."""
        one, other = self.some("towns", 2)
        way = self.rng.choice(["i_visited", "others_words", "wishes"])
        silent = way != "i_visited"
        return self.fine(
            "a journey, others' words, a wish",
            [self.say("i_lives", x=one), self.say(way, 3, x=other, silent=silent)],
        )

    def other_role(self) -> Case:
        """Say who is whose, then who somebody else is."""
        first, second = self.rng.sample(self.words.roles, 2)
        one, other = self.who()
        return self.fine("another role", [self.say(first, x=one), self.say(second, 3, x=other)])

    def of_assistant(self) -> Case:
        """Let the assistant say something else than the user."""
        one, other = self.some("towns", 2)
        return self.fine(
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
        return self.fine(
            "three values of many",
            [self.say(f"i_{relation}", 2 * n, x=value) for n, value in enumerate(values)],
        )

    def given_many(self) -> Case:
        """Give two values of a relation that holds many, or of an undeclared one."""
        relation = self.rng.choice(["uses", "member_of", "keeps_bees_with", "has_subscription"])
        one, other = self.some("firms", 2)
        who = self.rng.choice(["me", *self.who()])
        return self.fine(
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
        return self.fine(
            "given: a closed period before",
            [
                Given(who, relation, one, 0, valid_from=-900),
                Given(who, relation, other, 3, valid_from=-2000, valid_to=-1200),
            ],
        )
