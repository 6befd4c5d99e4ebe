"""Reads an English verb group: tense, aspect, negation, modality, and the verb that counts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from graphmem.extraction.patterns import en_words as w
from graphmem.extraction.patterns.en_tokens import Token
from graphmem.extraction.patterns.en_verbs import VerbForm, Verbs
from graphmem.extraction.patterns.sentences import words
from graphmem.model.claim import Modality


class Phase(StrEnum):
    """Which part of an activity is told."""

    WHOLE = "whole"
    STOP = "stop"
    START = "start"
    KEEP = "keep"
    USED = "used"


@dataclass(slots=True)
class Group:
    """A verb group, read.

    ``negated`` counts once ("no longer" too); ``unreal`` marks would, could, should, almost: what
    is told did not happen, or may not.
    """

    lemma: str = ""
    past: bool = False
    perfect: bool = False
    progressive: bool = False
    negated: bool = False
    never: bool = False
    can: bool = False
    unreal: bool = False
    phase: Phase = Phase.WHOLE
    modality: Modality = Modality.ASSERTED
    to_do: bool = False
    """An infinitive follows that no rule resolved ("want to", "have to")."""
    verb: int = 0
    """The place of the verb among the clause's words."""
    flags: set[str] = field(default_factory=set[str])
    """Adverbs that count: still, again, back, now, just, also, always."""


_MODALS_UNREAL = words("would could should must ought shall'd")
_MAY = words("may might")
_WILL = words("will shall")
_COUNTING = words("still again back now just also always too recently lately already")
_STOPPING = words("stop quit cease")
_STARTING = words("start begin")
_PLANNING = words("plan intend decide")
_HOPING = words("hope expect consider")
_WANTING = words(
    "have need want try get agree refuse manage fail tend wait remember forget learn prefer"
    " seem ask happen used love aim promise offer choose mean wish struggle"
)
HAS_DONE = words(
    "move join leave go start quit become live work finish stop buy get be have lose win break give"
    " graduate sell take study begin come see visit forget write read do make grow play switch"
    " return meet"
)
_NO_VERBS = words("the a an my our his her their this that it me you us not work school bed")
_OBJECTS = words("the a an my our his her their its some all every this that these those it them")
_NO_GERUND = words("morning evening wedding building meeting")


class _Reader:
    def __init__(self, tokens: Sequence[Token], at: int, verbs: Verbs) -> None:
        self.tokens = tokens
        self.at = at
        self.verbs = verbs
        self.group = Group()

    def low(self, ahead: int = 0) -> str:
        at = self.at + ahead
        return self.tokens[at].low if at < len(self.tokens) else ""

    def skip_adverbs(self) -> None:
        """Step over adverbs and negations, noting those that count."""
        while self.at < len(self.tokens):
            low = self.low()
            if low == "no" and self.low(1) == "longer":
                self.group.negated = True
                self.group.flags.add("no longer")
                self.at += 2
                continue
            if low == "not":
                self.group.negated = True
            elif low == "never":
                self.group.negated = self.group.never = True
            elif low in w.HEDGES:
                self.group.unreal = True
            elif low in w.MAYBES:
                self.group.modality = Modality.POSSIBLE
            elif low in _COUNTING:
                self.group.flags.add(low)
            elif low not in w.ADVERBS:
                return
            self.at += 1

    def peek(self) -> str:
        """Return the next word that is no adverb, without moving."""
        at = self.at + 1
        while at < len(self.tokens):
            low = self.tokens[at].low
            if low not in w.ADVERBS and low not in {"not", "never"}:
                return low
            at += 1
        return ""

    def base(self, low: str, *forms: VerbForm) -> str | None:
        return self.verbs.base(low, *forms)


def read_group(tokens: Sequence[Token], at: int, verbs: Verbs) -> tuple[Group, int] | None:
    """Read the verb group that begins at ``at``; return it with the place after it.

    None if no verb stands there.
    """
    reader = _Reader(tokens, at, verbs)
    if not _auxiliaries(reader) or not _main(reader):
        return None
    group = reader.group
    got = group.lemma == "get" and group.perfect and tokens[reader.at - 1].low == "got"
    owned = {"a", "an", "no", "any", "my", "type"} | w.NUMBERS | w.CONDITIONS
    if got and (reader.low() in owned or f"{reader.low()} {reader.low(1)}" in w.CONDITIONS):
        group.lemma, group.perfect = "have", False
    group.verb = reader.at - 1
    _catenatives(reader)
    return group, reader.at


def _auxiliaries(r: _Reader) -> bool:
    """Read auxiliaries; False if the words run out."""
    g = r.group
    while True:
        r.skip_adverbs()
        low = r.low()
        if not low:
            return False
        if low in _MODALS_UNREAL or low in {"can", "could"} | _MAY | _WILL:
            _modal(g, low)
        elif low == "'d":
            if r.base(r.peek(), VerbForm.PARTICIPLE) and r.peek() not in {"come", "become", "run"}:
                g.perfect = g.past = True
            else:
                g.unreal = True
        elif low in {"do", "does", "did"} and _is_do_support(r):
            g.past = g.past or low == "did"
        elif low in {"have", "has", "had", "'s"} and _is_perfect(r, low):
            g.perfect = True
            g.past = low == "had"
        elif low in {"is", "are", "am", "was", "were", "'s", "been", "be"} and _is_progressive(r):
            g.progressive = True
            g.past = g.past or low in {"was", "were"}
            r.at += 1
            r.skip_adverbs()
            return True
        else:
            return True
        r.at += 1


def _modal(g: Group, low: str) -> None:
    if low in _WILL:
        g.modality = Modality.PLANNED
    elif low in _MAY:
        g.modality = Modality.POSSIBLE
    elif low == "can":
        g.can = True
    else:
        g.unreal = True


def _is_do_support(r: _Reader) -> bool:
    return r.low(1) in {"not", "n't"} or r.base(r.peek(), VerbForm.BASE) is not None


def _is_perfect(r: _Reader, low: str) -> bool:
    following = r.peek()
    base = r.base(following, VerbForm.PARTICIPLE)
    if base is None:
        return False
    if low == "'s":
        return following == "got" or base in HAS_DONE
    return True


def _is_progressive(r: _Reader) -> bool:
    following = r.peek()
    return (
        following.endswith("ing")
        and following not in _NO_GERUND
        and r.base(following, VerbForm.ING) is not None
    )


def _main(r: _Reader) -> bool:
    low = r.low()
    g = r.group
    if low == "'s":
        g.lemma = "be"
    elif g.progressive:
        g.lemma = r.base(low, VerbForm.ING) or ""
    elif g.perfect:
        g.lemma = r.base(low, VerbForm.PARTICIPLE) or ""
    elif low in {"was", "were"}:
        g.lemma, g.past = "be", True
    else:
        present = r.base(low, VerbForm.BASE, VerbForm.THIRD)
        g.lemma = present or r.base(low, VerbForm.PAST) or ""
        # "read", "put", "quit" and "cost" look alike in both tenses: endings are told as past.
        g.past = g.past or present is None or low in {"quit", "split"}
    r.at += 1
    return bool(g.lemma)


def _catenatives(r: _Reader) -> None:
    """Follow "stopped eating", "going to move", "used to live", "plan to visit" to the verb."""
    for _ in range(3):
        if not _one_catenative(r):
            return


def _one_catenative(r: _Reader) -> bool:
    """Take one step to the verb that counts; False if there is none."""
    r.skip_adverbs()
    low = r.low()
    gerund = r.base(low, VerbForm.ING) if low not in _NO_GERUND else None
    return _phased(r, gerund) or _planned(r, gerund) or _wanted(r)


def _infinitive(r: _Reader) -> str | None:
    """Return the verb of "to move", which need not be a known one after a verb of planning."""
    following = r.low(1)
    if r.low() != "to":
        return None
    known = r.base(following, VerbForm.BASE)
    if known is None and following.isalpha() and _plans(r.group):
        done = r.low(2) in _OBJECTS  # "to refurbish the kitchen", but "to Vilnius for work"
        return following if done and following not in _NO_VERBS else None
    return known


def _phased(r: _Reader, gerund: str | None) -> bool:
    """ "stopped eating", "gave up cycling", "started to learn", "used to live"."""
    g, lemma, low = r.group, r.group.lemma, r.low()
    infinitive = _infinitive(r)
    after_up = r.base(r.low(1), VerbForm.ING) if low == "up" else None
    phase, step = Phase.WHOLE, 1
    inner: str | None = gerund
    if lemma in _STOPPING and gerund:
        phase = Phase.STOP
    elif lemma in {"give", "take"} and after_up:
        phase, inner, step = Phase.STOP if lemma == "give" else Phase.START, after_up, 2
    elif lemma in _STARTING and (gerund or infinitive):
        phase, inner, step = Phase.START, gerund or infinitive, 1 if gerund else 2
    elif lemma == "keep" and gerund:
        phase = Phase.KEEP
    elif infinitive and (lemma == "continue" or (lemma == "use" and g.past)):
        phase, inner, step = Phase.KEEP if lemma == "continue" else Phase.USED, infinitive, 2
    if phase is Phase.WHOLE or inner is None:
        return False
    g.lemma, g.phase = inner, phase
    r.at += step
    g.verb = r.at - 1
    return True


def _planned(r: _Reader, gerund: str | None) -> bool:
    """ "going to move", "plan to visit", "thinking of moving", "about to leave"."""
    g, lemma, low = r.group, r.group.lemma, r.low()
    infinitive = _infinitive(r)
    if infinitive and (lemma in _PLANNING or (lemma == "go" and g.progressive)):
        return _plan(r, infinitive, 2, Modality.PLANNED)
    if lemma in _HOPING and (infinitive or gerund):
        return _plan(r, infinitive or gerund or "", 2 if infinitive else 1, Modality.POSSIBLE)
    thought = r.base(r.low(1), VerbForm.ING) if low in {"of", "about"} else None
    if lemma == "think" and thought:
        return _plan(r, thought, 2, Modality.POSSIBLE)
    due = r.base(r.low(2), VerbForm.BASE) if r.low(1) == "to" else None
    if lemma == "be" and low in {"about", "due", "set"} and due:
        return _plan(r, due, 3, Modality.PLANNED)
    return False


def _wanted(r: _Reader) -> bool:
    """Note an infinitive that says nothing of what is so ("have to", "decided not to")."""
    g = r.group
    if g.lemma == "decide" and r.low() == "to" and r.low(1) == "not":
        g.negated = True
    elif g.lemma in _WANTING and _infinitive(r):
        g.to_do = True
    return False


def _plans(g: Group) -> bool:
    return g.lemma in _PLANNING | _HOPING or (g.lemma == "go" and g.progressive)


def _plan(r: _Reader, lemma: str, step: int, modality: Modality) -> bool:
    g = r.group
    if g.past and not g.perfect:  # "was going to", "planned to": no plan now
        g.unreal = True
    g.lemma = lemma
    g.modality = modality if g.modality is not Modality.POSSIBLE else Modality.POSSIBLE
    g.past = g.perfect = g.progressive = False
    g.flags.add("plan")
    r.at += step
    g.verb = r.at - 1
    return True
