"""Reads Chinese clauses that tie people and pets to somebody: 我妹妹叫…, 养了只猫, 分手了."""

from __future__ import annotations

import re
from dataclasses import replace

from graphmem.extraction.patterns.zh_forms import Placed, Said, place
from graphmem.extraction.patterns.zh_marks import Mark, Opening
from graphmem.extraction.patterns.zh_people import (
    RELATIONS,
    ROLE_WORDS,
    is_whole_name,
    may_be_called,
)
from graphmem.extraction.patterns.zh_people_rules import (
    ALONE,
    BREEDS,
    CALLED,
    CALLS_ME,
    EACH_NAMED,
    HAS_PET,
    HAS_ROLE,
    IS_ROLE,
    NAMED_ONLY,
    NO_PET,
    PET_CALLED,
    TIES,
    Tie,
)
from graphmem.extraction.patterns.zh_rule import Kind, Rule
from graphmem.extraction.patterns.zh_state import State, Topic
from graphmem.extraction.patterns.zh_subject import name_subject, subject_of, topic_of
from graphmem.extraction.patterns.zh_text import Clause, Reduced
from graphmem.extraction.patterns.zh_view import View, written
from graphmem.model.claim import Form, Mention, Modality, Polarity
from graphmem.model.entity import ValueKind

_ROLE_NAME = re.compile(rf"(?:我)?(?:的)?(?:(?P<role>{ROLE_WORDS})(?:的)?)?(?P<name>.*)")


def read_ties(
    clause: Clause, reduced: Reduced, opening: Opening, core: str, said: Said, state: State
) -> bool:
    """Add what the clause says of relations and pets; False if it says nothing of them."""
    if state.context.me is None and opening.who is not None and opening.who.kind != "name":
        return False
    reader = _Ties(clause, reduced, opening, core, said, state)
    return reader.read()


class _Ties(View):
    """One clause, as read by the rules of ties in turn."""

    def read(self) -> bool:
        return (
            self._called_by_others()
            or self._role_called()
            or self._named_only()
            or self._has_role()
            or self._is_role()
            or self._pet_called()
            or self._has_pet()
            or self._breed()
            or self._tie()
        )

    # --- helpers

    def _words(self, found: re.Match[str], group: str) -> str | None:
        return written(self.reduced, self.opening, self.state, found, group, "“”「」\"' ")

    def _name(self, found: re.Match[str]) -> str | None:
        if found.groupdict().get("o") is None:
            return None
        words = self._words(found, "o")
        plain = found.group("o").strip("“”「」\"' ")
        return words if words and may_be_called(plain) else None

    def _mine(self) -> Mention | None:
        """Return the speaker, if the clause is about them."""
        me = self.state.context.me
        who = self.opening.who
        if who is not None:
            return me if who.kind == "me" else None
        topic = self.state.topic
        return me if topic is not None and topic.kind == "me" else None

    def _certain(self) -> bool:
        return not self.said.has(Mark.MAYBE, Mark.PLAN, Mark.FORMER, Mark.NO_MORE)

    def _relate(self, word: str, name: str, placed: Placed | None = None) -> None:
        state = self.state
        me = state.context.me
        if me is None:
            return
        relation = RELATIONS[word][1]
        owner = "我" if me.is_self else me.text
        mention = Mention(name, types=("person",))
        state.add(
            self.clause,
            me,
            relation,
            mention,
            placed or Placed(),
            qualifiers=(("role", word),),
            statement=f"{owner}的{word}是{name}",
            correction=state.correction_for(relation),
        )
        state.topic = Topic(mention, "person", carried=True)

    def _pet(self, species: str, name: str, placed: Placed) -> None:
        state = self.state
        me = state.context.me
        if me is None:
            return
        mention = Mention(name, types=("animal",))
        owner = "我" if me.is_self else me.text
        state.add(
            self.clause, me, "has_pet", mention, placed, statement=f"{owner}养的{species}叫{name}"
        )
        kind = Mention(species)
        state.add(self.clause, mention, "is_a", kind, Placed(), statement=f"{name}是{species}")
        state.topic = Topic(mention, "pet", carried=True, word=species)

    # --- people

    def _called_by_others(self) -> bool:
        """大家都叫我老猫."""
        me = self.state.context.me
        found = CALLS_ME.fullmatch(self.core)
        if found is None or me is None or self.opening.who is not None or not self._certain():
            return False
        name = self._name(found) or self._words(found, "n")
        if name is None or not may_be_called(name):
            return False
        value = Mention(name, kind=ValueKind.TEXT)
        self.state.add(self.clause, me, "also_known_as", value, Placed())
        self.state.topic = Topic(me, "me", carried=True)
        return True

    def _role_called(self) -> bool:
        """我妹妹叫小棠, 我房东是雷先生."""
        who = self.opening.who
        if who is None or who.kind != "role" or who.name is not None or not self._certain():
            return False
        found = CALLED.fullmatch(self.core)
        if found is None or Mark.NOT in self.said.marks:
            return False
        name = self._name(found)
        said_name = "叫" in self.core[: found.start("o")] or "名" in self.core[: found.start("o")]
        if name is None or not (said_name or is_whole_name(found.group("o"))):
            return False
        self._relate(who.word, name)
        return True

    def _named_only(self) -> bool:
        """After 我有个妹妹 or 我养了只猫: 叫小棠; 一只叫米粒."""
        topic = self.state.topic
        if topic is None or not topic.word or self.opening.who is not None:
            return False
        found = NAMED_ONLY.fullmatch(self.core) or EACH_NAMED.fullmatch(self.core)
        name = self._name(found) if found else None
        if name is None:
            return False
        if topic.kind == "pet":
            earlier = self.state.drafts
            unnamed = [d for d in earlier if d.predicate == "has_pet" and d.object == topic.mention]
            placed = Placed()
            if unnamed and topic.mention is not None and topic.mention.text == topic.word:
                first = unnamed[0]
                placed = Placed(first.form, first.polarity, first.modality, first.start, first.end)
                earlier.remove(first)
            self._pet(topic.word, name, placed)
            return True
        if topic.mention is None or topic.mention.role is not None:
            self._relate(topic.word, name)
            return True
        return False

    def _has_role(self) -> bool:
        """我有一个妹妹（叫小棠）."""
        found = HAS_ROLE.fullmatch(self.core)
        if found is None or self._mine() is None or not self._certain() or self.said.has(Mark.NOT):
            return False
        word = found.group("role")
        if found.group("o") is not None:
            name = self._name(found)
            if name is None:
                return False
            self._relate(word, name)
            return True
        self.state.topic = Topic(None, "person", carried=True, word=word)
        return True

    def _is_role(self) -> bool:
        """小陈是我同事."""
        who = self.opening.who
        found = IS_ROLE.fullmatch(self.core)
        if found is None or who is None or who.kind != "name" or who.name is None:
            return False
        span = self.reduced.span(*who.name)
        if span is None or not self._certain() or self.said.has(Mark.NOT):
            return False
        self._relate(found.group("role"), self.state.words(*span))
        return True

    def _tie(self) -> bool:
        for tie in TIES:
            found = tie.pattern.fullmatch(self.core)
            if found is not None and self._tied(tie, found):
                return True
        return any(tie.pattern.fullmatch(self.core) and self._tied(tie, None) for tie in ALONE)

    def _tied(self, tie: Tie, found: re.Match[str] | None) -> bool:
        word, other = (None, None) if found is None else self._other(found)
        if found is not None and other is None:
            return False
        subject = subject_of(self.opening.who, self.reduced, self.state)
        if subject is None:
            return False
        rule = Rule(tie.predicate, "", tie.kind)
        done = self.said.perfect or self.said.times or self.said.has(Mark.ALREADY, Mark.JUST)
        if tie.kind is not Kind.STATE and not done and not self.said.has(Mark.PLAN, Mark.MAYBE):
            return False
        placed = place(rule, self.said)
        if other is None and len(placed) > 1:
            placed = placed[1:]  # 我要离婚: whom one is married to is not said
        if not placed:
            return False
        name_subject(self.opening.who, self.clause, self.reduced, self.state)
        if word is not None and other is not None and other.role is None:
            self._relate(word, other.text)
        for one in placed:
            self.state.add(self.clause, subject, tie.predicate, other, one)
        self.state.topic = topic_of(self.opening.who, subject, self.state)
        return True

    def _other(self, found: re.Match[str]) -> tuple[str | None, Mention | None]:
        """Return the role word said of the other, and who it is; None if that is unsure."""
        named = _ROLE_NAME.fullmatch(found.group("o"))
        if named is None:
            return None, None
        word, name = named.group("role"), named.group("name")
        if not name:
            if word is None or self._mine() is None:
                return word, None
            return word, Mention(f"我{word}", types=("person",), role=RELATIONS[word][0])
        begin = self.opening.core + found.start("o") + named.start("name")
        span = self.reduced.span(begin, begin + len(name))
        if span is None or not is_whole_name(name):
            return word, None
        return word, Mention(self.state.words(*span), types=("person",))

    # --- pets

    def _pet_called(self) -> bool:
        """我家狗叫饼干."""
        found = PET_CALLED.fullmatch(self.core)
        if found is None or self._mine() is None or not self._certain():
            return False
        name = self._name(found)
        if name is None:
            return False
        self._pet(found.group("k"), name, Placed())
        return True

    def _beside_pet(self) -> Mention | None:
        """Return the speaker for 一只狗 right after 我养了两只猫."""
        before = self.state.drafts[-1] if self.state.drafts else None
        counted = re.match(r"[一两二三四五六七八九几\d]+[只条]", self.core)
        if before is None or before.predicate != "has_pet" or not counted or self.opening.core:
            return None
        plain = before.polarity is Polarity.POSITIVE and before.modality is Modality.ASSERTED
        return before.subject if plain and before.form is not Form.END else None

    def _has_pet(self) -> bool:
        mine = self._mine() or self._beside_pet()
        if mine is None:
            return False
        if NO_PET.fullmatch(self.core):
            if not self.said.has(Mark.NOT):
                return False
            no = Placed(polarity=Polarity.NEGATIVE)
            self.state.add(self.clause, mine, "has_pet", None, no)
            self.state.topic = topic_of(self.opening.who, mine, self.state)
            return True
        found = HAS_PET.fullmatch(self.core)
        if found is None:
            return False
        species = self._words(found, "k")
        if species is None:
            return False
        fresh = found.group("le") == "了" or found.group("v") not in {"养", "有", None}
        if found.group("le") == "过" and not self.said.has(Mark.NOT):
            self.said = replace(self.said, marks=self.said.marks | {Mark.FORMER})
        kind = Kind.CHANGE if fresh and not self.said.has(Mark.STILL, Mark.FORMER) else Kind.STATE
        if kind is Kind.CHANGE and found.group("v") in {"养", "有"} and not self._news():
            kind = Kind.STATE
        said = (
            replace(self.said, closed=False)
            if kind is Kind.STATE and not self._news()
            else self.said
        )
        placed = place(Rule("has_pet", "", kind), said)
        if not placed:
            return False
        if found.group("o") is not None:
            name = self._name(found)
            if name is None:
                return False
            self._pet(species, name, placed[0])
            return True
        pet = Mention(species, types=("animal",))
        said = self.state.words(self.clause.begin, self.clause.stop)
        statement = f"我养了{said}" if self._mine() is None else None
        self.state.add(self.clause, mine, "has_pet", pet, placed[0], statement=statement)
        self.state.topic = Topic(pet, "pet", carried=True, word=species)
        return True

    def _news(self) -> bool:
        return (
            bool(self.said.times)
            or self.said.closed
            or self.said.has(Mark.JUST, Mark.AGAIN, Mark.PLAN, Mark.MAYBE)
        )

    def _breed(self) -> bool:
        """是金毛, said of a pet just named."""
        topic = self.state.topic
        found = re.fullmatch(r"(?:它)?是(?:一?[只条])?(?P<o>.+)", self.core)
        if found is None or topic is None or topic.kind != "pet" or topic.mention is None:
            return False
        if self.opening.who is not None or not BREEDS.fullmatch(found.group("o")):
            return False
        words = self._words(found, "o")
        if words is None or self.said.has(Mark.NOT):
            return False
        self.state.add(self.clause, topic.mention, "breed", Mention(words), Placed())
        return True
