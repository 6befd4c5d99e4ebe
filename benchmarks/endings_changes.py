"""Pairs of things told of which the later ends the earlier."""

from __future__ import annotations

from benchmarks.endings_cases import Case, Given, Maker


class Changes(Maker):
    """Makes them, a method for each kind."""

    def moved(self) -> Case:
        """Say that one lives somewhere, then that one has moved."""
        return self.change("moved", "lives_in", "i_lives", "i_moved", "towns")

    def moved_person(self) -> Case:
        """Say that somebody lives somewhere, then that they have moved."""
        who = self.some("people")[0]
        return self.change("somebody moved", "lives_in", "lives", "moved", "towns", who=who)

    def new_job(self) -> Case:
        """Say where one works, then where one has started."""
        return self.change("a new job", "works_at", "i_works", "i_started", "firms")

    def now(self) -> Case:
        """Say another value with "now"."""
        relation, predicate = self.rng.choice([("lives", "lives_in"), ("works", "works_at")])
        values = self.words.values[relation]
        return self.change("now", predicate, f"i_{relation}", f"i_{relation}_now", values)

    def corrected(self) -> Case:
        """Say a value, then that another was meant."""
        return self.change("a correction", "lives_in", "i_lives", "i_meant", "towns")

    def dated(self) -> Case:
        """Say where one lives, then when one moved since."""
        return self.change("a dated change", "lives_in", "i_lives", "i_moved_dated", "towns")

    def favourite(self) -> Case:
        """Say what one likes best, then something else."""
        return self.change(
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

    def another_value(self) -> Case:
        """Say one of many things that have one value, then another value."""
        predicate, before, after, values = self.rng.choice(self.words.changes)
        return self.change(f"another {predicate}", predicate, before, after, values)

    def over(self) -> Case:
        """Say something, then that it is over."""
        predicate, before, after, values = self.rng.choice(self.words.ends)
        value = self.some(values)[0]
        sides = (self.say(before, x=value), self.say(after, 40, x=value))
        return Case(f"over: {predicate}", self.words.language, sides, (predicate, value))

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
