"""What a rule that matched a Chinese clause says, as drafts."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from graphmem.extraction.patterns.zh_forms import Placed, Said, at_hours, place
from graphmem.extraction.patterns.zh_marks import Mark, Opening
from graphmem.extraction.patterns.zh_rule import Kind, Rule
from graphmem.extraction.patterns.zh_state import State
from graphmem.extraction.patterns.zh_subject import name_subject, subject_of, topic_of
from graphmem.extraction.patterns.zh_text import Clause, Reduced, simplify
from graphmem.extraction.patterns.zh_times import Bearing
from graphmem.extraction.patterns.zh_values import favourite, value, values
from graphmem.model.claim import Form, Mention, Modality, Polarity, Qualifiers
from graphmem.model.entity import ValueKind
from graphmem.model.ontology import default_ontology
from graphmem.model.predicate import Cardinality

_WHILE = re.compile(r"^(?:这|這|本周|本月)|夏天|冬天|暑假|寒假|假期")
_HABIT_SLOT = re.compile(r"周末|平时|平日|工作日")
_SOME_TIMES = re.compile(r"周末|工作日|白天|早上|上午|中午|下午|晚上|睡前|饭后|下班后")
"""Not doing a thing then is an exception (晚上不喝咖啡), and denies nothing of the other times."""
_ONE_AT_A_TIME = frozenset(
    ["works_at", "works_as", "studies_at", "lives_in", "stays_at", "has_manager"]
)
"""Where 还 means still, unless a value stands before it in the sentence."""
_ONCE = re.compile(
    r"(?:当|做|干|担任|任|住|学|读|念|练|用|开|服用|教|写|弹|打|抽|喝|上班|工作|负责|生活)过"
)
"""我当过老师: no longer so."""
_WORDS = frozenset({"works_as", "taught_subject"})
LEFT_BEHIND = frozenset({"lives_in", "works_at", "studies_at"})
"""What 本来在A may be about; the clause after it tells (现在在B工作)."""


def _single(predicate: str) -> bool:
    return default_ontology().get(predicate).cardinality is Cardinality.ONE


@dataclass(frozen=True, slots=True)
class Match:
    """A rule that matched all of a clause behind its opening."""

    rule: Rule
    found: re.Match[str]
    clause: Clause
    reduced: Reduced
    opening: Opening
    said: Said
    state: State

    def apply(self) -> bool:
        """Add the drafts; False, adding nothing, if a word of it is unsure."""
        found = self._values()
        former = self._one("a", replace(self.rule, check=None))
        second = self._second()
        predicate = self._predicate()
        subject = self._subject()
        if found is None or predicate is None or subject is None or not self._fits():
            return False
        if (self._has("a") and former is None) or (self._has("j") and second is None):
            return False
        marks, beside = self._yet(predicate, subject)
        if (
            self.rule.kind is Kind.STATE
            and _ONCE.search(self.found.group())
            and Mark.NOT not in marks
        ):
            marks |= {Mark.FORMER}
        beside = beside or (len(found) > 1 and _single(predicate))
        placed = list(place(self.rule, replace(self.said, marks=marks)))
        if not placed:
            return False
        if {Mark.STRESS, Mark.NOT} <= marks and self._has("o"):
            self.state.wrong = (predicate, found[0].text if found[0] else "")
            return True
        name_subject(self.opening.who, self.clause, self.reduced, self.state)
        self._leave(predicate, subject, former, placed[0])
        correction = self.state.correction_for(predicate)
        for one in placed:
            for mention in found:
                if mention is None and len(placed) > 1 and one.form is Form.STATE:
                    continue  # 我六月底离职: what is left is not said
                self.state.add(
                    self.clause,
                    subject,
                    predicate,
                    mention,
                    one,
                    qualifiers=self._qualifiers(predicate, one),
                    beside=beside,
                    correction=correction,
                )
        if second is not None:
            self.state.add(self.clause, subject, self.rule.also, second, placed[-1], beside=beside)
        self.state.topic = topic_of(self.opening.who, subject, self.state)
        return True

    def _has(self, group: str) -> bool:
        return self.found.groupdict().get(group) is not None

    def _span(self, group: str) -> tuple[int, int]:
        begin, stop = self.found.span(group)
        return begin + self.opening.core, stop + self.opening.core

    def _one(self, group: str, rule: Rule) -> Mention | None:
        if not self._has(group):
            return None
        return value(rule, self.reduced, *self._span(group), self.state)

    def _values(self) -> list[Mention | None] | None:
        if self._has("o"):
            found = values(self.rule, self.reduced, *self._span("o"), self.state)
            return None if found is None else list(found)
        if self.rule.fixed is not None:
            return [Mention(self.rule.fixed, kind=self.rule.value)]
        return [None]

    def _second(self) -> Mention | None:
        kind = ValueKind.TEXT if self.rule.also in _WORDS else ValueKind.ENTITY
        return self._one("j", Rule(self.rule.also, "", value=kind, check=self.rule.also_check))

    def _predicate(self) -> str | None:
        rule = self.rule
        if rule.predicate == "lives_in" and rule.kind is Kind.STATE and self._for_a_while():
            return "stays_at"
        if rule.predicate == "favourite_*":
            return favourite(self.found.group("c"))
        return rule.predicate

    def _for_a_while(self) -> bool:
        """这个夏天我住在青岛: a stay, no home."""
        at = self.said.time(Bearing.AT)
        return at is not None and _WHILE.search(at.phrase) is not None

    def _subject(self) -> Mention | None:
        if self.rule.written and self.opening.who is None:
            return None
        return subject_of(
            self.opening.who,
            self.reduced,
            self.state,
            own=self.rule.own,
            spoken=self.rule.spoken,
        )

    def _fits(self) -> bool:
        """Whether the small words and times the rule asks for are there."""
        rule, marks = self.rule, self.opening.marks
        if rule.near and not re.search(rule.near, simplify(self.state.sentence.text)):
            return False
        if rule.needs and marks.isdisjoint(rule.needs):
            if not rule.or_time:
                return False
            left = any(draft.predicate == rule.predicate for draft in self.state.drafts)
            who = self.opening.who
            colleague = rule.predicate == "works_at" and who is not None and who.kind == "name"
            return bool(self.said.times) or Mark.YET in marks or left or colleague
        if not rule.done or self.said.times or self.said.perfect:
            return True
        return self.said.has(Mark.ALREADY, Mark.JUST, Mark.PLAN, Mark.MAYBE, Mark.NOT)

    def _yet(self, predicate: str, subject: Mention) -> tuple[frozenset[Mark], bool]:
        """Read 还 as still or as also, and 也 as beside another value."""
        marks = self.said.marks
        if predicate not in _ONE_AT_A_TIME:
            return marks, False
        before = any(
            draft.predicate == predicate
            and draft.subject == subject
            and draft.polarity is Polarity.POSITIVE
            and draft.form is not Form.END
            for draft in self.state.drafts
        )
        if Mark.YET in marks and not before and "兼职" not in self.clause.text:
            return marks | {Mark.STILL}, False
        return marks, bool(marks & {Mark.YET, Mark.ALSO})

    def _leave(
        self, predicate: str, subject: Mention, former: Mention | None, placed: Placed
    ) -> None:
        """End the former value of 从A到B, or of 本来在A before 现在在B."""
        left = self.state.left
        self.state.left = None
        over = Placed(Form.END, end=placed.start)
        if former is not None and placed.modality is Modality.ASSERTED:
            self.state.add(self.clause, subject, predicate, former, over)
        elif left is not None and predicate in LEFT_BEHIND and left.subject == subject:
            words = Mention(left.value.text, types=self.rule.types)
            self.state.add(left.clause, subject, predicate, words, Placed(Form.END))

    def _qualifiers(self, predicate: str, placed: Placed) -> Qualifiers:
        dose = self.found.groupdict().get("q")
        if self.rule.qualifier and dose:
            return ((self.rule.qualifier, dose),)
        if predicate == "lives_in" and _HABIT_SLOT.search(self.opening.habit):
            return (("when", self.opening.habit),)
        hours = at_hours(self.said)
        if placed.polarity is Polarity.NEGATIVE and hours is not None:
            return (("when", hours),)
        if placed.polarity is Polarity.NEGATIVE and _SOME_TIMES.search(self.opening.habit):
            return (("when", self.opening.habit),)
        return ()
