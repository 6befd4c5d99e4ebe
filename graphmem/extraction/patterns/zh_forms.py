"""From how a Chinese clause is put to polarity, modality, form and bounds (DESIGN's forms)."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from graphmem.extraction.patterns.zh_marks import Mark
from graphmem.extraction.patterns.zh_rule import Kind, Rule
from graphmem.extraction.patterns.zh_times import Bearing, Time, ends_of
from graphmem.model.claim import Form, Modality, Polarity


@dataclass(frozen=True, slots=True)
class Placed:
    """How one thing is claimed; times are phrases."""

    form: Form = Form.STATE
    polarity: Polarity = Polarity.POSITIVE
    modality: Modality = Modality.ASSERTED
    start: str | None = None
    end: str | None = None


@dataclass(frozen=True, slots=True)
class Said:
    """What a clause says beside its predicate: small words, times, and whether 了 closes it."""

    marks: frozenset[Mark]
    times: tuple[Time, ...]
    closed: bool
    perfect: bool
    """了, 过 or the 的 of 是…的 stands by the verb."""

    def has(self, *marks: Mark) -> bool:
        """Whether one of these was said."""
        return not self.marks.isdisjoint(marks)

    def time(self, *bearings: Bearing) -> Time | None:
        """Return the only time phrase, if it bears so."""
        found = [time for time in self.times if time.bearing in bearings]
        return found[0] if len(found) == 1 and len(self.times) == 1 else None


_STATE = Placed()
_FELT = frozenset({"likes", "dislikes", "prefers", "fears", "interested_in", "feels", "wants"})
"""Where a closing 了 is mostly emphasis: 我当然喜欢看书了."""

_HABITS = frozenset({"eats", "drinks", "smokes", "drinks_alcohol", "works_shift", "exercises"})
_TODAY = re.compile(
    r"[今昨明前后]天|今[早晚]|昨晚|明[早晚]|周|星期|礼拜|刚才|[早中晚下上]午?|[日号点]"
)
"""Left out for a day (今天不喝酒了), a habit is what it was."""

_THIS_YEAR = re.compile(r"今|这|這|本|刚|上个?月")
_CLOCK = re.compile(r"[\d一二三四五六七八九十两][点點]")
"""An hour of the day (下午四点以后不喝咖啡) begins nothing."""
_HOURS = re.compile(
    r"(?:每天)?(?:早上|上午|中午|下午|傍晚|晚上|夜里|凌晨)?[\d一二两三四五六七八九十]{1,3}[点點]半?(?:钟|鐘)?(?:以|之)?[后後前]"
)


def place(rule: Rule, said: Said) -> tuple[Placed, ...]:
    """Return how a matched rule is claimed; empty if it says nothing certain."""
    if len(said.times) > 1 and rule.kind is not Kind.ATTRIBUTE:
        return ()
    if rule.kind is Kind.ATTRIBUTE:
        return _attribute(rule, said)
    if rule.kind is Kind.STATE and any(_CLOCK.search(time.phrase) for time in said.times):
        return _but_at(rule, said)
    if rule.kind is Kind.CANCEL:
        called_off = said.closed or not rule.needs
        plan = Placed(Form.CANCEL, modality=Modality.PLANNED)
        return (plan,) if called_off else ()
    refused = said.has(Mark.NOT, Mark.NO_MORE) or rule.negative
    if said.has(Mark.MAYBE):
        return () if refused else _possible(rule, said)
    if said.has(Mark.PLAN):
        return _called_off(rule, said) if refused else _planned(rule, said)
    by_kind = {
        Kind.STATE: _negative if refused else _state,
        Kind.CHANGE: _called_off if refused else _change,
        Kind.END: _called_off if refused else _end,
        Kind.EVENT: _no_event if refused else _event,
    }
    return by_kind[rule.kind](rule, said)


def at_hours(said: Said) -> str | None:
    """Return the hours of the day that a clause speaks of (下午四点以后), if that is all."""
    times = [time.phrase for time in said.times]
    return times[0] if len(times) == 1 and _HOURS.fullmatch(times[0]) else None


def _but_at(rule: Rule, said: Said) -> tuple[Placed, ...]:
    """Keep what is not done at some hours as the exception it is."""
    refused = said.has(Mark.NOT) and rule.predicate in _HABITS and not said.closed
    plain = not said.has(Mark.FORMER, Mark.PLAN, Mark.MAYBE)
    return (Placed(polarity=Polarity.NEGATIVE),) if refused and plain and at_hours(said) else ()


def _attribute(rule: Rule, said: Said) -> tuple[Placed, ...]:
    if said.has(Mark.PLAN, Mark.MAYBE) or any(time.ahead for time in said.times):
        return ()
    if rule.predicate == "age" and any(not _THIS_YEAR.match(t.phrase) for t in said.times):
        return ()  # 去年三十岁
    if said.has(Mark.NOT, Mark.NO_MORE):
        return (Placed(polarity=Polarity.NEGATIVE),)
    if said.has(Mark.FORMER):
        return (Placed(Form.END),)
    return (_STATE,)


def _possible(rule: Rule, said: Said) -> tuple[Placed, ...]:
    form = Form.CHANGE if rule.kind is Kind.CHANGE else Form.STATE
    at = said.time(Bearing.AT, Bearing.START)
    if rule.kind is Kind.END:
        return (Placed(Form.END, modality=Modality.POSSIBLE, end=at and at.phrase),)
    return (Placed(form, modality=Modality.POSSIBLE, start=at and at.phrase),)


def _planned(rule: Rule, said: Said) -> tuple[Placed, ...]:
    at = said.time(Bearing.AT, Bearing.START)
    when = at.phrase if at else None
    if said.times and at is None:
        return ()
    if rule.kind is Kind.END:
        return (_STATE, Placed(Form.END, modality=Modality.PLANNED, end=when))
    form = Form.STATE if rule.kind is Kind.EVENT else Form.CHANGE
    return (Placed(form, modality=Modality.PLANNED, start=when),)


def _called_off(rule: Rule, said: Said) -> tuple[Placed, ...]:
    if said.has(Mark.NOT) and said.closed and rule.kind in {Kind.CHANGE, Kind.END}:
        return (Placed(Form.CANCEL, modality=Modality.PLANNED),)
    return ()


def _negative(rule: Rule, said: Said) -> tuple[Placed, ...]:
    no = Placed(polarity=Polarity.NEGATIVE)
    if said.has(Mark.FORMER):  # 以前不吃辣: a no that has ended says nothing of now
        return (replace(no, form=Form.END),)
    time = said.times[0] if said.times else None
    if time is None:
        return (no,)
    if time.bearing is Bearing.START:
        return (replace(no, form=Form.SINCE, start=time.phrase),)
    if time.bearing is Bearing.END:
        return (replace(no, end=time.phrase),)
    if time.bearing is Bearing.AT:
        if rule.predicate in _HABITS and _TODAY.search(time.phrase):
            return ()
        return (replace(no, start=time.phrase),)
    if time.bearing is Bearing.LENGTH and said.closed:
        return (replace(no, form=Form.SINCE, start=time.since),)
    return ()


def _state(rule: Rule, said: Said) -> tuple[Placed, ...]:
    time = said.times[0] if said.times else None
    former = said.has(Mark.FORMER)
    if time is None:
        return _undated(rule, said, former)
    if time.bearing in {Bearing.AT, Bearing.START} and time.ahead:
        return (Placed(Form.CHANGE, modality=Modality.PLANNED, start=time.phrase),)
    match time.bearing:
        case Bearing.RANGE:
            start, end = ends_of(time.phrase)
            return (Placed(Form.PAST, start=start, end=end),)
        case Bearing.OPEN:
            return (Placed(Form.SINCE, start=ends_of(time.phrase)[0]),)
        case Bearing.START:
            told = said.has(Mark.STILL, Mark.ALREADY, Mark.NOW) or said.closed or said.perfect
            unsure = time.open and time.ahead is None and not told
            return () if unsure else (Placed(Form.SINCE, start=time.phrase),)
        case Bearing.END:
            return _until(time, said, former)
        case Bearing.LENGTH:
            return _lasting(time, said, former)
        case Bearing.AT:
            return _on_a_date(rule, time, said)


def _until(time: Time, said: Said, former: bool) -> tuple[Placed, ...]:
    if former or said.perfect or time.ahead is False:
        return (Placed(Form.END, end=time.phrase),)
    if time.ahead:  # 我在宁波住到六月底
        return (_STATE, Placed(Form.END, modality=Modality.PLANNED, end=time.phrase))
    return ()


def _lasting(time: Time, said: Said, former: bool) -> tuple[Placed, ...]:
    if former:
        return (Placed(Form.END),)
    if said.closed or said.has(Mark.STILL, Mark.ALREADY, Mark.NOW):
        return (Placed(Form.SINCE, start=time.since),)
    return ()  # 我在苏州住了三年: over or not, and from when, nobody says


def _on_a_date(rule: Rule, time: Time, said: Said) -> tuple[Placed, ...]:
    if said.has(Mark.BEGIN):
        return _change(rule, said)
    if said.has(Mark.ALREADY) and said.closed:  # 2019年就在云杉了
        return (Placed(Form.SINCE, start=time.phrase),)
    return (Placed(start=time.phrase),)


def _undated(rule: Rule, said: Said, former: bool) -> tuple[Placed, ...]:
    if former:
        return (Placed(Form.END),)
    if said.has(Mark.STILL):
        return (Placed(Form.SINCE),)
    emphatic = said.has(Mark.DEGREE) or rule.predicate in _FELT
    began = said.has(Mark.BEGIN, Mark.AGAIN) or (said.closed and not emphatic)
    return (Placed(Form.CHANGE),) if began else (_STATE,)


def _change(rule: Rule, said: Said) -> tuple[Placed, ...]:
    if said.has(Mark.FORMER, Mark.STILL):
        return ()
    if not said.times:
        return (Placed(Form.CHANGE),)
    long = said.time(Bearing.LENGTH)
    if long is not None and said.closed:  # 结婚十年了
        return (Placed(Form.SINCE, start=long.since),)
    time = said.time(Bearing.AT, Bearing.START)
    if time is None:
        return ()
    told = said.closed or said.perfect or said.has(Mark.JUST, Mark.ALREADY, Mark.STRESS)
    if time.ahead or (time.ahead is None and not told):
        return (Placed(Form.CHANGE, modality=Modality.PLANNED, start=time.phrase),)
    form = Form.SINCE if time.recent else Form.CHANGE
    return (Placed(form, start=time.phrase),)


def _end(rule: Rule, said: Said) -> tuple[Placed, ...]:
    if said.has(Mark.FORMER):
        return ()
    if not said.times:
        return (Placed(Form.END),)
    time = said.times[0]
    if time.bearing is Bearing.LENGTH:  # 戒烟三年了
        return (Placed(Form.END, end=time.since),) if said.closed else ()
    if time.bearing is not Bearing.AT:
        return ()
    told = said.closed or said.perfect or said.has(Mark.JUST, Mark.ALREADY, Mark.STRESS)
    if time.ahead or (time.ahead is None and not told):
        return (_STATE, Placed(Form.END, modality=Modality.PLANNED, end=time.phrase))
    return (Placed(Form.END, end=time.phrase),)


def _event(rule: Rule, said: Said) -> tuple[Placed, ...]:
    if not said.times:
        return (_STATE,)
    time = said.time(Bearing.AT)
    if time is None:
        return ()
    # Without a 了, 过 or 的, a day that may lie on either side is to come: 八月三号去西藏.
    to_come = rule.predicate == "has_appointment" or not (said.perfect or said.closed)
    ahead = time.ahead or (time.ahead is None and to_come)
    modality = Modality.PLANNED if ahead else Modality.ASSERTED
    return (Placed(modality=modality, start=time.phrase),)


def _no_event(rule: Rule, said: Said) -> tuple[Placed, ...]:
    # 没去过冰岛 is a lasting no; 没买到票 is only a story.
    # 不去冰岛了 is a plan called off.
    if said.has(Mark.NOT) and said.perfect and not said.closed and not said.times:
        return (Placed(polarity=Polarity.NEGATIVE),)
    return ()
