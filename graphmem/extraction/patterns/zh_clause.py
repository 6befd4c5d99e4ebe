"""Reads one Chinese clause: the first rule that explains all of it, or nothing."""

from __future__ import annotations

import re
from dataclasses import replace

from graphmem.extraction.normalize import Anchor
from graphmem.extraction.patterns.zh_forms import Placed, Said
from graphmem.extraction.patterns.zh_fronted import unfronted
from graphmem.extraction.patterns.zh_marks import Mark, Opening, openings
from graphmem.extraction.patterns.zh_match import Match
from graphmem.extraction.patterns.zh_objects import is_plain
from graphmem.extraction.patterns.zh_open import OPEN, Open
from graphmem.extraction.patterns.zh_rule import Rule
from graphmem.extraction.patterns.zh_rules_home import RULES as HOME
from graphmem.extraction.patterns.zh_rules_self import RULES as SELF
from graphmem.extraction.patterns.zh_rules_spoken import RULES as SPOKEN
from graphmem.extraction.patterns.zh_rules_taste import RULES as TASTE
from graphmem.extraction.patterns.zh_rules_things import RULES as THINGS
from graphmem.extraction.patterns.zh_rules_work import RULES as WORK
from graphmem.extraction.patterns.zh_spoken import read_spoken
from graphmem.extraction.patterns.zh_state import Left, State, Topic
from graphmem.extraction.patterns.zh_subject import name_subject, subject_of, topic_of
from graphmem.extraction.patterns.zh_text import HAN, Clause, Reduced
from graphmem.extraction.patterns.zh_ties import read_ties
from graphmem.extraction.patterns.zh_times import Time, times_of
from graphmem.extraction.patterns.zh_values import value, values
from graphmem.model.claim import Mention, Modality
from graphmem.model.entity import ValueKind

_ALL = (*SPOKEN, *HOME, *WORK, *SELF, *TASTE, *THINGS)
_RULES = [(rule, re.compile(rule.pattern)) for rule in _ALL]
_CLOSED = re.compile(r"(?<!的)(?:[了啦咯嘞]+)(?:[啊呀哦噢哈嘛哟喔耶呢]*)$")
_PARTICLES = re.compile(r"(?:(?<=的)[啦咯]|[啊呀哦噢哈嘛哟喔耶滴捏~])+$")
_PERFECT = re.compile(r"了|过(?!敏)|的$")
_LONGEST_CLAUSE = 80
"""Characters; no rule explains a longer one, and trying would take quadratic time."""
_PLAIN_PLAN = re.compile(r"打算|计划|准备|决定")
_PLAN_VERB = re.compile(
    r"(?:去|学|考|买|做|开|换|装修|写|读|看|搬|参加|报|申请|养|辞|办|"
    r"整理|重新|把|带|和|跟|给|种|练|减|转|结|生|找|练习|组织|创|翻新|"
    r"搭|跑|攒|存|还)"
)
_ACTS = re.compile(
    r"在|是(?!非|不)|也|都|[今昨明]天|最近|刚|要(?!求)|想|去|喜欢|住|已经|定居|今年|下[周个]|来|毕业|辞职|离职|怀孕|住院|退休|"
    r"结婚|会|养|开(?!心)|做|当(?!然)|对|从|考|搬"
)
"""What follows a person's name rather than the rest of a longer word."""


def read_clause(clause: Clause, state: State) -> bool:
    """Add what a clause says to ``state``; return whether a rule explained it."""
    if len(clause.text) > _LONGEST_CLAUSE:
        return False
    whole = Reduced(clause.text, tuple(range(clause.begin, clause.stop)))
    times = _times(clause, state)
    known = frozenset(state.context.known.people)
    tries: list[tuple[Reduced, tuple[Time, ...]]] = [(_closed_up(whole), ())]
    if times:
        tries.insert(0, (_closed_up(_without(whole, times)), times))
    turned = [(unfronted(reduced), found) for reduced, found in tries]
    fronted = [(reduced, found) for reduced, found in turned if reduced is not None]
    for reduced, found in (*fronted, *tries):
        for opening in openings(reduced.text, known, frozenset()):
            if _read(clause, reduced, opening, found, state):
                return True
    return (
        _open(clause, tries, state)
        or _plan(clause, tries, state)
        or _left(clause, tries[0][0], state)
        or _introduced(clause, tries[0][0], state)
    )


def _times(clause: Clause, state: State) -> tuple[Time, ...]:
    turn = state.context.turn
    anchor = Anchor(turn.occurred_at, turn.zone)
    quoted = [(begin - clause.begin, stop - clause.begin) for begin, stop in state.sentence.quoted]
    times = times_of(clause.text, anchor)
    return tuple(
        _as_written(time, state.words(clause.begin + time.begin, clause.begin + time.stop))
        for time in times
        if not any(begin < time.stop and time.begin < stop for begin, stop in quoted)
        and clause.text[max(0, time.begin - 1) : time.begin] != "第"  # 第五年 is no length
    )


def _as_written(time: Time, words: str) -> Time:
    since = words[-len(time.since) :] if time.since else None  # it ends where the phrase does
    return replace(time, phrase=words, since=since)


def _without(whole: Reduced, times: tuple[Time, ...]) -> Reduced:
    for time in reversed(times):
        whole = whole.without(time.begin, time.stop)
    return whole


_GAP = re.compile(rf"(?<=[{HAN}])[ \t]+(?=[A-Za-zÀ-ɏ])|(?<=[A-Za-zÀ-ɏ0-9])[ \t]+(?=[{HAN}])")


def _closed_up(reduced: Reduced) -> Reduced:
    """Take out the spaces that some put between Chinese and Latin words (我在 Shopify 上班)."""
    for gap in reversed(list(_GAP.finditer(reduced.text))):
        reduced = reduced.without(*gap.span())
    return reduced


def _read(
    clause: Clause, reduced: Reduced, opening: Opening, times: tuple[Time, ...], state: State
) -> bool:
    core = reduced.text[opening.core :].rstrip()
    core = _PARTICLES.sub("", core)
    if core.endswith("呢"):
        if not opening.marks & {Mark.YET, Mark.STILL, Mark.NOW}:
            return False
        core = core[:-1]
    if core.endswith(("吧", "吗")) or not core:
        return False
    closed = _CLOSED.search(core)
    core = core[: closed.start()] if closed else core
    perfect = bool(closed) or bool(_PERFECT.search(core))
    said = Said(opening.marks, times, bool(_CLOSED.search(clause.text)), perfect)
    if read_spoken(clause, reduced, opening, core, said, state):
        return True
    if read_ties(clause, reduced, opening, core, said, state):
        return True
    for rule, pattern in _RULES:
        found = pattern.fullmatch(core)
        if found and Match(rule, found, clause, reduced, opening, said, state).apply():
            return True
    return False


def _open(clause: Clause, tries: list[tuple[Reduced, tuple[Time, ...]]], state: State) -> bool:
    for reduced, times in tries:
        if times and len(tries) > 1:
            continue  # a fact about a thing with a date: not read
        for opening in openings(reduced.text, frozenset(), frozenset()):
            if opening.who is not None or opening.marks - {Mark.PLAIN, Mark.NOW}:
                continue
            core = _PARTICLES.sub("", reduced.text[opening.core :]).rstrip("了")
            for rule in OPEN:
                found = rule.pattern.fullmatch(core)
                if found and _apply_open(rule, found, clause, reduced, opening.core, state):
                    return True
    return False


def _apply_open(
    rule: Open, found: re.Match[str], clause: Clause, reduced: Reduced, base: int, state: State
) -> bool:
    subject_words, object_words = found.group("s"), found.group("o")
    subject_span = reduced.span(found.start("s") + base, found.end("s") + base)
    if subject_span is None or not is_plain(subject_words):
        return False
    as_rule = Rule(rule.predicate, "", value=rule.value, types=rule.types, listed=rule.listed)
    mentions = values(as_rule, reduced, found.start("o") + base, found.end("o") + base, state)
    if mentions is None:
        return False
    subject_ok = rule.subject(subject_words)
    objects_ok = rule.listed or rule.object(object_words)
    if rule.listed:
        objects_ok = all(rule.object(mention.text) for mention in mentions)
    ok = (subject_ok or objects_ok) if rule.either else (subject_ok and objects_ok)
    if not ok:
        return False
    subject = Mention(state.words(*subject_span), types=_subject_types(rule))
    for mention in mentions:
        first, second = (mention, subject) if rule.swapped else (subject, mention)
        state.add(clause, first, rule.predicate, second, Placed(rule.form), statement=None)
    state.topic = Topic(subject, "thing", carried=True)
    return True


def _subject_types(rule: Open) -> tuple[str, ...]:
    return ("organisation",) if "organisation" in rule.types else ()


def _plan(clause: Clause, tries: list[tuple[Reduced, tuple[Time, ...]]], state: State) -> bool:
    """Keep a plan of the speaker that no rule understands, in their words."""
    if not _PLAIN_PLAN.search(clause.text):
        return False
    for reduced, times in tries:
        for opening in openings(reduced.text, frozenset(), frozenset()):
            who = opening.who
            if Mark.PLAN not in opening.marks or opening.marks & {
                Mark.NOT,
                Mark.MAYBE,
                Mark.FORMER,
            }:
                continue
            core = _PARTICLES.sub("", reduced.text[opening.core :])
            span = reduced.span(opening.core, opening.core + len(core))
            plain = _PLAN_VERB.match(core) and 2 <= len(core) <= 20
            if not plain or span is None or re.search(r"[你您他她它这那哪什么吗呢吧了]", core):
                continue
            subject = subject_of(who, reduced, state, own=True)
            if subject is None or len(times) > 1:
                return False
            when = times[0].phrase if times else None
            text = Mention(state.words(*span), kind=ValueKind.TEXT)
            placed = Placed(modality=Modality.PLANNED, start=when)
            state.add(clause, subject, "plans_to", text, placed)
            state.topic = topic_of(who, subject, state)
            return True
    return False


def _left(clause: Clause, reduced: Reduced, state: State) -> bool:
    """Hold 本来在A until the next clause tells whether A is a home, a job or a school."""
    for opening in openings(reduced.text, frozenset(), frozenset()):
        found = re.fullmatch(r"在(?P<o>.+?)了?", reduced.text[opening.core :])
        if found is None or opening.marks.isdisjoint({Mark.FORMER, Mark.NOT}):
            continue
        subject = subject_of(opening.who, reduced, state)
        name = value(
            Rule("", ""),
            reduced,
            opening.core + found.start("o"),
            opening.core + found.end("o"),
            state,
        )
        if subject is None or name is None:
            return False
        state.left = Left(clause, subject, name)
        state.topic = topic_of(opening.who, subject, state)
        return True
    return False


def _introduced(clause: Clause, reduced: Reduced, state: State) -> bool:
    """Keep who 我侄子小宇 is, where what is said of him is not understood."""
    for opening in openings(reduced.text, frozenset(), frozenset()):
        who = opening.who
        if who is None or who.kind != "role" or who.name is None or opening.core != who.stop:
            continue
        name = reduced.text[slice(*who.name)]
        short = len(name) == 2 and name[0] not in "小阿老"
        if short or opening.marks - {Mark.PLAIN} or not _ACTS.match(reduced.text, who.stop):
            continue
        subject = subject_of(who, reduced, state)
        if subject is None:
            return False
        name_subject(who, clause, reduced, state)
        state.topic = topic_of(who, subject, state)
        return True
    return False
