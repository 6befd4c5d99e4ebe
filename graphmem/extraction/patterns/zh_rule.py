"""What a Chinese rule is: a predicate phrase, and what saying it means."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass
from enum import StrEnum

from graphmem.extraction.patterns.zh_marks import Mark
from graphmem.extraction.patterns.zh_objects import LONGEST
from graphmem.model.entity import ValueKind


class Kind(StrEnum):
    """What sort of saying a predicate phrase is."""

    STATE = "state"
    CHANGE = "change"
    """A verb of becoming: 搬到, 入职, 确诊."""
    END = "end"
    """A verb of ending: 离开, 戒, 分手."""
    EVENT = "event"
    ATTRIBUTE = "attribute"
    """Holds without a time of its own: names, origins, measures."""
    CANCEL = "cancel"
    """Said with 不…了, a plan called off: 不搬了; or by the words alone: 黄了."""


Check = Callable[[str], bool]


@dataclass(frozen=True, slots=True)
class Rule:
    """One way to say something.

    Attributes:
        predicate: slug. ``pattern`` is matched against all that follows subject and small words;
            group ``o`` is the value, ``a`` a former value, ``q`` a dose.
        kind: what sort of saying it is.
        value: the literal's type, or ENTITY. types: entity types of the value.
        check: what the value's words must fulfil (simplified, without counting words).
        raw: whether a value with a counting word ("一家花店") names too little to be kept.
        plain: whether the value must be free of verbs and particles. longest: characters.
        listed: whether the value may be a list.
        own: whether the subject must be the speaker.
        spoken: whether the subject must be written in the sentence.
        needs: one of these marks must be there; ``or_time``: or a time phrase.
        done: 了, a date, 已经 or 刚 must say that it happened.
        negative: the words say no by themselves. fixed: the value where the words only imply it.
        person: whether the value names a person. also: a second predicate on group ``j``,
            whose words must fulfil ``also_check``. written: the subject is written in the clause.
        qualifier: name for group ``q``. near: words of which one stands in the sentence.
    """

    predicate: str
    pattern: str
    kind: Kind = Kind.STATE
    _: KW_ONLY
    value: ValueKind = ValueKind.ENTITY
    types: tuple[str, ...] = ()
    check: Check | None = None
    raw: bool = False
    plain: bool = True
    longest: int = LONGEST
    listed: bool = True
    own: bool = False
    spoken: bool = False
    needs: frozenset[Mark] = frozenset()
    or_time: bool = False
    done: bool = False
    negative: bool = False
    fixed: str | None = None
    person: bool = False
    also: str = ""
    also_check: Check | None = None
    written: bool = False
    qualifier: str = ""
    near: str = ""

    @property
    def name(self) -> str:
        """The rule's name for diagnosis."""
        return f"zh.{self.predicate}"


def checks(words: str) -> Check:
    """Return a check that the whole value matches a pattern."""
    pattern = re.compile(words)
    return lambda text: pattern.fullmatch(text) is not None


def lacks(words: str) -> Check:
    """Return a check that a pattern occurs nowhere in the value."""
    pattern = re.compile(words)
    return lambda text: pattern.search(text) is None
