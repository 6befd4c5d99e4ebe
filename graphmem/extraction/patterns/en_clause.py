"""A clause of an English sentence, and which time phrases are its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from graphmem.extraction.patterns import en_words as w
from graphmem.extraction.patterns.en_group import Group
from graphmem.extraction.patterns.en_times import TimePhrase
from graphmem.extraction.patterns.en_tokens import Token
from graphmem.extraction.patterns.sentences import words


@dataclass(slots=True)
class Clause:
    """A clause of a sentence; all places are in the sentence.

    Attributes:
        tokens: all its words, without its time phrases.
        subject: the words of its subject; those of the clause before if it has none of its own.
        inherited: whether it has none of its own.
        group, rest: its verb, and what follows it.
        times: its time phrases.
        condition: the words of a clause that narrows it ("I'm tired"), joined to it by
            ``opener`` ("when"); ``opener_first`` if that clause comes first.
    """

    tokens: list[Token]
    subject: list[Token]
    group: Group
    rest: list[Token]
    inherited: bool = False
    times: list[TimePhrase] = field(default_factory=list[TimePhrase])
    condition: list[Token] = field(default_factory=list[Token])
    opener: str = ""
    opener_first: bool = False

    @property
    def low_subject(self) -> str:
        """The subject in lower case."""
        return " ".join(token.low for token in self.subject)


def of_unread(
    unread: Sequence[Sequence[Token]], clauses: Sequence[Clause], phrase: TimePhrase
) -> bool:
    """Whether a phrase stands in words no clause could be made of ("…, we facetime daily")."""
    if not unread:
        return False
    last = max((clause.tokens[0].begin for clause in clauses), default=0)
    return any(last < words_[0].begin <= phrase.begin for words_ in unread)


def give_times(clauses: Sequence[Clause], times: Sequence[TimePhrase]) -> None:
    """Give each time phrase to the clause it stands in or before."""
    for phrase in times:
        owner: Clause | None = None
        for clause in clauses:
            if owner is None or clause.tokens[0].begin <= phrase.begin:
                owner = clause
        if owner is None:
            continue
        if _of_an_aside(owner, phrase):
            continue
        inside = owner.condition
        if not inside or not inside[0].begin <= phrase.begin <= inside[-1].stop + 2:
            owner.times.append(phrase)


def _of_an_aside(clause: Clause, phrase: TimePhrase) -> bool:
    """Whether a phrase belongs to words put behind: "I'm a nurse, nights this month"."""
    before = [token for token in clause.tokens if token.begin < phrase.begin]
    at = next((n for n in range(len(before) - 1, -1, -1) if before[n].low in _PARTS), -1)
    words_ = before[at + 1 :]
    if at < 1 or not words_ or words_[0].low in _DATING | w.ADVERBS:
        return False
    return all(token.text[:1].islower() for token in words_)


_PARTS = words(", - – —")
_DATING = words(
    "in on at since from until till for back just only about around and but or starting"
    " effective as"
)
