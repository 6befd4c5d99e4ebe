"""What is carried from clause to clause of a Chinese sentence."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from graphmem.extraction.patterns.frame import Context, importance_of
from graphmem.extraction.patterns.sentences import Sentence
from graphmem.extraction.patterns.zh_forms import Placed
from graphmem.extraction.patterns.zh_text import Clause
from graphmem.model.claim import Correction, Form, Mention, Modality, Polarity, Qualifiers
from graphmem.model.draft import Draft


@dataclass(frozen=True, slots=True)
class Topic:
    """Who or what the clauses are about.

    Attributes:
        mention: None where nobody can be named yet (a pet or relative about to be named).
        kind: "me", "person", "pet", "thing".
        carried: it was said, not assumed.
        word: the role or species word, if it waits for a name.
    """

    mention: Mention | None
    kind: str
    carried: bool = False
    word: str = ""


@dataclass(frozen=True, slots=True)
class Left:
    """在A, said of before, where only what follows tells what A is."""

    clause: Clause
    subject: Mention
    value: Mention


@dataclass(slots=True)
class State:
    """A sentence being read."""

    sentence: Sentence
    context: Context
    topic: Topic | None
    drafts: list[Draft] = field(default_factory=list[Draft])
    correcting: bool = False
    wrong: tuple[str, str] | None = None
    """Predicate and value just denied with 不是…, waiting for the right one."""
    importance: int = 0
    left: Left | None = None
    read: Callable[[str], Sequence[Draft]] | None = None
    """Reads the statement of a fact the memory holds."""

    def words(self, begin: int, stop: int) -> str:
        """Return the sentence's words as written."""
        return self.sentence.text[begin:stop]

    def correction_for(self, predicate: str) -> Correction | None:
        """Return what a draft of ``predicate`` takes back, if it follows words of correction."""
        if self.wrong is not None and self.wrong[0] == predicate:
            value = self.wrong[1]
            self.wrong = None
            return Correction(value=value)
        if self.correcting:
            self.correcting = False
            return Correction()
        return None

    def add(
        self,
        clause: Clause,
        subject: Mention,
        predicate: str,
        value: Mention | None,
        placed: Placed,
        *,
        qualifiers: Qualifiers = (),
        beside: bool = False,
        statement: str | None = None,
        correction: Correction | None = None,
        rule: str = "",
    ) -> None:
        """Keep a draft that rests on a clause."""
        self.drafts.append(
            Draft(
                turn=self.context.turn.id,
                quote=self.words(clause.begin, clause.stop),
                subject=subject,
                predicate=predicate,
                object=value,
                polarity=placed.polarity,
                modality=placed.modality,
                form=placed.form,
                start=placed.start,
                end=placed.end,
                qualifiers=qualifiers,
                beside=beside,
                correction=correction,
                importance=max(self.importance, importance_of(predicate)),
                statement=self._statement(clause, subject) if statement is None else statement,
                rule=rule or f"zh.{predicate}",
            )
        )

    def _statement(self, clause: Clause, subject: Mention) -> str:
        said = self.words(clause.begin, clause.stop)
        me = self.context.me
        own = "我" if me is not None and me.is_self else (me.text if me is not None else "")
        if subject.is_self or subject == me:
            plain = said.removeprefix("我们").removeprefix("我") if own != "我" else said
            return plain if "我" in plain and own == "我" else own + plain
        if subject.text in said:
            return said
        return subject.text + (said[1:] if said[:1] in "他她它" else said)

    def contrast(self) -> None:
        """Make "not A, B" of one single-valued predicate an end and a beginning."""
        for earlier, later in zip(self.drafts, self.drafts[1:], strict=False):
            if (
                earlier.polarity is Polarity.NEGATIVE
                and earlier.form is Form.STATE
                and earlier.object is not None
                and later.polarity is Polarity.POSITIVE
                and later.modality is Modality.ASSERTED
                and later.predicate == earlier.predicate
                and later.predicate in SINGLE
                and later.subject == earlier.subject
                and _NO_LONGER.search(earlier.quote)
            ):
                at = self.drafts.index(earlier)
                self.drafts[at] = _ended(earlier)


_NO_LONGER = re.compile(r"[了啦]\W*$|再|現在|现在|已")
"""Without such a word (我不是程序员，我是…) nothing has ended."""


def _ended(draft: Draft) -> Draft:
    return replace(draft, polarity=Polarity.POSITIVE, form=Form.END, end=draft.start, start=None)


SINGLE = frozenset(
    [
        "lives_in",
        "works_at",
        "works_as",
        "studies_at",
        "stays_at",
        "assigned_to",
        "has_name",
        "has_manager",
        "has_landlord",
        "married_to",
        "partner_of",
        "follows_diet",
        "has_dentist",
    ]
)
"""Single-valued predicates of which people name the old and the new value in one breath."""
